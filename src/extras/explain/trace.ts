import type { Agent, Behavior, DebugDraw, FrameLike, Step, Vec3Like } from '../../core/types.js'
import type { Within } from '../../core/combine/within.js'
import { drawing, LastWishes } from '../../core/control/last-wishes.js'
import { neighborsOf } from '../../core/control/neighbors-of.js'
import { show } from '../../core/math/show.js'
import { addScaled, set, vec3 } from '../../core/math/vec3.js'
import type { Agents } from '../../core/engine/agents.js'
import type { SteeringController } from '../../core/engine/controller.js'
import type { Flock } from '../../core/engine/flock.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import { traceDirections } from './trace-directions.js'

/** Length of the arrow of the largest force, torque or speed, in radii of the agent. */
export const FULL_LENGTH = 6
/** Length of the axes of frames, in radii of the agent. */
const AXIS_LENGTH = 2.5

const tip = vec3()
const vector = vec3()

/** What `trace` can draw. */
export type Traced = SteeringWorld | SteeringController | Flock

/** Lets combinations keep from now on what is drawn of their decisions. */
export function prepareDrawing(): void {
  drawing.wishes ??= new LastWishes()
}

/**
 * Draws the agents of a world or a flock, or the agent of a controller, as lines: velocity, forces, torques,
 * frames and neighbours of the last step, and the drawings of their behaviours. `SteeringHelper` of
 * `three-steering/debug` shows them in three.js. A controller that is in no world draws nothing. What
 * `within` and `ContextMap` chose is drawn from the first step after the first call on.
 * @throws TypeError for anything else.
 */
export function trace(target: Traced, draw: DebugDraw): void {
  if (typeof target?.visitAgents !== 'function')
    throw new TypeError(
      `trace: got ${show(target)}, must be a SteeringController, a Flock or a SteeringWorld`,
    )
  prepareDrawing()
  target.visitAgents((agents, agent, step) => traceAgent(agents, agent, step, draw))
}

function traceAgent(agents: Agents, agent: Agent, step: Step, draw: DebugDraw): void {
  const w = 6 * agents.row[agent.slot]!
  const length = FULL_LENGTH * agent.radius
  const arrow = (layer: string, full: number, column: Float64Array, at: number): void => {
    set(vector, column[w + at]!, column[w + at + 1]!, column[w + at + 2]!)
    line(draw, layer, agent, vector, length / full)
  }
  line(draw, 'velocity', agent, agent.velocity, agent.maxSpeed < Infinity ? length / agent.maxSpeed : 0.5)
  if (agent.maxForce > 0) {
    arrow('force wanted', agent.maxForce, agents.wanted, 0)
    arrow('force given', agent.maxForce, agents.given, 0)
  }
  if (agent.maxTorque > 0 && agent.maxTorque < Infinity) {
    arrow('torque wanted', agent.maxTorque, agents.wanted, 3)
    arrow('torque given', agent.maxTorque, agents.given, 3)
  }
  axes(draw, 'attitude', agent, agent.attitude, true)
  axes(draw, 'course', agent, agent.course, false)
  const { count, row, position } = neighborsOf(agent)
  for (let i = 0; i < count; i++) {
    const p = 3 * row[i]!
    draw.line('neighbors', agent.position, set(tip, position[p]!, position[p + 1]!, position[p + 2]!))
  }
  traceBehavior(agents.binding[agents.row[agent.slot]!]!.behavior, agent, step, draw)
}

function traceBehavior(behavior: Behavior, agent: Agent, step: Step, draw: DebugDraw): void {
  behavior.trace?.(agent, step, draw)
  // no `instanceof`, which would load the class
  ;(behavior as Partial<Within>).askAgain?.(agent, step, (solver) =>
    traceDirections(solver, agent, step, draw),
  )
  behavior.children?.forEach((child) => traceBehavior(child, agent, step, draw))
}

function axes(draw: DebugDraw, name: string, agent: Agent, frame: FrameLike, starboard: boolean): void {
  const length = AXIS_LENGTH * agent.radius
  line(draw, `${name} ahead`, agent, frame.x, length)
  line(draw, `${name} up`, agent, frame.y, length)
  if (starboard) line(draw, `${name} starboard`, agent, frame.z, length)
}

function line(draw: DebugDraw, layer: string, { position }: Agent, along: Vec3Like, scale: number): void {
  draw.line(layer, position, addScaled(tip, position, along, scale))
}
