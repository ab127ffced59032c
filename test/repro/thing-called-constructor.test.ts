import { expect, it } from 'vitest'
import { FollowPath, Path, SteeringWorld } from 'three-steering'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { pilot } from '../support/pilot.js'

// A path that was saved under a name that every object has, and loaded without one, was replaced by that: by a function.

it.each(['constructor', 'toString', '__proto__'])('a thing called %s is made anew', (name) => {
  const way = (x: number): Path =>
    new Path({
      points: [
        { x: 0, y: 0, z: 0 },
        { x, y: 9, z: -20 },
      ],
    })
  const build = () => {
    const follow = new FollowPath({ path: way(50) })
    const drone = pilot(follow)
    const world = new SteeringWorld()
    world.add(drone)
    return { world, follow, drone }
  }
  const one = build()
  const other = way(-50)
  one.world.step(0.1)
  one.follow.setPathOf(one.drone, other)
  one.world.step(0.1)
  const saved = JSON.parse(
    JSON.stringify(takeSnapshot(one.world, { references: { [name]: other } })),
  ) as Snapshot
  expect(saved.references).toContain(name)
  const two = build()
  restoreSnapshot(two.world, saved)
  expect(two.follow.pathOf(two.drone)?.length).toBe(other.length)
  for (let i = 0; i < 20; i++) two.world.step(0.1)
  expect(two.drone.position.x).toBeLessThan(-5)
  restoreSnapshot(two.world, saved, { references: { [name]: other } })
  expect(two.follow.pathOf(two.drone)).toBe(other)
})
