import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  blend,
  priority,
  SteeringController,
  SteeringWorld,
  Wander,
  type Agent,
  type Behavior,
  type Fault,
  type Step,
  type Wrench,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { findFaultyPart } from '../../src/core/engine/faults.js'
import { expectConsole } from '../support/console.js'
import { standIn, stepOf } from '../support/stand-in.js'
import { bitsOf, xyz, ZERO } from './kit.js'

const AGENT = { maxSpeed: 8, maxForce: 20, radius: 0.4 }

class Thrower implements Behavior {
  steer(): void {
    throw new Error('out of cheese')
  }
}

class DividesByZero implements Behavior {
  steer(_agent: Agent, _step: Step, out: Wrench): void {
    out.force.y = 0 / 0
  }
}

class Boundless implements Behavior {
  steer(_agent: Agent, _step: Step, out: Wrench): void {
    out.torque.z = Infinity
  }
}

const bad: Record<string, { behavior: () => Behavior; blamed: string; says: RegExp }> = {
  'that throws': { behavior: () => new Thrower(), blamed: 'Thrower', says: /out of cheese/ },
  'that gives NaN': { behavior: () => new DividesByZero(), blamed: 'DividesByZero', says: /not finite/ },
  'that gives an infinite torque': {
    behavior: () => new Boundless(),
    blamed: 'Boundless',
    says: /not finite/,
  },
  'deep in a blend': {
    behavior: () => blend([new Wander(), priority([blend([new Wander(), new DividesByZero()])])]),
    blamed: 'DividesByZero',
    says: /not finite/,
  },
  'that throws deep in a blend': {
    behavior: () => blend([new Wander(), blend([new Thrower()])]),
    blamed: 'Thrower',
    says: /out of cheese/,
  },
}

// That it harms no other agent, and is reported once, is in nothing-stops.test.ts.

/** An agent with the behaviour `mind` after a second. */
function fly(mind: Behavior): { world: SteeringWorld; victim: SteeringController } {
  const world = new SteeringWorld({ seed: 5 })
  const victim = new SteeringController(null, { ...AGENT, name: 'Icarus', behavior: mind })
  world.add(new SteeringController(null, { ...AGENT, behavior: new Wander() })).add(victim)
  for (let i = 0; i < 60; i++) world.step(1 / 60)
  return { world, victim }
}

describe.each(Object.keys(bad))('an agent with a behaviour %s', (name) => {
  const { behavior, blamed, says } = bad[name]!

  it('gets no force, is reported once on the console without a listener, and found by validate()', () => {
    const calls = expectConsole()
    const { world, victim } = fly(behavior())
    expect([victim.force, victim.torque].map(xyz)).toEqual([ZERO, ZERO])
    expect(bitsOf([victim]).every(Number.isFinite)).toBe(true)
    expect(calls.map(({ level }) => level)).toEqual(['error'])
    for (const text of ['Icarus', blamed, says]) expect(calls[0]!.text).toMatch(text)
    expect(world.validate()).toMatchObject({ name: 'Icarus', behavior: blamed })
  })
})

it('of parts that throw and contain each other the deepest is blamed', () => {
  const [one, other] = [0, 1].map(() => Object.assign(new Thrower(), { children: [] as Behavior[] }))
  one!.children.push(other!)
  other!.children.push(one!)
  expect(findFaultyPart(one!, standIn() as never, stepOf())).toBe(other)
})

it('a world without faults reports nothing', () => expect(fly(new Wander()).world.validate()).toBeNull())

it('an agent that recovers is steered again', () => {
  const world = new CANNON.World()
  const steering = new SteeringWorld()
  attachToCannon(steering, world)
  const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.5) })
  world.addBody(body)
  const faults: Fault[] = []
  steering.addEventListener('fault', (fault) => faults.push(fault))
  steering.add(new SteeringController(null, { ...AGENT, body: cannonBody(body), behavior: new Wander() }))
  world.step(1 / 60)
  body.position.x = NaN
  world.step(1 / 60)
  body.position.x = 0
  body.velocity.setZero()
  for (let i = 0; i < 60; i++) world.step(1 / 60)
  expect(body.velocity.length()).toBeGreaterThan(1)
  expect(faults).toHaveLength(1)
})
