import {
  Arrive,
  SlowInCrowd,
  Wander,
  Tether,
  blend,
} from 'three-steering'
import {
  Flock,
  SteeringController,
  SteeringWorld,
} from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 2 })
  // a market with slow people in the middle
  const crowd = new Flock({
    count: 60,
    maxSpeed: 0.5, // m/s
    maxForce: 2, // N
    plane: { x: 0, y: 1, z: 0 },
    behavior: blend([
      new Wander(),
      new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 5 }),
    ]),
    spawn: (i, { position }) => {
      const r = 0.7 * Math.sqrt(i)
      position.x = r * Math.cos(2.4 * i)
      position.z = r * Math.sin(2.4 * i)
      position.y = 0
    },
  })
  const courier = (z: number, slows: boolean): SteeringController => {
    const cross = new Arrive({ target: { x: 15, y: 0, z } })
    return new SteeringController(null, {
      position: { x: -15, y: 0, z },
      maxSpeed: 6, // m/s
      maxForce: 20, // N
      plane: { x: 0, y: 1, z: 0 },
      behavior: slows
        ? new SlowInCrowd({
            behavior: cross,
            radius: 2,
            fullDensity: 0.6,
          })
        : cross,
    })
  }
  const [slows, rushes] = [courier(1, true), courier(-1, false)]
  for (const each of [crowd, slows, rushes]) world.add(each)
  return {
    world,
    agents: [crowd, slows, rushes],
    readout: () =>
      `speed ${Math.hypot(slows.velocity.x, slows.velocity.z).toFixed(1)} m/s`,
    lasts: 12,
  }
}
