import type { Vec3 } from '../../types.js'
import { addScaled, cross, vec3 } from '../../math/vec3.js'
import type { PortPose } from './port-pose.js'
import type { Port } from './port.js'

/** So many wait around the axis in one ring. */
const RING = 6

const side = vec3()

/** Writes where the ship in this place of the queue (from 1) waits: m, world axes, from the carrier's centre; rings around the axis, beyond the mouth. */
export function holdingPlace(
  out: Vec3,
  { outward, port: at, up }: PortPose,
  port: Port,
  place: number,
): Vec3 {
  const ring = Math.floor((place - 1) / RING)
  const angle = (2 * Math.PI * ((place - 1) % RING)) / RING
  const radius = port.spacing * (1 + ring)
  cross(side, outward, up)
  addScaled(out, at, outward, port.holdingDistance)
  addScaled(out, out, up, radius * Math.sin(angle))
  return addScaled(out, out, side, radius * Math.cos(angle))
}
