import type { Agent, Step, Vec3, Vec3Like } from '../../core/types.js'
import { servoTime } from '../../core/control/drive.js'
import { add, addScaled, copy, isFiniteVec, scale, sub, truncate, vec3 } from '../../core/math/vec3.js'

/** Velocities that are wanted at the places of a frame, which may move. */
export interface VelocityField {
  /** Writes the velocity (m/s, relative to the frame) that is wanted at `place` (m), `later` (s) than now. */
  velocityAt(out: Vec3, place: Vec3Like, agent: Agent, step: Step, later: number): void
}

const before = vec3()
const after = vec3()
const spot = vec3()
const error = vec3()

/**
 * Adds the force that flies a field without lag, at `place` (m) and `velocity` (m/s) in its frame, while
 * the frame accelerates by `acceleration` (m/s²). The velocity after the step is that of the field where it
 * leads: each round of that search reduces the error by a factor of about the angle through which the field
 * turns in a step. Near a point where the field turns at once more rounds lead astray.
 */
export function flyField(
  agent: Agent,
  step: Step,
  field: VelocityField,
  place: Vec3Like,
  velocity: Vec3Like,
  acceleration: Vec3Like,
  out: Vec3,
  rounds = 2,
): void {
  const { dt } = step
  // Engines that move a body by its new velocity show the velocity of half a step ago.
  field.velocityAt(before, addScaled(spot, place, velocity, -dt / 2), agent, step, -dt / 2)
  sub(error, velocity, before)
  copy(after, before)
  for (let round = 0; round < rounds; round++) {
    addScaled(spot, place, add(after, after, error), dt / 2)
    field.velocityAt(after, spot, agent, step, dt / 2)
  }
  scale(after, sub(after, after, before), 1 / dt)
  addScaled(after, after, error, -1 / servoTime(agent, step))
  add(after, after, acceleration)
  if (!isFiniteVec(after)) return
  agent.asks = true
  scale(after, after, agent.mass)
  if (agent.wish === null) truncate(after, after, agent.maxForce)
  add(out, out, after)
}
