import * as CANNON from 'cannon-es'
import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  blend,
  contextMap,
  Cruise,
  Flee,
  Flocking,
  Hover,
  MatchVelocity,
  modes,
  Seek,
  smooth,
  SteeringController,
  SteeringWorld,
  Walker,
  Wheels,
  within,
  type Behavior,
  type Locomotion,
} from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { rapierDoor } from 'three-steering/rapier'
import { idle } from '../support/pilot.js'
import { v } from '../support/geometry.js'

// A walker or a car of which nothing was asked, since its wish was silent, switched off or missing, glided on
// without friction for ever: 150 m after it had fled for 10.

beforeAll(() => RAPIER.init())

const UP = v(0, 1, 0)
const FAR = v(1e6, 0, 0)
const calm = () => new Flee({ target: v(-50, 0, 0), panicDistance: 10 })

const SILENT: Record<string, () => Behavior> = {
  nothing: idle,
  'a silent wish': () => within([], calm()),
  'a wish that is switched off': () => within([], [{ behavior: new Seek({ target: FAR }), enabled: false }]),
  'no wish': () => within([], []),
  'an empty blend': () => blend([]),
  'a part of weight 0': () => blend([{ behavior: new Seek({ target: FAR }), weight: 0 }]),
  'a wish of weight 0': () => within([], [{ behavior: new Seek({ target: FAR }), weight: 0 }]),
  'an idle mode': () => modes({ idle: idle(), go: new Seek({ target: FAR }) }),
  'an idle mode within': () => within([], modes({ idle: idle(), go: new Seek({ target: FAR }) })),
  'a map without interest': () => contextMap({ interest: [calm()] }),
  'a smoothed silence': () => smooth(calm(), { time: 0.2 }),
}
const KEPT: Record<string, () => Behavior> = {
  Cruise: () => new Cruise({ speedShare: 0.8 }),
  'Cruise within': () => within([], new Cruise({ speedShare: 0.8 })),
  'Cruise and silence within': () => within([], [new Cruise({ speedShare: 0.8 }), calm()]),
  'Cruise in a map': () => contextMap({ interest: [new Cruise({ speedShare: 0.8 })] }),
  MatchVelocity: () => new MatchVelocity({ target: { position: FAR, velocity: v(4, 0, 0) } }),
  Seek: () => new Seek({ target: FAR, speed: 4 }),
}
const FEET: Record<string, () => Locomotion> = {
  Walker: () => new Walker(),
  Wheels: () => new Wheels({ wheelbase: 2 }),
}

function agentOf(behavior: Behavior, locomotion: Locomotion, z = 0): SteeringController {
  return new SteeringController(null, {
    behavior,
    locomotion,
    position: v(0, 0, z),
    velocity: v(4, 0, 0),
    forward: v(1, 0, 0),
    plane: UP,
    maxSpeed: 5,
    maxForce: 20,
  })
}

describe.each(Object.entries(FEET))('%s', (_name, vehicle) => {
  it.each(Object.entries(SILENT))('stands where it is asked for %s, and a ship drifts on', (_what, make) => {
    const world = new SteeringWorld()
    const walker = agentOf(make(), vehicle())
    const ship = agentOf(make(), new Hover(), 40)
    world.add(walker).add(ship)
    for (let i = 0; i < 60 * 5; i++) world.step(1 / 60)
    expect(Math.abs(walker.velocity.x)).toBeLessThan(1e-9)
    expect(walker.position.x).toBeLessThan(2)
    expect(ship.velocity.x).toBe(4)
  })

  it.each(Object.entries(KEPT))(
    'keeps the velocity that %s wants, also when that takes no force',
    (_what, make) => {
      const world = new SteeringWorld()
      const agent = agentOf(make(), vehicle())
      world.add(agent)
      for (let i = 0; i < 60 * 10; i++) {
        world.step(1 / 60)
        expect(Math.abs(agent.velocity.x - 4)).toBeLessThan(1e-9)
      }
    },
  )

  it('goes on in a flock of which all have the same velocity', () => {
    const world = new SteeringWorld()
    const rule = { neighborDistance: 9 }
    const mind = new Flocking({
      separation: { ...rule, weight: 0 },
      alignment: rule,
      cohesion: { ...rule, weight: 0 },
    })
    const herd = Array.from({ length: 4 }, (_, i) => agentOf(mind, vehicle(), 3 * i))
    for (const each of herd) world.add(each)
    for (let i = 0; i < 300; i++) world.step(1 / 60)
    for (const each of herd) expect(each.velocity.x).toBeCloseTo(4, 9)
  })

  it('hardly notices a behaviour of its own that writes no force while it has its velocity', () => {
    const world = new SteeringWorld()
    const agent = agentOf(
      { steer: ({ velocity }, _step, { force }) => void (force.x += 10 * (4 - velocity.x)) },
      vehicle(),
    )
    world.add(agent)
    for (let i = 0; i < 600; i++) {
      world.step(1 / 60)
      expect(agent.velocity.x).toBeGreaterThan(3.9)
    }
  })
})

/** A body of 70 kg on a slope without friction, that moves up it at first. */
function onSlope(engine: 'cannon-es' | 'Rapier', angle: number, locomotion: Locomotion, dt: number) {
  const steering = new SteeringWorld()
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const turn = { x: 0, y: 0, z: Math.sin(angle / 2), w: Math.cos(angle / 2) }
  const at = v(-0.5 * sin, 0.5 * cos, 0)
  const velocity = v(1.5 * cos, 1.5 * sin, 0)
  const options = {
    behavior: idle(),
    locomotion,
    maxSpeed: 2,
    maxForce: 600,
    maxTorque: 300,
    forward: v(1, 0, 0),
  }
  if (engine === 'cannon-es') {
    const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -9.81, 0), allowSleep: true })
    world.defaultContactMaterial.friction = 0
    const floor = new CANNON.Body({ mass: 0, shape: new CANNON.Box(new CANNON.Vec3(50, 1, 50)) })
    floor.position.set(sin, -cos, 0)
    const body = new CANNON.Body({ mass: 70, shape: new CANNON.Box(new CANNON.Vec3(0.5, 0.5, 0.5)) })
    body.position.set(at.x, at.y, 0)
    body.velocity.set(velocity.x, velocity.y, 0)
    for (const each of [floor, body]) each.quaternion.set(turn.x, turn.y, turn.z, turn.w)
    // a walker stays upright, which is not the point here
    body.fixedRotation = locomotion instanceof Walker
    body.updateMassProperties()
    world.addBody(floor)
    world.addBody(body)
    attachToCannon(steering, world)
    steering.add(new SteeringController(null, { ...options, body: cannonBody(body) }))
    const place = () => v(body.position.x, body.position.y, body.position.z)
    return { step: () => world.step(dt), place, sleeps: () => body.sleepState === CANNON.Body.SLEEPING }
  }
  const world = new RAPIER.World(v(0, -9.81, 0))
  world.timestep = dt
  const smoothly = (shape: RAPIER.ColliderDesc): RAPIER.ColliderDesc =>
    shape.setFriction(0).setFrictionCombineRule(RAPIER.CoefficientCombineRule.Min)
  world.createCollider(
    smoothly(RAPIER.ColliderDesc.cuboid(50, 1, 50))
      .setTranslation(sin, -cos, 0)
      .setRotation(turn),
  )
  const desc = RAPIER.RigidBodyDesc.dynamic().setTranslation(at.x, at.y, 0).setRotation(turn)
  const body = world.createRigidBody(desc.setLinvel(velocity.x, velocity.y, 0))
  if (locomotion instanceof Walker) body.lockRotations(true, true)
  world.createCollider(smoothly(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5)).setMass(70), body)
  const door = rapierDoor(steering, world)
  steering.add(new SteeringController(null, { ...options, body: door.body(body) }))
  return { step: () => door.step(), place: () => body.translation(), sleeps: () => body.isSleeping() }
}

describe.each(['cannon-es', 'Rapier'] as const)('on the ground of %s', (engine) => {
  it.each(Object.entries(FEET))(
    '%s comes to a stand and stays, on slopes without friction',
    (_name, vehicle) => {
      for (const angle of [0, 0.17, 0.35])
        for (const rate of [30, 60, 144]) {
          const { step, place, sleeps } = onSlope(engine, angle, vehicle(), 1 / rate)
          const gone = (from: { x: number; y: number; z: number }): number =>
            Math.hypot(place().x - from.x, place().y - from.y, place().z - from.z)
          const start = { ...place() }
          for (let i = 0; i < 3 * rate; i++) step()
          const stand = { ...place() }
          expect(gone(start)).toBeLessThan(0.4)
          for (let i = 0; i < 3 * rate; i++) step()
          expect(gone(stand)).toBeLessThan(5e-4)
          if (angle === 0) expect(sleeps()).toBe(true)
        }
    },
  )
})
