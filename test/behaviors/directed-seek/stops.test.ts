import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  DirectedSeek,
  Flight,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Walker,
  Wheels,
  type ControllerOptions,
  type Locomotion,
  type Vec3Like,
} from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import { rapierDoor } from 'three-steering/rapier'
import { about, direction, norm, number, times, turned, v } from '../../support/geometry.js'
import { law } from '../../support/law.js'

/** Ships of 12 m/s and 40 N. Those on the ground, or in a plane, stay at y = 0. */
interface Ship {
  readonly locomotion?: () => Locomotion
  readonly flat?: boolean
  /** Force and torque are so many times as large. */
  readonly strength?: number
}

const SIDES = { up: 2, down: 2, port: 2, starboard: 2 }
const SHIPS: Readonly<Record<string, Ship>> = {
  Hover: {},
  'Hover, strong': { strength: 100 },
  'Hover in a plane': { flat: true },
  Flight: { locomotion: () => new Flight() },
  'Flight in a plane': { locomotion: () => new Flight(), flat: true },
  Thrusters: { locomotion: () => new Thrusters({ ahead: 40 }) },
  'Thrusters in a plane': { locomotion: () => new Thrusters({ ahead: 40 }), flat: true },
  'Thrusters with weak sides': { locomotion: () => new Thrusters({ ahead: 40, astern: 10, ...SIDES }) },
  Walker: { locomotion: () => new Walker(), flat: true },
  Wheels: { locomotion: () => new Wheels({ wheelbase: 1.2 }), flat: true },
}
const UP = v(0, 1, 0)
const LIMITS = { maxSpeed: 12, maxForce: 40, maxTorque: 20, radius: 0.5 }
/** Longest time (s) until it has arrived. The slowest are ships with weak sides. */
const LONGEST = 60

type Engine = 'none' | 'cannon-es' | 'Rapier'

interface Start {
  readonly position: Vec3Like
  readonly velocity: Vec3Like
  readonly quaternion: { x: number; y: number; z: number; w: number }
}

/** Adds a ship, with a body of that engine. @returns it, and what makes a step. */
function launch(
  engine: Engine,
  dt: number,
  { position, velocity, quaternion }: Start,
  options: Omit<ControllerOptions, keyof typeof LIMITS>,
  strength = 1,
): { ship: SteeringController; world: SteeringWorld; step: () => void } {
  const world = new SteeringWorld()
  let body: SteeringBody | null = null
  let step = (): void => world.step(dt)
  if (engine === 'cannon-es') {
    const physics = new CANNON.World()
    attachToCannon(world, physics)
    const sphere = new CANNON.Body({
      mass: 1,
      shape: new CANNON.Sphere(0.5),
      linearDamping: 0,
      angularDamping: 0,
    })
    sphere.position.copy(position as CANNON.Vec3)
    sphere.velocity.copy(velocity as CANNON.Vec3)
    sphere.quaternion.copy(quaternion as CANNON.Quaternion)
    physics.addBody(sphere)
    body = cannonBody(sphere)
    step = () => physics.step(dt)
  } else if (engine === 'Rapier') {
    const physics = new RAPIER.World({ x: 0, y: 0, z: 0 })
    physics.timestep = dt
    const door = rapierDoor(world, physics)
    const sphere = physics.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic()
        .setTranslation(position.x, position.y, position.z)
        .setRotation(quaternion),
    )
    sphere.setLinvel(velocity, true)
    physics.createCollider(RAPIER.ColliderDesc.ball(0.5).setMass(1), sphere)
    body = door.body(sphere)
    step = () => door.step()
  }
  const start = body === null ? { position, velocity, quaternion } : { body }
  const ship = new SteeringController(null, {
    ...start,
    ...LIMITS,
    maxForce: strength * LIMITS.maxForce,
    maxTorque: strength * LIMITS.maxTorque,
    ...options,
  })
  world.add(ship)
  return { ship, world, step }
}

describe('DirectedSeek with an arrival speed of 0', () => {
  beforeAll(() => RAPIER.init())

  law(
    'comes to rest at every pose, from any start, at any rate, as every vehicle, with every engine',
    [
      fc.constantFrom(...Object.keys(SHIPS)),
      fc.constantFrom<Engine>('none', 'none', 'cannon-es', 'Rapier'),
      fc.constantFrom(30, 60, 144, 240),
      fc.constantFrom(0, 0.1, 0.5, 2, 5, 30),
      number(0, 1),
      fc.tuple(direction(), direction(), direction(), direction()),
      number(-Math.PI, Math.PI),
    ],
    (name, engine, hz, far, speed, [from, course, heading, axis], angle) => {
      const { flat = false, locomotion, strength = 1 } = SHIPS[name]!
      const held = ({ x, y, z }: Vec3Like): Vec3Like => v(x, flat ? 0 : y, z)
      const quaternion = about(flat ? UP : axis, angle)
      // a car does not move to its side
      const way = name === 'Wheels' ? turned(quaternion, v(0, 0, 1)) : held(course)
      // a heading straight along the normal of the plane has no part in it
      if (flat && norm(held(heading)) < 0.1) return
      const start = {
        position: held(times(from, far)),
        velocity: times(way, speed < 0.5 ? 0 : 12 * (speed - 0.5) * 2),
        quaternion,
      }
      const behavior = new DirectedSeek({
        target: { position: v(0, 0, 0), heading: held(heading) },
        arrivalSpeed: 0,
      })
      const options = {
        behavior,
        ...(locomotion !== undefined && { locomotion: locomotion() }),
        ...(flat && { plane: UP }),
      }
      const { ship, world, step } = launch(engine, 1 / hz, start, options, strength)
      const arrivals: number[] = []
      ship.addEventListener('arrive', () => arrivals.push(world.time))
      for (let i = 0; i < LONGEST * hz && arrivals.length === 0; i++) step()
      expect(arrivals, `${norm(ship.position)} m off, at ${norm(ship.velocity)} m/s`).toHaveLength(1)
    },
    300,
  )

  it('tells that an aircraft that cannot stop has missed its goal', () => {
    const behavior = new DirectedSeek({
      target: { position: v(3, 0, 0), heading: v(1, 0, 0) },
      arrivalSpeed: 0,
    })
    const options = { behavior, locomotion: new Flight({ minSpeed: 4 }) }
    const start = { position: v(0, 0, 0), velocity: v(0, 0, 6), quaternion: about(UP, 0) }
    const { ship, world } = launch('none', 1 / 60, start, options)
    const stages: string[] = []
    ship.addEventListener('stage', ({ stage }) => stages.push(stage))
    while (world.time < LONGEST) world.step(1 / 60)
    expect(stages).toContain('missed')
  })
})
