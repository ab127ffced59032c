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
  type StickOptions,
  type Vec3,
} from 'three-steering'
import { v } from '../support/geometry.js'

const wall = new Obstacles([{ shape: new HalfSpaceShape(v(0, 0, -1)), at: v(0, 0, 20) }])
const frame = { quaternion: { x: 0, y: 0, z: 0, w: 1 }, forward: v(0, 0, 1) }

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

/** 20 s of a world with these cars. */
function run(rate: number, ...cars: SteeringController[]): void {
  const world = new SteeringWorld()
  for (const each of cars) world.add(each)
  for (let i = 0; i < 20 * rate; i++) world.step(1 / rate)
}

// Straight at a wall, the slide turned the nose, and the nose turned the wish: rounding became a turn of 90
// degrees, and the car drove 45 m along the wall. An agent 1 cm off its middle made it swerve 26 m before.

it.each([30, 60, 144, 240])('it stops straight before a wall, at %d Hz', (rate) => {
  const one = car(within([new AvoidObstacles({ obstacles: wall })], new Stick({ ahead: 1 })))
  run(rate, one)
  expect(one.attitude.x.z).toBeGreaterThan(1 - 1e-9)
  expect(Math.abs(one.position.x)).toBeLessThan(1e-6)
  expect(one.position.z).toBeGreaterThan(18.9)
})

it.each([0, 0.01])('it stops before an agent %d m off its middle', (off) => {
  const one = car(within([new ReciprocalAvoidance()], new Stick({ frame, ahead: 1 })))
  run(60, one, car(new Stick(), v(off, 0, 30)))
  expect(Math.abs(one.position.x)).toBeLessThan(1e-3)
  expect(one.position.z).toBeGreaterThan(27.5)
  expect(one.position.z).toBeLessThan(28)
})

it.each([30, 60, 144])('without killDrift, straight back is astern, at %d Hz', (rate) => {
  for (const by of [(stick: Stick) => stick, (stick: Stick) => within([], stick)]) {
    const one = car(by(new Stick({ ahead: -1, killDrift: false })))
    run(rate, one)
    expect(one.attitude.x.z).toBeGreaterThan(1 - 1e-9)
    expect(one.velocity.z).toBeCloseTo(-4.5, 2)
  }
})

// The car of a player that pulled back turned around again and again, because its nose is the direction that
// "back" is measured from; and where a camera gives the directions, it stood before a wall for ever.

/** A car that drives along +z for some seconds, and then gets the stick `after` for some more. */
function drive(
  rate: number,
  seconds: number,
  after: StickOptions,
  more: number,
  by: (stick: Stick) => Behavior,
): { one: SteeringController; heading: number } {
  const stick = new Stick({ ...after, ahead: 1, right: 0 })
  const one = car(by(stick))
  const world = new SteeringWorld().add(one)
  for (let i = 0; i < seconds * rate; i++) world.step(1 / rate)
  Object.assign(stick, after)
  let heading = 0
  for (let i = 0; i < more * rate; i++) {
    world.step(1 / rate)
    heading = Math.max(heading, Math.abs(Math.atan2(one.attitude.x.x, one.attitude.x.z)))
  }
  return { one, heading }
}

it.each([30, 60, 144])('straight back is astern, at %d Hz', (rate) => {
  for (const by of [(stick: Stick) => stick, (stick: Stick) => within([], stick)]) {
    const { one, heading } = drive(rate, 1, { ahead: -1 }, 10, by)
    expect(heading).toBeLessThan(0.01)
    expect(one.velocity.z).toBeCloseTo(-4.5, 2)
  }
})

it.each([30, 60, 144])('back and to one side steers while it reverses, at %d Hz', (rate) => {
  for (const right of [-1, 1]) {
    const { one, heading } = drive(rate, 1, { ahead: -1, right }, 3, (stick) => stick)
    expect(heading).toBeGreaterThan(0.3)
    const { velocity, attitude } = one
    const { x, z } = attitude.x
    expect(velocity.x * x + velocity.z * z).toBeLessThan(-2)
  }
})

it.each([30, 60, 144])('it leaves a wall as a camera says, at %d Hz', (rate) => {
  const by = (stick: Stick): Behavior => within([new AvoidObstacles({ obstacles: wall })], stick)
  const { one } = drive(rate, 10, { frame, ahead: -1 }, 10, by)
  expect(one.position.z).toBeLessThan(0)
  expect(one.velocity.z).toBeLessThan(-10)
})
