import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  Flee,
  ReciprocalAvoidance,
  Separation,
  SteeringController,
  SteeringWorld,
  blend,
  dither,
  priority,
  truncatedSum,
  within,
  type Behavior,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { cannonEngine, rapierEngine } from '../adapters/doors.js'
import { SOLID } from '../rigs/door-scenes.js'
import { norm, v } from '../support/geometry.js'
import { quietWorld } from '../support/pilot.js'
import { ALL } from '../support/tier.js'

/** Arrive beside Separation never came to rest, by any scheme of forces, and nobody was told. */

const POINT = v(0, 0, 0)
const LIMITS = { maxSpeed: 5, maxForce: 10, maxTorque: 5, radius: 0.5 }

const LAWS: Record<string, (target: typeof POINT) => Behavior> = {
  'the defaults': (target) => blend([new Arrive({ target }), new Separation({ neighborDistance: 3 })]),
  'twice the weight': (target) =>
    blend([new Arrive({ target }), { behavior: new Separation({ neighborDistance: 3 }), weight: 2 }]),
  'the force of most boids': (target) =>
    blend([new Arrive({ target }), new Separation({ neighborDistance: 3, response: 'unit' })]),
  'a truncated sum': (target) =>
    truncatedSum([new Separation({ neighborDistance: 3 }), new Arrive({ target })]),
  'a dither': (target) =>
    dither([{ behavior: new Separation({ neighborDistance: 3 }), probability: 0.5 }, new Arrive({ target })]),
  'a priority': (target) => priority([new ReciprocalAvoidance(), new Arrive({ target })]),
}

function crowd(behaviorOf: (target: typeof POINT) => Behavior, count: number, flat: boolean, own: boolean) {
  const random = seeded(count)
  const spot = (): number => 30 * (random() - 0.5)
  const shared = behaviorOf(POINT)
  return Array.from({ length: count }, (_, i) => ({
    position: v(spot(), flat ? 0 : spot(), spot()),
    behavior: own ? behaviorOf(v((i % 4) * 1.5, 0, Math.floor(i / 4) * 1.5)) : shared,
    ...(flat && { plane: v(0, 1, 0) }),
  }))
}

/** Whether each agent was told last that it has arrived. */
function listen(all: readonly SteeringController[]): boolean[] {
  const told = all.map(() => false)
  all.forEach((one, i) => {
    one.addEventListener('arrive', () => (told[i] = true))
    one.addEventListener('leave', () => (told[i] = false))
  })
  return told
}

describe.each(Object.entries(LAWS))('a crowd by %s', (law, behaviorOf) => {
  const seconds = law === 'a priority' ? 100 : 45
  // a few agents of a priority go on and on among many, at other rates and at places of their own
  const all = ALL && law !== 'a priority'
  it.each(all ? [5, 12, 20] : [12])('of %i rests, and is told', (count) => {
    for (const rate of all ? [30, 60, 144] : [60])
      for (const flat of [false, true])
        for (const own of all ? [false, true] : [flat]) {
          const world = new SteeringWorld({ seed: 1 })
          const agents = crowd(behaviorOf, count, flat, own).map(
            (each) => new SteeringController(null, { ...LIMITS, ...each }),
          )
          const told = listen(agents)
          for (const one of agents) world.add(one)
          for (let i = 0; i < seconds * rate; i++) world.step(1 / rate)
          for (const { velocity } of agents) expect(norm(velocity)).toBeLessThan(1e-3)
          expect(told).not.toContain(false)
        }
  })
})

it.each([3, 5, 12])('a crowd of %i by a priority within constraints rests', (count) => {
  const wishes = (target: typeof POINT): Behavior =>
    priority([new Separation({ neighborDistance: 3 }), new Arrive({ target })])
  for (const own of [false, true])
    for (const flat of [false, true]) {
      const world = new SteeringWorld({ seed: 1 })
      const all = crowd((target) => within([new ReciprocalAvoidance()], wishes(target)), count, flat, own)
      const agents = all.map((each) => new SteeringController(null, { ...LIMITS, ...each }))
      for (const one of agents) world.add(one)
      for (let i = 0; i < 100 * 60; i++) world.step(1 / 60)
      for (const { velocity } of agents) expect(norm(velocity)).toBeLessThan(1e-3)
    }
})

beforeAll(() => RAPIER.init())

it.each([cannonEngine, rapierEngine])('bodies of $name fall asleep', (engine) => {
  const steering = new SteeringWorld({ seed: 1 })
  const door = engine.open(steering, POINT, 1 / 60)
  const bodies = crowd(LAWS['the defaults']!, 8, false, false).map(({ behavior, position }) => {
    const body = door.add({ ...SOLID, position, inertia: v(1, 1, 1), canSleep: true })
    steering.add(new SteeringController(null, { ...body.options, ...LIMITS, behavior }))
    return body
  })
  for (let i = 0; i < 40 * 60; i++) door.step()
  for (const body of bodies) expect(body.isAsleep!()).toBe(true)
  door.close()
})

it('one that rests goes on when the point moves, and flees all the same', () => {
  const world = new SteeringWorld({ seed: 1 })
  const target = v(0, 0, 0)
  const hunter = v(500, 0, 0)
  const behavior = blend([
    new Arrive({ target }),
    new Separation({ neighborDistance: 3 }),
    new Flee({ target: hunter, panicDistance: 5 }),
  ])
  const all = crowd(() => behavior, 8, false, false).map(
    (each) => new SteeringController(null, { ...LIMITS, ...each }),
  )
  for (const one of all) world.add(one)
  const run = (seconds: number): void => {
    for (let i = 0; i < 60 * seconds; i++) world.step(1 / 60)
  }
  run(20)
  target.x = 30
  run(20)
  for (const { position } of all) expect(norm({ ...position, x: position.x - 30 })).toBeLessThan(3)
  Object.assign(hunter, { x: 32, y: 0, z: 0 })
  run(2)
  for (const { position } of all) expect(norm({ ...position, x: position.x - 32 })).toBeGreaterThan(2)
})

it('one whose part throws does not keep the others from it', () => {
  const { world } = quietWorld({ seed: 1 })
  const broken: Behavior = {
    steer() {
      throw new Error('broken')
    },
  }
  const one = { behavior: blend([broken, new Arrive({ target: POINT })]), position: v(90, 0, 0) }
  const all = crowd(LAWS['the defaults']!, 5, false, false)
  const agents = [one, ...all].map((each) => new SteeringController(null, { ...LIMITS, ...each }))
  for (const agent of agents) world.add(agent)
  for (let i = 0; i < 20 * 60; i++) world.step(1 / 60)
  for (const { velocity } of agents.slice(1)) expect(norm(velocity)).toBeLessThan(1e-3)
})
