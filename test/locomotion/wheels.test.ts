import * as CANNON from 'cannon-es'
import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  CylinderShape,
  DirectedSeek,
  FollowPath,
  Path,
  ReciprocalAvoidance,
  Seek,
  SteeringController,
  SteeringWorld,
  Wheels,
  within,
  type Behavior,
  type ControllerOptions,
  type Vec3Like,
  type WheelsOptions,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { v } from '../support/geometry.js'
import { pick } from '../support/tier.js'

beforeAll(() => RAPIER.init())

const WHEELBASE = 2.5
const RADIUS = 1.5
/** Least turn radius (m) of the car with the default steering. */
const LEAST = WHEELBASE / Math.tan(0.6)
const TILTED = { x: 2 / 11, y: 9 / 11, z: 6 / 11 }

const dot = (a: Vec3Like, b: Vec3Like) => a.x * b.x + a.y * b.y + a.z * b.z
const gap = (a: Vec3Like, b: Vec3Like) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
const level = (x: number, z: number) => v(x, 0, z)

/** A car of a ton at rest at the origin of a level plane, with its nose along +z. */
function car(
  behavior: Behavior,
  wheels: Partial<WheelsOptions> = {},
  options: Partial<ControllerOptions> = {},
): SteeringController {
  return new SteeringController(null, {
    behavior,
    plane: v(0, 1, 0),
    mass: 1000,
    inertia: v(1000, 1500, 500),
    maxForce: 5000,
    maxTorque: 20_000,
    maxSpeed: 12,
    radius: RADIUS,
    locomotion: new Wheels({ wheelbase: WHEELBASE, ...wheels }),
    ...options,
  })
}

/** Direction of the nose of a car that is upright in the level plane. */
function noseOf({ quaternion: q }: Pick<SteeringController, 'quaternion'>): Vec3Like {
  return v(2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y))
}

interface Drive {
  /** Greatest speed (m/s) across the nose, and the tightest curve (m) that was driven. */
  slip: number
  tightest: number
  /** Number of changes of the gear. */
  changes: number
  /** Time (s) at which it stood within 0.15 m of the goal; Infinity for never. */
  time: number
}

function drive(agent: SteeringController, goal: Vec3Like, seconds: number, dt = 1 / 60): Drive {
  const world = new SteeringWorld({ seed: 3 })
  world.add(agent)
  const result: Drive = { slip: 0, tightest: Infinity, changes: 0, time: Infinity }
  let gear = 0
  for (let t = dt; t < seconds && result.time === Infinity; t += dt) {
    world.step(dt)
    const nose = noseOf(agent)
    const pace = dot(agent.velocity, nose)
    result.slip = Math.max(result.slip, Math.abs(agent.velocity.x * nose.z - agent.velocity.z * nose.x))
    const spin = Math.abs(agent.angularVelocity.y)
    if (Math.abs(pace) > 0.01 && spin > 1e-9)
      result.tightest = Math.min(result.tightest, Math.abs(pace) / spin)
    const now = Math.abs(pace) > 0.02 ? Math.sign(pace) : gear
    if (gear !== 0 && now !== gear) result.changes++
    gear = now
    if (gap(agent.position, goal) < 0.15 && Math.abs(pace) < 0.1) result.time = t
  }
  return result
}

describe('a car', () => {
  it('comes to rest at points all around, on curves that it can steer, without slip', () => {
    for (const range of pick([1, 20], [1, 2, 4, 8, 20, 60]))
      for (let k = 0; k < 8; k++) {
        const angle = (k * Math.PI) / 4 + 0.1
        const goal = level(range * Math.sin(angle), range * Math.cos(angle))
        const result = drive(car(new Arrive({ target: goal })), goal, 30)
        expect(result.time).toBeLessThan(6 + (2 * range) / 12)
        expect(result.tightest).toBeGreaterThan(LEAST * (1 - 1e-6))
        expect(result.slip).toBeLessThan(1e-6)
        expect(result.changes).toBeLessThan(3)
      }
  })

  it('backs up to a place near behind it, and turns round to one far behind it', () => {
    const near = drive(car(new Arrive({ target: level(0, -4) })), level(0, -4), 10)
    expect(near.changes).toBe(0)
    expect(near.tightest).toBeGreaterThan(100)
    const far = car(new Arrive({ target: level(0, -60) }))
    drive(far, level(0, -60), 20)
    expect(noseOf(far).z).toBeLessThan(-0.9)
  })

  it('never goes astern where it may not', () => {
    const agent = car(new Seek({ target: level(0, -8) }), { astern: 0 })
    const world = new SteeringWorld()
    world.add(agent)
    for (let i = 0; i < 600; i++) {
      world.step(1 / 60)
      expect(dot(agent.velocity, noseOf(agent))).toBeGreaterThan(-1e-9)
    }
  })

  it('turns its wheels no faster than their rate', () => {
    const agent = car(new Seek({ target: level(500, 1) }), { steerRate: 0.2 }, { velocity: level(0, 3) })
    const world = new SteeringWorld()
    world.add(agent)
    for (let i = 1; i < 120; i++) {
      world.step(1 / 60)
      const curve = Math.abs(agent.angularVelocity.y) / gap(agent.velocity, v(0, 0, 0))
      expect(curve).toBeLessThanOrEqual(Math.tan((0.2 * i) / 60) / WHEELBASE + 1e-9)
    }
  })

  it('is limited by its grip: in fast curves, while it brakes, and when it is pushed aside', () => {
    for (const grip of [3, 8]) {
      const idle = { steer: () => undefined }
      const fast = car(new Seek({ target: level(900, 0) }), { grip }, { velocity: level(0, 12) })
      const pushed = car(idle, { grip }, { velocity: level(5, 8) })
      const world = new SteeringWorld()
      world.add(fast)
      world.add(pushed)
      for (let i = 0; i < 480; i++) {
        world.step(1 / 60)
        const { x, z } = fast.force
        const nose = noseOf(fast)
        expect(Math.abs(x * nose.z - z * nose.x) / 1000).toBeLessThan(grip * 1.000001)
        if (i === 14) expect(pushed.velocity.x).toBeCloseTo(5 - grip / 4, 1)
      }
      expect(noseOf(fast).x).toBeGreaterThan(0.9)
    }
  })

  it('stands still without a wish, and holds the slope of its plane', () => {
    const world = new SteeringWorld({ gravity: v(0, -9.81, 0) })
    const idle = { steer: () => undefined }
    const agent = car(idle, {}, { plane: TILTED, compensateGravity: true, maxForce: 12_000 })
    const there = { ...agent.position }
    world.add(agent)
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    expect(gap(agent.position, there)).toBeLessThan(1e-6)
    // upright on its plane
    const { x, y, z, w } = agent.quaternion
    const top = v(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
    expect(dot(top, TILTED)).toBeGreaterThan(0.999)
  })

  it('drives alike at every frame rate and with every mass', () => {
    const goal = level(-14, -9)
    const times = [1 / 30, 1 / 60, 1 / 144].map(
      (dt) => drive(car(new Arrive({ target: goal })), goal, 20, dt).time,
    )
    for (const time of times) expect(Math.abs(time / times[1]! - 1)).toBeLessThan(0.06)
    const heavy = { mass: 7000, inertia: v(7000, 10_500, 3500), maxForce: 35_000, maxTorque: 140_000 }
    expect(drive(car(new Arrive({ target: goal }), {}, heavy), goal, 20).time).toBeCloseTo(times[1]!, 6)
  })

  it.each([
    [false, [level(10, 20), 0]],
    [false, [level(3, 0), 0]],
    [false, [level(6, 2), 3.1]],
    [true, [level(3, 0), 0]],
    [true, [level(-4, 6), 2]],
    [true, [level(0, -10), 0]],
  ] as const)('parks, with reverse %s, at %o', (reverse, [position, angle]) => {
    const heading = level(Math.sin(angle), Math.cos(angle))
    const behavior = new DirectedSeek({ target: { position, heading }, arrivalSpeed: 0, speed: 4, reverse })
    const agent = car(behavior)
    let arrived = false
    agent.addEventListener('arrive', () => (arrived = true))
    drive(agent, v(1e9, 0, 0), 16)
    expect(arrived).toBe(true)
    expect(gap(agent.position, position)).toBeLessThan(0.2)
    expect(dot(noseOf(agent), heading)).toBeGreaterThan(Math.cos((2 * Math.PI) / 180))
    expect(gap(agent.velocity, v(0, 0, 0))).toBeLessThan(0.01)
  })

  it('follows a path round corners', () => {
    const points = [level(0, 0), level(0, 30), level(30, 30), level(30, 0)]
    const agent = car(new FollowPath({ path: new Path({ points }), speed: 6 }))
    const result = drive(agent, level(30, 0), 25)
    expect(gap(agent.position, level(30, 0))).toBeLessThan(4)
    expect(result.tightest).toBeGreaterThan(LEAST * (1 - 1e-6))
    expect(result.changes).toBe(0)
  })
})

describe('a car between obstacles', () => {
  const wall = (x: number, z: number, width: number, depth: number) => ({
    shape: new BoxShape({ x: width, y: 5, z: depth }),
    at: level(x, z),
  })
  it.each([
    ['a pillar on its way', [{ shape: new CylinderShape(3, 10), at: level(0, 20) }], level(1, 40)],
    ['a pillar at its nose', [{ shape: new CylinderShape(3, 10), at: level(0, 6) }], level(1, 40)],
    ['a wall', [wall(0, 15, 20, 1)], level(1, 40)],
    ['an alley in which it must turn', [wall(5, 0, 1, 40), wall(-5, 0, 1, 40)], level(0, -40)],
    ['a dead end', [wall(5, -5, 1, 30), wall(-5, -5, 1, 30), wall(0, 8, 10, 1)], level(30, 0)],
  ])('gets past %s without touching it', (_, obstacles, goal) => {
    const avoid = new AvoidObstacles({ obstacles })
    const agent = car(within([avoid], new Arrive({ target: goal })))
    const world = new SteeringWorld()
    world.add(agent)
    let time = 0
    for (; time < 40 && gap(agent.position, goal) > 0.2; time += 1 / 60) {
      world.step(1 / 60)
      for (const obstacle of avoid.obstacles)
        expect(obstacle.distance(agent.position, v(0, 0, 0))).toBeGreaterThan(RADIUS)
    }
    expect(time).toBeLessThan(40)
  })

  it('meets others who cross and come towards it, without a contact', () => {
    const world = new SteeringWorld({ seed: 1 })
    const count = pick(4, 12)
    const circle = 12 + 4 * count
    const goals: Vec3Like[] = []
    const cars = Array.from({ length: count }, (_, k) => {
      const angle = ((k + 0.1 / (k + 1)) / count) * 2 * Math.PI
      const position = level(circle * Math.cos(angle), circle * Math.sin(angle))
      const target = level(-position.x, -position.z)
      const half = Math.atan2(-position.x, -position.z) / 2
      const quaternion = { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) }
      const agent = car(
        within([new ReciprocalAvoidance()], new Arrive({ target })),
        {},
        { position, quaternion },
      )
      goals.push(target)
      world.add(agent)
      return agent
    })
    let time = 0
    for (; time < 30 && !cars.every((one, i) => gap(one.position, goals[i]!) < 0.3); time += 1 / 60) {
      world.step(1 / 60)
      for (const [i, one] of cars.entries())
        for (const other of cars.slice(0, i))
          expect(gap(one.position, other.position)).toBeGreaterThan(2 * RADIUS)
    }
    expect(time).toBeLessThan(30)
  })
})

describe('a car on a slope', () => {
  /** A plane that rises by `slope` (rad) towards +z, with a car at rest on it, its nose uphill. */
  function slopeOf(slope: number, behavior: Behavior) {
    const physics = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0) })
    physics.defaultContactMaterial.friction = 0
    const ground = new CANNON.Body({ mass: 0, shape: new CANNON.Plane() })
    ground.quaternion.setFromEuler(-Math.PI / 2 - slope, 0, 0)
    physics.addBody(ground)
    const body = new CANNON.Body({ mass: 1000, shape: new CANNON.Box(new CANNON.Vec3(0.8, 0.5, 1.2)) })
    body.quaternion.setFromEuler(-slope, 0, 0)
    body.position.copy(body.quaternion.vmult(new CANNON.Vec3(0, 0.5, 0)))
    physics.addBody(body)
    const world = new SteeringWorld()
    attachToCannon(world, physics)
    // its ground is what it stands on
    const options = {
      body: cannonBody(body),
      plane: undefined as never,
      compensateGravity: true,
      maxForce: 8000,
    }
    const agent = car(behavior, {}, options)
    world.add(agent)
    const normal = v(0, Math.cos(slope), -Math.sin(slope))
    return { agent, body, physics, above: () => dot(body.position, normal) - 0.5 }
  }
  const onSlope = (slope: number, x: number, along: number) =>
    v(x, 0.5 * Math.cos(slope) + along * Math.sin(slope), -0.5 * Math.sin(slope) + along * Math.cos(slope))

  it.each([0.1, 0.3, -0.3])('of %d rad drives to places above, below and beside it', (slope) => {
    for (const [x, along] of [
      [0, 20],
      [9, 6],
      [-6, -14],
    ] as const) {
      const goal = onSlope(slope, x, along)
      const { body, physics, above } = slopeOf(slope, new Arrive({ target: goal }))
      let time = 0
      for (; time < 20 && gap(body.position, goal) > 0.25; time += 1 / 60) {
        physics.step(1 / 60)
        expect(Math.abs(above())).toBeLessThan(0.05)
      }
      expect(time).toBeLessThan(20)
    }
  })

  it('stands still, and does not slip to the side', () => {
    const { body, physics } = slopeOf(0.3, { steer: () => undefined })
    body.quaternion.mult(new CANNON.Quaternion().setFromEuler(0, 1, 0), body.quaternion)
    const there = body.position.clone()
    for (let i = 0; i < 300; i++) physics.step(1 / 60)
    expect(gap(body.position, there)).toBeLessThan(0.05)
  })

  it('passes others and obstacles on the left or right, and never over them', () => {
    const slope = 0.2
    const goal = onSlope(slope, 0.2, 40)
    // a low block, over which an agent in space would go
    const block = { shape: new BoxShape({ x: 4, y: 0.6, z: 1 }), at: onSlope(slope, 0, 18) }
    const avoid = new AvoidObstacles({ obstacles: [block] })
    const { agent, body, physics, above } = slopeOf(slope, within([avoid], new Arrive({ target: goal })))
    let time = 0
    for (; time < 25 && gap(body.position, goal) > 0.25; time += 1 / 60) {
      physics.step(1 / 60)
      expect(Math.abs(above())).toBeLessThan(0.05)
      for (const obstacle of avoid.obstacles)
        expect(obstacle.distance(agent.position, v(0, 0, 0))).toBeGreaterThan(RADIUS)
    }
    expect(time).toBeLessThan(25)
  })

  it('that lies on its side gets no force, and rights itself', () => {
    const tilted = { x: 0, y: 0, z: Math.sin(0.6), w: Math.cos(0.6) }
    const agent = car(
      new Seek({ target: v(0, 0, 90) }),
      {},
      { plane: undefined as never, quaternion: tilted },
    )
    const world = new SteeringWorld()
    world.add(agent)
    world.step(1 / 60)
    expect(agent.force).toEqual(v(0, 0, 0))
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    const { x, z } = agent.quaternion
    expect(1 - 2 * (x * x + z * z)).toBeGreaterThan(0.99)
    expect(agent.position.z).toBeGreaterThan(1)
  })
})
