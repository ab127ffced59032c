import { Body, Box, Quaternion, Sphere, Vec3 } from 'cannon-es'
import { Path } from 'three-steering'

/** Dimensions of the model (m). */
const RING = 10.5
const TUBE = 1.7
export const PORT_REACH = 19
export const PORTS = 5

/** Length of the lit corridor in front of a port (m). */
export const CORRIDOR = 18

/** Drift (m/s), and rotation about its own +Y (rad/s). */
const DRIFT = new Vec3(0.42, 0.06, -0.16)
export const SPIN = 0.032
/** Direction of its axis. */
const AXIS = new Vec3(-0.2, 0.93, 0.3).unit()
const MASS = 400_000
/** Greatest angular acceleration by the reaction wheels (rad/s²). */
const MAX_TURN = 0.0003

/** The mine: an ore rock that drifts with the station. Offset from the station, radius (m), and mass (kg). */
const MINE_OFFSET = new Vec3(-64, 14, -58)
export const MINE_RADIUS = 13
const MINE_MASS = 2_000_000

/** A rotating, drifting wheel with ports around it. It is a free body with a large mass. */
export function buildStation(): Body {
  const body = new Body({ mass: MASS, linearDamping: 0, angularDamping: 0, allowSleep: false })
  body.addShape(new Sphere(3), new Vec3(0, 0, 0))
  for (const y of [-10, -6.5, 5, 9]) body.addShape(new Sphere(2.3), new Vec3(0, y, 0))
  for (let k = 0; k < 30; k++) {
    const angle = (k / 30) * 2 * Math.PI
    body.addShape(new Sphere(TUBE), new Vec3(RING * Math.sin(angle), 0, RING * Math.cos(angle)))
  }
  for (let k = 0; k < PORTS; k++) {
    const angle = (k / PORTS) * 2 * Math.PI
    const turn = new Quaternion().setFromAxisAngle(new Vec3(0, 1, 0), angle)
    const length = PORT_REACH - 0.1 - RING
    const middle = new Vec3(Math.sin(angle), 0, Math.cos(angle)).scale(RING + length / 2)
    body.addShape(new Box(new Vec3(1.1, 0.9, length / 2)), middle, turn)
  }
  body.quaternion.setFromVectors(new Vec3(0, 1, 0), AXIS)
  body.velocity.copy(DRIFT)
  AXIS.scale(SPIN, body.angularVelocity)
  return body
}

/** Adds a torque for the next step that changes the rotation about its axis towards `spin` (rad/s). */
export function turnStation(station: Body, spin: number): void {
  const axis = station.quaternion.vmult(new Vec3(0, 1, 0))
  const error = spin - station.angularVelocity.dot(axis)
  const turn = Math.max(-MAX_TURN, Math.min(MAX_TURN, error)) * station.inertia.y
  station.torque.addScaledVector(turn, axis, station.torque)
}

/** Outward direction of port `k` in the body's axes. */
export function portOutward(k: number): Vec3 {
  const angle = (k / PORTS) * 2 * Math.PI
  return new Vec3(Math.sin(angle), 0, Math.cos(angle))
}

/** Rotation that takes +Y to the corridor of port `k`, in the body's axes. */
export function corridorTurn(k: number): Quaternion {
  return new Quaternion().setFromVectors(new Vec3(0, 1, 0), portOutward(k))
}

export function buildMine(): Body {
  const body = new Body({ mass: MINE_MASS, linearDamping: 0, angularDamping: 0, allowSleep: false })
  body.addShape(new Sphere(MINE_RADIUS))
  body.position.copy(MINE_OFFSET)
  body.velocity.copy(DRIFT)
  return body
}

/**
 * Direction of loading pad `k` of `count` from the centre of the mine: a ring on the side towards the
 * station.
 */
export function padDirection(k: number, count: number): Vec3 {
  const to = MINE_OFFSET.negate().unit()
  const side = to.cross(new Vec3(0, 1, 0)).unit()
  const top = side.cross(to)
  const angle = ((k + 0.5) / count) * 2 * Math.PI
  return to
    .scale(0.5)
    .vadd(side.scale(Math.cos(angle)))
    .vadd(top.scale(Math.sin(angle)))
    .unit()
}

/**
 * A closed round about the station, `radius` from its axis (m), that passes `over` metres above the mine and
 * as far below on the other side.
 */
export function roundOf(radius: number, over: number): Path {
  const mine = Math.atan2(MINE_OFFSET.x, MINE_OFFSET.z)
  const points = Array.from({ length: 12 }, (_, k) => {
    const angle = (k / 12) * 2 * Math.PI
    const y = over * Math.cos(angle - mine)
    return { x: radius * Math.sin(angle), y: y + MINE_OFFSET.y, z: radius * Math.cos(angle) }
  })
  return new Path({ points, ends: 'closed' })
}
