import { expect, it } from 'vitest'
import { blend, SteeringWorld } from 'three-steering'
import { pilot } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

// A part that was given a time to fade while it was already heard began anew from nothing; one that was given a time and
// switched off in the same breath was gone at once.

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

it('a part that is given a time later stays as it is', () => {
  const { part, next } = begin()
  part.fade = 1
  for (let i = 0; i < 15; i++) expect(next()).toBe(10)
})

it('a part that is given a time and switched off fades from what it was', () => {
  const { part, next } = begin()
  part.fade = 1
  part.enabled = false
  const seen = Array.from({ length: 12 }, next)
  expect(seen[0]).toBe(10)
  for (let i = 1; i <= 10; i++) expect(seen[i]).toBeCloseTo(10 - i, 9)
  expect(seen[11]).toBe(0)
})

it('a part that is given a time and another weight goes over from the one that it had', () => {
  const { part, next } = begin()
  part.fade = 0.5
  part.weight = 3
  const seen = Array.from({ length: 7 }, next)
  expect(seen[0]).toBe(10)
  for (let i = 1; i < 5; i++) expect(seen[i]).toBeCloseTo(10 + 4 * i, 9)
  expect(seen[6]).toBe(30)
})

it('a part whose time is taken away is where it was going at once', () => {
  const { part, next } = begin()
  part.fade = 1
  part.weight = 3
  for (let i = 0; i < 5; i++) next()
  part.fade = 0
  expect(next()).toBe(30)
  part.enabled = false
  expect(next()).toBe(0)
})
