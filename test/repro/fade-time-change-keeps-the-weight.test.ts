import { expect, it } from 'vitest'
import { blend, SteeringWorld } from 'three-steering'
import { pilot } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

// Changing the time of a running fade, as sliders do, made the weight jump. And when an agent moved to a
// younger world, its running fade paused until that world was as old as the world before.

function begin(age = 0) {
  const tree = blend([{ behavior: pushing({ x: 0, y: 10, z: 0 }), fade: 1 }])
  const one = pilot(tree)
  const world = new SteeringWorld()
  world.add(one)
  for (let i = 0; i <= age; i++) world.step(0.1)
  const part = tree.parts[0]!
  part.enabled = false
  const steps = (count: number, where = world): number[] =>
    Array.from({ length: count }, () => {
      where.step(0.1)
      return one.demand.force.y
    })
  return { part, one, steps, world }
}

it.each([0.2, 0.5, 2, 10])(
  'a running fade of 1 s that is changed to %s s continues from its present weight',
  (time) => {
    const { part, steps } = begin()
    expect(steps(6).at(-1)).toBeCloseTo(5, 9)
    part.fade = time
    // the step that notices the change ends the old rate
    const remaining = steps(Math.ceil(4 * time) + 2)
    for (const [i, each] of remaining.entries()) expect(each).toBeCloseTo(Math.max(0, 4 - i / time), 9)
  },
)

it('a fade time that changes in every step, as by a slider, never makes the weight jump or grow', () => {
  const { part, steps } = begin()
  let last = 10
  for (let i = 0; i < 60; i++) {
    part.fade = 3 + 2 * Math.sin(i)
    const [now] = steps(1)
    // the shortest time is 1 s
    expect(now! <= last && now! >= last - 1 - 1e-9).toBe(true)
    last = now!
  }
  expect(last).toBe(0)
})

it('a fade ends in time when the agent moves to a younger or older world', () => {
  for (const [age, other] of [
    [100, 0],
    [0, 100],
  ] as const) {
    const { one, steps, world } = begin(age)
    expect(steps(6).at(-1)).toBeCloseTo(5, 9)
    world.remove(one)
    const next = new SteeringWorld()
    for (let i = 0; i < other; i++) next.step(0.1)
    next.add(one)
    const seen = [5, ...steps(12, next)]
    for (let i = 1; i < seen.length; i++) expect(seen[i]! <= seen[i - 1]! + 1e-9).toBe(true)
    expect(seen.at(-1)).toBe(0)
  }
})
