import {
  DirectedSeek,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const target = {
    position: { x: 4, y: 2, z: 0 },
    heading: { x: 0.4, y: 1, z: 0 }, // the direction in which it is passed
  }
  const seek = new DirectedSeek({ target, radius: 3 /* m */ })
  const starts = [
    { x: -13, y: -4, z: -6 },
    { x: -10, y: 3, z: 9 },
    { x: 13, y: -2, z: 8 },
    { x: 10, y: 5, z: -10 },
  ]
  const craft = starts.map(
    (position) =>
      new SteeringController(null, {
        position,
        velocity: { x: 5, y: 0, z: 0 },
        maxSpeed: 6, // m/s
        maxForce: 20, // N
        behavior: seek,
      }),
  )
  for (const each of craft) world.add(each)
  return {
    world,
    agents: [craft],
    targets: [target],
    controls: [[seek, 'radius', 2, 6]],
    lasts: 5.5,
  }
}
