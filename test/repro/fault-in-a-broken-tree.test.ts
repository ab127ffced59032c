import { expect, it } from 'vitest'
import { blend, Seek, type Behavior } from 'three-steering'
import { pilot, quietWorld } from '../support/pilot.js'

// Who is to blame for a fault was looked for in the tree as it was then: where the one who failed had first put in what is no part, or
// the tree itself, the search failed too, and with it the step, for everybody.

const NO_PARTS: Record<string, (tree: Behavior) => unknown> = {
  'a number': () => ({ behavior: 3 }),
  nobody: () => null,
  'the tree itself': (tree) => ({ behavior: tree, weight: 1 }),
}

it.each(Object.keys(NO_PARTS))('the others go on: %s', (name) => {
  const { world, faults } = quietWorld()
  const vandal: Behavior = {
    steer() {
      tree.parts.push(NO_PARTS[name]!(tree) as never)
      throw new Error('out of order')
    },
  }
  const tree = blend([new Seek({ target: { x: 9, y: 0, z: 0 } }), vandal])
  const good = pilot(new Seek({ target: { x: 0, y: 9, z: 0 } }))
  world.add(pilot(tree)).add(good)
  world.step(0.1)
  expect(faults).toHaveLength(1)
  expect(good.velocity.y).toBeGreaterThan(0)
})

it('parts that a behaviour of yours only claims to have are not asked', () => {
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
