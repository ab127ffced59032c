import fc from 'fast-check'
import {
  CatmullRomCurve3,
  ExtrudeGeometry,
  Mesh,
  Path,
  Shape,
  Vector2,
  Vector3,
  type ExtrudeGeometryOptions,
} from 'three'
import { describe, expect, it } from 'vitest'
import { BoxShape, PrismShape, type Obstacle } from 'three-steering'
import { obstaclesFromObject3D } from 'three-steering/three'
import { about, number, rotation, v, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'

const out = v(0, 0, 0)

/** An L: a yard at the upper right. */
const L = (): Shape =>
  new Shape(
    [
      [0, 0],
      [8, 0],
      [8, 3],
      [3, 3],
      [3, 9],
      [0, 9],
    ].map(([x, y]) => new Vector2(x, y)),
  )

/** A lens with curved edges. */
const LENS = (): Shape =>
  new Shape().moveTo(-4, 0).quadraticCurveTo(0, 5, 4, 0).quadraticCurveTo(0, -5, -4, 0)

function obstacleOf(shapes: Shape | Shape[], options: ExtrudeGeometryOptions, mesh = new Mesh()): Obstacle {
  mesh.geometry = new ExtrudeGeometry(shapes, options)
  return obstacleOfMesh(mesh)
}

function obstacleOfMesh(mesh: Mesh): Obstacle {
  const [obstacle, more] = [...obstaclesFromObject3D(mesh)]
  expect(more).toBeUndefined()
  return obstacle!
}

/** Every vertex lies in the obstacle. Returns the greatest depth of one whose corner is on the outline. */
function expectToHold(obstacle: Obstacle, mesh: Mesh): void {
  const { position } = mesh.geometry.attributes
  let high = -Infinity
  let size = 1
  const point = new Vector3()
  mesh.updateWorldMatrix(true, false)
  for (let i = 0; i < position!.count; i++) {
    mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld)
    size = Math.max(size, point.length())
    high = Math.max(high, obstacle.distance(point, out))
  }
  expect(high).toBeLessThan(1e-4 * size)
  expect(high).toBeGreaterThan(-1e-4 * size)
}

describe('an ExtrudeGeometry becomes a prism', () => {
  it('with the yard of its outline free, at the place of the mesh', () => {
    const mesh = new Mesh()
    mesh.position.set(100, 0, -20)
    // the usual way to lay a floor plan: the extrusion goes up
    mesh.rotation.x = -Math.PI / 2
    const obstacle = obstacleOf(L(), { depth: 12, bevelEnabled: false }, mesh)
    expect(obstacle.shape).toBeInstanceOf(PrismShape)
    // y of the plan is −z
    expect(obstacle.distance(v(101, 6, -21), out)).toBeCloseTo(-1, 5)
    expect(obstacle.distance(v(105, 6, -25), out)).toBeCloseTo(2, 5)
    expect(obstacle.distance(v(101, 14, -21), out)).toBeCloseTo(2, 5)
    expect(obstacle.distance(v(101, -1, -21), out)).toBeCloseTo(1, 5)
  })

  law(
    'that holds all its vertices, some on its surface: in any pose and scale, mirrored, with and without a bevel',
    [
      fc.constantFrom(L, LENS),
      rotation(),
      vector(50),
      fc.tuple(number(0.2, 5), number(0.2, 5), number(-5, -0.2)),
      fc.constantFrom<ExtrudeGeometryOptions>(
        {},
        { depth: 4, bevelEnabled: false },
        { depth: -3, bevelEnabled: false, steps: 3 },
        {
          depth: 2,
          bevelThickness: 0.4,
          bevelSize: 0.5,
          bevelOffset: -0.1,
          bevelSegments: 2,
          curveSegments: 5,
        },
      ),
    ],
    (shape, q, at, [x, y, z], options) => {
      const mesh = new Mesh()
      mesh.position.set(at.x, at.y, at.z)
      mesh.quaternion.set(q.x, q.y, q.z, q.w)
      mesh.scale.set(x, y, z)
      const obstacle = obstacleOf(shape(), options, mesh)
      expect(obstacle.shape).toBeInstanceOf(PrismShape)
      expectToHold(obstacle, mesh)
    },
    30,
  )

  it('whose holes are filled', () => {
    const yard = L()
    yard.holes.push(new Path([new Vector2(1, 1), new Vector2(2, 1), new Vector2(2, 2), new Vector2(1, 2)]))
    const obstacle = obstacleOf(yard, { depth: 5, bevelEnabled: false })
    expect(obstacle.shape).toBeInstanceOf(PrismShape)
    expect(obstacle.distance(v(1.5, 1.5, 2.5), out)).toBeCloseTo(-1.5, 5)
  })

  it.each<[string, () => Mesh]>([
    ['several outlines', () => new Mesh(new ExtrudeGeometry([L(), LENS()], { bevelEnabled: false }))],
    [
      'an extrusion along a path',
      () => {
        const extrudePath = new CatmullRomCurve3([new Vector3(), new Vector3(3, 4, 9), new Vector3(0, 9, 20)])
        return new Mesh(new ExtrudeGeometry(L(), { extrudePath, steps: 8 }))
      },
    ],
    [
      'vertices that were moved',
      () => {
        const mesh = new Mesh(new ExtrudeGeometry(L(), { depth: 3, bevelEnabled: false }))
        mesh.geometry.attributes['position']!.setX(4, 20)
        return mesh
      },
    ],
    [
      'an outline that crosses itself',
      () => {
        const bow = new Shape([new Vector2(0, 0), new Vector2(4, 4), new Vector2(4, 0), new Vector2(0, 5)])
        return new Mesh(new ExtrudeGeometry(bow, { bevelEnabled: false }))
      },
    ],
    [
      'a parent that tilts its axis',
      () => {
        const parent = new Mesh()
        parent.scale.set(1, 1, 3)
        const mesh = new Mesh(new ExtrudeGeometry(L(), { bevelEnabled: false }))
        const { x, y, z, w } = about(v(1, 0, 0), 0.5)
        mesh.quaternion.set(x, y, z, w)
        parent.add(mesh)
        parent.updateMatrixWorld(true)
        return mesh
      },
    ],
  ])('but not of %s: they get a bounding shape', (_, make) => {
    const mesh = make()
    const obstacle = obstacleOfMesh(mesh)
    expect(obstacle.shape).not.toBeInstanceOf(PrismShape)
    expectToHold(obstacle, mesh)
  })

  it('unless another shape is asked for', () => {
    const mesh = new Mesh(new ExtrudeGeometry(L(), { bevelEnabled: false }))
    const [obstacle] = [...obstaclesFromObject3D(mesh, { fit: 'box' })]
    expect(obstacle!.shape).toBeInstanceOf(BoxShape)
  })
})
