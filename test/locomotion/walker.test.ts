import * as CANNON from 'cannon-es'
import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  blend,
  BoxShape,
  Face,
  ReciprocalAvoidance,
  Seek,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Walker,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3Like,
  type WalkerOptions,
} from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { rapierDoor } from 'three-steering/rapier'
import { v } from '../support/geometry.js'

beforeAll(() => RAPIER.init())

const GRAVITY = v(0, -9.81, 0)
const TILTED = { x: 2 / 7, y: 3 / 7, z: 6 / 7 }
const inTilted = (a: number, b: number) => v((6 * a - 3 * b) / 7, (2 * a + 6 * b) / 7, (-3 * a - 2 * b) / 7)
const dot = (a: Vec3Like, b: Vec3Like) => a.x * b.x + a.y * b.y + a.z * b.z
const gap = (a: Vec3Like, b: Vec3Like) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)

/** A person of 70 kg and 2 m/s, at rest at the origin, with the nose along +z. */
function person(
  behavior: Behavior,
  walker: WalkerOptions = {},
  options: Partial<ControllerOptions> = {},
): SteeringController {
  return new SteeringController(null, {
    behavior,
    mass: 70,
    maxForce: 350,
    maxSpeed: 2,
    maxTurnRate: 4,
    radius: 0.3,
    locomotion: new Walker(walker),
    ...options,
  })
}

function walk(
  agents: readonly SteeringController[],
  seconds: number,
  each: () => void = () => {},
  { dt = 1 / 60, gravity = v(0, 0, 0) } = {},
): void {
  const world = new SteeringWorld({ seed: 4, gravity })
  for (const agent of agents) world.add(agent)
  for (let step = 0; step < Math.round(seconds / dt); step++) {
    world.step(dt)
    each()
  }
}

/** A walker with the body of a physics engine, on its way to `target`. */
const walkerTo = (target: Vec3Like, body: SteeringBody): SteeringController =>
  new SteeringController(null, {
    body,
    behavior: new Arrive({ target }),
    maxForce: 350,
    maxSpeed: 2,
    locomotion: new Walker(),
  })

/** Sine of the angle between the top of the model and a direction. */
function lean({ quaternion: { x, y, z, w } }: SteeringController, up: Vec3Like): number {
  const top = { x: 2 * (x * y - w * z), y: 1 - 2 * (x * x + z * z), z: 2 * (y * z + w * x) }
  return Math.hypot(top.y * up.z - top.z * up.y, top.z * up.x - top.x * up.z, top.x * up.y - top.y * up.x)
}

describe('a walker', () => {
  it('walks level and upright to below a target in the air, and pushes along the ground only', () => {
    const agent = person(new Seek({ target: v(-30, 40, -5) }))
    let pushed = 0
    walk([agent], 4, () => {
      expect(agent.force.y).toBe(0)
      expect(lean(agent, v(0, 1, 0))).toBeLessThan(1e-6)
      pushed = Math.max(pushed, Math.abs(agent.force.x))
    })
    expect(pushed).toBeGreaterThan(100)
    expect(agent.position.x).toBeLessThan(-2)
  })

  it('stands up when it lies on its back, its face or its side', () => {
    const half = Math.SQRT1_2
    for (const [x, z] of [
      [half, 0],
      [-half, 0],
      [0, half],
      [1, 0],
    ] as const) {
      const w = Math.abs(x) === 1 ? 0 : half
      const agent = person(new Seek({ target: v(0, 0, 40) }), {}, { quaternion: { x, y: 0, z, w } })
      walk([agent], 3)
      expect(lean(agent, v(0, 1, 0)), `${x} ${z}`).toBeLessThan(1e-3)
    }
  })

  it('turns on the spot, and is slower to the side and astern until it has turned', () => {
    const agent = person(new Seek({ target: v(0, 0, -900) }))
    let backwards = 0
    walk([agent], 1.5, () => {
      const { quaternion, velocity } = agent
      const nose = { x: 2 * quaternion.w * quaternion.y, z: 1 - 2 * quaternion.y * quaternion.y }
      const ahead = velocity.x * nose.x + velocity.z * nose.z
      const across = velocity.x * nose.z - velocity.z * nose.x
      // it is accelerated by up to 5 m/s² while the attitude turns
      expect(Math.hypot(ahead > 0 ? ahead / 2 : ahead / 0.8, across)).toBeLessThan(1.1)
      backwards = Math.max(backwards, -ahead)
    })
    expect(backwards).toBeGreaterThan(0.3)
    const other = person(new Seek({ target: v(0, 0, -900) }))
    walk([other], 4)
    expect(other.velocity.z).toBeCloseTo(-2, 2)
  })

  it.each([
    ['aside', v(900, 0, 0), 0.5 * 2],
    ['astern', v(0, 0, -900), 0.4 * 2],
    ['ahead', v(0, 0, 900), 2],
  ])('keeps the pace of its attitude when a behaviour holds it: %s', (_, target, pace) => {
    const front = v(0, 0, 9e6)
    const agent = person(blend([new Seek({ target }), new Face({ target: front })]))
    walk([agent], 5)
    expect(Math.hypot(agent.velocity.x, agent.velocity.z)).toBeCloseTo(pace, 2)
  })

  it('steps to a place beside it without turning, when it goes slowly', () => {
    const agent = person(new Arrive({ target: v(3, 0, 0), speed: 0.15 }))
    walk([agent], 24, () => expect(Math.abs(agent.quaternion.y)).toBeLessThan(1e-6))
    expect(gap(agent.position, v(3, 0, 0))).toBeLessThan(0.02)
  })

  it('arrives in a tilted plane between rocks and other walkers, without contact', () => {
    const rocks = [-4, 0, 4].map((b) => ({ shape: new SphereShape(1), at: inTilted(8, b) }))
    const avoid = new AvoidObstacles({ obstacles: rocks })
    const pair = [0, 16].map((from) =>
      person(
        within(
          [avoid, new ReciprocalAvoidance({ neighborDistance: 6 })],
          new Arrive({ target: inTilted(16 - from, 0) }),
        ),
        {},
        { plane: TILTED, position: inTilted(from, 0) },
      ),
    )
    let clearance = Infinity
    walk(pair, 20, () => {
      clearance = Math.min(clearance, gap(pair[0]!.position, pair[1]!.position) - 0.6)
      for (const { position } of pair) {
        expect(Math.abs(dot(position, TILTED))).toBeLessThan(1e-9)
        for (const { at } of rocks) clearance = Math.min(clearance, gap(at, position) - 1.3)
      }
    })
    expect(clearance).toBeGreaterThan(0)
    expect(gap(pair[0]!.position, inTilted(16, 0))).toBeLessThan(0.1)
    expect(gap(pair[1]!.position, inTilted(0, 0))).toBeLessThan(0.1)
  })

  it.each([1 / 30, 1 / 120, 1 / 240])('walks alike with steps of %f s', (dt) => {
    const [one, other] = [0, 0].map(() => person(new Arrive({ target: v(6, 0, -3) })))
    walk([one!], 4, () => {}, { dt })
    walk([other!], 4)
    expect(gap(one!.position, other!.position)).toBeLessThan(0.05)
  })
})

describe('a walker on terrain', () => {
  const hills = (x: number, z: number) => 1.2 * Math.sin(x / 4) * Math.cos(z / 5)
  const heightAbove = ({ x, y, z }: Vec3Like) => y - 0.9 - hills(x, z)

  it.each([1 / 30, 1 / 60, 1 / 120])('follows hills to its goal with steps of %f s', (dt) => {
    const goal = v(25, 0, -18)
    const agent = person(new Arrive({ target: goal }), { heightAbove }, { position: v(0, 0.9, 0) })
    let off = 0
    let fastest = 0
    walk(
      [agent],
      26,
      () => {
        off = Math.max(off, Math.abs(heightAbove(agent.position)))
        fastest = Math.max(fastest, Math.hypot(agent.velocity.x, agent.velocity.y, agent.velocity.z))
      },
      { dt, gravity: GRAVITY },
    )
    expect(off).toBeLessThan(0.03)
    expect(fastest).toBeLessThan(2.05)
    expect(Math.hypot(agent.position.x - goal.x, agent.position.z - goal.z)).toBeLessThan(0.1)
  })

  it('does not go up a slope that is too steep, and goes along it', () => {
    const ramp =
      (rise: number) =>
      ({ x, y }: Vec3Like) =>
        y - rise * Math.max(0, x - 3)
    const climb = (rise: number, target: Vec3Like) => {
      const agent = person(new Seek({ target }), { heightAbove: ramp(rise) })
      walk([agent], 8, () => {}, { gravity: GRAVITY })
      return agent.position
    }
    expect(climb(0.8, v(90, 0, 0)).y).toBeGreaterThan(4)
    const before = climb(1.5, v(90, 0, 30))
    // it stops on a slope of 1.5 after v² / 2a = 0.4 m
    expect(before.y).toBeLessThan(0.6)
    expect(before.z).toBeGreaterThan(2)
  })

  it('falls where the ground ends, and walks on where it lands', () => {
    const stairs = ({ x, y }: Vec3Like) => y - (x < 2 ? 3 : 0)
    const agent = person(new Seek({ target: v(90, 0, 0) }), { heightAbove: stairs }, { position: v(0, 3, 0) })
    let falling = 0
    walk(
      [agent],
      4,
      () => {
        if (agent.position.y > 0.1 && agent.position.x > 2) {
          expect(agent.force.y).toBe(0)
          falling++
        }
      },
      { gravity: GRAVITY },
    )
    // 3 m take √(2 · 3 / 9.81) s
    expect(falling / 60).toBeCloseTo(0.78, 1)
    expect(Math.abs(agent.position.y)).toBeLessThan(0.02)
    expect(agent.velocity.x).toBeCloseTo(2, 2)
  })
})

describe('a walker with a body on the floor of a physics engine', () => {
  const goal = v(6, 0, 4)

  it('arrives upright in cannon-es', () => {
    const physics = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0) })
    physics.defaultContactMaterial.friction = 0
    const floor = new CANNON.Body({ mass: 0, shape: new CANNON.Plane() })
    floor.quaternion.setFromEuler(-Math.PI / 2, 0, 0)
    const body = new CANNON.Body({ mass: 70, shape: new CANNON.Box(new CANNON.Vec3(0.3, 0.9, 0.3)) })
    body.position.set(0, 0.91, 0)
    physics.addBody(floor)
    physics.addBody(body)
    const world = new SteeringWorld()
    attachToCannon(world, physics)
    const agent = walkerTo(goal, cannonBody(body))
    world.add(agent)
    for (let step = 0; step < 480; step++) {
      physics.step(1 / 60)
      expect(lean(agent, v(0, 1, 0))).toBeLessThan(0.1)
    }
    expect(Math.hypot(body.position.x - goal.x, body.position.z - goal.z)).toBeLessThan(0.1)
    expect(body.position.y).toBeCloseTo(0.9, 1)
  })

  it('arrives upright in Rapier', () => {
    const physics = new RAPIER.World(GRAVITY)
    const world = new SteeringWorld()
    const door = rapierDoor(world, physics)
    physics.createCollider(RAPIER.ColliderDesc.cuboid(20, 0.5, 20).setTranslation(0, -0.5, 0).setFriction(0))
    const body = physics.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 0.91, 0))
    physics.createCollider(RAPIER.ColliderDesc.capsule(0.6, 0.3).setMass(70).setFriction(0), body)
    const agent = walkerTo(goal, door.body(body))
    world.add(agent)
    for (let step = 0; step < 480; step++) {
      door.step()
      expect(lean(agent, v(0, 1, 0))).toBeLessThan(0.1)
    }
    const { x, z } = body.translation()
    expect(Math.hypot(x - goal.x, z - goal.z)).toBeLessThan(0.1)
  })

  /** Two walkers who meet at a low block between them. They could pass it, and each other, above. */
  function expectToPass(
    agents: readonly SteeringController[],
    places: () => readonly Vec3Like[],
    step: () => void,
  ) {
    let block = Infinity
    let apart = Infinity
    let up = 0
    for (let i = 0; i < 900; i++) {
      step()
      const [a, b] = places() as [Vec3Like, Vec3Like]
      for (const { x, z } of [a, b])
        block = Math.min(block, Math.hypot(Math.max(0, Math.abs(x) - 0.5), Math.max(0, Math.abs(z) - 0.5)))
      apart = Math.min(apart, Math.hypot(a.x - b.x, a.z - b.z))
      for (const { demand } of agents) up = Math.max(up, Math.abs(demand.force.y))
    }
    const [a, b] = places() as [Vec3Like, Vec3Like]
    expect(Math.hypot(a.x - 5, a.z)).toBeLessThan(0.15)
    expect(Math.hypot(b.x + 5, b.z)).toBeLessThan(0.15)
    expect(block).toBeGreaterThan(0.3)
    expect(apart).toBeGreaterThan(0.6)
    // nobody wants to go over anything
    expect(up).toBe(0)
  }
  const block = { shape: new BoxShape({ x: 0.5, y: 0.5, z: 0.5 }), at: v(0, 0.5, 0) }
  const around = (x: number): Behavior =>
    within(
      [new AvoidObstacles({ obstacles: [block] }), new ReciprocalAvoidance()],
      new Arrive({ target: v(x, 1, 0) }),
    )

  it('passes a low block and another walker on the sides, in cannon-es', () => {
    const physics = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0) })
    physics.defaultContactMaterial.friction = 0
    const floor = new CANNON.Body({ mass: 0, shape: new CANNON.Plane() })
    floor.quaternion.setFromEuler(-Math.PI / 2, 0, 0)
    physics.addBody(floor)
    const world = new SteeringWorld()
    attachToCannon(world, physics)
    const bodies = [-5, 5].map((x) => {
      const body = new CANNON.Body({ mass: 70, shape: new CANNON.Cylinder(0.3, 0.3, 1.8) })
      body.position.set(x, 0.91, 0)
      physics.addBody(body)
      return body
    })
    const agents = bodies.map((body, i) =>
      person(around(i === 0 ? 5 : -5), {}, { body: cannonBody(body), maxTurnRate: Infinity }),
    )
    for (const agent of agents) world.add(agent)
    expectToPass(
      agents,
      () => bodies.map(({ position }) => position),
      () => physics.step(1 / 60),
    )
  })

  it.each([true, false])(
    'passes a low block and another walker on the sides, in Rapier, dynamic: %s',
    (dynamic) => {
      const physics = new RAPIER.World(GRAVITY)
      const world = new SteeringWorld()
      const door = rapierDoor(world, physics)
      physics.createCollider(
        RAPIER.ColliderDesc.cuboid(20, 0.5, 20).setTranslation(0, -0.5, 0).setFriction(0),
      )
      const feet = physics.createCharacterController(0.01)
      const colliders = [-5, 5].map((x) => {
        const desc = dynamic ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.kinematicPositionBased()
        const body = physics.createRigidBody(desc.setTranslation(x, 0.91, 0))
        return physics.createCollider(RAPIER.ColliderDesc.capsule(0.6, 0.3).setMass(70).setFriction(0), body)
      })
      physics.step()
      const agents = colliders.map((collider, i) => {
        const body = dynamic ? door.body(collider.parent()!) : door.character(collider, feet, { mass: 70 })
        return person(around(i === 0 ? 5 : -5), {}, { body, maxTurnRate: Infinity })
      })
      for (const agent of agents) world.add(agent)
      expectToPass(
        agents,
        () => colliders.map((collider) => collider.translation()),
        () => door.step(),
      )
    },
  )
})

it('a walker passes a low block on a hill at its side, and follows the slope', () => {
  const block = { shape: new BoxShape({ x: 0.5, y: 1.2, z: 0.5 }), at: v(0, 0.5, 0) }
  const hill = (x: number): number => 2 * Math.exp((-x * x) / 8)
  const avoid = new AvoidObstacles({ obstacles: [{ ...block, at: v(0, hill(0), 0) }] })
  const agent = person(
    within([avoid], new Arrive({ target: v(6, hill(6), 0) })),
    { heightAbove: ({ x, y }) => y - hill(x) },
    { position: v(-6, hill(-6), 0) },
  )
  let least = Infinity
  walk(
    [agent],
    12,
    () => {
      const { x, y, z } = agent.position
      least = Math.min(least, Math.hypot(Math.max(0, Math.abs(x) - 0.5), Math.max(0, Math.abs(z) - 0.5)))
      expect(Math.abs(y - hill(x))).toBeLessThan(0.05)
    },
    { gravity: GRAVITY },
  )
  expect(gap(agent.position, v(6, hill(6), 0))).toBeLessThan(0.1)
  expect(least).toBeGreaterThan(0.3)
})
