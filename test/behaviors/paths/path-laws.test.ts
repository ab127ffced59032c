import { describe, expect, it } from 'vitest'
import { Path, type PathOptions, type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { evenly, vec, type Random } from '../../../demo/scenarios/vectors.js'
import { distance } from '../../../demo/scenarios/metrics.js'
import { pick } from '../../support/tier.js'

/**
 * Arc length and projection of a path against numerical integration and brute force, on many random paths.
 */

const CURVES = ['polyline', 'spline', 'arcs'] as const
const ENDS = ['open', 'closed', 'ping-pong'] as const

/** Through points of a flat, narrow box, so that most paths cross themselves nearly or exactly. */
function tangled(random: Random, curve: (typeof CURVES)[number], ends: (typeof ENDS)[number]): Path {
  const count = 3 + Math.floor(8 * random())
  const flat = random() < 0.5 ? 0 : 4
  const points: Vec3[] = []
  while (points.length < count) {
    const point = vec(evenly(random, -10, 10), flat * evenly(random, -1, 1), evenly(random, -10, 10))
    if (points.every((other) => distance(other, point) > 1)) points.push(point)
  }
  const options: PathOptions = { points, curve, ends, radius: 3 * random() }
  return new Path(options)
}

const cases = CURVES.flatMap((curve) => ENDS.map((ends) => [curve, ends] as const))

/**
 * Length of a smooth piece by integration: sums of chords, with the error at corners removed (Richardson).
 */
function integrated(path: Path, from: number, to: number): number {
  const chords = (count: number): number => {
    let sum = 0
    let before: Vec3Like = path.pointAt(vec(0, 0, 0), from)
    for (let i = 1; i <= count; i++) {
      const here = path.pointAt(vec(0, 0, 0), from + ((to - from) * i) / count)
      sum += distance(before, here)
      before = here
    }
    return sum
  }
  const [coarse, fine] = [chords(24), chords(48)]
  return fine + (fine - coarse) / 3
}

describe.each(cases)('a %s, %s', (curve, ends) => {
  it('has the arc length of a numerical integration between any two stations', () => {
    const random = seeded(11)
    for (let i = 0; i < pick(20, 60); i++) {
      const path = tangled(random, curve, ends)
      const { lap, line } = path
      const [a, b] = [random() * lap, random() * lap].toSorted((p, q) => p - q) as [number, number]
      // From border to border of its pieces, each of which is smooth.
      const borders = [a, b]
      for (let k = 0; k <= line.count; k++)
        if (line.startOf(k) > a && line.startOf(k) < b) borders.push(line.startOf(k))
      borders.sort((p, q) => p - q)
      let sum = 0
      for (let k = 1; k < borders.length; k++)
        sum += integrated(path, borders[k - 1]!, borders[k]! - 1e-12 * lap)
      expect(Math.abs(sum - (b - a))).toBeLessThan(1e-6 * lap)
    }
  })

  it('projects points as brute force does, also where it crosses itself', () => {
    const random = seeded(12)
    const spot = vec(0, 0, 0)
    for (let i = 0; i < pick(25, 80); i++) {
      const path = tangled(random, curve, ends)
      const gap = (s: number, point: Vec3Like): number => distance(path.pointAt(spot, s), point)
      for (let k = 0; k < 5; k++) {
        // Near the path, where an error is unlikely, and far from it.
        const wide = k === 0 ? 0 : 10
        const station = path.pointAt(vec(0, 0, 0), random() * path.lap)
        const point = vec(
          station.x + wide * (random() - 0.5),
          station.y + wide * (random() - 0.5),
          station.z + wide * (random() - 0.5),
        )
        const count = 400
        let best = 0
        for (let n = 0; n <= count; n++)
          if (gap((n / count) * path.lap, point) < gap((best / count) * path.lap, point)) best = n
        // Then between its neighbors, in thirds.
        let [low, high] = [((best - 1) / count) * path.lap, ((best + 1) / count) * path.lap]
        for (let n = 0; n < 60; n++) {
          const [p, q] = [low + (high - low) / 3, high - (high - low) / 3]
          if (gap(p, point) < gap(q, point)) high = q
          else low = p
        }
        const smallest = gap((low + high) / 2, point)
        expect(gap(path.nearest(point), point)).toBeLessThan(smallest + 1e-6)
      }
    }
  })
})
