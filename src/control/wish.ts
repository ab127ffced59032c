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
  listen(agent, step, behavior, heard, out, weight)
  passOn(agent.wish, heard)
  addScaled(velocity, agent.velocity, out.force, 1 / servoGain(agent, step))
  truncate(velocity, velocity, agent.maxSpeed)
}

/**
 * Asks a part of a combination, as `ask` does. Where wishes are collected `heard` takes what the part tells of its place: to be passed on only if the part
 * counts, or what nobody flies to would hide what stands behind it.
 */
export function askApart(
  agent: Agent,
  step: Step,
  part: Behavior,
  heard: Wish,
  out: Wrench,
  weight?: number,
): void {
  if (agent.wish === null) ask(agent, step, part, out, weight)
  else listen(agent, step, part, heard, out, weight)
}

/** Tells `wish`, where there is one, what was `heard` of a place. */
export function passOn(wish: Wish | null, heard: Wish): void {
  if (wish === null) return
  wish.distance = Math.min(wish.distance, heard.distance)
  wish.spares = heard.spares ?? wish.spares
}

/** Lets `heard` take what `part` tells of its place, and nobody else. */
function listen(
  agent: Agent,
  step: Step,
  part: Behavior,
  heard: Wish,
  out: Wrench,
  weight: number | undefined,
): void {
  const outer = agent.wish
  heard.distance = Infinity
  heard.spares = undefined
  agent.wish = heard
  ask(agent, step, part, out, weight)
  agent.wish = outer
}
