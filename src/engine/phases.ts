import type { BodyState, Step, Wrench } from '../types.js'
import { copyQuat, nlerp, quat, setQuat } from '../math/quat.js'
import { copy, set, vec3 } from '../math/vec3.js'
import { zeroWrench } from '../math/wrench.js'
import * as T from './agents.js'
import type { Agents } from './agents.js'
import { bodyState } from './body-state.js'
import { carryCourse } from './course.js'
import { integrate } from './integrate.js'
import type { Box } from './options.js'
import type { Obstacles } from '../obstacles/obstacles.js'

const wrench: Wrench = zeroWrench()
const pose = { position: vec3(), quaternion: quat() }
const before = quat()

/**
 * Phase "read": the columns take the state of the bodies, so all agents see the same instant; the pose is kept as the start of
 * the interpolation. An agent whose state is not finite is lost for this step.
 */
export function readStates(agents: Agents, onLost: (row: number) => void): void {
  const { body, view, count, lost } = agents
  for (let row = 0; row < count; row++) {
    const own = body[row]
    if (own !== null && own !== undefined) {
      own.read(bodyState)
      takeState(agents, row, bodyState)
      const gone = isFiniteState(agents, row) ? 0 : 1
      if (gone !== lost[row]) agents.version++
      lost[row] = gone
      if (lost[row] === 1) onLost(row)
      else carryCourse(agents, row)
    }
    if (view[row] !== null) keepPose(agents, row)
  }
}

/** Phase "act": bodies are pushed, the others move themselves. */
export function act(agents: Agents, step: Step, wrap: Box | null, guard: Obstacles | null): void {
  guard?.refreshFor(step)
  const { body, brain, count, lost, given } = agents
  for (let row = 0; row < count; row++) {
    if (lost[row] === 1) continue
    const own = body[row]
    if (own === null || own === undefined) {
      integrate(agents, row, step, brain[row]!.locomotion.pointMass === true, guard)
      if (wrap !== null) reenter(agents, row, wrap)
      continue
    }
    const w = 6 * row
    set(wrench.force, given[w]!, given[w + 1]!, given[w + 2]!)
    set(wrench.torque, given[w + 3]!, given[w + 4]!, given[w + 5]!)
    own.apply(wrench)
  }
}

/** Writes the views, interpolated between the start (0) and the end (1) of the last step. */
export function writeViews(agents: Agents, alpha: number): void {
  const { view, body, count, previous, position, orientation } = agents
  for (let row = 0; row < count; row++) {
    const shown = view[row]
    if (shown === null || shown === undefined) continue
    const own = body[row]
    if (own !== null && own !== undefined) {
      own.read(bodyState)
      copy(pose.position, bodyState.position)
      copyQuat(pose.quaternion, bodyState.quaternion)
    } else {
      const q = 4 * row
      set(pose.position, position[3 * row]!, position[3 * row + 1]!, position[3 * row + 2]!)
      setQuat(pose.quaternion, orientation[q]!, orientation[q + 1]!, orientation[q + 2]!, orientation[q + 3]!)
    }
    if (alpha < 1) {
      const p = 7 * row
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
    shown.write(agents.member[row]!, pose)
    // a flock is flushed once, by its world; a controller is all there is
    if (agents.handle[row]!.size === 1) shown.flush?.(1)
  }
}

/** Copies what a body reports into the row of `row`. */
function takeState(agents: Agents, row: number, state: Readonly<BodyState>): void {
  const { position, velocity, orientation, angularVelocity, gravity, traits } = agents
  const v = 3 * row
  const q = 4 * row
  const t = T.TRAITS * row
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

function isFiniteState({ position, velocity, orientation, angularVelocity }: Agents, row: number): boolean {
  const v = 3 * row
  const q = 4 * row
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

/** Brings an agent that left the box back in on the opposite side. Its view does not sweep across. */
function reenter({ position, previous }: Agents, row: number, { min, max }: Box): void {
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

function keepPose({ position, orientation, previous }: Agents, row: number): void {
  const p = 7 * row
  for (let k = 0; k < 3; k++) previous[p + k] = position[3 * row + k]!
  for (let k = 0; k < 4; k++) previous[p + 3 + k] = orientation[4 * row + k]!
}
