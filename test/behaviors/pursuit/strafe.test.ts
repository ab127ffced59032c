import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Flight,
  Hover,
  SteeringController,
  Strafe,
  type Fault,
  type Locomotion,
  type StrafeOptions,
  type Vec3,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { angleBetween, expectVec, minus, norm, plus, times, unit, v } from '../../support/geometry.js'
import { quietWorld } from '../../support/pilot.js'

type Flown = (time: number) => Vec3

const TARGETS: Readonly<Record<string, Flown>> = {
  'at rest': () => v(0, 0, 0),
  'that flies straight on': () => v(25, 0, 0),
  'that comes': () => v(0, 4, -30),
  'that circles': (time) => v(30 * Math.cos(0.3 * time), 0, 30 * Math.sin(0.3 * time)),
}
const SHIPS: Readonly<Record<string, () => Locomotion>> = {
  'a drone': () => new Hover(),
  'an aircraft': () => new Flight({ minSpeed: 25 }),
}
const MISS = 40
const SHIP = {
  maxSpeed: 60,
  mass: 1000,
  maxForce: 40_000,
  maxTorque: 40_000,
  maxTurnRate: 4,
  responseTime: 0.2,
}

interface Setting {
  readonly flown?: Flown
  readonly ship?: () => Locomotion
  readonly options?: Partial<StrafeOptions>
  readonly rate?: number
  readonly seconds?: number
  readonly body?: boolean
  readonly start?: Vec3
}

interface Passes {
  /**
   * For each pass the smallest distance to the target (m), its position in the target's frame, and the
   * straightness of the line in that frame.
   */
  readonly least: readonly number[]
  readonly sides: readonly Vec3[]
  readonly bent: readonly number[]
  /** Share of the time of the passes in which the port side pointed at the target within 0.1 rad. */
  readonly borne: number
  readonly stages: readonly string[]
  readonly faults: readonly Fault[]
}

function fly(setting: Setting): Passes {
  const { flown = TARGETS['at rest']!, ship = SHIPS['a drone']!, options, rate = 60, seconds = 60 } = setting
  const { world, faults } = quietWorld()
  const target = { position: v(0, 0, 500), velocity: flown(0) }
  const start = setting.start ?? v(10, 0, 40)
  const engine = new CANNON.World()
  const body = new CANNON.Body({
    mass: SHIP.mass,
    shape: new CANNON.Box(new CANNON.Vec3(1.2, 1.2, 1.2)),
    linearDamping: 0,
    angularDamping: 0,
  })
  body.velocity.set(start.x, start.y, start.z)
  const { mass, ...traits } = SHIP
  const own = setting.body
    ? { body: cannonBody(body) }
    : { mass, velocity: start, inertia: v(1000, 1000, 1000) }
  const behavior = new Strafe({ target, missDistance: MISS, ...options })
  const pilot = new SteeringController(null, { behavior, locomotion: ship(), ...traits, ...own })
  if (setting.body) {
    engine.addBody(body)
    attachToCannon(world, engine)
  }
  world.add(pilot)
  const stages: string[] = []
  const passes: Vec3[][] = []
  pilot.addEventListener('stage', ({ stage }) => {
    stages.push(stage)
    if (stage === 'pass') passes.push([])
  })
  let borne = 0
  let all = 0
  const dt = 1 / rate
  for (let i = 0; i < seconds * rate; i++) {
    target.velocity = flown(i * dt)
    target.position = plus(target.position, target.velocity, dt)
    if (setting.body) engine.step(dt)
    else world.step(dt)
    if (stages.at(-1) !== 'pass') continue
    const distance = minus(pilot.position, target.position)
    passes.at(-1)!.push(distance)
    all++
    const { z } = pilot.attitude
    // The z axis points to starboard.
    if (angleBetween(z, distance) < 0.1) borne++
  }
  const whole = passes.filter((_, k) => k < passes.length - 1 || stages.at(-1) !== 'pass')
  const nearest = whole.map((pass) => pass.reduce((a, b) => (norm(b) < norm(a) ? b : a)))
  return {
    least: nearest.map(norm),
    sides: nearest.map(unit),
    bent: whole.map(bendOf),
    borne: borne / all,
    stages,
    faults,
  }
}

/** Largest distance of the path from the line through its ends (m). */
function bendOf(points: readonly Vec3[]): number {
  const first = points[0]!
  const line = unit(minus(points.at(-1)!, first))
  return Math.max(
    ...points.map((p) => norm(minus(p, first)) * Math.sin(angleBetween(minus(p, first), line)) || 0),
  )
}

describe.each(Object.keys(SHIPS))('%s', (ship) => {
  it.each(Object.keys(TARGETS))('passes a target %s again and again, at missDistance', (name) => {
    const { least: smallest, stages, faults } = fly({ flown: TARGETS[name]!, ship: SHIPS[ship]! })
    expect(smallest.length).toBeGreaterThanOrEqual(2)
    for (const each of smallest) expect(Math.abs(each - MISS)).toBeLessThan(0.06 * MISS)
    expect(stages.slice(0, 4)).toEqual(['pass', 'extend', 'approach', 'pass'])
    expect(faults).toEqual([])
  })

  it('works on a cannon-es body', () => {
    const { least: smallest, faults } = fly({
      flown: TARGETS['that flies straight on']!,
      ship: SHIPS[ship]!,
      body: true,
      seconds: 40,
    })
    expect(smallest.length).toBeGreaterThanOrEqual(1)
    for (const each of smallest) expect(Math.abs(each - MISS)).toBeLessThan(0.04 * MISS)
    expect(faults).toEqual([])
  })
})

it.each([30, 240])('%i steps per second give the same as 60', (rate) => {
  const flown = TARGETS['that flies straight on']!
  const here = fly({ flown, seconds: 40 })
  const there = fly({ flown, seconds: 40, rate })
  expect(there.stages).toEqual(here.stages)
  there.least.forEach((each, k) => expect(Math.abs(each - here.least[k]!)).toBeLessThan(0.3))
})

it("the line is straight in the target's frame, also when the target moves", () => {
  for (const flown of [TARGETS['at rest']!, TARGETS['that flies straight on']!]) {
    const { bent } = fly({ flown, ship: SHIPS['an aircraft']! })
    for (const each of bent) expect(each).toBeLessThan(0.5)
  }
})

describe('the side', () => {
  it('is that from which the agent comes', () => {
    // The course passes the target on the +x side, and a little above it.
    const { sides } = fly({ start: v(6, 2, 40), seconds: 25 })
    expect(angleBetween(sides[0]!, unit(v(6, 2, 0)))).toBeLessThan(0.5)
  })

  it('may be given: above the target, each time', () => {
    const { sides, least: smallest } = fly({ options: { side: v(0, 3, 0) } })
    expect(sides.length).toBeGreaterThanOrEqual(2)
    for (const side of sides) expect(angleBetween(side, v(0, 1, 0))).toBeLessThan(0.6)
    for (const each of smallest) expect(Math.abs(each - MISS)).toBeLessThan(1)
  })

  it('with missDistance 0 the pass goes through the target', () => {
    const { least: smallest } = fly({ options: { missDistance: 0, range: 150 }, seconds: 30 })
    expect(smallest[0]!).toBeLessThan(2)
  })
})

describe('during the pass', () => {
  it('the port side is turned to the target and follows it', () => {
    expect(fly({ options: { aim: 'port' } }).borne).toBeGreaterThan(0.7)
    expect(fly({ options: { aim: 'none' } }).borne).toBeLessThan(0.1)
  })

  it('a shot from the nose leads a moving target', () => {
    const target = { position: v(0, 0, 200), velocity: v(0, 0, -5) }
    const observe = (projectileSpeed: number): Vec3 => {
      const { world } = quietWorld()
      const behavior = new Strafe({ target, missDistance: 40, range: 500, aim: 'nose', projectileSpeed })
      const pilot = new SteeringController(null, { behavior, ...SHIP, maxForce: 1e-3, velocity: v(9, 0, 40) })
      world.add(pilot)
      const { position } = target
      for (let i = 0; i < 120; i++) {
        world.step(1 / 60)
        target.position = plus(target.position, target.velocity, 1 / 60)
      }
      const nose = unit(pilot.attitude.x)
      const distance = minus(target.position, pilot.position)
      const drift = minus(target.velocity, pilot.velocity)
      let time = 0
      for (let k = 0; k < 60; k++) time = norm(plus(distance, drift, time)) / projectileSpeed
      target.position = position
      expect(angleBetween(nose, plus(distance, drift, time))).toBeLessThan(0.02)
      return nose
    }
    expect(angleBetween(observe(200), observe(2000))).toBeGreaterThan(0.05)
  })
})

describe('special cases', () => {
  it.each([
    // it is 230 m to the end of the extension, which takes at most 200 m / (0.6 · 60 m/s)
    [1, 'followed'],
    [0.25, ''],
  ])('a target that flies along at %d of its speed: the extension ends as %o', (share, why) => {
    const { world } = quietWorld()
    const target = { position: v(0, 0, 30), velocity: v(0, 0, 0) }
    const behavior = new Strafe({ target, missDistance: MISS, extension: 200 })
    const pilot = new SteeringController(null, { behavior, ...SHIP, velocity: v(0, 0, 60) })
    world.add(pilot)
    const events: string[] = []
    pilot.addEventListener('stage', ({ stage, reason }) => events.push(`${stage} ${reason}`))
    for (let i = 0; i < 60 * 6; i++) {
      target.velocity = times(pilot.velocity, share)
      target.position = plus(target.position, target.velocity, 1 / 60)
      world.step(1 / 60)
    }
    expect(events.slice(0, 2)).toEqual(['extend too near', `approach ${why}`])
  })

  it('a target with a non-finite position is ignored', () => {
    const { world, faults } = quietWorld()
    const target = { position: v(0, NaN, 0), velocity: v(0, 0, 0) }
    const pilot = new SteeringController(null, {
      behavior: new Strafe({ target, missDistance: 9 }),
      ...SHIP,
      velocity: v(20, 0, 20),
    })
    world.add(pilot)
    for (let i = 0; i < 60; i++) world.step(1 / 60)
    expectVec(unit(pilot.velocity), unit(v(1, 0, 1)), 1e-9)
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^target: got .*NaN/)])
  })
})
