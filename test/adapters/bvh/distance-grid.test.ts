import { describe, expect, it } from 'vitest'
import type { Vec3Like } from 'three-steering'
import { DistanceGrid } from '../../../src/extras/three/distance-grid.js'
import { direction, norm, number, plus, v, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'

/** A hollow ball of this radius (m), without thickness. */
const RADIUS = 20
const TRIANGLES = 5000
const SURFACE = [-RADIUS, -RADIUS, -RADIUS, RADIUS, RADIUS, RADIUS]
const toSurface = (place: Vec3Like): number => Math.abs(norm(place) - RADIUS)

/** Least distance (m) to the surface on the path, by steps that it allows. */
function leastOnPath(from: Vec3Like, along: Vec3Like, length: number): number {
  let least = Infinity
  for (let t = 0; t < length; t += 0.01) least = Math.min(least, toSurface(plus(from, along, t)))
  return least
}

describe('a grid of distances', () => {
  const known = new DistanceGrid(SURFACE, TRIANGLES, toSurface)
  law(
    'lets no ball pass that touches the surface',
    [vector(30), direction(), number(0, 3), number(0, 30)],
    (from, along, radius, length) => {
      if (known.isBeyond(from, radius)) expect(toSurface(from)).toBeGreaterThan(radius)
      if (known.isFree(from, along, radius, length))
        expect(leastOnPath(from, along, length)).toBeGreaterThan(radius)
    },
  )

  it('lets balls pass that stay away from the surface, inside and outside of the grid', () => {
    const grid = new DistanceGrid(SURFACE, TRIANGLES, toSurface)
    expect(grid.isFree(v(-8, 0, 0), v(1, 0, 0), 0.5, 16)).toBe(true)
    expect(grid.isFree(v(-22, 40, 0), v(1, 0, 0), 0.5, 4)).toBe(false)
    expect(grid.isFree(v(0, 0, 0), v(1, 0, 0), 0.5, 25)).toBe(false)
  })

  it('measures the distance once for each cell that it meets', () => {
    let measured = 0
    const grid = new DistanceGrid(SURFACE, TRIANGLES, (place) => {
      measured++
      return toSurface(place)
    })
    grid.isFree(v(-8, 0, 0), v(1, 0, 0), 0.5, 16)
    const first = measured
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(8)
    grid.isFree(v(-8, 0, 0), v(1, 0, 0), 0.5, 16)
    expect(measured).toBe(first)
  })

  it.each([1e-150, 1, 1e150])('takes a surface of any size: %s m', (size) => {
    const flat = new DistanceGrid([0, 0, 0, size, 0, size], 2, ({ y }) => Math.abs(y))
    expect(flat.isFree(v(size / 2, size, size / 2), v(0, 1, 0), 0.01 * size, size)).toBeTypeOf('boolean')
  })
})
