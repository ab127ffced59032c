import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  Flight,
  Orbit,
  SphereShape,
  SteeringController,
  within,
  type Behavior,
  type OrbitOptions,
  type Vec3,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { trace } from 'three-steering/explain'
import { crossOf, dotOf, minus, norm, plus, times, unit, v } from '../../support/geometry.js'
import { pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'

const RADIUS = 10
const UP = v(0, 1, 0)
const AGENT = { maxSpeed: 12, maxForce: 10 }

/** Distance (m) from the circle of `RADIUS` about `axis` around the origin. */
function offCircle(place: Vec3, axis: Vec3): number {
  const height = dotOf(place, axis)
  return Math.hypot(norm(plus(place, axis, -height)) - RADIUS, height)
}

interface Watch {
  /**
   * Time when it first comes within 10 cm of the circle (s). From a second later on: largest distance from it
   * (m), and speeds relative to the centre (m/s).
   */
  readonly joined: number
  readonly off: number
  readonly slowest: number
  readonly fastest: number
  /** Smallest distance from the centre (m). */
  readonly nearest: number
  /** Whether it flew round in the right direction. */
  readonly forth: boolean
}

interface Setting {
  readonly options?: Partial<OrbitOptions>
  readonly agent?: PilotOptions
  /** Motion of the centre: position and velocity. */
  readonly center?: (time: number) => readonly [Vec3, Vec3]
  readonly rate?: number
  readonly seconds?: number
}

function watch({ options = {}, agent = {}, center, rate = 60, seconds = 20 }: Setting): Watch {
  const { world, faults } = quietWorld()
  const middle = { position: v(0, 0, 0), velocity: v(0, 0, 0) }
  const one = pilot(new Orbit({ target: middle, radius: RADIUS, axis: UP, ...options }), {
    ...AGENT,
    ...agent,
  })
  world.add(one)
  const axis = unit(options.axis ?? UP)
  const lead = (time: number): void => {
    const [position, velocity] = center?.(time) ?? [v(0, 0, 0), v(0, 0, 0)]
    Object.assign(middle, { position, velocity })
  }
  let joined = Infinity
  let distance = 0
  let slowest = Infinity
  let fastest = 0
  let nearest = Infinity
  let forth = true
  for (let i = 1; i <= seconds * rate; i++) {
    world.step(1 / rate)
    lead(i / rate)
    const place = minus(one.position, middle.position)
    const speed = minus(one.velocity, middle.velocity)
    const error = offCircle(place, axis)
    nearest = Math.min(nearest, norm(place))
    if (error < 0.1) joined = Math.min(joined, i / rate)
    if (i / rate <= joined + 1) continue
    distance = Math.max(distance, error)
    slowest = Math.min(slowest, norm(speed))
    fastest = Math.max(fastest, norm(speed))
    forth &&= dotOf(crossOf(place, speed), axis) > 0
  }
  expect(faults.every(({ message }) => message.startsWith('target: got (NaN'))).toBe(true)
  return { joined, off: distance, slowest, fastest, nearest, forth }
}

const STARTS: Readonly<Record<string, PilotOptions>> = {
  'from outside, at rest': { position: v(60, 0, 0) },
  'from outside, at full speed at the middle': { position: v(60, 0, 0), velocity: v(-12, 0, 0) },
  'from outside and above': { position: v(-30, 10, 9), velocity: v(3, 3, 9) },
  'from inside': { position: v(1, 0, 0), velocity: v(0, 0, 3) },
  'from the very middle': { position: v(0, 0, 0) },
  'from far up on the axis': { position: v(0, 50, 0) },
  'from the circle, at rest': { position: v(0, 0, RADIUS) },
}

describe('a circle', () => {
  const cases = Object.keys(STARTS).flatMap((name) => [30, 60, 240].map((rate) => [name, rate] as const))
  it.each(cases)('%s: is joined and held within 2 cm at 1/%i s', (name, rate) => {
    const { joined, off: distance, forth } = watch({ agent: STARTS[name]!, rate, seconds: 13 })
    expect(joined).toBeLessThan(9)
    expect(distance).toBeLessThan(0.02)
    expect(forth).toBe(true)
  })

  it.each([1, 3, 8])('is flown at the speed asked for: %f m/s', (speed) => {
    const agent = STARTS['from outside, at rest']!
    const { off: distance, slowest, fastest } = watch({ options: { speed }, agent, seconds: 30 })
    expect(distance).toBeLessThan(0.02)
    expect(slowest).toBeGreaterThan(0.99 * speed)
    expect(fastest).toBeLessThan(1.03 * speed)
  })

  it('is joined on the tangent: never inside, coming from outside', () => {
    for (const name of Object.keys(STARTS).slice(0, 3))
      expect(watch({ agent: STARTS[name]! }).nearest).toBeGreaterThan(RADIUS - 0.02)
  })

  it('is flown no faster than the force can hold: too high a speed is reduced and the radius is kept', () => {
    const { off: distance, fastest } = watch({
      options: { speed: 12 },
      agent: STARTS['from outside, at rest']!,
    })
    expect(distance).toBeLessThan(0.03)
    // v² / r ≤ F / m
    expect(fastest).toBeLessThan(Math.sqrt(10 * RADIUS))
    expect(fastest).toBeGreaterThan(9)
  })

  it('has any axis, right-handed', () => {
    for (const axis of [v(0, -3, 0), v(1, 0, 0), v(1, 2, -2)]) {
      const { joined, off: distance, forth } = watch({ options: { axis }, agent: { position: v(5, 30, 8) } })
      expect(joined).toBeLessThan(10)
      expect(distance).toBeLessThan(0.02)
      expect(forth).toBe(true)
    }
  })

  it('an agent that flies the wrong way round turns, and does not fly through the centre', () => {
    const {
      nearest,
      forth,
      off: distance,
    } = watch({ agent: { position: v(0, 0, RADIUS), velocity: v(-8, 0, 0) } })
    expect(forth).toBe(true)
    expect(distance).toBeLessThan(1)
    expect(nearest).toBeGreaterThan(RADIUS - 1.5)
  })
})

describe('a moving centre', () => {
  it.each([30, 60, 240])('straight or weaving: no lag, at 1/%i s', (rate) => {
    const centers = [
      (t: number) => [v(3 * t, t, 0), v(3, 1, 0)] as const,
      (t: number) => [v(2 * t, 5 * Math.sin(0.4 * t), 0), v(2, 2 * Math.cos(0.4 * t), 0)] as const,
    ]
    for (const center of centers) {
      const setting = { center, rate, options: { speed: 6 }, agent: STARTS['from outside, at rest']! }
      expect(watch(setting).off).toBeLessThan(0.02)
    }
  })

  it('and a slow agent on a tight circle: the acceleration of the centre is fed forward', () => {
    const center = (t: number): readonly [Vec3, Vec3] => [
      v(2 * Math.cos(t), 0, 2 * Math.sin(t)),
      v(-2 * Math.sin(t), 0, 2 * Math.cos(t)),
    ]
    const agent = { ...STARTS['from outside, at rest']!, responseTime: 1 }
    expect(watch({ center, agent, options: { speed: 6 }, seconds: 30 }).off).toBeLessThan(0.1)
  })

  it('faster than the agent: it is followed, and the output is finite', () => {
    const { nearest } = watch({ center: (t) => [v(30 * t, 0, 0), v(30, 0, 0)] })
    expect(nearest).toBeGreaterThanOrEqual(0)
  })

  it('that is not finite: the agent flies straight on', () => {
    const { off: distance } = watch({ center: () => [v(NaN, 0, 0), v(0, 0, 0)], seconds: 2 })
    expect(distance).toBe(0)
  })
})

describe('without an axis', () => {
  /** Positions on an orbit after joining it. */
  function flown(orbit: Orbit, agent: PilotOptions, shove = v(0, 0, 0)): Vec3[] {
    const { world, faults } = quietWorld()
    let now = 0
    const behavior: Behavior = {
      steer(...args) {
        orbit.steer(...args)
        const [{ mass }, , { force }] = args
        // For half a second, instead of orbiting.
        if (now > 900 && now <= 930 && norm(shove) > 0) Object.assign(force, times(shove, mass))
      },
    }
    const one = pilot(behavior, { ...AGENT, ...agent })
    world.add(one)
    const places: Vec3[] = []
    for (let i = 0; i < 1500; i++) {
      now = i
      world.step(1 / 60)
      if (i >= 1200) places.push({ ...one.position })
    }
    expect(faults).toEqual([])
    return places
  }

  const start = { position: v(20, 0, 0), velocity: v(0, 3, 4) }
  const plane = unit(crossOf(start.position, start.velocity))

  it('the plane is that of the first motion, and is kept', () => {
    const places = flown(new Orbit({ target: v(0, 0, 0), radius: RADIUS }), start)
    for (const each of places) expect(offCircle(each, plane)).toBeLessThan(0.02)
  })

  it('a sphere: a push changes the plane, not the distance', () => {
    const sphere = (): Orbit => new Orbit({ target: v(0, 0, 0), radius: RADIUS, sphere: true })
    const calm = flown(sphere(), start)
    for (const each of calm) expect(offCircle(each, plane)).toBeLessThan(0.02)
    const shoved = flown(sphere(), start, v(4, 5, 0))
    for (const each of shoved) expect(Math.abs(norm(each) - RADIUS)).toBeLessThan(0.02)
    expect(Math.max(...shoved.map((each) => Math.abs(dotOf(each, plane))))).toBeGreaterThan(1)
  })

  it.each<[string, PilotOptions]>([
    ['straight at the middle', { position: v(30, 0, 0), velocity: v(-9, 0, 0) }],
    ['straight up at it', { position: v(0, -30, 0), velocity: v(0, 9, 0) }],
    ['at rest', { position: v(0, 0, 30) }],
    ['at rest in the middle', {}],
  ])('%s: some plane is taken', (_, agent) => {
    for (const sphere of [true, false]) {
      const behavior = new Orbit({ target: v(0, 0, 0), radius: RADIUS, sphere })
      for (const each of flown(behavior, agent)) expect(Math.abs(norm(each) - RADIUS)).toBeLessThan(0.02)
    }
  })
})

it('as a wish it flies around obstacles, and comes back', () => {
  const { world } = quietWorld()
  const rock = v(0, 0, RADIUS)
  const obstacles = [{ shape: new SphereShape(2), at: rock }]
  const wish = new Orbit({ target: v(0, 0, 0), radius: RADIUS, axis: UP, speed: 4 })
  const one = pilot(within([new AvoidObstacles({ obstacles })], wish), {
    ...AGENT,
    radius: 0.5,
    position: v(RADIUS, 0, 0),
  })
  world.add(one)
  let nearest = Infinity
  let onCircle = 0
  const steps = 1800
  for (let i = 0; i < steps; i++) {
    world.step(1 / 60)
    nearest = Math.min(nearest, norm(minus(one.position, rock)))
    if (offCircle(one.position, UP) < 0.1) onCircle++
  }
  expect(nearest).toBeGreaterThan(2.5)
  expect(onCircle / steps).toBeGreaterThan(0.4)
})

it('works for an aircraft, which banks to turn', () => {
  const { world, faults } = quietWorld()
  const one = pilot(new Orbit({ target: v(0, 0, 0), radius: 200, axis: UP, speed: 40 }), {
    mass: 1000,
    maxSpeed: 60,
    maxForce: 40_000,
    maxTorque: 40_000,
    maxTurnRate: 4,
    locomotion: new Flight({ minSpeed: 25 }),
    position: v(500, 20, 0),
    velocity: v(-40, 0, 0),
  })
  world.add(one)
  let distance = 0
  for (let i = 0; i < 60 * 60; i++) {
    world.step(1 / 60)
    const { x, y, z } = one.position
    if (i > 40 * 60) distance = Math.max(distance, Math.hypot(Math.hypot(x, z) - 200, y))
  }
  expect(faults).toEqual([])
  expect(distance).toBeLessThan(2)
})

it('works on a cannon-es body, around one that another force drives', () => {
  const world = new CANNON.World()
  const { world: steering, faults } = quietWorld()
  attachToCannon(steering, world)
  const body = (position: Vec3): CANNON.Body => {
    const made = new CANNON.Body({ mass: 5, shape: new CANNON.Sphere(0.5), linearDamping: 0 })
    made.position.set(position.x, position.y, position.z)
    world.addBody(made)
    return made
  }
  const sun = body(v(0, 0, 0))
  sun.velocity.set(2, 0, 1)
  const own = body(v(30, 5, 3))
  const behavior = new Orbit({ target: sun, radius: RADIUS, axis: v(0, 1, 0.3), speed: 6 })
  steering.add(new SteeringController(null, { body: cannonBody(own), behavior, maxSpeed: 12, maxForce: 50 }))
  let distance = 0
  for (let i = 0; i < 1500; i++) {
    sun.force.set(0, 2, 0)
    world.step(1 / 60)
    if (i > 900)
      distance = Math.max(distance, offCircle(minus(own.position, sun.position), unit(v(0, 1, 0.3))))
  }
  expect(distance).toBeLessThan(0.02)
  expect(faults).toEqual([])
})

it('draws the circle', () => {
  const { world } = quietWorld()
  world.add(pilot(new Orbit({ target: v(1, 2, 3), radius: 4, axis: UP })))
  world.step(1 / 60)
  const distances: number[] = []
  trace(world, { line: (_, from) => void distances.push(norm(minus(from, v(1, 2, 3)))) })
  expect(distances.filter((each) => Math.abs(each - 4) < 1e-9).length).toBeGreaterThan(20)
})

it('refuses a sphere with an axis', () => {
  const make = () => new Orbit({ target: v(0, 0, 0), radius: 1, axis: times(UP, 2), sphere: true })
  expect(make).toThrow('Orbit.sphere: got true with an axis')
})
