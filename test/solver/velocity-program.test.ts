import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vec3, Vec3Like } from 'three-steering'
import { VelocityProgram } from '../../src/core/solver/velocity-program.js'
import { attributeChange } from '../../src/extras/explain/explain-constraints.js'
import { seeded } from '../../src/core/math/random.js'
import {
  crossOf,
  direction,
  dotOf,
  expectFinite,
  expectVec,
  minus,
  norm,
  number,
  plus,
  times,
  unit,
  v,
  vector,
} from '../support/geometry.js'
import { law } from '../support/law.js'

interface Plane {
  readonly normal: Vec3Like
  readonly least: number
}

interface Task {
  readonly planes: readonly Plane[]
  readonly wanted: Vec3Like
  readonly center: Vec3Like
  readonly reach: number
}

interface Answer {
  readonly velocity: Vec3
  readonly limited: boolean
  readonly violation: number
}

const program = new VelocityProgram()

function solve({ planes, wanted, center, reach }: Task): Answer {
  program.clear()
  for (const { normal, least } of planes) program.add(normal, least)
  const velocity = v(NaN, NaN, NaN)
  const limited = program.solve(velocity, wanted, center, reach)
  return { velocity, limited, violation: program.violation }
}

/** Largest violation (m/s) of the half-spaces by a velocity. */
function violationOf(velocity: Vec3Like, planes: readonly Plane[]): number {
  return Math.max(0, ...planes.map(({ normal, least }) => least - dotOf(normal, velocity)))
}

/** Subsets of up to three of the numbers below `n`. */
function* subsets(n: number): Generator<number[]> {
  yield []
  for (let i = 0; i < n; i++) {
    yield [i]
    for (let j = i + 1; j < n; j++) {
      yield [i, j]
      for (let k = j + 1; k < n; k++) yield [i, j, k]
    }
  }
}

/** The point of a plane, line or corner nearest to `to`; null if the planes are (nearly) parallel. */
function onto(active: readonly Plane[], to: Vec3Like): Vec3 | null {
  const axes: Vec3[] = []
  let point = v(to.x, to.y, to.z)
  for (const { normal, least } of active) {
    // the component of this plane's normal perpendicular to those before
    let own = v(normal.x, normal.y, normal.z)
    for (const axis of axes) own = plus(own, axis, -dotOf(own, axis))
    const size = norm(own)
    if (size < 1e-5) return null
    own = times(own, 1 / size)
    point = plus(point, own, (least - dotOf(normal, point)) / size)
    axes.push(own)
  }
  return point
}

/**
 * Nearest velocity by brute force: tries every set of planes, with and without the ball, that may limit it.
 * Null if there is none.
 */
function oracle({ planes, wanted, center, reach }: Task, slack = 0, tolerance = 1e-9): Vec3 | null {
  const eased = planes.map(({ normal, least }) => ({ normal, least: least - slack }))
  let best: Vec3 | null = null
  const consider = (point: Vec3 | null): void => {
    if (point === null || norm(minus(point, center)) > reach * (1 + 1e-12) + 1e-12) return
    if (violationOf(point, eased) > tolerance) return
    if (best === null || norm(minus(point, wanted)) < norm(minus(best, wanted))) best = point
  }
  for (const set of subsets(planes.length)) {
    const active = set.map((i) => eased[i]!)
    const point = onto(active, wanted)
    const middle = onto(active, center)
    if (point === null || middle === null) continue
    consider(point)
    const half = reach * reach - norm(minus(middle, center)) ** 2
    if (half < 0) continue
    const off = minus(point, middle)
    const size = norm(off)
    // on the ball as well; for a line both ends
    if (size > 0) {
      consider(plus(middle, off, Math.sqrt(half) / size))
      consider(plus(middle, off, -Math.sqrt(half) / size))
    } else if (active.length === 2) {
      const along = unit(crossOf(active[0]!.normal, active[1]!.normal))
      consider(plus(middle, along, Math.sqrt(half)))
      consider(plus(middle, along, -Math.sqrt(half)))
    } else consider(middle)
  }
  return best
}

/** The least amount by which all half-spaces must give way, by bisection. */
function leastViolation(task: Task): number {
  let low = 0
  let high = violationOf(task.center, task.planes)
  for (let i = 0; i < 25; i++) {
    const middle = (low + high) / 2
    if (oracle(task, middle) === null) low = middle
    else high = middle
  }
  return high
}

const plane = (size: number): fc.Arbitrary<Plane> =>
  fc.record({ normal: direction(), least: number(-size, size) })

const anyTask: fc.Arbitrary<Task> = fc.record({
  planes: fc.array(plane(6), { minLength: 1, maxLength: 6 }),
  wanted: vector(12),
  center: vector(6),
  reach: number(0.1, 8),
})

/** Half-spaces that leave some velocity of the ball free. */
const feasibleTask: fc.Arbitrary<Task> = fc
  .tuple(anyTask, direction(), number(0, 1), fc.array(number(0, 3), { minLength: 8, maxLength: 8 }))
  .map(([task, towards, share, spare]) => {
    const free = plus(task.center, towards, share * task.reach)
    const planes = task.planes.map(({ normal }, i) => ({ normal, least: dotOf(normal, free) - spare[i]! }))
    const { wanted, center, reach } = task
    return { planes, wanted, center, reach }
  })

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = seeded(seed)
  return list
    .map((each) => ({ each, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ each }) => each)
}

/** Almost parallel normals have corners arbitrarily far away: they have a test of their own below. */
const distinct = ({ planes }: Task): boolean =>
  planes.every(({ normal: a }, i) =>
    planes.every(({ normal: b }, j) => i >= j || norm(crossOf(a, b)) > 1e-3 || norm(minus(a, b)) < 1e-12),
  )

describe('the nearest velocity that all half-spaces and the ball allow', () => {
  law(
    'is that of brute force',
    [feasibleTask.filter(distinct)],
    (task) => {
      const { velocity, violation } = solve(task)
      const best = oracle(task, 0, 1e-8)!
      expect(best).not.toBeNull()
      // half-spaces that touch in one point only: found or not depending on rounding, and then by bisection
      expect(violation).toBeLessThan(1e-6)
      expect(violationOf(velocity, task.planes)).toBeLessThan(violation + 1e-8)
      expect(norm(minus(velocity, task.wanted))).toBeLessThan(norm(minus(best, task.wanted)) + 1e-6)
      if (violation === 0) expectVec(velocity, best, 1e-5)
    },
    120,
  )

  law(
    'and none of thousands of velocities is nearer',
    [feasibleTask, fc.nat()],
    (task, seed) => {
      const { velocity } = solve(task)
      const off = norm(minus(velocity, task.wanted))
      const random = seeded(seed)
      for (let i = 0; i < 2000; i++) {
        const step = v(2 * random() - 1, 2 * random() - 1, 2 * random() - 1)
        // half of them nearby
        const other =
          i % 2 === 0
            ? plus(task.center, step, task.reach)
            : plus(velocity, step, (0.3 * task.reach * i) / 2000)
        if (norm(minus(other, task.center)) > task.reach || violationOf(other, task.planes) > 0) continue
        expect(norm(minus(other, task.wanted))).toBeGreaterThan(off - 1e-6)
      }
    },
    40,
  )

  law('is never outside of the ball', [anyTask], ({ planes, wanted, center, reach }) => {
    const { velocity } = solve({ planes, wanted, center, reach })
    expect(norm(minus(velocity, center))).toBeLessThanOrEqual(reach * (1 + 1e-9))
  })

  law('is reported as limited exactly if half-spaces, and not only the ball, limit it', [anyTask], (task) => {
    const free = solve({ ...task, planes: [] })
    expect(free.limited).toBe(false)
    const worst = violationOf(free.velocity, task.planes)
    const { limited, velocity } = solve(task)
    if (worst > 1e-8) expect(limited).toBe(true)
    if (worst === 0) {
      expect(limited).toBe(false)
      expectVec(velocity, free.velocity, 0)
    }
  })

  law(
    'does not depend on the order of the half-spaces',
    [feasibleTask.filter(distinct), fc.nat()],
    (task, seed) => {
      const a = solve(task)
      const b = solve({ ...task, planes: shuffled(task.planes, seed) })
      if (a.violation > 0 || b.violation > 0) return
      expectVec(a.velocity, b.velocity, 1e-6)
    },
  )

  law('does not change if a half-space is added twice', [feasibleTask.filter(distinct)], (task) => {
    const a = solve(task)
    const b = solve({ ...task, planes: task.planes.flatMap((each) => [each, each]) })
    if (a.violation > 0) return
    expectVec(a.velocity, b.velocity, 1e-9)
  })
})

describe('if there is none, all half-spaces give way by the same, least amount, up to a tolerance', () => {
  const infeasible = anyTask.filter((task) => oracle(task, 1e-6) === null)

  /** Scale of the demands, and of the ball. */
  const HAIR = 2e-3
  const hairOf = ({ planes, center, reach }: Task): number => HAIR * (violationOf(center, planes) + reach)

  law(
    'which is that of brute force',
    [infeasible.filter(distinct)],
    (task) => {
      const { velocity, limited, violation } = solve(task)
      const least = leastViolation(task)
      expect(limited).toBe(true)
      expect(Math.abs(violation - least)).toBeLessThan(hairOf(task))
      expect(violationOf(velocity, task.planes)).toBeLessThan(violation + hairOf(task))
    },
    40,
  )

  law(
    'whatever their order',
    [infeasible.filter(distinct), fc.nat()],
    (task, seed) => {
      const a = solve(task)
      const b = solve({ ...task, planes: shuffled(task.planes, seed) })
      expect(Math.abs(a.violation - b.violation)).toBeLessThan(hairOf(task))
      expectVec(a.velocity, b.velocity, 1e-6)
    },
    50,
  )

  law(
    'so that a small change of the input is a small change of the result',
    [infeasible.filter(distinct), vector(1e-9)],
    (task, push) => {
      const a = solve(task)
      const b = solve({ ...task, wanted: plus(task.wanted, push), center: plus(task.center, push) })
      expectVec(a.velocity, b.velocity, 1e-6)
    },
    50,
  )

  it('two closing walls: the middle between them', () => {
    const { velocity, violation } = solve({
      planes: [
        { normal: v(1, 0, 0), least: 2 },
        { normal: v(-1, 0, 0), least: 1 },
      ],
      wanted: v(5, 3, -1),
      center: v(0, 0, 0),
      reach: 50,
    })
    expectVec(velocity, v(0.5, 3, -1), 0.05)
    expect(Math.abs(violation - 1.5)).toBeLessThan(0.01)
  })

  it('three closing walls: the point equally near to all', () => {
    const planes = [0, 1, 2].map((i) => {
      const angle = (2 * Math.PI * i) / 3
      return { normal: v(Math.cos(angle), 0, Math.sin(angle)), least: 1 }
    })
    const { velocity, violation } = solve({ planes, wanted: v(4, 2, 1), center: v(0, 0, 0), reach: 50 })
    expectVec(velocity, v(0, 2, 0), 0.05)
    expect(Math.abs(violation - 1)).toBeLessThan(0.01)
  })

  it('a wall faster than the agent: the agent flees as fast as it can', () => {
    const { velocity, violation } = solve({
      planes: [{ normal: v(0, 1, 0), least: 9 }],
      wanted: v(5, 0, 0),
      center: v(1, 0, 0),
      reach: 4,
    })
    expect(norm(minus(velocity, v(1, 0, 0)))).toBeLessThanOrEqual(4 * (1 + 1e-9))
    expect(velocity.y).toBeGreaterThan(3.95)
    expect(Math.abs(violation - 5)).toBeLessThan(0.05)
  })
})

describe('degenerate half-spaces', () => {
  const ball = { wanted: v(3, -2, 1), center: v(0, 0, 0), reach: 20 }

  it('of parallel half-spaces the strictest counts', () => {
    for (const leasts of [
      [1, 2, 3],
      [3, 2, 1],
      [2, 3, 1],
    ]) {
      const planes = leasts.map((least) => ({ normal: v(0, 1, 0), least }))
      expectVec(solve({ ...ball, planes }).velocity, v(3, 3, 1), 1e-9)
    }
  })

  it('opposite ones leave a slab, or a plane', () => {
    for (const gap of [2, 0.1, 0]) {
      const planes = [
        { normal: v(0, 1, 0), least: 1 - gap },
        { normal: v(0, -1, 0), least: -1 },
      ]
      const { velocity, violation } = solve({ ...ball, planes })
      expect(violation).toBeLessThan(1e-8)
      expectVec(velocity, v(3, 1 - gap, 1), 1e-8)
    }
  })

  law(
    'almost parallel ones at any angle: as near as brute force, or nearer, within a millimetre per second',
    [direction(), direction(), number(-9, -1), number(-3, 3), number(-3, 3), vector(10)],
    (normal, other, power, a, b, wanted) => {
      const bent = unit(plus(normal, other, 10 ** power))
      const task: Task = {
        planes: [
          { normal, least: a },
          { normal: bent, least: b },
        ],
        wanted,
        center: v(0, 0, 0),
        reach: 8,
      }
      const { velocity, violation } = solve(task)
      expect(norm(velocity)).toBeLessThanOrEqual(8 * (1 + 1e-9))
      expect(violation).toBeLessThan(1e-6)
      expect(violationOf(velocity, task.planes)).toBeLessThan(1e-3)
      const best = oracle(task, 0, 1e-9)
      if (best !== null) expect(norm(minus(velocity, wanted))).toBeLessThan(norm(minus(best, wanted)) + 1e-3)
    },
    200,
  )

  it('a hundred of them, some equal', () => {
    const random = seeded(5)
    const planes = Array.from({ length: 100 }, (_, i) => ({
      normal: unit(v(random() - 0.5, random() - 0.5, random() - 0.5)),
      least: -1 - (i % 3),
    }))
    const { velocity, violation, limited } = solve({ ...ball, planes: [...planes, ...planes] })
    expect(limited).toBe(true)
    expect(violation).toBe(0)
    expect(violationOf(velocity, planes)).toBeLessThan(1e-8)
  })

  it('no half-spaces', () => {
    expect(solve({ ...ball, planes: [] })).toEqual({ velocity: ball.wanted, limited: false, violation: 0 })
  })
})

describe('the ball', () => {
  it('of radius 0 is its centre, whatever is demanded', () => {
    const center = v(1, 2, 3)
    for (const planes of [[], [{ normal: v(1, 0, 0), least: 5 }], [{ normal: v(1, 0, 0), least: 0 }]]) {
      const { velocity } = solve({ planes, wanted: v(9, 0, 0), center, reach: 0 })
      expectVec(velocity, center, 1e-9)
    }
  })

  it('of infinite radius is no limit', () => {
    const planes = [
      { normal: v(1, 0, 0), least: 5 },
      { normal: v(0, 1, 0), least: 7 },
      { normal: v(0, 0, 1), least: 9 },
    ]
    const task = { planes, wanted: v(0, 0, 0), center: v(-3, 0, 0), reach: Infinity }
    expectVec(solve(task).velocity, v(5, 7, 9), 1e-9)
  })

  law(
    'of any size, anywhere, with any demands: the result is finite, and inside it',
    [
      fc.array(
        fc.record({
          normal: direction(),
          least: fc.constantFrom(0, -1e-300, 1, -1e12, 1e12, 1e100, -1e100),
        }),
        { maxLength: 6 },
      ),
      fc.constantFrom(0, 1e-300, 1e-9, 1, 1e9, 1e100),
      fc.constantFrom(0, 1e-300, 1, 1e12, 1e100),
      fc.constantFrom(0, 1e-300, 1, 1e12, 1e100),
    ],
    (planes, reach, wanted, center) => {
      const task = { planes, wanted: v(wanted, -wanted, wanted), center: v(0, center, 0), reach }
      const { velocity } = solve(task)
      expectFinite(velocity)
      const size = Math.max(reach, center)
      expect(norm(minus(velocity, task.center))).toBeLessThanOrEqual(reach + 1e-9 * size)
    },
    200,
  )
})

describe('half-spaces that yield', () => {
  interface Mixed {
    readonly firm: readonly Plane[]
    readonly soft: readonly Plane[]
    /** The order in which half-spaces are added. */
    readonly seed: number
  }
  type MixedTask = Omit<Task, 'planes'> & Mixed

  function solveMixed({ firm, soft, seed, wanted, center, reach }: MixedTask): Answer {
    const marked = [
      ...firm.map((plane) => ({ plane, yields: false })),
      ...soft.map((plane) => ({ plane, yields: true })),
    ]
    program.clear()
    for (const { plane, yields } of shuffled(marked, seed)) program.add(plane.normal, plane.least, yields)
    const velocity = v(NaN, NaN, NaN)
    const limited = program.solve(velocity, wanted, center, reach)
    return { velocity, limited, violation: program.violation }
  }

  const eased = (planes: readonly Plane[], slack: number): Plane[] =>
    planes.map(({ normal, least }) => ({ normal, least: least - slack }))

  /** Splits the half-spaces of a task randomly into two groups. */
  const split = ({ planes, wanted, center, reach }: Task, seed: number): MixedTask => {
    const random = seeded(seed)
    const isSoft = planes.map(() => random() < 0.6)
    const soft = planes.filter((_, i) => isSoft[i])
    return { firm: planes.filter((_, i) => !isSoft[i]), soft, seed, wanted, center, reach }
  }

  /**
   * Axes, angles of 45° and repetitions of both, small whole numbers: all cases that can be parallel,
   * opposite or touching.
   */
  const degenerate: fc.Arbitrary<Task> = fc.record({
    planes: fc.array(
      fc.record({
        normal: fc.constantFrom(
          ...[v(1, 0, 0), v(0, 1, 0), v(0, 0, 1), v(1, 1, 0), v(0, 1, -1), v(1, 1, 1)].flatMap((n) => [
            unit(n),
            unit(times(n, -1)),
          ]),
        ),
        least: fc.constantFrom(-2, -1, 0, 1, 2, 3),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    wanted: fc.constantFrom(v(0, 0, 0), v(1, 0, 0), v(3, -2, 1), v(0, 9, 0)),
    center: fc.constantFrom(v(0, 0, 0), v(1, 0, 0), v(0, -2, 2), v(60, 0, -80)),
    reach: fc.constantFrom(0, 1, 2, 5, 100),
  })

  const seeds = fc.integer({ min: 0, max: 1e6 })

  law(
    'are like any other if all can be met, in any order',
    [feasibleTask.filter(distinct), seeds],
    (task, seed) => {
      const plain = solve(task)
      const mixed = solveMixed(split(task, seed))
      expect(mixed.limited).toBe(plain.limited)
      if (plain.violation > 0 || mixed.violation > 0) return
      expectVec(mixed.velocity, plain.velocity, 1e-6)
    },
    400,
  )

  /**
   * By brute force: the firm half-spaces hold; the others are violated as little as possible; of the
   * remaining velocities the nearest.
   */
  function expectBest(task: MixedTask): void {
    const { firm, soft, wanted, center, reach } = task
    const { velocity, violation } = solveMixed(task)
    const size = violationOf(center, [...firm, ...soft]) + reach
    expect(norm(minus(velocity, center))).toBeLessThanOrEqual(reach * (1 + 1e-9) + 1e-9)
    const alone = solve({ planes: firm, wanted, center, reach })
    if (alone.violation === 0) expect(violationOf(velocity, firm)).toBeLessThan(1e-8)
    else expect(violationOf(velocity, firm)).toBeLessThan(alone.violation * (1 + 2e-5) + 1e-8)
    const worst = violationOf(velocity, soft)
    expect(worst).toBeLessThan(violation * (1 + 2e-5) + 1e-8)
    // the firm half-spaces relaxed by the reported amount
    const first = eased(firm, alone.violation + 1e-5 * Math.min(reach, alone.violation))
    const free = (slack: number): Vec3 | null =>
      oracle({ planes: [...first, ...eased(soft, slack)], wanted, center, reach }, 0, 1e-8)
    const hair = 1e-4 * size + 1e-7
    if (worst > hair) expect(free(worst - hair)).toBeNull()
    const best = free(worst)
    if (best === null) return
    expect(norm(minus(velocity, wanted))).toBeLessThan(norm(minus(best, wanted)) + 1e-4 * size + 1e-6)
  }

  law(
    'give way if not all can be met, by as little as with brute force; the firm ones do not',
    [anyTask.filter(distinct), seeds],
    (task, seed) => expectBest(split(task, seed)),
    600,
  )

  law('also in degenerate cases', [degenerate, seeds], (task, seed) => expectBest(split(task, seed)), 1500)

  law(
    'leave the firm ones exactly met if these can be met, whatever the others demand',
    [feasibleTask.filter(distinct), fc.array(plane(30), { minLength: 1, maxLength: 6 }), seeds],
    ({ planes, wanted, center, reach }, soft, seed) => {
      const task = { firm: planes, soft, seed, wanted, center, reach }
      const { velocity } = solveMixed(task)
      // a corner of nearly parallel planes is accurate to 1e-9 divided by the sine of their angle, 1e-3
      expect(violationOf(velocity, planes)).toBeLessThan(1e-6)
      // if a velocity is free
      if (oracle({ planes, wanted, center, reach }, -1e-3) !== null)
        expect(violationOf(velocity, planes)).toBeLessThan(3e-9)
    },
    500,
  )

  it('hand-computed: a wall and an agent that pushes against it', () => {
    const task = { wanted: v(0, 0, 4), center: v(0, 0, 0), reach: 20, seed: 3 }
    const wall = { normal: v(0, 1, 0), least: 0 }
    const crowd = [
      { normal: v(0, -1, 0), least: 2 },
      { normal: v(1, 0, 0), least: 1 },
      { normal: v(-1, 0, 0), least: 1 },
    ]
    // 2 m/s into the wall are not allowed; the two others could give way by only 1 m/s, and give way by 2 m/s
    const { velocity, violation } = solveMixed({ ...task, firm: [wall], soft: crowd })
    expect(velocity.y).toBeGreaterThanOrEqual(-1e-9)
    expect(Math.abs(violation - 2)).toBeLessThan(1e-4)
    expectVec(velocity, v(0, 0, 4), 1e-3)
  })

  it('that just touch the ball, or just do not: the point of the ball nearest to them', () => {
    const random = seeded(1)
    const any = (size: number): Vec3 => times(v(random() - 0.5, random() - 0.5, random() - 0.5), size)
    for (let n = 0; n < 2000; n++) {
      const task = { center: any(8), wanted: any(20), reach: 5 * random(), seed: 1 }
      const normal = unit(any(1))
      const over = [0, 1e-10, 1e-9, 1e-8][n % 4]!
      const wall = { normal, least: dotOf(normal, task.center) + task.reach * (1 + over) }
      const { velocity } = solveMixed({
        ...task,
        firm: n % 8 < 4 ? [wall] : [],
        soft: n % 8 < 4 ? [] : [wall],
      })
      expect(violationOf(velocity, [wall])).toBeLessThan(2e-3 * task.reach)
    }
  })

  it('give way alone, while firm ones contradict each other', () => {
    const firm = [
      { normal: v(1, 0, 0), least: 2 },
      { normal: v(-1, 0, 0), least: 1 },
    ]
    const soft = [{ normal: v(1, 0, 0), least: 8 }]
    const { velocity } = solveMixed({
      firm,
      soft,
      seed: 1,
      wanted: v(9, 1, 0),
      center: v(0, 0, 0),
      reach: 50,
    })
    // the middle between the firm half-spaces
    expectVec(velocity, v(0.5, 1, 0), 1e-2)
  })

  it('hundreds of them, alternating with firm ones', () => {
    program.clear()
    const random = seeded(6)
    const firm: Plane[] = []
    for (let i = 0; i < 400; i++) {
      const normal = unit(v(random() - 0.5, random() - 0.5, random() - 0.5))
      const least = i % 2 === 0 ? -1 : 1
      if (least < 0) firm.push({ normal, least })
      program.add(normal, least, i % 2 === 1)
    }
    expect(program.count).toBe(400)
    const velocity = v(3, -2, 1)
    expect(program.solve(velocity, velocity, v(0, 0, 0), 20)).toBe(true)
    expect(program.violation).toBeGreaterThan(0.9)
    expect(violationOf(velocity, firm)).toBeLessThan(1e-8)
    program.clear()
    expect(program.count).toBe(0)
  })
})

describe('a program', () => {
  it('may write into the wanted velocity', () => {
    program.clear()
    program.add(v(0, 1, 0), 2)
    const velocity = v(3, 0, 0)
    expect(program.solve(velocity, velocity, v(0, 0, 0), 10)).toBe(true)
    expectVec(velocity, v(3, 2, 0), 1e-12)
  })

  it('has no demands after being cleared, and no violation after being solved again', () => {
    const hard = [
      { normal: v(1, 0, 0), least: 2 },
      { normal: v(-1, 0, 0), least: 2 },
    ]
    expect(
      solve({ planes: hard, wanted: v(0, 0, 0), center: v(0, 0, 0), reach: 5 }).violation,
    ).toBeGreaterThan(1)
    const after = solve({ planes: hard.slice(1), wanted: v(1, 0, 0), center: v(0, 0, 0), reach: 5 })
    expectVec(after.velocity, v(-2, 0, 0), 1e-12)
    expect(after.violation).toBe(0)
  })

  it('is deterministic', () => {
    fc.assert(
      fc.property(anyTask, (task) => {
        expect(solve(task)).toEqual(solve(task))
      }),
      { seed: 3, numRuns: 100 },
    )
  })
})

describe('the attribution of changes', () => {
  const moved = (
    planes: readonly (readonly [Vec3Like, number])[],
    wanted: Vec3Like,
    reach: number,
  ): Vec3[] => {
    const program = new VelocityProgram()
    for (const [i, [normal, least]] of planes.entries()) {
      program.owner = i
      program.add(normal, least)
    }
    const out = v(0, 0, 0)
    program.solve(out, wanted, v(0, 0, 0), reach)
    const moves = new Float64Array(3 * planes.length)
    attributeChange(program, moves, wanted, out)
    return planes.map((_, i) => v(moves[3 * i]!, moves[3 * i + 1]!, moves[3 * i + 2]!))
  }

  it('goes to the half-space that pushes; a change by the ball alone goes to none, whatever else it touches', () => {
    // a least speed that is met exactly, by an agent that would be faster if its force allowed it
    const [one, other] = moved(
      [
        [v(1, 0, 0), 1],
        [v(0, 1, 0), 0],
      ],
      v(10, 0, 0),
      1,
    )
    expectVec(one!, v(0, 0, 0), 1e-9)
    expectVec(other!, v(0, 0, 0), 1e-9)
  })

  it('gives each owner a change along its own normal, and the sum is the whole change', () => {
    const [one, other, idle] = moved(
      [
        [v(-1, 0, 0), -2],
        [v(0, -1, 0), -1],
        [v(0, 0, 1), -1],
      ],
      v(6, 4, 0),
      100,
    )
    expectVec(one!, v(-4, 0, 0), 1e-6)
    expectVec(other!, v(0, -3, 0), 1e-6)
    expectVec(idle!, v(0, 0, 0), 1e-9)
  })
})
