import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  blend,
  Flocking,
  priority,
  SteeringController,
  SteeringWorld,
  Wander,
  type Agent,
  type Behavior,
  type Fault,
  type Locomotion,
  type Step,
  type Wrench,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { expectConsole } from '../support/console.js'
import { bitsOf, firstDifference } from './kit.js'

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

class BrokenEngine implements Locomotion {
  actuate(_agent: Agent, _demand: Wrench, _step: Step, out: Wrench): void {
    out.force.x = NaN
  }
  forceAlong(): number {
    return 1
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

interface Flight {
  readonly bits: number[][]
  readonly faults: Fault[]
  readonly victim: SteeringController
}

/** A flock of agents that see their neighbours, and one more agent among them with the behaviour `mind`. */
function fly(mind: Behavior, locomotion?: Locomotion, listen = true): Flight {
  const world = new SteeringWorld({ seed: 5 })
  const flocking = new Flocking({
    separation: { neighborDistance: 3 },
    alignment: { neighborDistance: 5 },
    cohesion: { neighborDistance: 6, emergency: false },
  })
  const behavior = blend([flocking, new Wander()])
  const birds = Array.from(
    { length: 12 },
    (_, i) =>
      new SteeringController(null, {
        ...AGENT,
        behavior,
        seed: 10 + i,
        position: { x: 3 * Math.cos(i), y: i / 4, z: 3 * Math.sin(i) },
      }),
  )
  const victim = new SteeringController(null, {
    ...AGENT,
    name: 'Icarus',
    behavior: mind,
    seed: 1,
    ...(locomotion && { locomotion }),
  })
  const faults: Fault[] = []
  if (listen) world.addEventListener('fault', (fault) => faults.push(fault))
  world.add(victim)
  for (const bird of birds) world.add(bird)
  const bits: number[][] = []
  for (let i = 0; i < 60; i++) {
    world.step(1 / 60)
    bits.push(bitsOf(birds))
  }
  return { bits, faults, victim }
}

// the others must fly as if the agent among them were idle
const calm = fly({ steer: () => undefined })

describe.each(Object.keys(bad))('an agent with a behaviour %s', (name) => {
  const { behavior, blamed, says } = bad[name]!

  it('gets no force in that step and is reported once, with the failing part', () => {
    const { faults, victim } = fly(behavior())
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ id: victim.id, name: 'Icarus', behavior: blamed })
    expect(faults[0]!.message).toMatch(says)
    expect([victim.force.x, victim.force.y, victim.force.z]).toEqual([0, 0, 0])
    expect([victim.torque.x, victim.torque.y, victim.torque.z]).toEqual([0, 0, 0])
    expect(bitsOf([victim]).every(Number.isFinite)).toBe(true)
  })

  it('leaves the other agents bit-identical', () => {
    expect(firstDifference(fly(behavior()).bits, calm.bits)).toBeNull()
  })

  it('is reported once on the console when there is no listener', () => {
    const calls = expectConsole()
    fly(behavior(), undefined, false)
    expect(calls.map(({ level }) => level)).toEqual(['error'])
    expect(calls[0]!.text).toContain('Icarus')
    expect(calls[0]!.text).toContain(blamed)
  })

  it('is found by validate()', () => {
    const world = new SteeringWorld()
    world.addEventListener('fault', () => undefined)
    world.add(new SteeringController(null, { ...AGENT, behavior: new Wander(), seed: 1 }))
    world.add(new SteeringController(null, { ...AGENT, behavior: behavior(), name: 'Icarus', seed: 2 }))
    world.step(1 / 60)
    expect(world.validate()).toMatchObject({ name: 'Icarus', behavior: blamed })
  })
})

it('a locomotion that returns NaN is reported by name, and its agent gets no force', () => {
  const { faults, bits } = fly(new Wander(), new BrokenEngine())
  expect(faults).toHaveLength(1)
  expect(faults[0]!.behavior).toBe('BrokenEngine')
  expect(firstDifference(bits, calm.bits)).toBeNull()
})

it('a locomotion with a forceAlong that is not finite harms its agent only', () => {
  const odd: Locomotion = { actuate: () => undefined, forceAlong: () => NaN }
  const { bits } = fly(new Arrive({ target: { x: 9, y: 0, z: 0 } }), odd)
  expect(firstDifference(bits, calm.bits)).toBeNull()
})

it('a world without faults reports nothing', () => {
  expect(calm.faults).toEqual([])
  const world = new SteeringWorld()
  world.add(new SteeringController(null, { ...AGENT, behavior: new Wander() }))
  world.step(1 / 60)
  expect(world.validate()).toBeNull()
})

describe.each(['position', 'velocity', 'angularVelocity', 'quaternion'] as const)(
  'a body whose %s is NaN',
  (field) => {
    /** Five bodies that see each other. From step 20 on the state of the first one is not finite. */
    function run(broken: boolean): { bits: number[][]; faults: Fault[]; sick: CANNON.Body } {
      const world = new CANNON.World()
      const steering = new SteeringWorld({ seed: 5 })
      attachToCannon(steering, world)
      const behavior = blend([
        new Flocking({
          separation: { neighborDistance: 3 },
          alignment: { neighborDistance: 9 },
          cohesion: { neighborDistance: 9, emergency: false },
        }),
        new Wander(),
      ])
      const bodies = Array.from({ length: 5 }, (_, i) => {
        const body = new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.1), collisionFilterMask: 0 })
        body.position.set(2 * i, i % 2, 0)
        world.addBody(body)
        return body
      })
      const pilots = bodies.map(
        (body, i) =>
          new SteeringController(null, {
            ...AGENT,
            body: cannonBody(body),
            behavior,
            seed: i,
            name: `ship ${i}`,
          }),
      )
      for (const pilot of pilots) steering.add(pilot)
      const faults: Fault[] = []
      steering.addEventListener('fault', (fault) => faults.push(fault))
      const bits: number[][] = []
      for (let i = 0; i < 60; i++) {
        if (i === 20)
          if (broken) bodies[0]![field].x = NaN
          // a removed ship instead of a broken one: the others see neither
          else steering.remove(pilots[0]!)
        world.step(1 / 60)
        bits.push(bitsOf(bodies.slice(1)))
      }
      return { bits, faults, sick: bodies[0]! }
    }

    it('is reported once, and not seen by the other agents, which fly on bit-identically', () => {
      const { bits, faults } = run(true)
      expect(faults).toHaveLength(1)
      expect(faults[0]).toMatchObject({ name: 'ship 0' })
      expect(faults[0]!.message).toContain('not finite')
      expect(firstDifference(bits, run(false).bits)).toBeNull()
    })

    it('gets no force', () => {
      const { sick } = run(true)
      const { velocity } = sick
      if (field === 'position') expect(Number.isFinite(velocity.x + velocity.y + velocity.z)).toBe(true)
      expect(Number.isFinite(sick.force.x + sick.torque.x)).toBe(true)
    })
  },
)

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
