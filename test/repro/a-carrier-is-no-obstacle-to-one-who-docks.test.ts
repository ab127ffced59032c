import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { BoxGeometry, Group, Mesh, Scene, type BufferGeometry } from 'three'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  AvoidAgents,
  AvoidObstacles,
  BoxShape,
  Obstacles,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
} from 'three-steering'
import type { Constraint, MovingFrame } from 'three-steering/authoring'
import { MeshShape } from 'three-steering/bvh'
import { attachToCannon, obstaclesFromCannon } from 'three-steering/cannon'
import { Dock, Land, Port, Refuel, Undock, type PortOptions } from 'three-steering/docking'
import { obstaclesFromRapier, rapierDoor } from 'three-steering/rapier'
import { obstaclesFromObject3D } from 'three-steering/three'

// A ship that docked within `AvoidObstacles` was kept off by the hull that it docked at, for ever and in
// silence, unless the user named the carrier in `ignore`: 0 of 60.

const DT = 1 / 60
/** The hull: a box of 12 × 8 × 12 m, with the port in the middle of its top. */
const HALF = { x: 6, y: 4, z: 6 }
const hull = new BoxShape(HALF)
const bar = new BoxShape({ x: 0.5, y: 0.5, z: 9 })

type Carrier = PortOptions['carrier']

interface Place {
  readonly steering: SteeringWorld
  readonly carrier: Carrier
  readonly constraints: Constraint[]
  readonly step?: () => void
}

function meshOf(geometry: BufferGeometry): Mesh {
  return new Mesh(geometry)
}

function avoid(obstacles: Obstacles): Constraint[] {
  return [new AvoidObstacles({ obstacles })]
}

const CARRIERS: Readonly<Record<string, () => Place>> = {
  'a literal with a hull and bars': () => {
    const carrier = { position: { x: 0, y: 0, z: 0 } }
    const obstacles = new Obstacles([
      { shape: hull, at: carrier },
      { shape: bar, at: carrier, offset: { x: 4, y: 4, z: 0 } },
      { shape: bar, at: carrier, offset: { x: -4, y: 4, z: 0 } },
    ])
    return { steering: new SteeringWorld(), carrier, constraints: avoid(obstacles) }
  },
  'a literal that moves': () => {
    const steering = new SteeringWorld()
    const carrier = { position: { x: 0, y: 0, z: 0 }, velocity: { x: 2, y: 1, z: -1 } }
    const step = (): void => {
      steering.step(DT)
      for (const k of ['x', 'y', 'z'] as const) carrier.position[k] += carrier.velocity[k] * DT
    }
    const obstacles = new Obstacles([{ shape: hull, at: carrier }])
    return { steering, carrier, constraints: avoid(obstacles), step }
  },
  'a literal with a hull that nobody links to it': () => {
    const obstacles = new Obstacles([{ shape: hull, at: { x: 0, y: 0, z: 0 } }])
    const carrier = { position: { x: 0, y: 0, z: 0 } }
    return { steering: new SteeringWorld(), carrier, constraints: avoid(obstacles) }
  },
  'a mesh': () => {
    const carrier = meshOf(new BoxGeometry(12, 8, 12))
    const obstacles = obstaclesFromObject3D(new Scene().add(carrier))
    return { steering: new SteeringWorld(), carrier, constraints: avoid(obstacles) }
  },
  'a group of meshes': () => {
    const fin = meshOf(new BoxGeometry(1, 1, 18).translate(4, 4, 0))
    const carrier = new Group().add(meshOf(new BoxGeometry(12, 8, 12)), fin)
    const obstacles = obstaclesFromObject3D(new Scene().add(carrier))
    return { steering: new SteeringWorld(), carrier, constraints: avoid(obstacles) }
  },
  'triangles that follow it': () => {
    const carrier = { position: { x: 0, y: 0, z: 0 } }
    const obstacles = new Obstacles([
      { shape: new MeshShape(new BoxGeometry(12, 8, 12, 4, 4, 4)), at: carrier },
    ])
    return { steering: new SteeringWorld(), carrier, constraints: avoid(obstacles) }
  },
  'another agent': () => {
    const steering = new SteeringWorld()
    const carrier = new SteeringController(null, {
      maxSpeed: 5,
      maxForce: 1,
      radius: 8,
      velocity: { x: 1, y: 0, z: 2 },
      behavior: { steer() {} },
    })
    steering.add(carrier)
    const obstacles = new Obstacles([{ shape: hull, at: carrier }])
    const others = [new ReciprocalAvoidance(), new AvoidAgents({ neighborDistance: 40 })]
    return { steering, carrier, constraints: [...avoid(obstacles), ...others] }
  },
  'a body of cannon-es with two shapes': () => {
    const steering = new SteeringWorld()
    const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
    attachToCannon(steering, world)
    const carrier = new CANNON.Body({ mass: 1e6, linearDamping: 0 })
    carrier.addShape(new CANNON.Box(new CANNON.Vec3(6, 4, 6)))
    carrier.addShape(new CANNON.Box(new CANNON.Vec3(0.5, 0.5, 9)), new CANNON.Vec3(4, 4, 0))
    carrier.velocity.set(1, 2, 0)
    world.addBody(carrier)
    const step = (): void => world.step(DT)
    return { steering, carrier, constraints: avoid(obstaclesFromCannon(world)), step }
  },
  'the frame of a body of Rapier': () => {
    const steering = new SteeringWorld()
    const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
    const door = rapierDoor(steering, world)
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setLinvel(1, 2, 0))
    world.createCollider(RAPIER.ColliderDesc.cuboid(6, 4, 6).setMass(1e6), body)
    world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 9).setTranslation(4, 4, 0).setMass(1), body)
    const constraints = avoid(obstaclesFromRapier(world))
    return { steering, carrier: door.frame(body), constraints, step: () => door.step() }
  },
}

const top = (carrier: Carrier): Port =>
  new Port({ carrier, position: { x: 0, y: 4, z: 0 }, outward: { x: 0, y: 1, z: 0 }, clearance: 12 })

const TASKS: Readonly<Record<string, readonly [string, (carrier: Carrier) => Behavior]>> = {
  Dock: ['latched', (carrier) => new Dock({ port: top(carrier) })],
  Land: ['landed', (carrier) => new Land({ port: top(carrier), hold: true })],
  Refuel: [
    'contact',
    (carrier) =>
      new Refuel({
        target: carrier as MovingFrame,
        offset: { x: 0, y: 5.2, z: 0 },
        precontact: { x: 0, y: 8, z: 0 },
      }),
  ],
}

/** A ship 40 m above the carrier and 15 m beside it. */
function fly(place: Place, behavior: (carrier: Carrier) => Behavior) {
  const { steering, carrier, constraints, step = () => steering.step(DT) } = place
  const pilot = new SteeringController(null, {
    position: { x: 15, y: 40, z: 4 },
    maxSpeed: 20,
    maxForce: 50,
    maxTorque: 20,
    mass: 10,
    inertia: { x: 4, y: 4, z: 4 },
    radius: 1,
    behavior: within(constraints, behavior(carrier)),
  })
  steering.add(pilot)
  const stages: string[] = []
  pilot.addEventListener('stage', ({ stage }) => stages.push(stage))
  return { pilot, stages, step }
}

beforeAll(() => RAPIER.init())

it('outside of the corridor the hull still counts', () => {
  // the port has no ball of its own that ships fly around
  const carrier = { position: { x: 0, y: 0, z: 0 } }
  const obstacles = new Obstacles([{ shape: hull, at: carrier }])
  const steering = new SteeringWorld()
  const port = new Port({
    carrier,
    position: { x: 0, y: 4, z: 0 },
    outward: { x: 0, y: 1, z: 0 },
    clearance: 0,
  })
  const { pilot, stages, step } = fly(
    { steering, carrier, constraints: avoid(obstacles) },
    () => new Dock({ port }),
  )
  pilot.teleport({ position: { x: 1, y: -30, z: 2 } })
  let nearest = Infinity
  for (let i = 0; i < 90 / DT && stages.at(-1) !== 'latched'; i++) {
    step()
    if (pilot.position.y < 4)
      nearest = Math.min(nearest, obstacles.distance(pilot.position, { x: 0, y: 0, z: 0 }))
  }
  expect(stages.at(-1)).toBe('latched')
  expect(nearest).toBeGreaterThan(1)
})

describe.each(Object.keys(CARRIERS))('a carrier is no obstacle: %s', (name) => {
  it.each(Object.keys(TASKS))('to %s, and to Undock', (task) => {
    const place = CARRIERS[name]!()
    if (task === 'Refuel' && place.carrier.velocity === undefined) return
    const [moored, make] = TASKS[task]!
    const { pilot, stages, step } = fly(place, make)
    const port = top(place.carrier)
    for (let i = 0; i < 60 / DT && stages.at(-1) !== moored; i++) step()
    expect(stages).toEqual(stages.filter((stage) => stage !== 'abort'))
    expect(stages.at(-1)).toBe(moored)
    for (let i = 0; i < 1 / DT; i++) step()
    expect(stages.at(-1)).toBe(moored)
    pilot.behavior = within(place.constraints, new Undock({ port }))
    for (let i = 0; i < 30 / DT && stages.at(-1) !== 'free'; i++) step()
    expect(stages.at(-1)).toBe('free')
  })
})
