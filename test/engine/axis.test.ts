import * as CANNON from 'cannon-es'
import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidAgents,
  AvoidObstacles,
  BoxShape,
  DirectedSeek,
  Evade,
  Flock,
  FollowPath,
  Guard,
  Obstacles,
  Path,
  Pursue,
  ReciprocalAvoidance,
  Seek,
  Separation,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Wander,
  within,
  type Behavior,
  type ControllerOptions,
  type ObstacleOptions,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { rapierDoor } from 'three-steering/rapier'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import {
  direction,
  dotOf,
  minus,
  norm,
  number,
  rotation,
  times,
  turned,
  v,
  vector,
} from '../support/geometry.js'
import { law } from '../support/law.js'
import { idle } from '../support/pilot.js'

beforeAll(() => RAPIER.init())

/** A line in no special direction, and two unit vectors across it. */
const LINE = v(2 / 7, 3 / 7, 6 / 7)
const ACROSS = v(6 / 7, 2 / 7, -3 / 7)
const OVER = v(-3 / 7, 6 / 7, -2 / 7)

const onLine = (along: number, across = 0, over = 0): Vec3 => ({
  x: along * LINE.x + across * ACROSS.x + over * OVER.x,
  y: along * LINE.y + across * ACROSS.y + over * OVER.y,
  z: along * LINE.z + across * ACROSS.z + over * OVER.z,
})
const dot = (a: Vec3Like, b: Vec3Like): number => a.x * b.x + a.y * b.y + a.z * b.z
const gap = (a: Vec3Like, b: Vec3Like): number => norm(minus(a, b))
/** Distance (m) of a point from the line through the origin. */
const off = (p: Vec3Like): number => Math.hypot(dot(p, ACROSS), dot(p, OVER))

/** An agent without a body on the line. */
function railed(behavior: Behavior, options: Partial<ControllerOptions> = {}): SteeringController {
  const axis = v(4, 6, 12)
  return new SteeringController(null, { behavior, maxSpeed: 5, maxForce: 12, radius: 0.5, axis, ...options })
}

/** Flies for `seconds`, or until `isDone`. Returns the time (s). */
function fly(
  world: SteeringWorld,
  agents: readonly SteeringController[],
  seconds: number,
  see: () => boolean | void,
): number {
  for (const agent of agents) world.add(agent)
  while (world.time < seconds) {
    world.step(1 / 60)
    if (see() === true) return world.time
  }
  return Infinity
}

describe('an agent with an axis', () => {
  it('arrives at a target off its line where it comes nearest to it, and leaves the line by nothing', () => {
    const agent = railed(new Arrive({ target: onLine(9, 4, -3) }))
    let most = 0
    const time = fly(new SteeringWorld(), [agent], 10, () => {
      most = Math.max(most, off(agent.position))
      return gap(agent.position, onLine(9)) < 0.02 && norm(agent.velocity) < 0.02
    })
    expect(time).toBeLessThan(6)
    expect(most).toBeLessThan(1e-12)
  })

  it('gets no force across its line, and falls by gravity along it only', () => {
    const gravity = v(0, -9.81, 0)
    const agent = railed(idle(), { velocity: v(1, 2, 3) })
    expect(off(agent.velocity)).toBeLessThan(1e-12)
    const start = dot(agent.velocity, LINE)
    let most = 0
    fly(new SteeringWorld({ gravity }), [agent], 1, () => {
      most = Math.max(most, off(agent.force), off(agent.velocity))
    })
    expect(most).toBeLessThan(1e-12)
    expect(dot(agent.velocity, LINE)).toBeCloseTo(start + dot(gravity, LINE) * 1, 6)
  })

  it('wanders to and fro on its line', () => {
    const agent = railed(new Wander({ distance: 0.5, radius: 1, jitter: 4 }), { seed: 4 })
    let backs = 0
    let last = 1
    let most = 0
    fly(new SteeringWorld({ seed: 3 }), [agent], 40, () => {
      most = Math.max(most, off(agent.position))
      const along = dot(agent.velocity, LINE)
      if (Math.abs(along) > 0.5 && Math.sign(along) !== last) {
        backs++
        last = Math.sign(along)
      }
    })
    expect(backs).toBeGreaterThan(1)
    expect(most).toBeLessThan(1e-11)
  })

  it.each<[string, ObstacleOptions]>([
    ['a ball on its line', { shape: new SphereShape(3), at: onLine(14) }],
    ['a ball beside it that reaches into its way', { shape: new SphereShape(3), at: onLine(14, 2.5, 1) }],
    ['a wide wall across, at a slant', { shape: new BoxShape(v(20, 20, 1)), at: onLine(12) }],
  ])('waits before %s, without a contact, and goes on when it is gone', (_, options) => {
    const obstacles = new Obstacles([options])
    const [rock] = [...obstacles]
    const goal = onLine(25)
    const agent = railed(within([new AvoidObstacles({ obstacles })], new Arrive({ target: goal })))
    const world = new SteeringWorld()
    let least = Infinity
    fly(world, [agent], 10, () => {
      least = Math.min(least, rock!.distance(agent.position, v(0, 0, 0)) - agent.radius)
    })
    expect(least).toBeGreaterThan(0)
    // it stands as near as a few radii, and does not turn back
    expect(norm(agent.velocity)).toBeLessThan(0.01)
    expect(least).toBeLessThan(1)
    expect(dot(agent.position, LINE)).toBeGreaterThan(5)
    obstacles.remove(rock!)
    const time = fly(world, [], 30, () => gap(agent.position, goal) < 0.1)
    expect(time).toBeLessThan(30)
    expect(off(agent.position)).toBeLessThan(1e-9)
  })

  it('waits before one of hundreds of boxes, without a contact', () => {
    const boxes: ObstacleOptions[] = []
    for (let i = -10; i <= 10; i++)
      for (let k = -10; k <= 10; k++)
        boxes.push({ shape: new BoxShape(v(1, 1, 1)), at: onLine(14 + ((i * k) % 3), 2.2 * i, 2.2 * k) })
    const obstacles = new Obstacles(boxes)
    const agent = railed(within([new AvoidObstacles({ obstacles })], new Arrive({ target: onLine(30) })))
    let least = Infinity
    fly(new SteeringWorld(), [agent], 8, () => {
      least = Math.min(least, obstacles.distance(agent.position, v(0, 0, 0)) - agent.radius)
    })
    expect(least).toBeGreaterThan(0)
    expect(least).toBeLessThan(1)
    expect(norm(agent.velocity)).toBeLessThan(0.02)
  })

  it('passes an obstacle beside its line that does not reach into its way at full speed', () => {
    const obstacles = new Obstacles([{ shape: new SphereShape(3), at: onLine(14, 4) }])
    const agent = railed(within([new AvoidObstacles({ obstacles })], new Seek({ target: onLine(80) })))
    fly(new SteeringWorld(), [agent], 8, () => {})
    expect(dot(agent.position, LINE)).toBeGreaterThan(5 * 8 - 3)
  })

  it('leaves an obstacle that it starts in, along its line', () => {
    // the nearest way out leads across
    const obstacles = new Obstacles([{ shape: new BoxShape(v(30, 1.2, 30)), at: onLine(1, 0, 0) }])
    const agent = railed(within([new AvoidObstacles({ obstacles })], new Arrive({ target: onLine(12) })))
    const time = fly(new SteeringWorld(), [agent], 20, () => gap(agent.position, onLine(12)) < 0.1)
    expect(time).toBeLessThan(20)
    expect(off(agent.position)).toBeLessThan(1e-9)
  })

  it('steps along its line out of the way of an obstacle that comes across', () => {
    const place = onLine(0, 12, 0.2)
    const comet = { position: place, velocity: onLine(0, -4) }
    const obstacles = new Obstacles([{ shape: new SphereShape(1.5), at: comet }])
    const agent = railed(within([new AvoidObstacles({ obstacles })], new Arrive({ target: onLine(0) })))
    let least = Infinity
    fly(new SteeringWorld(), [agent], 7, () => {
      for (const axis of ['x', 'y', 'z'] as const) place[axis] += comet.velocity[axis] / 60
      least = Math.min(least, gap(agent.position, place) - 2)
    })
    expect(least).toBeGreaterThan(0)
    expect(off(agent.position)).toBeLessThan(1e-9)
    expect(gap(agent.position, onLine(0))).toBeLessThan(0.1)
  })

  it('stops before another one that comes along the same line: neither can pass', () => {
    const make = (from: number): SteeringController =>
      railed(within([new ReciprocalAvoidance()], new Arrive({ target: onLine(-from) })), {
        position: onLine(from),
      })
    const agents = [make(20), make(-20)]
    let least = Infinity
    fly(new SteeringWorld(), agents, 12, () => {
      least = Math.min(least, gap(agents[0]!.position, agents[1]!.position) - 1)
    })
    expect(least).toBeGreaterThan(0)
    expect(least).toBeLessThan(2)
    for (const { velocity, position } of agents) {
      expect(norm(velocity)).toBeLessThan(0.05)
      expect(off(position)).toBeLessThan(1e-9)
    }
  })

  it('follows a slower one on its line without a contact', () => {
    const slow = railed(new Seek({ target: onLine(200) }), { position: onLine(10), maxSpeed: 2 })
    const fast = railed(within([new ReciprocalAvoidance()], new Seek({ target: onLine(200) })))
    let least = Infinity
    fly(new SteeringWorld(), [slow, fast], 20, () => {
      least = Math.min(least, gap(slow.position, fast.position) - 1)
    })
    expect(least).toBeGreaterThan(0)
    expect(dot(fast.velocity, LINE)).toBeCloseTo(2, 1)
  })

  it('crosses the line of another one: one goes first, and both arrive', () => {
    for (const late of [0, 0.3, -0.7]) {
      const axes = [onLine(1), onLine(0, 1)]
      const at = (k: number, along: number): Vec3 => (k === 0 ? onLine(along) : onLine(0, along))
      const agents = axes.map((axis, k) =>
        railed(within([new ReciprocalAvoidance()], new Arrive({ target: at(k, 20) })), {
          axis,
          position: at(k, -20 + k * late),
          seed: 7 + k,
        }),
      )
      let least = Infinity
      const time = fly(new SteeringWorld(), agents, 40, () => {
        least = Math.min(least, gap(agents[0]!.position, agents[1]!.position) - 1)
        return agents.every(({ position }, k) => gap(position, at(k, 20)) < 0.1)
      })
      expect(time).toBeLessThan(20)
      expect(least).toBeGreaterThan(0)
    }
  })

  it('lets one pass that has the right of way and crosses its line', () => {
    const rail = railed(within([new ReciprocalAvoidance()], new Arrive({ target: onLine(20) })), {
      position: onLine(-20),
    })
    const bus = new SteeringController(null, {
      behavior: new Arrive({ target: onLine(0, 20, 0.1) }),
      position: onLine(0, -20, 0.1),
      maxSpeed: 5,
      maxForce: 12,
      radius: 0.5,
      priority: Infinity,
    })
    let least = Infinity
    const time = fly(new SteeringWorld(), [rail, bus], 30, () => {
      least = Math.min(least, gap(rail.position, bus.position) - 1)
      return gap(rail.position, onLine(20)) < 0.1
    })
    expect(time).toBeLessThan(20)
    expect(least).toBeGreaterThan(0)
  })

  it.each<[string, () => Behavior]>([
    [
      'AvoidAgents',
      () => within([new AvoidAgents({ neighborDistance: 20 })], new Seek({ target: onLine(30) })),
    ],
    ['DirectedSeek', () => new DirectedSeek({ target: { position: onLine(9), heading: onLine(1) } })],
    ['Separation', () => new Separation({ neighborDistance: 6 })],
    [
      'FollowPath',
      () => new FollowPath({ path: new Path({ points: [onLine(0), onLine(6, 3), onLine(12)] }) }),
    ],
    ['Pursue', () => new Pursue({ target: { position: onLine(8, 4), velocity: v(1, 2, 3) } })],
    ['Evade', () => new Evade({ target: { position: onLine(-4), velocity: onLine(2) } })],
  ])('%s keeps it on its line, also beside others at its own place', (_, make) => {
    const world = new SteeringWorld({ seed: 2 })
    const agents = [0, 0, 6].map((along) => railed(make(), { position: onLine(along) }))
    const faults: unknown[] = []
    world.addEventListener('fault', (fault) => faults.push(fault))
    let most = 0
    fly(world, agents, 4, () => {
      for (const { position } of agents) most = Math.max(most, off(position))
    })
    expect(most).toBeLessThan(1e-9)
    expect(faults).toEqual([])
  })

  it('stays on its line inside of a guard, and with thrusters that point across it', () => {
    const guard = new Guard(new Obstacles([{ shape: new SphereShape(3), at: onLine(10, 1) }]))
    const agent = railed(new Seek({ target: onLine(40, 3) }), {
      locomotion: new Thrusters({ ahead: 12 }),
    })
    let least = Infinity
    fly(new SteeringWorld({ guard }), [agent], 8, () => {
      least = Math.min(least, gap(agent.position, onLine(10, 1)))
    })
    expect(off(agent.position)).toBeLessThan(1e-9)
    // stopped at the surface
    expect(least).toBeGreaterThan(3 - 1e-7)
    expect(least).toBeLessThan(3.01)
  })

  it('does not enter the solids of a guard in its plane, and slides along them there', () => {
    const guard = new Guard(new Obstacles([{ shape: new SphereShape(3), at: onLine(10, 0.5, 2) }]))
    const agent = new SteeringController(null, {
      behavior: new Seek({ target: onLine(40) }),
      maxSpeed: 5,
      maxForce: 12,
      plane: OVER,
    })
    let least = Infinity
    fly(new SteeringWorld({ guard }), [agent], 12, () => {
      least = Math.min(least, gap(agent.position, onLine(10, 0.5, 2)))
    })
    expect(least).toBeGreaterThan(3 - 1e-7)
    expect(Math.abs(dot(agent.position, OVER))).toBeLessThan(1e-9)
    expect(dot(agent.position, LINE)).toBeGreaterThan(20)
  })

  it('does not count a plane that it has as well', () => {
    const agent = railed(new Arrive({ target: onLine(9, 4, -3) }), { plane: LINE })
    fly(new SteeringWorld(), [agent], 8, () => {})
    expect(gap(agent.position, onLine(9))).toBeLessThan(0.05)
  })

  it('is kept by flocks and by snapshots', () => {
    const make = (): { world: SteeringWorld; flock: Flock } => {
      const world = new SteeringWorld({ seed: 9 })
      const options = { count: 5, behavior: new Wander(), maxSpeed: 4, maxForce: 9, axis: LINE, seed: 3 }
      const flock = new Flock({ ...options, name: 'lifts' })
      world.add(flock)
      return { world, flock }
    }
    const a = make()
    const starts = Array.from({ length: 5 }, (_, i) => a.flock.position(i, v(0, 0, 0)))
    for (let i = 0; i < 90; i++) a.world.step(1 / 60)
    const b = make()
    restoreSnapshot(b.world, takeSnapshot(a.world))
    for (const { world } of [a, b]) for (let i = 0; i < 90; i++) world.step(1 / 60)
    for (let i = 0; i < 5; i++) {
      const end = a.flock.position(i, v(0, 0, 0))
      expect(off(minus(end, starts[i]!))).toBeLessThan(1e-9)
      expect(b.flock.position(i, v(0, 0, 0))).toEqual(end)
    }
  })

  // inside of the ball both ways out along the axis may be equally good
  law('turns with the scene', [rotation(), vector(20), direction(), number(1.8, 9)], (q, target, axis, k) => {
    const fly = (target: Vec3Like, axis: Vec3Like, ball: Vec3Like): SteeringController => {
      const obstacles = [{ shape: new SphereShape(2), at: { ...ball } }]
      const behavior = within([new AvoidObstacles({ obstacles })], new Arrive({ target }))
      const options = { maxSpeed: 5, maxForce: 12, radius: 0.5, axis }
      const one = new SteeringController(null, { behavior, ...options })
      const world = new SteeringWorld()
      world.add(one)
      for (let i = 0; i < 20; i++) world.step(1 / 60)
      return one
    }
    const ball = { x: k * axis.x * 2, y: k * axis.y * 2, z: k * axis.z * 2 + 1 }
    const a = fly(target, axis, ball)
    const b = fly(turned(q, target), turned(q, axis), turned(q, ball))
    expect(gap(turned(q, a.position), b.position)).toBeLessThan(1e-5)
    expect(norm(minus(a.position, times(axis, dotOf(a.position, axis))))).toBeLessThan(1e-9)
  })

  it('refuses an axis that is no vector, or zero', () => {
    expect(() => railed(idle(), { axis: 'y' as never })).toThrow(/axis/)
    expect(() => railed(idle(), { axis: v(0, 0, 0) })).toThrow(/axis/)
    expect(() => railed(idle(), { axis: v(NaN, 0, 0) })).toThrow(/axis/)
  })
})

describe('a body that its engine locks to a line', () => {
  const obstacles = [{ shape: new SphereShape(1), at: v(0, 10, 0) }]
  const target = v(3, 20, -2)

  /** Steps until the time is over. Returns the greatest height. */
  function rise(step: () => void, height: () => number): number {
    let most = 0
    for (let i = 0; i < 60 * 10; i++) {
      step()
      most = Math.max(most, height())
    }
    return most
  }
  const lift = (): Behavior => within([new AvoidObstacles({ obstacles })], new Arrive({ target }))
  const traits = { maxSpeed: 5, maxForce: 60, compensateGravity: true }

  it('of cannon-es waits before a ball on its line; unlocked, it passes it', () => {
    const physics = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0) })
    const body = new CANNON.Body({ mass: 2, shape: new CANNON.Sphere(0.5) })
    body.linearFactor.set(0, 1, 0)
    physics.addBody(body)
    const world = new SteeringWorld()
    attachToCannon(world, physics)
    const agent = new SteeringController(null, { body: cannonBody(body), behavior: lift(), ...traits })
    world.add(agent)
    const most = rise(
      () => physics.step(1 / 60),
      () => body.position.y,
    )
    expect(most).toBeGreaterThan(7)
    expect(most).toBeLessThan(8.5)
    expect(agent.force.x).toBe(0)
    expect(agent.force.z).toBe(0)
    body.linearFactor.set(1, 1, 1)
    for (let i = 0; i < 600; i++) physics.step(1 / 60)
    expect(gap(body.position, target)).toBeLessThan(0.1)
  })

  it('of Rapier waits before a ball on its line', () => {
    const physics = new RAPIER.World(v(0, -9.81, 0))
    const desc = RAPIER.RigidBodyDesc.dynamic().enabledTranslations(false, true, false)
    const body = physics.createRigidBody(desc)
    physics.createCollider(RAPIER.ColliderDesc.ball(0.5).setMass(2), body)
    const world = new SteeringWorld()
    const door = rapierDoor(world, physics)
    const agent = new SteeringController(null, { body: door.body(body), behavior: lift(), ...traits })
    world.add(agent)
    const most = rise(
      () => door.step(),
      () => body.translation().y,
    )
    expect(most).toBeGreaterThan(7)
    expect(most).toBeLessThan(8.5)
    expect(agent.force.x).toBe(0)
    expect(agent.force.z).toBe(0)
  })
})
