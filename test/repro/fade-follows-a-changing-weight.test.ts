import { expect, it } from 'vitest'
import { blend, SteeringWorld } from 'three-steering'
import { pilot } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

// A fading weight that was changed at every step, by a slider or a curve, did not move until the changes
// ended.

/** The force (N) at each tenth of a second, while the weight grows from 0 to 1 linearly in one second. */
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

it('a weight that changes at every step is followed with a lag', () => {
  const seen = ramp(1 / 60)
  for (let i = 2; i < 10; i++) {
    expect(seen[i]!).toBeGreaterThan(seen[i - 1]!)
    // the lag is at most the fade time
    expect(seen[i]!).toBeGreaterThan(i - 5)
    expect(seen[i]!).toBeLessThan(i)
  }
  expect(seen.at(-1)).toBe(10)
})

it('the fade is the same at any step rate, within 0.2 N', () => {
  const fine = ramp(1 / 240)
  for (const [i, each] of ramp(1 / 60).entries()) expect(Math.abs(each - fine[i]!)).toBeLessThan(0.2)
})
