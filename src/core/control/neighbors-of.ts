import type { Agent, Neighborhood } from '../types.js'

/** The neighbours of an agent, without the copy that protects the columns. Read only. */
export function neighborsOf(agent: Agent): Neighborhood {
  return agent.nearby ?? agent.neighbors
}
