import { expect, it } from 'vitest'
import { Arrive, SteeringController, SteeringWorld, Wander } from 'three-steering'
import { bitsOf } from '../laws/kit.js'

// Memories were keyed by slot and generation, which every world counts from zero. So a behaviour that had
// served one world continued in the next one with the memory of an agent of the old world. After a level
// restart `arrive` was not emitted again.

function play(behavior: Arrive | Wander): { bits: number[]; arrivals: number } {
  const world = new SteeringWorld()
  const pilot = new SteeringController(null, {
    behavior,
    maxSpeed: 5,
    maxForce: 20,
    seed: 1,
    position: { x: 3, y: 0, z: 0 },
  })
  let arrivals = 0
  pilot.addEventListener('arrive', () => arrivals++)
  world.add(pilot)
  for (let i = 0; i < 240; i++) world.step(1 / 60)
  world.dispose()
  return { bits: bitsOf([pilot]), arrivals }
}

it('a behaviour that served another world starts afresh', () => {
  const arrive = new Arrive({ target: { x: 0, y: 0, z: 0 } })
  expect(play(arrive).arrivals).toBe(1)
  expect(play(arrive).arrivals).toBe(1)
  const wander = new Wander()
  expect(play(wander)).toEqual(play(wander))
})
