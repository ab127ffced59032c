import { expect, it } from 'vitest'
import { blend, SteeringWorld } from 'three-steering'
import { pilot } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

// A weight with a time to fade that was changed at every step, by a slider or a curve, stood still until that came to an end.

/** The force at each tenth of a second, while the weight goes from 0 to 1 in a second, evenly. */
function ramp(dt: number): number[] {
  const tree = blend([{ behavior: pushing({ x: 10, y: 0, z: 0 }), weight: 0, fade: 0.5 }])
  const one = pilot(tree)
  const world = new SteeringWorld()
  world.add(one)
  const seen: number[] = []
  const tenth = Math.round(0.1 / dt)
  for (let i = 0; i < 20 * tenth; i++) {
    tree.parts[0]!.weight = Math.min(1, i * dt)
    world.step(dt)
    if (i % tenth === 0) seen.push(one.demand.force.x)
  }
  return seen
}

it('a weight that changes at every step is followed, later', () => {
  const seen = ramp(1 / 60)
  for (let i = 2; i < 10; i++) {
    expect(seen[i]!).toBeGreaterThan(seen[i - 1]!)
    // a lag of the time to fade, no more
    expect(seen[i]!).toBeGreaterThan(i - 5)
    expect(seen[i]!).toBeLessThan(i)
  }
  expect(seen.at(-1)).toBe(10)
})

it('alike at any step rate', () => {
  const fine = ramp(1 / 240)
  for (const [i, each] of ramp(1 / 60).entries()) expect(Math.abs(each - fine[i]!)).toBeLessThan(0.2)
})
