import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, expect, it } from 'vitest'
import { Seek, SteeringController, SteeringWorld, Walker } from 'three-steering'
import { rapierDoor } from 'three-steering/rapier'
import { pick } from '../support/tier.js'

// Rapier moves a character along a slope, and so less far across the ground than was asked for. In each step
// this was taken from its speed, as if a wall had done it: 0.6 m/s of 3 m/s on 20° at 60 Hz, 0.1 m/s at 240
// Hz, where it did not climb stairs at all.

beforeAll(() => RAPIER.init())

/** Mean speed (m/s) across the ground in the last two of four seconds, on a slope (rad) or on stairs. */
function speedOn(tilt: number, dt: number, heading = 0): number {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 })
  world.timestep = dt
  const { ColliderDesc: Form, RigidBodyDesc: Kind } = RAPIER
  if (tilt > 0)
    world.createCollider(
      Form.cuboid(80, 1, 60)
        .setTranslation(Math.sin(tilt), -Math.cos(tilt), 0)
        .setRotation({ x: 0, y: 0, z: Math.sin(tilt / 2), w: Math.cos(tilt / 2) }),
    )
  else
    for (let i = 0; i < 30; i++)
      world.createCollider(Form.cuboid(20, 0.1, 8).setTranslation(20 + 0.4 * i - 0.4, 0.2 * i - 0.1, 0))
  const steering = new SteeringWorld()
  const door = rapierDoor(steering, world)
  const rigid = world.createRigidBody(
    Kind.kinematicPositionBased().setTranslation(0, 0.62 + 0.3 / Math.cos(tilt), 0),
  )
  const collider = world.createCollider(Form.capsule(0.6, 0.3), rigid)
  const feet = world.createCharacterController(0.01)
  feet.enableAutostep(0.4, 0.2, false)
  feet.enableSnapToGround(0.3)
  steering.add(
    new SteeringController(null, {
      body: door.character(collider, feet, { mass: 70 }),
      maxSpeed: 3,
      maxForce: 350,
      locomotion: new Walker(),
      behavior: new Seek({ target: { x: 100 * Math.cos(heading), y: 0, z: 100 * Math.sin(heading) } }),
    }),
  )
  for (let i = 0; i < 2 / dt; i++) door.step()
  const { x, z } = rigid.translation()
  for (let i = 0; i < 2 / dt; i++) door.step()
  const end = rigid.translation()
  return Math.hypot(end.x - x, end.z - z) / 2
}

it.each(pick([60], [30, 60, 144, 240]))('a character climbs slopes at its speed, at %i Hz', (rate) => {
  for (const degrees of [6, 20, 35])
    for (const heading of [0, Math.PI / 4]) {
      const tilt = (degrees * Math.PI) / 180
      const speed = speedOn(tilt, 1 / rate, heading)
      // 3 m/s along the slope, or across the ground
      expect(speed, `${degrees}°`).toBeGreaterThan(2.95 * Math.cos(tilt))
      expect(speed, `${degrees}°`).toBeLessThan(3.01)
    }
})

it.each(pick([144], [30, 60, 144, 240]))('and stairs, at %i Hz', (rate) => {
  expect(speedOn(0, 1 / rate)).toBeGreaterThan(1.8)
})
