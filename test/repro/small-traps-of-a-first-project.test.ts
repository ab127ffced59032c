import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import {
  Arrive,
  Evade,
  Flee,
  Hover,
  Seek,
  SteeringController,
  SteeringWorld,
  type Behavior,
} from 'three-steering'
import { restoreSnapshot } from 'three-steering/snapshot'
import { expectVec, v } from '../support/geometry.js'
import { ask, pilot, xyz } from '../support/pilot.js'

// A game has a world for each of its rooms. `Seek` has no memory, but the second world refused it.
it('a behaviour without state serves several worlds at once, and steers as one of its own', () => {
  const worlds = [new SteeringWorld(), new SteeringWorld()]
  const own = new SteeringWorld()
  const target = v(30, 8, -5)
  const shared = new Seek({ target })
  const pilots = worlds.map((world, i) => {
    const one = pilot(shared, { position: v(i, 0, 0) })
    world.add(one)
    return one
  })
  const alone = pilot(new Seek({ target }), { position: v(1, 0, 0) })
  own.add(alone)
  for (let k = 0; k < 60; k++) for (const world of [...worlds, own]) world.step(1 / 60)
  expect(xyz(pilots[1]!.position)).toEqual(xyz(alone.position))
  expect(pilots[0]!.position.x).not.toBe(alone.position.x)
  const arrive: Behavior = new Arrive({ target })
  worlds[0]!.add(pilot(arrive))
  expect(() => worlds[1]!.add(pilot(arrive))).toThrow(/Arrive works for another SteeringWorld/)
})

// It printed `{ x: [Getter], y: [Getter], z: [Getter] }`.
it('`console.log(pilot.position)` shows the numbers', () => {
  const one = new SteeringController(null, {
    behavior: new Seek({ target: v(0, 0, 0) }),
    position: v(1, 2, 3),
    maxSpeed: 1,
    maxForce: 1,
    locomotion: new Hover(),
  })
  expect(inspect(one.position)).toBe('{ x: 1, y: 2, z: 3 }')
  expect(inspect({ at: one.position })).toBe('{ at: { x: 1, y: 2, z: 3 } }')
  expect(inspect(one.quaternion)).toBe('{ x: 0, y: 0, z: 0, w: 1 }')
  expect(one.position).toEqual({ x: 1, y: 2, z: 3 })
})

it('`Evade` misjudges the time by `predictionFactor`, as `Pursue` does: with 0 it flees from where the target is', () => {
  const position = v(20, 0, 4)
  const target = { position, velocity: v(0, 6, 0) }
  const { force } = ask(new Evade({ target, predictionFactor: 0 }))
  expectVec(force, ask(new Flee({ target: position })).force)
  const ahead = ask(new Evade({ target, predictionFactor: 2 })).force
  const exact = ask(new Evade({ target })).force
  expect(ahead.y).toBeLessThan(exact.y)
  expect(exact.y).toBeLessThan(-1)
})

it('`restoreSnapshot` names itself in its errors', () => {
  const world = new SteeringWorld()
  for (const wrong of [undefined, null, 3, '{}'])
    expect(() => restoreSnapshot(world, wrong as never)).toThrow(
      /^restoreSnapshot: got .*, must be what takeSnapshot has returned/,
    )
})
