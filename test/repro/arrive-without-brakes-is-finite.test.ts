import { expect, it } from 'vitest'
import { Arrive, Hover, SteeringController, SteeringWorld, Thrusters, type Locomotion } from 'three-steering'
import { expectConsole } from '../support/console.js'

// Without braking force the approach plan divided 0 by 0: slope(0, 0, 0, time) is time + 0 / 0.

it.each<[string, number, Locomotion]>([
  ['no force at all', 0, new Hover()],
  ['no retro engine', 10, new Thrusters({ ahead: 10, astern: 0, attitude: { facing: 'course' } })],
  ['a weight that uses the whole thrust', 10, new Hover()],
])('Arrive is finite with %s', (_, maxForce, locomotion) => {
  expectConsole() // a hint that it falls
  const world = new SteeringWorld({ gravity: { x: 0, y: -40, z: 0 } })
  const faults: string[] = []
  world.addEventListener('fault', ({ message }) => faults.push(message))
  const pilot = new SteeringController(null, {
    behavior: new Arrive({ target: { x: 0, y: 3, z: 50 } }),
    compensateGravity: true,
    locomotion,
    maxForce,
    maxSpeed: 5,
  })
  world.add(pilot)
  for (let i = 0; i < 60; i++) world.step(1 / 60)
  expect(faults).toEqual([])
})
