import { expect, it } from 'vitest'
import { SteeringWorld, type SteeringController } from 'three-steering'
import { addGhost } from 'three-steering/shards'

/** Those traits of an agent. */
function traitsOf(agent: SteeringController, names: object): object {
  const all = agent as unknown as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.keys(names).map((name) => [name, all[name]]))
}

it('a ghost has each trait that it is given, and else the default of an agent', () => {
  const world = new SteeringWorld()
  const given = {
    radius: 2,
    spaceLength: 1.5,
    spaceHeight: 3,
    maxSpeed: 9,
    priority: 5,
    position: { x: 1, y: 2, z: 3 },
    velocity: { x: 4, y: 5, z: 6 },
  }
  const ghost = addGhost(world, { ...given, seed: 7, avoids: 6, isManual: true })
  expect(ghost).toMatchObject({ avoids: 6, isManual: true })
  expect(traitsOf(ghost.controller, given)).toMatchObject(given)
  const plain = { radius: 0.5, spaceLength: 1, maxSpeed: 1, priority: 1 }
  expect(traitsOf(addGhost(world, { seed: 8 }).controller, plain)).toEqual(plain)
})
