import type { Agent, Step } from '../../types.js'
import type { VelocityConstraints } from '../../solver/constraint.js'
import { servoTime } from '../../control/drive.js'
import { addScaled, dot, isZero, length, normalize, reject, scale, sub, vec3 } from '../../math/vec3.js'
import type { Gate } from './gate.js'

/** Share of the force that is counted on: the course may need the rest. */
const SHARE = 0.5

/** Radii that are kept free, at right angles to the gate, and the steepest pass that counts, as the secant of its angle to the normal. */
const MARGIN = 1.1
const STEEPEST = 3

const normal = vec3()
const off = vec3()
const aside = vec3()

/**
 * Demands that who comes to a gate passes it with all of its ball inside: the velocity across may be what the force can still take back before it is
 * there. So it is lax from afar and strict at the gate. It yields: what stands in the way is not flown into for the sake of a gate.
 */
export function holdWithin(gate: Gate, agent: Agent, step: Step, limits: VelocityConstraints): void {
  normalize(normal, gate.heading)
  sub(off, agent.position, gate.position)
  const way = -dot(off, normal)
  const speed = Math.max(dot(agent.velocity, normal), dot(limits.wantedVelocity, normal))
  if (!(way > 0 && speed > 0)) return
  const time = Math.max(way / speed, step.dt)
  reject(off, off, normal)
  reject(aside, limits.wantedVelocity, normal)
  // where it would pass
  addScaled(aside, off, aside, time)
  if (isZero(normalize(aside, aside))) return
  const pull = (SHARE * agent.forceAlong(-aside.x, -aside.y, -aside.z)) / agent.mass
  const left = Math.max(0, time - servoTime(agent, step) - agent.forceLag)
  // passed at a slope, a disc is narrower
  const slope = Math.min(
    length(limits.wantedVelocity) / Math.max(dot(limits.wantedVelocity, normal), 1e-9),
    STEEPEST,
  )
  const room = Math.max(0, gate.radius - MARGIN * slope * agent.radius) - dot(off, aside)
  limits.addHalfSpace(scale(aside, aside, -1), -(room + (pull * left * left) / 2) / time, true)
}
