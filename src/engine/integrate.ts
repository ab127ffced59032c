import type { Step } from '../types.js'
import { modelAttitude, turnAcceleration } from '../control/turn.js'
import { quat, quatFromAxes, setQuat, spin } from '../math/quat.js'
import { addScaled, cross, dot, length, scale, set, vec3 } from '../math/vec3.js'
import { INERTIA, MAX_TURN_RATE, TRAITS, type Agents } from './agents.js'
import { carryCourse } from './course.js'
import type { Guard } from './guard.js'
import type { ReportFault } from './faults.js'

const positionBefore = vec3()
const torque = vec3()
const angularAcceleration = vec3()
const omega = vec3()
const attitude = quat()
const axes = quat()
const ahead = vec3()
const previousHeading = vec3()
const top = vec3()
const solid = { orientation: attitude, inertia: vec3(), inertiaFrame: quat() }

/**
 * Moves an agent without a body by its force and torque: semi-implicit Euler (Green, `Vehicle::update`, with
 * mass and step), that is, velocity first, then position with the new velocity.
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
  const { position, velocity, gravity, given } = agents
  const v = 3 * row
  const w = 6 * row
  const k = dt / agents.traits[TRAITS * row]!
  const vx = velocity[v]! + given[w]! * k + gravity[v]! * dt
  const vy = velocity[v + 1]! + given[w + 1]! * k + gravity[v + 1]! * dt
  const vz = velocity[v + 2]! + given[w + 2]! * k + gravity[v + 2]! * dt
  const x = position[v]! + vx * dt
  const y = position[v + 1]! + vy * dt
  const z = position[v + 2]! + vz * dt
  // an agent whose position would overflow stays where it is
  if (!(Math.abs(x) + Math.abs(y) + Math.abs(z) < Infinity)) return
  if (guard !== null) set(positionBefore, position[v]!, position[v + 1]!, position[v + 2]!)
  velocity[v] = vx
  velocity[v + 1] = vy
  velocity[v + 2] = vz
  position[v] = x
  position[v + 1] = y
  position[v + 2] = z
  guard?.hold(agents, row, positionBefore, step, report)
  const c = 6 * row
  set(previousHeading, agents.course[c]!, agents.course[c + 1]!, agents.course[c + 2]!)
  carryCourse(agents, row)
  if (pointMass) alignWithCourse(agents, row, step)
  else turn(agents, row, step)
}

function turn(agents: Agents, row: number, { dt }: Step): void {
  const { orientation, angularVelocity, inertiaFrame, traits, given } = agents
  const v = 3 * row
  const q = 4 * row
  const w = 6 * row
  const t = TRAITS * row + INERTIA
  setQuat(attitude, orientation[q]!, orientation[q + 1]!, orientation[q + 2]!, orientation[q + 3]!)
  set(solid.inertia, traits[t]!, traits[t + 1]!, traits[t + 2]!)
  setQuat(
    solid.inertiaFrame,
    inertiaFrame[q]!,
    inertiaFrame[q + 1]!,
    inertiaFrame[q + 2]!,
    inertiaFrame[q + 3]!,
  )
  turnAcceleration(angularAcceleration, solid, set(torque, given[w + 3]!, given[w + 4]!, given[w + 5]!))
  set(omega, angularVelocity[v]!, angularVelocity[v + 1]!, angularVelocity[v + 2]!)
  addScaled(omega, omega, angularAcceleration, dt)
  angularVelocity[v] = omega.x
  angularVelocity[v + 1] = omega.y
  angularVelocity[v + 2] = omega.z
  store(agents, row, spin(attitude, attitude, omega, dt))
}

/**
 * A point mass has no attitude of its own: it points along its course, and its angular velocity is that of
 * its course, which was along `previousHeading`.
 */
function alignWithCourse(agents: Agents, row: number, { dt }: Step): void {
  const { course } = agents
  const c = 6 * row
  const q = 4 * row
  set(ahead, course[c]!, course[c + 1]!, course[c + 2]!)
  set(top, course[c + 3]!, course[c + 4]!, course[c + 5]!)
  setQuat(axes, agents.axes[q]!, agents.axes[q + 1]!, agents.axes[q + 2]!, agents.axes[q + 3]!)
  store(agents, row, modelAttitude(attitude, quatFromAxes(attitude, ahead, top), axes))
  cross(omega, previousHeading, ahead)
  const sine = length(omega)
  const angle = Math.atan2(sine, dot(previousHeading, ahead))
  // a course that turns faster than the agent can, as from rest, is a jump and not a rotation: its angular
  // velocity is 0
  const spins = sine > 0 && angle <= agents.traits[TRAITS * row + MAX_TURN_RATE]! * dt
  scale(omega, omega, spins ? angle / (sine * dt) : 0)
  const v = 3 * row
  agents.angularVelocity[v] = omega.x
  agents.angularVelocity[v + 1] = omega.y
  agents.angularVelocity[v + 2] = omega.z
}

function store(agents: Agents, row: number, { x, y, z, w }: typeof attitude): void {
  const { orientation } = agents
  const q = 4 * row
  orientation[q] = x
  orientation[q + 1] = y
  orientation[q + 2] = z
  orientation[q + 3] = w
}
