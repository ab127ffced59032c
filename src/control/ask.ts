import type { Agent, Behavior, Step, Wrench } from '../types.js'

/** Asks a part of a combination, and tells the ledger, if there is one. What is granted of the answer is to be told by who asks. */
export function ask(agent: Agent, step: Step, part: Behavior, out: Wrench, weight = 1): void {
  const { ledger } = agent
  if (ledger === null) {
    part.steer(agent, step, out)
    return
  }
  ledger.ask(part, weight)
  part.steer(agent, step, out)
  ledger.answer(out)
}
