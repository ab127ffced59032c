import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { beforeAll, describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld, within, type Behavior, type Vec3Like } from 'three-steering'
import type { MovingFrame, SteeringBody } from 'three-steering/authoring'
import { attachToCannon, cannonBody, latch as latchCannon } from 'three-steering/cannon'
import { Dock, Land, Port, Refuel, Undock } from 'three-steering/docking'
import { latch as latchRapier, rapierDoor } from 'three-steering/rapier'
import { restoreSnapshot, takeSnapshot } from 'three-steering/snapshot'
import { inverse } from '../laws/kit.js'
import { minus, norm, turned } from '../support/geometry.js'
import { ALL } from '../support/tier.js'

// A ship that had latched went on thrusting for its exact place against the joint that held it: with 97 % of
// `maxForce` for ever, which moved a station of 200 kg by 13 m/s in a minute, unless `hold: false` was given.

const ENGINES = ['cannon-es', 'Rapier'] as const
const DT = 1 / 60
const LIMITS = { maxSpeed: 20, maxForce: 50, maxTorque: 20 }

interface Scene {
  mass?: number
  shipMass?: number
  spin?: number
  /** Force on the station (N), along x. */
  push?: number
  gravity?: number
  behavior?: (port: Port, carrier: MovingFrame) => Behavior
}

interface Pair {
  readonly steering: SteeringWorld
  readonly pilot: SteeringController
  readonly carrier: MovingFrame
  readonly port: Port
  /** Position of the ship (m), as its engine has it. */
  readonly shipNow: () => Vec3Like
  readonly step: () => void
  readonly join: () => () => void
  /** Gives both bodies the states that they have in another pair. */
  readonly placeAs: (other: Pair) => void
}

const dock = (port: Port): Behavior => new Dock({ port })

/** A ship 22 m before the port of a station that turns. With gravity the station is the ground. */
function pair(engine: (typeof ENGINES)[number], scene: Scene): Pair {
  const { mass = 200, shipMass = 10, spin = 0.02, push = 0, gravity = 0, behavior = dock } = scene
  const steering = new SteeringWorld()
  let carrier: MovingFrame
  let body: SteeringBody
  let step: () => void
  let join: () => () => void
  let shipNow: () => Vec3Like
  let place: (state: MovingFrame, isStation: boolean) => void
  if (engine === 'cannon-es') {
    const world = new CANNON.World({ gravity: new CANNON.Vec3(0, -gravity, 0) })
    attachToCannon(steering, world)
    const free = { linearDamping: 0, angularDamping: 0 }
    const sphere = new CANNON.Sphere(9)
    const station = new CANNON.Body({ mass: gravity > 0 ? 0 : mass, shape: sphere, ...free })
    station.angularVelocity.set(0, gravity > 0 ? 0 : spin, 0)
    const ship = new CANNON.Body({ mass: shipMass, shape: new CANNON.Sphere(1), ...free })
    ship.position.set(2, 32, 1)
    world.addBody(station)
    world.addBody(ship)
    carrier = station
    body = cannonBody(ship)
    shipNow = () => ship.position
    step = () => {
      station.force.x += push
      world.step(DT)
    }
    join = () => latchCannon(world, ship, station, CANNON.LockConstraint)
    place = ({ position, quaternion, velocity, angularVelocity }, isStation) => {
      const each = isStation ? station : ship
      each.position.copy(position as CANNON.Vec3)
      each.quaternion.copy(quaternion as CANNON.Quaternion)
      each.velocity.copy(velocity as CANNON.Vec3)
      each.angularVelocity.copy(angularVelocity as CANNON.Vec3)
    }
  } else {
    const world = new RAPIER.World({ x: 0, y: -gravity, z: 0 })
    world.timestep = DT
    const door = rapierDoor(steering, world)
    const desc = gravity > 0 ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic()
    const station = world.createRigidBody(desc.setAngvel({ x: 0, y: spin, z: 0 }))
    world.createCollider(RAPIER.ColliderDesc.ball(9).setMass(mass), station)
    const ship = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(2, 32, 1))
    world.createCollider(RAPIER.ColliderDesc.ball(1).setMass(shipMass), ship)
    carrier = door.frame(station)
    body = door.body(ship)
    shipNow = () => ship.translation()
    step = () => {
      station.resetForces(false)
      if (push > 0) station.addForce({ x: push, y: 0, z: 0 }, true)
      door.step()
    }
    join = () => latchRapier(world, ship, station, RAPIER.JointData)
    place = ({ position, quaternion, velocity, angularVelocity }, isStation) => {
      const each = isStation ? station : ship
      each.setTranslation(position, true)
      each.setRotation(quaternion!, true)
      each.setLinvel(velocity, true)
      each.setAngvel(angularVelocity!, true)
    }
  }
  const port = new Port({ carrier, position: { x: 0, y: 12, z: 0 }, outward: { x: 0, y: 1, z: 0 } })
  const limits = { ...LIMITS, maxForce: (5 + 1.5 * gravity) * shipMass, maxTorque: 2 * shipMass }
  const pilot = new SteeringController(null, {
    body,
    ...limits,
    behavior: behavior(port, carrier),
  })
  steering.add(pilot)
  const placeAs = (other: Pair): void => {
    place(other.carrier, true)
    place(other.pilot, false)
  }
  return { steering, pilot, carrier, port, shipNow, step, join, placeAs }
}

/** Flies until it has latched, and joins the bodies in the listener. @returns what opens the joint. */
function flyToLatch({ pilot, step, join }: Pair): () => void {
  const joints: (() => void)[] = []
  pilot.addEventListener('stage', ({ stage }) => {
    if (['latched', 'landed', 'contact'].includes(stage)) joints.push(join())
  })
  for (let i = 0; i < 120 / DT && joints.length === 0; i++) step()
  expect(joints).toHaveLength(1)
  return joints[0]!
}

/** Largest force or torque in this time, from the first step with the joint on. */
function largestThrust({ pilot, step }: Pair, seconds: number): number {
  let largest = 0
  for (let i = 0; i < seconds / DT; i++) {
    step()
    largest = Math.max(largest, norm(pilot.force), norm(pilot.torque))
  }
  return largest
}

/** Where the ship is, in the axes of the station (m). */
function placeOf({ carrier, shipNow }: Pair): Vec3Like {
  return turned(inverse(carrier.quaternion!), minus(shipNow(), carrier.position))
}

beforeAll(() => RAPIER.init())

const SCENES: Record<string, Scene> = {
  'a light station': {},
  'a heavy station that spins': { mass: 1e6, spin: 0.3 },
  'a station that is pushed': { mass: 2000, push: 600 },
  'a ship as heavy as the station': { shipMass: 200 },
  'inside of within': { behavior: (port) => within([], new Dock({ port })) },
  'a landing that holds itself, on the ground': {
    gravity: 9.81,
    behavior: (port) => new Land({ port, hold: true }),
  },
  'a dock on the ground': { gravity: 9.81 },
  'a receiver of fuel': {
    spin: 0,
    behavior: (_port, target) =>
      new Refuel({ target, offset: { x: 0, y: 13, z: 0 }, precontact: { x: 0, y: 8, z: 0 } }),
  },
}

describe.each(ENGINES)('with %s', (engine) => {
  // the quick run flies half of the scenes with each engine
  const scenes = Object.entries(SCENES).filter((_, i) => ALL || i % 2 === ENGINES.indexOf(engine))
  it.each(scenes)('a latched ship rests: %s', (_name, scene) => {
    const all = pair(engine, scene)
    const open = flyToLatch(all)
    const { pilot, port } = all
    const place = placeOf(all)
    expect(largestThrust(all, 20)).toBe(0)
    expect(norm(minus(placeOf(all), place))).toBeLessThan(0.03)
    open()
    const stages: string[] = []
    pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
    pilot.behavior = new Undock({ port })
    for (let i = 0; i < 60 / DT && !stages.includes('free'); i++) all.step()
    expect(stages).toEqual(['undock', 'free'])
  })

  it('a ship without a joint holds itself', () => {
    const all = pair(engine, { spin: 0.1, mass: 1e6 })
    const { pilot, step } = all
    const stages: string[] = []
    pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
    for (let i = 0; i < 60 / DT; i++) step()
    expect(stages).toEqual(['approach', 'align', 'final', 'latched'])
  })

  it('a ship that leaves with the joint closed rests, and says so, once', () => {
    const all = pair(engine, {})
    flyToLatch(all)
    const told: string[] = []
    all.pilot.addEventListener('cannot', ({ reason }) => told.push(reason))
    all.pilot.behavior = new Undock({ port: all.port })
    expect(largestThrust(all, 3)).toBe(0)
    expect(told).toEqual(['a joint holds the agent at the carrier: open the latch first'])
  })

  it('a latch survives save and load: the stage is in the snapshot, and says what to join again', () => {
    const docks: Dock[] = []
    const make = (port: Port): Dock => {
      docks.push(new Dock({ port }))
      return docks.at(-1)!
    }
    const before = pair(engine, { behavior: make })
    expect(docks[0]!.stageOf(before.pilot)).toBeNull()
    flyToLatch(before)
    const after = pair(engine, { behavior: make })
    after.placeAs(before)
    restoreSnapshot(after.steering, JSON.parse(JSON.stringify(takeSnapshot(before.steering))))
    expect(docks[1]!.stageOf(after.pilot)).toBe('latched')
    const stages: string[] = []
    after.pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
    after.join()
    expect(largestThrust(after, 5)).toBe(0)
    expect(stages).toEqual([])
  })
})
