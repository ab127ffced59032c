import { expect, it } from 'vitest'
import { Arrive, type Behavior, type Fault, type SteeringController } from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { pilot, quietWorld } from '../support/pilot.js'

// Faults are told once for each agent, who was known by his id. After a world was put back somebody else could have that id, and
// his fault was told to nobody; of the faults of one step those that came after a listener had put the world back were told all the same.

const broken = (from: number): Behavior => ({
  steer: (_agent, { tick }, out) => void (out.force.x = tick < from ? 0 : NaN),
})
const named = (behavior: Behavior, name: string): SteeringController => pilot(behavior, { name, radius: 0.1 })
const told = (faults: readonly Fault[]): string[] => faults.map(({ name }) => name)

it('the fault of an agent with the id of one who has gone by that is told', () => {
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
  expect(told(faults)).toEqual(['stays', 'gone', 'next'])
})

it('a fault that has not happened any more is not told, but when it happens again', () => {
  const { world, faults } = quietWorld()
  world.add(named(broken(3), 'a')).add(named(broken(3), 'b'))
  const before = takeSnapshot(world)
  world.addEventListener('fault', () => {
    if (faults.length === 1) restoreSnapshot(world, before)
  })
  for (let i = 0; i < 4; i++) world.step(0.1)
  expect(told(faults)).toEqual(['a'])
  for (let i = 0; i < 4; i++) world.step(0.1)
  expect(told(faults)).toEqual(['a', 'b'])
})

it('nor is what `validate` has seen to come', () => {
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
  const [at] = ticks
  restoreSnapshot(world, before)
  for (let i = 0; i + 1 < at!; i++) world.step(1 / 60)
  world.validate()
  restoreSnapshot(world, before)
  fly()
  expect(ticks).toEqual([at, at])
})
