import { expect, it } from 'vitest'
import { blend, SteeringWorld } from 'three-steering'
import { pilot } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

// A part that got a fade time while it was active started again from weight zero. A part that got a fade time
// and was switched off before the next step vanished at once.

function begin() {
  const tree = blend([pushing({ x: 10, y: 0, z: 0 }), pushing({ x: 0, y: 10, z: 0 })])
  const world = new SteeringWorld()
  const one = pilot(tree)
  world.add(one)
  const next = (): number => {
    world.step(0.1)
    return one.demand.force.y
  }
  expect(next()).toBe(10)
  return { part: tree.parts[1]!, next }
}

it('a part that gets a fade time later keeps its weight', () => {
  const { part, next } = begin()
  part.fade = 1
  for (let i = 0; i < 15; i++) expect(next()).toBe(10)
})

it('a part that gets a fade time and is switched off fades from its weight', () => {
  const { part, next } = begin()
  part.fade = 1
  part.enabled = false
  const seen = Array.from({ length: 12 }, next)
  expect(seen[0]).toBe(10)
  for (let i = 1; i <= 10; i++) expect(seen[i]).toBeCloseTo(10 - i, 9)
  expect(seen[11]).toBe(0)
})

it('a part that gets a fade time and another weight fades from its old weight', () => {
  const { part, next } = begin()
  part.fade = 0.5
  part.weight = 3
  const seen = Array.from({ length: 7 }, next)
  expect(seen[0]).toBe(10)
  for (let i = 1; i < 5; i++) expect(seen[i]).toBeCloseTo(10 + 4 * i, 9)
  expect(seen[6]).toBe(30)
})

it('a part with its fade time set to 0 has its final weight at once', () => {
  const { part, next } = begin()
  part.fade = 1
  part.weight = 3
  for (let i = 0; i < 5; i++) next()
  part.fade = 0
  expect(next()).toBe(30)
  part.enabled = false
  expect(next()).toBe(0)
})
