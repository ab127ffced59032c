import { Arrive, AvoidAgents, blend } from 'three-steering'
import { SteeringController, SteeringWorld } from 'three-steering'
import type { Scene } from '../scene.js'

export function start(): Scene {
  const world = new SteeringWorld()
  const avoid = new AvoidAgents({
    neighborDistance: 12,
    clearance: 0.2,
  })
  // two streams that cross at a right angle
  const streams = [0, 1].map((stream) =>
    Array.from({ length: 6 }, (_, i) => {
      const [along, aside] = [8 + 1.5 * i, 1.5 * (i % 3) - 1.5]
      const at = (s: number) =>
        stream === 0
          ? { x: s, y: aside, z: aside }
          : { x: aside, y: aside, z: s }
      return new SteeringController(null, {
        position: at(-along),
        maxSpeed: 6, // m/s
        maxForce: 15, // N
        behavior: blend([
          avoid,
          new Arrive({ target: at(15.5 - 1.5 * i) }),
        ]),
      })
    }),
  )
  for (const ship of streams.flat()) world.add(ship)
  return {
    world,
    agents: streams,
    controls: [
      [avoid, 'clearance', 0, 2],
      [avoid, 'maxPredictionTime', 0.5, 6],
    ],
    lasts: 8,
  }
}
