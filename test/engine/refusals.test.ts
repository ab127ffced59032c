import { describe, expect, it } from 'vitest'
import * as CANNON from 'cannon-es'
import { blend, Seek, SteeringWorld, Wander, type Behavior } from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { expectVec, v } from '../support/geometry.js'
import { Dummy, idle, pilot, quietWorld, xyz, faultsIn } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

/** A world with two agents and a flock of three. */
function populated() {
  const { world, faults } = quietWorld()
  const first = pilot(new Seek({ target: v(0, 0, 50) }))
  const second = pilot(new Wander(), { position: v(5, 0, 0) })
  world.add(first)
  world.add(second)
  const flock = addFlock(world, { behavior: new Wander(), count: 3, maxSpeed: 5, maxForce: 5 })
  return { world, faults, first, second, flock }
}

type Populated = ReturnType<typeof populated>

/** The call must throw this, change nothing, and leave a world that goes on. */
function expectRefused(
  act: (scene: Populated) => unknown,
  error: new (...args: never[]) => Error,
  message: RegExp,
): void {
  const scene = populated()
  const { world, faults, first, flock } = scene
  const before = [world.size, flock.size, world.tick, world.time, first.behavior, xyz(first.position)]
  let thrown: unknown
  try {
    act(scene)
  } catch (caught) {
    thrown = caught
  }
  expect(thrown).toBeInstanceOf(error)
  expect((thrown as Error).message).toMatch(message)
  expect([world.size, flock.size, world.tick, world.time, first.behavior, xyz(first.position)]).toEqual(
    before,
  )
  world.step(1 / 60)
  expect(world.tick).toBe((before[2] as number) + 1)
  expect(first.velocity.z).toBeGreaterThan(0)
  expect(faults).toEqual([])
}

/** A behaviour that works for another world. */
function employed(): Behavior {
  const behavior = new Wander()
  new SteeringWorld().add(pilot(behavior))
  return behavior
}

describe('a refused call changes nothing', () => {
  it.each([-1, NaN, Infinity])('step(%s)', (dt) => {
    expectRefused(({ world }) => world.step(dt), RangeError, /step: dt: got .* must be ≥ 0 and finite/)
  })

  it.each([-1, NaN, Infinity])('advance(%s)', (seconds) => {
    expectRefused(
      ({ world }) => world.advance(seconds),
      RangeError,
      /advance: seconds: got .* must be ≥ 0 and finite/,
    )
  })

  it('adding the same controller twice', () => {
    expectRefused(({ world, first }) => world.add(first), TypeError, /add: controller .* in a world already/)
  })

  it('adding a controller of another world', () => {
    const elsewhere = pilot(idle(), { name: 'Falcon' })
    new SteeringWorld().add(elsewhere)
    expectRefused(({ world }) => world.add(elsewhere), TypeError, /'Falcon' is in a world already/)
    expect(elsewhere.active).toBe(true)
  })

  it('adding a disposed controller', () => {
    const one = pilot(idle(), { name: 'Falcon' })
    one.dispose()
    expectRefused(({ world }) => world.add(one), TypeError, /disposed controller 'Falcon'; make a new one/)
  })

  it('removing a controller that is not in the world, or one twice', () => {
    const outsider = pilot(idle(), { name: 'Falcon' })
    expectRefused(({ world }) => world.remove(outsider), TypeError, /'Falcon' is not in this world/)
    const elsewhere = new SteeringWorld()
    elsewhere.add(outsider)
    expectRefused(({ world }) => world.remove(outsider), TypeError, /not in this world/)
    expect(outsider.active).toBe(true)
    elsewhere.remove(outsider)
    expect(() => elsewhere.remove(outsider)).toThrow(/not in this world/)
  })

  it('removing a planner that is not in the world', () => {
    expectRefused(({ world }) => world.removePlanner({ plan() {} }), TypeError, /removePlanner/)
  })

  it('a behaviour that works for another world, as a root', () => {
    const taken = pilot(employed())
    expectRefused(({ world }) => world.add(taken), TypeError, /Wander works for another SteeringWorld/)
    expect(taken.active).toBe(false)
  })

  it('… as a part of a combination, however deep', () => {
    const taken = employed()
    expectRefused(
      ({ world }) => world.add(pilot(blend([new Wander(), blend([taken])]))),
      TypeError,
      /Wander works for another SteeringWorld/,
    )
  })

  it('… and its other parts are free for other worlds', () => {
    const innocent = new Wander()
    const combined = blend([innocent, employed()])
    expectRefused(({ world }) => world.add(pilot(combined)), TypeError, /another SteeringWorld/)
    new SteeringWorld().add(pilot(innocent))
  })

  it('… in a flock', () => {
    const behavior = employed()
    expectRefused(
      ({ world }) => addFlock(world, { behavior, count: 2, maxSpeed: 1, maxForce: 1 }),
      TypeError,
      /another SteeringWorld/,
    )
  })

  it('… assigned to a controller', () => {
    const taken = employed()
    expectRefused(({ first }) => (first.behavior = taken), TypeError, /another SteeringWorld/)
  })

  it('… assigned to a flock', () => {
    const taken = employed()
    expectRefused(
      ({ flock }) => {
        const { behavior } = flock
        try {
          flock.behavior = taken
        } finally {
          expect(flock.behavior).toBe(behavior)
        }
      },
      TypeError,
      /another SteeringWorld/,
    )
  })

  it('a part of another world that is added later: a fault in each step until it is removed', () => {
    const { world, faults } = quietWorld()
    const parts = blend([new Seek({ target: v(0, 0, 50) })])
    const one = pilot(parts)
    world.add(one)
    world.step(1 / 60)
    parts.parts.push({ behavior: employed(), weight: 1 })
    expect(faultsIn(world, () => world.step(1 / 60))).toMatch(/Wander works for another SteeringWorld/)
    expect([world.tick, one.force.z, world.size]).toEqual([2, 0, 1])
    parts.parts.pop()
    world.step(1 / 60)
    expect([world.tick, faults.length]).toEqual([3, 1])
    expect(one.force.z).toBeGreaterThan(0)
  })

  it('a step inside a step, by a planner', () => {
    const { world } = quietWorld()
    const one = pilot(idle(), { velocity: v(0, 0, 6) })
    world.add(one)
    const planner = { plan: () => world.step(1 / 60) }
    world.addPlanner(planner)
    expect(faultsIn(world, () => world.step(1 / 60))).toMatch(/step: called inside a step/)
    expect(world.tick).toBe(1)
    expect(one.position.z).toBeCloseTo(0.1, 12)
    world.removePlanner(planner)
    world.step(1 / 60)
    expect([world.tick, world.size]).toEqual([2, 1])
  })

  it('a step inside a step, by a behaviour: only its own agent fails', () => {
    const { world, faults } = quietWorld()
    const other = pilot(idle(), { velocity: v(0, 0, 6) })
    world.add(pilot({ steer: () => world.step(1 / 60) }))
    world.add(other)
    world.step(1 / 60)
    expect(faults).toHaveLength(1)
    expect(faults[0]!.message).toMatch(/called inside a step/)
    expect(world.tick).toBe(1)
    expect(other.position.z).toBeCloseTo(0.1, 12)
  })

  it('a planner that throws: the step is made, and changes that it requested are kept', () => {
    const { world } = quietWorld()
    const one = pilot(idle(), { velocity: v(0, 0, 6) })
    const guest = pilot()
    world.add(one)
    const planner = {
      plan() {
        world.add(guest)
        throw new Error('no plan')
      },
    }
    world.addPlanner(planner)
    expect(faultsIn(world, () => world.step(1 / 60))).toBe('planner: threw Error: no plan')
    expect([world.tick, guest.active]).toEqual([1, true])
    expect(one.position.z).toBeCloseTo(0.1, 12)
  })

  it('a flock with half a member', () => {
    expectRefused(
      ({ world }) => addFlock(world, { behavior: idle(), count: 2.5, maxSpeed: 1, maxForce: 1 }),
      RangeError,
      /count: got 2.5, must be a whole number/,
    )
  })

  it('a flock whose last member has no valid start: no member is added', () => {
    const behavior = new Wander()
    expectRefused(
      ({ world }) =>
        addFlock(world, {
          behavior,
          count: 5,
          maxSpeed: 1,
          maxForce: 1,
          spawn: (index, { position }) => {
            if (index === 4) position.x = NaN
          },
        }),
      RangeError,
      /position: got \(NaN/,
    )
  })

  it('… and its behaviour is free for others', () => {
    const behavior = new Wander()
    const world = new SteeringWorld()
    const spawn = (): never => {
      throw new Error('no place')
    }
    expect(() => addFlock(world, { behavior, count: 1, maxSpeed: 1, maxForce: 1, spawn })).toThrow('no place')
    expect(world.size).toBe(0)
    new SteeringWorld().add(pilot(behavior))
  })

  it('an index without a member', () => {
    expectRefused(({ flock }) => flock.remove(3), RangeError, /index: got 3, the flock has members 0 … 2/)
    expectRefused(({ flock }) => flock.member(-1), RangeError, /index: got -1/)
  })

  it('adding members to a disposed flock', () => {
    const { world } = quietWorld()
    const flock = addFlock(world, { behavior: idle(), count: 1, maxSpeed: 1, maxForce: 1 })
    flock.dispose()
    expect(() => flock.add(1)).toThrow(/dispose/)
    expect(world.size).toBe(0)
  })

  it('a teleport to a position that is not finite', () => {
    expectRefused(
      ({ first }) => first.teleport({ position: v(NaN, 0, 0) }),
      RangeError,
      /position: got \(NaN/,
    )
    const turnedBadly = { position: v(9, 9, 9), quaternion: { x: 0, y: 0, z: 0, w: NaN } }
    expectRefused(({ first }) => first.teleport(turnedBadly), RangeError, /quaternion: got/)
  })

  it('a teleport of an agent whose pose belongs to a body', () => {
    const body = new Dummy({ position: v(1, 2, 3) })
    const one = pilot(idle(), { body })
    expect(() => one.teleport({ position: v(0, 0, 0) })).toThrow(TypeError)
    expect(() => one.teleport({ position: v(0, 0, 0) })).toThrow(/belongs to the physics body/)
    // it would be overwritten by that of the body in the next step
    expect(() => one.teleport({ velocity: v(0, 0, 0) })).toThrow(/velocity belongs to the physics body/)
    expect(() => one.teleport({ angularVelocity: v(0, 0, 0) })).toThrow(/velocity belongs/)
    expectVec(one.position, v(1, 2, 3), 0)
    expectVec(body.state.position, v(1, 2, 3), 0)
  })

  it('a wrong limit', () => {
    expectRefused(
      ({ first }) => {
        try {
          first.maxSpeed = -1
        } finally {
          expect(first.maxSpeed).toBe(10)
        }
      },
      RangeError,
      /maxSpeed: got -1, must be > 0/,
    )
  })
})

describe('after dispose', () => {
  const acts: [string, (world: SteeringWorld) => unknown][] = [
    ['step', (world) => world.step(1 / 60)],
    ['advance', (world) => world.advance(1)],
    ['add', (world) => world.add(pilot())],
    ['addFlock', (world) => addFlock(world, { behavior: idle(), count: 0, maxSpeed: 1, maxForce: 1 })],
    ['addPlanner', (world) => world.addPlanner({ plan() {} })],
    ['validate', (world) => world.validate()],
  ]
  for (const [name, act] of acts)
    it(`${name} throws`, () => {
      const world = new SteeringWorld()
      world.dispose()
      expect(() => act(world)).toThrow(/after dispose/)
      expect(world.size).toBe(0)
    })

  it('a flock of the world accepts no more members', () => {
    const world = new SteeringWorld()
    const flock = addFlock(world, { behavior: idle(), count: 1, maxSpeed: 1, maxForce: 1 })
    world.dispose()
    expect(() => flock.add(1)).toThrow(/after dispose/)
  })
})

describe('one body has one controller', () => {
  const refused = /body .* is steered by another/

  function expectOnePilot(first: SteeringBody, second: SteeringBody, worlds = 1): void {
    const world = new SteeringWorld()
    world.add(pilot(idle(), { body: first }))
    const other = worlds === 1 ? world : new SteeringWorld()
    const late = pilot(idle(), { body: second })
    expect(() => other.add(late)).toThrow(TypeError)
    expect(() => other.add(late)).toThrow(refused)
    expect(late.active).toBe(false)
    expect(other.size).toBe(worlds === 1 ? 1 : 0)
    other.step(1 / 60)
  }

  const solid = (): CANNON.Body => new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(1) })

  it('the same SteeringBody twice in one world', () => {
    const body = new Dummy()
    expectOnePilot(body, body)
  })

  it('the same SteeringBody in two worlds', () => {
    const body = new Dummy()
    expectOnePilot(body, body, 2)
  })

  it('two SteeringBodies of the same cannon body', () => {
    const body = solid()
    expectOnePilot(cannonBody(body), cannonBody(body))
  })

  it('two SteeringBodies of the same cannon body, in two worlds', () => {
    const body = solid()
    expectOnePilot(cannonBody(body), cannonBody(body), 2)
  })

  it('a body of a flock', () => {
    const body = new Dummy()
    const world = new SteeringWorld()
    addFlock(world, { behavior: idle(), count: 1, maxSpeed: 1, maxForce: 1, body: () => body })
    expect(() => world.add(pilot(idle(), { body }))).toThrow(refused)
    expect(world.size).toBe(1)
  })

  it('one body for all members of a flock', () => {
    const body = new Dummy()
    const world = new SteeringWorld()
    expect(() =>
      addFlock(world, { behavior: idle(), count: 2, maxSpeed: 1, maxForce: 1, body: () => body }),
    ).toThrow(refused)
    expect(world.size).toBe(0)
  })

  it('is free again after its controller was removed', () => {
    const body = cannonBody(solid())
    const world = new SteeringWorld()
    const first = pilot(idle(), { body })
    world.add(first)
    world.remove(first)
    world.add(pilot(idle(), { body }))
    expect(world.size).toBe(1)
  })

  it.each([null, 5, 'ship', {}, { read() {} }, { apply() {} }])('a value that is not a body: %s', (body) => {
    expect(() => pilot(idle(), { body: body as never })).toThrow(TypeError)
    expect(() => pilot(idle(), { body: body as never })).toThrow(/body: got .* must/)
  })
})

describe('one world has one engine', () => {
  it('attaching twice throws, and the first stays attached', () => {
    const world = new SteeringWorld()
    const engine = new CANNON.World()
    attachToCannon(world, engine)
    expect(() => attachToCannon(world, engine)).toThrow(/makes the steps of this world already/)
    engine.step(1 / 60)
    expect(world.tick).toBe(1)
  })
})
