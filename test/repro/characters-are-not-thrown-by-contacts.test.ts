import RAPIER from '@dimforge/rapier3d-compat'
import { expect, it } from 'vitest'
import { Seek, SteeringController, SteeringWorld, Walker } from 'three-steering'
import { rapierDoor } from 'three-steering/rapier'
import { v } from '../support/geometry.js'

/**
 * Rapier pushes a character away from what is nearer than the offset of its controller. The push was taken
 * for speed of the character, and added up: characters in a crowd were thrown at up to 21 m/s.
 */
it('characters that press against each other get no faster than they walk', async () => {
  await RAPIER.init()
  const { ColliderDesc, RigidBodyDesc } = RAPIER
  const world = new RAPIER.World(v(0, -9.81, 0))
  world.createCollider(ColliderDesc.cuboid(20, 1, 20).setTranslation(0, -1.92, 0))
  const feet = world.createCharacterController(0.01)
  feet.enableSnapToGround(0.3)
  const steering = new SteeringWorld()
  const door = rapierDoor(steering, world)
  // a ring that presses to its middle, and one there that wants to get out
  const places = [
    v(0, 0, 0),
    ...[0, 1, 2, 3, 4].map((k) => v(0.7 * Math.sin(1.25 * k), 0, 0.7 * Math.cos(1.25 * k))),
  ]
  const pilots = places.map((at, i) => {
    const body = world.createRigidBody(
      RigidBodyDesc.kinematicPositionBased().setTranslation(at.x, at.y, at.z),
    )
    const collider = world.createCollider(ColliderDesc.capsule(0.6, 0.3), body)
    const pilot = new SteeringController(null, {
      behavior: new Seek({ target: i === 0 ? v(9, 0, 0) : v(0, 0, 0) }),
      body: door.character(collider, feet, { mass: 70 }),
      maxSpeed: 1.4,
      maxForce: 350,
      maxTorque: 200,
      radius: 0.3,
      locomotion: new Walker(),
    })
    steering.add(pilot)
    return pilot
  })
  world.step()
  let fastest = 0
  for (let step = 0; step < 300; step++) {
    door.step()
    for (const { velocity } of pilots) fastest = Math.max(fastest, Math.hypot(velocity.x, velocity.z))
  }
  expect(fastest).toBeGreaterThan(0.1)
  expect(fastest).toBeLessThan(1.5)
})
