import type { Step } from '../types.js'
import { modelAttitude } from '../control/turn.js'
import { loadQuat, normalizeQuat, quat, quatFromAxes, saveQuat } from '../math/quat.js'
import { cross, dot, length, load, save, scale, vec3 } from '../math/vec3.js'
import { ANGULAR_DAMPING, DAMPING, INERTIA, MAX_TURN_RATE, TRAITS, type Agents } from './agents.js'
import { carryCourse } from './course.js'
import type { Guard } from './guard.js'
import type { ReportFault } from './faults.js'

const positionBefore = vec3()
const omega = vec3()
const attitude = quat()
const axes = quat()
const ahead = vec3()
const previousHeading = vec3()
const top = vec3()

/**
 * Moves an agent without a body by its force and torque: semi-implicit Euler (Green, `Vehicle::update`, with
 * mass and step), that is, velocity first, then position with the new velocity. Before, damping takes its
 * share of the velocity, as in cannon-es.
 */
export function integrate(
  agents: Agents,
  row: number,
  step: Step,
  pointMass: boolean,
  guard: Guard | null,
  report: ReportFault,
): void {
  const { dt } = step
  const { course, position, velocity, gravity, given, traits, turned } = agents
  const v = 3 * row
  const w = 6 * row
  const k = dt / traits[TRAITS * row]!
  const kept = keptIn(dt, traits[TRAITS * row + DAMPING]!)
  const vx = velocity[v]! * kept + given[w]! * k + gravity[v]! * dt
  const vy = velocity[v + 1]! * kept + given[w + 1]! * k + gravity[v + 1]! * dt
  const vz = velocity[v + 2]! * kept + given[w + 2]! * k + gravity[v + 2]! * dt
  const x = position[v]! + vx * dt
  const y = position[v + 1]! + vy * dt
  const z = position[v + 2]! + vz * dt
  // an agent whose position would overflow stays where it is
  if (!(Math.abs(x) + Math.abs(y) + Math.abs(z) < Infinity)) return
  if (guard !== null) load(positionBefore, position, v)
  velocity[v] = vx
  velocity[v + 1] = vy
  velocity[v + 2] = vz
  position[v] = x
  position[v + 1] = y
  position[v + 2] = z
  guard?.hold(agents, row, positionBefore, step, report)
  if (pointMass) {
    const t = 5 * row
    turned[t] = course[w]!
    turned[t + 1] = course[w + 1]!
    turned[t + 2] = course[w + 2]!
    turned[t + 3] = dt
    turned[t + 4] = traits[TRAITS * row + MAX_TURN_RATE]! * dt
  }
  carryCourse(agents, row)
  if (!pointMass) turn(agents, row, step)
}

/** Share of a velocity that is left after `dt` (s) by a loss of `rate` (1/s). */
function keptIn(dt: number, rate: number): number {
  return rate > 0 ? Math.exp(-rate * dt) : 1
}

/** Turns an agent by its torque. With plain numbers, because it runs for every bird in every step. */
function turn(agents: Agents, row: number, { dt }: Step): void {
  const { given, inertiaFrame, lastAngularVelocity, lastOrientation, traits } = agents
  const v = 3 * row
  const q = 4 * row
  const w = 6 * row + 3
  const t = TRAITS * row
  const qx = lastOrientation[q]!
  const qy = lastOrientation[q + 1]!
  const qz = lastOrientation[q + 2]!
  const qw = lastOrientation[q + 3]!
  // the attitude of the principal axes
  const fx = inertiaFrame[q]!
  const fy = inertiaFrame[q + 1]!
  const fz = inertiaFrame[q + 2]!
  const fw = inertiaFrame[q + 3]!
  const own = fx === 0 && fy === 0 && fz === 0
  const px = own ? qx : qw * fx + qx * fw + qy * fz - qz * fy
  const py = own ? qy : qw * fy - qx * fz + qy * fw + qz * fx
  const pz = own ? qz : qw * fz + qx * fy - qy * fx + qz * fw
  const pw = own ? qw : qw * fw - qx * fx - qy * fy - qz * fz
  // as `turnAcceleration`
  let x = given[w]!
  let y = given[w + 1]!
  let z = given[w + 2]!
  let tx = 2 * (pz * y - py * z)
  let ty = 2 * (px * z - pz * x)
  let tz = 2 * (py * x - px * y)
  const ix = traits[t + INERTIA]!
  const iy = traits[t + INERTIA + 1]!
  const iz = traits[t + INERTIA + 2]!
  x = ix > 0 ? (x + pw * tx - py * tz + pz * ty) / ix : 0
  y = iy > 0 ? (y + pw * ty - pz * tx + px * tz) / iy : 0
  z = iz > 0 ? (z + pw * tz - px * ty + py * tx) / iz : 0
  tx = 2 * (py * z - pz * y)
  ty = 2 * (pz * x - px * z)
  tz = 2 * (px * y - py * x)
  const kept = keptIn(dt, traits[t + ANGULAR_DAMPING]!)
  const sx = lastAngularVelocity[v]! * kept + (x + pw * tx + py * tz - pz * ty) * dt
  const sy = lastAngularVelocity[v + 1]! * kept + (y + pw * ty + pz * tx - px * tz) * dt
  const sz = lastAngularVelocity[v + 2]! * kept + (z + pw * tz + px * ty - py * tx) * dt
  lastAngularVelocity[v] = sx
  lastAngularVelocity[v + 1] = sy
  lastAngularVelocity[v + 2] = sz
  // as `spin`
  const rate = Math.sqrt(sx * sx + sy * sy + sz * sz)
  const half = 0.5 * rate * dt
  const k = rate > 1e-12 ? Math.sin(half) / rate : 0.5 * dt
  const cosine = Math.cos(half)
  const rx = sx * k
  const ry = sy * k
  const rz = sz * k
  attitude.x = cosine * qx + rx * qw + ry * qz - rz * qy
  attitude.y = cosine * qy - rx * qz + ry * qw + rz * qx
  attitude.z = cosine * qz + rx * qy - ry * qx + rz * qw
  attitude.w = cosine * qw - rx * qx - ry * qy - rz * qz
  saveQuat(normalizeQuat(attitude, attitude), lastOrientation, q)
}

/**
 * A point mass has no attitude of its own: it points along its course, and its angular velocity is that of
 * its course. Computed for all that have moved, see `Agents.turned`.
 */
export function alignAll(agents: Agents): void {
  agents.align = null
  const { turned } = agents
  for (let row = 0; 5 * row < turned.length; row++) {
    if (turned[5 * row + 3]! > 0) alignWithCourse(agents, row)
    turned[5 * row + 3] = 0
  }
}

function alignWithCourse(agents: Agents, row: number): void {
  const { course, turned } = agents
  const c = 6 * row
  const q = 4 * row
  const t = 5 * row
  load(previousHeading, turned, t)
  load(ahead, course, c)
  load(top, course, c + 3)
  loadQuat(axes, agents.axes, q)
  saveQuat(modelAttitude(attitude, quatFromAxes(attitude, ahead, top), axes), agents.lastOrientation, q)
  cross(omega, previousHeading, ahead)
  const sine = length(omega)
  const angle = Math.atan2(sine, dot(previousHeading, ahead))
  // a course that turns faster than the agent can, as from rest, is a jump and not a rotation: its angular
  // velocity is 0
  const spins = sine > 0 && angle <= turned[t + 4]!
  scale(omega, omega, spins ? angle / (sine * turned[t + 3]!) : 0)
  save(omega, agents.lastAngularVelocity, 3 * row)
}
