import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoxShape, HalfSpaceShape, Obstacle, SphereShape, type Vec3, type Vec3Like } from 'three-steering'
import { VelocitySolver } from '../../src/core/solver/velocity-solver.js'
import {
  angleBetween,
  crossOf,
  direction,
  dotOf,
  expectVec,
  minus,
  norm,
  number,
  plus,
  times,
  turned,
  unit,
  v,
} from '../support/geometry.js'
import { law } from '../support/law.js'
import { standIn, stepOf, type StandIn } from '../support/stand-in.js'
import { makeWish } from '../../src/core/control/wish.js'

/**
 * Horizon (m): all obstacles are so near, compared with it, that flying into one costs more than any turn.
 */
const HORIZON = 1e5

const HULL = 0.5
const CLEARANCE = 0.1

interface Ball {
  readonly center: Vec3Like
  readonly radius: number
}

interface Chosen {
  /** Unit direction, and the chosen velocity. */
  readonly direction: Vec3
  readonly velocity: Vec3
  readonly turned: boolean
  /** Whether the direction differs from the wanted one. */
  readonly limited: boolean
}

function ball({ center, radius }: Ball, velocity?: Vec3Like): Obstacle {
  const shape = new SphereShape(radius)
  return new Obstacle({ shape, at: velocity === undefined ? center : { position: center, velocity } })
}

const limits = new VelocitySolver()

/** The choice of an agent that wants to fly along `wanted` at 10 m/s. */
function choose(
  obstacles: readonly Obstacle[],
  wanted: Vec3Like,
  state: Partial<StandIn> = {},
  last: Vec3Like = v(0, 0, 0),
  horizon = HORIZON,
  reach = Infinity,
): Chosen {
  const agent = standIn({ radius: HULL, ...state })
  limits.begin(agent, stepOf(), times(wanted, 10), { ...makeWish(), goalDistance: reach })
  Object.assign(limits.chosen, last)
  for (const each of obstacles) limits.addObstacle(each, horizon, HULL, CLEARANCE)
  const velocity = v(0, 0, 0)
  const limited = limits.solve(agent, stepOf(), velocity)
  const turned = norm(limits.chosen) > 0
  return { velocity, turned, limited, direction: turned ? { ...limits.chosen } : unit(wanted) }
}

/** Whether a ball of `size` that flies along `u` from the origin without end misses all obstacles. */
function isFree(u: Vec3Like, balls: readonly Ball[], size: number): boolean {
  return balls.every(({ center, radius }) => {
    const along = dotOf(center, u)
    return along <= 0 || dotOf(center, center) - along * along > (radius + size) ** 2
  })
}

const FAN_SIZE = 5000

/** Directions that are evenly distributed over the sphere. */
const FAN: readonly Vec3[] = Array.from({ length: FAN_SIZE }, (_, i) => {
  const y = 1 - (2 * i + 1) / FAN_SIZE
  const turn = i * Math.PI * (3 - Math.sqrt(5))
  const k = Math.sqrt(1 - y * y)
  return v(k * Math.cos(turn), y, k * Math.sin(turn))
})
/**
 * No direction is farther from one of these than this angle (rad): the area of the sphere is shared by all.
 */
const MESH = 2.2 * Math.sqrt((4 * Math.PI) / FAN_SIZE / Math.PI)

/**
 * The smallest turn from `wanted` to a direction that is free for a ball of `size`; Infinity if there is
 * none.
 */
function leastTurn(wanted: Vec3Like, balls: readonly Ball[], size: number): number {
  let best: Vec3Like | null = null
  let cosine = -2
  for (const u of FAN) {
    if (dotOf(u, wanted) <= cosine || !isFree(u, balls, size)) continue
    best = u
    cosine = dotOf(u, wanted)
  }
  return best === null ? Infinity : angleBetween(best, wanted)
}

/**
 * Balls around the origin, none of them nearer than its clearance, one of them roughly ahead in the direction
 * `wanted`.
 */
const field: fc.Arbitrary<{ wanted: Vec3; balls: Ball[] }> = fc
  .record({
    wanted: direction(),
    off: direction(),
    aside: number(0, 1),
    others: fc.array(fc.record({ towards: direction(), gap: number(0.2, 30), radius: number(0.3, 12) }), {
      maxLength: 11,
    }),
    first: fc.record({ gap: number(0.2, 30), radius: number(0.3, 12) }),
  })
  .map(({ wanted, off, aside, others, first }) => {
    const away = first.radius + HULL + CLEARANCE + first.gap
    const ahead = unit(plus(wanted, off, (aside * first.radius) / away))
    return {
      wanted,
      balls: [
        { center: times(ahead, away), radius: first.radius },
        ...others.map(({ towards, gap, radius }) => ({
          center: times(towards, radius + HULL + CLEARANCE + gap),
          radius,
        })),
      ],
    }
  })

describe('the direction chosen at rest among balls at rest', () => {
  law(
    'is free, and no free one is clearly nearer to the wanted one',
    [field],
    ({ wanted, balls }) => {
      const chosen = choose(
        balls.map((each) => ball(each)),
        wanted,
      )
      const best = leastTurn(wanted, balls, HULL + CLEARANCE)
      if (best === Infinity) return
      expect(isFree(chosen.direction, balls, HULL)).toBe(true)
      // a side that is almost as good may be preferred
      expect(angleBetween(chosen.direction, wanted)).toBeLessThan(1.25 * best + MESH)
    },
    80,
  )

  it('is on average the nearest', () => {
    const turns = fc.sample(field, { seed: 4, numRuns: 60 }).map(({ wanted, balls }) => {
      const best = leastTurn(wanted, balls, HULL + CLEARANCE)
      const chosen = choose(
        balls.map((each) => ball(each)),
        wanted,
      )
      return { best, turn: angleBetween(chosen.direction, wanted) }
    })
    const possible = turns.filter(({ best }) => best < Infinity && best > 0.1)
    expect(possible.length).toBeGreaterThan(30)
    const ratio = possible.reduce((sum, { best, turn }) => sum + turn / best, 0) / possible.length
    expect(ratio).toBeLessThan(1.02)
  })

  law('is the wanted one, without a turn, if that is free', [field], ({ wanted, balls }) => {
    const free = balls.filter((each) => isFree(wanted, [each], HULL + CLEARANCE + 1e-6))
    const { turned, limited } = choose(
      free.map((each) => ball(each)),
      wanted,
    )
    expect(turned).toBe(false)
    expect(limited).toBe(false)
  })

  law(
    'does not depend on the order of the obstacles',
    [field, fc.nat()],
    ({ wanted, balls }, k) => {
      const all = balls.map((each) => ball(each))
      const from = k % all.length
      const a = choose(all, wanted)
      const b = choose([...all.slice(from), ...all.slice(0, from)], wanted)
      // of two equally good directions the other one may be found first
      expect(angleBetween(a.direction, wanted)).toBeCloseTo(angleBetween(b.direction, wanted), 1)
    },
    40,
  )

  law(
    'turns with the scene',
    [field, direction(), number(-3, 3)],
    ({ wanted, balls }, axis, angle) => {
      const s = Math.sin(angle / 2)
      const q = { x: axis.x * s, y: axis.y * s, z: axis.z * s, w: Math.cos(angle / 2) }
      const course = { x: v(1, 0, 0), y: v(0, 1, 0), z: v(0, 0, 1) }
      const there = { x: turned(q, course.x), y: turned(q, course.y), z: turned(q, course.z) }
      const a = choose(
        balls.map((each) => ball(each)),
        wanted,
        { course },
      )
      const b = choose(
        balls.map(({ center, radius }) => ball({ center: turned(q, center), radius })),
        turned(q, wanted),
        { course: there },
      )
      // if rounding decides between two equally good directions, their prices must be equal
      expect(angleBetween(b.direction, turned(q, wanted))).toBeCloseTo(angleBetween(a.direction, wanted), 5)
    },
    40,
  )
})

describe('one ball straight ahead', () => {
  const course = { x: v(1, 0, 0), y: v(0, 1, 0), z: v(0, 0, 1) }

  law(
    'is passed at its outline, by the smallest turn',
    [direction(), number(0.3, 20), number(0.2, 50)],
    (ahead, radius, gap) => {
      const away = radius + HULL + CLEARANCE + gap
      const { direction, turned } = choose([ball({ center: times(ahead, away), radius })], ahead)
      expect(turned).toBe(true)
      expect(angleBetween(direction, ahead)).toBeCloseTo(Math.asin((radius + HULL + CLEARANCE) / away), 9)
    },
  )

  it('is passed upwards in the course frame, which is carried along: no world direction is special', () => {
    for (const [ahead, up] of [
      [v(1, 0, 0), v(0, 1, 0)],
      [v(0, 1, 0), v(0, 0, 1)],
      [v(0, -1, 0), v(1, 0, 0)],
      [v(0, 0, -1), v(0, -1, 0)],
    ] as const) {
      const frame = { x: ahead, y: up, z: crossOf(ahead, up) }
      const { direction } = choose([ball({ center: times(ahead, 20), radius: 4 })], ahead, {
        course: frame,
      })
      expect(dotOf(direction, up)).toBeGreaterThan(0.1)
      expect(Math.abs(dotOf(direction, frame.z))).toBeLessThan(1e-9)
    }
  })

  it('is passed on the same side as in the last step, even if the other side is a little nearer', () => {
    for (const lean of [-0.3, -0.05, 0, 0.05, 0.3]) {
      const center = v(20, lean, 0)
      for (const side of [-1, 1]) {
        const before = unit(v(0.97, 0.2 * side, 0))
        const { direction } = choose([ball({ center, radius: 4 })], v(1, 0, 0), { course }, before)
        expect(Math.sign(direction.y)).toBe(side)
      }
    }
  })

  it('but not by a long detour', () => {
    const { direction } = choose(
      [ball({ center: v(20, 3.9, 0), radius: 4 })],
      v(1, 0, 0),
      { course },
      unit(v(0.5, 0.87, 0)),
    )
    expect(direction.y).toBeLessThan(0)
  })

  it('is passed on the side of the present velocity', () => {
    for (const side of [-1, 1]) {
      const velocity = v(9, 0, 0.3 * side)
      const { direction } = choose([ball({ center: v(40, 0, 0), radius: 4 })], v(1, 0, 0), {
        course,
        velocity,
      })
      expect(Math.sign(direction.z)).toBe(side)
    }
  })

  it('is no obstacle beyond the goal or the horizon', () => {
    const far = [ball({ center: v(40, 0, 0), radius: 4 })]
    expect(choose(far, v(1, 0, 0), {}, v(0, 0, 0), HORIZON, 20).turned).toBe(false)
    expect(choose(far, v(1, 0, 0), {}, v(0, 0, 0), 20).turned).toBe(false)
    expect(choose(far, v(1, 0, 0)).turned).toBe(true)
  })

  it('causes no turn if it contains the goal', () => {
    const { turned, velocity } = choose(
      [ball({ center: v(40, 0, 0), radius: 4 })],
      v(1, 0, 0),
      {},
      v(0, 0, 0),
      HORIZON,
      38,
    )
    expect(turned).toBe(false)
    expect(velocity.x).toBeGreaterThan(0)
    expectVec(v(0, velocity.y, velocity.z), v(0, 0, 0), 1e-9)
  })
})

describe('a ball that moves', () => {
  /** Least distance (m) of a ball that flies along `u` at 10 m/s from the surface of a moving one. */
  function leastGap(u: Vec3Like, { center, radius }: Ball, velocity: Vec3Like): number {
    const relative = minus(times(u, 10), velocity)
    const speed = norm(relative)
    const along = Math.max(0, dotOf(center, relative) / (speed * speed || 1))
    return norm(minus(center, times(relative, along))) - radius
  }

  law(
    'is missed by an agent that keeps the chosen direction, if that is possible',
    [direction(), direction(), number(0, 9), number(0.3, 6), number(3, 40), direction(), number(0, 1)],
    (wanted, motion, speed, radius, gap, off, aside) => {
      const away = radius + HULL + CLEARANCE + gap
      const center = times(unit(plus(wanted, off, (aside * radius) / away)), away)
      const velocity = times(motion, speed)
      const { direction } = choose([ball({ center, radius }, velocity)], wanted)
      expect(leastGap(direction, { center, radius }, velocity)).toBeGreaterThan(HULL)
    },
    80,
  )

  it('is passed in front or behind when it crosses, whichever is nearer', () => {
    // it will have left the path, it is on the path, it will be on the path
    const turns = [30, 20, 10].map((speed) => {
      const { direction } = choose([ball({ center: v(20, 0, -20), radius: 3 }, v(0, 0, speed))], v(1, 0, 0))
      return angleBetween(direction, v(1, 0, 0))
    })
    expect(turns[0]).toBe(0)
    expect(turns[1]).toBe(0)
    expect(turns[2]).toBeGreaterThan(0.1)
  })

  it('is no obstacle when it flies ahead at the same speed', () => {
    expect(choose([ball({ center: v(10, 0, 0), radius: 3 }, v(10, 0, 0))], v(1, 0, 0)).turned).toBe(false)
    expect(choose([ball({ center: v(10, 0, 0), radius: 3 }, v(9, 0, 0))], v(1, 0, 0)).turned).toBe(true)
  })

  it('is left to pass or evaded when it overtakes', () => {
    const { direction } = choose([ball({ center: v(-10, 0, 0), radius: 3 }, v(20, 0, 0))], v(1, 0, 0))
    expect(leastGap(direction, { center: v(-10, 0, 0), radius: 3 }, v(20, 0, 0))).toBeGreaterThan(HULL)
  })
})

describe('other shapes', () => {
  it('a plate is passed by its nearest edge', () => {
    const plate = new Obstacle({ shape: new BoxShape(v(0.5, 10, 4)), at: v(15, 3, 0) })
    const { direction } = choose([plate], v(1, 0, 0))
    // edges at y −7 and 13, at z ±4: the smallest turn is sideways
    expect(Math.abs(direction.z)).toBeGreaterThan(0.2)
    expect(Math.abs(direction.y)).toBeLessThan(0.1)
    const angle = angleBetween(direction, v(1, 0, 0))
    expect(angle).toBeGreaterThan(Math.atan(4.5 / 15.5))
    expect(angle).toBeLessThan(Math.atan(4.75 / 14.4))
  })

  it('an infinite wall is followed', () => {
    const ground = new Obstacle({ shape: new HalfSpaceShape(), at: v(0, -5, 0) })
    const { direction } = choose([ground], unit(v(1, -0.5, 0)))
    expect(direction.y).toBeGreaterThan(-1e-3)
    expect(direction.y).toBeLessThan(0.1)
    expect(Math.abs(direction.z)).toBeLessThan(0.1)
  })

  it('two balls with a gap narrower than the agent are passed as one', () => {
    const balls = [
      { center: v(15, 2.4, 0), radius: 2 },
      { center: v(15, -2.4, 0), radius: 2 },
    ]
    const { direction } = choose(
      balls.map((each) => ball(each)),
      v(1, 0, 0),
    )
    expect(isFree(direction, balls, HULL)).toBe(true)
    expect(Math.abs(direction.z)).toBeGreaterThan(Math.abs(direction.y))
  })

  it('a gap that is wide enough is flown through', () => {
    const balls = [
      { center: v(15, 2.7, 0), radius: 2 },
      { center: v(15, -2.7, 0), radius: 2 },
    ]
    const { turned } = choose(
      balls.map((each) => ball(each)),
      v(1, 0, 0),
    )
    expect(turned).toBe(false)
  })
})

describe('in a dead end', () => {
  it('enclosed on all sides the agent still has a direction, and no speed from which it could not stop', () => {
    const balls = FAN.filter((_, i) => i % 50 === 0).map((u) => ({ center: times(u, 10), radius: 4 }))
    const { velocity } = choose(
      balls.map((each) => ball(each)),
      v(1, 0, 0),
    )
    expect(Number.isFinite(velocity.x + velocity.y + velocity.z)).toBe(true)
    // 100 N, 1 kg, 0.1 s, and less than 6 m
    expect(norm(velocity)).toBeLessThan(Math.sqrt(2 * 100 * 6))
  })
})
