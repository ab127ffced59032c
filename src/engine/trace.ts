import type { Agent, Behavior, DebugDraw, FrameLike, Step, Vec3Like } from '../types.js'
import { addScaled, set, vec3 } from '../math/vec3.js'
import type { Agents } from './agents.js'

/** A full force, torque or speed is drawn this many radii long. */
const FULL_LENGTH = 6
/** Axes of frames are drawn this many radii long. */
const AXIS_LENGTH = 2.5

const tip = vec3()
const vector = vec3()

/** Draws what one loaded agent felt and wanted in the last step, and what its behaviours draw themselves. */
export function traceAgent(agents: Agents, agent: Agent, step: Step, draw: DebugDraw): void {
  const { wrench } = agents
  const w = 12 * agent.slot
  const length = FULL_LENGTH * agent.radius
  const arrow = (layer: string, full: number, at: number): void => {
    set(vector, wrench[w + at]!, wrench[w + at + 1]!, wrench[w + at + 2]!)
    line(draw, layer, agent, vector, length / full)
  }
  line(draw, 'velocity', agent, agent.velocity, agent.maxSpeed < Infinity ? length / agent.maxSpeed : 0.5)
  if (agent.maxForce > 0) {
    arrow('force wanted', agent.maxForce, 6)
    arrow('force given', agent.maxForce, 0)
  }
  if (agent.maxTorque > 0 && agent.maxTorque < Infinity) {
    arrow('torque wanted', agent.maxTorque, 9)
    arrow('torque given', agent.maxTorque, 3)
  }
  axes(draw, 'attitude', agent, agent.attitude, true)
  axes(draw, 'course', agent, agent.course, false)
  const { count, entry, x, y, z } = agent.neighbors
  const { position } = agent
  for (let i = 0; i < count; i++) {
    const e = entry[i]!
    draw.line('neighbors', position, set(tip, x[e]!, y[e]!, z[e]!))
  }
  traceBehavior(agents.brain[agent.slot]!.behavior, agent, step, draw)
}

function traceBehavior(behavior: Behavior, agent: Agent, step: Step, draw: DebugDraw): void {
  behavior.trace?.(agent, step, draw)
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
