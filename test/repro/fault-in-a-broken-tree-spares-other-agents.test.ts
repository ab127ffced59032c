import { expect, it } from 'vitest'
import { blend, Seek, type Behavior } from 'three-steering'
import { pilot, quietWorld } from '../support/pilot.js'

// The part that caused a fault was searched in the tree after the fault. If the failing part had first added
// an invalid part, or the tree to itself, the search failed, too, and with it the step of all agents.

const NO_PARTS: Record<string, (tree: Behavior) => unknown> = {
  'a number': () => ({ behavior: 3 }),
  null: () => null,
  'the tree itself': (tree) => ({ behavior: tree, weight: 1 }),
}

it.each(Object.keys(NO_PARTS))(
  'other agents steer on after a fault in a tree with an invalid part: %s',
  (name) => {
    const { world, faults } = quietWorld()
    const breaker: Behavior = {
      steer() {
        tree.parts.push(NO_PARTS[name]!(tree) as never)
        throw new Error('out of order')
      },
    }
    const tree = blend([new Seek({ target: { x: 9, y: 0, z: 0 } }), breaker])
    const good = pilot(new Seek({ target: { x: 0, y: 9, z: 0 } }))
    world.add(pilot(tree)).add(good)
    world.step(0.1)
    expect(faults).toHaveLength(1)
    expect(good.velocity.y).toBeGreaterThan(0)
  },
)

it('invalid children of a custom behaviour do not break the search', () => {
  const { world, faults } = quietWorld()
  let broken = false
  const odd = {
    get children(): Behavior[] {
      return broken ? [null as never, odd] : []
    },
    steer() {
      broken = true
      throw new Error('out of order')
    },
  }
  const good = pilot(new Seek({ target: { x: 0, y: 9, z: 0 } }))
  world.add(pilot(odd)).add(good)
  world.step(0.1)
  expect(faults).toHaveLength(1)
  expect(good.velocity.y).toBeGreaterThan(0)
})
