import type { Matrix4 } from 'three'
import type { Vec3 } from '../../core/types.js'
import { quat, quatFromAxes } from '../../core/math/quat.js'
import { addScaled, cross, dot, lengthSq, normalize, perpendicular, set, vec3 } from '../../core/math/vec3.js'
import type { Stretch } from './fitted.js'

/** Axes shorter than this share of the longest one have no direction. */
const FLAT = 1e-9
/** A change of scale by less than this share is rounding, such as from quaternions of single precision. */
const SAME_STRETCH = 1e-5

// scratch of `decompose`: the columns of the matrix, and axes made of them
const columnX = vec3()
const columnY = vec3()
const columnZ = vec3()
const axisX = vec3()
const axisY = vec3()
const axisZ = vec3()

/**
 * A world matrix decomposed into position (m) and turn (unit quaternion), which an obstacle follows, and the
 * stretch that applies before them, with shear and mirroring.
 */
export class MeshPose {
  readonly position = vec3()
  readonly quaternion = quat()
  private readonly elements = new Float64Array(16).fill(NaN)
  private readonly stretchNow = new Float64Array(6)
  private readonly stretchTaken = new Float64Array(6).fill(NaN)

  /** Reads a world matrix. True when its stretch differs from that at the last call of `stretch`. */
  read({ elements }: Matrix4): boolean {
    let same = true
    for (let i = 0; i < 16; i++) {
      if (this.elements[i] === elements[i]) continue
      this.elements[i] = elements[i]!
      same = false
    }
    if (!same) this.decompose()
    let size = 0
    let change = 0
    for (let i = 0; i < 6; i++) {
      size = Math.max(size, Math.abs(this.stretchTaken[i]!))
      change = Math.max(change, Math.abs(this.stretchNow[i]! - this.stretchTaken[i]!))
    }
    return !(change <= SAME_STRETCH * size)
  }

  /** The present stretch. `read` compares with it from now on. */
  stretch(): Stretch {
    this.stretchTaken.set(this.stretchNow)
    const [xx, xy, xz, yy, yz, zz] = this.stretchNow
    return [xx!, xy!, xz!, yy!, yz!, zz!]
  }

  /** Makes the next `read` true. */
  forget(): void {
    this.stretchTaken.fill(NaN)
  }

  get isFinite(): boolean {
    return this.elements.every(Number.isFinite)
  }

  private decompose(): void {
    const { elements, stretchNow } = this
    set(columnX, elements[0]!, elements[1]!, elements[2]!)
    set(columnY, elements[4]!, elements[5]!, elements[6]!)
    set(columnZ, elements[8]!, elements[9]!, elements[10]!)
    orthonormalAxes(axisX, axisY, axisZ, columnX, columnY, columnZ)
    set(this.position, elements[12]!, elements[13]!, elements[14]!)
    quatFromAxes(this.quaternion, axisX, axisY)
    stretchNow[0] = dot(axisX, columnX)
    stretchNow[1] = dot(axisX, columnY)
    stretchNow[2] = dot(axisX, columnZ)
    stretchNow[3] = dot(axisY, columnY)
    stretchNow[4] = dot(axisY, columnZ)
    stretchNow[5] = dot(axisZ, columnZ)
  }
}

/**
 * Orthonormal axes: x along a, y in the plane of a and b, z perpendicular to both (Gram and Schmidt). Where
 * the scale is zero, any fitting direction.
 */
function orthonormalAxes(x: Vec3, y: Vec3, z: Vec3, a: Vec3, b: Vec3, c: Vec3): void {
  const minLengthSq = FLAT * FLAT * Math.max(lengthSq(a), lengthSq(b), lengthSq(c))
  if (lengthSq(a) > minLengthSq) normalize(x, a)
  else if (!normalizeInto(x, cross(x, b, c), minLengthSq * minLengthSq))
    perpendicular(x, normalize(y, lengthSq(b) > lengthSq(c) ? b : c))
  if (
    !normalizeInto(y, addScaled(y, b, x, -dot(x, b)), minLengthSq) &&
    !normalizeInto(y, cross(y, c, x), minLengthSq)
  )
    perpendicular(y, x)
  cross(z, x, y)
}

/** Writes the direction of `v`. False, with `out` unchanged, when `v` is too short. */
function normalizeInto(out: Vec3, v: Vec3, minLengthSq: number): boolean {
  if (!(lengthSq(v) > minLengthSq)) return false
  normalize(out, v)
  return true
}
