import type { Agent, Step, Vec3Like, Wrench } from '../../types.js'
import { servoTime } from '../../control/drive.js'
import { BRAKE_SHARE } from '../../control/profile.js'
import { addScaled, copy, distance, dot, length, normalize, reject, scale, vec3 } from '../../math/vec3.js'
import { acrossFirst } from '../../control/across-first.js'
import { turnRadius, type VehicleLimits } from './vehicle-limits.js'
import type { Goal } from './goal.js'
import { jakobHeading, type JakobStage } from './jakob.js'
import { spatialHeading } from './spatial-heading.js'
import { reportGoal } from '../../control/wish.js'

const from = { position: vec3(), heading: vec3() }
const wanted = vec3()
const side = vec3()
/** With a lag it looks for wider turns than it can fly: what it is late by must be made up for. */
const LAG_MARGIN = 1.25

const options: { circles: 'one' | 'both'; plane: Vec3Like | null } = { circles: 'one', plane: null }

/**
 * Adds the force of a directed seek without a plan: in each step it turns, as tightly as it may, to where the way begins that is found now. `jakob`: as
 * published; `stateless`: in 2D by both circles and by length, in 3D along the shortest arc, straight and arc.
 * Returns the stage, 0 where there is no way.
 */
export function steerStateless(
  agent: Agent,
  step: Step,
  now: Goal,
  terms: VehicleLimits,
  method: 'stateless' | 'jakob',
  out: Wrench,
): JakobStage {
  const { speed } = agent
  copy(from.position, agent.position)
  if (speed > 1e-3 * terms.cruise) scale(from.heading, agent.velocity, 1 / speed)
  else copy(from.heading, agent.course.x)
  const widen = terms.lag > 0 || terms.turnTime > 0 ? LAG_MARGIN : 1
  const first = widen * turnRadius(terms, speed)
  const last = widen * turnRadius(terms, terms.final)
  const way = speed * step.dt
  options.circles = method === 'jakob' ? 'one' : 'both'
  options.plane = terms.plane
  const stage =
    method === 'jakob' || terms.plane !== null
      ? jakobHeading(wanted, from, now, first, last, way, options)
      : spatialHeading(wanted, from, now, first, last, way)
  if (stage === 0) return 0
  turnTowards(agent, step, now, (stage === 3 ? last : first) / widen, terms, out)
  return stage
}

/** Turns the velocity towards `wanted`, by no more than one step of a turn of `radius`, and keeps the pace that the turn allows. */
function turnTowards(
  agent: Agent,
  step: Step,
  now: Goal,
  radius: number,
  terms: VehicleLimits,
  out: Wrench,
): void {
  const { heading } = from
  const { mass, maxForce, speed } = agent
  const { brake, cruise, final, lateral } = terms
  const sine = length(reject(side, wanted, heading))
  normalize(side, side)
  const angle = Math.min(Math.atan2(sine, dot(wanted, heading)), (speed * step.dt) / radius)
  scale(wanted, side, (speed * Math.sin(angle)) / step.dt)
  addScaled(wanted, wanted, heading, (speed * (Math.cos(angle) - 1)) / step.dt)
  const most = agent.wish === null ? maxForce / mass : Infinity
  const room = distance(agent.position, now.position)
  const pace = Math.min(
    cruise,
    Math.sqrt(lateral * radius),
    Math.sqrt(final * final + 2 * BRAKE_SHARE * brake * room),
  )
  acrossFirst(wanted, heading, (pace - speed) / servoTime(agent, step), most)
  addScaled(out.force, out.force, wanted, mass)
  if (agent.forceTurnTime > 0) agent.turnForForce(scale(wanted, wanted, mass), step, out)
  reportGoal(agent, now.position)
}
