import * as CANNON from 'cannon-es'
import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidAgents,
  AvoidObstacles,
  BoxShape,
  CylinderShape,
  DirectedSeek,
  EvadeGroup,
  Separation,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
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

beforeAll(() => RAPIER.init())

const LEVEL = { x: 0, y: 1, z: 0 }
/** A plane in no special attitude, and two unit vectors in it. */
const TILTED = { x: 2 / 7, y: 3 / 7, z: 6 / 7 }
const AHEAD = { x: 6 / 7, y: 2 / 7, z: -3 / 7 }
const SIDE = { x: -3 / 7, y: 6 / 7, z: -2 / 7 }

const inPlane = (a: number, b: number, off = 0): Vec3 => ({
  x: a * AHEAD.x + b * SIDE.x + off * TILTED.x,
  y: a * AHEAD.y + b * SIDE.y + off * TILTED.y,
  z: a * AHEAD.z + b * SIDE.z + off * TILTED.z,
})
const dot = (a: Vec3Like, b: Vec3Like) => a.x * b.x + a.y * b.y + a.z * b.z
const gap = (a: Vec3Like, b: Vec3Like) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)

/** An agent without a body in the tilted plane. */
function planar(behavior: Behavior, options: Partial<ControllerOptions> = {}) {
  return new SteeringController(null, {
    behavior,
    maxSpeed: 5,
    maxForce: 12,
    radius: 0.5,
    plane: { x: 4, y: 6, z: 12 },
    ...options,
  })
}

interface Flight {
  /** Greatest distance from the plane (m), and least distances (m) to an obstacle and to another agent. */
  off: number
  clearance: number
  apart: number
  /** Time at which all were within 0.1 m of their goals and slow; Infinity for never. */
  time: number
}

function fly(
  agents: readonly SteeringController[],
  goals: readonly Vec3Like[],
  rocks: readonly { distance(point: Vec3Like, normal: Vec3): number }[],
  seconds: number,
): Flight {
  const world = new SteeringWorld({ seed: 5 })
  for (const agent of agents) world.add(agent)
  const flight = { off: 0, clearance: Infinity, apart: Infinity, time: Infinity }
  for (let step = 0; step < 60 * seconds && flight.time === Infinity; step++) {
    world.step(1 / 60)
    for (const agent of agents) {
      flight.off = Math.max(flight.off, Math.abs(dot(agent.position, TILTED)))
      for (const rock of rocks)
        flight.clearance = Math.min(
          flight.clearance,
          rock.distance(agent.position, { x: 0, y: 0, z: 0 }) - agent.radius,
        )
      for (const other of agents)
        if (other !== agent)
          flight.apart = Math.min(
            flight.apart,
            gap(agent.position, other.position) - agent.radius - other.radius,
          )
    }
    if (goals.length > 0 && goals.every((goal, i) => gap(agents[i]!.position, goal) < 0.1))
      flight.time = step / 60
  }
  return flight
}

describe('an agent with a plane', () => {
  it.each<[string, ObstacleOptions[]]>([
    ['a ball dead ahead', [{ shape: new SphereShape(3), at: inPlane(10, 0) }]],
    ['a ball whose centre lies off the plane', [{ shape: new SphereShape(3), at: inPlane(10, 0.01, 2) }]],
    [
      'three balls side by side',
      [-4, 0, 4].map((b) => ({ shape: new SphereShape(2.2), at: inPlane(10, b) })),
    ],
    ['a box dead ahead', [{ shape: new BoxShape({ x: 6, y: 6, z: 6 }), at: inPlane(12, 0) }]],
    ['a long pillar across', [{ shape: new CylinderShape(2, 40), at: inPlane(10, 0) }]],
  ])('passes %s in its plane, and arrives', (_, obstacles) => {
    const avoid = new AvoidObstacles({ obstacles })
    const goal = inPlane(22, 0)
    const agent = planar(within([avoid], new Arrive({ target: goal })))
    const flight = fly([agent], [goal], [...avoid.obstacles], 30)
    expect(flight.time).toBeLessThan(30)
    expect(flight.clearance).toBeGreaterThan(0)
    expect(flight.off).toBeLessThan(1e-9)
  })

  it('gets no force along the normal of its plane, and none against gravity along it', () => {
    const world = new SteeringWorld({ gravity: { x: 0, y: -9.81, z: 0 } })
    const agent = planar(new Seek({ target: { x: 30, y: 40, z: -20 } }), { compensateGravity: true })
    world.add(agent)
    for (let step = 0; step < 120; step++) {
      world.step(1 / 60)
      expect(Math.abs(dot(agent.force, TILTED))).toBeLessThan(1e-9)
      expect(Math.abs(dot(agent.position, TILTED))).toBeLessThan(1e-9)
    }
    expect(gap(agent.position, { x: 0, y: 0, z: 0 })).toBeGreaterThan(3)
  })

  it('arrives at a target off its plane where the target stands in it', () => {
    const agent = planar(new Arrive({ target: inPlane(8, 3, 5) }))
    const flight = fly([agent], [inPlane(8, 3)], [], 10)
    expect(flight.time).toBeLessThan(10)
  })

  it('reaches a pose whose position and heading lie off its plane', () => {
    const { x, y, z } = inPlane(0.4, 0.9, 0.3)
    const target = { position: inPlane(15, 6, 4), heading: { x, y, z } }
    const agent = planar(new DirectedSeek({ target, radius: 3 }), { velocity: inPlane(3, 0) })
    let heading = NaN
    agent.addEventListener('arrive', () => {
      heading = Math.atan2(dot(agent.velocity, SIDE), dot(agent.velocity, AHEAD))
    })
    const flight = fly([agent], [], [], 12)
    expect(heading).toBeCloseTo(Math.atan2(0.9, 0.4), 1)
    expect(flight.off).toBeLessThan(1e-9)
  })

  it('wanders in its plane, at full speed, to all sides', () => {
    const world = new SteeringWorld({ seed: 3 })
    const agent = planar(new Wander({}))
    world.add(agent)
    let turned = 0
    let last = 0
    for (let step = 0; step < 3600; step++) {
      world.step(1 / 60)
      expect(Math.abs(dot(agent.velocity, TILTED))).toBeLessThan(1e-9)
      const heading = Math.atan2(dot(agent.velocity, SIDE), dot(agent.velocity, AHEAD))
      turned += Math.abs(Math.atan2(Math.sin(heading - last), Math.cos(heading - last)))
      last = heading
      if (step > 120) expect(Math.hypot(...Object.values(agent.velocity))).toBeGreaterThan(4)
    }
    expect(turned).toBeGreaterThan(2 * Math.PI)
  })

  it.each([
    ['ReciprocalAvoidance', () => new ReciprocalAvoidance()],
    ['AvoidAgents', () => new AvoidAgents({ neighborDistance: 15 })],
  ])('meets another one head-on and passes it, by %s', (_, make) => {
    const goals = [inPlane(20, 0), inPlane(-20, 0)]
    const agents = goals.map((target, i) =>
      planar(within([make()], new Arrive({ target })), { position: goals[1 - i]! }),
    )
    const flight = fly(agents, goals, [], 40)
    expect(flight.time).toBeLessThan(40)
    expect(flight.apart).toBeGreaterThan(0)
    expect(flight.off).toBeLessThan(1e-9)
  })

  it('is not held up by another one far above its plane', () => {
    const goal = inPlane(20, 0)
    const above = planar(new Arrive({ target: inPlane(10, 0, 6) }), { position: inPlane(10, 0, 6) })
    const alone = fly([planar(within([], new Arrive({ target: goal })))], [goal], [], 20)
    const agent = planar(within([new ReciprocalAvoidance()], new Arrive({ target: goal })))
    const world = new SteeringWorld()
    world.add(agent)
    world.add(above)
    let time = 0
    let detour = 0
    while (gap(agent.position, goal) >= 0.1 && time < 20) {
      world.step(1 / 60)
      time += 1 / 60
      detour = Math.max(detour, gap(agent.position, inPlane(0, 0)) + gap(agent.position, goal) - 20)
    }
    expect(time).toBeLessThan(alone.time + 0.1)
    expect(detour).toBeLessThan(1e-6)
  })

  it('parts from a neighbour at the same place, within the plane', () => {
    const agents = [0, 1].map(() => planar(new Separation({ neighborDistance: 5 })))
    fly(agents, [], [], 5)
    expect(gap(agents[0]!.position, agents[1]!.position)).toBeGreaterThan(0.5)
  })

  it('leaves an obstacle that it starts in, within its plane', () => {
    // the nearest way out leads along the normal of the plane
    const avoid = new AvoidObstacles({ obstacles: [{ shape: new SphereShape(4), at: inPlane(0.5, 0, 2) }] })
    const goal = inPlane(12, 0)
    const flight = fly([planar(within([avoid], new Arrive({ target: goal })))], [goal], [], 20)
    expect(flight.time).toBeLessThan(20)
    expect(flight.off).toBeLessThan(1e-9)
  })

  it('evades to the side when a pursuer comes straight at it', () => {
    const pursuer = planar(new Seek({ target: inPlane(60, 0) }), {
      position: inPlane(-12, 0),
      group: 2,
      maxSpeed: 8,
      maxForce: 40,
    })
    const agent = planar(new EvadeGroup({ groups: 2, neighborDistance: 30 }))
    const flight = fly([agent, pursuer], [], [], 8)
    expect(flight.off).toBeLessThan(1e-9)
    expect(Math.abs(dot(agent.position, SIDE))).toBeGreaterThan(0.5)
  })

  it('finds its way out of a dead end within its plane', () => {
    // a U of three walls across the way, much taller than the plane needs
    const wall = (a: number, b: number, along: number, across: number): ObstacleOptions => ({
      shape: new BoxShape({ x: along, y: 40, z: across }),
      at: { x: a, y: 0, z: b },
    })
    const obstacles = [wall(10, 0, 1, 12), wall(6, 6, 9, 1), wall(6, -6, 9, 1)]
    const avoid = new AvoidObstacles({ obstacles })
    const goal = { x: 20, y: 0, z: 0 }
    const agent = planar(within([avoid], new Arrive({ target: goal })), { plane: LEVEL })
    const world = new SteeringWorld()
    world.add(agent)
    let time = 0
    while (gap(agent.position, goal) >= 0.1 && time < 60) {
      world.step(1 / 60)
      time += 1 / 60
      expect(agent.position.y).toBe(0)
    }
    expect(time).toBeLessThan(60)
  })

  it('refuses a plane that is no vector, or zero', () => {
    expect(() => planar(new Wander(), { plane: 'xz' as never })).toThrow(/plane/)
    expect(() => planar(new Wander(), { plane: { x: 0, y: 0, z: 0 } })).toThrow(/plane/)
    expect(() => planar(new Wander(), { plane: { x: NaN, y: 0, z: 0 } })).toThrow(/plane/)
  })
})

describe('a body that its engine locks to a plane', () => {
  it.each(['cannon-es', 'Rapier'])(
    'has its own plane while %s locks it to one, else that of the option',
    (engine) => {
      const world = new SteeringWorld()
      const lock = [true, false, true] as [boolean, boolean, boolean]
      const free = [true, true, true] as [boolean, boolean, boolean]
      let body
      let step: () => void
      let allow: (axes: [boolean, boolean, boolean]) => void
      if (engine === 'Rapier') {
        const physics = new RAPIER.World({ x: 0, y: 0, z: 0 })
        const own = physics.createRigidBody(RAPIER.RigidBodyDesc.dynamic())
        physics.createCollider(RAPIER.ColliderDesc.ball(0.5).setMass(2), own)
        const door = rapierDoor(world, physics)
        body = door.body(own)
        step = () => door.step()
        allow = (axes) => {
          own.setEnabledTranslations(...axes, true)
          door.refresh(own)
        }
      } else {
        const physics = new CANNON.World()
        const own = new CANNON.Body({ mass: 2, shape: new CANNON.Sphere(0.5) })
        physics.addBody(own)
        attachToCannon(world, physics)
        body = cannonBody(own)
        step = () => physics.step(1 / 60)
        allow = (axes) => own.linearFactor.set(...(axes.map(Number) as [number, number, number]))
      }
      const agent = new SteeringController(null, {
        body,
        behavior: new Seek({ target: { x: 30, y: 20, z: 9 } }),
        maxSpeed: 5,
        maxForce: 12,
        plane: { x: 4, y: 6, z: 12 },
      })
      world.add(agent)
      const force = (): Vec3 => {
        step()
        const { x, y, z } = agent.force
        return { x, y, z }
      }
      for (let i = 0; i < 20; i++) expect(Math.abs(dot(force(), TILTED))).toBeLessThan(1e-9)
      expect(Math.abs(dot(agent.position, TILTED))).toBeLessThan(1e-5)
      expect(Math.abs(agent.force.y)).toBeGreaterThan(0.01)
      allow(lock)
      expect(force().y).toBe(0)
      expect(Math.abs(dot(agent.force, TILTED))).toBeGreaterThan(0.01)
      allow(free)
      expect(Math.abs(dot(force(), TILTED))).toBeLessThan(1e-9)
      expect(agent.force.y).not.toBe(0)
    },
  )
})
