import { describe, expect, it } from 'vitest'
import {
  BatchedMesh,
  Bone,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CatmullRomCurve3,
  CircleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DodecahedronGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  LatheGeometry,
  Line,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  OctahedronGeometry,
  PlaneGeometry,
  Points,
  Quaternion,
  RingGeometry,
  Shape,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Sprite,
  TetrahedronGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Triangle,
  TubeGeometry,
  Vector2,
  Vector3,
} from 'three'
import { ConvexHull } from 'three/addons/math/ConvexHull.js'
import {
  Arrive,
  AvoidObstacles,
  SteeringController,
  SteeringWorld,
  within,
  type Obstacle,
  type Obstacles,
  type Vec3Like,
} from 'three-steering'
import { obstaclesFromObject3D, type Fit } from 'three-steering/three'
import { expectConsole } from '../../support/console.js'
import { about, expectVec, norm, number, rotation, unit, v, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'

const out = { x: 0, y: 0, z: 0 }

function distance(obstacles: Obstacles, x: number, y: number, z: number): number {
  return obstacles.distance(v(x, y, z), out)
}

function only(obstacles: Obstacles): Obstacle {
  expect(obstacles.size).toBe(1)
  return [...obstacles][0]!
}

function placed<T extends Object3D>(
  object: T,
  at: Vec3Like,
  turn = about(v(0, 1, 0), 0),
  scale = v(1, 1, 1),
): T {
  object.position.set(at.x, at.y, at.z)
  object.quaternion.set(turn.x, turn.y, turn.z, turn.w)
  object.scale.set(scale.x, scale.y, scale.z)
  return object
}

/** All vertices of a mesh, in world coordinates. */
function corners(mesh: Mesh, matrix = mesh.matrixWorld): Vector3[] {
  mesh.updateWorldMatrix(true, false)
  const { position } = mesh.geometry.attributes
  return Array.from({ length: position!.count }, (_, i) =>
    mesh.getVertexPosition(i, new Vector3()).applyMatrix4(matrix),
  )
}

/** Every vertex lies inside the obstacle, or one of several, and at least one on its surface. */
function expectToHold(obstacle: Obstacle | Obstacles, points: readonly Vector3[], gap = 1e-3): void {
  const size = Math.max(1, ...points.map((point) => norm(point.clone().sub(points[0]!))))
  let high = -Infinity
  for (const point of points) high = Math.max(high, obstacle.distance(point, out))
  expect(high).toBeLessThanOrEqual(1e-6 * size)
  expect(high).toBeGreaterThanOrEqual(-gap)
}

const geometries: Record<string, () => BufferGeometry> = {
  box: () => new BoxGeometry(1, 2, 3, 2, 2, 2),
  'turned box': () => new BoxGeometry(1, 2, 3).rotateX(0.5).rotateY(1),
  sphere: () => new SphereGeometry(1.5, 13, 7),
  'half sphere': () => new SphereGeometry(1.5, 12, 8, 0, 2 * Math.PI, 0, 1),
  capsule: () => new CapsuleGeometry(0.5, 2, 4, 7),
  'moved capsule': () => new CapsuleGeometry(0.5, 2, 4, 9).translate(3, 0, 1),
  cylinder: () => new CylinderGeometry(1, 1, 3, 5),
  'lying cylinder': () => new CylinderGeometry(1, 1, 3, 16).rotateX(Math.PI / 2),
  cone: () => new ConeGeometry(1, 3, 9),
  icosahedron: () => new IcosahedronGeometry(2),
  dodecahedron: () => new DodecahedronGeometry(2),
  ball: () => new IcosahedronGeometry(2, 3),
  knot: () => new TorusKnotGeometry(1, 0.3, 40, 5),
  ring: () => new TorusGeometry(2, 0.3, 6, 20),
  plane: () => new PlaneGeometry(3, 2),
  disc: () => new CircleGeometry(2),
}

describe('a fitted shape', () => {
  const fits: readonly Fit[] = ['auto', 'sphere', 'box', 'capsule', 'cylinder', 'hull']
  for (const fit of fits)
    law(
      `(${fit}) holds all vertices, for any placement, scale, shear and mirroring of the mesh and its parents`,
      [vector(20), rotation(), vector(3), vector(5), rotation(), vector(3), number(0, 1)],
      (at, turn, size, inner, innerTurn, innerSize, which) => {
        const names = Object.keys(geometries)
        const name = names[Math.min(names.length - 1, Math.floor(which * names.length))]!
        const away = (a: number): number => (a < 0 ? a - 0.2 : a + 0.2)
        const group = placed(new Group(), at, turn, v(away(size.x), away(size.y), away(size.z)))
        const mesh = new Mesh(geometries[name]!())
        placed(mesh, inner, innerTurn, v(away(innerSize.x), away(innerSize.y), away(innerSize.z)))
        group.add(mesh)
        // a ring whose hole is filled is told
        if (name === 'ring') expectConsole()
        const obstacles = obstaclesFromObject3D(group, { fit })
        expectToHold(obstacles, corners(mesh), obstacles.size === 1 ? undefined : Infinity)
        for (const { owner } of obstacles) expect(owner).toBe(mesh)
        expect(obstacles.size).toBe(name === 'ring' && fit === 'auto' && obstacles.size > 1 ? 12 : 1)
      },
      150,
    )

  it.each(Object.keys(geometries))('of a %s holds it also without any scale', (name) => {
    const mesh = placed(new Mesh(geometries[name]!()), v(1, 2, 3), about(unit(v(1, 2, 3)), 1), v(2, 2, 2))
    expectToHold(obstaclesFromObject3D(mesh), corners(mesh), name === 'ring' ? 0.15 : undefined)
  })

  it.each(Object.keys(geometries))(
    'of a %s is not larger than any of the shapes that auto chooses from',
    (name) => {
      const mesh = new Mesh(geometries[name]!())
      const volume = (fit: Fit): number =>
        [...obstaclesFromObject3D(mesh, { fit })].reduce((sum, each) => sum + volumeOf(each), 0)
      const least = Math.min(...(['sphere', 'box', 'capsule', 'cylinder'] as const).map(volume))
      expect(volume('auto')).toBeLessThanOrEqual(least * 1.00001)
    },
  )
})

/** Volume of a shape other than a hull (m³). */
function volumeOf(obstacle: Obstacle): number {
  const { shape } = obstacle as unknown as { shape: Record<string, never> & { kind: string } }
  const { radius, length, height, halfExtents } = shape as unknown as Record<
    'radius' | 'length' | 'height',
    number
  > & {
    halfExtents: Vec3Like
  }
  switch (shape.kind) {
    case 'sphere':
      return (4 / 3) * Math.PI * radius ** 3
    case 'box':
      return 8 * halfExtents.x * halfExtents.y * halfExtents.z
    case 'capsule':
      return (4 / 3) * Math.PI * radius ** 3 + Math.PI * radius ** 2 * length
    case 'cylinder':
      return Math.PI * radius ** 2 * height
    default:
      return 0
  }
}

describe('any scale', () => {
  const more: Record<string, () => BufferGeometry> = {
    ...geometries,
    'tapered cylinder': () => new CylinderGeometry(1, 2, 3, 12, 3, true),
    'fine cone': () => new ConeGeometry(1, 2, 60, 9),
    extrusion: () =>
      new ExtrudeGeometry(
        new Shape(
          [
            [0, 0],
            [3, 0],
            [1, 2],
          ].map(([x, y]) => new Vector2(x, y)),
        ),
      ),
    lathe: () => new LatheGeometry([new Vector2(1, 0), new Vector2(2, 1), new Vector2(0.5, 3)]),
    'flat ring': () => new RingGeometry(),
    tube: () =>
      new TubeGeometry(new CatmullRomCurve3([new Vector3(), new Vector3(1, 2, 0), new Vector3(0, 4, 1)])),
  }
  const scales = [
    [0, 1, 1],
    [1, 0, 1],
    [1, 1, 0],
    [1, 0, 0],
    [0, 0, 1],
    [0, 0, 0],
    [-1, 1, 1],
    [1, -2, 1],
    [-1, -1, -1],
    [1e-12, 1, 1],
    [1, 1e-7, 1],
    [1e-200, 1e-200, 1e-200],
    [1e9, 1e9, 1e9],
    [1e200, 1, 1],
    [1e-6, 1, 1e6],
    [0.3, 0.3, 2],
    [-0, 1, -3],
  ] as const

  it.each(Object.keys(more))('of a %s is accepted, and the shapes hold it', (name) => {
    expectConsole()
    const others = ['sphere', 'box', 'capsule', 'cylinder', 'hull'] as const
    for (const [i, [x, y, z]] of scales.entries())
      for (const fit of ['auto', others[i % 5]!] as const) {
        const mesh = placed(new Mesh(more[name]!()), v(1, 2, 3), about(v(0, 1, 0), 0.4), v(x, y, z))
        const obstacles = obstaclesFromObject3D(mesh, { fit })
        if (obstacles.size > 0) expectToHold(obstacles, corners(mesh), Infinity)
        else if (x < 1e200)
          expect(Math.max(...corners(mesh).map((at) => norm(at.sub(corners(mesh)[0]!))))).toBeLessThan(1e-9)
      }
  })
})

it('a cone is no wider than its vertices, at each height', () => {
  for (const geometry of [new ConeGeometry(2, 6), new CylinderGeometry(0.5, 2, 6)]) {
    const mesh = placed(new Mesh(geometry), v(0, 0, 0), undefined, v(1, 1, 1.5))
    const obstacles = obstaclesFromObject3D(mesh)
    expectToHold(only(obstacles), corners(mesh))
    const top = geometry.type === 'ConeGeometry' ? 0 : 0.5
    for (const share of [0.1, 0.5, 0.9]) {
      const radius = 2 + (top - 2) * share
      expect(distance(obstacles, radius + 0.1, 6 * share - 3, 0)).toBeGreaterThan(0)
      expect(distance(obstacles, 0, 6 * share - 3, 1.5 * radius + 0.1)).toBeGreaterThan(0)
      expect(distance(obstacles, 0.9 * radius, 6 * share - 3, 0)).toBeLessThan(0)
    }
  }
})

describe('a torus', () => {
  it.each([
    ['as it is', v(1, 1, 1), 2 * Math.PI],
    ['scaled', v(3, 3, -3), 2 * Math.PI],
    ['oval', v(2, 1, 1), 2 * Math.PI],
    ['an arc', v(1, 1, 1), 2],
  ])('%s is a ring with a hole', (_, scale, arc) => {
    const mesh = placed(
      new Mesh(new TorusGeometry(4, 0.5, 8, 60, arc)),
      v(9, 9, 9),
      about(v(1, 0, 0), 1),
      scale,
    )
    const obstacles = obstaclesFromObject3D(mesh)
    expectToHold(obstacles, corners(mesh), 0.5 * scale.x)
    expect(obstacles.size).toBe(Math.ceil((12 * arc) / (2 * Math.PI)))
    const [middle] = [mesh.position]
    expect(distance(obstacles, middle.x, middle.y, middle.z)).toBeGreaterThan(2.8)
    mesh.position.x += 5
    obstacles.refresh()
    expectToHold(obstacles, corners(mesh), 0.5 * scale.x)
  })

  it.each([30, 60, 240])('is flown through, at %i steps a second', (rate) => {
    const root = new Group()
    root.add(new Mesh(new TorusGeometry(5, 0.7)))
    const obstacles = obstaclesFromObject3D(root)
    const steering = new SteeringWorld()
    const target = { x: 0.5, y: 0.3, z: 20 }
    const behavior = within([new AvoidObstacles({ obstacles })], new Arrive({ target }))
    const position = { x: 0, y: 1, z: -20 }
    const pilot = new SteeringController(null, { behavior, position, radius: 1, maxSpeed: 10, maxForce: 50 })
    steering.add(pilot)
    let [gap, way] = [Infinity, 0]
    for (let i = 0; i < 10 * rate; i++) {
      steering.step(1 / rate)
      gap = Math.min(gap, obstacles.distance(pilot.position, out) - 1)
      way += norm(pilot.velocity) / rate
    }
    expect(gap).toBeGreaterThan(0)
    expect(way).toBeLessThan(41)
    expect(norm(new Vector3().copy(pilot.position).sub(target))).toBeLessThan(0.1)
  })

  it('without a hole, moved by hand, or as a flat ring is filled, and that is told once', () => {
    const calls = expectConsole()
    const root = new Group()
    const [thick, flat] = [new Mesh(new TorusGeometry(1, 0.98)), new Mesh(new RingGeometry())]
    thick.name = 'donut'
    root.add(thick, flat, new Mesh(new TorusGeometry().translate(1, 0, 0)))
    const obstacles = obstaclesFromObject3D(root)
    expect(obstacles.size).toBe(3)
    root.scale.set(2, 2, 2)
    obstacles.refresh()
    expect(calls.length).toBe(3)
    expect(calls[0]!.text).toMatch(/"donut": its hole is filled.*MeshShape/)
  })
})

describe('geometries with known parameters', () => {
  it.each<[string, BufferGeometry, string, Record<string, unknown>]>([
    ['a sphere', new SphereGeometry(2, 5, 3), 'sphere', { radius: 2 }],
    ['a turned sphere', new SphereGeometry(2, 5, 3).rotateX(1), 'sphere', { radius: 2 }],
    ['a capsule', new CapsuleGeometry(0.5, 2, 3, 5), 'capsule', { radius: 0.5, length: 2 }],
    ['a cylinder', new CylinderGeometry(1, 1, 3, 3), 'cylinder', { radius: 1, height: 3 }],
    ['an open cylinder', new CylinderGeometry(1, 1, 3, 8, 1, true), 'cylinder', { radius: 1, height: 3 }],
    ['a box', new BoxGeometry(1, 2, 4), 'box', { halfExtents: v(0.5, 1, 2) }],
    ['a fine icosahedron', new IcosahedronGeometry(2, 2), 'sphere', {}],
    ['a tetrahedron', new TetrahedronGeometry(2), 'hull', {}],
    ['an octahedron', new OctahedronGeometry(2), 'hull', {}],
    ['a dodecahedron', new DodecahedronGeometry(2), 'hull', {}],
  ])('%s is recognised', (_, geometry, kind, measures) => {
    const { shape } = only(obstaclesFromObject3D(new Mesh(geometry)))
    expect(shape.kind).toBe(kind)
    for (const [name, value] of Object.entries(measures))
      expect(JSON.parse(JSON.stringify(shape[name as never]))).toEqual(value)
  })

  it('a half sphere, a tapered cylinder, a scaled geometry and a slice are not taken as the full shape', () => {
    for (const geometry of [
      new SphereGeometry(2, 16, 8, 0, Math.PI),
      new SphereGeometry(2, 16, 8, 0, 2 * Math.PI, 0, 1),
      new CylinderGeometry(1, 2, 3),
      new CylinderGeometry(1, 1, 3, 16, 1, false, 0, 1),
    ]) {
      const mesh = new Mesh(geometry)
      const obstacle = only(obstaclesFromObject3D(mesh))
      expectToHold(obstacle, corners(mesh))
      expect(volumeOf(obstacle)).toBeLessThan(Math.PI * 2 ** 2 * 3 + 1e-6)
    }
    const small = only(obstaclesFromObject3D(new Mesh(new SphereGeometry(2, 16, 8).scale(0.5, 0.5, 0.5))))
    expect(small.distance(v(0, 3, 0), out)).toBeCloseTo(2, 6)
  })

  it('a dodecahedron has twelve faces, and its corners at its radius', () => {
    const mesh = new Mesh(new DodecahedronGeometry(2))
    const obstacles = obstaclesFromObject3D(mesh)
    // distance from the centre to a face, from the golden ratio
    const inner = 2 * Math.sqrt((5 + 2 * Math.sqrt(5)) / 15)
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo(-inner, 6)
    for (const corner of corners(mesh)) expect(Math.abs(obstacles.distance(corner, out))).toBeLessThan(1e-6)
    const { body } = only(obstacles).shape as unknown as { body: { starts: Int32Array } }
    expect(body.starts).toHaveLength(13)
  })

  it('grow with the mesh', () => {
    const ball = placed(new Mesh(new SphereGeometry(1)), v(0, 0, 0), undefined, v(3, 3, 3))
    expect(distance(obstaclesFromObject3D(ball), 0, 5, 0)).toBeCloseTo(2, 9)
    const tube = placed(new Mesh(new CylinderGeometry(1, 1, 2)), v(0, 0, 0), undefined, v(2, 5, -2))
    const obstacles = obstaclesFromObject3D(tube)
    expect(distance(obstacles, 0, 7, 0)).toBeCloseTo(2, 9)
    expect(distance(obstacles, 5, 0, 0)).toBeCloseTo(3, 9)
    const egg = placed(new Mesh(new SphereGeometry(1)), v(0, 0, 0), undefined, v(1, 1, 4))
    expect(only(obstaclesFromObject3D(egg)).shape.kind).not.toBe('sphere')
    expectToHold(only(obstaclesFromObject3D(egg)), corners(egg))
  })

  it('are placed as the mesh, in nested groups that are turned and mirrored', () => {
    const scene = placed(new Group(), v(1, 2, 3), about(v(0, 1, 0), Math.PI / 2), v(-2, 2, 2))
    const arm = placed(new Group(), v(5, 0, 0), about(v(0, 0, 1), Math.PI / 2))
    scene.add(arm)
    arm.add(placed(new Mesh(new CylinderGeometry(1, 1, 8)), v(0, 3, 0)))
    // along y in the arm, so along −x in the scene, mirrored to +x, turned to −z
    const obstacles = obstaclesFromObject3D(scene)
    const obstacle = only(obstacles)
    expect(obstacle.shape.kind).toBe('cylinder')
    expectVec(obstacle.position, new Vector3(2, 0, 0).applyMatrix4(scene.matrixWorld), 1e-9)
    const middle = obstacle.position
    expect(distance(obstacles, middle.x, middle.y, middle.z + 10)).toBeCloseTo(2, 6)
    expect(distance(obstacles, middle.x, middle.y + 10, middle.z)).toBeCloseTo(8, 6)
    expect(distance(obstacles, middle.x + 10, middle.y, middle.z)).toBeCloseTo(8, 6)
  })
})

describe('a hull', () => {
  /** Distance to the hull of points, by three's own hull and triangles. */
  function oracle(points: readonly Vector3[]): (point: Vec3Like) => number {
    const hull = new ConvexHull().setFromPoints([...points])
    const faces = hull.faces.map(({ edge, normal, constant }) => ({
      triangle: new Triangle(edge.tail().point, edge.head().point, edge.next.head().point),
      normal,
      constant,
    }))
    const near = new Vector3()
    return ({ x, y, z }) => {
      const point = new Vector3(x, y, z)
      const depth = Math.max(...faces.map(({ normal, constant }) => normal.dot(point) - constant))
      if (depth <= 0) return depth
      return Math.min(
        ...faces.map(({ triangle }) => triangle.closestPointToPoint(point, near).distanceTo(point)),
      )
    }
  }

  law(
    'of a point cloud is as far away as three’s own hull hull',
    [number(4, 60), number(0, 1), vector(4)],
    (count, seed, point) => {
      const points = Array.from({ length: Math.floor(count) }, (_, i) => {
        const at = (k: number): number => 2 * Math.sin(1e3 * seed + 97.31 * i + 41.7 * k * (i + 1))
        return new Vector3(Math.fround(at(1)), Math.fround(at(2)), Math.fround(at(3)))
      })
      const mesh = new Mesh(new BufferGeometry().setFromPoints(points))
      const obstacle = only(obstaclesFromObject3D(mesh, { fit: 'hull' }))
      const away = oracle(points)
      expect(obstacle.distance(point, out)).toBeCloseTo(away(point), 5)
      expectToHold(obstacle, points)
    },
  )

  law(
    'of points on a lattice, many of them coplanar and collinear, holds them all',
    [number(5, 40), number(0, 1), rotation()],
    (count, seed, turn) => {
      const q = new Quaternion(turn.x, turn.y, turn.z, turn.w)
      const points = Array.from({ length: Math.floor(count) }, (_, i) => {
        const at = (k: number): number =>
          Math.floor(1.5 + 1.5 * Math.sin(1e3 * seed + 97.31 * i + 41.7 * k * (i + 1)))
        return new Vector3(at(1), at(2), at(3))
      })
      const corner = [v(0, 0, 0), v(2, 0, 0), v(0, 2, 0), v(0, 0, 2)].map(
        ({ x, y, z }) => new Vector3(x, y, z),
      )
      for (const point of points.concat(corner)) point.applyQuaternion(q)
      const mesh = new Mesh(new BufferGeometry().setFromPoints([...points, ...corner]))
      const obstacle = only(obstaclesFromObject3D(mesh, { fit: 'hull' }))
      expect(obstacle.shape.kind).toBe('hull')
      expectToHold(obstacle, corners(mesh))
    },
  )

  it.each(Object.keys(geometries))('of a %s is as far away as three’s own hull', (name) => {
    const mesh = placed(new Mesh(geometries[name]!()), v(1, 2, 3), about(unit(v(1, 2, 3)), 2), v(1, 2, -0.5))
    const obstacle = only(obstaclesFromObject3D(mesh, { fit: 'hull' }))
    const points = corners(mesh)
    expectToHold(obstacle, points)
    // flat meshes have no hull
    expect(obstacle.shape.kind).toBe(name === 'plane' || name === 'disc' ? 'box' : 'hull')
    if (obstacle.shape.kind === 'box') return
    const away = oracle(points)
    for (let i = 0; i < 40; i++) {
      const point = v(1 + 4 * Math.sin(i), 2 + 4 * Math.sin(3 * i + 1), 3 + 4 * Math.sin(7 * i + 2))
      expect(obstacle.distance(point, out)).toBeCloseTo(away(point), 4)
    }
  })

  it('of a box with many segments has six faces', () => {
    const mesh = new Mesh(new BoxGeometry(1, 2, 3, 4, 5, 6).rotateX(0.3).rotateY(0.4))
    const { shape } = only(obstaclesFromObject3D(mesh, { fit: 'hull' }))
    const { body } = shape as unknown as { body: { starts: Int32Array } }
    expect(body.starts).toHaveLength(7)
  })
})

describe('flat and empty meshes', () => {
  it('a plane is a board of a millimetre', () => {
    const ground = placed(new Mesh(new PlaneGeometry(100, 50)), v(0, 2, 0), about(v(1, 0, 0), -Math.PI / 2))
    const obstacles = obstaclesFromObject3D(ground)
    expect(distance(obstacles, 0, 5, 0)).toBeCloseTo(2.9995, 9)
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo(1.9995, 9)
    expect(distance(obstacles, 53, 2, 0)).toBeCloseTo(3, 9)
  })

  it('a small plane is a thinner board', () => {
    expect(distance(obstaclesFromObject3D(new Mesh(new PlaneGeometry(0.1, 0.1))), 0, 0, 1)).toBeCloseTo(
      0.99995,
      9,
    )
  })

  it('a mesh flattened by its scale is a board, along any axis', () => {
    for (const axis of ['x', 'y', 'z'] as const) {
      const mesh = new Mesh(new BoxGeometry(2, 2, 2))
      mesh.rotation.set(1, 2, 3)
      mesh.scale[axis] = 0
      const obstacle = only(obstaclesFromObject3D(mesh))
      expectToHold(obstacle, corners(mesh))
      const across = v(0, 0, 0)
      across[axis] = 1
      const off = new Vector3(across.x, across.y, across.z).applyQuaternion(mesh.quaternion)
      expect(obstacle.distance(off, out)).toBeCloseTo(0.9995, 9)
    }
  })

  it('a mesh flattened to a line is a rod', () => {
    const mesh = new Mesh(new BoxGeometry(2, 2, 2))
    for (const axis of ['x', 'y', 'z'] as const) {
      mesh.scale.set(0, 0, 0)
      mesh.scale[axis] = 1
      expectToHold(only(obstaclesFromObject3D(mesh)), corners(mesh))
    }
  })

  it('a mesh without a size is no obstacle until it has one', () => {
    const mesh = new Mesh(new BoxGeometry(2, 2, 2))
    mesh.scale.setScalar(0)
    const obstacles = obstaclesFromObject3D(mesh)
    expect(obstacles.size).toBe(0)
    mesh.scale.setScalar(1)
    obstacles.refresh()
    expect(distance(obstacles, 3, 0, 0)).toBeCloseTo(2, 9)
    expect(obstaclesFromObject3D(new Mesh(new BufferGeometry())).size).toBe(0)
    const point = new BufferGeometry().setFromPoints([new Vector3(1, 2, 3)])
    expect(obstaclesFromObject3D(new Mesh(point)).size).toBe(0)
  })

  it('only drawn vertices count', () => {
    const geometry = new BufferGeometry().setFromPoints(
      [v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0, 0, 50)].map(({ x, y, z }) => new Vector3(x, y, z)),
    )
    const mesh = new Mesh(geometry)
    geometry.setDrawRange(0, 3)
    expect(distance(obstaclesFromObject3D(mesh), 0, 0, 50)).toBeGreaterThan(49)
    geometry.setDrawRange(0, Infinity)
    geometry.setIndex([0, 1, 2])
    expect(distance(obstaclesFromObject3D(mesh), 0, 0, 50)).toBeGreaterThan(49)
  })

  it('positions may be interleaved', () => {
    const buffer = new InterleavedBuffer(
      Float32Array.from([0, 0, 0, 9, 2, 0, 0, 9, 0, 2, 0, 9, 0, 0, 2, 9]),
      4,
    )
    const geometry = new BufferGeometry().setAttribute(
      'position',
      new InterleavedBufferAttribute(buffer, 3, 0),
    )
    expect(distance(obstaclesFromObject3D(new Mesh(geometry), { fit: 'box' }), 5, 1, 1)).toBeCloseTo(3, 9)
  })
})

describe('which meshes', () => {
  it('are the visible ones at and below the root', () => {
    const root = new Mesh(new BoxGeometry())
    const hidden = new Group()
    hidden.visible = false
    hidden.add(new Mesh(new BoxGeometry()))
    const ghost = new Mesh(new BoxGeometry())
    ghost.visible = false
    const shown = new Mesh(new BoxGeometry())
    root.add(hidden, ghost, new Group().add(shown), new Sprite(), new Object3D())
    root.add(new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3(1, 1, 1)])))
    root.add(new Points(new BoxGeometry()))
    expect([...obstaclesFromObject3D(root)].map(({ owner }) => owner)).toEqual([root, shown])
    expect(obstaclesFromObject3D(root, { invisible: true }).size).toBe(4)
  })

  it('are none in an empty root', () => {
    expect(obstaclesFromObject3D(new Group()).size).toBe(0)
  })

  it('are those that the filter accepts', () => {
    const root = new Group()
    const [rock, tree] = [new Mesh(new BoxGeometry()), new Mesh(new BoxGeometry())]
    root.add(rock, tree)
    let wanted = rock
    const obstacles = obstaclesFromObject3D(root, { filter: (mesh) => mesh === wanted })
    expect(only(obstacles).owner).toBe(rock)
    wanted = tree
    obstacles.refresh()
    expect(only(obstacles).owner).toBe(tree)
  })

  it('get the fit that a function returns', () => {
    const root = new Group()
    root.add(new Mesh(new BoxGeometry()), new Mesh(new SphereGeometry()))
    const fit = (mesh: Mesh): Fit => (mesh.geometry.type === 'BoxGeometry' ? 'sphere' : 'hull')
    expect([...obstaclesFromObject3D(root, { fit })].map(({ shape }) => shape.kind)).toEqual([
      'sphere',
      'hull',
    ])
  })
})

describe('following', () => {
  it('reads meshes and groups that have moved, even if their matrices are out of date', () => {
    const scene = new Group()
    const group = new Group()
    const mesh = new Mesh(new BoxGeometry(2, 2, 2))
    scene.add(group)
    group.add(mesh)
    const obstacles = obstaclesFromObject3D(mesh)
    const obstacle = only(obstacles)
    mesh.position.x = 10
    group.rotation.y = Math.PI / 2
    scene.position.y = 5
    obstacles.refresh()
    expectVec(obstacle.position, v(0, 5, -10), 1e-12)
    expect(distance(obstacles, 0, 5, 0)).toBeCloseTo(9, 9)
    expect(only(obstacles)).toBe(obstacle)
    expectVec(obstacle.velocity, v(0, 0, 0), 0)
  })

  it('keeps its obstacles while meshes turn, also with the quaternions of single precision', () => {
    const group = new Group()
    const mesh = placed(new Mesh(new BoxGeometry(1, 2, 3)), v(1, 1, 1), undefined, v(2, 2, 2))
    group.add(mesh)
    const obstacles = obstaclesFromObject3D(group)
    const before = only(obstacles)
    for (let i = 0; i < 50; i++) {
      const q = new Quaternion(Math.sin(i), Math.cos(2 * i), Math.sin(3 * i), 1).normalize()
      group.quaternion.set(Math.fround(q.x), Math.fround(q.y), Math.fround(q.z), Math.fround(q.w))
      obstacles.refresh()
      expect(only(obstacles)).toBe(before)
      expectToHold(before, corners(mesh))
    }
  })

  it.each<[string, (mesh: Mesh) => void, number]>([
    ['a scale', (mesh) => mesh.scale.setScalar(3), 7],
    ['a scale along one axis', (mesh) => mesh.scale.set(1, 1, 5), 9],
    ['a scale of a parent', (mesh) => mesh.parent!.scale.setScalar(2), 8],
    ['a mirror', (mesh) => mesh.scale.set(-4, 4, 4), 6],
    ['another geometry', (mesh) => void (mesh.geometry = new SphereGeometry(5)), 5],
    [
      'positions that were written',
      ({ geometry }) => {
        geometry.scale(2, 2, 2)
        geometry.attributes['position']!.needsUpdate = true
      },
      8,
    ],
    ['no visibility', (mesh) => void (mesh.visible = false), Infinity],
    ['a parent without visibility', (mesh) => void (mesh.parent!.visible = false), Infinity],
    ['its removal', (mesh) => mesh.removeFromParent(), Infinity],
  ])('notices %s', (_, change, expected) => {
    const group = new Group()
    const mesh = new Mesh(new BoxGeometry(2, 2, 2))
    group.add(mesh)
    const obstacles = obstaclesFromObject3D(group)
    expect(distance(obstacles, 10, 0, 0)).toBeCloseTo(9, 9)
    change(mesh)
    obstacles.refresh()
    expect(distance(obstacles, 10, 0, 0)).toBeCloseTo(expected, 6)
  })

  it('notices meshes that are added later, and meshes that come back', () => {
    const group = new Group()
    const obstacles = obstaclesFromObject3D(group)
    const mesh = new Mesh(new BoxGeometry(2, 2, 2))
    group.add(mesh)
    obstacles.refresh()
    expect(only(obstacles).owner).toBe(mesh)
    group.remove(mesh)
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
    group.add(mesh)
    obstacles.refresh()
    expect(only(obstacles).owner).toBe(mesh)
  })

  it('may be switched off: then all obstacles stay where they were', () => {
    const group = placed(new Group(), v(3, 0, 0), about(v(0, 0, 1), 1), v(1, 2, 3))
    const mesh = placed(
      new Mesh(new CapsuleGeometry(1, 2).translate(0, 1, 0)),
      v(0, 5, 0),
      about(v(1, 0, 0), 1),
    )
    group.add(mesh)
    const obstacles = obstaclesFromObject3D(group, { follow: false })
    const obstacle = only(obstacles)
    expect(obstacle.followed).toBeNull()
    expect(obstacle.owner).toBe(mesh)
    const before = corners(mesh)
    expectToHold(obstacle, before)
    const moving = only(obstaclesFromObject3D(group))
    expectVec(obstacle.position, moving.position, 1e-12)
    group.position.x = 50
    group.add(new Mesh(new BoxGeometry()))
    obstacles.refresh()
    expect(only(obstacles)).toBe(obstacle)
    expectToHold(obstacle, before)
  })
})

describe('an InstancedMesh', () => {
  const matrix = (x: number, scale = 1): Matrix4 =>
    new Matrix4().compose(
      new Vector3(x, 0, 0),
      new Quaternion(0, 0, Math.SQRT1_2, Math.SQRT1_2),
      new Vector3(scale, scale, scale),
    )

  it('is an obstacle for each instance, all owned by it', () => {
    const mesh = new InstancedMesh(new CylinderGeometry(1, 1, 6), new MeshBasicMaterial(), 3)
    for (let i = 0; i < 3; i++) mesh.setMatrixAt(i, matrix(20 * i, i + 1))
    mesh.position.y = 5
    const obstacles = obstaclesFromObject3D(mesh)
    expect([...obstacles].map(({ owner, shape }) => [owner === mesh, shape.kind])).toEqual(
      Array.from({ length: 3 }, () => [true, 'cylinder']),
    )
    for (const [i, each] of [...obstacles].entries())
      expectToHold(
        each,
        corners(mesh, new Matrix4().makeTranslation(0, 5, 0).multiply(matrix(20 * i, i + 1))),
      )
    // a cylinder along x
    expect(distance(obstacles, -5, 5, 0)).toBeCloseTo(2, 6)
    expect(distance(obstacles, 0, 8, 0)).toBeCloseTo(2, 6)
  })

  it('shares one shape among instances of one size', () => {
    const mesh = new InstancedMesh(new TorusKnotGeometry(), new MeshBasicMaterial(), 5)
    for (let i = 0; i < 5; i++) mesh.setMatrixAt(i, matrix(20 * i))
    expect(new Set([...obstaclesFromObject3D(mesh)].map(({ shape }) => shape)).size).toBe(1)
  })

  it('follows moving instances and their count', () => {
    const mesh = new InstancedMesh(new BoxGeometry(2, 2, 2), new MeshBasicMaterial(), 3)
    for (let i = 0; i < 3; i++) mesh.setMatrixAt(i, matrix(20 * i))
    mesh.count = 1
    const obstacles = obstaclesFromObject3D(mesh)
    const first = only(obstacles)
    mesh.count = 2
    mesh.setMatrixAt(0, matrix(-30))
    obstacles.refresh()
    expect(obstacles.size).toBe(2)
    expect(obstacles.has(first)).toBe(true)
    expect(first.position.x).toBe(-30)
    mesh.count = 0
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
  })
})

describe('meshes with deformed vertices', () => {
  it('a SkinnedMesh is fitted in its present pose', () => {
    const geometry = new BoxGeometry(2, 2, 2)
    const { count } = geometry.attributes['position']!
    geometry.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(4 * count), 4))
    geometry.setAttribute(
      'skinWeight',
      new Float32BufferAttribute(
        Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0)),
        4,
      ),
    )
    const bone = new Bone()
    const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial())
    mesh.add(bone)
    mesh.bind(new Skeleton([bone]))
    const group = placed(new Group(), v(0, 0, 7), about(v(0, 1, 0), 1))
    group.add(mesh)
    bone.position.y = 10
    const obstacles = obstaclesFromObject3D(group)
    expectVec(only(obstacles).position, v(0, 10, 7), 1e-6)
    expect(distance(obstacles, 0, 13, 7)).toBeCloseTo(2, 6)
  })

  it('a morphed mesh is fitted in its present morph', () => {
    const geometry = new BoxGeometry(2, 2, 2)
    const far = geometry.attributes['position']!.clone()
    for (let i = 0; i < far.count; i++) far.setX(i, far.getX(i) * 3)
    geometry.morphAttributes['position'] = [far]
    const mesh = new Mesh(geometry)
    mesh.morphTargetInfluences = [0.5]
    expect(distance(obstaclesFromObject3D(mesh), 5, 0, 0)).toBeCloseTo(3, 6)
  })
})

describe('an unsupported mesh', () => {
  it('is reported once', () => {
    const calls = expectConsole()
    const batch = new BatchedMesh(1, 24, 36, new MeshBasicMaterial())
    batch.name = 'crowd'
    const obstacles = obstaclesFromObject3D(batch)
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
    expect(calls).toHaveLength(1)
    for (const part of [`mesh ${batch.id} "crowd"`, 'BatchedMesh']) expect(calls[0]!.text).toContain(part)
  })

  it('may become an obstacle when its positions become finite', () => {
    const mesh = new Mesh(new BoxGeometry(2, 2, 2))
    const position = mesh.geometry.attributes['position'] as BufferAttribute
    const x = position.getX(3)
    position.setX(3, NaN)
    const reported: unknown[] = []
    const obstacles = obstaclesFromObject3D(mesh, { onUnsupported: (of, why) => reported.push(of, why) })
    obstacles.refresh()
    expect(reported).toEqual([mesh, 'its geometry has positions that are not finite'])
    expect(obstacles.size).toBe(0)
    position.setX(3, x)
    position.needsUpdate = true
    obstacles.refresh()
    expect(obstacles.size).toBe(1)
  })

  it('is one with a matrix that is not finite; an obstacle stays where it was when that happens later', () => {
    const mesh = new Mesh<BufferGeometry>(new BoxGeometry(2, 2, 2))
    mesh.position.x = NaN
    const reported: string[] = []
    const obstacles = obstaclesFromObject3D(mesh, { onUnsupported: (_, why) => void reported.push(why) })
    obstacles.refresh()
    expect(obstacles.size).toBe(0)
    expect(reported).toEqual(['its world matrix is not finite'])
    mesh.position.x = 10
    obstacles.refresh()
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo(9, 9)
    mesh.position.x = NaN
    obstacles.refresh()
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo(9, 9)
    mesh.geometry = new SphereGeometry(2)
    obstacles.refresh()
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo(9, 9)
    mesh.position.x = 20
    obstacles.refresh()
    expect(distance(obstacles, 0, 0, 0)).toBeCloseTo(18, 9)
  })
})

describe('the arguments of obstaclesFromObject3D', () => {
  it('must be an Object3D', () => {
    for (const wrong of [null, undefined, {}, 3, new BoxGeometry()] as unknown as Object3D[])
      expect(() => obstaclesFromObject3D(wrong)).toThrow(/obstaclesFromObject3D: got .*THREE.Object3D/)
  })

  it.each<[string, unknown, ErrorConstructor, RegExp]>([
    ['fit', 'ball', RangeError, /fit: got 'ball', allowed are 'auto', 'sphere'/],
    ['fit', 3, RangeError, /fit: got 3/],
    ['filter', 3, TypeError, /filter: got 3, must be a function/],
    ['follow', 'yes', TypeError, /follow: got 'yes', must be true or false/],
    ['invisible', 1, TypeError, /invisible: got 1, must be true or false/],
    ['onUnsupported', {}, TypeError, /onUnsupported: got .* must be a function/],
  ])('refuses %s: %j', (option, value, kind, says) => {
    const open = (): Obstacles => obstaclesFromObject3D(new Group(), { [option]: value })
    expect(open).toThrow(kind)
    expect(open).toThrow(says)
  })

  it('must not have a fit function that returns an unknown fit', () => {
    expect(() => obstaclesFromObject3D(new Mesh(new BoxGeometry()), { fit: () => 'ball' as Fit })).toThrow(
      RangeError,
    )
  })
})
