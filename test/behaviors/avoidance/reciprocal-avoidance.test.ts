import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AvoidAgents,
  Contain,
  HalfSpaceShape,
  Hover,
  ReciprocalAvoidance,
  Seek,
  SteeringWorld,
  Stick,
  within,
  type Behavior,
  type ReciprocalAvoidanceOptions,
  type SteeringController,
  type Vec3,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { trace } from 'three-steering/explain'
import { direction, dotOf, expectVec, minus, norm, plus, times, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, idle, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'

// A pilot has 0.5 m, 1 kg, 100 N, 10 m/s and a response time of 0.1 s. Where it matters two pilots keep 1.12
// m from each other.

const NONE = v(0, 0, 0)
const point = { locomotion: new Hover({ attitude: null }) }
const RADIUS = 20

interface One extends PilotOptions {
  readonly position: Vec3
  readonly velocity?: Vec3
  readonly seed: number
  /** The goal; without one the agent has no wish. */
  readonly target?: Vec3 | undefined
}

type Options = Partial<ReciprocalAvoidanceOptions>

function avoiding(options: Options, target?: Vec3): Behavior {
  const wish: Behavior = target ? new Seek({ target }) : { steer() {} }
  return within([new ReciprocalAvoidance({ neighborDistance: RADIUS, ...options })], wish)
}

interface Flown {
  readonly pilots: SteeringController[]
  readonly least: number
}

/** Flies all agents, each under the same constraint, for some steps. `watch` is called after each. */
function fly(
  all: readonly One[],
  steps: number,
  options: Options = {},
  watch: (pilots: readonly SteeringController[]) => void = () => undefined,
): Flown {
  const { world, faults } = quietWorld()
  const pilots = all.map(({ target, ...rest }) =>
    pilot(rest.behavior ?? avoiding(options, target), { ...point, ...rest }),
  )
  pilots.forEach((each) => world.add(each))
  let least = Infinity
  for (let n = 0; n < steps; n++) {
    world.step(1 / 60)
    for (const [i, a] of pilots.entries())
      for (const b of pilots.slice(i + 1)) least = Math.min(least, norm(minus(a.position, b.position)))
    watch(pilots)
  }
  expect(faults).toEqual([])
  return { pilots, least }
}

/** The same agents, which avoid others as well, unless they have a behaviour. */
const mindful = (others: readonly PilotOptions[]): PilotOptions[] =>
  others.map((each) => ({ behavior: avoiding({}), ...each }))

/** The force of the first agent by the plain behaviour, before any limits. */
function force(options: Options, self: PilotOptions, others: readonly PilotOptions[]): Vec3 {
  const { force, faults } = ask(
    new ReciprocalAvoidance({ neighborDistance: RADIUS, ...options }),
    self,
    mindful(others),
  )
  expect(faults).toEqual([])
  return force
}

/** `count` agents in a ball, in general position, each with a goal on the other side. */
function crowd(seed: number, count: number, size = 8): One[] {
  const random = seeded(seed)
  const any = (k: number): Vec3 => v(k * (random() - 0.5), k * (random() - 0.5), k * (random() - 0.5))
  return Array.from({ length: count }, (_, i) => {
    const position = any(2 * size)
    return { position, velocity: any(8), target: plus(times(position, -3), any(4)), seed: 50 + 7 * i }
  })
}

const seeds = fc.integer({ min: 0, max: 1e6 })

describe('ReciprocalAvoidance', () => {
  it('does nothing without a threat', () => {
    const felt = (position: Vec3, velocity: Vec3, options: Options = {}): number =>
      norm(
        force({ clearance: 0.12, bias: 0, ...options }, { velocity: v(5, 0, 0) }, [{ position, velocity }]),
      )
    expect(felt(v(2.5, 0.3, 0), v(-5, 0, 0))).toBeGreaterThan(1)
    // separating, abreast, equally fast, passing at more than 1.12 m, out of sight, no look-ahead
    expect(felt(v(-2.5, 0.3, 0), v(-5, 0, 0))).toBe(0)
    expect(felt(v(0, 1.5, 0), v(-5, 0, 0))).toBe(0)
    expect(felt(v(2.5, 0.3, 0), v(5, 0, 0))).toBe(0)
    expect(felt(v(2.5, 1.13, 0), v(-5, 0, 0))).toBe(0)
    expect(felt(v(2.5, 1.13, 0), v(-5, 0, 0), { clearance: 0.3 })).toBeGreaterThan(0)
    expect(felt(v(2.5, 0.3, 0), v(-5, 0, 0), { neighborDistance: 2 })).toBe(0)
    expect(felt(v(2.5, 0.3, 0), v(-5, 0, 0), { horizon: 0.02 })).toBe(0)
    // a change that can be made later is not made yet
    expect(felt(v(15, 0.3, 0), v(-5, 0, 0), { caution: 1 })).toBe(0)
    expect(felt(v(15, 0.3, 0), v(-5, 0, 0), { caution: 20 })).toBeGreaterThan(0)
  })

  it('by hand: two agents that are too near restore the clearance in two lags, half each', () => {
    // 1.08 m of 1.12 m, at rest: 0.04 m in 0.2 s, 0.1 m/s each, in 0.1 s
    const near = [{ position: v(0, 0, 1.08), seed: 2 }]
    expectVec(force({ bias: 0, clearance: 0.12 }, { seed: 1 }, near), v(0, 0, -1), 1e-9)
    expectVec(
      force({ bias: 0, clearance: 1 }, { seed: 1 }, [{ position: v(0, 0, 1.6), seed: 2 }]),
      v(0, 0, -10),
      1e-9,
    )
    // the wish does not interfere with that
    const wish = within(
      [new ReciprocalAvoidance({ neighborDistance: RADIUS, bias: 0, clearance: 0.12 })],
      new Seek({ target: v(0, 0, 9) }),
    )
    expectVec(ask(wish, { seed: 1 }, mindful(near)).force, v(0, 0, -1), 1e-9)
    // half of the clearance is used up: the change needed, 0.3 m/s each, is made after one step, whatever the
    // response time
    const nearer = [{ position: v(0, 0, 1), seed: 2 }]
    for (const responseTime of [0.1, 0.4])
      expectVec(
        force({ bias: 0, clearance: 0.12 }, { seed: 1, responseTime }, nearer),
        v(0, 0, -1.8 / responseTime),
        1e-9,
      )
  })

  it('shares by priority, 1 : 3; an agent of infinite priority does nothing, and the other one all', () => {
    const pair = (a: number, b: number): number =>
      -force({ bias: 0 }, { priority: a }, [{ position: v(0, 0, 1), priority: b }]).z
    expect(pair(1, 3)).toBeCloseTo(3 * pair(3, 1), 9)
    expect(pair(1, 3) + pair(3, 1)).toBeCloseTo(2 * pair(1, 1), 9)
    expect(pair(Infinity, 1)).toBe(-0)
    expect(pair(Infinity, Infinity)).toBe(-0)
    expect(pair(1, Infinity)).toBeCloseTo(2 * pair(1, 1), 9)
  })

  it('makes the whole way to an agent that does not avoid it, and keeps a distance in which it can respond', () => {
    const evader = (groups?: number) => within([new ReciprocalAvoidance(groups ? { groups } : {})], idle())
    const felt = (behavior: Behavior, z = 1.1, options: Options = {}): number =>
      -force({ bias: 0, clearance: 0.12, ...options }, { group: 2 }, [{ position: v(0, 0, z), behavior }]).z
    const off = evader()
    off.parts[0]!.enabled = false
    for (const behavior of [idle(), new Stick(), evader(5), off]) {
      expect(felt(behavior)).toBeGreaterThan(2 * felt(evader()))
      // 100 m/s² for two lags of 0.1 s are 2 m, more than half of the sum of the radii
      expect(felt(behavior, 1.45)).toBeGreaterThan(0)
      expect(felt(behavior, 1.55)).toBe(-0)
    }
    // a player that stops before it
    const assisted = within([new ReciprocalAvoidance()], new Stick())
    expect(felt(assisted)).toBeGreaterThan(1.9 * felt(evader()))
    expect(felt(assisted, 1.45)).toBe(felt(evader(), 1.45))
    expect(felt(evader(2))).toBe(felt(evader()))
    expect(felt(new AvoidAgents({ neighborDistance: 5 }))).toBe(felt(evader()))
  })

  it('the agent of higher priority turns aside less', () => {
    const aside = (priority: number): number => {
      let most = 0
      fly(
        [
          { position: v(-8, 0, 0), velocity: v(8, 0, 0), target: v(60, 0, 0), seed: 1, priority },
          { position: v(8, 0.2, 0), velocity: v(-8, 0, 0), target: v(-60, 0.2, 0), seed: 2, priority: 1 },
        ],
        120,
        {},
        ([one]) => (most = Math.max(most, Math.hypot(one!.position.y, one!.position.z))),
      )
      return most
    }
    expect(aside(3)).toBeLessThan(0.8 * aside(1))
    expect(aside(1)).toBeLessThan(0.8 * aside(1 / 3))
  })

  it('an agent of infinite priority flies straight on, bit by bit, and the others fly around it', () => {
    const lord = {
      position: v(-12, 0, 0),
      velocity: v(6, 0, 0),
      target: v(90, 3, 0),
      seed: 3,
      priority: Infinity,
    }
    const path = (others: readonly One[]): Flown & { track: Vec3[] } => {
      const track: Vec3[] = []
      const flown = fly([lord, ...others], 150, {}, ([one]) => void track.push(xyz(one!.position)))
      return { ...flown, track }
    }
    const others = [-1, 0, 1].map((i) => ({ position: v(2 * i, 1.2 * i, -0.4), seed: 20 + i }))
    const { track, least } = path(others)
    expect(track).toEqual(path([]).track)
    expect(least).toBeGreaterThan(1)
  })

  it('only agents of its groups count', () => {
    const other = { position: v(2.5, 0.3, 0), velocity: v(-5, 0, 0), group: 4 }
    const felt = (groups?: number): number =>
      norm(force(groups === undefined ? {} : { groups }, { velocity: v(5, 0, 0) }, [other]))
    expect(felt()).toBeGreaterThan(1)
    expect(felt(4)).toBe(felt())
    expect(felt(12)).toBe(felt())
    expect(felt(3)).toBe(0)
    expect(felt(0)).toBe(0)
  })

  law(
    'with a bias two agents exactly head-on pass, in any direction',
    [direction(), fc.constantFrom(0, 5, 10), seeds],
    (n, speed, seed) => {
      const { pilots, least } = fly(
        [-1, 1].map((k) => ({
          position: times(n, -8 * k),
          velocity: times(n, speed * k),
          target: times(n, 90 * k),
          seed: seed + 5 * k,
        })),
        200,
      )
      expect(least).toBeGreaterThan(1)
      expect(dotOf(pilots[0]!.position, n)).toBeLessThan(-2)
      expect(dotOf(pilots[1]!.position, n)).toBeGreaterThan(2)
    },
    25,
  )

  it.each([0, 5, 10])(
    'without a bias an agent stops in front of the other without a contact, from %i m/s',
    (speed) => {
      for (const n of [v(1, 0, 0), v(0, 1, 0), v(0, 0, -1)]) {
        const { pilots, least } = fly(
          [-1, 1].map((k) => ({
            position: times(n, -8 * k),
            velocity: times(n, speed * k),
            target: times(n, 90 * k),
            seed: 10 + k,
          })),
          480,
          { bias: 0 },
        )
        expect(least).toBeGreaterThan(1)
        for (const [i, each] of pilots.entries()) {
          expect(dotOf(each.position, n) * (2 * i - 1)).toBeLessThan(-0.5)
          expect(norm(xyz(each.velocity))).toBeLessThan(0.01)
        }
      }
    },
  )

  it('of three that cross the two mirror images stay so, and there is no contact', () => {
    const around = (k: number): One => ({
      position: v(-4, 0.3, 7 * k),
      velocity: v(2.5, 0, -4 * k),
      target: v(40, -3, -70 * k),
      seed: 20 + k,
    })
    const middle = { position: v(8, 0, 0), velocity: v(-5, 0, 0), target: v(-80, 0.5, 0), seed: 9 }
    const { least } = fly([around(1), middle, around(-1)], 150, { bias: 0 }, ([a, , b]) => {
      const { x, y, z } = b!.position
      expectVec(a!.position, v(x, y, -z), 1e-3)
    })
    expect(least).toBeGreaterThan(0.98)
  })

  it('agents at one position separate', () => {
    const { pilots } = fly(
      Array.from({ length: 5 }, (_, seed) => ({ position: v(3, 4, 5), seed })),
      240,
    )
    for (const [i, a] of pilots.entries())
      for (const b of pilots.slice(i + 1)) expect(norm(minus(a.position, b.position))).toBeGreaterThan(1)
  })

  it('two crowds that cross have no contact, keep force and speed limits, and all arrive', () => {
    const random = seeded(3)
    const all = Array.from({ length: 24 }, (_, seed) => {
      const z = 1 - (2 * seed + 1) / 24
      const angle = seed * 2.4 + 0.01 * random()
      const r = Math.sqrt(1 - z * z)
      const position = times(v(r * Math.cos(angle), r * Math.sin(angle), z), 9)
      return { position, target: times(position, -8), seed }
    })
    let [most, fastest] = [0, 0]
    const { least, pilots } = fly(all, 260, {}, (each) => {
      for (const { demand, force, velocity } of each) {
        most = Math.max(most, norm(demand.force), norm(force))
        fastest = Math.max(fastest, norm(velocity))
      }
    })
    expect(most).toBeLessThanOrEqual(100 * (1 + 1e-9))
    expect(fastest).toBeLessThanOrEqual(10 * (1 + 1e-9))
    expect(least).toBeGreaterThan(1)
    for (const [i, { position }] of pilots.entries())
      expect(dotOf(position, all[i]!.position)).toBeLessThan(-9 * 5)
  })

  it('asks for more than full speed only to evade, and by little', () => {
    for (let n = 0; n < 100; n++) {
      const all = crowd(n, 6, 4)
      const [self, ...others] = all.map(({ position, velocity = NONE, seed }) => ({
        position,
        velocity,
        seed,
      }))
      const { force: wanted } = ask(
        avoiding({}, all[0]!.target),
        { ...self, maxSpeed: 7, ...point },
        mindful(others),
      )
      const next = norm(plus(self!.velocity, wanted, 0.1))
      // because of demands by others that fly as fast; 1.2 m/s when this was written
      expect(next).toBeLessThan(Math.max(7, norm(self!.velocity)) + 2)
    }
  })

  it('walls take precedence: an agent pressed against one by a crowd never enters it', () => {
    const random = seeded(8)
    const floor = { shape: new HalfSpaceShape(v(0, 1, 0)) }
    const all = Array.from({ length: 16 }, (_, seed) => {
      const position = v(5 * (random() - 0.5), 0.9 + 5 * random(), 5 * (random() - 0.5))
      const wish = new Seek({ target: v(0, -2, 0) })
      const avoid = new ReciprocalAvoidance({ neighborDistance: RADIUS })
      const behavior = within([avoid, new Contain({ bounds: [floor] })], wish)
      return { position, seed, behavior }
    })
    let lowest = Infinity
    fly(all, 360, {}, (pilots) => {
      for (const { position } of pilots) lowest = Math.min(lowest, position.y)
    })
    expect(lowest).toBeGreaterThan(0.5 - 1e-3)
    // they have arrived
    expect(lowest).toBeLessThan(0.8)
  })

  it('an agent pressed against a wall by agents of infinite priority never enters it either', () => {
    const floor = { shape: new HalfSpaceShape(v(0, 1, 0)) }
    const avoid = new ReciprocalAvoidance({ neighborDistance: RADIUS })
    const meek = within([avoid, new Contain({ bounds: [floor] })], { steer() {} })
    let lowest = Infinity
    fly(
      [
        { position: v(0, 0.7, 0), seed: 1, behavior: meek },
        {
          position: v(0, 6, 0),
          velocity: v(0, -2, 0),
          seed: 2,
          priority: Infinity,
          behavior: { steer() {} },
        },
      ],
      150,
      {},
      ([one]) => (lowest = Math.min(lowest, one!.position.y)),
    )
    expect(lowest).toBeGreaterThan(0.5 - 1e-3)
  })

  it.each([30, 60, 240])('has no contact at 1/%i s', (rate) => {
    const world = new SteeringWorld()
    const pilots = crowd(11, 12, 9).map(({ target, ...rest }) =>
      pilot(avoiding({}, target), { ...point, ...rest }),
    )
    pilots.forEach((each) => world.add(each))
    let least = Infinity
    for (let n = 0; n < 3 * rate; n++) {
      world.step(1 / rate)
      for (const [i, a] of pilots.entries())
        for (const b of pilots.slice(i + 1)) least = Math.min(least, norm(minus(a.position, b.position)))
    }
    expect(least).toBeGreaterThan(0.99)
  })

  it('draws the demanded changes of velocity', () => {
    const world = new SteeringWorld()
    const behavior = new ReciprocalAvoidance({ neighborDistance: RADIUS, bias: 0, clearance: 0.12 })
    world.add(pilot(behavior, { ...point, seed: 1 }))
    world.add(pilot(behavior, { ...point, seed: 2, position: v(0, 0, 1) }))
    world.step(1e-9)
    const ends: Vec3[] = []
    trace(world, { line: (layer, _from, to) => void (layer === 'reciprocal' && ends.push(xyz(to))) })
    expect(ends).toHaveLength(2)
    expectVec(ends[0]!, v(0, 0, -0.3), 1e-6)
    expectVec(ends[1]!, v(0, 0, 1.3), 1e-6)
  })

  describe('without a neighbour distance', () => {
    const far = (position: Vec3, velocity: Vec3, rest: PilotOptions = {}): PilotOptions => ({
      position,
      velocity,
      seed: 2,
      maxForce: 5,
      ...rest,
    })
    /** Whether an agent of 10 m/s and 5 m/s² responds to another. */
    const minds = (other: PilotOptions, options: Options = {}, self: PilotOptions = {}): boolean => {
      const one = { velocity: v(10, 0, 0), maxForce: 5, seed: 1, ...self }
      const { force, faults } = ask(new ReciprocalAvoidance({ bias: 0, caution: 20, ...options }), one, [
        other,
      ])
      expect(faults).toEqual([])
      return norm(force) > 0
    }

    it('searches as far as its speed, its force and the other agents need', () => {
      // 10 m/s and 5 m/s²: both stop within 20 m, which with this caution is far beyond
      expect(minds(far(v(150, 0.3, 0), v(-10, 0, 0)))).toBe(true)
      expect(minds(far(v(150, 0.3, 0), v(-10, 0, 0)), { neighborDistance: 100 })).toBe(false)
      expect(minds(far(v(150, 0.3, 0), v(-10, 0, 0)), { caution: 1 })).toBe(false)
      // no farther than its horizon, or the distance at which it would have to respond
      expect(minds(far(v(150, 0.3, 0), v(-10, 0, 0)), { horizon: 1 })).toBe(false)
      // a fast agent is considered from farther away, and the size of another one counts
      const fast = { maxSpeed: 200, priority: Infinity }
      expect(minds(far(v(1200, 0.3, 0), v(-200, 0, 0), fast))).toBe(true)
      expect(minds(far(v(60, 0.3, 0), v(0, 0, 0), { radius: 30, priority: Infinity }), { caution: 2 })).toBe(
        true,
      )
    })

    it.each([
      [1, 4, 2],
      [10, 10, 1],
      [60, 20, 3],
      [200, 60, 12],
    ])(
      'no agents touch at %d m/s, %d m/s², %d m, however many share the behaviour',
      (maxSpeed, maxForce, radius) => {
        for (const [seed, priority] of [
          [1, 1],
          [2, Infinity],
        ] as const) {
          const { world, faults } = quietWorld()
          const avoid = new ReciprocalAvoidance()
          const span = 6 * radius + (3 * maxSpeed * maxSpeed) / maxForce
          const random = seeded(seed)
          const pilots = Array.from({ length: 10 }, (_, i) => {
            const at = times(
              v(Math.cos(0.2 * Math.PI * i), 0.3 * (random() - 0.5), Math.sin(0.2 * Math.PI * i)),
              span,
            )
            const behavior = within([avoid], new Seek({ target: times(at, -20) }))
            const velocity = times(at, -maxSpeed / norm(at))
            const traits = { maxSpeed, maxForce, radius, priority: i === 0 ? priority : 1 }
            return pilot(behavior, { ...point, ...traits, position: at, velocity, seed: 10 * seed + i })
          })
          pilots.forEach((each) => world.add(each))
          let least = Infinity
          for (let n = 0; n < (60 * 2.5 * span) / maxSpeed; n++) {
            world.step(1 / 60)
            for (const [i, a] of pilots.entries())
              for (const b of pilots.slice(i + 1))
                least = Math.min(least, norm(minus(a.position, b.position)))
          }
          expect(faults).toEqual([])
          expect(least).toBeGreaterThan(2 * radius)
        }
      },
    )

    it('is the same for an agent alone and among agents with other limits', () => {
      // a slow agent that shares its behaviour with a fast one ignores the agents that it would ignore alone
      const felt = (company: boolean): Vec3 => {
        const { world } = quietWorld()
        const avoid = new ReciprocalAvoidance({ bias: 0 })
        const slow = pilot(avoid, { ...point, maxSpeed: 1, velocity: v(1, 0, 0), seed: 1 })
        world
          .add(slow)
          .add(pilot(undefined, { position: v(15, 0.2, 0), velocity: v(-1, 0, 0), maxSpeed: 1, seed: 2 }))
        const one = { position: v(0, 5000, 0), maxSpeed: 60, maxForce: 5, seed: 3 }
        world.add(pilot(company ? avoid : undefined, one))
        world.step(1 / 60)
        return xyz(slow.demand.force)
      }
      expectVec(felt(true), felt(false), 0)
    })
  })
})
