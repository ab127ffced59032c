import {
  Arrive,
  blend,
  BoxShape,
  CapsuleShape,
  SphereShape,
} from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import { ClassicAvoidance } from 'three-steering/classic'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const obstacles = [
    { shape: new SphereShape(4), at: { x: -3, y: 0, z: 0 } },
    { shape: new SphereShape(2.5), at: { x: 5, y: 3, z: -3 } },
    {
      shape: new BoxShape({ x: 1, y: 3, z: 3 }),
      at: { x: 5, y: -3, z: 3 },
    },
    { shape: new CapsuleShape(1, 9), at: { x: 9, y: 0, z: 0 } },
  ]
  const avoid = new ClassicAvoidance({
    obstacles,
    method: 'textbook',
    brakingWeight: 0.5,
  })
  const ships = Array.from({ length: 9 }, (_, i) => {
    const y = 4 * (i % 3) - 4
    const z = 4 * Math.floor(i / 3) - 4
    return new SteeringController(null, {
      position: { x: -15, y, z },
      maxSpeed: 8, // m/s
      maxForce: 16, // N
      behavior: blend(
        [
          { behavior: avoid, weight: 3 },
          new Arrive({ target: { x: 15, y, z } }),
        ],
        { truncate: 'sum' },
      ),
    })
  })
  for (const ship of ships) world.add(ship)
  return {
    world,
    agents: [ships],
    obstacles,
    controls: [[avoid, 'brakingWeight', 0, 2]],
    lasts: 9,
  }
}
