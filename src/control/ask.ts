import type { Agent, Behavior, Step, Wrench } from '../types.js'

/**
 * Asks a part of a combination, and tells the ledger, if there is one. What is granted of the answer is to be told by who asks. Where the part
 * throws, `agent.part` still names it, so that the fault is reported for that part.
 * @throws TypeError where the part puts another vector in the place of `out.force` or `out.torque`: it would be written into for ever after.
 */
export function ask(agent: Agent, step: Step, part: Behavior, out: Wrench, weight = 1): void {
  const { explainer, activeBehavior: outer = null } = agent
  const { force, torque } = out
  agent.activeBehavior = part
  explainer?.enter(part, weight)
  part.steer(agent, step, out)
  if (out.force !== force || out.torque !== torque) refuse(out, force, torque)
  agent.activeBehavior = outer
  explainer?.leave(out)
}

/** Puts the vectors of a wrench back. @throws TypeError in any case. */
export function refuse(out: Wrench, force: Wrench['force'], torque: Wrench['torque']): never {
  Object.assign(out, { force, torque })
  throw new TypeError('replaced out.force or out.torque, must write into its x, y and z')
}
