import type { Matrix4 } from 'three'
import type { Vec3 } from '../../types.js'
import { quat, quatFromAxes } from '../../math/quat.js'
import { addScaled, cross, dot, lengthSq, normalize, perpendicular, set, vec3 } from '../../math/vec3.js'
import type { Stretch } from './fit-objects.js'

/** Relative to the longest: axes shorter than this have no direction. */
const FLAT = 1e-9
/** Relative: a smaller change of scale is rounding, such as that of quaternions of single precision. */
const SAME = 1e-5

const a = vec3()
const b = vec3()
const c = vec3()
const x = vec3()
const y = vec3()
const z = vec3()

/**
 * A world matrix taken apart: how it moves and turns (m, unit quaternion; an obstacle follows them), and how it stretches before,
 * shear and mirrors included.
 */
export class MeshPose {
  readonly position = vec3()
  readonly quaternion = quat()
  private readonly elements = new Float64Array(16).fill(NaN)
  private readonly now = new Float64Array(6)
  private readonly taken = new Float64Array(6).fill(NaN)

  /** Reads a world matrix. True when it stretches otherwise than at the last call of `stretch`. */
  read({ elements }: Matrix4): boolean {
    let same = true
    for (let i = 0; i < 16; i++) {
      if (this.elements[i] === elements[i]) continue
      this.elements[i] = elements[i]!
      same = false
    }
    if (!same) this.take()
    let size = 0
    let off = 0
    for (let i = 0; i < 6; i++) {
      size = Math.max(size, Math.abs(this.taken[i]!))
      off = Math.max(off, Math.abs(this.now[i]! - this.taken[i]!))
    }
    return !(off <= SAME * size)
  }

  /** How the matrix stretches now. Changes are counted from here on. */
  stretch(): Stretch {
    this.taken.set(this.now)
    const [xx, xy, xz, yy, yz, zz] = this.now
    return [xx!, xy!, xz!, yy!, yz!, zz!]
  }

  /** Makes the next `read` true. */
  forget(): void {
    this.taken.fill(NaN)
  }

  get isFinite(): boolean {
    return this.elements.every(Number.isFinite)
  }

  private take(): void {
    const { elements, now } = this
    set(a, elements[0]!, elements[1]!, elements[2]!)
    set(b, elements[4]!, elements[5]!, elements[6]!)
    set(c, elements[8]!, elements[9]!, elements[10]!)
    axes()
    set(this.position, elements[12]!, elements[13]!, elements[14]!)
    quatFromAxes(this.quaternion, x, y)
    now[0] = dot(x, a)
    now[1] = dot(x, b)
    now[2] = dot(x, c)
    now[3] = dot(y, b)
    now[4] = dot(y, c)
    now[5] = dot(z, c)
  }
}

/** x along a, y in the plane of a and b, z at right angles to both (Gram and Schmidt); where scale is zero, whatever else fits. */
function axes(): void {
  const least = FLAT * FLAT * Math.max(lengthSq(a), lengthSq(b), lengthSq(c))
  if (lengthSq(a) > least) normalize(x, a)
  else if (!direction(x, cross(x, b, c), least * least))
    perpendicular(x, normalize(y, lengthSq(b) > lengthSq(c) ? b : c))
  if (!direction(y, addScaled(y, b, x, -dot(x, b)), least) && !direction(y, cross(y, c, x), least))
    perpendicular(y, x)
  cross(z, x, y)
}

/** Makes `v` unit. False, and nothing done, when it is too short. */
function direction(out: Vec3, v: Vec3, least: number): boolean {
  if (!(lengthSq(v) > least)) return false
  normalize(out, v)
  return true
}
