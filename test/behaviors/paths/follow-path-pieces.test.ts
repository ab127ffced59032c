import { describe, expect, it } from 'vitest'
import {
  FollowPath,
  Path,
  within,
  type Agent,
  type FollowPathOptions,
  type PathTechnique,
  type SteeringController,
  type SteeringWorld,
  type Vec3,
} from 'three-steering'
import { minus, norm } from '../../support/geometry.js'
import { fly, eventsOf, Dummy, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'

const TECHNIQUES: readonly PathTechnique[] = ['reprojection', 'dog-on-a-string', 'grappling-hooks']
const STEPS = [1 / 30, 1 / 60, 1 / 240]
const SHIP = { maxSpeed: 12, maxForce: 30, radius: 0.5 }
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const apart = (a: Vec3, b: Vec3): number => norm(minus(a, b))

/** A wide arc of 80 m radius as a spline; its points lie 10 m apart. */
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
  readonly mind: FollowPath
  readonly told: string[]
  readonly faults: readonly { readonly behavior: string; readonly message: string }[]
}

function flight(options: FollowPathOptions, traits: PilotOptions = {}): Flight {
  const mind = new FollowPath(options)
  const { world, faults } = quietWorld()
  const ship = pilot(mind, { ...SHIP, ...traits })
  const told = eventsOf(ship)
  world.add(ship)
  return { world, ship, mind, told, faults }
}

describe.each(TECHNIQUES)('partial paths, by %s', (technique) => {
  it.each([1, -1] as const)('do not slow it down at the seams, direction %i', (direction) => {
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
      expect(one.told).toEqual(['piece', 'piece', 'piece', 'arrive'])
      expect(apart(one.ship.position, v(160 - begin))).toBeLessThan(0.01)
      expect(one.faults).toEqual([])
      // no earlier than braking, and a fifth, takes: 12² / (2 · 0.9 · 30) and its lag
      expect(asked.length).toBe(4)
      asked.forEach((x, k) =>
        expect(40 * (k + 1) - Math.abs(x - begin)).toBeLessThan(1.25 * (2.7 + 1.2) + 6.5),
      )
    }
  })

  it('are flown as one path is', () => {
    const whole = flight({ path: new Path({ points: arc(0, 13) }), technique })
    // the pieces overlap by a point on both sides, so that their splines are alike; each is cut by where it begins and ends
    const pieces = [arc(4, 5), arc(8, 5)].map((points) => new Path({ points }))
    const next = (): Path | null => pieces.shift() ?? null
    const parts = flight({ path: new Path({ points: arc(0, 5) }), technique, next })
    let most = 0
    for (let i = 0; i < 15 * 60; i++) {
      whole.world.step(1 / 60)
      parts.world.step(1 / 60)
      most = Math.max(most, apart(whole.ship.position, parts.ship.position))
    }
    expect(parts.told).toEqual(['piece', 'piece', 'arrive'])
    expect(whole.told).toEqual(['arrive'])
    // splines end with another curvature than they go on with: of 120 m
    expect(most).toBeLessThan(0.35)
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
      let most = 0
      fly(one, 14, 1 / 60, () => (most = Math.max(most, one.ship.position.x - 40)))
      expect(one.told.at(-1)).toBe('arrive')
      expect(apart(one.ship.position, c)).toBeLessThan(0.01)
      return most
    })
    expect(overshoot[0]).toBeLessThan(overshoot[1]! + 0.2)
  })

  it('wait at the end for a piece that is not known yet, and go on with it', () => {
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
      expect(one.told).toEqual([])
      expect(Math.min(...times.map((time, i) => time - (times[i - 1] ?? 0)))).toBeGreaterThan(0.2)
      piece = straight(30, 60)
      fly(one, 1, dt)
      piece = null
      fly(one, 7, dt)
      expect(apart(one.ship.position, v(60))).toBeLessThan(0.01)
      expect(one.told).toEqual(['piece', 'arrive'])
      const count = times.length
      fly(one, 1, dt)
      expect(times.length).toBe(count)
    }
  })

  it('who waits for a piece is not stuck; on the next one the metrics begin anew', () => {
    const pieces: Path[] = []
    const one = flight({ path: straight(0, 30), technique, next: () => pieces[0], pilot: { escape: true } })
    fly(one, 10)
    expect(one.told).toEqual([])
    expect(one.mind.metricsOf(one.ship)!.finished).toBeGreaterThan(0.999)
    expect(one.mind.metricsOf(one.ship)!.stuck).toBeLessThan(0.1)
    expect(apart(one.ship.position, v(30))).toBeLessThan(0.01)
    pieces.push(straight(30, 90))
    fly(one, 1)
    expect(one.told).toEqual(['piece'])
    expect(one.mind.metricsOf(one.ship)!.finished).toBeLessThan(0.3)
    expect(one.mind.metricsOf(one.ship)!.stuck).toBeLessThan(0.1)
  })

  it('are each agent’s own: members of a flock go on one by one', () => {
    const mind: FollowPath = new FollowPath({
      path: straight(0, 40),
      technique,
      next: (_, path) => (path === mind.path ? second : null),
    })
    const second = straight(40, 80)
    const { world, faults } = quietWorld()
    const told: string[] = []
    const flock = world.addFlock({
      count: 4,
      ...SHIP,
      behavior: mind,
      spawn: (i, { position, velocity }) => {
        Object.assign(position, v(6 * i))
        Object.assign(velocity, v())
      },
    })
    flock.addEventListener('stage', ({ index, stage }) => told.push(`${stage} ${index}`))
    flock.addEventListener('arrive', ({ index }) => told.push(`arrive ${index}`))
    for (let i = 0; i < 900; i++) world.step(1 / 60)
    expect(faults).toEqual([])
    expect(told.slice().sort()).toEqual([0, 1, 2, 3].flatMap((i) => [`arrive ${i}`, `piece ${i}`]).sort())
    expect(told.indexOf('piece 3')).toBeLessThan(told.indexOf('piece 0'))
  })
})

it.each(['reprojection', 'grappling-hooks'] as const)(
  'who begins beyond the end of a piece does not turn back for it, by %s',
  (technique) => {
    for (const dt of STEPS) {
      const pieces = [straight(40, 120)]
      const next = (): Path | null => pieces.shift() ?? null
      const one = flight({ path: straight(0, 40), technique, next }, { position: v(70, 3) })
      let back = 0
      fly(one, 14, dt, () => (back = Math.min(back, one.ship.position.x - 70)))
      // the next piece is asked for in the first step, and known from the second on
      expect(back).toBeGreaterThan(-0.5)
      expect(one.told).toEqual(['piece', 'arrive'])
      expect(apart(one.ship.position, v(120))).toBeLessThan(0.01)
    }
  },
)

describe('what the hooks do is survived', () => {
  const trouble: [string, (mind: FollowPath, agent: Agent) => Path | null | undefined][] = [
    ['empties the path', (mind) => ((mind.path = null), undefined)],
    ['empties the path and returns another', (mind) => ((mind.path = null), straight(20, 60))],
    ['replaces the path', (mind) => ((mind.path = straight(10, 60)), undefined)],
    ['replaces the path and returns another', (mind) => ((mind.path = straight(10, 60)), straight(20, 60))],
    ['turns the direction', (mind) => ((mind.direction = -1), undefined)],
    ['gives the agent a path', (mind, agent) => (mind.setPathOf(agent, straight(20, 60)), undefined)],
    ['gives the agent none', (mind, agent) => (mind.setPathOf(agent, null), undefined)],
    ['changes the technique', (mind) => ((mind.technique = 'dog-on-a-string'), undefined)],
    ['fires the pilot', (mind) => ((mind.pilot = null), undefined)],
    ['returns the same path', (mind) => mind.path],
    ['returns a closed path', () => new Path({ points: [v(20), v(40), v(40, 0, 20)], ends: 'closed' })],
  ]

  it.each(trouble)('renavigate: %s', (_, act) => {
    for (const technique of TECHNIQUES) {
      const body = new Dummy({ position: v(20) })
      const one = flight(
        {
          path: straight(0, 40),
          technique,
          pilot: { escape: true, renavigate: (agent) => act(one.mind, agent) },
        },
        { body },
      )
      fly(one, 8)
      expect(one.faults).toEqual([])
      expect(one.told[0]).toBe('stuck')
      // and it can be told to go on
      one.mind.path = straight(0, 50)
      one.mind.direction = 1
      fly(one, 0.1)
      expect(one.ship.demand.force.x).toBeGreaterThan(1)
    }
  })

  it.each(trouble)('next: %s', (_, act) => {
    for (const technique of TECHNIQUES) {
      const one: Flight = flight({ path: straight(0, 40), technique, next: (agent) => act(one.mind, agent) })
      fly(one, 12)
      expect(one.faults).toEqual([])
      one.mind.next = undefined
      one.mind.direction = 1
      one.mind.path = new Path({ points: [xyz(one.ship.position), v(90, 3)] })
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
      const mind = new FollowPath({ path: straight(0, 40), technique, next: hook })
      const ship = pilot(within([], mind), SHIP)
      world.add(ship)
      for (let i = 0; i < 600; i++) world.step(1 / 60)
      expect(faults.length).toBe(1)
      expect(faults[0]!.behavior).toBe('FollowPath')
      expect(faults[0]!.message).toContain(message)
      // it stops at the end, and asks on
      expect(apart(ship.position, v(40))).toBeLessThan(0.02)
      mind.next = (_, path) => (path.length === 40 ? straight(40, 60) : null)
      for (let i = 0; i < 400; i++) world.step(1 / 60)
      expect(apart(ship.position, v(60))).toBeLessThan(0.01)
    }
    const body = new Dummy({ position: v(20) })
    const one = flight({ path: straight(0, 40), pilot: { renavigate: hook } }, { body })
    fly(one, 8)
    expect(one.faults.length).toBe(1)
    expect(one.faults[0]!.behavior).toBe('FollowPath')
    expect(one.faults[0]!.message).toContain(message)
    expect(one.told.filter((stage) => stage === 'stuck').length).toBeGreaterThan(2)
    expect(one.ship.demand.force.x).toBeGreaterThan(1)
  })

  it('a listener may take the path away as it arrives', () => {
    for (const technique of TECHNIQUES) {
      const one = flight({ path: straight(0, 20), technique })
      one.ship.addEventListener('arrive', () => {
        one.mind.path = one.told.length < 3 ? new Path({ points: [xyz(one.ship.position), v(0, 20)] }) : null
      })
      fly(one, 14)
      expect(one.faults).toEqual([])
      expect(one.told.length).toBeGreaterThanOrEqual(2)
    }
  })
})

describe('the doors', () => {
  const path = straight(0, 20)
  const refused: [string, unknown, string][] = [
    ['closeness', { path, closeness: 0 }, 'FollowPath.closeness: got 0'],
    ['closeness to the end', { path, endCloseness: -1 }, 'FollowPath.endCloseness: got -1'],
    ['obstacles at the end', { path, endObstacles: 'eat' }, "FollowPath.endObstacles: got 'eat'"],
    ['agents at the end', { path, endAgents: 'eat' }, "FollowPath.endAgents: got 'eat'"],
    ['crowd', { path, crowdRadius: 0 }, 'FollowPath.crowdRadius: got 0'],
    ['speed in a crowd', { path, crowdRadius: 2, crowdSpeed: 0 }, 'FollowPath.crowdSpeed: got 0'],
    ['speed in no crowd', { path, crowdSpeed: 0.5 }, 'FollowPath.crowdSpeed: got 0.5 without a crowdRadius'],
    ['facing', { path, facing: 4 }, 'FollowPath.facing: got 4'],
    ['obstacles', { path, obstacles: 3 }, 'FollowPath.obstacles: got 3'],
    ['next', { path, next: 3 }, 'FollowPath.next: got 3'],
    ['pilot', { path, pilot: 3 }, 'FollowPath.pilot: got 3'],
    ['window', { path, pilot: { window: 0 } }, 'FollowPath.pilot.window: got 0'],
    ['threshold', { path, pilot: { threshold: 2 } }, 'FollowPath.pilot.threshold: got 2'],
    ['renavigate', { path, pilot: { renavigate: 3 } }, 'FollowPath.pilot.renavigate: got 3'],
  ]
  it.each(refused)('refuse %s', (_, bad, message) => {
    expect(() => new FollowPath(bad as FollowPathOptions)).toThrow(message)
  })
})
