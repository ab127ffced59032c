import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import { Arrive, FollowPath, Path, SteeringController, SteeringWorld, Thrusters } from 'three-steering'
import { cannonEngine, rapierEngine } from '../adapters/doors.js'
import { SOLID } from '../rigs/door-scenes.js'
import { minus, norm, v } from '../support/geometry.js'
import { ALL } from '../support/tier.js'

// At their place they turned to and fro for millimetres, at up to 3 rad/s, and their bodies never slept.

const GOAL = v(18, 2, 40)
const KITS = {
  'a main engine only': { ahead: 12, astern: 0, up: 0, down: 0, port: 0, starboard: 0 },
  'no side engines': { ahead: 12, astern: 12, up: 0, down: 0, port: 0, starboard: 0 },
  'no engines up and down': { ahead: 12, astern: 12, up: 0, down: 0, port: 12, starboard: 12 },
}
const BEHAVIORS = {
  Arrive: () => new Arrive({ target: GOAL }),
  FollowPath: () => new FollowPath({ path: new Path({ points: [v(0, 0, 0), v(8, 3, 15), GOAL] }) }),
}

beforeAll(() => RAPIER.init())

describe.each([cannonEngine, rapierEngine])('a body of $name', (engine) => {
  it.each((Object.keys(KITS) as (keyof typeof KITS)[]).slice(0, ALL ? 3 : 1))('with %s sleeps', (kit) => {
    for (const make of Object.values(BEHAVIORS)) {
      const steering = new SteeringWorld()
      const door = engine.open(steering, v(0, 0, 0), 1 / 60)
      const body = door.add({ ...SOLID, inertia: v(1, 1, 1), canSleep: true })
      const ship = new SteeringController(null, {
        ...body.options,
        maxSpeed: 8,
        maxForce: 12,
        maxTorque: 6,
        radius: 1,
        behavior: make(),
        locomotion: new Thrusters(KITS[kit]),
      })
      steering.add(ship)
      for (let i = 0; i < 60 * 60 && !body.isAsleep!(); i++) door.step()
      expect(body.isAsleep!()).toBe(true)
      expect(norm(minus(ship.position, GOAL))).toBeLessThan(0.1)
      door.close()
    }
  })
})
