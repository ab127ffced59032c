import type { Agent, Behavior, Step, Wrench } from '../types.js'

/**
 * Steers a part of a combination, and reports its answer to the explainer, if there is one. The caller
 * reports which share of the answer it grants. A part of weight 0 asks for nothing. If the part throws,
 * `agent.activeBehavior` still names it, so that the fault is reported for that part.
 * @throws TypeError if the part replaces `out.force` or `out.torque`: the replacement would be written into
 * from then on.
 */
export function ask(agent: Agent, step: Step, part: Behavior, out: Wrench, weight = 1): void {
  const { asks, explainer, activeBehavior: outer = null } = agent
  const { force, torque } = out
  agent.activeBehavior = part
  explainer?.enter(part, weight)
  part.steer(agent, step, out)
  if (out.force !== force || out.torque !== torque) throwReplacedWrench(out, force, torque)
  agent.activeBehavior = outer
  if (weight === 0) agent.asks = asks === true
  explainer?.leave(out)
}

/** Restores the vectors of a wrench. @throws TypeError always. */
export function throwReplacedWrench(out: Wrench, force: Wrench['force'], torque: Wrench['torque']): never {
  Object.assign(out, { force, torque })
  throw new TypeError('replaced out.force or out.torque, must write into its x, y and z')
}
