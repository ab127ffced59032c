import { MatchAttitude, Stick } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const stick = new Stick({
    roll: 0.3,
    yaw: 0.2,
    turnRate: 2 /* rad/s */,
  })
  const limits = { maxSpeed: 5, maxForce: 10, maxTorque: 4, radius: 1 }
  const leader = new SteeringController(null, {
    ...limits,
    behavior: stick,
  })
  const others = [-9, -4.5, 4.5, 9].map(
    (x) =>
      new SteeringController(null, {
        ...limits,
        position: { x, y: 0, z: 0 },
        behavior: new MatchAttitude({ target: leader }),
      }),
  )
  for (const each of [leader, ...others]) world.add(each)
  return {
    world,
    agents: [leader, others],
    size: 12,
    controls: [
      [stick, 'roll', -1, 1],
      [stick, 'pitch', -1, 1],
      [stick, 'yaw', -1, 1],
    ],
  }
}
