import { SteeringController, SteeringWorld } from 'three-steering'
import type { Agent, Behavior, Step, Wrench } from 'three-steering'
import { drive } from 'three-steering/authoring'
import { show } from 'three-steering/debug'

/** Climbs at a constant rate, whatever the mass. */
export class Climb implements Behavior {
  rate = 2 // m/s

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { x, z } = agent.velocity
    drive(agent, step, { x, y: this.rate, z }, out.force)
  }
}

const world = new SteeringWorld()
world.add(new SteeringController(null, { behavior: new Climb(), maxSpeed: 9, maxForce: 50, mass: 3 }))
show(world)
