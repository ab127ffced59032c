import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PathTube, type Shape, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { direction, dotOf, expectFinite, minus, norm, plus, times, v } from '../support/geometry.js'
import { law } from '../support/law.js'
import { all, bounded, spot, type Known } from './kit.js'

function measure(shape: Shape, point: Vec3Like): { distance: number; normal: Vec3Like } {
  const normal = v(NaN, NaN, NaN)
  const distance = shape.distance(point, normal)
  return { distance, normal }
}

/** A point (m): near a small shape, and near a huge one. */
function place({ size }: Known, at: Vec3Like): Vec3Like {
  return times(at, size)
}

describe.each(Object.keys(all))('the distance to a %s', (name) => {
  const shapes = all[name]!

  law('has the sign of the side', [shapes, spot], (known, at) => {
    const point = place(known, at)
    const { distance } = measure(known.shape, point)
    if (Math.abs(distance) > 1e-9 * known.size) expect(distance < 0).toBe(known.inside(point))
  })

  law('is measured along a unit normal to a point of the surface', [shapes, spot], (known, at) => {
    // in bends tighter than its radius, a tube gives a lower bound
    if (known.shape instanceof PathTube) return
    const point = place(known, at)
    const { distance, normal } = measure(known.shape, point)
    expect(Math.abs(norm(normal) - 1)).toBeLessThan(1e-12)
    const foot = plus(point, normal, -distance)
    const slight = 1e-6 * known.size
    expect(Math.abs(measure(known.shape, foot).distance)).toBeLessThan(1e-9 * known.size)
    // one side of the nearest point is solid, the other is not
    const sides = new Set<boolean>()
    const random = seeded(3)
    for (let i = 0; i < 20_000 && sides.size < 2; i++)
      sides.add(known.inside(plus(foot, v(random() - 0.5, random() - 0.5, random() - 0.5), slight)))
    expect(sides.size).toBe(2)
  })

  law('is at most that to any point of the surface', [shapes, spot], (known, at) => {
    const point = place(known, at)
    const { distance } = measure(known.shape, point)
    const random = seeded(7)
    for (let i = 0; i < 100; i++) {
      const surface = known.surface(random(), random(), random())
      expect(Math.abs(distance)).toBeLessThanOrEqual(norm(minus(surface, point)) + 1e-9 * known.size)
    }
  })

  law('is 0 on the surface', [shapes, fc.nat()], (known, seed) => {
    const random = seeded(seed)
    const { distance } = measure(known.shape, known.surface(random(), random(), random()))
    expect(Math.abs(distance)).toBeLessThan(1e-12 * known.size + 1e-12)
  })

  law('changes by at most the distance moved', [shapes, spot, spot], (known, at, to) => {
    const [a, b] = [place(known, at), place(known, to)]
    const change = measure(known.shape, a).distance - measure(known.shape, b).distance
    expect(Math.abs(change)).toBeLessThanOrEqual(norm(minus(a, b)) + 1e-9 * known.size)
  })

  law('changes along its normal by the distance moved', [shapes, spot, direction()], (known, at, way) => {
    const point = place(known, at)
    const { distance, normal } = measure(known.shape, point)
    const h = 1e-6 * known.size
    const ahead = measure(known.shape, plus(point, way, h)).distance
    const back = measure(known.shape, plus(point, way, -h)).distance
    const slope = dotOf(normal, way)
    // at an edge the normal is that of one of its sides
    if (Math.abs(ahead + back - 2 * distance) > 1e-3 * h) {
      const [low, high] = [(distance - back) / h, (ahead - distance) / h].sort((a, b) => a - b) as [
        number,
        number,
      ]
      expect(slope).toBeGreaterThan(low - 1e-3)
      expect(slope).toBeLessThan(high + 1e-3)
    } else expect(Math.abs((ahead - back) / (2 * h) - slope)).toBeLessThan(1e-3)
  })

  law('is finite everywhere, and deterministic', [shapes, direction()], (known, way) => {
    for (const far of [0, 1e-300, 1e-12, 1, 1e9, 1e150]) {
      const one = measure(known.shape, times(way, far))
      expectFinite(one.normal)
      expect(Number.isFinite(one.distance)).toBe(true)
      expect(Math.abs(norm(one.normal) - 1)).toBeLessThan(1e-9)
      expect(measure(known.shape, times(way, far))).toEqual(one)
    }
  })
})

describe.each(Object.keys(bounded))('the support of a %s', (name) => {
  law('is the farthest point of its surface', [bounded[name]!, direction()], (known, way) => {
    const reach = known.shape.support(way)
    const random = seeded(11)
    let most = -Infinity
    for (let i = 0; i < 500; i++)
      most = Math.max(most, dotOf(known.surface(random(), random(), random()), way))
    expect(most).toBeLessThanOrEqual(reach + 1e-9 * known.size)
    // a plane just inside of it still cuts the shape: the distance of its point is that of the plane
    const far = 1e6 * known.size
    const { distance } = measure(known.shape, times(way, far))
    expect(far - reach).toBeLessThanOrEqual(distance + 1e-9 * far)
    expect(distance).toBeLessThanOrEqual(far - reach + known.size * 1e-5 + known.size ** 2 / far + 1e-9 * far)
  })
})

it('the support of a hollow shape and of a half-space is infinite', () => {
  for (const name of ['half-space', 'hollow box'])
    for (const { shape } of fc.sample(all[name]!, 5)) expect(shape.support(v(0, 1, 0))).toBe(Infinity)
})
