import { expect, it } from 'vitest'
import { Arrive, SteeringController, SteeringWorld } from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'

// A listener that put the world back did not hear the end of it: what had happened in the same step, and had not happened any
// more, was told afterwards, about agents who were at their starts again.

it('what has not happened any more is not told', () => {
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
  const told: string[] = []
  first.addEventListener('arrive', () => {
    told.push('first')
    if (told.length === 1) restoreSnapshot(world, before)
  })
  second.addEventListener('arrive', () => {
    told.push('second')
    expect(second.position.x).toBeCloseTo(105, 1)
  })
  for (let i = 0; i < 600; i++) world.step(1 / 60)
  expect(told).toEqual(['first', 'first', 'second'])
})
