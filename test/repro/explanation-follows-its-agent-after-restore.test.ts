import { expect, it } from 'vitest'
import { Seek, SteeringWorld } from 'three-steering'
import { explain } from 'three-steering/explain'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { pilot } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { addFlock } from '../support/flock.js'

// Explanations were found by the row of an agent in the table. After a restore another agent could have that
// row, and then the explanation showed that agent, or none.

function build() {
  const world = new SteeringWorld()
  const a = pilot(pushing({ x: 1, y: 0, z: 0 }), { name: 'a' })
  const b = pilot(pushing({ x: 0, y: 2, z: 0 }), { name: 'b' })
  return { world, a, b }
}

it('an explanation follows its controller in a world that was built in another order', () => {
  const old = build()
  old.world.add(old.a).add(old.b).remove(old.a)
  old.world.add(old.a)
  old.world.step(0.1)
  const saved = JSON.parse(JSON.stringify(takeSnapshot(old.world))) as Snapshot

  const { world, a, b } = build()
  world.add(b).add(a)
  const [ofA, ofB] = [explain(world, a), explain(world, b)]
  world.step(0.1)
  restoreSnapshot(world, saved)
  world.step(0.1)
  expect([ofA.id, ofA.root?.asked.force.x, ofA.time]).toEqual([a.id, 1, 0.1])
  expect([ofB.id, ofB.root?.asked.force.y, ofB.time]).toEqual([b.id, 2, 0.1])
  expect(explain(world, a)).toBe(ofA)
  ofA.stop()
  world.step(0.1)
  expect(ofA.time).toBe(0.1)
  expect(ofB.time).toBeCloseTo(0.2, 9)
})

it('an explanation follows a controller that left and came back', () => {
  const { world, a, b } = build()
  world.add(a).add(b)
  const saved = takeSnapshot(world)
  world.remove(b).remove(a)
  world.add(a).add(b)
  const why = explain(world, a)
  world.step(0.1)
  restoreSnapshot(world, saved)
  for (let i = 0; i < 5; i++) world.step(0.1)
  expect(why.id).toBe(a.id)
  expect(why.time).toBeCloseTo(0.4, 9)
})

it('an explanation follows the same member of a flock, and ends with a member that no longer exists', () => {
  const world = new SteeringWorld()
  const flock = addFlock(world, {
    count: 2,
    behavior: new Seek({ target: { x: 9, y: 0, z: 0 } }),
    maxSpeed: 5,
    maxForce: 5,
  })
  world.step(0.1)
  const saved = takeSnapshot(world)
  flock.add(2)
  const [kept, lost] = [explain(world, flock, 1), explain(world, flock, 3)]
  world.step(0.1)
  restoreSnapshot(world, saved)
  world.step(0.1)
  world.step(0.1)
  expect(kept.time).toBeCloseTo(0.2, 9)
  expect(lost.time).toBeCloseTo(0.1, 9)
  expect(kept.id).not.toBe(lost.id)
})
