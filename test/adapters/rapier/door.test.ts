import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  Arrive,
  blend,
  Face,
  neighborSearch,
  type Agent,
  SteeringController,
  SteeringWorld,
  type ControllerOptions,
  type Fault,
  type Vec3Like,
  Wander,
} from 'three-steering'
import { Port, Dock } from 'three-steering/docking'
import { rapierDoor, type RapierDoor } from 'three-steering/rapier'
import { expectConsole } from '../../support/console.js'
import { expectVec, norm, v } from '../../support/geometry.js'
import { pushing } from '../../support/stand-in.js'

beforeAll(() => RAPIER.init())

interface Scene {
  readonly world: RAPIER.World
  readonly steering: SteeringWorld
  readonly door: RapierDoor<RAPIER.World>
  readonly faults: Fault[]
}

function scene(gravity: Vec3Like = v(0, 0, 0)): Scene {
  const world = new RAPIER.World(gravity)
  const steering = new SteeringWorld()
  const faults: Fault[] = []
  steering.addEventListener('fault', (fault) => faults.push(fault))
  return { world, steering, door: rapierDoor(steering, world), faults }
}

function ball(
  { world }: Scene,
  at: Vec3Like = v(0, 0, 0),
  desc = RAPIER.RigidBodyDesc.dynamic(),
): RAPIER.RigidBody {
  const body = world.createRigidBody(desc.setTranslation(at.x, at.y, at.z))
  world.createCollider(RAPIER.ColliderDesc.ball(0.5).setMass(2), body)
  return body
}

function fly(
  { door, steering }: Scene,
  body: RAPIER.RigidBody,
  options: Partial<ControllerOptions> & Pick<ControllerOptions, 'behavior'>,
): SteeringController {
  const pilot = new SteeringController(null, { body: door.body(body), maxSpeed: 8, maxForce: 20, ...options })
  steering.add(pilot)
  return pilot
}

describe.each([0, -9.81])('the forces of the user, in a gravity of %d m/s²', (gravity) => {
  it('act besides those of the steering, and stay exactly as they are', () => {
    const s = scene(v(0, gravity, 0))
    const body = ball(s)
    body.addForce(v(0.1, 0.3, -0.7), true)
    body.addTorque(v(0.01, 0, 0.02), true)
    const force = { ...body.userForce() }
    const torque = { ...body.userTorque() }
    fly(s, body, { behavior: pushing(v(3, 1 / 3, 0)), maxSpeed: Infinity })
    for (let i = 0; i < 300; i++) {
      s.door.step()
      expect({ ...body.userForce() }).toEqual(force)
      expect({ ...body.userTorque() }).toEqual(torque)
    }
    expectVec(body.linvel(), v((3.1 / 2) * 5, ((1 / 3 + 0.3) / 2 + gravity) * 5, (-0.7 / 2) * 5), 2e-3)
  })

  it('may change between the hooks before and after a step', () => {
    const s = scene(v(0, gravity, 0))
    const body = ball(s)
    fly(s, body, { behavior: pushing(v(3, 0, 0)) })
    s.door.beforeStep()
    body.addForce(v(0, 5, 0), true)
    s.world.step()
    s.door.afterStep()
    expectVec(body.userForce(), v(0, 5, 0), 1e-6)
    // a forgotten call of afterStep is made up for
    s.door.beforeStep()
    s.world.step()
    s.door.beforeStep()
    s.world.step()
    s.door.afterStep()
    expectVec(body.userForce(), v(0, 5, 0), 1e-6)
    expectVec(body.linvel(), v((3 * 1.5) / 60, (5 * 1.5 + 3 * gravity) / 60, 0), 1e-5)
  })

  it('are not touched where the steering gives none', () => {
    const s = scene(v(0, gravity, 0))
    const body = ball(s)
    fly(s, body, { behavior: pushing(v(0, 0, 0)) })
    body.addForce(v(1, 0, 0), true)
    for (let i = 0; i < 60; i++) s.door.step()
    expectVec(body.linvel(), v(0.5, gravity, 0), 1e-3)
  })
})

describe('a body', () => {
  it('has its mass before the first step of Rapier', () => {
    const s = scene()
    const pilot = fly(s, ball(s), { behavior: pushing(v(6, 0, 0)) })
    s.door.step()
    expect(s.faults).toEqual([])
    expectVec(pilot.force, v(6, 0, 0), 1e-9)
  })

  it('hovers at its place against gravity, although Rapier makes four small steps in one', () => {
    const s = scene(v(0, -9.81, 0))
    const body = ball(s)
    fly(s, body, { behavior: pushing(v(0, 0, 0)), compensateGravity: true, maxForce: 60 })
    for (let i = 0; i < 600; i++) s.door.step()
    expect(norm(body.translation())).toBeLessThan(1e-3)
  })

  it('with locked rotations is not asked to turn', () => {
    const s = scene()
    const body = ball(s, v(0, 0, 0), RAPIER.RigidBodyDesc.dynamic().lockRotations())
    const pilot = fly(s, body, { behavior: new Face({ target: v(9, 2, -5) }) })
    for (let i = 0; i < 240; i++) s.door.step()
    expect(norm(pilot.torque)).toBe(0)
    expect(body.isSleeping()).toBe(true)
  })

  it('has the radius of its colliders about its centre of mass, without sensors', () => {
    const s = scene()
    const body = ball(s)
    const { world } = s
    world.createCollider(RAPIER.ColliderDesc.ball(9).setSensor(true).setDensity(0), body)
    const pilot = fly(s, body, { behavior: pushing(v(0, 0, 0)) })
    s.door.step()
    expect(pilot.radius).toBeCloseTo(0.5, 6)
    world.createCollider(RAPIER.ColliderDesc.cuboid(0.1, 0.1, 1).setTranslation(0, 0, 2).setMass(2), body)
    s.door.step()
    s.door.refresh(body)
    s.door.step()
    // the centre of mass is half-way
    expect(pilot.radius).toBeCloseTo(Math.hypot(1, 0, 0) + Math.hypot(0.1, 0.1, 1), 4)
  })

  it('is read anew within 16 steps after its mass, gravity or damping has changed', () => {
    const s = scene(v(0, -9.81, 0))
    const body = ball(s)
    const read: number[] = []
    const options = { maxForce: 90, compensateGravity: true, compensateDamping: true }
    const behavior = { steer: (agent: Agent) => void (read[0] = agent.mass) }
    fly(s, body, { behavior, ...options })
    s.door.step()
    body.setAdditionalMass(3, true)
    body.setGravityScale(0.5, true)
    body.setLinearDamping(0.2)
    for (let i = 0; i < 17; i++) s.door.step()
    expect(read[0]).toBeCloseTo(5, 5)
    body.setLinvel(v(0, 0, 0), true)
    for (let i = 0; i < 60; i++) s.door.step()
    expect(norm(body.linvel())).toBeLessThan(1e-3)
  })

  it('that is disabled or removed is not steered, and others do not see it', () => {
    const s = scene()
    const body = ball(s)
    const seen: number[] = []
    const pilot = fly(s, body, { behavior: pushing(v(1, 0, 0)) })
    fly(s, ball(s, v(0, 9, 0)), {
      behavior: { reach: 50, neighborSearch, steer: ({ neighbors }) => void seen.push(neighbors.count) },
    })
    s.door.step()
    body.setEnabled(false)
    s.door.step()
    expect({ ...pilot.force }).toMatchObject({ x: 0, y: 0, z: 0 })
    body.setEnabled(true)
    s.door.step()
    expect({ ...body.userForce() }).toMatchObject({ x: 0, y: 0, z: 0 })
    s.world.removeRigidBody(body)
    s.door.step()
    s.steering.present()
    expect(seen).toEqual([1, 0, 1, 0])
    expect(s.faults).toEqual([])
  })

  it('may be removed by a listener in the step in which it is pushed', () => {
    const s = scene()
    const body = ball(s)
    const pilot = fly(s, body, { behavior: new Arrive({ target: v(0, 0, 0), dwell: 0 }) })
    pilot.addEventListener('arrive', () => s.world.removeRigidBody(body))
    for (let i = 0; i < 5; i++) s.door.step()
    expect(s.world.bodies.len()).toBe(0)
    expect(s.faults).toEqual([])
  })

  it('that is fixed is warned about once', () => {
    const calls = expectConsole()
    const s = scene()
    const body = ball(s, v(0, 0, 0), RAPIER.RigidBodyDesc.fixed())
    s.door.body(body)
    s.door.body(body)
    expect(calls.map(({ text }) => text)).toEqual([expect.stringMatching(/fixed or kinematic/)])
  })
})

describe('a frame', () => {
  it('is live, is one per body, and stays as it was when its body is removed', () => {
    const s = scene()
    const body = ball(s, v(1, 2, 3))
    const frame = s.door.frame(body)
    expect(s.door.frame(body)).toBe(frame)
    body.setLinvel(v(0, 6, 0), true)
    s.door.step()
    expectVec(frame.position, v(1, 2.1, 3), 1e-5)
    expectVec(frame.velocity, v(0, 6, 0), 1e-5)
    s.world.removeRigidBody(body)
    expectVec(frame.position, v(1, 2.1, 3), 1e-5)
    expectVec(frame.velocity, v(0, 0, 0), 0)
  })

  it('carries a port: a ship with its mass ahead docks nose first at a turning station with its mass aside', () => {
    const s = scene()
    const { world } = s
    const station = world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic()
        .setTranslation(20, 5, -10)
        .setAngvel(v(0, 0.1, 0))
        .setAdditionalMassProperties(5e4, v(3, 0, 1), v(5e5, 5e5, 5e5), { x: 0, y: 0, z: 0, w: 1 }),
    )
    const ship = world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic().setAdditionalMassProperties(10, v(0, 0, 0.8), v(20, 20, 8), {
        x: 0,
        y: 0,
        z: 0,
        w: 1,
      }),
    )
    for (const body of [station, ship]) body.recomputeMassPropertiesFromColliders()
    // the steering frame of a carrier without axes of its own has x along its +z
    const port = new Port({ carrier: s.door.frame(station), position: v(6, 0, 0), outward: v(1, 0, 0) })
    const last = { stage: '' }
    const pilot = fly(s, ship, {
      behavior: new Dock({ port, probe: v(2, 0, 0) }),
      maxSpeed: 6,
      maxForce: 60,
      maxTorque: 60,
      radius: 2,
    })
    pilot.addEventListener('stage', ({ stage }) => (last.stage = stage))
    for (let i = 0; i < 60 * 90 && last.stage !== 'latched'; i++) s.door.step()
    expect(last.stage).toBe('latched')
    const q = station.rotation()
    const at = (body: RAPIER.RigidBody, local: Vec3Like): Vec3Like => {
      const { x, y, z, w } = body.rotation()
      const p = body.translation()
      const t = v(
        2 * (y * local.z - z * local.y),
        2 * (z * local.x - x * local.z),
        2 * (x * local.y - y * local.x),
      )
      return v(
        p.x + local.x + w * t.x + (y * t.z - z * t.y),
        p.y + local.y + w * t.y + (z * t.x - x * t.z),
        p.z + local.z + w * t.z + (x * t.y - y * t.x),
      )
    }
    expect(Math.abs(q.y)).toBeGreaterThan(0.1)
    // the nose of the ship, seen from the origin of its model, meets the port, seen from that of the station
    expectVec(at(ship, v(0, 0, 2)), at(station, v(0, 0, 6)), 0.2)
  })
})

describe('the steps', () => {
  it.each([24, 30, 60, 144])('at %i frames a second are those of Rapier', (rate) => {
    const s = scene()
    const body = ball(s)
    const screen = { x: 0 }
    const view = { write: (_: number, { position }: { position: Vec3Like }) => void (screen.x = position.x) }
    const pilot = new SteeringController(view, {
      behavior: pushing(v(2, 0, 0)),
      body: s.door.body(body),
      maxSpeed: 50,
      maxForce: 20,
    })
    s.steering.add(pilot)
    let made = 0
    for (let i = 0; i < 2 * rate; i++) made += s.door.advance(1 / rate)
    expect(made).toBe(120)
    expect(s.steering.tick).toBe(120)
    expect(body.linvel().x).toBeCloseTo(2, 4)
    // the view is at most one step behind
    expect(body.translation().x - screen.x).toBeGreaterThanOrEqual(0)
    expect(body.translation().x - screen.x).toBeLessThanOrEqual(2 / 60 + 1e-4)
  })

  it('of a long frame are limited, and its length is checked', () => {
    const { door, steering } = scene()
    expect(door.advance(3)).toBe(steering.maxSteps)
    expect(() => door.advance(-1)).toThrow(/advance: seconds: got -1/)
    expect(() => door.advance(NaN)).toThrow(/advance: seconds/)
  })

  it('pass the event queue on to Rapier', () => {
    const s = scene()
    const { world } = s
    ball(s)
    const other = ball(s, v(0.5, 0, 0))
    other.collider(0).setActiveEvents(RAPIER.ActiveEvents.COLLISION_EVENTS)
    const queue = new RAPIER.EventQueue(true)
    s.door.step(queue)
    let touched = 0
    queue.drainCollisionEvents(() => touched++)
    expect(touched).toBe(1)
    expect(world.bodies.len()).toBe(2)
  })

  it('are those of the world again after detach', () => {
    const { door, steering, world } = scene()
    expect(() => rapierDoor(steering, world)).toThrow(/makes the steps/)
    door.detach()
    door.detach()
    steering.step(1 / 60)
    rapierDoor(steering, world).step()
    expect(steering.tick).toBe(2)
  })
})

describe('what does not fit is refused', () => {
  // @types/three brings Rapier 0.12, which has no effectiveWorldInvInertia
  it('a Rapier that is too old', () => {
    const { world } = scene()
    const old = Object.create(world, { bodies: { value: { raw: {} } } }) as RAPIER.World
    expect(() => rapierDoor(new SteeringWorld(), old)).toThrow(/Rapier before 0.19, must be 0.19 or newer/)
  })

  it('a world, a body or a frame of another kind, or of another world', () => {
    const s = scene()
    const other = scene()
    const stranger = ball(other)
    expect(() => rapierDoor(new SteeringWorld(), {} as never)).toThrow(/rapierDoor: got/)
    expect(() => s.door.body({} as never)).toThrow(/body: got/)
    expect(() => s.door.body(stranger)).toThrow(/must be a rigid body of this/)
    expect(() => s.door.frame(stranger)).toThrow(/frame: got/)
    const gone = ball(s)
    s.world.removeRigidBody(gone)
    expect(() => s.door.body(gone)).toThrow(/body: got/)
  })
})

describe('one vector in the memory of Rapier', () => {
  const FORCES = ['addForce', 'applyImpulse', 'applyTorqueImpulse'] as const

  /** Motion after two seconds, and how often a method of a body made a vector for a force. */
  function flight(gravity: number, isVectorPlain: boolean): { motion: number[]; made: number } {
    const world = new RAPIER.World(v(0, gravity, 0))
    const spies = FORCES.map((name) => vi.spyOn(RAPIER.RigidBody.prototype, name))
    if (isVectorPlain)
      vi.spyOn(RAPIER.KinematicCharacterController.prototype, 'up').mockReturnValue(v(0, 1, 0))
    const steering = new SteeringWorld({ seed: 2 })
    const door = rapierDoor(steering, world)
    const bodies = [0, 4, 8].map((x) => {
      const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, 0, 0))
      world.createCollider(RAPIER.ColliderDesc.cuboid(0.2, 0.5, 0.9).setMass(2), body)
      const behavior = blend([
        new Arrive({ target: v(9, 4, x) }),
        new Face({ target: v(-x, 40, 9) }),
        new Wander(),
      ])
      const options = { maxSpeed: 8, maxForce: 60, maxTorque: 9, compensateGravity: true }
      steering.add(new SteeringController(null, { body: door.body(body), behavior, ...options }))
      return body
    })
    bodies[1]!.addForce(v(0.3, 0, -0.2), true)
    for (let i = 0; i < 120; i++) {
      door.step()
      if (i === 40) bodies[2]!.addForce(v(0, 0.1, 0), true)
    }
    expect({ ...bodies[1]!.userForce() }).toEqual(v(Math.fround(0.3), 0, Math.fround(-0.2)))
    const motion = bodies.flatMap((body) => {
      const { x, y, z } = body.translation()
      const { x: a, y: b, z: c } = body.angvel()
      return [x, y, z, a, b, c]
    })
    // two forces of the user
    const made = spies.reduce((sum, { mock }) => sum + mock.calls.length, -2)
    vi.restoreAllMocks()
    return { motion, made }
  }

  it.each([0, -9.81])('serves all forces, with the same flights, in a gravity of %d m/s²', (gravity) => {
    const shared = flight(gravity, false)
    const single = flight(gravity, true)
    expect(shared.made).toBe(0)
    expect(single.made).toBeGreaterThan(700)
    expect(shared.motion).toEqual(single.motion)
    expect(norm(v(shared.motion[3]!, shared.motion[4]!, shared.motion[5]!))).toBeGreaterThan(0)
  })
})
