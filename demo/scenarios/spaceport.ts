import { Body, Box, Quaternion, Sphere, Vec3 } from 'cannon-es'

/** Sizes of the model, m. */
const RING = 10.5
const TUBE = 1.7
export const PORT_REACH = 19
export const PORTS = 5

/** Length of the lit corridor in front of a port, m. */
export const CORRIDOR = 18

/** Its drift, m/s, and its turn about its own +Y, rad/s. */
const DRIFT = new Vec3(0.42, 0.06, -0.16)
export const SPIN = 0.032
/** Where its axis points. */
const AXIS = new Vec3(-0.2, 0.93, 0.3).unit()
const MASS = 400_000
/** What its wheels can do, rad/s². */
const MAX_TURN = 0.0003

/** The mine: an ore rock that drifts with the station. Relative to it, m. */
const MINE_OFF = new Vec3(-64, 14, -58)
export const MINE_RADIUS = 13
const MINE_MASS = 2_000_000

/** Everything is inside of this, port corridors included, m. */
export const STATION_REACH = PORT_REACH + CORRIDOR

/** A turning, drifting wheel with ports around it. A free body like any other, only heavy. */
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
    const long = PORT_REACH - 0.1 - RING
    const middle = new Vec3(Math.sin(angle), 0, Math.cos(angle)).scale(RING + long / 2)
    body.addShape(new Box(new Vec3(1.1, 0.9, long / 2)), middle, turn)
  }
  body.quaternion.setFromVectors(new Vec3(0, 1, 0), AXIS)
  body.velocity.copy(DRIFT)
  AXIS.scale(SPIN, body.angularVelocity)
  return body
}

/** Pushes the station, for the next step, to another turn about its own axis, rad/s. */
export function turnStation(station: Body, spin: number): void {
  const axis = station.quaternion.vmult(new Vec3(0, 1, 0))
  const lack = spin - station.angularVelocity.dot(axis)
  const turn = Math.max(-MAX_TURN, Math.min(MAX_TURN, lack)) * station.inertia.y
  station.torque.addScaledVector(turn, axis, station.torque)
}

/** Outward direction of port `k` in the body's axes. */
export function portOutward(k: number): Vec3 {
  const angle = (k / PORTS) * 2 * Math.PI
  return new Vec3(Math.sin(angle), 0, Math.cos(angle))
}

/** Turn that takes +Y to the corridor of port `k`, in the body's axes. */
export function corridorTurn(k: number): Quaternion {
  return new Quaternion().setFromVectors(new Vec3(0, 1, 0), portOutward(k))
}

export function buildMine(): Body {
  const body = new Body({ mass: MINE_MASS, linearDamping: 0, angularDamping: 0, allowSleep: false })
  body.addShape(new Sphere(MINE_RADIUS))
  body.position.copy(MINE_OFF)
  body.velocity.copy(DRIFT)
  return body
}

/** Direction of loading pad `k` of `count` from the middle of the mine: a crown on the side of the station. */
export function padDirection(k: number, count: number): Vec3 {
  const to = MINE_OFF.negate().unit()
  const side = to.cross(new Vec3(0, 1, 0)).unit()
  const top = side.cross(to)
  const angle = ((k + 0.5) / count) * 2 * Math.PI
  return to
    .scale(0.5)
    .vadd(side.scale(Math.cos(angle)))
    .vadd(top.scale(Math.sin(angle)))
    .unit()
}
