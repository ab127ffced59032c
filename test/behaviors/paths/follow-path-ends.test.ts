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
  type Vec3,
} from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import type { PathTechnique } from 'three-steering/authoring'
import type { Constraint } from 'three-steering/authoring'
import { minus, norm } from '../../support/geometry.js'
import { ask, idle, pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'

const TECHNIQUES: readonly PathTechnique[] = ['reprojection', 'dog-on-a-string', 'grappling-hooks']
const STEPS = [1 / 30, 1 / 60, 1 / 240]
/** Steps among obstacles are expensive, so fewer step lengths are run. */
const COARSE = [1 / 30, 1 / 60]
const SHIP = { maxSpeed: 12, maxForce: 30, radius: 0.5 }
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const apart = (a: Vec3, b: Vec3): number => norm(minus(a, b))

interface Trip {
  /** The agent's position in each step. */
  readonly places: Vec3[]
  readonly told: string[]
  /** The agent's position when it emitted `arrive`. */
  readonly at: Vec3
  readonly end: Vec3
  readonly speed: number
  readonly fastest: number
}

interface Cast {
  readonly points: readonly Vec3[]
  /** Created anew, because behaviours serve one world each. */
  readonly constraints?: () => Constraint[]
  readonly traits?: PilotOptions
  readonly others?: readonly PilotOptions[]
  readonly dt?: number
  readonly seconds?: number
}

function trip(options: Partial<FollowPathOptions>, cast: Cast): Trip {
  const { points, constraints, traits = {}, others = [], dt = 1 / 60, seconds = 14 } = cast
  const followPath = new FollowPath({ path: new Path({ points, curve: 'polyline' }), ...options })
  const behavior: Behavior = constraints === undefined ? followPath : within(constraints(), followPath)
  const { world, faults } = quietWorld()
  const ship = pilot(behavior, { ...SHIP, position: points[0]!, ...traits })
  const events: string[] = []
  let at = v(NaN)
  ship.addEventListener('arrive', ({ reason }) => {
    events.push(reason ?? 'arrive')
    at = { ...ship.position }
  })
  ship.addEventListener('stage', ({ stage }) => events.push(stage))
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
  return { places, told: events, at, end: { ...ship.position }, speed: norm(ship.velocity), fastest }
}

describe.each(TECHNIQUES)('the end, by %s', (technique) => {
  const points = [v(), v(20), v(20, 0, 20), v(50, 0, 20)]
  const last = points[3]!

  it('is met exactly, along the last section, by default', () => {
    for (const dt of STEPS) {
      const { places, told: events, end, speed } = trip({ technique }, { points, dt })
      expect(events).toEqual(['arrive'])
      expect(apart(end, last)).toBeLessThan(0.006)
      expect(speed).toBeLessThan(0.005)
      // The second half of the last section.
      const aside = places.filter(({ x }) => x > 35).map(({ y, z }) => Math.hypot(y, z - 20))
      expect(Math.max(...aside)).toBeLessThan(technique === 'dog-on-a-string' ? 0.4 : 0.05)
    }
  })

  it('is passed within endCloseness by an agent that does not stop', () => {
    const { told: events, at, speed } = trip({ technique, end: 'pass', endCloseness: 6 }, { points })
    expect(events).toEqual(['arrive'])
    expect(apart(at, last)).toBeGreaterThan(2.5)
    expect(apart(at, last)).toBeLessThan(3)
    expect(speed).toBeCloseTo(12, 1)
  })

  it('may touch an obstacle at the end with endObstacles: ignore, and no other obstacle', () => {
    for (const dt of COARSE) {
      const obstacles = new Obstacles([
        { shape: new SphereShape(2), at: v(52, 0, 20) },
        // Blocks the last section.
        { shape: new SphereShape(2), at: v(36, 0.3, 20) },
      ])
      const constraints = (): Constraint[] => [new AvoidObstacles({ obstacles })]
      // With and without obstacles known to the path.
      const ignoring = trip(
        { technique, endObstacles: 'ignore', ...(dt > 0.02 ? { obstacles } : {}) },
        { points, constraints, dt },
      )
      expect(ignoring.told).toEqual(['arrive'])
      expect(apart(ignoring.end, last)).toBeLessThan(0.01)
      const near = Math.min(...ignoring.places.map((place) => apart(place, v(36, 0.3, 20))))
      expect(near).toBeGreaterThan(2.5)
      const keeping = trip({ technique }, { points, constraints, dt })
      expect(keeping.told).toEqual(['as near as it gets'])
      expect(apart(keeping.end, v(52, 0, 20))).toBeGreaterThan(2.5)
    }
  })

  it('may touch another agent at the end with endAgents: ignore', () => {
    const others = [{ position: v(50.6, 0, 20), priority: Infinity }]
    const cast = { points, constraints: () => [new ReciprocalAvoidance({ neighborDistance: 12 })], others }
    const ignoring = trip({ technique, endAgents: 'ignore' }, cast)
    expect(ignoring.told).toEqual(['arrive'])
    expect(apart(ignoring.end, last)).toBeLessThan(0.01)
    const keeping = trip({ technique }, cast)
    expect(keeping.told).toEqual(['as near as it gets'])
    expect(apart(keeping.end, others[0]!.position)).toBeGreaterThan(0.9)
    // An agent on the way is avoided all the same.
    const passing = trip(
      { technique, endAgents: 'ignore' },
      { ...cast, others: [{ position: v(36, 0.2, 20), priority: Infinity }] },
    )
    expect(passing.told).toEqual(['arrive'])
    expect(Math.min(...passing.places.map((place) => apart(place, v(36, 0.2, 20))))).toBeGreaterThan(0.99)
  })

  it('is exempted by all constraints that avoid obstacles and agents, bit-identically, and only if the option says so', () => {
    const ball = { shape: new SphereShape(2), at: v(51, 0, 20) }
    const others = [{ position: v(50.3, 0, 20), priority: Infinity }]
    const state = { ...SHIP, position: v(45, 0.1, 20), velocity: v(9) }
    const force = (constraints: Constraint[], options: Partial<FollowPathOptions>): Vec3 => {
      const followPath = new FollowPath({
        path: new Path({ points, curve: 'polyline' }),
        technique,
        ...options,
      })
      return ask(within(constraints, followPath), state, others).force
    }
    const plain = force([], {})
    const kinds: [() => Constraint, Partial<FollowPathOptions>, Partial<FollowPathOptions>][] = [
      [() => new AvoidObstacles({ obstacles: [ball] }), { endObstacles: 'ignore' }, { endAgents: 'ignore' }],
      [
        () => new ClassicAvoidance({ obstacles: [ball] }),
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

  it('an obstacle at the end that the path passes before is avoided until the end is near', () => {
    // Past the ball, around it, and back into it.
    const points = [v(), v(40, 0, 0), v(40, 0, 40), v(20, 0, 40), v(20, 0, 1)]
    const obstacles = new Obstacles([{ shape: new SphereShape(2), at: v(20, 0, 1) }])
    const { places, told: events } = trip(
      { technique, endObstacles: 'ignore' },
      { points, constraints: () => [new AvoidObstacles({ obstacles })], seconds: 26 },
    )
    expect(events).toEqual(['arrive'])
    const first = places.slice(
      0,
      places.findIndex(({ z }) => z > 20),
    )
    expect(Math.min(...first.map((place) => apart(place, v(20, 0, 1))))).toBeGreaterThan(2.5)
  })
})

describe('a waypoint inside an obstacle', () => {
  it.each(TECHNIQUES)('does not stop an agent that knows the obstacles, by %s', (technique) => {
    const points = [v(), v(25), v(25, 0, 30)]
    for (const dt of COARSE)
      for (const shape of [new SphereShape(3), new BoxShape(v(8, 2, 2))]) {
        const obstacles = new Obstacles([{ shape, at: v(25) }])
        const constraints = (): Constraint[] => [new AvoidObstacles({ obstacles })]
        const {
          told: events,
          end,
          places,
        } = trip({ technique, obstacles }, { points, constraints, dt, seconds: 25 })
        expect(events).toEqual(['arrive'])
        expect(apart(end, points[2]!)).toBeLessThan(0.01)
        expect(Math.min(...places.map((place) => obstacles.distance(place, v())))).toBeGreaterThan(0.499)
      }
  })
})

describe('the speed', () => {
  it('without torque the agent moves slowly, and so turns', () => {
    const { told: events } = trip(
      { facing: 0.8 },
      { points: [v(), v(0, 0, -20)], traits: { locomotion: new Hover({ attitude: null }) }, seconds: 20 },
    )
    expect(events).toEqual(['arrive'])
  })
})
