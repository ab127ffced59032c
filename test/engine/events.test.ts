import { describe, expect, it } from 'vitest'
import { Arrive, neighborSearch, Separation, SteeringWorld, type Agent, type Behavior } from 'three-steering'
import type { ControllerEvents } from 'three-steering/authoring'
import { Emitter } from 'three-steering/authoring'
import { faultText as describeFault } from '../../src/core/engine/faults.js'
import { v } from '../support/geometry.js'
import { expectConsole } from '../support/console.js'
import { Dummy, idle, pilot, quietWorld, faultsIn } from '../support/pilot.js'
import { addFlock } from '../support/flock.js'

/** Emits arrive in every step. */
function arriving(): Behavior {
  const behavior: Behavior = { steer: (agent, step) => step.emit(agent, 'arrive', behavior) }
  return behavior
}

describe('arrive and leave', () => {
  it('carry target and behaviour, and for listeners of the world also the id', () => {
    const world = new SteeringWorld()
    const behavior = arriving()
    const one = pilot(behavior)
    const received: unknown[] = []
    // typed: this line would not compile if the event had no such fields
    one.addEventListener('arrive', ({ type, target, behavior }) => received.push({ type, target, behavior }))
    world.addEventListener('arrive', (event) => received.push({ ...event }))
    world.add(pilot())
    world.add(one)
    world.step(1 / 60)
    expect(received).toEqual([
      { type: 'arrive', target: one, behavior },
      { type: 'arrive', target: one, behavior, id: 1 },
    ])
  })

  it('carry the index of a flock’s member', () => {
    const world = new SteeringWorld()
    const behavior: Behavior = {
      steer: (agent, step) => {
        if (agent.position.x === 2) step.emit(agent, 'leave', behavior)
      },
    }
    const flock = addFlock(world, {
      behavior,
      count: 4,
      maxSpeed: 1,
      maxForce: 1,
      spawn: (index, { position, velocity }) => {
        Object.assign(position, v(index, 0, 0))
        Object.assign(velocity, v(0, 0, 0))
      },
    })
    const received: number[] = []
    flock.addEventListener('leave', ({ index, target }) => {
      expect(target).toBe(flock)
      received.push(index)
    })
    world.step(1 / 60)
    flock.remove(0)
    world.step(1 / 60)
    flock.remove(1)
    world.step(1 / 60)
    // the last member takes the index of a removed one: 2 stayed 2, then became 1
    expect(received).toEqual([2, 2, 1])
  })

  it('are emitted after the step, when all agents have moved and time has advanced', () => {
    const world = new SteeringWorld()
    const one = pilot(arriving(), { velocity: v(0, 0, 6) })
    const other = pilot(idle(), { velocity: v(0, 0, 3) })
    world.add(one)
    world.add(other)
    const received: number[][] = []
    one.addEventListener('arrive', () =>
      received.push([one.position.z, other.position.z, world.tick, 60 * world.time]),
    )
    world.step(1 / 60)
    expect(received).toHaveLength(1)
    for (const [i, expected] of [0.1, 0.05, 1, 1].entries()) expect(received[0]![i]).toBeCloseTo(expected, 12)
  })

  it('are emitted in the order of the steps, once each', () => {
    const world = new SteeringWorld()
    const one = pilot(new Arrive({ target: v(0, 0, 0), tolerance: 0.1, dwell: 0 }))
    const log: string[] = []
    one.addEventListener('arrive', () => log.push(`arrive ${world.tick}`))
    one.addEventListener('leave', () => log.push(`leave ${world.tick}`))
    world.add(one)
    world.step(1 / 60)
    world.step(1 / 60)
    one.teleport({ position: v(5, 0, 0) })
    world.step(1 / 60)
    one.teleport({ position: v(0, 0, 0), velocity: v(0, 0, 0) })
    world.step(1 / 60)
    expect(log).toEqual(['arrive 1', 'leave 3', 'arrive 4'])
  })

  it('a listener may dispose its target and all other agents', () => {
    const world = new SteeringWorld()
    const behavior = arriving()
    const [a, b, c] = [pilot(behavior), pilot(behavior), pilot(behavior)]
    const received: string[] = []
    a.addEventListener('arrive', () => {
      received.push('a')
      a.dispose()
      b.dispose()
    })
    a.addEventListener('arrive', () => received.push('a again'))
    b.addEventListener('arrive', () => received.push('b'))
    c.addEventListener('arrive', () => {
      received.push('c')
      world.dispose()
    })
    for (const each of [a, b, c]) world.add(each)
    world.step(1 / 60)
    // all listeners of a's event are called; b is removed before its own
    expect(received).toEqual(['a', 'a again', 'c'])
    expect([world.size, world.isDisposed]).toEqual([0, true])
  })

  it('a listener may dispose the world during advance', () => {
    const world = new SteeringWorld()
    const one = pilot(arriving())
    one.addEventListener('arrive', () => world.dispose())
    world.add(one)
    world.advance(3 / 60)
    expect(world.isDisposed).toBe(true)
  })

  it('a listener that adds and removes agents is called outside of a step', () => {
    const world = new SteeringWorld()
    const one = pilot(arriving())
    const guest = pilot()
    one.addEventListener('arrive', () => {
      if (world.tick > 1) return
      world.add(guest)
      expect(guest.active).toBe(true)
      world.remove(one)
      expect(one.active).toBe(false)
      world.add(one)
    })
    world.add(one)
    world.step(1 / 60)
    world.step(1 / 60)
    expect(world.size).toBe(2)
  })

  it('a listener may step the world', () => {
    const world = new SteeringWorld()
    const one = pilot(arriving())
    let count = 0
    one.addEventListener('arrive', () => {
      if (++count < 3) world.step(1 / 60)
    })
    world.add(one)
    world.step(1 / 60)
    expect([count, world.tick]).toEqual([3, 3])
  })

  it('a listener that throws does not stop the other listeners', () => {
    const world = new SteeringWorld()
    const behavior = arriving()
    const [a, b] = [pilot(behavior), pilot(behavior)]
    let calls = 0
    a.addEventListener('arrive', () => {
      throw new Error('bad listener')
    })
    b.addEventListener('arrive', () => calls++)
    world.add(a)
    world.add(b)
    expect(faultsIn(world, () => world.step(1 / 60))).toBe("listener of 'arrive': threw Error: bad listener")
    expect([world.tick, calls]).toEqual([1, 1])
  })
})

describe('Emitter', () => {
  class Bell extends Emitter<{ ring: { type: 'ring'; times: number }; stop: { type: 'stop' } }> {
    ring(times: number): boolean {
      return this.emit('ring', { type: 'ring', times })
    }
  }

  it('calls the listeners after one that throws, and then throws the first error', () => {
    const bell = new Bell()
    const calls: string[] = []
    const fails = (name: string) => () => {
      calls.push(name)
      throw new Error(name)
    }
    bell.addEventListener('ring', fails('first'))
    bell.addEventListener('ring', () => calls.push('second'))
    bell.addEventListener('ring', fails('third'))
    bell.addEventListener('ring', () => calls.push('fourth'))
    expect(() => bell.ring(1)).toThrow('first')
    expect(calls).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('calls each listener once, in the order in which they were added', () => {
    const bell = new Bell()
    const calls: string[] = []
    const first = (): void => void calls.push('first')
    bell.addEventListener('ring', first)
    bell.addEventListener('ring', () => calls.push('second'))
    bell.addEventListener('ring', first)
    expect(bell.ring(1)).toBe(true)
    expect(calls).toEqual(['first', 'second'])
    expect(bell.hasEventListener('ring', first)).toBe(true)
    expect(bell.hasEventListener('stop', first)).toBe(false)
  })

  it('emit returns whether there is a listener', () => {
    const bell = new Bell()
    const listener = (): void => {}
    expect(bell.ring(1)).toBe(false)
    bell.addEventListener('ring', listener)
    expect(bell.ring(1)).toBe(true)
    bell.removeEventListener('ring', listener)
    bell.removeEventListener('ring', listener)
    expect(bell.ring(1)).toBe(false)
  })

  it('calls the listeners that existed when emit was called', () => {
    const bell = new Bell()
    const calls: string[] = []
    const late = (): void => void calls.push('late')
    const once = (): void => {
      calls.push('once')
      bell.removeEventListener('ring', once)
      bell.addEventListener('ring', late)
    }
    bell.addEventListener('ring', once)
    bell.ring(1)
    bell.ring(2)
    expect(calls).toEqual(['once', 'late'])
  })
})

it('the events of a controller have the declared types', () => {
  // a wrong field here would not compile
  const event = { type: 'added', target: pilot() } satisfies ControllerEvents['added']
  expect(event.type).toBe('added')
})

describe('faults', () => {
  const NOT_FINITE = [NaN, Infinity, -Infinity]

  it.each(NOT_FINITE)('a force of %s is dropped and reported once, others go on', (bad) => {
    const { world, faults } = quietWorld()
    class Broken implements Behavior {
      steer: Behavior['steer'] = (_agent, _step, out) => {
        out.force.y = bad
      }
    }
    const one = pilot(new Broken(), { name: 'sick' })
    const other = pilot({
      steer: (_a, _s, out) => {
        out.force.x = 60
      },
    })
    world.add(one)
    world.add(other)
    for (let i = 0; i < 5; i++) world.step(1 / 60)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ type: 'fault', id: 0, name: 'sick', behavior: 'Broken' })
    expect([one.force.x, one.force.y, one.velocity.y]).toEqual([0, 0, 0])
    expect(other.velocity.x).toBeCloseTo(5, 9)
  })

  it.each(NOT_FINITE)('a torque of %s is dropped and reported once', (bad) => {
    const { world, faults } = quietWorld()
    const one = pilot({
      steer: (_a, _s, out) => {
        out.torque.z = bad
        out.turns = true
      },
    })
    world.add(one)
    world.step(1 / 60)
    expect(faults).toHaveLength(1)
    expect(one.torque.z).toBe(0)
  })

  it('a behaviour that moves its neighbours in its view is named, and nobody else', () => {
    const { world, faults } = quietWorld()
    class Vandal implements Behavior {
      readonly neighborSearch = neighborSearch
      readonly reach = 9
      steer({ neighbors: { count, position, row } }: Agent): void {
        if (count > 0) position[3 * row[0]!] = 1e9
      }
    }
    // the second one sees what the first one has done
    world.add(pilot(new Arrive({ target: v(0, 0, 0) }), { position: v(0, 0, 0) }))
    world.add(pilot(new Vandal(), { position: v(3, 0, 0), name: 'vandal' }))
    world.add(pilot(new Separation({ neighborDistance: 9 }), { position: v(0, 3, 0) }))
    for (let i = 0; i < 5; i++) world.step(1 / 60)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ name: 'vandal', behavior: 'Vandal' })
    expect(faults[0]!.message).toContain('wrote into the columns of its neighbors')
  })

  it('an exception is dropped and reported with its message', () => {
    const { world, faults } = quietWorld()
    world.add(
      pilot({
        steer() {
          throw new RangeError('no fuel')
        },
      }),
    )
    world.step(1 / 60)
    world.step(1 / 60)
    expect(faults).toHaveLength(1)
    expect(faults[0]!.message).toMatch(/no fuel/)
  })

  it('the fault of a locomotion carries its name', () => {
    const { world, faults } = quietWorld()
    class Engine {
      actuate(_a: unknown, _d: unknown, _s: unknown, out: { force: { x: number } }): void {
        out.force.x = NaN
      }
      forceAlong(): number {
        return 1
      }
    }
    world.add(pilot(idle(), { locomotion: new Engine() }))
    world.step(1 / 60)
    expect(faults[0]!.behavior).toBe('Engine')
  })

  it('the fault of a tree carries the name of the part that failed', () => {
    const { world, faults } = quietWorld()
    class Good implements Behavior {
      steer(): void {}
    }
    class Bad implements Behavior {
      steer: Behavior['steer'] = (_a, _s, out) => {
        out.force.x = NaN
      }
    }
    class Tree implements Behavior {
      readonly children: readonly Behavior[]
      constructor(...children: Behavior[]) {
        this.children = children
      }
      steer: Behavior['steer'] = (agent, step, out) =>
        this.children.forEach((child) => child.steer(agent, step, out))
    }
    world.add(pilot(new Tree(new Good(), new Tree(new Good(), new Bad()))))
    world.step(1 / 60)
    expect(faults[0]!.behavior).toBe('Bad')
  })

  it('without a listener a fault is printed on the console, once', () => {
    const calls = expectConsole()
    const world = new SteeringWorld()
    const bad: Behavior = {
      steer: (_a, _s, out) => {
        out.force.x = NaN
      },
    }
    world.add(pilot(bad, { name: 'sick' }))
    for (let i = 0; i < 4; i++) world.step(1 / 60)
    expect(calls).toHaveLength(1)
    expect(calls[0]!.level).toBe('error')
    expect(calls[0]!.text).toMatch(/agent 0 \(sick\)/)
    expect(describeFault({ id: 7, name: '', behavior: 'Seek', message: 'oops' })).toMatch(
      /agent 7: Seek: oops/,
    )
  })

  it('an agent that recovers and fails again is not reported again; a new agent in its slot is', () => {
    const { world, faults } = quietWorld()
    let bad = true
    const behavior: Behavior = {
      steer: (_a, _s, out) => {
        out.force.x = bad ? NaN : 1
      },
    }
    const one = pilot(behavior)
    world.add(one)
    world.step(1 / 60)
    bad = false
    world.step(1 / 60)
    expect(one.force.x).toBe(1)
    bad = true
    world.step(1 / 60)
    expect(faults).toHaveLength(1)
    world.remove(one)
    world.add(one)
    world.step(1 / 60)
    expect(faults).toHaveLength(2)
  })

  it('a lost body is reported once, and its agent neither steers nor gets a force until it is found', () => {
    const { world, faults } = quietWorld()
    const body = new Dummy()
    let thoughts = 0
    world.add(pilot({ steer: () => void thoughts++ }, { body, name: 'Falcon' }))
    world.step(1 / 60)
    expect([thoughts, body.given.length]).toEqual([1, 1])
    for (const lost of [
      () => (body.state.position.y = NaN),
      () => (body.state.velocity.x = Infinity),
      () => (body.state.quaternion.w = NaN),
    ]) {
      lost()
      world.step(1 / 60)
      world.step(1 / 60)
    }
    expect([thoughts, body.given.length]).toEqual([1, 1])
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({
      name: 'Falcon',
      message: expect.stringMatching(/not finite/) as string,
    })
    Object.assign(body.state, new Dummy().state)
    world.step(1 / 60)
    expect([thoughts, body.given.length]).toEqual([2, 2])
  })

  it('a fault listener may change the world', () => {
    const world = new SteeringWorld()
    const one = pilot({
      steer() {
        throw new Error('x')
      },
    })
    world.addEventListener('fault', () => one.dispose())
    world.add(one)
    world.step(1 / 60)
    expect(world.size).toBe(0)
  })

  it('validate finds the first agent that fails, and returns null in a world without faults', () => {
    const { world } = quietWorld()
    expect(world.validate()).toBe(null)
    world.add(pilot())
    world.step(1 / 60)
    expect(world.validate()).toBe(null)
    class Bad implements Behavior {
      steer: Behavior['steer'] = (_a, _s, out) => {
        out.torque.x = Infinity
      }
    }
    world.add(pilot(new Bad(), { name: 'culprit' }))
    expect(world.validate()).toMatchObject({ id: 1, name: 'culprit', behavior: 'Bad' })
    class Thrower implements Behavior {
      steer(): void {
        throw new Error('x')
      }
    }
    const other = new SteeringWorld()
    other.add(pilot(new Thrower()))
    expect(other.validate()).toMatchObject({ behavior: 'Thrower' })
  })

  it('validate does not change the next step', () => {
    let center = NaN
    const behavior: Behavior = {
      steer: (agent) => {
        center = agent.flockCenter.x
      },
    }
    const world = new SteeringWorld()
    const flock = addFlock(world, {
      behavior,
      count: 2,
      maxSpeed: 1,
      maxForce: 1,
      spawn: (i, { position, velocity }) => {
        Object.assign(position, v(2 * i, 0, 0))
        Object.assign(velocity, v(0, 0, 0))
      },
    })
    world.validate()
    expect(center).toBe(1)
    flock.remove(1)
    world.step(1 / 60)
    expect(center).toBe(0)
  })
})
