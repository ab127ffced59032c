import { describe, expect, it } from 'vitest'
import {
  Arrive,
  blend,
  neighborSearch,
  SteeringWorld,
  Wander,
  type Behavior,
  type Flock,
  type SteeringController,
  type Vec3,
} from 'three-steering'
import { Memory } from 'three-steering/authoring'
import { expectVec, v } from '../support/geometry.js'
import { idle, pilot, quietWorld, xyz, faultsIn } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

/** A behaviour that changes the world inside a step. */
function calling(act: (id: number) => void): Behavior {
  return { steer: (agent) => act(agent.id) }
}

/** An agent that does this in its first step. */
function once(act: () => void): SteeringController {
  let done = false
  const behavior = calling(() => {
    if (done) return
    done = true
    act()
  })
  return pilot(behavior)
}

describe('adding and removing', () => {
  it('ids are never used again; slots are, with a new generation each time', () => {
    const seen: { id: number; slot: number; generation: number }[] = []
    const watch: Behavior = {
      steer: ({ id, slot, generation }) => void seen.push({ id, slot, generation }),
    }
    const world = new SteeringWorld()
    for (let i = 0; i < 50; i++) {
      const one = pilot(watch)
      world.add(one)
      world.step(1 / 60)
      world.remove(one)
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(50)
    expect(new Set(seen.map(({ slot }) => slot)).size).toBeLessThan(50)
    expect(new Set(seen.map(({ slot, generation }) => `${slot} ${generation}`)).size).toBe(50)
  })

  it('a removed controller keeps its state, also in the next world', () => {
    const world = new SteeringWorld()
    const others = [pilot(), pilot(), pilot()]
    const one = pilot(idle(), {
      position: v(1, 2, 3),
      velocity: v(0, 0, 2),
      angularVelocity: v(0, 0.1, 0),
      maxForce: 0,
      maxTorque: 0,
    })
    others.forEach((each) => world.add(each))
    world.add(one)
    expect([one.id, one.active, world.size]).toEqual([3, true, 4])
    world.remove(others[0]!)
    expectVec(one.position, v(1, 2, 3), 0)
    world.remove(one)
    expect([one.id, one.active, world.size]).toEqual([-1, false, 2])
    expectVec(one.position, v(1, 2, 3), 0)
    expectVec(one.velocity, v(0, 0, 2), 0)
    one.maxSpeed = 7
    one.teleport({ position: v(4, 5, 6) })
    const next = new SteeringWorld()
    next.add(one)
    expectVec(one.position, v(4, 5, 6), 0)
    expectVec(one.velocity, v(0, 0, 2), 0)
    expectVec(one.angularVelocity, v(0, 0.1, 0), 0)
    expect(one.maxSpeed).toBe(7)
  })

  it('removing an agent does not change the others', () => {
    const world = new SteeringWorld()
    const many = Array.from({ length: 20 }, (_, i) =>
      pilot(idle(), { position: v(i, -i, 2 * i), velocity: v(0, 0, i / 10), maxSpeed: i + 1, mass: i + 1 }),
    )
    many.forEach((each) => world.add(each))
    for (const gone of [0, 7, 19, 3]) {
      world.remove(many[gone]!)
      for (const [i, each] of many.entries()) {
        expectVec(each.position, v(i, -i, 2 * i), 0)
        expect([each.velocity.z, each.maxSpeed, each.mass]).toEqual([i / 10, i + 1, i + 1])
      }
    }
    expect(world.size).toBe(16)
  })

  it('adding and removing many times does not mix up agents', () => {
    const world = new SteeringWorld()
    const inside = new Set<SteeringController>()
    const places = new Map<SteeringController, Vec3>()
    for (let i = 0; i < 300; i++) {
      if (i % 3 === 2 && inside.size > 0) {
        const gone = [...inside][(7 * i) % inside.size]!
        world.remove(gone)
        inside.delete(gone)
      } else {
        const place = v(i, i * i, -i)
        const one = pilot(idle(), { position: place, maxForce: 0 })
        places.set(one, place)
        world.add(one)
        inside.add(one)
      }
      if (i % 10 === 0) world.step(1 / 60)
    }
    expect(world.size).toBe(inside.size)
    for (const [one, place] of places) {
      expectVec(one.position, place, 0)
      expect(one.active).toBe(inside.has(one))
    }
  })
})

describe('inside a step', () => {
  it('an added agent steers from the next step on', () => {
    const world = new SteeringWorld()
    const steeredIds: number[] = []
    const watch = calling((id) => steeredIds.push(id))
    const guest = pilot(watch)
    const active: boolean[] = []
    world.add(
      pilot(
        calling(() => {
          if (active.length === 0) world.add(guest)
          active.push(guest.active)
        }),
      ),
    )
    world.step(1 / 60)
    expect([steeredIds, active, guest.active, world.size]).toEqual([[], [false], true, 2])
    world.step(1 / 60)
    expect(steeredIds).toEqual([1])
  })

  it('a removed agent steers and moves until the end of the step', () => {
    const world = new SteeringWorld()
    const steeredIds: number[] = []
    const second = pilot(
      calling((id) => steeredIds.push(id)),
      { velocity: v(0, 0, 6) },
    )
    world.add(once(() => world.remove(second))).add(second)
    world.step(1 / 60)
    expect([steeredIds, second.active, world.size]).toEqual([[1], false, 1])
    expectVec(second.position, v(0, 0, 0.1), 1e-12)
  })

  it('a behaviour may remove its own agent', () => {
    const world = new SteeringWorld()
    const one: SteeringController = pilot(calling(() => void world.remove(one)))
    world.add(one)
    world.step(1 / 60)
    expect([one.active, world.size]).toEqual([false, 0])
    world.step(1 / 60)
  })

  it('a behaviour may dispose its own agent and others', () => {
    const world = new SteeringWorld()
    const pilots: SteeringController[] = [0, 1, 2].map(() =>
      pilot(calling((id) => (id === 0 ? pilots : []).forEach((each) => each.dispose()))),
    )
    pilots.forEach((each) => world.add(each))
    world.step(1 / 60)
    expect(world.size).toBe(0)
    for (const each of pilots) expect([each.isDisposed, each.active]).toEqual([true, false])
  })

  it.each([
    ['added and removed again', false, ['add', 'remove'], false],
    ['added and disposed', false, ['add', 'dispose'], false],
    ['removed and disposed', true, ['remove', 'dispose'], false],
    ['removed and added again', true, ['remove', 'add'], true],
  ] as const)('an agent may be %s', (_, isInside, acts, stays) => {
    const { world, faults } = quietWorld()
    const other = pilot()
    world.add(once(() => acts.forEach((act) => (act === 'dispose' ? other.dispose() : world[act](other)))))
    if (isInside) world.add(other)
    for (let i = 0; i < 2; i++) {
      world.step(1 / 60)
      expect([other.active, world.size]).toEqual([stays, stays ? 2 : 1])
    }
    expect(other.isDisposed).toBe(acts.includes('dispose' as never))
    expect(faults).toEqual([])
  })

  it('a planner may add and remove agents', () => {
    const world = new SteeringWorld()
    const steeredIds: number[] = []
    const watch = calling((id) => steeredIds.push(id))
    const first = pilot(watch)
    const guest = pilot(watch)
    world.add(first)
    let planned = 0
    const planner = {
      plan: () => {
        if (planned++ > 0) return
        world.add(guest)
        world.remove(first)
      },
    }
    world.addPlanner(planner)
    world.step(1 / 60)
    expect(steeredIds).toEqual([0])
    world.step(1 / 60)
    expect(steeredIds).toEqual([0, 1])
    world.removePlanner(planner)
    world.step(1 / 60)
    expect(planned).toBe(2)
  })

  it('listeners of added and removed may add and remove agents', () => {
    const world = new SteeringWorld()
    const [a, b, c] = [pilot(), pilot(), pilot()]
    a.addEventListener('added', () => world.add(b))
    b.addEventListener('added', () => world.remove(a))
    a.addEventListener('removed', () => world.add(c))
    world.add(a)
    expect([a.active, b.active, c.active, world.size]).toEqual([false, true, true, 2])
  })

  it('members of a flock are added and removed when the step ends', () => {
    const world = new SteeringWorld()
    let flock: Flock | null = null
    let act: ((f: Flock) => void) | null = null
    const during: number[] = []
    const behavior = calling((id) => {
      if (id !== 0 || flock === null) return
      act?.(flock)
      during.push(flock.size)
    })
    flock = addFlock(world, { behavior, count: 4, maxSpeed: 1, maxForce: 1 })
    act = (f) => f.add(3)
    world.step(1 / 60)
    expect([during, flock.size, world.size]).toEqual([[4], 7, 7])
    act = (f) => {
      f.remove(6)
      f.remove(2)
    }
    world.step(1 / 60)
    expect([during, flock.size, world.size]).toEqual([[4, 7], 5, 5])
    act = (f) => f.dispose()
    world.step(1 / 60)
    expect([flock.size, world.size, flock.isDisposed]).toEqual([0, 0, true])
    world.step(1 / 60)
  })

  it('a member removed twice in a step is removed once: an agent that gets its slot meanwhile stays', () => {
    const world = new SteeringWorld()
    let flock: Flock | null = null
    let done = false
    const behavior = calling(() => {
      if (done || flock === null) return
      done = true
      flock.remove(1)
      flock.add(1)
      flock.remove(1)
    })
    flock = addFlock(world, { behavior, count: 3, maxSpeed: 1, maxForce: 1 })
    world.step(1 / 60)
    expect([flock.size, world.size]).toEqual([3, 3])
    world.step(1 / 60)
    expect([flock.size, world.size]).toEqual([3, 3])
  })

  it('a flock that is added and disposed in one step leaves no agents', () => {
    const world = new SteeringWorld()
    const few = { behavior: idle(), count: 5, maxSpeed: 1, maxForce: 1 }
    world.add(once(() => addFlock(world, few).dispose()))
    world.step(1 / 60)
    expect(world.size).toBe(1)
    world.step(1 / 60)
    expect(world.size).toBe(1)
  })

  it('disposing the world takes effect when the step ends', () => {
    const world = new SteeringWorld()
    const one = pilot(calling(() => world.dispose()))
    world.add(one)
    const flock = addFlock(world, { behavior: idle(), count: 3, maxSpeed: 1, maxForce: 1 })
    world.step(1 / 60)
    expect([world.isDisposed, world.size, one.active, flock.isDisposed]).toEqual([true, 0, false, true])
    expect(() => world.step(1 / 60)).toThrow(/dispose/)
  })

  it('a change that fails prevents no other change and no event', () => {
    const { world } = quietWorld()
    const elsewhere = new SteeringWorld()
    const shared = new Wander()
    elsewhere.add(pilot(shared))
    const arriving = pilot(new Arrive({ target: v(0, 0, 0), dwell: 0 }))
    const calls: string[] = []
    arriving.addEventListener('arrive', () => calls.push('arrive'))
    world.add(arriving)
    const [bad, good] = [pilot(shared), pilot()]
    world.add(once(() => void world.add(bad).add(good)))
    expect(faultsIn(world, () => world.step(1 / 60))).toMatch(/another SteeringWorld/)
    expect([bad.active, good.active, world.size]).toEqual([false, true, 3])
    world.step(1 / 60)
    expect(calls).toEqual(['arrive'])
    expect(world.tick).toBe(2)
  })
})

describe('replacing a behaviour', () => {
  it('works outside of a step, also for a flock, and frees the old one', () => {
    const world = new SteeringWorld()
    const elsewhere = new SteeringWorld()
    const [old, next] = [new Arrive({ target: v(0, 0, 9) }), new Arrive({ target: v(0, 9, 0) })]
    const flock = addFlock(world, { behavior: old, count: 3, maxSpeed: 5, maxForce: 5, spawn: () => {} })
    expect(() => elsewhere.add(pilot(old))).toThrow(/another SteeringWorld/)
    flock.behavior = next
    elsewhere.add(pilot(old))
    expect(flock.behavior).toBe(next)
    expect(() => new SteeringWorld().add(pilot(next))).toThrow(/another SteeringWorld/)
  })

  it('works inside a step', () => {
    const world = new SteeringWorld()
    const log: string[] = []
    const one: SteeringController = pilot({
      steer() {
        log.push('first')
        one.behavior = { steer: () => void log.push('second') }
      },
    })
    world.add(one)
    for (let i = 0; i < 3; i++) world.step(1 / 60)
    expect(log).toEqual(['first', 'second', 'second'])
  })

  it('one root may steer many controllers and a flock of the same world', () => {
    const world = new SteeringWorld()
    const shared = new Arrive({ target: v(0, 0, 9) })
    const [a, b] = [pilot(shared), pilot(shared)]
    world.add(a)
    world.add(b)
    addFlock(world, { behavior: shared, count: 2, maxSpeed: 5, maxForce: 5 })
    world.remove(a)
    // still used in this world
    expect(() => new SteeringWorld().add(a)).toThrow(/another SteeringWorld/)
    world.dispose()
    new SteeringWorld().add(a)
  })

  it('a part that another root still uses keeps its world', () => {
    const world = new SteeringWorld()
    const arrive = new Arrive({ target: v(0, 0, 9) })
    const combined = pilot(blend([arrive]))
    world.add(combined)
    world.add(pilot(arrive))
    world.remove(combined)
    // without a step in between
    const elsewhere = new SteeringWorld()
    expect(() => elsewhere.add(pilot(arrive))).toThrow(/another SteeringWorld/)
    world.step(1 / 60)
  })
})

describe('the memory of a behaviour', () => {
  /** Counts the steps of each agent in its memory. */
  function counter(): Behavior & { counts: Map<number, number>; fresh: number[] } {
    const memory = new Memory(1)
    const counts = new Map<number, number>()
    const fresh: number[] = []
    return {
      counts,
      fresh,
      steer(agent) {
        const at = memory.at(agent)
        if (memory.fresh) fresh.push(agent.id)
        counts.set(agent.id, ++memory.data[at]!)
      },
    }
  }

  it('is kept while the agent lives, and is reset for the next owner of its slot', () => {
    const behavior = counter()
    const world = new SteeringWorld()
    const first = pilot(behavior)
    world.add(first)
    for (let i = 0; i < 5; i++) world.step(1 / 60)
    world.remove(first)
    world.add(pilot(behavior))
    world.step(1 / 60)
    expect([...behavior.counts]).toEqual([
      [0, 5],
      [1, 1],
    ])
    expect(behavior.fresh).toEqual([0, 1])
  })

  it('stays with its agent when others are added and removed, and when rows move', () => {
    const behavior = Object.assign(counter(), { reach: 3, neighborSearch })
    const world = new SteeringWorld()
    const pilots = Array.from({ length: 30 }, (_, i) =>
      pilot(behavior, { position: v(Math.sin(i) * 5, Math.cos(3 * i) * 5, 0) }),
    )
    pilots.forEach((each) => world.add(each))
    for (let i = 0; i < 10; i++) {
      world.step(1 / 60)
      world.remove(pilots.pop()!)
    }
    world.step(1 / 60)
    for (const each of pilots) expect(behavior.counts.get(each.id)).toBe(11)
    expect(behavior.fresh).toHaveLength(30)
  })

  it('is reset in another world', () => {
    const behavior = counter()
    for (let i = 0; i < 3; i++) {
      behavior.counts.clear()
      const world = new SteeringWorld()
      world.add(pilot(behavior))
      world.step(1 / 60)
      expect([...behavior.counts]).toEqual([[0, 1]])
      world.dispose()
    }
  })
})

describe('dispose', () => {
  it('of a controller is idempotent and removes its listeners', () => {
    const world = new SteeringWorld()
    const one = pilot()
    const calls: string[] = []
    const listener = (): void => void calls.push('removed')
    one.addEventListener('removed', listener)
    world.add(one)
    one.dispose()
    one.dispose()
    expect(calls).toEqual(['removed'])
    expect([one.isDisposed, one.active, world.size]).toEqual([true, false, 0])
    expect(one.hasEventListener('removed', listener)).toBe(false)
  })

  it('works for a controller that was never added', () => {
    const one = pilot()
    one.dispose()
    one.dispose()
    expect(one.isDisposed).toBe(true)
  })

  it('of a flock is idempotent and removes its listeners', () => {
    const world = new SteeringWorld()
    const flock = addFlock(world, { behavior: idle(), count: 4, maxSpeed: 1, maxForce: 1 })
    const listener = (): void => {}
    flock.addEventListener('arrive', listener)
    flock.dispose()
    flock.dispose()
    expect([flock.size, world.size, flock.isDisposed]).toEqual([0, 0, true])
    expect(flock.hasEventListener('arrive', listener)).toBe(false)
    world.step(1 / 60)
  })

  it('of a world is idempotent, and removes its agents and listeners', () => {
    const world = new SteeringWorld()
    const behavior = new Wander()
    const one = pilot(behavior)
    const calls: string[] = []
    one.addEventListener('removed', () => calls.push('removed'))
    const listener = (): void => {}
    world.addEventListener('arrive', listener)
    world.add(one)
    world.dispose()
    world.dispose()
    expect([world.size, world.isDisposed, calls]).toEqual([0, true, ['removed']])
    expect(world.hasEventListener('arrive', listener)).toBe(false)
    // controller and behaviour are free for another world
    expect(one.isDisposed).toBe(false)
    new SteeringWorld().add(one)
    expectVec(xyz(one.position), v(0, 0, 0), 0)
  })
})

it('a part is asked for the reach of its vehicle once per agent and step, and not once it has left the tree', () => {
  let calls = 0
  const part: Behavior = { ...idle(), neighborSearch, reachFor: () => (calls++, 5) }
  const parts = [part]
  const world = new SteeringWorld().add(pilot({ ...idle(), children: parts }))
  const callsIn = (steps: number): number => {
    calls = 0
    for (let i = 0; i < steps; i++) world.step(1 / 60)
    return calls
  }
  expect(callsIn(1)).toBe(1)
  expect(callsIn(3)).toBe(3)
  parts.length = 0
  expect(callsIn(3)).toBe(0)
})
