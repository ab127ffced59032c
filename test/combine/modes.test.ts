import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  blend,
  modes,
  neighborSearch,
  priority,
  Seek,
  SteeringController,
  Wander,
  within,
  type Behavior,
  type Modes,
  type SteeringWorld,
  type Vec3Like,
} from 'three-steering'
import type { SelectMode } from 'three-steering/authoring'
import type { Exemption } from 'three-steering/authoring'
import { explain, type Contribution } from 'three-steering/explain'
import { restoreSnapshot, takeSnapshot, type Snapshot } from 'three-steering/snapshot'
import { bitsOf, firstDifference } from '../laws/kit.js'
import { expectVec, minus, norm, plus, times, v } from '../support/geometry.js'
import { ask, idle, pilot, quietWorld, xyz, faultsIn } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'
import { counting, holding, twisting } from './parts.js'

/** Three trees that push along x, y and z, 10 N each. */
function pushes(): { x: Behavior; y: Behavior; z: Behavior } {
  return { x: pushing(v(10, 0, 0)), y: pushing(v(0, 10, 0)), z: pushing(v(0, 0, 10)) }
}

type Axis = 'x' | 'y' | 'z'

/** The wanted force in each step; `change` runs before each step. */
function forcesOf(
  behavior: Behavior,
  steps: number,
  change: (step: number) => void = () => undefined,
  dt = 1 / 60,
): Vec3Like[] {
  const { world, faults } = quietWorld({ seed: 3 })
  const one = pilot(behavior, { maxForce: 1e3 })
  world.add(one)
  const found = Array.from({ length: steps }, (_, i) => {
    change(i)
    world.step(dt)
    return xyz(one.demand.force)
  })
  expect(faults).toEqual([])
  world.dispose()
  return found
}

/** Emitted stages, 'id:stage' or 'id:stage (reason)'. */
function stagesIn(world: SteeringWorld): string[] {
  const told: string[] = []
  world.addEventListener('stage', ({ id, stage, reason }) =>
    told.push(`${id}:${stage}${reason === '' ? '' : ` (${reason})`}`),
  )
  return told
}

describe('modes', () => {
  it('gives the answer of the current tree, bit-identically, including the torque', () => {
    const make = (): Behavior =>
      blend([new Seek({ target: v(3, -9, 4) }), twisting(v(1, 2, 3)), new Wander()])
    const state = { velocity: v(1, 2, -3), angularVelocity: v(0.1, 0, 0.3) }
    expect(ask(modes({ rest: idle(), act: make() }, { initial: 'act' }), state)).toEqual(ask(make(), state))
    expect(forcesOf(modes({ act: make(), rest: idle() }), 20)).toEqual(forcesOf(make(), 20))
  })

  it('begins with the first mode, or with the initial one', () => {
    expect(modes(pushes()).current).toBe('x')
    expect(modes(pushes(), { initial: 'z' }).current).toBe('z')
    expectVec(forcesOf(modes(pushes(), { initial: 'z' }), 1)[0]!, v(0, 0, 10), 0)
  })

  it('asks only the trees in use', () => {
    const [a, b, c] = [counting(), counting(), counting()]
    const mind = modes({ a, b, c }, { fade: 0.1 })
    forcesOf(mind, 20, (i) => {
      if (i === 10) mind.current = 'b'
    })
    // 0.1 s in steps of 1/60 s: six steps, the last of which uses only the new mode
    expect([a.asked, b.asked, c.asked]).toEqual([15, 10, 0])
  })

  it.each([30, 60, 240])('changes linearly in the given time, at %i steps a second', (rate) => {
    const mind = modes(pushes(), { fade: 0.4 })
    const found = forcesOf(
      mind,
      rate,
      (i) => {
        if (i === 6) mind.current = 'y'
      },
      1 / rate,
    )
    found.forEach(({ x, y, z }, i) => {
      const share = Math.min(1, Math.max(0, (i - 5) / rate / 0.4))
      expectVec(v(x, y, z), v(10 * (1 - share), 10 * share, 0), 1e-9)
    })
    // bit-identical once the transition is over
    expect(found.at(-1)!.x).toBe(0)
    expect(found.at(-1)!.y).toBe(10)
  })

  it('with a fade of 0 changes from one step to the next', () => {
    const mind = modes(pushes(), { fade: 0 })
    const found = forcesOf(mind, 3, (i) => void (mind.current = 'xyx'[i] as Axis))
    expect(found.map(({ x, y }) => [x, y])).toEqual([
      [10, 0],
      [0, 10],
      [10, 0],
    ])
  })

  it('with repeated changes the force never jumps, and the shares always sum to 1', () => {
    const change = fc.record({ step: fc.nat(60), to: fc.constantFrom<Axis>('x', 'y', 'z') })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.constantFrom(0.1, 0.5, 2), (changes, fade) => {
        const mind = modes(pushes(), { fade })
        const found = forcesOf(mind, 200, (i) => {
          for (const { step, to } of changes) if (step === i) mind.current = to
        })
        let [error, least, jump] = [0, Infinity, 0]
        found.forEach(({ x, y, z }, i) => {
          error = Math.max(error, Math.abs(x + y + z - 10))
          least = Math.min(least, x, y, z)
          if (i > 0) jump = Math.max(jump, norm(minus(found[i]!, found[i - 1]!)))
        })
        expect(error).toBeLessThan(1e-6)
        expect(least).toBeGreaterThanOrEqual(0)
        // the straight line from one force of 10 N to the other is 10·√2 long
        expect(jump).toBeLessThanOrEqual(((10 * Math.SQRT2) / (60 * fade)) * (1 + 1e-9))
        const last = found.at(-1)!
        if (fade < 2) expect(last[mind.current]).toBe(10)
      }),
      { seed: 5, numRuns: 40 },
    )
  })

  it('torques change linearly as well, and the answer turns as long as a mode with a share turns', () => {
    const seen: boolean[] = []
    const mind = modes({ a: twisting(v(6, 0, 0)), b: blend([holding(), twisting(v(0, 3, 0))]), c: idle() })
    mind.fade = 0.1
    const torques: Vec3Like[] = []
    const spy: Behavior = {
      children: [mind],
      steer(agent, step, out) {
        mind.steer(agent, step, out)
        seen.push(out.turns)
        torques.push(xyz(out.torque))
      },
    }
    forcesOf(spy, 30, (i) => {
      if (i === 5) mind.current = 'b'
      if (i === 20) mind.current = 'c'
    })
    expectVec(torques[7]!, v(3, 1.5, 0), 1e-9)
    expectVec(torques[15]!, v(0, 3, 0), 1e-9)
    expect(seen.findIndex((each) => !each)).toBe(25)
  })

  it('emits each change, but not the first mode', () => {
    const mind = modes(pushes(), { fade: 0.1 })
    const { world } = quietWorld()
    const told = stagesIn(world)
    const agents = [pilot(mind), pilot(mind)]
    agents.forEach((each) => world.add(each))
    const own: string[] = []
    agents[0]!.addEventListener('stage', ({ stage, behavior }) => {
      expect(behavior).toBe(mind)
      own.push(stage)
    })
    const [a, b] = agents.map(({ id }) => id)
    for (let i = 0; i < 30; i++) {
      if (i === 3 || i === 9) mind.current = 'y'
      if (i === 12) mind.current = 'z'
      world.step(1 / 60)
    }
    expect(told).toEqual([`${a}:y`, `${b}:y`, `${a}:z`, `${b}:z`])
    expect(own).toEqual(['y', 'z'])
  })

  it('set inside a step it takes effect at the start of the next one, for all agents, in any order', () => {
    const run = (order: readonly number[]): Vec3Like[][] => {
      const mind = modes(pushes(), { fade: 0.05 })
      const changer: Behavior = {
        steer: (_agent, { tick }) => {
          if (tick === 2) mind.current = 'y'
          if (tick === 4) mind.trees.set('y', pushing(v(0, 77, 0)))
        },
      }
      const agents = [pilot(mind, { seed: 1 }), pilot(changer, { seed: 2 }), pilot(mind, { seed: 3 })]
      const { world } = quietWorld()
      for (const i of order) world.add(agents[i]!)
      return Array.from({ length: 8 }, () => {
        world.step(1 / 60)
        return [0, 2].map((i) => xyz(agents[i]!.demand.force))
      })
    }
    const found = run([0, 1, 2])
    for (const [before, behind] of found) expect(behind).toEqual(before)
    expect(run([2, 1, 0])).toEqual(found)
    expectVec(found[2]![0]!, v(10, 0, 0), 0)
    expect(found[3]![0]!.y).toBeGreaterThan(3)
    expect(found[7]![0]!.y).toBe(77)
  })

  it('a listener may change it, and receives the event of the change', () => {
    const { world } = quietWorld()
    const mind = modes({ go: new Arrive({ target: v(2, 0, 0) }), home: new Arrive({ target: v(0, 0, 0) }) })
    const ship = pilot(mind)
    world.add(ship)
    const told = stagesIn(world)
    let visits = 0
    ship.addEventListener('arrive', () => {
      visits++
      mind.current = mind.current === 'go' ? 'home' : 'go'
    })
    for (let i = 0; i < 900; i++) world.step(1 / 60)
    expect(visits).toBeGreaterThan(4)
    expect(told.slice(0, 3)).toEqual([`${ship.id}:home`, `${ship.id}:go`, `${ship.id}:home`])
  })

  it('an agent that was not steered in the last step is in the new mode at once', () => {
    const mind = modes(pushes(), { fade: 1 })
    let alarm = true
    const alarmed: Behavior = { steer: (_a, _s, { force }) => void (force.x = alarm ? -50 : 0) }
    const found = forcesOf(priority([alarmed, mind]), 20, (i) => {
      if (i === 3) alarm = false
      if (i === 6) alarm = true
      if (i === 7) mind.current = 'z'
      if (i === 12) alarm = false
    })
    expectVec(found[5]!, v(10, 0, 0), 0)
    expectVec(found[12]!, v(0, 0, 10), 0)
  })

  it('a new agent is in the current mode at once, even while others are still changing', () => {
    const mind = modes(pushes(), { fade: 1 })
    const { world } = quietWorld()
    const [old, young] = [pilot(mind), pilot(mind)]
    world.add(old)
    world.step(1 / 60)
    mind.current = 'y'
    world.step(1 / 60)
    world.add(young)
    world.step(1 / 60)
    expect(young.demand.force.y).toBe(10)
    expect(old.demand.force.y).toBeCloseTo(20 / 60, 9)
  })

  it('steered twice in a step it gives the same answer twice, and the transition takes no longer or shorter', () => {
    const mind = modes(pushes(), { fade: 0.5 })
    const change = (i: number): void => {
      if (i === 2) mind.current = 'z'
    }
    const twice = forcesOf(blend([mind, mind]), 20, change)
    mind.current = 'x'
    const other = modes(pushes(), { fade: 0.5 })
    const once = forcesOf(other, 20, (i) => {
      if (i === 2) other.current = 'z'
    })
    twice.forEach((each, i) => expectVec(each, times(once[i]!, 2), 1e-9))
  })

  it('modes may be nested', () => {
    const inner = modes(pushes(), { fade: 0.5 })
    const outer = modes({ calm: inner, wild: pushing(v(-10, -10, -10)) }, { fade: 0.5 })
    const found = forcesOf(outer, 10, (i) => {
      if (i === 2) inner.current = 'y'
      if (i === 4) outer.current = 'wild'
    })
    const [a, b] = [8 / 30, 6 / 30]
    expectVec(found[9]!, plus(times(v(10 * (1 - a), 10 * a, 0), 1 - b), v(-10, -10, -10), b), 1e-9)
  })
})

describe('modes with select', () => {
  const select: SelectMode<Axis> = ({ position }, _step, mode) =>
    position.x > 1 ? 'x' : position.x < -1 ? 'y' : mode

  it('each agent has its own mode, at any time, and starts in it at once', () => {
    const mind = modes(pushes(), { select, initial: 'z', fade: 0.5 })
    const { world } = quietWorld()
    const told = stagesIn(world)
    const agents = [5, -5, 0].map((x) => pilot(mind, { position: v(x, 0, 0), mass: 1e9 }))
    agents.forEach((each) => world.add(each))
    world.step(1 / 60)
    agents.forEach((each, i) => expectVec(each.demand.force, [v(10, 0, 0), v(0, 10, 0), v(0, 0, 10)][i]!, 0))
    agents[0]!.teleport({ position: v(-5, 0, 0) })
    world.step(1 / 60)
    expectVec(agents[0]!.demand.force, v(10 - 1 / 3, 1 / 3, 0), 1e-9)
    expectVec(agents[1]!.demand.force, v(0, 10, 0), 0)
    expect(told).toEqual([`${agents[0]!.id}:y`])
  })

  it('gets the mode of the agent, and may return undefined', () => {
    const seen: string[] = []
    const mind = modes(pushes(), {
      initial: 'y',
      fade: 0.1,
      select: (_agent, { tick }, mode) => {
        seen.push(mode)
        return tick === 2 ? 'x' : undefined
      },
    })
    const found = forcesOf(mind, 12)
    expect(seen.slice(0, 5)).toEqual(['y', 'y', 'y', 'x', 'x'])
    expectVec(found[11]!, v(10, 0, 0), 0)
  })

  it('an unknown name leaves the agent in its mode, and is reported once, until the next valid name', () => {
    const names = ['x', 'X', 'X', 'constructor', 'y', '', 'y'] as Axis[]
    const mind = modes(pushes(), { select: (_agent, { tick }) => names[tick], fade: 0 })
    const { world, faults } = quietWorld()
    const told = stagesIn(world)
    const one = pilot(mind)
    world.add(one)
    const forces = names.map(() => {
      world.step(1 / 60)
      return xyz(one.demand.force)
    })
    expect(faults).toEqual([])
    expect(forces.map(({ x }) => x)).toEqual([10, 10, 10, 10, 0, 0, 0])
    const what = "must be one of 'x', 'y', 'z')"
    expect(told).toEqual([
      `${one.id}:x (select: got 'X', ${what}`,
      `${one.id}:y`,
      `${one.id}:y (select: got '', ${what}`,
    ])
  })

  it('a selection that throws drops its own agent, is reported, and harms no other agent', () => {
    const mind = modes(pushes(), {
      select: ({ position }) => {
        if (position.x > 1) throw new Error('no idea')
        return 'y'
      },
    })
    const { world, faults } = quietWorld()
    const [bad, good] = [pilot(mind, { position: v(5, 0, 0) }), pilot(mind)]
    world.add(bad).add(good)
    world.step(1 / 60)
    expect(faults.map(({ id }) => id)).toEqual([bad.id])
    expectVec(bad.force, v(0, 0, 0), 0)
    expectVec(good.demand.force, v(0, 10, 0), 0)
  })

  it('may be removed and set while running', () => {
    const mind = modes(pushes(), { fade: 0 })
    const found = forcesOf(mind, 4, (i) => {
      if (i === 1) mind.select = () => 'z'
      if (i === 3) mind.select = null
    })
    expect(found.map(({ x, z }) => [x, z])).toEqual([
      [10, 0],
      [0, 10],
      [0, 10],
      [10, 0],
    ])
  })
})

describe('the trees of modes', () => {
  it('may be replaced, added and removed at any time', () => {
    const mind = modes<string>(pushes(), { fade: 0 })
    const found = forcesOf(mind, 6, (i) => {
      if (i === 1) mind.trees.set('x', pushing(v(3, 0, 0)))
      if (i === 2) mind.trees.set('w', pushing(v(7, 7, 7)))
      if (i === 3) mind.current = 'w'
      if (i === 4) mind.trees.delete('x')
      if (i === 5) mind.current = 'y'
    })
    expect(found.map(({ x }) => x)).toEqual([10, 3, 3, 7, 7, 0])
    expect(() => (mind.current = 'x')).toThrow(RangeError)
    expect([...mind.trees.keys()]).toEqual(['y', 'z', 'w'])
  })

  it('a tree that is removed while it is left gives its share to the others', () => {
    const mind = modes(pushes(), { fade: 1 })
    const found = forcesOf(mind, 40, (i) => {
      if (i === 2) mind.current = 'y'
      if (i === 12) mind.current = 'z'
      if (i === 20) mind.trees.delete('x')
    })
    found.forEach(({ x, y, z }, i) => {
      expect(x + y + z).toBeCloseTo(10, 6)
      expect(x > 0).toBe(i < 20)
    })
  })

  it('an agent whose mode is removed changes to the current one, with a reason', () => {
    const mind = modes(pushes(), { fade: 0, select: (_agent, { tick }) => (tick === 0 ? 'z' : undefined) })
    const { world } = quietWorld()
    const told = stagesIn(world)
    const one = pilot(mind)
    world.add(one)
    world.step(1 / 60)
    expect(one.demand.force.z).toBe(10)
    mind.trees.delete('z')
    world.step(1 / 60)
    expect(one.demand.force.x).toBe(10)
    expect(told).toEqual([`${one.id}:x ('z' was taken away)`])
  })

  it('a removed current tree, and a value that is no behaviour, are reported by the step until they are corrected', () => {
    const mind = modes(pushes())
    const { world } = quietWorld()
    world.add(pilot(mind))
    mind.trees.delete('x')
    expect(faultsIn(world, () => world.step(1 / 60))).toMatch(
      /modes\.current: got 'x', must be one of 'y', 'z'/,
    )
    mind.current = 'y'
    world.step(1 / 60)
    const other = modes(pushes())
    const next = quietWorld().world
    const here = pilot(other)
    next.add(here)
    next.step(1 / 60)
    other.trees.set('z', {} as never)
    expect(faultsIn(next, () => next.step(1 / 60))).toMatch(/modes\.trees\.z: got .*must be a behaviour/)
    expect(here.demand.force.x).toBe(0)
    other.trees.delete('z')
    next.step(1 / 60)
    expect(here.demand.force.x).toBe(10)
    expect(world.tick).toBe(2)
  })

  it('trees not in use request no neighbours, and are asked only once the world knows their reach', () => {
    const counts: Record<string, number[]> = { near: [], far: [] }
    const watch = (name: string, reach: number): Behavior => ({
      neighborSearch,
      reach,
      steer: (agent) => void counts[name]!.push(agent.neighbors.count),
    })
    const mind = modes({ near: watch('near', 2), far: watch('far', 9) }, { fade: 0.05 })
    const { world } = quietWorld()
    world.add(pilot(mind))
    world.add(pilot(idle(), { position: v(0, 0, 5) }))
    for (let i = 0; i < 12; i++) {
      if (i === 3) mind.current = 'far'
      if (i === 9) mind.current = 'near'
      world.step(1 / 60)
      expect(mind.children.length).toBe([3, 4, 9, 10].includes(i) ? 2 : 1)
    }
    // both trees get the neighbours of the larger reach while both are asked
    expect(counts).toEqual({ near: [0, 0, 0, 1, 1, 1, 1, 1], far: [1, 1, 1, 1, 1, 1, 1, 1] })
  })

  it('this also holds for two agents that have them in trees of their own', () => {
    const counts: number[][] = []
    const watch: Behavior = {
      reach: 9,
      neighborSearch,
      steer: ({ id, neighbors }, { tick }) => void counts.push([tick, id, neighbors.count]),
    }
    const mind = modes({ near: watch, blind: idle() }, { fade: 0.1 })
    const { world } = quietWorld()
    const agents = [pilot(priority([mind])), pilot(blend([mind, mind]), { position: v(0, 0, 5) })]
    agents.forEach((each) => world.add(each))
    for (let i = 0; i < 15; i++) {
      if (i === 5) mind.current = 'blind'
      world.step(1 / 60)
    }
    // both agents are neighbours until the last step of the transition
    expect(counts.at(-1)![0]).toBe(9)
    expect(counts.every(([, , count]) => count === 1)).toBe(true)
    expect(new Set(counts.map(([, id]) => id)).size).toBe(2)
  })

  it('with select all trees count, since any agent may change at any time', () => {
    const mind = modes(pushes(), { select: () => undefined })
    expect(mind.children).toHaveLength(3)
    expect(modes(pushes()).children).toHaveLength(1)
    expect(modes(pushes()).allChildren).toHaveLength(3)
  })

  it('their memory of agents stays as it was left', () => {
    const { world } = quietWorld()
    const mind = modes({ go: new Arrive({ target: v(0, 0, 0) }), off: new Seek({ target: v(60, 0, 0) }) })
    const one = pilot(mind)
    world.add(one)
    const told: string[] = []
    one.addEventListener('arrive', () => told.push('arrive'))
    one.addEventListener('leave', () => told.push('leave'))
    const fly = (steps: number): void => {
      for (let i = 0; i < steps; i++) world.step(1 / 60)
    }
    fly(60)
    mind.current = 'off'
    fly(60)
    expect(told).toEqual(['arrive', 'leave'])
    one.teleport({ position: v(0, 0, 0), velocity: v(0, 0, 0) })
    mind.current = 'go'
    fly(120)
    expect(told).toEqual(['arrive', 'leave', 'arrive'])
  })
})

describe('modes as the wish of within', () => {
  const makeListener = (): Behavior & {
    goalDistance: number
    exemption: Exemption | undefined
    constrain: never
  } => {
    const heard = { goalDistance: 0, exemption: undefined as Exemption | undefined, steer: () => undefined }
    return Object.assign(heard, {
      constrain: ((_a: unknown, _s: unknown, limits: { goalDistance: number; exemption?: Exemption }) => {
        heard.goalDistance = limits.goalDistance
        heard.exemption = limits.exemption
      }) as never,
    })
  }

  /** Wants a velocity to a goal at this `distance` (m). */
  const wanting = (velocity: Vec3Like, distance: number, exemption?: Exemption): Behavior => ({
    steer: (agent, _step, { force }) => {
      if (agent.wish !== null) {
        agent.wish.goalDistance = Math.min(agent.wish.goalDistance, distance)
        if (exemption !== undefined) agent.wish.exemption = exemption
      }
      Object.assign(force, times(minus(velocity, agent.velocity), agent.mass / agent.responseTime))
    },
  })

  it('the wanted velocities are blended, and nothing jumps', () => {
    const mind = modes({ a: wanting(v(8, 0, 0), 5), b: wanting(v(0, 0, 4), 50) }, { fade: 0.5 })
    const found = forcesOf(within([], mind), 60, (i) => {
      if (i === 10) mind.current = 'b'
    })
    found.slice(1).forEach((force, i) => expect(norm(minus(force, found[i]!))).toBeLessThan(20))
  })

  it('obstacles before either goal count; the exemption is that of the new mode, or else of the old one', () => {
    const [here, there] = [v(1, 2, 3), v(4, 5, 6)].map((place) => ({ place, obstacles: true, agents: false }))
    const listener = makeListener()
    const mind = modes(
      {
        a: wanting(v(1, 0, 0), 5, here),
        b: wanting(v(0, 1, 0), 50, there),
        c: wanting(v(0, 0, 1), Infinity),
      },
      { fade: 0.5 },
    )
    const heard: (readonly [number, number | undefined])[] = []
    const { world } = quietWorld()
    world.add(pilot(within([listener], mind)))
    for (let i = 0; i < 200; i++) {
      if (i === 10) mind.current = 'b'
      if (i === 60) mind.current = 'a'
      if (i === 120) mind.current = 'c'
      world.step(1 / 60)
      heard.push([listener.goalDistance, listener.exemption?.place.x])
    }
    expect(heard[5]).toEqual([5, 1])
    expect(heard[15]).toEqual([50, 4])
    expect(heard[50]).toEqual([50, 4])
    expect(heard[65]).toEqual([50, 1])
    expect(heard[110]).toEqual([5, 1])
    expect(heard[125]).toEqual([Infinity, 1])
    expect(heard[190]).toEqual([Infinity, undefined])
  })
})

describe('modes in a snapshot', () => {
  /** Agents that change modes individually, and together, at different times. */
  function make(): [SteeringWorld, SteeringController[], Modes<Axis>] {
    const { world } = quietWorld({ seed: 4 })
    const mind = modes({ ...pushes(), x: new Wander() }, { fade: 0.5 })
    const own = modes(
      { a: new Arrive({ target: v(3, 4, 5) }), b: new Wander() },
      { select: ({ seed }, { tick }) => ((seed + tick) % 50 < 25 ? 'a' : 'b') },
    )
    const agents = [0, 1, 2, 3].map((i) => pilot(i < 2 ? mind : own, { position: v(i, 0, 2), seed: 10 * i }))
    agents.forEach((each) => world.add(each))
    return [world, agents, mind]
  }

  const record = ([world, agents, mind]: ReturnType<typeof make>, from: number, to: number): number[][] =>
    Array.from({ length: to - from }, (_, i) => {
      if (from + i === 20) mind.current = 'y'
      if (from + i === 60) mind.current = 'z'
      world.step(1 / 60)
      return bitsOf(agents)
    })

  it.each([0, 19, 21, 25, 45, 62, 80])(
    'taken after %i steps continues bit-identically, in another world as well',
    (at) => {
      const first = make()
      record(first, 0, at)
      const saved: unknown = JSON.parse(JSON.stringify(takeSnapshot(first[0])))
      const rest = record(first, at, 120)
      const second = make()
      record(second, 0, 7)
      restoreSnapshot(second[0], saved as Snapshot)
      expect(second[2].current).toBe(at > 60 ? 'z' : at > 20 ? 'y' : 'x')
      expect(firstDifference(record(second, at, 120), rest)).toBe(null)
      // and in the original world
      restoreSnapshot(first[0], saved as Snapshot)
      expect(firstDifference(record(first, at, 120), rest)).toBe(null)
    },
  )

  it('with other names is rejected', () => {
    const saved = (trees: Record<string, Behavior>): SteeringWorld => {
      const { world } = quietWorld()
      world.add(pilot(modes(trees)))
      world.step(1 / 60)
      return world
    }
    const snapshot = takeSnapshot(saved({ a: new Wander(), b: new Wander() }))
    expect(() => restoreSnapshot(saved({ a: new Wander(), c: new Wander() }), snapshot)).toThrow(RangeError)
    expect(() => restoreSnapshot(saved({ a: new Wander() }), snapshot)).toThrow(RangeError)
  })
})

describe('modes, explained', () => {
  it('report each tree with its share, by the name of its mode', () => {
    const mind = modes(pushes(), { fade: 0.5 })
    const { world } = quietWorld()
    const one = pilot(mind)
    world.add(one)
    const told = explain(world, one)
    const asked = (): Contribution[] => told.root!.children.filter(({ verdict }) => verdict !== 'off')
    const read = (): unknown[] =>
      asked().map(({ note, verdict, weight, granted }) => [note, verdict, weight, xyz(granted.force)])
    world.step(1 / 60)
    expect(read()).toEqual([["mode 'x'", 'granted', 1, v(10, 0, 0)]])
    mind.current = 'y'
    for (let i = 0; i < 15; i++) world.step(1 / 60)
    expect(told.root!.children).toHaveLength(3)
    const [x, y] = asked()
    expect([x!.note, y!.note, x!.verdict, y!.verdict]).toEqual(["mode 'x'", "mode 'y'", 'granted', 'granted'])
    expectVec(x!.granted.force, v(5, 0, 0), 1e-9)
    expectVec(plus(x!.granted.force, y!.granted.force), told.root!.asked.force, 1e-9)
    for (let i = 0; i < 20; i++) world.step(1 / 60)
    expect(read()).toEqual([["mode 'y'", 'granted', 1, v(0, 10, 0)]])
  })
})

describe('errors of modes', () => {
  it('rejects a value that is no tree, and an unknown name', () => {
    for (const bad of [null, undefined, 5, [idle()], 'x'])
      expect(() => modes(bad as never)).toThrow(TypeError)
    expect(() => modes({})).toThrow(/modes\.trees: got none/)
    expect(() => modes({ a: idle(), b: {} as never })).toThrow(/modes\.trees\.b: got .*must be a behaviour/)
    expect(() => modes({ a: idle() }, { initial: 'b' as 'a' })).toThrow(
      /modes\.initial: got 'b', must be one of 'a'/,
    )
    expect(Reflect.get(modes({ a: idle() }).constructor, 'type')).toBe('Modes')
  })

  it('rejects unknown names while running, and stays unchanged', () => {
    const mind = modes(pushes())
    expect(() => (mind.current = 'w' as Axis)).toThrow(
      /modes\.current: got 'w', must be one of 'x', 'y', 'z'/,
    )
    expect(() => (mind.current = undefined as never)).toThrow(TypeError)
    expect(() => (mind.current = 'toString' as Axis)).toThrow(RangeError)
    expect(mind.current).toBe('x')
  })

  it('names of built-in properties of objects are names like others', () => {
    const trees: Record<string, Behavior> = {
      constructor: pushing(v(1, 0, 0)),
      toString: pushing(v(2, 0, 0)),
    }
    const mind = modes(trees)
    expect(mind.current).toBe('constructor')
    mind.current = 'toString'
    expectVec(forcesOf(mind, 1)[0]!, v(2, 0, 0), 0)
  })

  it.each([NaN, -1])('a fade that is set to %s counts as no fade', (fade) => {
    const mind = modes(pushes())
    mind.fade = fade
    const found = forcesOf(mind, 3, (i) => {
      if (i === 1) mind.current = 'y'
    })
    expect(found.map(({ y }) => y)).toEqual([0, 10, 10])
  })

  it('a force that is not finite is reported, and ends with its mode', () => {
    const mind = modes({ bad: pushing(v(NaN, 0, 0)), good: pushing(v(0, 10, 0)) }, { fade: 0.1 })
    const { world, faults } = quietWorld()
    const one: SteeringController = pilot(mind)
    world.add(one)
    for (let i = 0; i < 20; i++) {
      if (i === 3) mind.current = 'good'
      world.step(1 / 60)
    }
    expect(faults).toHaveLength(1)
    expectVec(one.demand.force, v(0, 10, 0), 0)
  })
})
