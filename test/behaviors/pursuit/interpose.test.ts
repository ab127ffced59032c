import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import { Interpose, SteeringController, type Moving, type Vec3 } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { trace } from 'three-steering/explain'
import { dotOf, minus, norm, plus, times, unit, v } from '../../support/geometry.js'
import { ask, pilot, quietWorld } from '../../support/pilot.js'

type Flight = (time: number) => Vec3

/** Two targets and their motion. Every place on the line between them is within the agent's limits. */
const PAIRS: Readonly<Record<string, readonly [Flight, Flight]>> = {
  'two at rest': [() => v(3, 4, 5), () => v(-20, 0, 9)],
  'side by side, straight on': [(t) => v(3 * t, 0, 0), (t) => v(3 * t, 20 + t, 5)],
  'on circles in two planes': [
    (t) => v(15 * Math.cos(0.3 * t), 0, 15 * Math.sin(0.3 * t)),
    (t) => v(10 * Math.cos(0.5 * t) + 20, 8 * Math.sin(0.5 * t), 3),
  ],
  'that weave': [
    (t) => v(3 * t, 4 * Math.sin(t), 0),
    (t) => v(3 * t + 10, 6 * Math.cos(0.8 * t), 8 * Math.sin(0.5 * t)),
  ],
  'a tight circle and a climbing helix': [
    (t) => v(5 * Math.cos(1.2 * t), 5 * Math.sin(1.2 * t), 0),
    (t) => v(8 * Math.sin(0.7 * t) + 10, 8 * Math.cos(0.7 * t), 0.8 * t),
  ],
}

interface Mover extends Moving {
  readonly position: Vec3
  readonly velocity: Vec3
}

/** A thing that flies a given path exactly. */
function mover(): Mover {
  return { position: v(0, 0, 0), velocity: v(0, 0, 0) }
}

function move(thing: Mover, flight: Flight, time: number): void {
  Object.assign(thing.position, flight(time))
  Object.assign(thing.velocity, times(minus(flight(time + 1e-5), flight(time - 1e-5)), 0.5e5))
}

const AGENT = { maxSpeed: 12, maxForce: 10, position: v(-40, 15, -25) }

interface Watch {
  /** Time when it first comes within half a metre of the place (s). */
  readonly joined: number
  /** Largest distance from it from three seconds later on (m). */
  readonly off: number
  readonly speed: number
}

function watch(
  flights: readonly [Flight, Flight],
  rate: number,
  ratio = 0.5,
  seconds = 16,
  responseTime = 0.1,
): Watch {
  const { world, faults } = quietWorld()
  const ends = [mover(), mover()] as const
  const one = pilot(new Interpose({ targets: ends, ratio }), { ...AGENT, responseTime })
  world.add(one)
  let joined = Infinity
  let distance = 0
  let speed = 0
  for (let i = 0; i < seconds * rate; i++) {
    for (const k of [0, 1] as const) move(ends[k], flights[k], i / rate)
    world.step(1 / rate)
    const time = (i + 1) / rate
    const [a, b] = flights
    const place = plus(times(a(time), 1 - ratio), times(b(time), ratio))
    const error = norm(minus(one.position, place))
    if (error < 0.5) joined = Math.min(joined, time)
    if (time > joined + 3) distance = Math.max(distance, error)
    speed = Math.max(speed, norm(one.velocity))
  }
  expect(faults).toEqual([])
  return { joined, off: distance, speed }
}

describe('between two targets', () => {
  const cases = Object.keys(PAIRS).flatMap((name) => [30, 60, 240].map((rate) => [name, rate] as const))
  it.each(cases)('%s: the agent arrives and stays within 2 cm at 1/%i s', (name, rate) => {
    const { joined, off: distance, speed } = watch(PAIRS[name]!, rate)
    expect(joined).toBeLessThan(9)
    expect(distance).toBeLessThan(0.02)
    expect(speed).toBeLessThan(1.001 * AGENT.maxSpeed)
  })

  it('a slow agent does not lag: the motion of both is fed forward', () => {
    // Otherwise the 5 m/s² of the place would cost 0.8 m.
    const flights = PAIRS['a tight circle and a climbing helix']!
    expect(watch(flights, 60, 0.5, 25, 1).off).toBeLessThan(0.1)
  })

  it.each([0, 0.25, 0.9, 1])('the ratio %f is met', (ratio) => {
    expect(watch(PAIRS['on circles in two planes']!, 60, ratio).off).toBeLessThan(0.02)
  })

  it('targets may be points and functions', () => {
    const { world } = quietWorld()
    const place = (_: unknown, out: Vec3): void => void Object.assign(out, v(0, 8, 6))
    const one = pilot(new Interpose({ targets: [v(10, 0, 0), place], ratio: 0.5 }))
    world.add(one)
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    expect(norm(minus(one.position, v(5, 4, 3)))).toBeLessThan(0.01)
  })
})

describe('the place at the time of arrival', () => {
  it('is approached on a constant bearing when both targets fly straight', () => {
    // 10 m/s for an agent that flies at 6: the 3-4-5 triangle.
    const velocity = v(0, 6, 0)
    const between = [0, 4].map((z) => ({ position: v(800, 0, z - 2), velocity })) as [Mover, Mover]
    const { force } = ask(new Interpose({ targets: between }), {
      maxForce: 1e6,
      velocity: v(8, 6, 0),
      position: v(0, 0, 0),
    })
    expect(norm(force)).toBeLessThan(0.5)
    const { force: push } = ask(new Interpose({ targets: between }), { maxForce: 1e6 })
    expect(dotOf(unit(push), v(0.8, 0.6, 0))).toBeGreaterThan(0.999)
  })

  it('is reached sooner than by flying after targets that turn', () => {
    const flights: [Flight, Flight] = [
      (t) => v(4 * t, 25 * Math.sin(0.35 * t), 0),
      (t) => v(4 * t + 10, 25 * Math.sin(0.35 * t), 12),
    ]
    // Matching the velocity from the start takes 9.1 s.
    expect(watch(flights, 60).joined).toBeLessThan(8.3)
  })
})

it('if a target is not finite, the agent flies straight on', () => {
  const { world, faults } = quietWorld()
  const ends = [mover(), mover()] as const
  const one = pilot(new Interpose({ targets: ends }), { position: v(-20, 0, 0) })
  world.add(one)
  for (let i = 0; i < 60; i++) world.step(1 / 60)
  const { x } = one.velocity
  ends[1].position.x = NaN
  for (let i = 0; i < 60; i++) world.step(1 / 60)
  expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^target: got .*NaN/)])
  expect(one.velocity.x).toBeGreaterThanOrEqual(x)
})

it("draws the line between the targets, and the agent's line", () => {
  const layers: string[] = []
  const { world } = quietWorld()
  world.add(pilot(new Interpose({ targets: [v(1, 2, 3), v(4, 5, 6)] })))
  world.step(1 / 60)
  trace(world, { line: (layer) => void layers.push(layer) })
  expect(layers).toContain('between')
  expect(layers).toContain('interpose')
})

it('works between two cannon-es bodies, as a third one, with damping', () => {
  const world = new CANNON.World()
  const { world: steering, faults } = quietWorld()
  attachToCannon(steering, world)
  const body = (position: Vec3, velocity: Vec3): CANNON.Body => {
    const made = new CANNON.Body({ mass: 5, shape: new CANNON.Sphere(0.5), linearDamping: 0 })
    made.position.set(position.x, position.y, position.z)
    made.velocity.set(velocity.x, velocity.y, velocity.z)
    world.addBody(made)
    return made
  }
  const between = [body(v(0, 0, 0), v(3, 1, 0)), body(v(0, 10, 8), v(3, 0, -0.5))] as const
  const own = body(v(-15, 3, 0), v(0, 0, 0))
  own.linearDamping = 0.2
  const one = new SteeringController(null, {
    body: cannonBody(own),
    behavior: new Interpose({ targets: between }),
    maxSpeed: 12,
    maxForce: 60,
  })
  steering.add(one)
  for (let i = 0; i < 900; i++) world.step(1 / 60)
  const middle = times(plus(between[0].position, between[1].position), 0.5)
  expect(norm(minus(own.position, middle))).toBeLessThan(0.02)
  expect(faults).toEqual([])
})

it.each<[string, object, string]>([
  ['one target', { targets: [v(0, 0, 0)] }, 'must be an array of two'],
  [
    'a target without a position',
    { targets: [v(0, 0, 0), {}] },
    'Interpose.targets[1]: got { }, must be a point',
  ],
])('refuses %s', (_, options, message) => {
  expect(() => new Interpose({ targets: [v(0, 0, 0), v(1, 0, 0)], ...options })).toThrow(message)
})
