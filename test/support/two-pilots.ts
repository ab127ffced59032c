import {
  Arrive,
  AvoidObstacles,
  Flight,
  Obstacles,
  ReciprocalAvoidance,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
} from 'three-steering'
import { explain, type Explanation } from 'three-steering/explain'

/** Two pilots that swap places past a rock, made as in a user's page. A test also bundles this file. */
export function twoPilots(): { world: SteeringWorld; why: Explanation } {
  const world = new SteeringWorld({ seed: 5 })
  const obstacles = new Obstacles([{ shape: new SphereShape(4), at: { x: 20, y: 1, z: 0 } }])
  const tree = (x: number) =>
    within(
      [new AvoidObstacles({ obstacles }), new ReciprocalAvoidance({ neighborDistance: 12 })],
      [new Arrive({ target: { x, y: 0, z: 0 } }), { behavior: new Wander(), weight: 0.2 }],
    )
  const limits = { maxSpeed: 8, maxForce: 20 }
  const drone = new SteeringController(null, { name: 'drone', behavior: tree(40), ...limits })
  const wing = { name: 'wing', behavior: tree(0), locomotion: new Flight({ minSpeed: 2 }), ...limits }
  world.add(drone).add(new SteeringController(null, { ...wing, position: { x: 40, y: 3, z: 1 } }))
  return { world, why: explain(world, drone) }
}
