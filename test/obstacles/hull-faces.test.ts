import { expect, it } from 'vitest'
import { convexHull } from 'three-steering'
import { dotOf, norm, v } from '../support/geometry.js'

it('the face normals of a hull point outwards: at least three vertices lie on each face, none beyond it', () => {
  const vertices = [v(0, 0, 0), v(2, 0, 0), v(0, 3, 0), v(0.5, 0.5, 4)]
  const { faceNormals } = convexHull(vertices)
  expect(faceNormals.length).toBe(12)
  for (let i = 0; i < 12; i += 3) {
    const normal = v(faceNormals[i]!, faceNormals[i + 1]!, faceNormals[i + 2]!)
    expect(norm(normal)).toBeCloseTo(1, 12)
    const heights = vertices.map((vertex) => dotOf(vertex, normal)).sort((a, b) => b - a)
    expect(heights[0]! - heights[2]!).toBeLessThan(1e-12)
    expect(heights[2]! - heights[3]!).toBeGreaterThan(0.1)
  }
})
