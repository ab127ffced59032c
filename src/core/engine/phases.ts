import type { BodyState, SteeringBody, Step, Vec3Like, Wrench } from '../types.js'
import { isLocked } from '../control/lock.js'
import { copyQuat, loadQuat, nlerp, quat, rotate, saveQuat } from '../math/quat.js'
import { copy, isZero, length, load, save, set, sub, vec3 } from '../math/vec3.js'
import { zeroWrench } from '../math/wrench.js'
import * as T from './agents.js'
import type { Agents, Binding, Box } from './agents.js'
import { bodyState, readBody, unusable } from './body-state.js'
import { carryCourse } from './course.js'
import { alignAll, integrate } from './integrate.js'
import { bodyOptions, lossRate, writeGravity, writeLock, writeMassFrame } from './options.js'
import type { Guard } from './guard.js'
import { nameOf, type ReportFault } from './faults.js'
import { show } from '../math/show.js'

const wrench: Wrench = zeroWrench()
const pose = { position: vec3(), quaternion: quat() }
const previousQuat = quat()
const arm = vec3()

/** An acceleration below this (m/s², rad/s²) moves a body by less than rounding does. */
const NEGLIGIBLE = 1e-8

/**
 * Phase "read": copies the state of the bodies into the columns, so all agents see the same instant, and
 * keeps the pose as the start of the interpolation. An agent whose body cannot be read, or whose state is not
 * finite, is lost for this step.
 */
export function readStates(agents: Agents, report: ReportFault): void {
  const { body, view, count, lost } = agents
  for (let row = 0; row < count; row++) {
    const ownBody = body[row]
    if (ownBody) {
      lost[row] = readState(agents, row, ownBody, report) ? 0 : 1
      if (lost[row] === 0) carryCourse(agents, row)
      else agents.given.fill(0, 6 * row, 6 * row + 6)
    }
    if (view[row] !== null) savePose(agents, row)
  }
}

/** Reads the state of a body. False when it is in no world; false and a fault for a state of no use. */
function readState(agents: Agents, row: number, ownBody: SteeringBody, report: ReportFault): boolean {
  try {
    if (ownBody.isThere?.() === false) return false
    readBody(ownBody)
    copyState(agents, row, ownBody, bodyState)
    const field = unusable()
    if (field === '') return true
    report(row, nameOf(ownBody, 'body'), 'not finite', `${field} is not finite, or missing`)
  } catch (error) {
    report(row, nameOf(ownBody, 'body'), 'threw', `read threw ${show(error)}`)
  }
  return false
}

/** Phase "act": bodies get their force and torque, agents without a body are integrated. */
export function act(
  agents: Agents,
  step: Step,
  wrap: Box | null,
  guard: Guard | null,
  report: ReportFault,
): void {
  guard?.begin(step, report)
  const { body, binding, count, lost, given } = agents
  for (let row = 0; row < count; row++) {
    if (lost[row] === 1) continue
    const ownBody = body[row]
    if (!ownBody) {
      integrate(agents, row, step, isPointMass(binding[row]!, row, report), guard, report)
      if (wrap !== null) wrapPosition(agents, row, wrap)
      continue
    }
    const w = 6 * row
    load(wrench.force, given, w)
    load(wrench.torque, given, w + 3)
    dropRounding(agents, row, wrench)
    try {
      ownBody.apply(wrench, step)
    } catch (error) {
      report(row, nameOf(ownBody, 'body'), 'threw', `apply threw ${show(error)}`)
    }
  }
  agents.align = alignAll
}

function isPointMass({ locomotion }: Binding, row: number, report: ReportFault): boolean {
  try {
    return locomotion.pointMass === true
  } catch (error) {
    report(row, locomotion, 'threw', `pointMass threw ${show(error)}`)
    return false
  }
}

/** Sets forces and torques of the size of rounding errors to zero: else no body would ever fall asleep. */
function dropRounding({ traits }: Agents, row: number, { force, torque }: Wrench): void {
  const t = T.TRAITS * row
  if (length(force) < NEGLIGIBLE * traits[t + T.MASS]!) set(force, 0, 0, 0)
  // a torque accelerates the body most about the axis of its least moment of inertia; 0 is a locked axis
  let least = Infinity
  for (let i = t + T.INERTIA; i < t + T.INERTIA + 3; i++)
    if (traits[i]! > 0 && traits[i]! < least) least = traits[i]!
  if (length(torque) < NEGLIGIBLE * least) set(torque, 0, 0, 0)
}

/**
 * Writes the views, interpolated between the start (0) and the end (1) of the last step. One that throws does
 * not stop the others.
 */
export function writeViews(agents: Agents, alpha: number, report: ReportFault): void {
  const { body, count, view } = agents
  for (let row = 0; row < count; row++) {
    const ownView = view[row]
    if (ownView === null || ownView === undefined) continue
    const ownBody = body[row]
    const hasBody = ownBody !== null && ownBody !== undefined
    if (!hasBody) ownPose(agents, row)
    else if (!bodyPose(row, ownBody, report)) continue
    if (alpha < 1) interpolate(agents, row, alpha)
    if (hasBody) moveToOrigin(bodyState.center)
    try {
      ownView.write(agents.member[row]!, pose)
      // the world flushes the view of a flock, once; a controller has its view for itself
      if (agents.handle[row]!.size === 1) ownView.flush?.(1)
    } catch (error) {
      report(row, nameOf(ownView, 'view'), 'threw', `threw ${show(error)}`)
    }
  }
}

function ownPose({ orientation, position }: Agents, row: number): void {
  load(pose.position, position, 3 * row)
  loadQuat(pose.quaternion, orientation, 4 * row)
}

/** Reads the pose of a body. False when that fails or is not finite: then the view stays as it was. */
function bodyPose(row: number, ownBody: SteeringBody, report: ReportFault): boolean {
  try {
    readBody(ownBody)
  } catch (error) {
    report(row, nameOf(ownBody, 'body'), 'threw', `read threw ${show(error)}`)
    return false
  }
  copy(pose.position, bodyState.position)
  copyQuat(pose.quaternion, bodyState.quaternion)
  const field = unusable()
  return field !== 'position' && field !== 'quaternion' && field !== 'center'
}

/** Replaces the position of the centre of mass by that of the model's origin. */
function moveToOrigin(center: Vec3Like): void {
  if (isZero(center)) return
  rotate(arm, pose.quaternion, center)
  sub(pose.position, pose.position, arm)
}

function interpolate({ previous }: Agents, row: number, alpha: number): void {
  const p = 7 * row
  const { x, y, z } = pose.position
  const beta = 1 - alpha
  set(
    pose.position,
    previous[p]! * beta + x * alpha,
    previous[p + 1]! * beta + y * alpha,
    previous[p + 2]! * beta + z * alpha,
  )
  loadQuat(previousQuat, previous, p + 3)
  nlerp(pose.quaternion, previousQuat, pose.quaternion, alpha)
}

function copyState(agents: Agents, row: number, body: SteeringBody, state: Readonly<BodyState>): void {
  const { orientation, traits } = agents
  const { radius = 0 } = body
  const own = bodyOptions.get(body)!
  const v = 3 * row
  const t = T.TRAITS * row
  // the shapes of the body have changed
  if (own.radius > 0 && own.radius !== radius && radius > 0 && radius < Infinity)
    traits[t + T.RADIUS] = own.radius = radius
  save(state.position, agents.position, v)
  save(state.velocity, agents.velocity, v)
  save(state.angularVelocity, agents.angularVelocity, v)
  saveQuat(state.quaternion, orientation, 4 * row)
  writeMassFrame(agents, row, state)
  writeLock(agents, row, isLocked(state) ? state : own)
  writeGravity(agents, row, state.gravity)
  traits[t] = state.mass
  save(state.inertia, traits, t + T.INERTIA)
  traits[t + T.DAMPING] = lossRate(state.linearDamping)
  traits[t + T.ANGULAR_DAMPING] = lossRate(state.angularDamping)
}

/** Moves an agent that has left the box to the opposite side. Its view does not sweep across. */
function wrapPosition({ position, previous }: Agents, row: number, { min, max }: Box): void {
  wrapAxis(position, previous, row, 0, min.x, max.x)
  wrapAxis(position, previous, row, 1, min.y, max.y)
  wrapAxis(position, previous, row, 2, min.z, max.z)
}

function wrapAxis(
  position: Float64Array,
  previous: Float64Array,
  row: number,
  axis: number,
  min: number,
  max: number,
): void {
  const p = position[3 * row + axis]!
  if (p >= min && p < max) return
  const shift = Math.floor((p - min) / (max - min)) * (max - min)
  position[3 * row + axis] = p - shift
  previous[7 * row + axis]! -= shift
}

function savePose({ position, orientation, previous }: Agents, row: number): void {
  const p = 7 * row
  for (let k = 0; k < 3; k++) previous[p + k] = position[3 * row + k]!
  for (let k = 0; k < 4; k++) previous[p + 3 + k] = orientation[4 * row + k]!
}
