import type { Agent, Behavior, Step, Vec3, Wish, Wrench } from '../types.js'
import { ask } from './ask.js'
import { servoGain } from './drive.js'
import { addScaled, truncate } from '../math/vec3.js'

/**
 * Lets `behavior` write its force and torque into `out` as a wish, uncut, and writes into `velocity` what it wants: v + F·τ / m, no faster than
 * the agent may. `heard` takes what it tells of its place; who collects wishes around this hears it, too.
 */
export function hearWish(
  agent: Agent,
  step: Step,
  behavior: Behavior,
  heard: Wish,
  out: Wrench,
  velocity: Vec3,
  weight = 1,
): void {
  const outer = agent.wish
  heard.distance = Infinity
  heard.spares = undefined
  agent.wish = heard
  ask(agent, step, behavior, out, weight)
  agent.wish = outer
  if (outer !== null) {
    outer.distance = Math.min(outer.distance, heard.distance)
    outer.spares = heard.spares ?? outer.spares
  }
  addScaled(velocity, agent.velocity, out.force, 1 / servoGain(agent, step))
  truncate(velocity, velocity, agent.maxSpeed)
}
