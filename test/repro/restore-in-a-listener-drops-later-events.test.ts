import { expect, it } from 'vitest'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'

// A listener restored the world during a step. The later events of that step, which the restore had undone,
// were still emitted afterwards, about agents that were at their start again.

it('events undone by a restore are not emitted', () => {
  const world = new SteeringWorld()
  const start = (x: number): SteeringController =>
    new SteeringController(null, {
      behavior: new Arrive({ target: { x: x + 5, y: 0, z: 0 } }),
      position: { x, y: 0, z: 0 },
      maxSpeed: 10,
      maxForce: 100,
      radius: 0.1,
    })
  const [first, second] = [start(0), start(100)]
  world.add(first).add(second)
  const before = takeSnapshot(world)
  const arrivals: string[] = []
  first.addEventListener('arrive', () => {
    arrivals.push('first')
    if (arrivals.length === 1) restoreSnapshot(world, before)
  })
  second.addEventListener('arrive', () => {
    arrivals.push('second')
    expect(second.position.x).toBeCloseTo(105, 1)
  })
  for (let i = 0; i < 600; i++) world.step(1 / 60)
  expect(arrivals).toEqual(['first', 'first', 'second'])
})
