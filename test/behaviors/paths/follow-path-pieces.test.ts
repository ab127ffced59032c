import { describe, expect, it } from 'vitest'
import {
  FollowPath,
  Path,
  within,
  type Agent,
  type FollowPathOptions,
  type SteeringController,
  type SteeringWorld,
  type Vec3,
} from 'three-steering'
import type { PathTechnique } from 'three-steering/authoring'
import { minus, norm } from '../../support/geometry.js'
import { fly, eventsOf, Dummy, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'
import { addFlock } from '../../support/flock.js'

const TECHNIQUES: readonly PathTechnique[] = ['reprojection', 'dog-on-a-string', 'grappling-hooks']
const STEPS = [1 / 30, 1 / 60, 1 / 240]
const SHIP = { maxSpeed: 12, maxForce: 30, radius: 0.5 }
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const apart = (a: Vec3, b: Vec3): number => norm(minus(a, b))

/** A wide arc of 80 m radius as a spline. Its points lie 10 m apart. */
const arc = (from: number, count: number): Vec3[] =>
  Array.from({ length: count }, (_, i) => {
    const angle = (from + i) / 8
    return v(80 * Math.sin(angle), 5 * Math.sin(angle / 2), 80 - 80 * Math.cos(angle))
  })
const straight = (from: number, to: number): Path =>
  new Path({ points: [v(from), v((from + to) / 2), v(to)], curve: 'polyline' })

interface Flight {
  readonly world: SteeringWorld
  readonly ship: SteeringController
  readonly followPath: FollowPath
  readonly events: string[]
  readonly faults: readonly { readonly behavior: string; readonly message: string }[]
}

function flight(options: FollowPathOptions, traits: PilotOptions = {}): Flight {
  const followPath = new FollowPath(options)
  const { world, faults } = quietWorld()
  const ship = pilot(followPath, { ...SHIP, ...traits })
  const events = eventsOf(ship)
  world.add(ship)
  return { world, ship, followPath, events, faults }
}

describe.each(TECHNIQUES)('partial paths, by %s', (technique) => {
  it.each([1, -1] as const)('do not slow the agent down at the seams, direction %i', (direction) => {
    for (const dt of STEPS) {
      const pieces = [1, 2, 3].map((k) => straight(40 * k, 40 * k + 40))
      let all = [straight(0, 40), ...pieces]
      if (direction < 0) all = all.reverse()
      const [path, ...rest] = all as [Path, ...Path[]]
      const asked: number[] = []
      const next = ({ position }: Agent): Path | null => {
        asked.push(position.x)
        return rest.shift() ?? null
      }
      const begin = direction > 0 ? 0 : 160
      const one = flight({ path, technique, next, direction }, { position: v(begin) })
      let slowest = Infinity
      fly(one, 18, dt, () => {
        const gone = Math.abs(one.ship.position.x - begin)
        if (gone > 8 && gone < 150) slowest = Math.min(slowest, norm(one.ship.velocity))
      })
      expect(slowest).toBeGreaterThan(11.9)
      expect(one.events).toEqual(['piece', 'piece', 'piece', 'arrive'])
      expect(apart(one.ship.position, v(160 - begin))).toBeLessThan(0.01)
      expect(one.faults).toEqual([])
      // No earlier than 1.2 times the braking distance 12² / (2 · 0.9 · 30), plus its lag.
      expect(asked.length).toBe(4)
      asked.forEach((x, k) =>
        expect(40 * (k + 1) - Math.abs(x - begin)).toBeLessThan(1.25 * (2.7 + 1.2) + 6.5),
      )
    }
  })

  it('are flown as one path', () => {
    const whole = flight({ path: new Path({ points: arc(0, 13) }), technique })
    // The pieces overlap by a point on both sides, so that their splines are equal; each is cut where it
    // begins and ends.
    const pieces = [arc(4, 5), arc(8, 5)].map((points) => new Path({ points }))
    const next = (): Path | null => pieces.shift() ?? null
    const parts = flight({ path: new Path({ points: arc(0, 5) }), technique, next })
    let largest = 0
    for (let i = 0; i < 15 * 60; i++) {
      whole.world.step(1 / 60)
      parts.world.step(1 / 60)
      largest = Math.max(largest, apart(whole.ship.position, parts.ship.position))
    }
    expect(parts.events).toEqual(['piece', 'piece', 'arrive'])
    expect(whole.events).toEqual(['arrive'])
    // The splines end with another curvature than the next ones begin with: a radius of 120 m.
    expect(largest).toBeLessThan(0.35)
  })

  it('a corner at a seam is slowed down for as on one path', () => {
    const [a, b, c] = [v(), v(40), v(40, 0, 40)]
    const seam = flight({
      path: new Path({ points: [a, b], curve: 'polyline' }),
      technique,
      next: (_, { length }) => (length === 40 && pieces.shift()) || null,
    })
    const pieces = [new Path({ points: [b, c], curve: 'polyline' })]
    const whole = flight({ path: new Path({ points: [a, b, c], curve: 'polyline' }), technique })
    const overshoot = [seam, whole].map((one) => {
      let largest = 0
      fly(one, 14, 1 / 60, () => (largest = Math.max(largest, one.ship.position.x - 40)))
      expect(one.events.at(-1)).toBe('arrive')
      expect(apart(one.ship.position, c)).toBeLessThan(0.01)
      return largest
    })
    expect(overshoot[0]).toBeLessThan(overshoot[1]! + 0.2)
  })

  it('the agent waits at the end for a piece that is not known yet, and continues on it', () => {
    for (const dt of STEPS) {
      let piece: Path | null | undefined
      const times: number[] = []
      const next = (): Path | null | undefined => {
        times.push(one.world.time)
        return piece
      }
      const one = flight({ path: straight(0, 30), technique, next })
      fly(one, 8, dt)
      expect(apart(one.ship.position, v(30))).toBeLessThan(0.01)
      expect(one.events).toEqual([])
      expect(Math.min(...times.map((time, i) => time - (times[i - 1] ?? 0)))).toBeGreaterThan(0.2)
      piece = straight(30, 60)
      fly(one, 1, dt)
      piece = null
      fly(one, 7, dt)
      expect(apart(one.ship.position, v(60))).toBeLessThan(0.01)
      expect(one.events).toEqual(['piece', 'arrive'])
      const count = times.length
      fly(one, 1, dt)
      expect(times.length).toBe(count)
    }
  })

  it('an agent that waits for a piece is not stuck, and its metrics restart on the next piece', () => {
    const pieces: Path[] = []
    const one = flight({ path: straight(0, 30), technique, next: () => pieces[0], pilot: { escape: true } })
    fly(one, 10)
    expect(one.events).toEqual([])
    expect(one.followPath.metricsOf(one.ship)!.finished).toBeGreaterThan(0.999)
    expect(one.followPath.metricsOf(one.ship)!.stuck).toBeLessThan(0.1)
    expect(apart(one.ship.position, v(30))).toBeLessThan(0.01)
    pieces.push(straight(30, 90))
    fly(one, 1)
    expect(one.events).toEqual(['piece'])
    expect(one.followPath.metricsOf(one.ship)!.finished).toBeLessThan(0.3)
    expect(one.followPath.metricsOf(one.ship)!.stuck).toBeLessThan(0.1)
  })

  it('each agent of a flock has its own pieces', () => {
    const followPath: FollowPath = new FollowPath({
      path: straight(0, 40),
      technique,
      next: (_, path) => (path === followPath.path ? second : null),
    })
    const second = straight(40, 80)
    const { world, faults } = quietWorld()
    const events: string[] = []
    const flock = addFlock(world, {
      count: 4,
      ...SHIP,
      behavior: followPath,
      spawn: (i, { position, velocity }) => {
        Object.assign(position, v(6 * i))
        Object.assign(velocity, v())
      },
    })
    flock.addEventListener('stage', ({ index, stage }) => events.push(`${stage} ${index}`))
    flock.addEventListener('arrive', ({ index }) => events.push(`arrive ${index}`))
    for (let i = 0; i < 900; i++) world.step(1 / 60)
    expect(faults).toEqual([])
    expect(events.slice().sort()).toEqual([0, 1, 2, 3].flatMap((i) => [`arrive ${i}`, `piece ${i}`]).sort())
    expect(events.indexOf('piece 3')).toBeLessThan(events.indexOf('piece 0'))
  })
})

it.each(['reprojection', 'grappling-hooks'] as const)(
  'an agent that starts beyond the end of a piece does not turn back, by %s',
  (technique) => {
    for (const dt of STEPS) {
      const pieces = [straight(40, 120)]
      const next = (): Path | null => pieces.shift() ?? null
      const one = flight({ path: straight(0, 40), technique, next }, { position: v(70, 3) })
      let back = 0
      fly(one, 14, dt, () => (back = Math.min(back, one.ship.position.x - 70)))
      // The next piece is asked for in the first step, and known from the second on.
      expect(back).toBeGreaterThan(-0.5)
      expect(one.events).toEqual(['piece', 'arrive'])
      expect(apart(one.ship.position, v(120))).toBeLessThan(0.01)
    }
  },
)

describe('errors in user functions', () => {
  const trouble: [string, (followPath: FollowPath, agent: Agent) => Path | null | undefined][] = [
    ['empties the path', (followPath) => ((followPath.path = null), undefined)],
    ['empties the path and returns another', (followPath) => ((followPath.path = null), straight(20, 60))],
    ['replaces the path', (followPath) => ((followPath.path = straight(10, 60)), undefined)],
    [
      'replaces the path and returns another',
      (followPath) => ((followPath.path = straight(10, 60)), straight(20, 60)),
    ],
    ['turns the direction', (followPath) => ((followPath.direction = -1), undefined)],
    [
      'gives the agent a path',
      (followPath, agent) => (followPath.setPathOf(agent, straight(20, 60)), undefined),
    ],
    ['gives the agent none', (followPath, agent) => (followPath.setPathOf(agent, null), undefined)],
    ['changes the technique', (followPath) => ((followPath.technique = 'dog-on-a-string'), undefined)],
    ['fires the pilot', (followPath) => ((followPath.pilot = null), undefined)],
    ['returns the same path', (followPath) => followPath.path],
    ['returns a closed path', () => new Path({ points: [v(20), v(40), v(40, 0, 20)], ends: 'closed' })],
  ]

  it.each(trouble)('renavigate: %s', (_, act) => {
    for (const technique of TECHNIQUES) {
      const body = new Dummy({ position: v(20) })
      const one = flight(
        {
          path: straight(0, 40),
          technique,
          pilot: { escape: true, renavigate: (agent) => act(one.followPath, agent) },
        },
        { body },
      )
      fly(one, 8)
      expect(one.faults).toEqual([])
      expect(one.events[0]).toBe('stuck')
      // The agent can be given a path again.
      one.followPath.path = straight(0, 50)
      one.followPath.direction = 1
      fly(one, 0.1)
      expect(one.ship.demand.force.x).toBeGreaterThan(1)
    }
  })

  it.each(trouble)('next: %s', (_, act) => {
    for (const technique of TECHNIQUES) {
      const one: Flight = flight({
        path: straight(0, 40),
        technique,
        next: (agent) => act(one.followPath, agent),
      })
      fly(one, 12)
      expect(one.faults).toEqual([])
      one.followPath.next = undefined
      one.followPath.direction = 1
      one.followPath.path = new Path({ points: [xyz(one.ship.position), v(90, 3)] })
      fly(one, 16)
      expect(apart(one.ship.position, v(90, 3))).toBeLessThan(0.02)
    }
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no map')
      },
      'no map',
    ],
    ['returns rubbish', () => 'north' as never, 'must be a Path, null or undefined'],
  ] as const)('a fault is named once, and nothing is lost: it %s', (_, hook, message) => {
    for (const technique of TECHNIQUES) {
      const { world, faults } = quietWorld()
      const followPath = new FollowPath({ path: straight(0, 40), technique, next: hook })
      const ship = pilot(within([], followPath), SHIP)
      world.add(ship)
      for (let i = 0; i < 600; i++) world.step(1 / 60)
      expect(faults.length).toBe(1)
      expect(faults[0]!.behavior).toBe('FollowPath')
      expect(faults[0]!.message).toContain(message)
      // The agent stops at the end, and keeps asking.
      expect(apart(ship.position, v(40))).toBeLessThan(0.02)
      followPath.next = (_, path) => (path.length === 40 ? straight(40, 60) : null)
      for (let i = 0; i < 400; i++) world.step(1 / 60)
      expect(apart(ship.position, v(60))).toBeLessThan(0.01)
    }
    const body = new Dummy({ position: v(20) })
    const one = flight({ path: straight(0, 40), pilot: { renavigate: hook } }, { body })
    fly(one, 8)
    expect(one.faults.length).toBe(1)
    expect(one.faults[0]!.behavior).toBe('FollowPath')
    expect(one.faults[0]!.message).toContain(message)
    expect(one.events.filter((stage) => stage === 'stuck').length).toBeGreaterThan(2)
    expect(one.ship.demand.force.x).toBeGreaterThan(1)
  })

  it('a listener may remove the path while the agent arrives', () => {
    for (const technique of TECHNIQUES) {
      const one = flight({ path: straight(0, 20), technique })
      one.ship.addEventListener('arrive', () => {
        one.followPath.path =
          one.events.length < 3 ? new Path({ points: [xyz(one.ship.position), v(0, 20)] }) : null
      })
      fly(one, 14)
      expect(one.faults).toEqual([])
      expect(one.events.length).toBeGreaterThanOrEqual(2)
    }
  })
})

describe('invalid options', () => {
  const path = straight(0, 20)
  const refused: [string, unknown, string][] = [
    [
      'a crowd that nobody finds',
      { path, crowdRadius: 2 },
      'FollowPath.crowdRadius: got 2 without the neighborSearch',
    ],
    [
      'obstacles in a list',
      { path, obstacles: [] },
      'FollowPath.obstacles: got an array of 0, must be a set of Obstacles',
    ],
    ['speed in no crowd', { path, crowdSpeed: 0.5 }, 'FollowPath.crowdSpeed: got 0.5 without a crowdRadius'],
  ]
  it.each(refused)('%s is refused', (_, bad, message) => {
    expect(() => new FollowPath(bad as FollowPathOptions)).toThrow(message)
  })
})
