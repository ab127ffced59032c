import type { Vec3, Vec3Like } from '../types.js'
import type { OutlineSink } from './shape.js'
import { TAU } from '../math/scalar.js'
import { length, set } from '../math/vec3.js'
import { columnPlanes, polytopeOutline } from './outline.js'
import { polytope, type Polytope } from './polytope.js'
import { ConvexShape } from './convex-shape.js'
import { CENTER } from './sweep.js'
import { type OptionTable, readOptions } from '../math/options.js'

/** Sides of the prism that replaces the cylinder in outlines. More: rounder, dearer. Chosen by hand. */
const SIDES = 16

/** A cylinder around the origin, with its axis along y. */
export class CylinderShape extends ConvexShape {
  static readonly options = {
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    height: { kind: 'number', required: true, unit: 'm', above: 0 },
  } satisfies OptionTable<{ radius: number; height: number }>

  readonly kind = 'cylinder'
  /** m, > 0. */
  readonly radius!: number
  /** m, > 0. */
  readonly height!: number
  private readonly prism: Polytope

  /**
   * Oriented as `THREE.CylinderGeometry` and `CANNON.Cylinder`, with both of their radii equal to `radius`.
   * @throws TypeError / RangeError naming the value.
   */
  constructor(radius: number, height: number) {
    super()
    Object.assign(this, readOptions('CylinderShape', CylinderShape.options, { radius, height }))
    this.prism = prismAround(radius, height)
  }

  distance({ x, y, z }: Vec3Like, normal: Vec3): number {
    const sign = y < 0 ? -1 : 1
    set(normal, x, 0, z)
    const axisDistance = length(normal)
    const outX = axisDistance > CENTER ? x / axisDistance : 1
    const outZ = axisDistance > CENTER ? z / axisDistance : 0
    const sideDistance = axisDistance - this.radius
    const endDistance = sign * y - this.height / 2
    if (sideDistance > CENTER && endDistance > CENTER) {
      set(normal, outX * sideDistance, sign * endDistance, outZ * sideDistance)
      const d = length(normal)
      normal.x /= d
      normal.y /= d
      normal.z /= d
      return d
    }
    if (sideDistance >= endDistance) {
      set(normal, outX, 0, outZ)
      return sideDistance
    }
    set(normal, 0, sign, 0)
    return endDistance
  }

  support({ x, y, z }: Vec3Like): number {
    return this.radius * Math.sqrt(x * x + z * z) + (Math.abs(y) * this.height) / 2
  }

  /**
   * The two planes along the curved side are exact. The rims are replaced by the edges of a prism around the
   * cylinder, which lie up to 2 % of the radius outside.
   */
  outline(from: Vec3Like, radius: number, rim: OutlineSink): void {
    columnPlanes(from, this.radius + radius, this.height / 2, rim)
    polytopeOutline(this.prism, from, radius, rim)
  }
}

function prismAround(radius: number, height: number): Polytope {
  const vertices: Vec3Like[] = []
  const faces: number[][] = [[], []]
  const corner = radius / Math.cos(Math.PI / SIDES)
  for (let i = 0; i < SIDES; i++) {
    const x = corner * Math.cos((i * TAU) / SIDES)
    const z = corner * Math.sin((i * TAU) / SIDES)
    vertices.push({ x, y: -height / 2, z }, { x, y: height / 2, z })
    const [a, b, c, d] = [2 * i, 2 * i + 1, (2 * i + 3) % (2 * SIDES), (2 * i + 2) % (2 * SIDES)]
    faces.push([a, b, c, d])
    faces[0]!.push(a)
    faces[1]!.unshift(b)
  }
  return polytope(vertices, faces)
}
