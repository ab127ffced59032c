import type { Agent, Vec3Like } from '../types.js'
import type { ObstacleView } from './obstacle-view.js'
import type { VelocityConstraints } from './constraint.js'
import { BRAKE_SHARE, brakingSpeed, slope, stoppingDistance } from '../control/profile.js'
import { addScaled, copy, dot, length, normalize, reject, scale, sub, vec3 } from '../math/vec3.js'

/** Least share of that for what is approached at an angle. */
const LEAST_SHARE = 0.25

/** Evading must take no more than this share of the time to the hit, or the agent brakes for it as well. */
const EVADE_SHARE = 0.7

const relative = vec3()
const normal = vec3()
const contact = vec3()
const drift = vec3()
const aside = vec3()

/**
 * Caps the speed towards a bar that the present velocity would hit, in time to stop or to turn away; steps aside, at rest, from
 * what comes; and pushes out of what is touched. The plane is that of the contact to come: one that is only grazed demands nothing.
 * @param chosen direction of flight where one has been chosen to evade, and `open` the way (m) that is clear along it.
 */
export function brakeBefore(
  agent: Agent,
  bar: ObstacleView,
  time: number,
  chosen: Vec3Like | null,
  open: number,
  leaving: boolean,
  limits: VelocityConstraints,
): void {
  const { position, velocity } = agent
  const { obstacle } = bar
  const power = agent.maxForce / agent.mass
  bar.measure(position)
  if (bar.clearance <= 0) {
    if (leaving) return
    obstacle.velocityAt(drift, position)
    // what only the skin touches is not pushed about
    const overlap = Math.max(0, agent.radius - bar.hullRadius - bar.clearance)
    limits.addHalfSpace(bar.normal, dot(drift, bar.normal) + overlap / time)
    return
  }
  sub(relative, velocity, obstacle.velocity)
  const speed = length(relative)
  const range = power > 0 ? 2 * stoppingDistance(speed, BRAKE_SHARE * power, 0, 2 * time) : Infinity
  const idle = length(limits.wantedVelocity) < speed / 10
  const seen = idle ? Math.max(range, speed) : range
  if (!(speed > 0) || bar.clearance > seen) return
  scale(relative, relative, 1 / speed)
  const way = bar.hit(relative, seen)
  if (!(way < Infinity)) return
  addScaled(contact, position, relative, way)
  obstacle.distance(contact, normal)
  const facing = -dot(relative, normal)
  if (idle && stepAside(agent, bar, way / speed, power, limits)) return
  const room = way * facing
  // two that are braked for at once share the force as the velocity shares its directions
  const share = BRAKE_SHARE * Math.max(LEAST_SHARE, facing)
  const decel = (share * agent.forceAlong(normal.x, normal.y, normal.z)) / agent.mass
  let cap = brakingSpeed(room, decel, 0, time)
  cap -= Math.min(cap, slope(cap, decel, 0, time) * speed * facing * time)
  if (chosen !== null && open > range / 2) {
    // sideways way to be made before the hit, and the time that takes
    const cosine = dot(relative, chosen)
    const off = cosine > 0 ? (way * Math.sqrt(Math.max(0, 1 - cosine * cosine))) / cosine : Infinity
    cap = Math.max(cap, (EVADE_SHARE * room) / Math.sqrt((2 * off) / power))
  }
  limits.addHalfSpace(normal, dot(obstacle.velocity, normal) - cap)
}

/**
 * Lets what comes pass: demands the sideways speed that clears its widest part in time. False where that takes too long. Needs `relative`
 * and `normal`.
 */
function stepAside(
  agent: Agent,
  bar: ObstacleView,
  hit: number,
  power: number,
  limits: VelocityConstraints,
): boolean {
  const { obstacle } = bar
  reject(aside, normal, relative)
  // dead on: up in the course frame, or to its side
  if (length(aside) < 1e-6) reject(aside, agent.course.y, relative)
  if (length(aside) < 1e-6) copy(aside, agent.course.z)
  normalize(aside, aside)
  sub(contact, agent.position, obstacle.position)
  const off = bar.reach(aside) - dot(contact, aside)
  if (!(Math.sqrt((2 * off) / power) < EVADE_SHARE * hit)) return false
  limits.addHalfSpace(aside, dot(obstacle.velocity, aside) + off / (EVADE_SHARE * hit))
  return true
}
