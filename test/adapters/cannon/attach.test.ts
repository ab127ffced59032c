import * as CANNON from 'cannon-es'
import { describe, expect, it } from 'vitest'
import {
  Arrive,
  Hover,
  Seek,
  SteeringController,
  SteeringWorld,
  type Behavior,
  type Vec3Like,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { apart, idle, norm, plus, spinOf, unitQuat, xyz } from '../../laws/kit.js'
import { holdClock } from '../../support/clock.js'
import { expectConsole } from '../../support/console.js'

const DT = 1 / 60
const AGENT = { maxSpeed: 10, maxForce: 20, maxTorque: 4 }
const { SLEEPING } = CANNON.Body

holdClock()

function sphere(options: CANNON.BodyOptions = {}): CANNON.Body {
  return new CANNON.Body({ mass: 1, shape: new CANNON.Sphere(0.5), ...options })
}

/** A behaviour that wants a fixed force and torque. */
function push(force: Partial<Vec3Like>, torque: Partial<Vec3Like> = {}): Behavior {
  return {
    steer(_agent, _step, out): void {
      Object.assign(out.force, force)
      Object.assign(out.torque, torque)
    },
  }
}

interface Stage {
  readonly world: CANNON.World
  readonly steering: SteeringWorld
  readonly body: CANNON.Body
  readonly pilot: SteeringController
  readonly detach: () => void
}

function stage(
  behavior: Behavior,
  body = sphere(),
  options: Partial<ConstructorParameters<typeof SteeringController>[1]> = {},
): Stage {
  const world = new CANNON.World()
  world.addBody(body)
  const steering = new SteeringWorld()
  const detach = attachToCannon(steering, world)
  const pilot = new SteeringController(null, { ...AGENT, body: cannonBody(body), behavior, ...options })
  steering.add(pilot)
  return { world, steering, body, pilot, detach }
}

describe('attachToCannon', () => {
  it('steps once per internal step, with its length', () => {
    const { world, steering } = stage(idle())
    const lengths: number[] = []
    steering.addPlanner({ plan: ({ dt }) => lengths.push(dt) })
    world.step(DT, 3.5 * DT)
    expect(lengths).toEqual([DT, DT, DT])
    world.step(1 / 100)
    expect(lengths.at(-1)).toBe(1 / 100)
    expect(steering.tick).toBe(4)
  })

  it('makes no step when a frame is too short for one', () => {
    const { world, steering } = stage(idle())
    world.step(DT, DT / 3)
    world.step(DT, DT / 3)
    expect(steering.tick).toBe(0)
  })

  it('applies forces before the solver, so that a wall resists them', () => {
    const { world, body } = stage(push({ x: 20 }), sphere({ position: new CANNON.Vec3(-3, 0, 0) }))
    world.addBody(
      new CANNON.Body({
        mass: 0,
        shape: new CANNON.Box(new CANNON.Vec3(1, 5, 5)),
        position: new CANNON.Vec3(1, 0, 0),
      }),
    )
    for (let i = 0; i < 300; i++) world.step(DT)
    // at the wall x = 0 with its radius of 0.5; a force after the solver would push it in by centimetres
    expect(Math.abs(body.position.x + 0.5)).toBeLessThan(0.005)
  })

  it('may share its world with other subsystems, and keeps their order', () => {
    const { world, body } = stage(push({ x: 5 }))
    let seen = NaN
    world.subsystems.push({ update: () => (seen = body.force.x) })
    world.step(DT)
    expect(seen).toBe(5)
  })

  it('refuses a second cannon world for the same steering world, until it is detached', () => {
    const { steering, detach } = stage(idle())
    expect(() => attachToCannon(steering, new CANNON.World())).toThrow(TypeError)
    detach()
    const again = attachToCannon(steering, new CANNON.World())
    again()
  })

  it('stops when the steering world is disposed, also inside a step', () => {
    const { world, steering } = stage(idle())
    steering.addPlanner({ plan: () => steering.dispose() })
    world.step(DT)
    expect(steering.isDisposed).toBe(true)
    world.step(DT)
    expect(steering.tick).toBe(1)
  })
})

describe('detaching', () => {
  it('stops the steering, and may be done twice', async () => {
    const { world, steering, detach } = stage(idle())
    world.step(DT)
    detach()
    detach()
    await Promise.resolve()
    world.step(DT)
    expect(steering.tick).toBe(1)
    expect(world.subsystems).toHaveLength(0)
  })

  it('inside a behaviour is safe: cannon’s step continues', async () => {
    const { world, steering, body, pilot, detach } = stage(idle())
    let others = 0
    world.subsystems.push({ update: () => others++ })
    pilot.behavior = {
      steer(_agent, _step, out): void {
        out.force.x = 6
        detach()
      },
    }
    world.step(DT)
    await Promise.resolve()
    world.step(DT)
    expect(steering.tick).toBe(1)
    expect(body.velocity.x).toBeGreaterThan(0)
    // cannon caches the length of its list: no subsystem may be skipped or called twice
    expect(others).toBe(2)
    expect(world.subsystems).toHaveLength(1)
  })

  it('inside a frame of several steps takes effect at once', () => {
    const { world, steering, detach } = stage(idle())
    steering.addPlanner({ plan: ({ tick }) => void (tick === 1 && detach()) })
    world.step(DT, 5 * DT)
    expect(steering.tick).toBe(2)
    expect(world.stepnumber).toBe(5)
  })

  it('inside an event of the controller', () => {
    const { world, pilot, steering, detach } = stage(new Arrive({ target: { x: 0, y: 0, z: 0 } }))
    pilot.addEventListener('arrive', () => detach())
    for (let i = 0; i < 60; i++) world.step(DT)
    expect(steering.tick).toBeLessThan(30)
    expect(steering.tick).toBeGreaterThan(5)
  })

  it.each(['preStep', 'postStep'] as const)('inside cannon’s own %s event', (event) => {
    const { world, steering, detach } = stage(idle())
    world.addEventListener(event, () => detach())
    world.step(DT)
    world.step(DT)
    expect(steering.tick).toBe(1)
  })

  it('inside another subsystem that runs before ours', () => {
    const world = new CANNON.World()
    const steering = new SteeringWorld()
    let detach = (): void => undefined
    world.subsystems.push({ update: () => detach() })
    detach = attachToCannon(steering, world)
    let later = 0
    world.subsystems.push({ update: () => later++ })
    expect(() => world.step(DT)).not.toThrow()
    world.step(DT)
    expect(steering.tick).toBe(0)
    expect(later).toBe(2)
  })

  it('and attaching again at once steers once per step', async () => {
    const { world, steering, pilot, detach } = stage(idle())
    let once = true
    pilot.behavior = {
      steer(): void {
        if (!once) return
        once = false
        detach()
        attachToCannon(steering, world)
      },
    }
    world.step(DT)
    await Promise.resolve()
    const before = steering.tick
    world.step(DT)
    world.step(DT)
    expect(steering.tick - before).toBe(2)
    expect(world.subsystems).toHaveLength(1)
  })
})

describe('sleep', () => {
  function sleepy(behavior: Behavior, options?: Parameters<typeof stage>[2]): Stage {
    const it = stage(behavior, sphere({ sleepSpeedLimit: 0.1, sleepTimeLimit: 0.5 }), options)
    it.world.allowSleep = true
    return it
  }

  it('does not come while a force acts on a slow body', () => {
    // 1 cm/s² for 4 s: always slower than the limit of 10 cm/s
    const { world, body } = sleepy(push({ x: 0.01 }))
    body.linearDamping = 0
    for (let i = 0; i < 240; i++) {
      world.step(DT)
      expect(body.sleepState).not.toBe(SLEEPING)
    }
    expect(body.velocity.x).toBeCloseTo(0.04, 10)
  })

  it('does not come while a torque acts', () => {
    const { world, body } = sleepy(push({}, { y: 1e-3 }), { locomotion: new Hover() })
    body.angularDamping = 0
    for (let i = 0; i < 120; i++) world.step(DT)
    expect(body.sleepState).not.toBe(SLEEPING)
    expect(body.angularVelocity.y).toBeGreaterThan(0)
  })

  it('ends with a force, in the same step', () => {
    const { world, body, pilot } = sleepy(idle())
    for (let i = 0; i < 120; i++) world.step(DT)
    expect(body.sleepState).toBe(SLEEPING)
    pilot.behavior = push({ z: 3 })
    world.step(DT)
    // the body is slow enough to be drowsy again at once
    expect(body.sleepState).not.toBe(SLEEPING)
    expect(body.velocity.z).toBeCloseTo(3 * DT, 3)
  })

  it('comes to a hovering body when it is at rest, not while it moves slowly', () => {
    // a hint names compensateGravity
    expectConsole()
    const states = [0, 0.05].map((speed) => {
      const weight = push({ y: 9.81 })
      const { world, body } = sleepy(weight, { compensateGravity: false })
      world.gravity.set(0, -9.81, 0)
      body.linearDamping = 0
      body.velocity.x = speed
      for (let i = 0; i < 120; i++) world.step(DT)
      expect(body.position.x).toBeCloseTo(2 * speed, 6)
      return body.sleepState
    })
    expect(states[0]).toBe(SLEEPING)
    expect(states[1]).not.toBe(SLEEPING)
  })

  it('is not ended by a zero force', () => {
    const { world, body, pilot } = sleepy(idle())
    for (let i = 0; i < 120; i++) world.step(DT)
    let woken = 0
    body.addEventListener('wakeup', () => woken++)
    pilot.behavior = push({ x: 0 }, { y: 0 })
    for (let i = 0; i < 60; i++) world.step(DT)
    expect(woken).toBe(0)
    expect(body.sleepState).toBe(SLEEPING)
  })

  it.each([
    ['a point mass', new Hover({ attitude: null })],
    ['a ship that turned on its way', new Hover()],
  ])('comes to %s at its goal, and ends when the goal moves', (_, locomotion) => {
    const target = { x: 4, y: 1, z: -2 }
    const { world, body } = sleepy(new Arrive({ target }), { locomotion })
    for (let i = 0; i < 600; i++) world.step(DT)
    expect(body.sleepState).toBe(SLEEPING)
    expect(apart(body.position, target)).toBeLessThan(0.02)
    target.x = 8
    for (let i = 0; i < 600; i++) world.step(DT)
    expect(apart(body.position, target)).toBeLessThan(0.02)
  })
})

describe('cannonBody', () => {
  it.each<[string, CANNON.Body, RegExp]>([
    ['static', sphere({ type: CANNON.Body.STATIC }), /static or kinematic/],
    ['kinematic', sphere({ type: CANNON.Body.KINEMATIC }), /static or kinematic/],
    ['without mass', sphere({ mass: 0 }), /static|mass 0/],
    ['dynamic without mass', sphere({ mass: 0, type: CANNON.Body.DYNAMIC }), /mass 0/],
    ['without shapes', new CANNON.Body({ mass: 1 }), /no shapes/],
  ])('warns once of a body that is %s', (_, body, says) => {
    const calls = expectConsole()
    cannonBody(body)
    cannonBody(body)
    expect(calls).toHaveLength(1)
    expect(calls[0]!.level).toBe('warn')
    expect(calls[0]!.text).toMatch(says)
    expect(calls[0]!.text).toContain(`body ${body.id}`)
  })

  it('does not move static and kinematic bodies', () => {
    expectConsole()
    for (const type of [CANNON.Body.STATIC, CANNON.Body.KINEMATIC]) {
      const body = sphere({ type })
      const { world } = stage(push({ x: 10 }, { y: 3 }), body)
      for (let i = 0; i < 10; i++) world.step(DT)
      expect(xyz(body.position)).toEqual({ x: 0, y: 0, z: 0 })
      expect(xyz(body.force)).toEqual({ x: 0, y: 0, z: 0 })
    }
  })

  it('applies no force to a body in no world, where forces would not be cleared', () => {
    const body = sphere()
    const { world, steering } = stage(push({ x: 10 }, { y: 3 }), body)
    world.removeBody(body)
    for (let i = 0; i < 10; i++) world.step(DT)
    expect(steering.tick).toBe(10)
    expect(xyz(body.force)).toEqual({ x: 0, y: 0, z: 0 })
    expect(xyz(body.torque)).toEqual({ x: 0, y: 0, z: 0 })
    world.addBody(body)
    world.step(DT)
    expect(body.velocity.x).toBeCloseTo(10 * DT, 10)
  })

  it('takes its radius from the shape', () => {
    expect(cannonBody(sphere()).radius).toBe(0.5)
    expect(cannonBody(new CANNON.Body({ mass: 1, shape: new CANNON.Plane() })).radius).toBe(0.5)
    const { pilot } = stage(idle(), sphere({ shape: new CANNON.Sphere(2) }))
    expect(pilot.radius).toBe(2)
  })

  it('reads the present mass, not that at the start', () => {
    const { world, body, pilot } = stage(idle())
    body.mass = 7
    body.updateMassProperties()
    world.step(DT)
    expect(pilot.mass).toBe(7)
  })

  it('does not turn a body with fixed rotation', () => {
    const body = sphere({ fixedRotation: true })
    const { world } = stage(new Seek({ target: { x: 9, y: 9, z: 9 } }), body)
    for (let i = 0; i < 60; i++) world.step(DT)
    expect(xyz(body.angularVelocity)).toEqual({ x: 0, y: 0, z: 0 })
    expect(body.quaternion.toArray()).toEqual([0, 0, 0, 1])
    expect(body.velocity.length()).toBeGreaterThan(1)
  })

  it('steers a body without shapes as a point: no torque, no infinite values', () => {
    expectConsole()
    const body = new CANNON.Body({ mass: 1 })
    const { world, steering } = stage(new Seek({ target: { x: 9, y: 9, z: 9 } }), body)
    const faults: unknown[] = []
    steering.addEventListener('fault', (fault) => faults.push(fault))
    for (let i = 0; i < 60; i++) world.step(DT)
    expect(faults).toEqual([])
    expect(body.velocity.length()).toBeGreaterThan(1)
    expect(body.quaternion.toArray()).toEqual([0, 0, 0, 1])
  })

  it.each([1, 2, 3, 4, 5])('gives a slim, turned body the demanded angular acceleration (case %i)', (n) => {
    const body = new CANNON.Body({
      mass: 2,
      shape: new CANNON.Box(new CANNON.Vec3(0.2, 0.4, 2)),
      angularDamping: 0,
    })
    const q = unitQuat(Math.sin(n), Math.cos(3 * n), Math.sin(5 * n), 0.3)
    body.quaternion.set(q.x, q.y, q.z, q.w)
    // cannon updates this only at the end of the first step
    body.updateInertiaWorld(true)
    const wanted = { x: Math.cos(n), y: Math.sin(2 * n), z: Math.cos(7 * n) }
    // the torque for the wanted angular acceleration, by the inertia that the agent reads
    const spinner: Behavior = {
      steer({ orientation, inertia }, _step, out): void {
        const inverse = { x: 1 / inertia.x, y: 1 / inertia.y, z: 1 / inertia.z }
        Object.assign(out.torque, spinOf(orientation, inverse, wanted))
        out.turns = true
      },
    }
    const { world } = stage(spinner, body, { maxTorque: 1e3, maxTurnRate: 100 })
    world.step(DT)
    const got = {
      x: body.angularVelocity.x / DT,
      y: body.angularVelocity.y / DT,
      z: body.angularVelocity.z / DT,
    }
    // cannon turns the inverse inertia by matrices: rounding only
    expect(apart(got, wanted)).toBeLessThan(1e-10)
  })

  it('compensates damping exactly, when asked to', () => {
    const velocity = new CANNON.Vec3(3, 4, 0)
    const { world, body } = stage(idle(), sphere({ linearDamping: 0.9, velocity }), {
      compensateDamping: true,
    })
    for (let i = 0; i < 120; i++) world.step(DT)
    expect(norm(plus(body.velocity, { x: 3, y: 4, z: 0 }, -1))).toBeLessThan(1e-12)
  })
})
