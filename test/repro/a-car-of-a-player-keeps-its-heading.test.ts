import { expect, it } from 'vitest'
import {
  AvoidObstacles,
  HalfSpaceShape,
  Obstacles,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Stick,
  Wheels,
  within,
  type Behavior,
  type Vec3,
} from 'three-steering'
import { v } from '../support/geometry.js'

// Straight at a wall, the slide turned the nose, and the nose turned the wish: rounding became a turn of 90
// degrees, and the car drove 45 m along the wall. An agent 1 cm off its middle made it swerve 26 m before.

function car(behavior: Behavior, position: Vec3 = v(0, 0, 0)): SteeringController {
  const ground = { plane: v(0, 1, 0), forward: v(0, 0, 1), up: v(0, 1, 0) }
  const force = { maxForce: 8000, mass: 1000, maxTorque: 20000, inertia: v(1500, 1500, 400) }
  const locomotion = new Wheels({ wheelbase: 2 })
  return new SteeringController(null, {
    ...ground,
    ...force,
    locomotion,
    radius: 1,
    maxSpeed: 15,
    position,
    behavior,
  })
}

function drive(rate: number, one: SteeringController, other?: SteeringController): void {
  const world = new SteeringWorld()
  world.add(one)
  if (other !== undefined) world.add(other)
  for (let i = 0; i < 20 * rate; i++) world.step(1 / rate)
}

it.each([30, 60, 144, 240])('it stops straight before a wall, at %d Hz', (rate) => {
  const obstacles = new Obstacles([{ shape: new HalfSpaceShape(v(0, 0, -1)), at: v(0, 0, 20) }])
  const one = car(within([new AvoidObstacles({ obstacles })], new Stick({ ahead: 1 })))
  drive(rate, one)
  expect(one.attitude.x.z).toBeGreaterThan(1 - 1e-9)
  expect(Math.abs(one.position.x)).toBeLessThan(1e-6)
  expect(one.position.z).toBeGreaterThan(18.9)
})

it.each([0, 0.01])('it stops before an agent %d m off its middle', (off) => {
  const frame = { quaternion: { x: 0, y: 0, z: 0, w: 1 }, forward: v(0, 0, 1) }
  const one = car(within([new ReciprocalAvoidance()], new Stick({ frame, ahead: 1 })))
  drive(60, one, car(new Stick(), v(off, 0, 30)))
  expect(Math.abs(one.position.x)).toBeLessThan(1e-3)
  expect(one.position.z).toBeGreaterThan(27.5)
  expect(one.position.z).toBeLessThan(28)
})

it.each([30, 60, 144])('without killDrift, straight back is astern, at %d Hz', (rate) => {
  for (const by of [(stick: Stick) => stick, (stick: Stick) => within([], stick)]) {
    const one = car(by(new Stick({ ahead: -1, killDrift: false })))
    drive(rate, one)
    expect(one.attitude.x.z).toBeGreaterThan(1 - 1e-9)
    expect(one.velocity.z).toBeCloseTo(-4.5, 2)
  }
})
