import {
  blend,
  Flock,
  Separation,
  SteeringWorld,
  Tether,
} from 'three-steering'
import {
  FlowSum,
  FollowFlowField,
  VortexFlow,
} from 'three-steering/flow'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld({ seed: 6 })
  // two vortices that turn against each other, with an updraft
  const vortices = [-1, 1].map(
    (k) =>
      new VortexFlow({
        center: { x: 6 * k, y: 0, z: 0 },
        radius: 4, // m
        speed: 5 * k, // m/s
        climb: 0.5 * k, // m/s
      }),
  )
  const field = new FlowSum(vortices)
  const leaves = new Flock({
    count: 120,
    radius: 0.25, // m
    maxSpeed: 8, // m/s
    maxForce: 20, // N
    behavior: blend([
      new FollowFlowField({ field }),
      {
        behavior: new Separation({ neighborDistance: 1 }),
        weight: 0.3,
      },
      new Tether({ target: { x: 0, y: 0, z: 0 }, radius: 12 }),
    ]),
  })
  world.add(leaves)
  return {
    world,
    agents: [leaves],
    controls: [
      [vortices[0]!, 'speed', -8, 8, 'left'],
      [vortices[1]!, 'speed', -8, 8, 'right'],
    ],
  }
}
