import { expect, it } from 'vitest'
import {
  AvoidObstacles,
  HalfSpaceShape,
  Obstacles,
  SteeringController,
  SteeringWorld,
  Stick,
  Wheels,
  within,
  type Behavior,
  type StickOptions,
} from 'three-steering'
import { v } from '../support/geometry.js'

// The car of a player that pulled back turned around again and again, because its nose is the direction that
// "back" is measured from; and where a camera gives the directions, it stood before a wall for ever.

const wall = new Obstacles([{ shape: new HalfSpaceShape(v(0, 0, -1)), at: v(0, 0, 20) }])
const frame = { quaternion: { x: 0, y: 0, z: 0, w: 1 }, forward: v(0, 0, 1) }

/** A car that drives along +z for some seconds, and then gets the stick `after` for some more. */
function drive(
  rate: number,
  seconds: number,
  after: StickOptions,
  more: number,
  by: (stick: Stick) => Behavior,
): { car: SteeringController; heading: number } {
  const stick = new Stick({ ...after, ahead: 1, right: 0 })
  const ground = { plane: v(0, 1, 0), forward: v(0, 0, 1), up: v(0, 1, 0) }
  const force = { maxForce: 8000, mass: 1000, maxTorque: 20000, inertia: v(1500, 1500, 400) }
  const locomotion = new Wheels({ wheelbase: 2 })
  const car = new SteeringController(null, {
    ...ground,
    ...force,
    locomotion,
    radius: 1,
    maxSpeed: 15,
    behavior: by(stick),
  })
  const world = new SteeringWorld()
  world.add(car)
  for (let i = 0; i < seconds * rate; i++) world.step(1 / rate)
  Object.assign(stick, after)
  let heading = 0
  for (let i = 0; i < more * rate; i++) {
    world.step(1 / rate)
    heading = Math.max(heading, Math.abs(Math.atan2(car.attitude.x.x, car.attitude.x.z)))
  }
  return { car, heading }
}

it.each([30, 60, 144])('straight back is astern, at %d Hz', (rate) => {
  for (const by of [(stick: Stick) => stick, (stick: Stick) => within([], stick)]) {
    const { car, heading } = drive(rate, 1, { ahead: -1 }, 10, by)
    expect(heading).toBeLessThan(0.01)
    expect(car.velocity.z).toBeCloseTo(-4.5, 2)
  }
})

it.each([30, 60, 144])('back and to one side steers while it reverses, at %d Hz', (rate) => {
  for (const right of [-1, 1]) {
    const { car, heading } = drive(rate, 1, { ahead: -1, right }, 3, (stick) => stick)
    expect(heading).toBeGreaterThan(0.3)
    const { velocity, attitude } = car
    const { x, z } = attitude.x
    expect(velocity.x * x + velocity.z * z).toBeLessThan(-2)
  }
})

it.each([30, 60, 144])('it leaves a wall as a camera says, at %d Hz', (rate) => {
  const by = (stick: Stick): Behavior => within([new AvoidObstacles({ obstacles: wall })], stick)
  const { car } = drive(rate, 10, { frame, ahead: -1 }, 10, by)
  expect(car.position.z).toBeLessThan(0)
  expect(car.velocity.z).toBeLessThan(-10)
})
