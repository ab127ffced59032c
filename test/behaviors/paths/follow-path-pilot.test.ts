import { describe, expect, it } from 'vitest'
import {
  AvoidWalls,
  BoxShape,
  FollowPath,
  neighborSearch,
  Obstacles,
  Path,
  SteeringController,
  SteeringWorld,
  within,
  type Agent,
  type FollowPathOptions,
  type Vec3,
} from 'three-steering'
import type { BlockedPath, PilotMetrics } from 'three-steering/authoring'
import type { PathTechnique } from 'three-steering/authoring'
import type { Constraint } from 'three-steering/authoring'
import { norm } from '../../support/geometry.js'
import { fly, eventsOf, Dummy, idle, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'
import { pick } from '../../support/tier.js'

const TECHNIQUES: readonly PathTechnique[] = ['reprojection', 'dog-on-a-string', 'grappling-hooks']
const STEPS = pick([1 / 30], [1 / 30, 1 / 60, 1 / 240])
const SHIP = { maxSpeed: 12, maxForce: 30, radius: 0.5 }
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const LEG = [v(), v(40), v(40, 0, 40), v(80, 0, 40)]

interface Flight {
  readonly world: SteeringWorld
  readonly ship: SteeringController
  readonly followPath: FollowPath
  readonly events: string[]
  readonly faults: readonly unknown[]
}

function flight(
  options: Partial<FollowPathOptions>,
  traits: PilotOptions = {},
  walls?: Obstacles,
  constraint?: Constraint,
): Flight {
  const followPath = new FollowPath({
    path: new Path({ points: LEG, curve: 'polyline' }),
    pilot: true,
    ...options,
  })
  const { world, faults } = quietWorld({ seed: 3 })
  const behavior =
    walls === undefined
      ? followPath
      : within([constraint ?? new AvoidWalls({ obstacles: walls })], followPath)
  const ship = pilot(behavior, { ...SHIP, ...traits })
  const events = eventsOf(ship)
  world.add(ship)
  return { world, ship, followPath, events, faults }
}

const metrics = ({ followPath, ship }: Flight): PilotMetrics => followPath.metricsOf(ship)!

/** Stays in place whatever the behaviour asks for, or moves with a given velocity. */
function fixed(at: Vec3, velocity = v()): { body: Dummy; carry: (dt: number) => void } {
  const body = new Dummy({ position: { ...at }, velocity })
  const carry = (dt: number): void => {
    const { position } = body.state
    position.x += velocity.x * dt
    position.y += velocity.y * dt
    position.z += velocity.z * dt
  }
  return { body, carry }
}

describe.each(TECHNIQUES)('the pilot metrics by %s', (technique) => {
  it('finished grows smoothly from 0 to 1, and is 1 at rest at the end', () => {
    for (const dt of STEPS) {
      const one = flight({ technique })
      const seen: number[] = []
      fly(one, 0.1, dt)
      expect(metrics(one).finished).toBeLessThan(0.02)
      let jump = 0
      fly(one, 20, dt, () => {
        const { finished } = metrics(one)
        jump = Math.max(jump, Math.abs(finished - (seen.at(-1) ?? finished)))
        seen.push(finished)
      })
      expect(one.events).toEqual(['arrive'])
      expect(seen.at(-1)).toBe(1)
      // Where the hook changes, the agent leaves out the corner: half a metre of 120. Otherwise it moves by
      // what it flies in a step, the dog by twice that.
      expect(jump).toBeLessThan((2.2 * 12 * dt) / 120 + 0.012)
      expect(Math.min(...seen.map((now, i) => now - (seen[i - 1] ?? 0)))).toBeGreaterThan(-0.002)
    }
  })

  it('stuck is 0 for an agent that advances, 1 for one that is held or driven back', () => {
    for (const dt of STEPS) {
      const free = flight({ technique })
      let largest = 0
      fly(free, 20, dt, () => (largest = Math.max(largest, metrics(free).stuck)))
      // The agent stops at the end; with hooks and dogs it comes back to corners.
      expect(largest).toBeLessThan(0.2)
      for (const velocity of [v(), v(-1), v(-9, 2, -3)]) {
        const { body, carry } = fixed(v(20), velocity)
        const one = flight({ technique, pilot: { threshold: 1 } }, { body })
        const share = (time: number): number => {
          fly(one, time - one.world.time, dt, () => carry(dt))
          return metrics(one).stuck
        }
        // The dog first runs to the end of its string, and then pulls.
        const lost = technique === 'dog-on-a-string' ? 0.8 : 0.02
        expect(share(0.02)).toBe(0)
        const half = share(1.5)
        expect(half).toBeGreaterThan(0.47 - lost / 3)
        expect(half).toBeLessThan(0.5001)
        // Of 3 s the whole window. Then `stuck` is emitted, and it stays there while something else is tried.
        expect(share(2.95)).toBeGreaterThan(0.96 - lost / 3)
        expect(share(3.9)).toBeGreaterThan(0.96 - lost / 3)
        expect(one.events[0]).toBe('stuck')
        expect(share(9)).toBe(1)
      }
    }
  })

  it('without a pilot there are no metrics and no events', () => {
    const { body } = fixed(v(20))
    const one = flight({ technique, pilot: false }, { body })
    fly(one, 8)
    expect(one.followPath.metricsOf(one.ship)).toBeNull()
    expect(one.events).toEqual([])
  })

  it('the pilot may be switched on during the flight', () => {
    const one = flight({ technique, pilot: false })
    fly(one, 3)
    one.followPath.pilot = new FollowPath({ path: one.followPath.path!, pilot: true }).pilot
    fly(one, 0.5)
    expect(metrics(one).stuck).toBe(0)
    expect(metrics(one).finished).toBeGreaterThan(0.1)
  })
})

describe('circling', () => {
  it('is 1 for an agent that circles a light, 0 on a round path', () => {
    for (const dt of STEPS) {
      // At 12 m/s the agent cannot turn within 5 m, so it never reaches a hook of half a metre.
      const { body } = fixed(v(35, 0, 3))
      const one = flight(
        { technique: 'grappling-hooks', closeness: 1, pilot: { threshold: 1, window: 60 } },
        { body },
      )
      let at = NaN
      fly(one, 6, dt, () => {
        const angle = 2.4 * one.world.time
        Object.assign(body.state.position, v(40 + 5 * Math.cos(angle), 0, 5 * Math.sin(angle)))
        Object.assign(body.state.velocity, v(-12 * Math.sin(angle), 0, 12 * Math.cos(angle)))
        if (Number.isNaN(at) && one.events.includes('circling')) at = one.world.time
      })
      // Two rounds of 2.62 s each, detected with the next bit of the window.
      expect(at).toBeGreaterThan(5.2)
      expect(at).toBeLessThan(5.7)
      const round = flight({
        path: new Path({ points: [v(), v(6), v(6, 0, 6), v(0, 0, 6)], ends: 'closed' }),
      })
      let largest = 0
      fly(round, 10, dt, () => (largest = Math.max(largest, metrics(round).circling)))
      // The agent first turns to its path.
      expect(largest).toBeLessThan(0.25)
    }
  })

  it('an agent that circles takes the waypoint for reached, with escape, and is not reported as stuck', () => {
    for (const escape of [false, true]) {
      const { body } = fixed(v(35))
      const one = flight({ technique: 'grappling-hooks', closeness: 1, pilot: { escape } }, { body })
      fly(one, 8, 1 / 60, () => {
        const angle = 2.4 * one.world.time
        Object.assign(body.state.position, v(40 + 5 * Math.cos(angle), 0, 5 * Math.sin(angle)))
        Object.assign(body.state.velocity, v(-12 * Math.sin(angle), 0, 12 * Math.cos(angle)))
      })
      expect(new Set(one.events)).toEqual(new Set(['circling']))
      // Station (m); the waypoint is at 40.
      expect(one.followPath.stationOf(one.ship) > 39).toBe(escape)
    }
  })

  it('turns by more than a right angle in a step count with their angle', () => {
    const { body } = fixed(v(35))
    const one = flight({ technique: 'grappling-hooks', pilot: { window: 60 } }, { body })
    const course = (angle: number): Vec3 => v(4 * Math.sin(angle), 0, 4 * Math.cos(angle))
    Object.assign(body.state.velocity, course(0))
    fly(one, 0.5, 1 / 30)
    const before = metrics(one).circling
    for (let i = 1; i <= 3; i++) {
      Object.assign(body.state.velocity, course(2 * i))
      fly(one, 1 / 30, 1 / 30)
    }
    // 6 rad of two rounds
    expect(metrics(one).circling - before).toBeCloseTo(6 / (4 * Math.PI), 2)
  })

  it('turns to and fro do not count as circling', () => {
    const { body } = fixed(v(35))
    const one = flight({ technique: 'grappling-hooks', pilot: { window: 60 } }, { body })
    let largest = 0
    fly(one, 20, 1 / 60, () => {
      const angle = Math.sin(3 * one.world.time)
      Object.assign(body.state.velocity, v(4 * Math.sin(angle), 0, 4 * Math.cos(angle)))
      largest = Math.max(largest, metrics(one).circling)
    })
    // One radian to one side, of two rounds.
    expect(largest).toBeLessThan(0.2)
  })
})

/** A dead end and the path around it. The last section starts right behind its bottom. */
const POCKET = [
  { shape: new BoxShape(v(9, 9, 0.5)), at: v(11, 0, 0) },
  { shape: new BoxShape(v(0.5, 9, 3)), at: v(2, 0, -3) },
  { shape: new BoxShape(v(0.5, 9, 3)), at: v(20, 0, -3) },
]
const ROUND = [v(0, 0, -20), v(0, 0, 4), v(24, 0, 4)]

describe.each(TECHNIQUES)("an agent pushed back behind a wall (Green's Fig. 13), by %s", (technique) => {
  /**
   * The agent flies around the corner, and then a current carries it back to the other side. `reportsWalls`:
   * whether the wish knows the walls.
   */
  function pushed(options: Partial<FollowPathOptions>, dt = 1 / 60, reportsWalls = false): Flight {
    const path = new Path({ points: ROUND, curve: 'polyline' })
    const body = new Mover(ROUND[0]!)
    const walls = new AvoidWalls({ obstacles: POCKET })
    const silent: Constraint = {
      steer: () => undefined,
      constrain: (agent, step, limits) => walls.constrain(agent, step, limits),
    }
    const one = flight(
      { path, technique, ...options },
      { body, mass: 1 },
      walls.obstacles,
      reportsWalls ? walls : silent,
    )
    fly(one, 30, dt, () => {
      body.move(dt)
      if (
        !body.done &&
        body.state.position.z > 2.9 &&
        one.followPath.stationOf(one.ship) >= path.stationOf(1)
      ) {
        body.done = true
        Object.assign(body.state.position, v(9, 0.2, -2))
        Object.assign(body.state.velocity, v())
      }
    })
    expect(body.done).toBe(true)
    expect(one.faults).toEqual([])
    return one
  }

  it('is not stuck if its constraints know the walls: it flies around them', () => {
    for (const dt of STEPS) expect(pushed({}, dt, true).events).toEqual(['arrive'])
  })

  it('is stuck otherwise', () => {
    const one = pushed({})
    expect(one.events).not.toContain('arrive')
    expect(one.events).toContain('stuck')
  })

  it('returns to the last waypoint that it sees if the obstacles are known, and arrives', () => {
    for (const dt of STEPS) {
      const one = pushed({ obstacles: new Obstacles(POCKET), pilot: { escape: true } }, dt)
      expect(one.events).toEqual(['stuck', 'arrive'])
    }
  })

  it('flies the path that renavigate returns, and arrives', () => {
    const asked: BlockedPath[] = []
    const renavigate = ({ position }: Agent, blocked: BlockedPath): Path => {
      asked.push({ ...blocked })
      const points = [xyz(position), v(9, 0, -14), v(0, 0, -14), ROUND[1]!, ROUND[2]!]
      return new Path({ points, curve: 'polyline' })
    }
    const one = pushed({ obstacles: new Obstacles(POCKET), pilot: { renavigate } })
    expect(one.events).toEqual(['stuck', 'arrive'])
    expect(asked.length).toBe(1)
    const { why, waypoint, segment, obstacle, tries } = asked[0]!
    expect({ why, waypoint, segment, tries }).toEqual({ why: 'stuck', waypoint: 2, segment: 1, tries: 0 })
    expect(obstacle?.position).toEqual(v(11, 0, 0))
  })
})

/** A body that can be carried away: it has its own integrator. */
class Mover extends Dummy {
  done = false

  constructor(position: Vec3) {
    super({ position: { ...position } })
  }

  move(dt: number): void {
    const { position, velocity, mass } = this.state
    const { force } = this.given.pop()!
    this.given.length = 0
    for (const axis of ['x', 'y', 'z'] as const) {
      velocity[axis] += (force[axis] / mass) * dt
      position[axis] += velocity[axis] * dt
    }
  }
}

describe('renavigate', () => {
  it('is called at most once per share of a window that counts as stuck', () => {
    for (const dt of STEPS) {
      const { body } = fixed(v(20))
      const times: number[] = []
      const renavigate = (): null => {
        times.push(one.world.time)
        return null
      }
      const one: Flight = flight({ pilot: { renavigate, window: 2, threshold: 0.5 } }, { body })
      fly(one, 10.4, dt)
      expect(times.length).toBe(10)
      expect(Math.min(...times.map((time, i) => time - (times[i - 1] ?? 0)))).toBeGreaterThan(0.95)
    }
  })

  it('gives a path to one agent only, until the common path changes', () => {
    const other = new Path({ points: [v(20), v(20, 20), v(60, 20)], curve: 'polyline' })
    const followPath = new FollowPath({
      path: new Path({ points: LEG, curve: 'polyline' }),
      pilot: { renavigate: () => other },
    })
    const { world } = quietWorld()
    const body = new Dummy({ position: v(20) })
    const [stuck, free] = [pilot(followPath, { ...SHIP, body }), pilot(followPath, SHIP)]
    world.add(stuck).add(free)
    for (let i = 0; i < 200; i++) world.step(1 / 60)
    expect(followPath.pathOf(stuck)).toBe(other)
    expect(followPath.pathOf(free)).toBe(followPath.path)
    expect(stuck.demand.force.y).toBeGreaterThan(1)
    const third = new Path({ points: [v(20), v(20, 0, 30)] })
    followPath.path = third
    world.step(1 / 60)
    expect(followPath.pathOf(stuck)).toBe(third)
    expect(stuck.demand.force.z).toBeGreaterThan(1)
  })

  it('may be answered later by setPathOf', () => {
    const { body } = fixed(v(20))
    const one = flight({ pilot: true }, { body })
    const path = new Path({ points: [v(20), v(20, 30)] })
    expect(() => one.followPath.setPathOf(one.ship, path)).toThrow('FollowPath.setPathOf: got agent')
    fly(one, 0.1)
    one.followPath.setPathOf(one.ship, path)
    fly(one, 0.1)
    expect(one.ship.demand.force.y).toBeGreaterThan(1)
    one.followPath.setPathOf(one.ship, null)
    fly(one, 0.1)
    expect(norm(one.ship.demand.force)).toBe(0)
    one.followPath.setPathOf(one.ship, undefined)
    fly(one, 0.1)
    expect(one.ship.demand.force.x).toBeGreaterThan(1)
    expect(() => one.followPath.setPathOf(one.ship, 5 as never)).toThrow('FollowPath.setPathOf: got 5')
  })
})

describe('an agent that backs off', () => {
  it('flies to a clear side, farther each time, never through anything, and the same way with the same seed', () => {
    // A dead end: the path leads through its bottom, and no other path is known.
    const box = [
      { shape: new BoxShape(v(0.5, 5, 5)), at: v(20, 0, 0) },
      { shape: new BoxShape(v(6, 5, 0.5)), at: v(14, 0, 3) },
      { shape: new BoxShape(v(6, 5, 0.5)), at: v(14, 0, -3) },
    ]
    const walls = new Obstacles(box)
    const runs = [1, 2].map(() => {
      const path = new Path({ points: [v(), v(60)] })
      const one = flight({ path, obstacles: walls, pilot: { escape: true } }, {}, walls)
      let [deepest, back, retreat] = [0, 60, 0]
      fly(one, 20, 1 / 60, () => {
        const { x } = one.ship.position
        deepest = Math.max(deepest, 0.5 - walls.distance(one.ship.position, v()))
        if (one.events.length > 0) back = Math.min(back, x)
        retreat = Math.max(retreat, Math.abs(one.ship.position.y), Math.abs(one.ship.position.z))
      })
      expect(deepest).toBeLessThan(1e-6)
      expect(back).toBeLessThan(17.5)
      expect(retreat).toBeGreaterThan(1)
      expect(one.events.filter((stage) => stage === 'stuck').length).toBeGreaterThan(2)
      return xyz(one.ship.position)
    })
    expect(runs[0]).toEqual(runs[1])
  })

  it('waits in a crowd instead', () => {
    for (const crowd of [0, 8]) {
      const { body } = fixed(v(37))
      const one = flight({ crowdRadius: 2, neighborSearch, pilot: { escape: true } }, { body })
      for (let i = 0; i < crowd; i++) one.world.add(pilot(idle(), { radius: 1, position: v(40, i / 10, 0) }))
      fly(one, 3.2)
      expect(one.events).toEqual(['stuck'])
      // Backwards or onwards.
      expect(one.ship.demand.force.x > 0).toBe(crowd > 0)
    }
  })
})
