import { expect, it } from 'vitest'
import { modes, SteeringWorld, Wander, type Modes } from 'three-steering'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { pilot } from '../support/pilot.js'

// A tree that was added to `modes` had no number before the next step. A snapshot taken in between knew less
// than the same world one step later, and that world refused it because of different names. And a name that
// was added and removed was never forgotten, so all older snapshots were refused from then on.

const ways: [string, (saved: Snapshot) => Snapshot][] = [
  ['rolled back', (saved) => saved],
  ['loaded', (saved) => JSON.parse(JSON.stringify(saved)) as Snapshot],
]

function build() {
  const tree: Modes = modes<string>({ patrol: new Wander(), dock: new Wander() })
  const one = pilot(tree)
  const world = new SteeringWorld()
  world.add(one)
  world.step(0.1)
  const flight = (): number[] =>
    Array.from({ length: 30 }, () => {
      world.step(0.1)
      return one.demand.force.x
    })
  /**
   * Adds a mode and uses it for a step, then removes it while `next`, which may be new, too, is used for a
   * step.
   */
  const visit = (next: string): void => {
    tree.trees.set('chase', new Wander())
    tree.trees.set(next, tree.trees.get(next) ?? new Wander())
    tree.current = 'chase'
    world.step(0.1)
    tree.current = next
    tree.trees.delete('chase')
    world.step(0.1)
  }
  return { tree, world, flight, visit }
}

it.each(ways)('a snapshot of modes with a newly added tree is %s', (_, through) => {
  const { tree, world, flight } = build()
  tree.trees.set('chase', new Wander())
  tree.current = 'chase'
  const saved = through(takeSnapshot(world))
  const seen = flight()
  tree.current = 'patrol'
  world.step(0.1)
  restoreSnapshot(world, saved)
  expect(tree.current).toBe('chase')
  expect(flight()).toEqual(seen)
})

it.each(ways)('a snapshot from before a mode was added and removed is %s', (_, through) => {
  const { tree, world, flight, visit } = build()
  tree.current = 'dock'
  world.step(0.1)
  const saved = through(takeSnapshot(world))
  const seen = flight()
  visit('patrol')
  restoreSnapshot(world, saved)
  expect(flight()).toEqual(seen)
})

it.each(ways)(
  'a snapshot from the step in which a mode was removed is %s, in another world as well',
  (_, through) => {
    const { world, flight, visit } = build()
    visit('flee')
    const saved = through(takeSnapshot(world))
    const seen = flight()
    const other = build()
    other.tree.trees.set('flee', new Wander())
    restoreSnapshot(other.world, saved)
    expect(other.tree.current).toBe('flee')
    expect(other.flight()).toEqual(seen)
    // the snapshot does not know 'chase', which here is a tree like any other
    other.tree.trees.set('chase', new Wander())
    other.tree.current = 'chase'
    other.tree.trees.delete('flee')
    const before = JSON.stringify(takeSnapshot(other.world))
    expect(() => restoreSnapshot(other.world, saved)).toThrow(
      "restoreSnapshot: got modes of the trees 'patrol', 'dock', 'flee', must be as here: one of 'patrol', 'dock', 'chase'",
    )
    expect(JSON.stringify(takeSnapshot(other.world))).toBe(before)
    expect(other.tree.current).toBe('chase')
  },
)
