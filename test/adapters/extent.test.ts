import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import { beforeAll, expect, it } from 'vitest'
import { SteeringWorld } from 'three-steering'
import type { BodyState, SteeringBody } from 'three-steering/authoring'
import { cannonBody } from 'three-steering/cannon'
import { rapierDoor } from 'three-steering/rapier'
import { v } from '../support/geometry.js'

beforeAll(() => RAPIER.init())

// two boxes, one on the other: from 0.5 below the centre of mass to 1 above it, turned by 90° about z

const turn = { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 }

function ofCannon(): SteeringBody {
  const body = new CANNON.Body({ mass: 10 })
  body.addShape(new CANNON.Box(new CANNON.Vec3(1, 0.5, 2)))
  body.addShape(new CANNON.Box(new CANNON.Vec3(0.2, 0.25, 0.2)), new CANNON.Vec3(0, 0.75, 0))
  body.quaternion.set(turn.x, turn.y, turn.z, turn.w)
  new CANNON.World().addBody(body)
  return cannonBody(body)
}

function ofRapier(): SteeringBody {
  const world = new RAPIER.World(v(0, 0, 0))
  const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setRotation(turn))
  world.createCollider(RAPIER.ColliderDesc.cuboid(1, 0.5, 2).setMass(10), body)
  const upper = RAPIER.ColliderDesc.roundCuboid(0.15, 0.2, 0.15, 0.05).setTranslation(0, 0.75, 0)
  world.createCollider(upper.setMass(0), body)
  world.step()
  const own = rapierDoor(new SteeringWorld(), world).body(body)
  own.read(state())
  return own
}

const state = (): BodyState => ({
  position: v(0, 0, 0),
  velocity: v(0, 0, 0),
  angularVelocity: v(0, 0, 0),
  center: v(0, 0, 0),
  inertia: v(1, 1, 1),
  gravity: v(0, 0, 0),
  plane: v(0, 0, 0),
  axis: v(0, 0, 0),
  mass: 1,
  quaternion: { ...turn },
  inertiaFrame: { ...turn },
  linearDamping: 0,
  angularDamping: 0,
})

it.each([
  ['cannon', ofCannon],
  ['Rapier', ofRapier],
] as const)('a body of %s knows how far it reaches', (_, make) => {
  const body = make()
  for (const [direction, extent] of [
    [v(0, 1, 0), 1],
    [v(-1, 0, 0), 1],
    [v(1, 0, 0), 0.5],
    [v(0, 0, -1), 2],
  ] as const)
    expect(body.extent!(direction)).toBeCloseTo(extent, 5)
})

it('and so does a character', () => {
  const world = new RAPIER.World(v(0, 0, 0))
  const carrier = world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased())
  const collider = world.createCollider(RAPIER.ColliderDesc.capsule(0.6, 0.3), carrier)
  const feet = world.createCharacterController(0.01)
  const body = rapierDoor(new SteeringWorld(), world).character(collider, feet)
  expect(body.extent!(v(0, 1, 0))).toBeCloseTo(0.9, 5)
  expect(body.extent!(v(1, 0, 0))).toBeCloseTo(0.3, 5)
})
