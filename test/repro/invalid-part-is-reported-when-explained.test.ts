import { expect, it } from 'vitest'
import { blend, SteeringWorld, type Behavior, type Blend } from 'three-steering'
import { explain } from 'three-steering/explain'
import { pilot, faultsIn } from '../support/pilot.js'

// Explanations read the parts of a tree after it has steered. When a callback had added an invalid part, or
// the tree to itself, the step of an explained agent was aborted in the middle. The step of an agent without
// an explanation was not.

const changes: [string, (tree: Blend) => unknown, RegExp][] = [
  [
    'no behaviour',
    ({ parts }) => parts.push({ behavior: 5 as never, weight: 1 }),
    /blend.parts\[1\]: got 5, must be/,
  ],
  ['nothing', ({ parts }) => parts.push(null as never), /blend.parts\[1\]: got null, must be a behaviour/],
  ['itself', (tree) => tree.parts.push({ behavior: tree, weight: 1 }), /this Blend is part of itself/],
]

it.each(changes)(
  '%s added as a part during a step is reported by the next step, with an explanation and without',
  (_, change, words) => {
    for (const explained of [false, true]) {
      let due = false
      const part: Behavior = {
        steer: (_agent, _step, out) => {
          out.force.x = 1
          if (due) change(tree)
          due = false
        },
      }
      const tree = blend([part])
      const one = pilot(tree)
      const world = new SteeringWorld()
      world.add(one)
      const why = explained ? explain(world, one) : null
      world.step(0.1)
      due = true
      world.step(0.1)
      expect(world.tick).toBe(2)
      expect(faultsIn(world, () => world.step(0.1))).toMatch(words)
      // and the tree works again without the part
      tree.parts.pop()
      world.step(0.1)
      expect(one.demand.force.x).toBe(1)
      if (explained) expect(why?.root?.children.map(({ behavior }) => behavior)).toEqual([part])
    }
  },
)
