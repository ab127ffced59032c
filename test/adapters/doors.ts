import RAPIER from '@dimforge/rapier3d-compat'
import type { SteeringController } from 'three-steering'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import type { DoorUnderTest } from 'three-steering/door-tests'
import { rapierDoor } from 'three-steering/rapier'
import { cannonBehind } from '../../demo/snippets/door-under-test.js'
import { turned } from '../support/geometry.js'

/** Agents without a body, which the package integrates itself. */
export const noEngine: DoorUnderTest = {
  name: 'without an engine',
  features: ['inertiaFrame'],
  open: (steering, _gravity, timestep) => ({
    add: ({ position, quaternion, velocity, angularVelocity, mass, inertia, inertiaFrame }) => ({
      options: { position, quaternion, velocity, angularVelocity, mass, inertia, inertiaFrame },
      state: (controller) => controller,
      push({ x, y, z }, controller: SteeringController) {
        const { velocity: v } = controller
        controller.teleport({ velocity: { x: v.x + x / mass, y: v.y + y / mass, z: v.z + z / mass } })
      },
    }),
    step: () => steering.step(timestep),
    close() {},
  }),
}

export const cannonEngine = cannonBehind(
  (steering, world) => ({ body: cannonBody, close: attachToCannon(steering, world) }),
  'cannon-es',
)

/** Rapier must be loaded before: `await RAPIER.init()`. */
export const rapierEngine: DoorUnderTest = {
  name: 'Rapier',
  features: ['inertiaFrame', 'center', 'damping', 'sleep', 'engine'],
  open(steering, gravity, timestep) {
    const world = new RAPIER.World(gravity)
    world.timestep = timestep
    const door = rapierDoor(steering, world)
    return {
      add({ position: p, quaternion, velocity: v, angularVelocity, inertia, inertiaFrame, center, ...rest }) {
        const arm = turned(quaternion, center)
        const body = world.createRigidBody(
          RAPIER.RigidBodyDesc.dynamic()
            .setTranslation(p.x - arm.x, p.y - arm.y, p.z - arm.z)
            .setRotation(quaternion)
            .setLinvel(v.x, v.y, v.z)
            .setAngvel(angularVelocity)
            .setLinearDamping(rateOf(rest.linearDamping))
            .setAngularDamping(rateOf(rest.angularDamping))
            .setCanSleep(rest.canSleep)
            .setAdditionalMassProperties(rest.mass, center, inertia, inertiaFrame),
        )
        world.createCollider(RAPIER.ColliderDesc.ball(0.5).setDensity(0), body)
        body.recomputeMassPropertiesFromColliders()
        return {
          options: { body: door.body(body) },
          state: () => ({
            position: body.worldCom(),
            quaternion: body.rotation(),
            velocity: body.linvel(),
            angularVelocity: body.angvel(),
          }),
          push: (impulse) => body.applyImpulse(impulse, true),
          remove: () => world.removeRigidBody(body),
          isAsleep: () => body.isSleeping(),
        }
      },
      step: () => door.step(),
      close() {
        door.detach()
        world.free()
      },
    }
  },
}

/** Rapier's damping coefficient (1/s) for a fraction that is lost per second. */
function rateOf(fraction: number): number {
  return -Math.log1p(-fraction)
}
