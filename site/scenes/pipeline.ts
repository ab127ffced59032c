import {
  SphereShape,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import {
  ArriveActuator,
  BallConstraint,
  pipeline,
} from 'three-steering/classic'
import { PlaceTargeter } from 'three-steering/classic'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const balls = [
    { center: { x: -4, y: 0, z: 0 }, radius: 3 },
    { center: { x: 5, y: 2, z: 1 }, radius: 2.5 },
  ]
  const constraints = balls.map(
    (ball) => new BallConstraint({ ...ball, margin: 0.5 /* m */ }),
  )
  const ships = [-2, 0, 2].map(
    (z) =>
      new SteeringController(null, {
        position: { x: -15, y: z / 2, z },
        maxSpeed: 6, // m/s
        maxForce: 15, // N
        behavior: pipeline({
          targeters: [new PlaceTargeter({ x: 13, y: z / 2, z })],
          constraints,
          actuator: new ArriveActuator(),
        }),
      }),
  )
  for (const ship of ships) world.add(ship)
  const obstacles = balls.map(({ center, radius }) => ({
    shape: new SphereShape(radius),
    at: center,
  }))
  return { world, agents: [ships], obstacles, lasts: 9 }
}
