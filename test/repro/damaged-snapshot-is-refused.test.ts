import { expect, it } from 'vitest'
import { blend, modes, SteeringController, SteeringWorld, Wander } from 'three-steering'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { addFlock } from '../support/flock.js'

// Only the numbers of a snapshot were checked. A snapshot with a missing list item or a missing tree failed
// with "Cannot destructure property 'kind'".

const JUNK = [null, undefined, 0, -1, 1.5, '', 'length', '__proto__', 'constructor', true, [], {}, [null]]

it('junk anywhere in a snapshot is refused by name or has no effect, and the world is unchanged', () => {
  const behaviors = { tree: blend([new Wander(), modes({ a: new Wander(), b: new Wander() })]) }
  const agent = { maxSpeed: 10, maxForce: 100 }
  const world = new SteeringWorld()
  world.add(new SteeringController(null, { ...agent, behavior: behaviors.tree }))
  addFlock(world, { ...agent, count: 3, behavior: new Wander() })
  for (let i = 0; i < 3; i++) world.step(0.1)
  const now = (): string => JSON.stringify(takeSnapshot(world, { behaviors }))
  const good = now()
  let refused = 0
  const spoil = (node: Record<string, unknown>, whole: unknown, at: string): void => {
    for (const [key, value] of Object.entries(node)) {
      for (const junk of JUNK) {
        node[key] = junk
        const [tick, before] = [world.tick, now()]
        try {
          restoreSnapshot(world, whole as Snapshot, { behaviors })
          expect(now(), `${at}.${key}`).toBe(good)
        } catch (error) {
          refused++
          expect(String(error), `${at}.${key}`).toMatch(/^(Type|Range)Error: restoreSnapshot: (.*: )?got /)
          expect([world.tick, now()]).toEqual([tick, before])
        }
        world.step(0.1)
      }
      node[key] = value
      if (typeof value === 'object' && value !== null)
        spoil(value as Record<string, unknown>, whole, `${at}.${key}`)
    }
  }
  const data = JSON.parse(good) as Record<string, unknown>
  spoil(data, data, 'snapshot')
  expect(refused).toBeGreaterThan(200)
})
