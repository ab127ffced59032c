import { describe, expect, it } from 'vitest'
import {
  AvoidWalls,
  BoxShape,
  FollowPath,
  Obstacles,
  Path,
  SteeringController,
  SteeringWorld,
  within,
  type Agent,
  type BlockedPath,
  type Constraint,
  type FollowPathOptions,
  type PathTechnique,
  type PilotMetrics,
  type Vec3,
} from 'three-steering'
import { norm } from '../../support/geometry.js'
import { fly, eventsOf, Dummy, idle, pilot, quietWorld, xyz, type PilotOptions } from '../../support/pilot.js'

const TECHNIQUES: readonly PathTechnique[] = ['reprojection', 'dog-on-a-string', 'grappling-hooks']
const STEPS = [1 / 30, 1 / 60, 1 / 240]
const SHIP = { maxSpeed: 12, maxForce: 30, radius: 0.5 }
const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const LEG = [v(), v(40), v(40, 0, 40), v(80, 0, 40)]

interface Flight {
  readonly world: SteeringWorld
  readonly ship: SteeringController
  readonly mind: FollowPath
  readonly told: string[]
  readonly faults: readonly unknown[]
}

function flight(
  options: Partial<FollowPathOptions>,
  traits: PilotOptions = {},
  walls?: Obstacles,
  constraint?: Constraint,
): Flight {
  const mind = new FollowPath({ path: new Path({ points: LEG, curve: 'polyline' }), pilot: true, ...options })
  const { world, faults } = quietWorld({ seed: 3 })
  const behavior =
    walls === undefined ? mind : within([constraint ?? new AvoidWalls({ obstacles: walls })], mind)
  const ship = pilot(behavior, { ...SHIP, ...traits })
  const told = eventsOf(ship)
  world.add(ship)
  return { world, ship, mind, told, faults }
}

const metrics = ({ mind, ship }: Flight): PilotMetrics => mind.metricsOf(ship)!

/** Holds its place, whatever it wants; or is carried along with a velocity. */
function held(at: Vec3, velocity = v()): { body: Dummy; carry: (dt: number) => void } {
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
  it('finished varies smoothly from 0 to 1, and is 1 at rest at the end', () => {
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
      expect(one.told).toEqual(['arrive'])
      expect(seen.at(-1)).toBe(1)
      // where the hook is thrown on it leaves out the corner: half a metre of 120; else what is flown in a step, and the dog twice that
      expect(jump).toBeLessThan((2.2 * 12 * dt) / 120 + 0.012)
      expect(Math.min(...seen.map((now, i) => now - (seen[i - 1] ?? 0)))).toBeGreaterThan(-0.002)
    }
  })

  it('is 1 less the way to go over the whole way', () => {
    // in the middle of the second segment, on the path: 20 m, then 40 m to go of 120
    const { body } = held(v(40, 0, 20))
    const one = flight({ technique }, { body })
    fly(one, 0.2)
    expect(metrics(one).finished).toBeCloseTo(0.5, technique === 'dog-on-a-string' ? 1 : 9)
  })

  it('stuck: 0 for who gets on, 1 for who is held, or driven back', () => {
    for (const dt of STEPS) {
      const free = flight({ technique })
      let most = 0
      fly(free, 20, dt, () => (most = Math.max(most, metrics(free).stuck)))
      // it stops at the end, and hooks and dogs come back to corners
      expect(most).toBeLessThan(0.2)
      for (const velocity of [v(), v(-1), v(-9, 2, -3)]) {
        const { body, carry } = held(v(20), velocity)
        const one = flight({ technique, pilot: { threshold: 1 } }, { body })
        const share = (time: number): number => {
          fly(one, time - one.world.time, dt, () => carry(dt))
          return metrics(one).stuck
        }
        // the dog first runs to the end of its string, and pulls
        const lost = technique === 'dog-on-a-string' ? 0.8 : 0.02
        expect(share(0.02)).toBe(0)
        const half = share(1.5)
        expect(half).toBeGreaterThan(0.47 - lost / 3)
        expect(half).toBeLessThan(0.5001)
        // of 3 s the whole: then it was told, and stays there, also while something else is tried
        expect(share(2.95)).toBeGreaterThan(0.96 - lost / 3)
        expect(share(3.9)).toBeGreaterThan(0.96 - lost / 3)
        expect(one.told[0]).toBe('stuck')
        expect(share(9)).toBe(1)
      }
    }
  })

  it('one glitch backwards costs one bit, however long the steps are', () => {
    for (const dt of STEPS) {
      const { body } = held(v(5), v(1))
      const one = flight({ technique, speed: 2, lookAhead: 1 }, { body })
      const { position } = body.state
      for (let i = 1; i * dt < 2.9; i++) {
        // on at 1 m/s, but for a tenth of a second
        position.x = 5 + i * dt - (i * dt > 1.4 ? 0.3 : 0)
        one.world.step(dt)
      }
      const dogs = technique === 'dog-on-a-string' ? 10 : 0
      const bits = metrics(one).stuck * 32
      expect(bits).toBeGreaterThanOrEqual(1)
      // 0.3 m back at 1 m/s are made good in 0.3 s, three bits
      expect(bits).toBeLessThanOrEqual(4 + dogs)
    }
  })

  it('needs no pilot, and then costs nothing and tells nothing', () => {
    const { body } = held(v(20))
    const one = flight({ technique, pilot: false }, { body })
    fly(one, 8)
    expect(one.mind.metricsOf(one.ship)).toBeNull()
    expect(one.told).toEqual([])
  })

  it('may be switched on on the way', () => {
    const one = flight({ technique, pilot: false })
    fly(one, 3)
    one.mind.pilot = new FollowPath({ path: one.mind.path!, pilot: true }).pilot
    fly(one, 0.5)
    expect(metrics(one).stuck).toBe(0)
    expect(metrics(one).finished).toBeGreaterThan(0.1)
  })

  it('is the same for each member of a flock as for controllers, of any mass', () => {
    const make = (): FollowPath =>
      new FollowPath({ path: new Path({ points: LEG }), technique, pilot: { window: 2 } })
    const mind = make()
    const world = new SteeringWorld()
    const at = (i: number): Vec3 => v(7 * i, i - 1, 3 * i)
    const ids: number[] = []
    world.addFlock({
      count: 3,
      ...SHIP,
      behavior: {
        reach: 0,
        children: [mind],
        steer(agent, step, out) {
          ids[agent.slot] = agent.id
          mind.steer(agent, step, out)
        },
      },
      spawn: (i, { position, velocity }) => {
        Object.assign(position, at(i))
        Object.assign(velocity, v())
      },
    })
    const alone = [1, 1, 40].map((mass, i) => {
      const own = make()
      const other = new SteeringWorld()
      const ship = pilot(own, { ...SHIP, position: at(i), mass, maxForce: 30 * mass })
      other.add(ship)
      return { own, other, ship }
    })
    for (let i = 0; i < 500; i++) {
      world.step(1 / 60)
      for (const { other } of alone) other.step(1 / 60)
    }
    alone.forEach(({ own, ship }, i) => {
      const mine = own.metricsOf(ship)!
      const theirs = mind.metricsOf({ id: ids[i]! })!
      for (const name of ['stuck', 'finished', 'crowded', 'circling'] as const)
        expect(theirs[name]).toBeCloseTo(mine[name], 9)
      expect(mine.finished).toBeGreaterThan(0.5)
    })
  })
})

describe('crowded', () => {
  it('is the area of the others at the next waypoint over that of the ball, saturated', () => {
    for (const [count, expected] of [
      [0, 0],
      [1, 0.25],
      [3, 0.75],
      [9, 1],
    ] as const) {
      const one = flight({ crowdRadius: 2 }, { position: v(37) })
      for (let i = 0; i < count; i++) one.world.add(pilot(idle(), { radius: 1, position: v(40, i / 10, 0) }))
      fly(one, 0.15)
      expect(metrics(one).crowded).toBeCloseTo(expected, 12)
    }
  })
})

describe('circling', () => {
  it('is 1 for a moth, 0 for who flies a round path', () => {
    for (const dt of STEPS) {
      // it may do 12 m/s and cannot turn within 5 m: a hook of half a metre is never reached
      const { body } = held(v(35, 0, 3))
      const one = flight(
        { technique: 'grappling-hooks', closeness: 1, pilot: { threshold: 1, window: 60 } },
        { body },
      )
      let at = NaN
      fly(one, 6, dt, () => {
        const angle = 2.4 * one.world.time
        Object.assign(body.state.position, v(40 + 5 * Math.cos(angle), 0, 5 * Math.sin(angle)))
        Object.assign(body.state.velocity, v(-12 * Math.sin(angle), 0, 12 * Math.cos(angle)))
        if (Number.isNaN(at) && one.told.includes('circling')) at = one.world.time
      })
      // two rounds of 2.62 s each, seen with the next bit of the window
      expect(at).toBeGreaterThan(5.2)
      expect(at).toBeLessThan(5.7)
      const round = flight({
        path: new Path({ points: [v(), v(6), v(6, 0, 6), v(0, 0, 6)], ends: 'closed' }),
      })
      let most = 0
      fly(round, 10, dt, () => (most = Math.max(most, metrics(round).circling)))
      // it first turns to its path
      expect(most).toBeLessThan(0.25)
    }
  })

  it('who circles takes the waypoint for reached, when it may escape; and is not told to be stuck', () => {
    for (const escape of [false, true]) {
      const { body } = held(v(35))
      const one = flight({ technique: 'grappling-hooks', closeness: 1, pilot: { escape } }, { body })
      fly(one, 8, 1 / 60, () => {
        const angle = 2.4 * one.world.time
        Object.assign(body.state.position, v(40 + 5 * Math.cos(angle), 0, 5 * Math.sin(angle)))
        Object.assign(body.state.velocity, v(-12 * Math.sin(angle), 0, 12 * Math.cos(angle)))
      })
      expect(new Set(one.told)).toEqual(new Set(['circling']))
      // m along the path: the waypoint is at 40
      expect(one.mind.placeOf(one.ship) > 39).toBe(escape)
    }
  })

  it('to and fro is no circle', () => {
    const { body } = held(v(35))
    const one = flight({ technique: 'grappling-hooks', pilot: { window: 60 } }, { body })
    let most = 0
    fly(one, 20, 1 / 60, () => {
      const angle = Math.sin(3 * one.world.time)
      Object.assign(body.state.velocity, v(4 * Math.sin(angle), 0, 4 * Math.cos(angle)))
      most = Math.max(most, metrics(one).circling)
    })
    // a radian to one side, of two rounds
    expect(most).toBeLessThan(0.2)
  })
})

/** A pocket, and the way round it: the last section is right behind its bottom. */
const POCKET = [
  { shape: new BoxShape(v(9, 9, 0.5)), at: v(11, 0, 0) },
  { shape: new BoxShape(v(0.5, 9, 3)), at: v(2, 0, -3) },
  { shape: new BoxShape(v(0.5, 9, 3)), at: v(20, 0, -3) },
]
const ROUND = [v(0, 0, -20), v(0, 0, 4), v(24, 0, 4)]

describe.each(TECHNIQUES)("who was pushed back behind a wall (Green's Fig. 13), by %s", (technique) => {
  /** Flies round the corner, and then a flood carries it back to the other side. `tells`: whether the wish learns of the walls. */
  function pushed(options: Partial<FollowPathOptions>, dt = 1 / 60, tells = false): Flight {
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
      tells ? walls : silent,
    )
    fly(one, 30, dt, () => {
      body.move(dt)
      if (!body.done && body.state.position.z > 2.9 && one.mind.placeOf(one.ship) >= path.stationOf(1)) {
        body.done = true
        Object.assign(body.state.position, v(9, 0.2, -2))
        Object.assign(body.state.velocity, v())
      }
    })
    expect(body.done).toBe(true)
    expect(one.faults).toEqual([])
    return one
  }

  it('is not stuck where its constraints know the walls: it goes round', () => {
    for (const dt of STEPS) expect(pushed({}, dt, true).told).toEqual(['arrive'])
  })

  it('is stuck', () => {
    const one = pushed({})
    expect(one.told).not.toContain('arrive')
    expect(one.told).toContain('stuck')
  })

  it('goes back to the last waypoint that it sees where the obstacles are known, and arrives', () => {
    for (const dt of STEPS) {
      const one = pushed({ obstacles: POCKET, pilot: { escape: true } }, dt)
      expect(one.told).toEqual(['stuck', 'arrive'])
    }
  })

  it('or flies what renavigate gives it, and arrives', () => {
    const asked: BlockedPath[] = []
    const renavigate = ({ position }: Agent, blocked: BlockedPath): Path => {
      asked.push({ ...blocked })
      const points = [xyz(position), v(9, 0, -14), v(0, 0, -14), ROUND[1]!, ROUND[2]!]
      return new Path({ points, curve: 'polyline' })
    }
    const one = pushed({ obstacles: POCKET, pilot: { renavigate } })
    expect(one.told).toEqual(['stuck', 'arrive'])
    expect(asked.length).toBe(1)
    const { why, waypoint, segment, obstacle, tries } = asked[0]!
    expect({ why, waypoint, segment, tries }).toEqual({ why: 'stuck', waypoint: 2, segment: 1, tries: 0 })
    expect(obstacle?.position).toEqual(v(11, 0, 0))
  })
})

/** A body that can be carried off: an integrator of its own. */
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
  it('is asked no more than once in the share of a window that is stuck', () => {
    for (const dt of STEPS) {
      const { body } = held(v(20))
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

  it('gives a way to one agent alone, until the path of all is changed', () => {
    const other = new Path({ points: [v(20), v(20, 20), v(60, 20)], curve: 'polyline' })
    const mind = new FollowPath({
      path: new Path({ points: LEG, curve: 'polyline' }),
      pilot: { renavigate: () => other },
    })
    const { world } = quietWorld()
    const body = new Dummy({ position: v(20) })
    const [stuck, free] = [pilot(mind, { ...SHIP, body }), pilot(mind, SHIP)]
    world.add(stuck).add(free)
    for (let i = 0; i < 200; i++) world.step(1 / 60)
    expect(mind.pathOf(stuck)).toBe(other)
    expect(mind.pathOf(free)).toBe(mind.path)
    expect(stuck.demand.force.y).toBeGreaterThan(1)
    const third = new Path({ points: [v(20), v(20, 0, 30)] })
    mind.path = third
    world.step(1 / 60)
    expect(mind.pathOf(stuck)).toBe(third)
    expect(stuck.demand.force.z).toBeGreaterThan(1)
  })

  it('may answer later, by setPathOf', () => {
    const { body } = held(v(20))
    const one = flight({ pilot: true }, { body })
    const path = new Path({ points: [v(20), v(20, 30)] })
    expect(() => one.mind.setPathOf(one.ship, path)).toThrow('FollowPath.setPathOf: got agent')
    fly(one, 0.1)
    one.mind.setPathOf(one.ship, path)
    fly(one, 0.1)
    expect(one.ship.demand.force.y).toBeGreaterThan(1)
    one.mind.setPathOf(one.ship, null)
    fly(one, 0.1)
    expect(norm(one.ship.demand.force)).toBe(0)
    one.mind.setPathOf(one.ship, undefined)
    fly(one, 0.1)
    expect(one.ship.demand.force.x).toBeGreaterThan(1)
    expect(() => one.mind.setPathOf(one.ship, 5 as never)).toThrow('FollowPath.setPathOf: got 5')
  })
})

describe('who backs off', () => {
  it('does so to a side that is clear, farther each time, never through anything, and the same way with the same seed', () => {
    // a dead end: the path leads through its end, and nobody knows another
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
        if (one.told.length > 0) back = Math.min(back, x)
        retreat = Math.max(retreat, Math.abs(one.ship.position.y), Math.abs(one.ship.position.z))
      })
      expect(deepest).toBeLessThan(1e-6)
      expect(back).toBeLessThan(17.5)
      expect(retreat).toBeGreaterThan(1)
      expect(one.told.filter((stage) => stage === 'stuck').length).toBeGreaterThan(2)
      return xyz(one.ship.position)
    })
    expect(runs[0]).toEqual(runs[1])
  })

  it('waits in a crowd instead', () => {
    for (const crowd of [0, 8]) {
      const { body } = held(v(37))
      const one = flight({ crowdRadius: 2, pilot: { escape: true } }, { body })
      for (let i = 0; i < crowd; i++) one.world.add(pilot(idle(), { radius: 1, position: v(40, i / 10, 0) }))
      fly(one, 3.2)
      expect(one.told).toEqual(['stuck'])
      // back or on
      expect(one.ship.demand.force.x > 0).toBe(crowd > 0)
    }
  })
})
