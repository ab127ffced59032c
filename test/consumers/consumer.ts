// A user's program, compiled and run against the packed package by scripts/consumers.mjs.
import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import * as THREE from 'three'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Seek,
  SteeringController,
  SteeringWorld,
  within,
} from 'three-steering'
import { Memory, seeded, type Constraint } from 'three-steering/authoring'
import { MeshShape } from 'three-steering/bvh'
import { attachToCannon, cannonBody, obstaclesFromCannon } from 'three-steering/cannon'
import { ArcPath, dubins2d } from 'three-steering/curves'
import { SteeringHelper } from 'three-steering/debug'
import { Dock, Port } from 'three-steering/docking'
import { WindFlow } from 'three-steering/flow'
import { Formation, wedgePattern } from 'three-steering/formation'
import { Pipeline } from 'three-steering/classic'
import { loadPreset, savePreset } from 'three-steering/presets'
import { obstaclesFromRapier, rapierDoor } from 'three-steering/rapier'
import { objectView, obstaclesFromObject3D } from 'three-steering/three'

export type { Explanation } from 'three-steering/explain'
// the declarations of the other entries are checked as well
export type * as Net from 'three-steering/net'
export type * as Racing from 'three-steering/racing'
export type * as Shards from 'three-steering/shards'
export type * as Snapshot from 'three-steering/snapshot'
export type * as Tests from 'three-steering/door-tests'
export type * as Vehicles from 'three-steering/vehicles'

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(`${what}: does not hold`)
}

const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
const body = new CANNON.Body({ mass: 10, shape: new CANNON.Sphere(1), position: new CANNON.Vec3(0, 0, -40) })
const rock = new CANNON.Body({ mass: 500, shape: new CANNON.Sphere(5) })
world.addBody(body)
world.addBody(rock)
const ship = new THREE.Mesh(new THREE.ConeGeometry(1, 3), new THREE.MeshNormalMaterial())
const steering = new SteeringWorld()
attachToCannon(steering, world)
const avoid: Constraint = new AvoidObstacles({ obstacles: obstaclesFromCannon(world) })
const pilot = new SteeringController(ship, {
  body: cannonBody(body),
  maxSpeed: 20,
  maxForce: 150,
  maxTorque: 60,
  behavior: within([avoid], new Arrive({ target: { x: 0, y: 0, z: 40 } })),
})
steering.add(pilot)
let nearest = Infinity
for (let i = 0; i < 900; i++) {
  world.step(1 / 60)
  nearest = Math.min(nearest, Math.hypot(body.position.x, body.position.y, body.position.z))
}
steering.present()
check(nearest > 6, 'the ship does not touch the rock')
check(ship.position.distanceTo(new THREE.Vector3(0, 0, 40)) < 0.1, 'the ship arrives, and so does its mesh')

await RAPIER.init()
const space = new RAPIER.World({ x: 0, y: 0, z: 0 })
const hull = space.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 0, -40))
space.createCollider(RAPIER.ColliderDesc.ball(1).setMass(10), hull)
space.createCollider(RAPIER.ColliderDesc.ball(5), space.createRigidBody(RAPIER.RigidBodyDesc.fixed()))
const fleet = new SteeringWorld()
const door = rapierDoor(fleet, space)
const rocks: Constraint = new AvoidObstacles({ obstacles: obstaclesFromRapier(space) })
const tug = new SteeringController(null, {
  body: door.body(hull),
  maxSpeed: 20,
  maxForce: 150,
  maxTorque: 60,
  behavior: within([rocks], new Arrive({ target: { x: 0, y: 0, z: 40 } })),
})
fleet.add(tug)
for (let i = 0; i < 900; i++) {
  door.advance(1 / 60)
  const { x, y, z } = hull.translation()
  check(Math.hypot(x, y, z) > 6, 'the tug does not touch the rock')
}
check(Math.abs(hull.translation().z - 40) < 0.1, 'the tug arrives')

const helper = new SteeringHelper(pilot)
helper.update()
helper.dispose()

const box = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshNormalMaterial())
const group = new THREE.Group().add(box)
check(!obstaclesFromObject3D(group).sees({ x: -5, y: 0, z: 0 }, { x: 5, y: 0, z: 0 }), 'a box hides')
check(
  new MeshShape(box.geometry).distance({ x: 3, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }) === 2,
  'triangles are 2 m away',
)
check(typeof objectView(box).write === 'function', 'a view writes')

const from = { position: { x: 0, y: 0, z: 0 }, heading: { x: 1, y: 0, z: 0 } }
const to = { position: { x: 9, y: 0, z: 0 }, heading: { x: 1, y: 0, z: 0 } }
check(Math.abs(dubins2d(new ArcPath(), from, to, 1) - 9) < 1e-9, 'a straight path is straight')

const copy = loadPreset(savePreset(blend([new Seek({ target: { x: 1, y: 2, z: 3 } })])))
check(typeof copy.steer === 'function', 'a preset comes back')
const port = new Port({ carrier: rock, position: { x: 5, y: 0, z: 0 }, outward: { x: 1, y: 0, z: 0 } })
check(new Dock({ port }).ports.length === 1, 'a dock has a port')
check(new Formation({ spacing: 5, pattern: wedgePattern }).size === 0, 'a formation begins empty')
check(new WindFlow({ velocity: { x: 1, y: 0, z: 0 } }).velocity.x === 1, 'wind blows')
check(new Memory(1).data.length === 0 && seeded(1)() < 1 && typeof Pipeline === 'function', 'parts are there')
