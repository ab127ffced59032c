import { expect, it } from 'vitest'
import {
  AvoidObstacles,
  BoxShape,
  Obstacles,
  SteeringController,
  SteeringWorld,
  Stick,
  Wheels,
  within,
} from 'three-steering'
import { car } from 'three-steering/vehicles'
import { v } from '../support/geometry.js'

const sedan = () => ({
  plane: v(0, 1, 0),
  mass: 1000,
  inertia: v(1000, 1500, 500),
  maxForce: 5000,
  maxTorque: 20_000,
  maxSpeed: 8,
  radius: 1.5,
  locomotion: new Wheels({ wheelbase: 2.5 }),
})
const turned = (angle: number) => ({ x: 0, y: Math.sin(angle / 2), z: 0, w: Math.cos(angle / 2) })

// Without a length for which it backs up it changes its gear 65 times, and stands where it was.
it.each([
  ['sedan', sedan],
  ['car', car],
] as const)('a %s of a player turns round between two walls, in few turns', (_, make) => {
  const shape = new BoxShape(v(4, 3, 1))
  const obstacles = new Obstacles([
    { shape, at: v(0, 0, 5) },
    { shape, at: v(0, 0, -5) },
  ])
  for (const direction of [2.555, 5.695]) {
    const world = new SteeringWorld({ seed: 1 })
    const frame = { quaternion: turned(direction), forward: v(0, 0, 1) }
    const agent = new SteeringController(null, {
      ...make(),
      quaternion: turned(direction < Math.PI ? 3 : 6.2),
      behavior: within([new AvoidObstacles({ obstacles })], new Stick({ frame, ahead: 1, right: 0 })),
    })
    world.add(agent)
    let [changes, gear] = [0, 0]
    while (world.time < 20) {
      world.step(1 / 60)
      const nose = agent.attitude.x
      const pace = nose.x * agent.velocity.x + nose.z * agent.velocity.z
      const now = Math.abs(pace) > 0.03 ? Math.sign(pace) : gear
      if (gear !== 0 && now !== gear) changes++
      gear = now
      expect(obstacles.distance(agent.position, v(0, 0, 0))).toBeGreaterThan(agent.radius - 1e-3)
    }
    const { x, z } = agent.position
    expect(x * Math.sin(direction) + z * Math.cos(direction)).toBeGreaterThan(80)
    expect(changes).toBeLessThan(8)
  }
})
