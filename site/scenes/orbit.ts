import {
  Orbit,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const target = { x: 0, y: 0, z: 0 }
  const orbits = [3, 6, 9, 12].map(
    (radius, i) =>
      new Orbit({
        target,
        radius, // m
        axis: { x: 0.25 * i, y: 1, z: 0.1 * i },
      }),
  )
  const moons = orbits.map(
    (behavior, i) =>
      new SteeringController(null, {
        position: { x: -14, y: 2 * i - 3, z: 8 },
        maxSpeed: 8, // m/s
        maxForce: 10, // N
        behavior,
      }),
  )
  for (const moon of moons) world.add(moon)
  return {
    world,
    agents: [moons],
    targets: [target],
    controls: [[orbits[0]!, 'radius', 1, 14]],
  }
}
