import fc, { toStringMethod } from 'fast-check'
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Matrix4,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three'
import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  CapsuleShape,
  CylinderShape,
  Obstacle,
  Obstacles,
  SphereShape,
  type Shape,
  type Vec3Like,
} from 'three-steering'
import { MeshShape } from 'three-steering/bvh'
import {
  direction,
  dotOf,
  expectFinite,
  expectVec,
  norm,
  number,
  plus,
  times,
  v,
  vector,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { halves, spot } from '../../obstacles/kit.js'

const scratch = v(0, 0, 0)
const distanceTo = (shape: Shape, point: Vec3Like): number => shape.distance(point, scratch)

/**
 * Checks a sweep by small steps that the distance allows: no step can jump over the mesh. Where a ball moves
 * along so close that thousands of steps do not get far, the check has no result.
 */
function expectSweep(mesh: MeshShape, origin: Vec3Like, way: Vec3Like, radius: number, end: number): void {
  const normal = v(0, 0, 0)
  const f = (t: number): number => mesh.distance(plus(origin, way, t), normal) - radius
  const t = mesh.sweep(origin, way, radius, Infinity)
  if (t < Infinity) expect(Math.abs(f(t))).toBeLessThan(1e-5)
  let s = 0
  let left = 3000
  for (; left > 0 && s < Math.min(t, end); left--) {
    const clear = f(s)
    if (clear < 1e-5) break
    s += clear
  }
  if (left === 0 || s >= Math.min(t, end)) return
  // so near, and on its way in: a longer sweep has missed it
  if (dotOf(normal, way) < -0.05) expect(t).toBeLessThan(s + 1e-3)
}

/** Single precision of a mesh with coordinates of about 1. */
const ROUGH = 1e-6
const share = fc.oneof(fc.constantFrom(0, 0.5), number(0, 1.5))

/**
 * A spike of 10 m on a square of 2 m around the origin, tip up; its side ahead (+x) is cut into that many
 * triangles at the tip.
 */
function spike(cuts: number): BufferGeometry {
  const tip = v(0, 10, 0)
  const rim = [v(-1, 0, 1), v(-1, 0, -1), v(1, 0, -1)]
  // along the lower edge of the side ahead
  const edge = Array.from({ length: cuts + 1 }, (_, k) => v(1, 0, 1 - (2 * k) / cuts))
  const sides = edge.slice(1).map((to, k) => [tip, edge[k]!, to])
  sides.push([tip, rim[2]!, rim[1]!], [tip, rim[1]!, rim[0]!], [tip, rim[0]!, edge[0]!])
  const floor = [rim[0]!, rim[1]!, rim[2]!, ...edge.slice(0, -1).toReversed()]
  for (let k = 2; k < floor.length; k++) sides.push([floor[0]!, floor[k - 1]!, floor[k]!])
  const corners = sides.flat().flatMap(({ x, y, z }) => [x, y, z])
  return new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(corners), 3))
}

it.each([1, 2, 40])('a point beyond the tip of a spike is outside, cut into %i triangles', (cuts) => {
  const mesh = new MeshShape(spike(cuts), { solid: true })
  for (const aside of [0, 0.5, 2, 8])
    for (let k = 0; k < 12; k++) {
      const turn = (k * Math.PI) / 6
      const way = v(aside * Math.cos(turn), 1, aside * Math.sin(turn))
      const normal = v(0, 0, 0)
      const off = 0.01 / norm(way)
      const distance = mesh.distance(plus(v(0, 10, 0), way, off), normal)
      // among sides with the slope of the path the tip is not the nearest
      expect(distance).toBeGreaterThan(0)
      expect(distance).toBeLessThan(0.01 + 1e-5)
      expect(mesh.distance(v(0, 9, 0), normal)).toBeLessThan(0)
    }
})

describe('a solid mesh of a box', () => {
  const meshed = halves.map((half) => {
    const { x, y, z } = half
    const size = Math.max(x, y, z)
    // of many triangles, as equal as possible
    const geometry = new BoxGeometry(2 * x, 2 * y, 2 * z, 3, 2, 4)
    const mesh = new MeshShape(geometry, { solid: true })
    return { mesh, box: new BoxShape(half), size, [toStringMethod]: () => JSON.stringify(half) }
  })

  law('has the distances of the box', [meshed, spot, direction()], ({ mesh, box, size }, at, way) => {
    const point = plus(times(at, size), way, 1e-4 * size)
    const normal = v(0, 0, 0)
    const own = v(0, 0, 0)
    const distance = box.distance(point, own)
    expect(Math.abs(mesh.distance(point, normal) - distance)).toBeLessThan(ROUGH * size)
    expect(Math.abs(norm(normal) - 1)).toBeLessThan(1e-9)
    // except where two faces are equally near
    const smooth =
      Math.abs(distanceTo(box, plus(point, own, -1e-3 * size)) - distance + 1e-3 * size) < 1e-9 * size
    if (smooth && Math.abs(distance) > 1e-3 * size) expectVec(normal, own, 1e-2)
  })

  law(
    'stops a ball as the box does',
    [meshed, spot, direction(), share],
    ({ mesh, box, size }, at, way, part) => {
      const [origin, radius] = [times(at, size), part * size]
      const f = (t: number): number => distanceTo(box, plus(origin, way, t)) - radius
      fc.pre(Math.abs(f(0)) > 1e-5 * size)
      const t = box.sweep(origin, way, radius, Infinity)
      const s = mesh.sweep(origin, way, radius, Infinity)
      if (f(0) > 0) {
        // unless the ball just grazes
        const deep = Math.min(...Array.from({ length: 300 }, (_, i) => f((6 * size * i) / 300)))
        if (Math.abs(deep) < 1e-4 * size) return
        expect(s < Infinity).toBe(t < Infinity)
        if (t < Infinity) expect(Math.abs(f(s))).toBeLessThan(ROUGH * size)
        expect(mesh.sweep(origin, way, radius, s * 0.99)).toBe(Infinity)
        return
      }
      const slope = f(1e-6 * size) - f(0)
      if (slope < -1e-8 * size) expect(s).toBeLessThan(1e-3 * size)
      // outwards at once: near the centre it may first get slightly deeper
      if (slope > 1e-8 * size && [1e-12, 1e-10, 1e-8].every((h) => f(h * size) > f(0)))
        expect(s).toBe(Infinity)
    },
    300,
  )

  law(
    'is left by a ball as the box is',
    [meshed, spot, direction(), share],
    ({ mesh, box, size }, at, way, part) => {
      const [origin, radius] = [times(at, size), part * size]
      const f = (t: number): number => distanceTo(box, plus(origin, way, t)) - radius
      fc.pre(Math.abs(f(0)) > 1e-5 * size)
      const t = mesh.leave(origin, way, radius)
      if (f(0) > 0) expect(t).toBe(0)
      else {
        expect(t).toBeLessThan(Infinity)
        expect(Math.abs(f(t))).toBeLessThan(ROUGH * size)
        for (let i = 0; i < 30; i++) expect(f((t * i) / 30)).toBeLessThan(ROUGH * size)
      }
    },
  )

  law('has the support of the box', [meshed, direction()], ({ mesh, box, size }, way) => {
    expect(Math.abs(mesh.support(way) - box.support(way))).toBeLessThan(ROUGH * size)
  })
})

describe.each<[string, BufferGeometry, Shape, number]>([
  ['sphere', new SphereGeometry(2, 128, 64), new SphereShape(2), 4e-3],
  ['capsule', new CapsuleGeometry(1, 3, 32, 64), new CapsuleShape(1, 3), 4e-3],
  ['cylinder', new CylinderGeometry(2, 2, 3, 128), new CylinderShape(2, 3), 4e-3],
])('a fine mesh of a %s', (_name, geometry, shape, fine) => {
  const mesh = new MeshShape(geometry, { solid: true })

  law('has the same signed distances', [vector(5)], (point) => {
    expect(Math.abs(distanceTo(mesh, point) - distanceTo(shape, point))).toBeLessThan(fine)
  })

  law(
    'is touched and left at the same positions',
    [vector(5), direction(), number(0, 1)],
    (origin, way, radius) => {
      const clear = distanceTo(shape, origin) - radius
      fc.pre(Math.abs(clear) > 2 * fine)
      if (clear < 0) {
        const out = mesh.leave(origin, way, radius)
        expect(Math.abs(distanceTo(shape, plus(origin, way, out)) - radius)).toBeLessThan(fine)
        return
      }
      // a little larger and a little smaller
      const [most, least] = [
        shape.sweep(origin, way, radius - fine, Infinity),
        shape.sweep(origin, way, radius + fine, Infinity),
      ]
      const t = mesh.sweep(origin, way, radius, Infinity)
      expect(Math.min(t, 1e9)).toBeGreaterThan(Math.min(least, 1e9) - ROUGH)
      expect(Math.min(t, 1e9)).toBeLessThan(Math.min(most, 1e9) + ROUGH)
    },
  )
})

describe('a mesh with holes and cavities', () => {
  const torus = new MeshShape(new TorusGeometry(3, 1, 48, 96), { solid: true })
  const knot = new MeshShape(new TorusKnotGeometry(3, 0.8, 200, 24), { solid: true })
  const toTorus = ({ x, y, z }: Vec3Like): number => Math.hypot(Math.hypot(x, y) - 3, z) - 1

  law('has its inside at the right points', [vector(5)], (point) => {
    expect(Math.abs(distanceTo(torus, point) - toTorus(point))).toBeLessThan(5e-3)
  })

  law(
    'stops a ball where it first touches, and lets it through its hole',
    [fc.constantFrom(torus, knot), vector(6), direction(), number(0, 0.6)],
    (mesh, origin, way, radius) => {
      fc.pre(distanceTo(mesh, origin) - radius > 1e-3)
      expectSweep(mesh, origin, way, radius, 20)
    },
  )

  law(
    'is left by a ball where the ball is first clear',
    [fc.constantFrom(torus, knot), vector(4), direction(), number(0, 0.6)],
    (mesh, origin, way, radius) => {
      const f = (t: number): number => distanceTo(mesh, plus(origin, way, t)) - radius
      fc.pre(f(0) < -1e-3)
      const t = mesh.leave(origin, way, radius)
      expect(t).toBeLessThan(20)
      expect(Math.abs(f(t))).toBeLessThan(1e-5)
      for (let i = 0; i < 100; i++) expect(f((t * i) / 100)).toBeLessThan(1e-5)
    },
  )

  it('stops a ball inside that flies deeper, and one that has left where it enters again', () => {
    expect(torus.sweep(v(3.5, 0, 0), v(-1, 0, 0), 0, Infinity)).toBe(0)
    // out of its right side, and through the hole to the left
    expect(torus.sweep(v(2.5, 0, 0), v(-1, 0, 0), 0, Infinity)).toBeCloseTo(4.5, 2)
    expect(torus.sweep(v(3.5, 0, 0), v(1, 0, 0), 0, Infinity)).toBe(Infinity)
  })
})

describe('a sheet', () => {
  // hills, seen from above
  const hills = new PlaneGeometry(40, 40, 80, 80).rotateX(-Math.PI / 2)
  const height = (x: number, z: number): number => Math.sin(x / 2) * Math.cos(z / 3)
  const points = hills.getAttribute('position')
  for (let i = 0; i < points.count; i++) points.setY(i, height(points.getX(i), points.getZ(i)))
  const terrain = new MeshShape(hills)

  law('has a distance that is never negative, and a normal towards the point', [vector(15)], (point) => {
    const normal = v(0, 0, 0)
    const distance = terrain.distance(point, normal)
    expect(distance).toBeGreaterThanOrEqual(0)
    const above = point.y - height(point.x, point.z)
    if (Math.abs(above) > 0.1)
      expect(Math.sign(distanceTo(terrain, plus(point, normal, -1.001 * distance - 1e-6)))).toBe(1)
    if (above > 0.1) expect(normal.y).toBeGreaterThan(0)
    if (above < -0.1) expect(normal.y).toBeLessThan(0)
    expect(distance).toBeLessThanOrEqual(Math.abs(above) + 0.02)
  })

  law('is touched from both sides', [vector(15), direction(), number(0, 0.5)], (origin, way, radius) => {
    fc.pre(distanceTo(terrain, origin) - radius > 1e-3)
    expectSweep(terrain, origin, way, radius, 60)
  })

  describe('answers as each of its triangles alone, whatever it was asked before', () => {
    const land = new PlaneGeometry(40, 40, 8, 8).rotateX(-Math.PI / 2)
    const corners = land.getAttribute('position')
    for (let i = 0; i < corners.count; i++) corners.setY(i, 5 * height(corners.getX(i), corners.getZ(i)))
    const whole = new MeshShape(land)
    const vertices = new Float32Array(corners.array)
    const each = Array.from(
      { length: land.index!.count / 3 },
      (_, k) =>
        new MeshShape({ vertices, indices: Uint32Array.from(land.index!.array.slice(3 * k, 3 * k + 3)) }),
    )
    const place = fc.oneof(
      vector(25),
      // at equal distances from several triangles
      fc.constantFrom(
        ...Array.from({ length: corners.count }, (_, i) =>
          plus(v(corners.getX(i), corners.getY(i), corners.getZ(i)), v(0, 1, 0), 3),
        ),
      ),
    )

    law('distances', [place], (point) => {
      const nearest = Math.min(...each.map((one) => distanceTo(one, point)))
      // the squares of smaller distances underflow
      fc.pre(nearest > 1e-140)
      expect(distanceTo(whole, point)).toBe(nearest)
    })

    law(
      'paths of balls',
      [place, direction(), fc.array(fc.tuple(number(0, 1), number(1, 60)), { minLength: 2, maxLength: 4 })],
      (origin, way, balls) => {
        for (const [radius, limit] of balls) {
          fc.pre(distanceTo(whole, origin) - radius > 1e-3)
          // without a limit, so that what they were asked before cannot be what is wrong
          const touch = Math.min(...each.map((one) => one.sweep(origin, way, radius, Infinity)))
          expect(whole.sweep(origin, way, radius, limit)).toBe(touch <= limit ? touch : Infinity)
        }
      },
      1000,
    )
  })

  it('of a triangle without area has a normal on it, too: up', () => {
    const line = new MeshShape({
      vertices: Float32Array.of(-9, 2, 0, 0, 2, 0, 9, 2, 0),
      indices: Uint32Array.of(0, 1, 2),
    })
    const normal = v(0, 0, 0)
    expect([line.distance(v(5, 2, 0), normal), normal]).toEqual([0, v(0, 1, 0)])
  })

  it('is left upwards and downwards', () => {
    for (const y of [1, -1]) {
      const out = terrain.leave(v(1, height(1, 2), 2), v(0, y, 0), 0.5)
      expect(distanceTo(terrain, v(1, height(1, 2) + y * out, 2))).toBeCloseTo(0.5, 5)
    }
  })

  const floor = new MeshShape(new PlaneGeometry(20, 20, 37, 41).rotateX(-Math.PI / 2))

  it('lets a ball that touches or overlaps a little slide over its triangles, up to a wall', () => {
    const wall = new PlaneGeometry(20, 20, 3, 3).rotateY(-Math.PI / 2).translate(8, 0, 0)
    const both = new BufferGeometry()
    const floorAt = new PlaneGeometry(20, 20, 37, 41).rotateX(-Math.PI / 2)
    const all = [
      ...floorAt.toNonIndexed().getAttribute('position').array,
      ...wall.toNonIndexed().getAttribute('position').array,
    ]
    both.setAttribute('position', new BufferAttribute(new Float32Array(all), 3))
    const room = new MeshShape(both)
    for (const sunk of [0, 1e-9, 1e-3, 0.2]) {
      const way = v(Math.cos(0.3), 0, Math.sin(0.3))
      expect(floor.sweep(v(0.1, 0.5 - sunk, -3), way, 0.5, Infinity)).toBe(Infinity)
      const t = room.sweep(v(0.1, 0.5 - sunk, -3), way, 0.5, Infinity)
      expect(0.1 + t * way.x).toBeCloseTo(8 - 0.5 + sunk, 3)
    }
  })

  it('lets a ball centred on it leave to both sides', () => {
    for (const y of [1, -1])
      for (const radius of [0, 0.5])
        expect(floor.sweep(v(0.1, 0, 0.1), v(0, y, 0), radius, Infinity)).toBe(Infinity)
    expect(floor.sweep(v(0.1, 0.2, 0.1), v(0, -1, 0), 0.5, Infinity)).toBe(0)
    expect(floor.sweep(v(0.1, 0.2, 0.1), v(0, 1, 0), 0.5, Infinity)).toBe(Infinity)
  })

  it('cannot be passed where its triangles meet', () => {
    for (let i = 0; i <= 37; i++)
      for (let k = 0; k <= 41; k += 3) {
        const x = -10 + (20 * i) / 37
        const z = -10 + (20 * k) / 41
        if (Math.abs(x) > 9.9 || Math.abs(z) > 9.9) continue
        expect(floor.sweep(v(x, 3, z), v(0, -1, 0), 0, Infinity)).toBeCloseTo(3, 6)
      }
  })
})

describe('a mesh', () => {
  it('has the given scale and rotation, also mirrored', () => {
    const box = new BoxGeometry(2, 2, 2)
    const half = { x: 1, y: 2, z: 3 }
    const shapes = [
      new MeshShape(box, { scale: half, solid: true }),
      new MeshShape(box, { scale: { x: -1, y: 2, z: 3 }, solid: true }),
      new MeshShape(box, { matrix: new Matrix4().makeScale(1, 2, -3), solid: true }),
      new MeshShape(box.toNonIndexed(), {
        scale: 2,
        matrix: new Matrix4().makeScale(0.5, 1, 1.5),
        solid: true,
      }),
    ]
    const oracle = new BoxShape(half)
    for (const shape of shapes)
      for (const point of fc.sample(vector(5), 50))
        expect(distanceTo(shape, point)).toBeCloseTo(distanceTo(oracle, point), 5)
  })

  it('copies the geometry', () => {
    const geometry = new BoxGeometry(2, 2, 2)
    const index = [...geometry.index!.array]
    const shape = new MeshShape(geometry)
    geometry.translate(100, 0, 0)
    expect(distanceTo(shape, v(3, 0, 0))).toBeCloseTo(2)
    expect([...geometry.index!.array]).toEqual(index)
  })

  it('is found as an obstacle like any other, also among many', () => {
    const rock = new MeshShape(new SphereGeometry(2, 32, 16), { solid: true })
    const set = new Obstacles(Array.from({ length: 40 }, (_, i) => ({ shape: rock, at: v(10 * i, 0, 0) })))
    const out: Obstacle[] = []
    expect(set.near(v(205, 0, 0), 3.5, out)).toBe(2)
    expect(set.sweep(v(100, 20, 0), v(0, -1, 0), 1)!.distance).toBeCloseTo(17, 1)
    expect(out[0]!.outline(v(0, 0, 0), 1, { circle: () => undefined, arc: () => undefined })).toBe(false)
  })

  law(
    'gives finite numbers everywhere',
    [direction(), fc.constantFrom(0, 1e-9, 1, 1e9)],
    (way, far) => {
      for (const solid of [true, false]) {
        const shape = new MeshShape(new BoxGeometry(2, 2, 2), { solid })
        const normal = v(NaN, NaN, NaN)
        const distance = shape.distance(times(way, far), normal)
        expectFinite(normal)
        expect(Number.isFinite(distance)).toBe(true)
        expect(Math.abs(dotOf(normal, normal) - 1)).toBeLessThan(1e-9)
        expect(shape.sweep(times(way, far), way, 1, Infinity)).toBeGreaterThanOrEqual(0)
        expect(shape.leave(times(way, far), way, 1)).toBeGreaterThanOrEqual(0)
        // on a corner, an edge and a face
        for (const point of [v(1, 1, 1), v(1, 1, 0.3), v(1, 0.2, 0.3)]) {
          expect(shape.distance(point, normal)).toBeCloseTo(0)
          expect(Math.abs(dotOf(normal, normal) - 1)).toBeLessThan(1e-9)
        }
        expect(Math.abs(normal.x)).toBeCloseTo(1, 9)
      }
    },
    30,
  )

  it('is refused when it is not a mesh, or not as its options state', () => {
    const box = new BoxGeometry()
    const bad: [() => unknown, RegExp][] = [
      [() => new MeshShape(null as never), /MeshShape.geometry: got null, must/],
      [() => new MeshShape(new BufferGeometry()), /MeshShape.geometry: .*must/],
      [() => new MeshShape(new BufferGeometry().setFromPoints([new Vector3()])), /no triangles, must/],
      [() => new MeshShape(new BoxGeometry(NaN)), /MeshShape.geometry: .*NaN.*must be finite/],
      [() => new MeshShape(box, { scale: 0 }), /MeshShape.scale: got \(0, 0, 0\), must/],
      [() => new MeshShape(box, { scale: NaN }), /MeshShape.scale: got NaN, must/],
      [() => new MeshShape(box, { scale: v(1, 0, 1) }), /MeshShape.scale: got \(1, 0, 1\), must/],
      [() => new MeshShape(box, { matrix: 5 as never }), /MeshShape.matrix: got 5, must/],
      [() => new MeshShape(box, { matrix: new Matrix4().makeScale(1, 0, 1) }), /MeshShape.matrix: .*0, must/],
      [() => new MeshShape(box, { solid: 'yes' as never }), /MeshShape.solid: got 'yes', must/],
      [
        () => new MeshShape(new PlaneGeometry(), { solid: true }),
        /MeshShape.solid: got .* 4 open edges, must/,
      ],
    ]
    for (const [act, says] of bad) {
      expect(act).toThrow(says)
      expect(act).toThrow(/must/)
    }
    const inside = new BoxGeometry()
    inside.index!.array.reverse()
    expect(() => new MeshShape(inside, { solid: true })).toThrow(/MeshShape.solid: .*inwards/)
  })
})
