import { SteeringController, SteeringWorld } from 'three-steering'
import { neighborSearch, type Agent, type Behavior, type Step, type Wrench } from 'three-steering'
import { show } from 'three-steering/debug'

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

const world = new SteeringWorld()
const behavior = new KeepApart()
for (let i = 0; i < 50; i++) {
  const position = { x: 4 * Math.cos(i), y: 4 * Math.sin(1.3 * i), z: 4 * Math.sin(i) }
  world.add(new SteeringController(null, { behavior, position, maxSpeed: 5, maxForce: 5 }))
}
show(world)
