import { AvoidWalls, BoxShape, Cruise, Flock } from 'three-steering'
import { SteeringWorld, within } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 8 })
  // four sides, floor and ceiling of a room with a block in it
  const [side, cap] = [
    new BoxShape({ x: 0.5, y: 7, z: 10 }),
    new BoxShape({ x: 14, y: 0.5, z: 10 }),
  ]
  const end = new BoxShape({ x: 14, y: 7, z: 0.5 })
  const block = { shape: new BoxShape({ x: 2, y: 2, z: 2 }) }
  const walls = [
    block,
    ...[-1, 1].flatMap((k) => [
      { shape: side, at: { x: 14 * k, y: 0, z: 0 } },
      { shape: cap, at: { x: 0, y: 7 * k, z: 0 } },
      { shape: end, at: { x: 0, y: 0, z: 10 * k } },
    ]),
  ]
  const craft = new Flock({
    count: 24,
    maxSpeed: 6, // m/s
    maxForce: 18, // N
    behavior: within(
      [new AvoidWalls({ obstacles: walls })],
      new Cruise(),
    ),
    spawn: (i, { position }) => {
      position.x = 8 * (i % 3) - 8
      position.y = 8 * (i % 2) - 4
      position.z = 3 * Math.floor(i / 6) - 4.5
    },
  })
  world.add(craft)
  return { world, agents: [craft], obstacles: [block], size: 17 }
}
