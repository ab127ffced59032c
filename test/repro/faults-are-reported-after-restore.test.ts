import { expect, it } from 'vitest'
import { Arrive, type Behavior, type Fault, type SteeringController } from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { pilot, quietWorld } from '../support/pilot.js'

// A fault is reported once for each agent, and agents were recognised by their id. After a restore another
// agent could have that id, and its fault was not reported. And when a listener restored the world during a
// step, later faults of that step were still reported.

const broken = (from: number): Behavior => ({
  steer: (_agent, { tick }, out) => void (out.force.x = tick < from ? 0 : NaN),
})
const named = (behavior: Behavior, name: string): SteeringController => pilot(behavior, { name, radius: 0.1 })
const namesOf = (faults: readonly Fault[]): string[] => faults.map(({ name }) => name)

it('a fault is reported for a new agent that has the id of an earlier one', () => {
  const { world, faults } = quietWorld()
  const stays = named(broken(0), 'stays')
  world.add(stays)
  const before = takeSnapshot(world)
  const gone = named(broken(0), 'gone')
  world.add(gone)
  const id = gone.id
  world.step(0.1)
  world.remove(gone)
  restoreSnapshot(world, before)
  const next = named(broken(0), 'next')
  world.add(next)
  expect(next.id).toBe(id)
  world.step(0.1)
  world.step(0.1)
  expect(namesOf(faults)).toEqual(['stays', 'gone', 'next'])
})

it('a fault undone by a restore is reported only when it happens again', () => {
  const { world, faults } = quietWorld()
  world.add(named(broken(3), 'a')).add(named(broken(3), 'b'))
  const before = takeSnapshot(world)
  world.addEventListener('fault', () => {
    if (faults.length === 1) restoreSnapshot(world, before)
  })
  for (let i = 0; i < 4; i++) world.step(0.1)
  expect(namesOf(faults)).toEqual(['a'])
  for (let i = 0; i < 4; i++) world.step(0.1)
  expect(namesOf(faults)).toEqual(['a', 'b'])
})

it('`validate` before a restore does not suppress later events', () => {
  const { world } = quietWorld()
  const one = named(new Arrive({ target: { x: 5, y: 0, z: 0 } }), 'one')
  world.add(one)
  const before = takeSnapshot(world)
  const ticks: number[] = []
  one.addEventListener('arrive', () => void ticks.push(world.tick))
  const fly = (): void => {
    for (let i = 0; i < 200; i++) world.step(1 / 60)
  }
  fly()
  const [arrival] = ticks
  restoreSnapshot(world, before)
  for (let i = 0; i + 1 < arrival!; i++) world.step(1 / 60)
  world.validate()
  restoreSnapshot(world, before)
  fly()
  expect(ticks).toEqual([arrival, arrival])
})
