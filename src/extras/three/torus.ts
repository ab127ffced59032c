import type { TorusGeometry } from 'three'
import type { Vec3 } from '../../core/types.js'
import { CapsuleShape } from '../../core/obstacles/capsule.js'
import { quat, quatBetween } from '../../core/math/quat.js'
import { TAU } from '../../core/math/scalar.js'
import { addScaled, length, load, normalize, sub, vec3 } from '../../core/math/vec3.js'
import { stretched, type Fitted, type Stretch } from './fitted.js'

/** Deviation, as a share of the size, that is rounding of vertices in single precision. */
const TOLERANCE = 1e-5
/** Capsules of a full ring: it is 2 % of its radius too thick then. Chosen by hand. */
const PARTS = 12
const UP: Vec3 = vec3(0, 1, 0)

/**
 * A ring of capsules around a `TorusGeometry`, with the vertices `points` (`[3 × n]`), so that agents pass
 * through its hole. Null for other geometries, a ring without a hole, and vertices that have changed since.
 */
export function fitTorus(
  { type, parameters }: Partial<TorusGeometry>,
  points: Float64Array,
  stretch: Stretch,
): Fitted[] | null {
  if (type !== 'TorusGeometry' || parameters === undefined) return null
  const { radius, tube, arc } = parameters
  const tolerance = TOLERANCE * (radius + tube)
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = points.subarray(i, i + 3) as unknown as [number, number, number]
    if (!(Math.abs(Math.hypot(Math.hypot(x, y) - radius, z) - tube) <= tolerance)) return null
  }
  const parts = Math.max(1, Math.ceil((PARTS * arc) / TAU - 1e-9))
  // the corners lie as far outside the circle as the middles of the sides lie inside
  const corner = (2 * radius) / (1 + Math.cos(arc / parts / 2))
  const corners = new Float64Array(3 * (parts + 1))
  for (let i = 0; i <= parts; i++) {
    const angle = (i * arc) / parts
    corners[3 * i] = corner * Math.cos(angle)
    corners[3 * i + 1] = corner * Math.sin(angle)
  }
  const ends = stretched(corners, stretch)
  const thickness = (tube + corner - radius) * largestStretch(stretch)
  const fitted: Fitted[] = []
  for (let i = 0; i < parts; i++) {
    const from = load(vec3(), ends, 3 * i)
    const to = load(vec3(), ends, 3 * i + 3)
    const along = sub(vec3(), to, from)
    const straight = length(along)
    const offset = addScaled(vec3(), from, along, 0.5)
    if (!(straight > 0 && length(offset) > thickness)) return null
    const turn = quatBetween(quat(), UP, normalize(along, along))
    fitted.push({ shape: new CapsuleShape(thickness, straight), offset, turn })
  }
  return fitted
}

/** An upper bound of the factor by which a length is stretched: exact without shear. */
function largestStretch([xx, xy, xz, yy, yz, zz]: Stretch): number {
  const rows = Math.max(Math.abs(xx) + Math.abs(xy) + Math.abs(xz), Math.abs(yy) + Math.abs(yz), Math.abs(zz))
  const columns = Math.max(
    Math.abs(xx),
    Math.abs(xy) + Math.abs(yy),
    Math.abs(xz) + Math.abs(yz) + Math.abs(zz),
  )
  return Math.sqrt(rows * columns)
}
