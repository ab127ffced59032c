import { describe, expect, it } from 'vitest'
import {
  AvoidWalls,
  BoxShape,
  CapsuleShape,
  HalfSpaceShape,
  HollowShape,
  HullShape,
  Obstacle,
  Obstacles,
  SphereShape,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type Shape,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { type VelocityConstraints, drive, seeded } from 'three-steering/authoring'
import { Footing } from '../../../src/core/solver/footing.js'
import { WallCap } from '../../../src/core/behaviors/avoidance/wall-cap.js'
import { norm, v } from '../../support/geometry.js'
import { standIn, stepOf, type StandIn } from '../../support/stand-in.js'
import { pick } from '../../support/tier.js'

interface Told {
  readonly normal: Vec3
  readonly least: number
}

/** The constraints that `WallCap` adds for an agent that wants to keep its velocity. */
function constraintsOf(
  agent: StandIn,
  obstacle: Obstacle,
  { skin = 0, dt = 1 / 60, wanted = agent.velocity }: { skin?: number; dt?: number; wanted?: Vec3Like } = {},
): Told[] {
  const found: Told[] = []
  const limits: VelocityConstraints = {
    wantedVelocity: wanted,
    goalDistance: Infinity,
    addHalfSpace: ({ x, y, z }, least) => void found.push({ normal: { x, y, z }, least }),
    addObstacle: () => expect.fail('a wall is no bar'),
    addScanner: () => {},
    addWall: () => {},
    setExit: () => {},
    addToMap: () => {},
  }
  new WallCap(new Footing()).cap(agent, stepOf(dt), obstacle, skin, limits)
  return found
}

const dotted = (a: Vec3Like, b: Vec3Like): number => a.x * b.x + a.y * b.y + a.z * b.z
/** Highest speed allowed towards the plane with this normal, m/s; Infinity without such a plane. */
function allowed(planes: readonly Told[], normal: Vec3Like): number {
  const speeds = planes.filter((each) => dotted(each.normal, normal) > 0.999).map(({ least }) => -least)
  return Math.min(Infinity, ...speeds)
}
const obeys = (planes: readonly Told[], velocity: Vec3Like): boolean =>
  planes.every(({ normal, least }) => dotted(normal, velocity) >= least - 1e-9)

/** A wall across x at `x`, the agent on the side of smaller x. */
function wallAt(x: number, velocity: Vec3Like = v(0, 0, 0)): Obstacle {
  return new Obstacle({
    shape: new HalfSpaceShape({ x: -1, y: 0, z: 0 }),
    at: { position: v(x, 0, 0), velocity },
  })
}
const BACK = v(-1, 0, 0)

describe('the limit of a wall', () => {
  it('is absent when the wall is far, or the agent leaves it', () => {
    expect(constraintsOf(standIn({ velocity: v(5, 0, 0) }), wallAt(500))).toEqual([])
    expect(constraintsOf(standIn({ velocity: v(-10, 0, 0) }), wallAt(30))).toEqual([])
  })

  it('is √(2·a·d), less the reserve of the servo for braking', () => {
    // 8 m before the hull at 90 % of 10 m/s²: 12 m/s; the profile is that of a servo with τ = 0.1 s and half
    // of it as lag
    const agent = standIn({ maxForce: 10, maxSpeed: 100, velocity: v(0, 0, 0) })
    expect(allowed(constraintsOf(agent, wallAt(8.5), { wanted: v(50, 0, 0) }), BACK)).toBeGreaterThan(11)
    expect(allowed(constraintsOf(agent, wallAt(8.5), { wanted: v(50, 0, 0) }), BACK)).toBeLessThan(
      Math.sqrt(2 * 9 * 8),
    )
    // on the profile: the demand is a braking of 9 m/s² over τ
    const speed = 8
    const gap = (speed * speed) / 18 + speed * 0.05
    const flying = standIn({ maxForce: 10, maxSpeed: 100, velocity: v(speed, 0, 0) })
    const asked = (speed - allowed(constraintsOf(flying, wallAt(gap + 0.5), { dt: 1e-4 }), BACK)) / 0.1
    expect(asked).toBeGreaterThan(8)
    expect(asked).toBeLessThan(9)
  })

  it('is zero speed where the agent touches, and outward speed inside', () => {
    const at = (x: number): number => allowed(constraintsOf(standIn(), wallAt(x)), BACK)
    expect(at(0.5)).toBeCloseTo(0, 12)
    expect(at(0.3)).toBeLessThan(-1)
    expect(at(-3)).toBeLessThan(at(0.3))
    // never faster than it can fly
    expect(at(-1e9)).toBeGreaterThanOrEqual(-3 * 10)
    expect(Number.isFinite(at(-1e9))).toBe(true)
  })

  it('is relative to the wall: the agent evades an approaching wall in time and follows a receding one', () => {
    const rest = standIn({ maxForce: 10 })
    expect(allowed(constraintsOf(rest, wallAt(0.5, v(-2, 0, 0))), BACK)).toBeLessThan(-2 + 1e-9)
    // 2 m/s are braked in 0.22 m + lag: not yet at 1 m, but at 10 cm
    expect(allowed(constraintsOf(rest, wallAt(1.5, v(-2, 0, 0))), BACK)).toBeGreaterThan(0)
    expect(allowed(constraintsOf(rest, wallAt(0.6, v(-2, 0, 0))), BACK)).toBeLessThan(0)
    // v* makes the servo (τ = 6 steps) follow: after the step the agent is no faster than the wall
    const follow = allowed(constraintsOf(rest, wallAt(0.5, v(2, 0, 0))), BACK)
    expect(follow).toBeGreaterThan(2)
    expect(follow / 6).toBeLessThan(2)
  })

  it('takes weight and drag into account', () => {
    const down = v(10, 0, 0)
    const wanted = v(50, 0, 0)
    const speed = (state: Partial<StandIn>): number =>
      allowed(
        constraintsOf(standIn({ maxForce: 20, maxSpeed: 100, ...state }), wallAt(8.5), { wanted }),
        BACK,
      )
    const light = speed({})
    // 18 m/s² of brakes less 10 of weight
    expect(speed({ gravity: down })).toBeLessThan(0.75 * light)
    expect(speed({ gravity: v(-10, 0, 0) })).toBeGreaterThan(1.2 * light)
    // compensated gravity is no part of the plan: `forceAlong` returns the force that remains
    expect(speed({ gravity: down, compensateGravity: true, forceAlong: () => 10 })).toBeLessThan(0.8 * light)
    expect(speed({ damping: 1 })).toBeGreaterThan(light)
    // no brakes at all: it must not move towards the wall
    expect(speed({ maxForce: 0 })).toBeCloseTo(0, 12)
  })

  it('takes the weakest engine of a ship and its time to turn into account', () => {
    const ship = standIn({ maxForce: 20, maxSpeed: 100, forceAlong: (x) => (x > 0.5 ? 20 : 5) })
    const drone = standIn({ maxForce: 20, maxSpeed: 100 })
    const wanted = v(50, 0, 0)
    expect(allowed(constraintsOf(ship, wallAt(8.5), { wanted }), BACK)).toBeLessThan(
      0.6 * allowed(constraintsOf(drone, wallAt(8.5), { wanted }), BACK),
    )
  })
})

describe('a wall beside the path', () => {
  const pillar = new Obstacle({ shape: new BoxShape(v(1, 1, 10)), at: v(6, 2.6, 0) })

  it('does not brake an agent that passes it', () => {
    // the hull passes the corner at 1.1 m; the nearest point is ahead, and 4 m are less than the stopping
    // distance
    const velocity = v(10, 0, 0)
    const agent = standIn({ velocity, maxForce: 5 })
    expect(obeys(constraintsOf(agent, pillar), velocity)).toBe(true)
    // but it prevents a turn towards the wall
    expect(obeys(constraintsOf(agent, pillar), v(9, 4, 0))).toBe(false)
  })

  it('brakes an agent that would hit it', () => {
    const velocity = v(9, 3, 0)
    expect(obeys(constraintsOf(standIn({ velocity, maxForce: 5 }), pillar), velocity)).toBe(false)
  })
})

describe('a room', () => {
  it('limits the velocity by all walls of a corner, even when the agent slides along one', () => {
    const room = new Obstacle({ shape: new HollowShape(new BoxShape(v(10, 10, 10))) })
    const position = v(9.5, 6, 6)
    const planes = constraintsOf(standIn({ position, velocity: v(0, 8, 8), maxForce: 10 }), room)
    for (const normal of [v(-1, 0, 0), v(0, -1, 0), v(0, 0, -1)])
      expect(allowed(planes, normal)).toBeLessThan(8)
  })

  it('limits the velocity by slanted walls', () => {
    const planes = constraintsOf(
      standIn({ velocity: v(0, 0, 9), maxForce: 10 }),
      new Obstacle({ shape: tetra() }),
    )
    expect(planes.length).toBeGreaterThanOrEqual(3)
  })

  it('with a curved wall limits the speed to that which the curve allows', () => {
    // v² / r is 9 m/s² at 9.2 m/s: an agent faster than that along a wall of 9.5 m radius leaves it at once
    const shape = new HollowShape(new SphereShape(10))
    const position = v(9.5, 0, 0)
    const braked = (speed: number): boolean => {
      const velocity = v(0, speed, 0)
      const planes = constraintsOf(standIn({ position, velocity, maxForce: 10 }), new Obstacle({ shape }))
      // the wall at the side must be followed at any speed; walls ahead must not be approached too fast
      return !obeys(
        planes.filter(({ normal }) => normal.y < -0.5),
        velocity,
      )
    }
    expect(braked(4)).toBe(false)
    expect(braked(12)).toBe(true)
  })
})

function tetra(): Shape {
  const vertices = [v(15, 0, -9), v(-8, 13, -9), v(-8, -13, -9), v(0, 0, 14)]
  const faces = [
    [0, 1, 3],
    [1, 2, 3],
    [2, 0, 3],
    [0, 2, 1],
  ]
  return new HollowShape(new HullShape({ vertices, faces }))
}

/** Two walls that meet at this angle (degrees), closed on the other sides. */
function wedge(angle: number): Obstacles {
  const half = (angle * Math.PI) / 360
  const s = Math.sin(half)
  const c = Math.cos(half)
  const tip = v(-14, 0, 0)
  const walls: [Vec3, Vec3][] = [
    [v(s, c, 0), tip],
    [v(s, -c, 0), tip],
    [BACK, v(12, 0, 0)],
    [v(0, 0, 1), v(0, 0, -10)],
    [v(0, 0, -1), v(0, 0, 10)],
  ]
  return new Obstacles(walls.map(([normal, at]) => ({ shape: new HalfSpaceShape(normal), at })))
}

const rooms: Record<string, () => Obstacles> = {
  box: () => new Obstacles([{ shape: new HollowShape(new BoxShape(v(15, 10, 12))) }]),
  ball: () => new Obstacles([{ shape: new HollowShape(new SphereShape(12)) }]),
  tube: () => new Obstacles([{ shape: new HollowShape(new CapsuleShape(6, 20)) }]),
  'four slanted walls': () => new Obstacles([{ shape: tetra() }]),
  'wedge of 30°': () => wedge(30),
  'wedge of 90°': () => wedge(90),
}

/**
 * A wish that flies at full speed to places beyond the walls, another one every few seconds: into corners,
 * along walls, and back.
 */
function rusher(): Behavior {
  const goals = new Map<number, Vec3 & { until: number }>()
  return {
    steer(agent, step, out) {
      let goal = goals.get(agent.slot)
      if (goal === undefined || step.time > goal.until) {
        const far = (): number => 60 * agent.random() - 30
        goal = { x: far(), y: far(), z: far(), until: step.time + 4 * agent.random() }
        goals.set(agent.slot, goal)
      }
      const { x, y, z } = agent.position
      const way = v(goal.x - x, goal.y - y, goal.z - z)
      const k = agent.maxSpeed / norm(way)
      drive(agent, step, v(k * way.x, k * way.y, k * way.z), out.force)
    },
  }
}

describe('an agent inside does not leave', () => {
  const cases = Object.keys(rooms).flatMap((room) =>
    pick([30], [30, 60, 240]).map((rate) => [room, rate] as const),
  )

  it.each(cases)('%s, at 1/%i s', (name, rate) => {
    const obstacles = rooms[name]!()
    const world = new SteeringWorld({ seed: 5 })
    const agents = [5, 10, 30, 60].map((maxForce, i) => {
      const random = seeded(100 + i)
      const place = (): number => 4 * random() - 2
      return new SteeringController(null, {
        maxForce,
        maxSpeed: i % 2 === 0 ? 10 : 6,
        responseTime: [0.1, 0.1, 0.3, 0.02][i]!,
        radius: 0.5,
        position: v(place(), place(), place()),
        behavior: within([new AvoidWalls({ obstacles })], rusher()),
        seed: i,
      })
    })
    for (const each of agents) world.add(each)
    const normal = v(0, 0, 0)
    let depth = -Infinity
    let speed = 0
    for (let k = 0; k < 20 * rate; k++) {
      world.step(1 / rate)
      for (const { position, velocity, maxSpeed } of agents) {
        depth = Math.max(depth, 0.5 - obstacles.distance(position, normal))
        speed += norm(velocity) / maxSpeed
      }
    }
    // the hull stays outside of the walls; the clearance of 1 cm is for the error of the servo
    expect(depth).toBeLessThan(0)
    // and no agent is stuck
    expect(speed / (agents.length * 20 * rate)).toBeGreaterThan(0.4)
  })

  it('moving walls', () => {
    const floor = { position: v(0, -8, 0), velocity: v(0, 0, 0) }
    const obstacles = new Obstacles([{ shape: new HalfSpaceShape(), at: floor }])
    const world = new SteeringWorld()
    const agent = new SteeringController(null, {
      maxForce: 20,
      maxSpeed: 10,
      radius: 0.5,
      behavior: within([new AvoidWalls({ obstacles })], {
        steer: (one, step, out) => drive(one, step, v(0, -10, 0), out.force),
      }),
    })
    world.add(agent)
    let depth = -Infinity
    let gap = Infinity
    for (let k = 0; k < 1200; k++) {
      const time = k / 60
      // up and down by 4 m, at most 4 m/s and 4 m/s²
      floor.velocity.y = 4 * Math.cos(time)
      floor.position.y += floor.velocity.y / 60
      world.step(1 / 60)
      const clear = agent.position.y - floor.position.y - 0.5
      depth = Math.max(depth, -clear)
      if (time > 5) gap = Math.min(gap, clear)
    }
    // the plan uses the velocity of the wall, not its acceleration: 4 m/s² over the response time make a
    // deviation of about 10 cm
    expect(depth).toBeLessThan(0.1)
    expect(gap).toBeLessThan(0.1)
  })
})
