import { describe, expect, it } from 'vitest'
import {
  AvoidAgents,
  AvoidObstacles,
  BoxShape,
  FollowPath,
  Hover,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  SphereShape,
  within,
  type Behavior,
  type FollowPathOptions,
  type ObstacleOptions,
  type PathTechnique,
  type Vec3,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'
import { minus, norm } from '../../support/geometry.js'
import { ask, idle, pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'

const TECHNIQUES: readonly PathTechnique[] = ['reprojection', 'dog-on-a-string', 'grappling-hooks']
const STEPS = [1 / 30, 1 / 60, 1 / 240]
/** Among obstacles steps are dear. */
const COARSE = [1 / 30, 1 / 60]
const SHIP = { maxSpeed: 12, maxForce: 30, radius: 0.5 }
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const apart = (a: Vec3, b: Vec3): number => norm(minus(a, b))

interface Trip {
  /** Where it was, each step. */
  readonly places: Vec3[]
  readonly told: string[]
  /** Where it was when it told that it arrived. */
  readonly at: Vec3
  readonly end: Vec3
  readonly speed: number
  readonly fastest: number
}

interface Cast {
  readonly points: readonly Vec3[]
  /** Made anew: they serve one world each. */
  readonly constraints?: () => Constraint[]
  readonly traits?: PilotOptions
  readonly others?: readonly PilotOptions[]
  readonly dt?: number
  readonly seconds?: number
}

function trip(options: Partial<FollowPathOptions>, cast: Cast): Trip {
  const { points, constraints, traits = {}, others = [], dt = 1 / 60, seconds = 14 } = cast
  const mind = new FollowPath({ path: new Path({ points, curve: 'polyline' }), ...options })
  const behavior: Behavior = constraints === undefined ? mind : within(constraints(), mind)
  const { world, faults } = quietWorld()
  const ship = pilot(behavior, { ...SHIP, position: points[0]!, ...traits })
  const told: string[] = []
  let at = v(NaN)
  ship.addEventListener('arrive', () => {
    told.push('arrive')
    at = { ...ship.position }
  })
  ship.addEventListener('stage', ({ stage }) => told.push(stage))
  world.add(ship)
  for (const other of others) world.add(pilot(idle(), { radius: 0.5, ...other }))
  const places: Vec3[] = []
  let fastest = 0
  while (world.time < seconds) {
    world.step(dt)
    places.push({ ...ship.position })
    fastest = Math.max(fastest, norm(ship.velocity))
  }
  expect(faults).toEqual([])
  return { places, told, at, end: { ...ship.position }, speed: norm(ship.velocity), fastest }
}

describe('the closeness to waypoints, of grappling hooks', () => {
  // slow, so that the lag of the servo hides nothing
  const points = [v(), v(12), v(12, 0, 12), v(24, 0, 12)]
  /** How near it came to the corner. */
  const miss = (options: Partial<FollowPathOptions>, traits: PilotOptions = {}): number =>
    Math.min(
      ...trip(
        { technique: 'grappling-hooks', speed: 1.5, ...options },
        { points, traits, seconds: 20, dt: 1 / 30 },
      ).places.map((place) => apart(place, points[1]!)),
    )

  it('is in radii: large vehicles are sloppy, tiny ones fiddly', () => {
    // straight to the next from where the hook is thrown on: two radii before the corner it leaves out as much of it
    for (const radius of [0.25, 0.5, 2]) {
      const near = miss({}, { radius, maxForce: 90 })
      expect(near).toBeLessThan(2.05 * radius)
      expect(near).toBeGreaterThan(radius)
    }
    for (const closeness of [1, 4, 8]) {
      const near = miss({ closeness }, { maxForce: 90 })
      expect(near).toBeLessThan(0.52 * closeness)
      expect(near).toBeGreaterThan(0.2 * closeness)
    }
  })
})

describe.each(TECHNIQUES)('the end, by %s', (technique) => {
  const points = [v(), v(20), v(20, 0, 20), v(50, 0, 20)]
  const last = points[3]!

  it('is met on the spot, and along the last section, where nothing else is said', () => {
    for (const dt of STEPS) {
      const { places, told, end, speed } = trip({ technique }, { points, dt })
      expect(told).toEqual(['arrive'])
      expect(apart(end, last)).toBeLessThan(0.006)
      expect(speed).toBeLessThan(0.005)
      // of the last section the second half
      const aside = places.filter(({ x }) => x > 35).map(({ y, z }) => Math.hypot(y, z - 20))
      expect(Math.max(...aside)).toBeLessThan(technique === 'dog-on-a-string' ? 0.4 : 0.05)
    }
  })

  it('is loose with a closeness: it has arrived within that, and stops for it', () => {
    for (const dt of STEPS)
      for (const endCloseness of [2, 6]) {
        const { told, at, end, speed } = trip({ technique, endCloseness }, { points, dt })
        expect(told).toEqual(['arrive'])
        expect(apart(at, last)).toBeLessThan(endCloseness * SHIP.radius)
        expect(apart(at, last)).toBeGreaterThan(endCloseness * SHIP.radius - 0.7)
        expect(apart(end, last)).toBeLessThan(endCloseness * SHIP.radius)
        expect(speed).toBeLessThan(0.001)
      }
  })

  it('is passed within the closeness, where it does not stop', () => {
    const { told, at, speed } = trip({ technique, end: 'pass', endCloseness: 6 }, { points })
    expect(told).toEqual(['arrive'])
    expect(apart(at, last)).toBeGreaterThan(2.5)
    expect(apart(at, last)).toBeLessThan(3)
    expect(speed).toBeCloseTo(12, 1)
  })

  it('inside of an obstacle that is known is reached as near as that lets it come', () => {
    const block: ObstacleOptions = { shape: new BoxShape(v(6, 3, 2)), at: v(52, 0, 20) }
    for (const dt of COARSE) {
      const obstacles = new Obstacles([block])
      const constraints = (): Constraint[] => [new AvoidObstacles({ obstacles })]
      const known = trip({ technique, obstacles }, { points, constraints, dt })
      expect(known.told).toEqual(['arrive'])
      // the end is in the middle of the block: the nearest faces are those at z = 18 and 22
      const nearest = 2.53
      expect(Math.abs(apart(known.end, last) - nearest)).toBeLessThan(0.15)
      expect(Math.abs(known.end.z - last.z)).toBeGreaterThan(2.5)
      const unknown = trip({ technique }, { points, constraints, dt })
      expect(unknown.told).toEqual([])
      expect(Math.abs(apart(unknown.end, last) - nearest)).toBeLessThan(0.15)
    }
  })

  it('an obstacle in its place is touched where it is to be ignored, and others are not', () => {
    for (const dt of COARSE) {
      const obstacles = new Obstacles([
        { shape: new SphereShape(2), at: v(52, 0, 20) },
        // in the way of the last section
        { shape: new SphereShape(2), at: v(36, 0.3, 20) },
      ])
      const constraints = (): Constraint[] => [new AvoidObstacles({ obstacles })]
      // whether the path knows of them or not
      const ignoring = trip(
        { technique, endObstacles: 'ignore', ...(dt > 0.02 ? { obstacles } : {}) },
        { points, constraints, dt },
      )
      expect(ignoring.told).toEqual(['arrive'])
      expect(apart(ignoring.end, last)).toBeLessThan(0.01)
      const near = Math.min(...ignoring.places.map((place) => apart(place, v(36, 0.3, 20))))
      expect(near).toBeGreaterThan(2.5)
      const keeping = trip({ technique }, { points, constraints, dt })
      expect(keeping.told).toEqual([])
      expect(apart(keeping.end, v(52, 0, 20))).toBeGreaterThan(2.5)
    }
  })

  it('another agent in its place likewise', () => {
    const others = [{ position: v(50.6, 0, 20), priority: Infinity }]
    const cast = { points, constraints: () => [new ReciprocalAvoidance({ neighborDistance: 12 })], others }
    const ignoring = trip({ technique, endAgents: 'ignore' }, cast)
    expect(ignoring.told).toEqual(['arrive'])
    expect(apart(ignoring.end, last)).toBeLessThan(0.01)
    const keeping = trip({ technique }, cast)
    expect(keeping.told).toEqual([])
    expect(apart(keeping.end, others[0]!.position)).toBeGreaterThan(0.9)
    // one on the way is kept off all the same
    const passing = trip(
      { technique, endAgents: 'ignore' },
      { ...cast, others: [{ position: v(36, 0.2, 20), priority: Infinity }] },
    )
    expect(passing.told).toEqual(['arrive'])
    expect(Math.min(...passing.places.map((place) => apart(place, v(36, 0.2, 20))))).toBeGreaterThan(0.99)
  })

  it('is spared by all constraints that keep off obstacles and agents, to the last bit, and only as told', () => {
    const ball = { shape: new SphereShape(2), at: v(51, 0, 20) }
    const others = [{ position: v(50.3, 0, 20), priority: Infinity }]
    const state = { ...SHIP, position: v(45, 0.1, 20), velocity: v(9) }
    const force = (constraints: Constraint[], options: Partial<FollowPathOptions>): Vec3 => {
      const mind = new FollowPath({ path: new Path({ points, curve: 'polyline' }), technique, ...options })
      return ask(within(constraints, mind), state, others).force
    }
    const plain = force([], {})
    const kinds: [() => Constraint, Partial<FollowPathOptions>, Partial<FollowPathOptions>][] = [
      [() => new AvoidObstacles({ obstacles: [ball] }), { endObstacles: 'ignore' }, { endAgents: 'ignore' }],
      [
        () => new AvoidObstacles({ obstacles: [ball], method: 'textbook' }),
        { endObstacles: 'ignore' },
        { endAgents: 'ignore' },
      ],
      [
        () => new ReciprocalAvoidance({ neighborDistance: 20 }),
        { endAgents: 'ignore' },
        { endObstacles: 'ignore' },
      ],
      [() => new AvoidAgents({ neighborDistance: 20 }), { endAgents: 'ignore' }, { endObstacles: 'ignore' }],
    ]
    for (const [make, spared, other] of kinds) {
      expect(force([make()], spared)).toEqual(plain)
      expect(apart(force([make()], {}), plain)).toBeGreaterThan(0.1)
      expect(force([make()], other)).toEqual(force([make()], {}))
    }
  })

  it('an obstacle at the end that the way passes before is kept off until then', () => {
    // past the ball, round, and back into it
    const way = [v(), v(40, 0, 0), v(40, 0, 40), v(20, 0, 40), v(20, 0, 1)]
    const obstacles = new Obstacles([{ shape: new SphereShape(2), at: v(20, 0, 1) }])
    const { places, told } = trip(
      { technique, endObstacles: 'ignore' },
      { points: way, constraints: () => [new AvoidObstacles({ obstacles })], seconds: 26 },
    )
    expect(told).toEqual(['arrive'])
    const first = places.slice(
      0,
      places.findIndex(({ z }) => z > 20),
    )
    expect(Math.min(...first.map((place) => apart(place, v(20, 0, 1))))).toBeGreaterThan(2.5)
  })
})

describe('a waypoint inside of an obstacle', () => {
  it.each(TECHNIQUES)('does not hold who knows the obstacles, by %s', (technique) => {
    const points = [v(), v(25), v(25, 0, 30)]
    for (const dt of COARSE)
      for (const shape of [new SphereShape(3), new BoxShape(v(8, 2, 2))]) {
        const obstacles = new Obstacles([{ shape, at: v(25) }])
        const constraints = (): Constraint[] => [new AvoidObstacles({ obstacles })]
        const { told, end, places } = trip({ technique, obstacles }, { points, constraints, dt, seconds: 25 })
        expect(told).toEqual(['arrive'])
        expect(apart(end, points[2]!)).toBeLessThan(0.01)
        expect(Math.min(...places.map((place) => obstacles.distance(place, v())))).toBeGreaterThan(0.499)
      }
  })
})

describe('the speed', () => {
  it.each(TECHNIQUES)('is less where the next waypoint is crowded, by %s', (technique) => {
    const points = [v(), v(25), v(50)]
    const crowd = (count: number, radius: number): PilotOptions[] =>
      Array.from({ length: count }, (_, k) => ({ position: v(25, 2, k / 10), radius }))
    /** Time from 10 m to 25 m. */
    const pass = (crowdSpeed: number, others: readonly PilotOptions[]): number => {
      const options = { technique, crowdRadius: 8, crowdSpeed }
      const { places } = trip(options, { points, others })
      return (places.findIndex(({ x }) => x > 25) - places.findIndex(({ x }) => x > 10)) / 60
    }
    const free = pass(1, crowd(4, 5))
    expect(pass(0.3, [])).toBeCloseTo(free, 9)
    const some = pass(0.3, crowd(2, 4))
    const full = pass(0.3, crowd(4, 5))
    expect(some).toBeGreaterThan(1.2 * free)
    expect(full).toBeGreaterThan(1.5 * some)
    // 30 % of the speed
    expect(full).toBeLessThan(free / 0.29)
    expect(full).toBeGreaterThan(free / 0.5)
  })

  it.each(TECHNIQUES)('is hardly any until it faces its way (Green, Fig. 14), by %s', (technique) => {
    const points = [v(), v(40)]
    for (const dt of STEPS) {
      // nose +z, the way is +x
      const run = (facing?: number): Trip =>
        trip(
          { technique, ...(facing === undefined ? {} : { facing }) },
          { points, dt, traits: { maxTorque: 0.05 } },
        )
      const [turning, plain] = [run(0.8), run()]
      const after = (one: Trip, time: number): number => one.places[Math.round(time / dt) - 1]!.x
      expect(after(plain, 0.5)).toBeGreaterThan(2.5)
      expect(after(turning, 0.5)).toBeLessThan(0.5)
      expect(turning.told).toEqual(['arrive'])
      expect(apart(turning.end, points[1]!)).toBeLessThan(0.01)
      expect(turning.fastest).toBeGreaterThan(11)
    }
  })

  it('without a torque it creeps, and so turns', () => {
    const { told } = trip(
      { facing: 0.8 },
      { points: [v(), v(0, 0, -20)], traits: { locomotion: new Hover({ attitude: null }) }, seconds: 20 },
    )
    expect(told).toEqual(['arrive'])
  })
})
