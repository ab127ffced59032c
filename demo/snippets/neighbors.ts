import { neighborSearch, type Agent, type Behavior, type Step, type Wrench } from 'three-steering'

/** Pushes the agent away from all that are nearer than 3 m, 1 N for each metre of distance. */
export class KeepApart implements Behavior {
  readonly neighborSearch = neighborSearch
  readonly reach = 3 // m, to the surface of the other agent

  steer(agent: Agent, _step: Step, out: Wrench): void {
    const { count, row, position } = agent.neighbors
    for (let i = 0; i < count; i++) {
      const p = 3 * row[i]!
      out.force.x += agent.position.x - position[p]!
      out.force.y += agent.position.y - position[p + 1]!
      out.force.z += agent.position.z - position[p + 2]!
    }
  }
}
