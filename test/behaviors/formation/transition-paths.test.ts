import { describe, expect, it } from 'vitest'
import { type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  assign,
  boxPattern,
  changeOver,
  columnPattern,
  echelonPattern,
  linePattern,
  ringPattern,
  spherePattern,
  wallPattern,
  wedgePattern,
  type Pattern,
} from 'three-steering/formation'
import {
  anyTurn,
  minus,
  ORIGIN,
  plus,
  times,
  turned,
  vec,
  type Random,
} from '../../../demo/scenarios/vectors.js'
import type { Member } from '../../../src/blocks/formation/member.js'
import { TransitionPaths } from '../../../src/blocks/formation/transition-paths.js'
import { FULL } from '../../support/tier.js'

const COUNT = 25
const PATTERNS: readonly Pattern[] = [
  linePattern,
  columnPattern,
  wedgePattern,
  echelonPattern,
  boxPattern,
  wallPattern,
  spherePattern,
  ringPattern,
]
/** Radius of a member, m; the spacings below are multiples of it. */
const RADIUS = 1

interface Change {
  readonly from: readonly Vec3Like[]
  readonly to: readonly Vec3Like[]
}

type PathFunction = (out: Vec3, change: Change, i: number, share: number) => void

function mean(places: readonly Vec3Like[]): Vec3 {
  return times(
    places.reduce<Vec3>((sum, place) => plus(sum, place), vec(0, 0, 0)),
    1 / places.length,
  )
}

/** Members in one pattern, in random order, and the slots of another pattern, turned and moved. */
function anyPatterns(random: Random, spacing: number): Change {
  const any = (): Vec3Like[] =>
    PATTERNS[Math.floor(random() * PATTERNS.length)]!(COUNT, spacing).map(({ position }) => position)
  const turn = anyTurn(random)
  const shift = vec(100 * random(), 100 * random(), 100 * random())
  const from = any()
  for (let i = from.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[from[i], from[j]] = [from[j]!, from[i]!]
  }
  return { from, to: any().map((place) => plus(turned(turn, place), shift)) }
}

/** The same change, with the slots in the order of the members to which they are assigned. */
function assigned({ from, to }: Change): Change {
  const members = from.map((position, key) => ({ key, position }))
  const answer = assign(
    members,
    to.map((position) => ({ position })),
  )
  return { from, to: answer.map((slot) => to[slot]!) }
}

const straight: PathFunction = (out, { from, to }, i, share) => {
  const place = plus(from[i]!, minus(to[i]!, from[i]!), share)
  Object.assign(out, { x: place.x, y: place.y, z: place.z })
}

function swelling(change: Change): PathFunction {
  const [a, b] = [mean(change.from), mean(change.to)]
  return (out, { from, to }, i, share) => changeOver(out, from[i]!, to[i]!, a, b, share)
}

/** Least distance of any two members on their paths. */
function closest(change: Change, pathOf: PathFunction): number {
  const places = change.from.map(() => vec(0, 0, 0))
  let least = Infinity
  for (let step = 0; step <= 100; step++) {
    places.forEach((place, i) => pathOf(place, change, i, step / 100))
    for (let i = 0; i < places.length; i++)
      for (let j = 0; j < i; j++) {
        const { x, y, z } = places[i]!
        const other = places[j]!
        least = Math.min(least, Math.hypot(x - other.x, y - other.y, z - other.z))
      }
  }
  return least
}

describe(`a change between random patterns of ${COUNT} members`, () => {
  const runs = FULL ? 1000 : 60

  it(`on straight paths members keep a distance of spacing / √2, so a spacing of 2 √2 radii suffices (${runs} runs, seed 1)`, () => {
    const random = seeded(1)
    for (let i = 0; i < runs; i++) {
      const change = assigned(anyPatterns(random, 2 * Math.SQRT2 * RADIUS))
      expect(closest(change, straight), `run ${i}`).toBeGreaterThanOrEqual(2 * RADIUS * (1 - 1e-9))
    }
  })

  it(`by changeOver members keep a distance of the spacing, so a spacing of two radii suffices (${runs} runs, seed 2)`, () => {
    const random = seeded(2)
    for (let i = 0; i < runs; i++) {
      const change = assigned(anyPatterns(random, 2 * RADIUS))
      expect(closest(change, swelling(change)), `run ${i}`).toBeGreaterThanOrEqual(2 * RADIUS * (1 - 1e-9))
    }
  })
})

it('a place on a path moves by the derivatives that are given with it, of any kind of path', () => {
  const ring = [0, 1, 2, 3, 4].map((i) => vec(4 * Math.cos(1.3 * i), i % 2, 4 * Math.sin(1.3 * i)))
  const member = (from: Vec3Like, to: Vec3Like) => ({ from, to, radius: 1, joining: false }) as Member
  const leader = member(vec(0, 0, 0), vec(0, 0, 0))
  const h = 0.02
  for (const [turn, led] of [
    [0, false],
    [1, false],
    [2, true],
  ] as const) {
    const members = ring.map((from, i) => member(from, ring[(i + turn) % 5]!))
    const paths = new TransitionPaths()
    paths.choose(led ? [...members, leader] : members, led ? leader : null)
    for (const each of members)
      for (const share of [0.2, 0.5, 0.7]) {
        const [place, slope, curvature] = [vec(0, 0, 0), vec(0, 0, 0), vec(0, 0, 0)]
        paths.derivativesAt(place, slope, curvature, each, share)
        const expected = plus(plus(place, slope, h), curvature, (h * h) / 2)
        const { x, y, z } = minus(paths.pointAt(vec(0, 0, 0), each, share + h), expected)
        expect(Math.hypot(x, y, z)).toBeLessThan(1e-3)
      }
  }
})

describe('changeOver', () => {
  const from = vec(1, 2, 3)
  const to = vec(-4, 6, 2)
  const a = vec(0, 1, 0)
  const b = vec(9, 0, -3)

  it('starts at `from` and ends at `to`, also for shares outside of 0 … 1', () => {
    for (const [share, goal] of [
      [0, from],
      [-3, from],
      [NaN, from],
      [1, to],
      [Infinity, to],
    ] as const) {
      const { x, y, z } = minus(changeOver(vec(0, 0, 0), from, to, a, b, share), goal)
      expect(Math.hypot(x, y, z)).toBeLessThan(1e-12)
    }
  })

  it('moves the centre in a straight line, and gives the derivative of the place as `rate`', () => {
    const rate = vec(0, 0, 0)
    for (const share of [0, 0.2, 0.5, 0.9]) {
      const middle = minus(changeOver(vec(0, 0, 0), a, b, a, b, share), plus(a, minus(b, a), share))
      expect(Math.hypot(middle.x, middle.y, middle.z)).toBeLessThan(1e-12)
      const h = 1e-6
      const now = changeOver(vec(0, 0, 0), from, to, a, b, share + h / 2, rate)
      const next = changeOver(vec(0, 0, 0), from, to, a, b, share + 1.5 * h)
      const { x, y, z } = plus(times(minus(next, now), 1 / h), rate, -1)
      expect(Math.hypot(x, y, z)).toBeLessThan(1e-4)
    }
  })

  it('does not depend on the origin, and `out` may be an input', () => {
    const shift = vec(5, -70, 20)
    const here = changeOver(vec(0, 0, 0), from, to, a, b, 0.3)
    const there = changeOver(
      vec(0, 0, 0),
      plus(from, shift),
      plus(to, shift),
      plus(a, shift),
      plus(b, shift),
      0.3,
    )
    expect(Math.hypot(...Object.values(minus(minus(there, here), shift)))).toBeLessThan(1e-12)
    const own = { ...from }
    changeOver(own, own, to, a, b, 0.3)
    expect(own).toEqual({ ...here })
  })

  it('does not move a member at the centre', () => {
    for (const share of [0, 0.3, 0.5, 1]) {
      const { x, y, z } = minus(changeOver(vec(0, 0, 0), a, a, a, a, share), a)
      expect(Math.hypot(x, y, z)).toBeLessThan(1e-12)
    }
  })

  it('moves members away from the centre by a factor of √2 at most', () => {
    for (let share = 0; share <= 1; share += 0.01) {
      const { x, y, z } = changeOver(vec(0, 0, 0), from, from, ORIGIN, ORIGIN, share)
      expect(Math.hypot(x, y, z) / Math.hypot(1, 2, 3)).toBeLessThanOrEqual(Math.SQRT2 + 1e-12)
    }
  })
})
