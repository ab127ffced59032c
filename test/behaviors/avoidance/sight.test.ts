import { describe, expect, it } from 'vitest'
import {
  blend,
  BoxShape,
  EvadeGroup,
  neighborSearch,
  Obstacles,
  Pursue,
  Sight,
  Separation,
  SphereShape,
  SteeringWorld,
  type Behavior,
  type SightOptions,
  type Vec3Like,
} from 'three-steering'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { law } from '../../support/law.js'
import {
  angleBetween,
  expectVec,
  norm,
  number,
  rotation,
  times,
  turned,
  v,
  vector,
} from '../../support/geometry.js'
import { ask, eventsOf, fly, idle, pilot, quietWorld, type PilotOptions } from '../../support/pilot.js'

/** A behaviour that asks for 1 N along x. */
const push = (): Behavior => ({ steer: (_agent, _step, { force }) => void (force.x += 1) })

/** Whether an agent with this sight acts on its target. */
function acts(options: SightOptions, state: PilotOptions = {}): boolean {
  return ask(new Sight({ behavior: push(), memoryTime: 0, ...options }), state).force.x === 1
}

const rock = (at: Vec3Like, radius = 2): Obstacles => new Obstacles([{ shape: new SphereShape(radius), at }])

describe('Sight', () => {
  law(
    'sees within its range, its field of view, and nothing behind a rock, in any attitude',
    [rotation(), vector(50), number(1, 60), number(0.1, 6.2)],
    (quaternion, target, range, fieldOfView) => {
      const nose = turned(quaternion, v(0, 0, 1))
      const angle = angleBetween(nose, target)
      if (Math.abs(angle - fieldOfView / 2) < 1e-6 || Math.abs(norm(target) - range) < 1e-6) return
      const isNear = norm(target) < range
      const isAhead = angle < fieldOfView / 2
      expect(acts({ target, range }, { quaternion })).toBe(isNear)
      expect(acts({ target, fieldOfView }, { quaternion })).toBe(isAhead)
      expect(acts({ target, fieldOfView, range }, { quaternion })).toBe(isNear && isAhead)
      if (norm(target) < 2) return
      expect(acts({ target, obstacles: rock(times(target, 0.5), norm(target) / 8) }, { quaternion })).toBe(
        false,
      )
      expect(acts({ target, obstacles: rock(times(target, 1.5), norm(target) / 8) }, { quaternion })).toBe(
        true,
      )
    },
    60,
  )

  law(
    'two agents with the same range see each other, or neither does',
    [vector(20), vector(20), number(1, 60)],
    (a, b, range) => {
      const obstacles = rock(v(1, 2, 3))
      expect(acts({ target: b, range, obstacles }, { position: a })).toBe(
        acts({ target: a, range, obstacles }, { position: b }),
      )
    },
    60,
  )

  it('the obstacle of the target, and ignored ones, do not block the view', () => {
    const target = { position: v(10, 0, 0), velocity: v(0, 0, 0) }
    const obstacles = new Obstacles([{ shape: new SphereShape(3), at: target }])
    expect(acts({ target, obstacles })).toBe(true)
    expect(acts({ target: target.position, obstacles })).toBe(false)
    expect(acts({ target: target.position, obstacles, ignore: () => true })).toBe(true)
  })

  it('obstacles that move block the view only while they are between', () => {
    const at = { position: v(5, 0, 0), velocity: v(0, 4, 0) }
    const sight = new Sight({
      target: v(10, 0, 0),
      obstacles: new Obstacles([{ shape: new SphereShape(1), at }]),
    })
    const world = new SteeringWorld()
    const one = pilot(sight)
    world.add(one)
    const events = eventsOf(one)
    world.step(0.5)
    at.position.y = 4
    world.step(0.5)
    at.position.y = 0
    world.step(0.5)
    fly({ world }, 6)
    expect(events).toEqual(['seen', 'remembered', 'forgotten'])
  })

  it('remembers where and when it saw the target last, and flies there', () => {
    // the prey flies behind a wall, where it turns
    const wall = new Obstacles([{ shape: new BoxShape({ x: 1, y: 20, z: 20 }), at: v(20, 0, 0) }])
    const prey = { position: v(15, 0, 0), velocity: v(0, 0, 8) }
    const sight = new Sight({ target: prey, obstacles: wall, memoryTime: 4 })
    const told: string[] = []
    const seen: Vec3Like[] = []
    const look: Behavior = {
      steer(agent) {
        told.push(`${sight.stageOf(agent)} ${sight.timeOf(agent).toFixed(2)}`)
        seen.push({ ...sight.lastSeen.position })
      },
    }
    sight.behavior = blend([new Pursue({ target: sight.lastSeen }), look])
    const world = new SteeringWorld()
    const hunter = pilot(sight, { maxSpeed: 5 })
    world.add(hunter)
    for (let i = 0; i < 120; i++) {
      world.step(1 / 60)
      prey.position.z += 8 / 60
      if (i === 60) prey.position.x = 50
    }
    expect(told[60]).toBe('seen 1.00')
    expect(told.at(-1)).toBe('remembered 1.00')
    expectVec(seen.at(-1)!, v(15, 0, 8), 0.2)
    expect(hunter.velocity.x).toBeGreaterThan(1)
    fly({ world }, 5)
    // forgotten: the hunter is not steered any more
    expect(told.length).toBe(Math.round(60 * 5) + 1)
  })

  it('a target that is not finite is not seen, and is reported', () => {
    const target = { position: v(9, 0, 0), velocity: v(0, 0, 0) }
    const sight = new Sight({ behavior: push(), target })
    target.position.y = NaN
    const bad = ask(sight)
    expect(bad.force.x).toBe(0)
    expect(bad.faults).toHaveLength(1)
  })

  describe('as a filter of neighbours', () => {
    const others = [v(3, 0, 0), v(0, 0, 3), v(0, 0, -3), v(-3, 0, 0)].map((position) => ({ position }))

    /** The neighbours that behaviours outside and inside of a sight have, by distance along x and z. */
    function seenBy(options: SightOptions): string[] {
      const lists: string[] = []
      const list = (): Behavior => ({
        reach: 20,
        neighborSearch,
        steer({ id, neighbors: { count, row, position } }) {
          if (id !== 0) return
          const places = Array.from({ length: count }, (_, i) =>
            [position[3 * row[i]!]!, position[3 * row[i]! + 2]!].join(),
          )
          lists.push(places.join(' '))
        },
      })
      const { world, faults } = quietWorld()
      const one = pilot(blend([list(), new Sight({ ...options, behavior: list() }), list()]))
      world.add(one)
      expect(one.id).toBe(0)
      for (const each of others) world.add(pilot(idle(), each))
      world.step(1 / 60)
      expect(faults).toEqual([])
      return lists
    }

    it('the inner behaviour has only those in sight, and the behaviours beside it have all', () => {
      const [before, inside, after] = seenBy({ obstacles: rock(v(1.5, 0, 0), 0.5), fieldOfView: 4 })
      expect(before!.split(' ')).toHaveLength(4)
      expect(after).toBe(before)
      expect(inside!.split(' ').sort()).toEqual(['-3,0', '0,3'])
      expect(seenBy({ range: 2.9 })[1]).toBe('')
      expect(seenBy({})[1]).toBe(before)
    })

    it('one sight inside another hides more, and a fault inside does not hide agents from others', () => {
      const inner = new Sight({ obstacles: rock(v(1.5, 0, 0), 0.5) })
      const listed: number[] = []
      const list: Behavior = {
        reach: 20,
        neighborSearch,
        steer: ({ neighbors }) => void listed.push(neighbors.count),
      }
      inner.behavior = list
      const both = new Sight({ fieldOfView: 4, behavior: blend([list, inner, list]) })
      ask(blend([list, both, list]), {}, others)
      expect(listed).toEqual([4, 3, 2, 3, 4])
      const fault: Behavior = {
        steer() {
          throw new Error('inside')
        },
      }
      const { faults } = ask(new Sight({ range: 1, behavior: blend([list, fault]) }), {}, others)
      expect(faults).toHaveLength(1)
      listed.length = 0
      ask(blend([list, new Sight({ range: 1, behavior: list }), list]), {}, others)
      expect(listed).toEqual([4, 0, 4])
    })

    it('behaviours of the package react to those in sight only', () => {
      const predator = { position: v(4, 0, 0), group: 2 }
      const flee = (): Behavior => new EvadeGroup({ groups: 2, neighborDistance: 9 })
      const wall = new Obstacles([{ shape: new BoxShape({ x: 0.2, y: 5, z: 5 }), at: v(2, 0, 0) }])
      expect(norm(ask(new Sight({ behavior: flee() }), {}, [predator]).force)).toBeGreaterThan(1)
      expect(norm(ask(new Sight({ behavior: flee(), obstacles: wall }), {}, [predator]).force)).toBe(0)
      const separation = new Separation({ neighborDistance: 9 })
      const all = ask(separation, {}, [predator, ...others])
      const some = ask(new Sight({ behavior: separation, obstacles: wall }), {}, [predator, ...others])
      const rest = ask(separation, {}, others.slice(1))
      expectVec(some.force, rest.force, 1e-9)
      expect(norm(all.force)).not.toBeCloseTo(norm(rest.force), 3)
    })
  })

  it('what is remembered is part of snapshots', () => {
    const target = { position: v(9, 0, 0), velocity: v(0, 0, 0) }
    const sight = new Sight({ target, range: 20, memoryTime: 3 })
    sight.behavior = new Pursue({ target: sight.lastSeen })
    const world = new SteeringWorld()
    const one = pilot(sight, { maxSpeed: 4 })
    world.add(one)
    const events = eventsOf(one)
    fly({ world }, 0.5)
    target.position.x = 99
    fly({ world }, 0.5)
    const saved = takeSnapshot(world)
    const end = (): Vec3Like => {
      fly({ world }, 4)
      return { ...one.position }
    }
    const first = end()
    expect(events).toEqual(['seen', 'remembered', 'forgotten'])
    restoreSnapshot(world, saved)
    expect(end()).toEqual(first)
    expect(events).toEqual(['seen', 'remembered', 'forgotten', 'forgotten'])
  })
})
