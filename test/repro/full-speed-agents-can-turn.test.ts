import { expect, it } from 'vitest'
import {
  Flight,
  Hover,
  Seek,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Behavior,
  type Locomotion,
} from 'three-steering'

// Flight enforced maxSpeed by shortening its whole force. At full speed a lift across the course would raise
// the speed by about 1e-6 of itself in a step, so nothing was left of the lift. Birds could not turn, and
// lost height, at their highest speed.

const TOP = 10

it.each<[string, Locomotion]>([
  ['Hover', new Hover()],
  ['Thrusters', new Thrusters({ ahead: 20, port: 20, starboard: 20, up: 20, down: 20 })],
  [
    'Thrusters without retro',
    new Thrusters({ ahead: 20, astern: 0, port: 20, starboard: 20, up: 20, down: 20 }),
  ],
  ['Flight', new Flight({ sideForce: 1 })],
])('%s turns at full speed', (_, locomotion) => {
  const force = 20
  const aside: Behavior = {
    steer({ course: { z } }, _step, out): void {
      Object.assign(out.force, { x: force * z.x, y: force * z.y, z: force * z.z })
    },
  }
  const world = new SteeringWorld()
  const pilot = new SteeringController(null, {
    behavior: aside,
    locomotion,
    maxSpeed: TOP,
    maxForce: force,
    maxTorque: 50,
    velocity: { x: 0, y: 0, z: TOP },
  })
  world.add(pilot)
  let turned = 0
  for (let i = 0; i < 300; i++) {
    const { x, y, z } = pilot.velocity
    world.step(1 / 60)
    const { velocity: v } = pilot
    turned += Math.acos(
      Math.min(1, (v.x * x + v.y * y + v.z * z) / Math.hypot(x, y, z) / Math.hypot(v.x, v.y, v.z)),
    )
  }
  // F / (m·v) = 2 rad/s for 5 s, less the time in which the wings roll
  expect(turned).toBeGreaterThan(8)
})

it.each<[string, Locomotion]>([
  ['Hover', new Hover()],
  ['Flight', new Flight()],
])('%s holds its height at full speed', (_, locomotion) => {
  const world = new SteeringWorld({ gravity: { x: 0, y: -9.81, z: 0 } })
  const pilot = new SteeringController(null, {
    behavior: new Seek({ target: { x: 0, y: 0, z: 1e6 } }),
    compensateGravity: true,
    locomotion,
    maxSpeed: TOP,
    maxForce: 30,
    maxTorque: 50,
    velocity: { x: 0, y: 0, z: TOP },
  })
  world.add(pilot)
  for (let i = 0; i < 1200; i++) world.step(1 / 60)
  expect(Math.abs(pilot.position.y)).toBeLessThan(0.02)
})
