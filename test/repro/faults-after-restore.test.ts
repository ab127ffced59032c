import { expect, it } from 'vitest'
import { Arrive, SteeringController, SteeringWorld, type Behavior } from 'three-steering'

// Faults are told once for each agent, who was known by his id. After a world was put back somebody else could have that id, and
// his fault was told to nobody; of the faults of one step those that came after a listener had put the world back were told all the same.

const broken = (from: number): Behavior => ({
  steer: (_agent, { tick }, out) => void (out.force.x = tick < from ? 0 : NaN),
})
const pilot = (behavior: Behavior, name: string): SteeringController =>
  new SteeringController(null, { name, behavior, maxSpeed: 10, maxForce: 100, radius: 0.1 })

function listening() {
  const world = new SteeringWorld()
  const told: string[] = []
  world.addEventListener('fault', ({ name }) => void told.push(name))
  return { world, told }
}

it('the fault of an agent with the id of one who has gone by that is told', () => {
  const { world, told } = listening()
  const stays = pilot(broken(0), 'stays')
  world.add(stays)
  const before = world.snapshot()
  const gone = pilot(broken(0), 'gone')
  world.add(gone)
  const id = gone.id
  world.step(0.1)
  world.remove(gone)
  world.restore(before)
  const next = pilot(broken(0), 'next')
  world.add(next)
  expect(next.id).toBe(id)
  world.step(0.1)
  world.step(0.1)
  expect(told).toEqual(['stays', 'gone', 'next'])
})

it('a fault that has not happened any more is not told, but when it happens again', () => {
  const { world, told } = listening()
  world.add(pilot(broken(3), 'a')).add(pilot(broken(3), 'b'))
  const before = world.snapshot()
  world.addEventListener('fault', () => {
    if (told.length === 1) world.restore(before)
  })
  for (let i = 0; i < 4; i++) world.step(0.1)
  expect(told).toEqual(['a'])
  for (let i = 0; i < 4; i++) world.step(0.1)
  expect(told).toEqual(['a', 'b'])
})

it('nor is what `validate` has seen to come', () => {
  const { world } = listening()
  const one = pilot(new Arrive({ target: { x: 5, y: 0, z: 0 } }), 'one')
  world.add(one)
  const before = world.snapshot()
  const ticks: number[] = []
  one.addEventListener('arrive', () => void ticks.push(world.tick))
  const fly = (): void => {
    for (let i = 0; i < 200; i++) world.step(1 / 60)
  }
  fly()
  const [at] = ticks
  world.restore(before)
  for (let i = 0; i + 1 < at!; i++) world.step(1 / 60)
  world.validate()
  world.restore(before)
  fly()
  expect(ticks).toEqual([at, at])
})
