import type { BodyState, Wrench } from '../types.js'
import { copyQuat, nlerp, quat, setQuat } from '../math/quat.js'
import { copy, set, vec3 } from '../math/vec3.js'
import * as T from './agents.js'
import type { Agents } from './agents.js'
import { bodyState } from './body-state.js'
import { carryCourse } from './course.js'
import { zeroWrench } from './faults.js'
import { integrate } from './integrate.js'

const wrench: Wrench = zeroWrench()
const pose = { position: vec3(), quaternion: quat() }
const before = quat()

/**
 * Phase "read": the columns take the state of the bodies, so all agents see the same instant; the pose is kept as the start of
 * the interpolation. An agent whose state is not finite is lost for this step.
 */
export function readStates(agents: Agents, onLost: (slot: number) => void): void {
  const { order, body, view, count, lost } = agents
  for (let i = 0; i < count; i++) {
    const slot = order[i]!
    const own = body[slot]
    if (own !== null && own !== undefined) {
      own.read(bodyState)
      takeState(agents, slot, bodyState)
      lost[slot] = isFiniteState(agents, slot) ? 0 : 1
      if (lost[slot] === 1) onLost(slot)
      else carryCourse(agents, slot)
    }
    if (view[slot] !== null) keepPose(agents, slot)
  }
}

/** Phase "act": bodies are pushed, the others move themselves. */
export function act(agents: Agents, dt: number): void {
  const { order, body, brain, count, lost } = agents
  for (let i = 0; i < count; i++) {
    const slot = order[i]!
    if (lost[slot] === 1) continue
    const own = body[slot]
    if (own === null || own === undefined) {
      integrate(agents, slot, dt, brain[slot]!.locomotion.pointMass === true)
      continue
    }
    const w = 12 * slot
    const row = agents.wrench
    set(wrench.force, row[w]!, row[w + 1]!, row[w + 2]!)
    set(wrench.torque, row[w + 3]!, row[w + 4]!, row[w + 5]!)
    own.apply(wrench)
  }
}

/** Writes the views, interpolated between the start (0) and the end (1) of the last step. */
export function writeViews(agents: Agents, alpha: number): void {
  const { order, view, body, count, previous, position, orientation } = agents
  for (let i = 0; i < count; i++) {
    const slot = order[i]!
    const shown = view[slot]
    if (shown === null || shown === undefined) continue
    const own = body[slot]
    if (own !== null && own !== undefined) {
      own.read(bodyState)
      copy(pose.position, bodyState.position)
      copyQuat(pose.quaternion, bodyState.quaternion)
    } else {
      const q = 4 * slot
      set(pose.position, position[3 * slot]!, position[3 * slot + 1]!, position[3 * slot + 2]!)
      setQuat(pose.quaternion, orientation[q]!, orientation[q + 1]!, orientation[q + 2]!, orientation[q + 3]!)
    }
    if (alpha < 1) {
      const p = 7 * slot
      const { x, y, z } = pose.position
      const rest = 1 - alpha
      set(
        pose.position,
        previous[p]! * rest + x * alpha,
        previous[p + 1]! * rest + y * alpha,
        previous[p + 2]! * rest + z * alpha,
      )
      setQuat(before, previous[p + 3]!, previous[p + 4]!, previous[p + 5]!, previous[p + 6]!)
      nlerp(pose.quaternion, before, pose.quaternion, alpha)
    }
    shown.write(agents.member[slot]!, pose)
  }
}

/** Copies what a body reports into the row of `slot`. */
function takeState(agents: Agents, slot: number, state: Readonly<BodyState>): void {
  const { position, velocity, orientation, angularVelocity, gravity, traits } = agents
  const v = 3 * slot
  const q = 4 * slot
  const t = T.TRAITS * slot
  position[v] = state.position.x
  position[v + 1] = state.position.y
  position[v + 2] = state.position.z
  velocity[v] = state.velocity.x
  velocity[v + 1] = state.velocity.y
  velocity[v + 2] = state.velocity.z
  orientation[q] = state.quaternion.x
  orientation[q + 1] = state.quaternion.y
  orientation[q + 2] = state.quaternion.z
  orientation[q + 3] = state.quaternion.w
  angularVelocity[v] = state.angularVelocity.x
  angularVelocity[v + 1] = state.angularVelocity.y
  angularVelocity[v + 2] = state.angularVelocity.z
  gravity[v] = state.gravity.x
  gravity[v + 1] = state.gravity.y
  gravity[v + 2] = state.gravity.z
  traits[t] = state.mass
  traits[t + T.INERTIA] = state.inertia.x
  traits[t + T.INERTIA + 1] = state.inertia.y
  traits[t + T.INERTIA + 2] = state.inertia.z
  traits[t + T.DAMPING] = lossRate(state.linearDamping)
  traits[t + T.ANGULAR_DAMPING] = lossRate(state.angularDamping)
}

/** v · (1 − d)^t is v · e^(−rate·t). A damping of 1 stops a body in one step; 50/s does so within rounding. */
function lossRate(damping: number): number {
  return damping > 0 ? Math.min(50, -Math.log1p(-Math.min(1, damping))) : 0
}

function isFiniteState({ position, velocity, orientation, angularVelocity }: Agents, slot: number): boolean {
  const v = 3 * slot
  const q = 4 * slot
  return Number.isFinite(
    position[v]! +
      position[v + 1]! +
      position[v + 2]! +
      velocity[v]! +
      velocity[v + 1]! +
      velocity[v + 2]! +
      angularVelocity[v]! +
      angularVelocity[v + 1]! +
      angularVelocity[v + 2]! +
      orientation[q]! +
      orientation[q + 1]! +
      orientation[q + 2]! +
      orientation[q + 3]!,
  )
}

function keepPose({ position, orientation, previous }: Agents, slot: number): void {
  const p = 7 * slot
  for (let k = 0; k < 3; k++) previous[p + k] = position[3 * slot + k]!
  for (let k = 0; k < 4; k++) previous[p + 3 + k] = orientation[4 * slot + k]!
}
