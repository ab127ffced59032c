import RAPIER from '@dimforge/rapier3d-compat'
import * as CANNON from 'cannon-es'
import type { SteeringController, SteeringWorld } from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'
import { attachToCannon, cannonBody } from 'three-steering/cannon'
import type { DoorUnderTest } from 'three-steering/door-tests'
import { rapierDoor } from 'three-steering/rapier'
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

/** A door to cannon-es. */
type CannonDoor = (
  steering: SteeringWorld,
  world: CANNON.World,
) => { body(body: CANNON.Body): SteeringBody; close(): void }

const packageDoor: CannonDoor = (steering, world) => ({
  body: cannonBody,
  close: attachToCannon(steering, world),
})

/** A world of cannon-es behind this door. */
export const cannonEngineWith = (openDoor: CannonDoor, name = 'cannon-es'): DoorUnderTest => ({
  name,
  features: ['damping', 'sleep', 'engine'],
  open(steering, { x, y, z }, timestep) {
    const world = new CANNON.World({ gravity: new CANNON.Vec3(x, y, z), allowSleep: true })
    const door = openDoor(steering, world)
    return {
      add({ position: p, quaternion: q, velocity: v, angularVelocity: w, inertia, canSleep, ...rest }) {
        const body = new CANNON.Body({
          mass: rest.mass,
          position: new CANNON.Vec3(p.x, p.y, p.z),
          quaternion: new CANNON.Quaternion(q.x, q.y, q.z, q.w),
          velocity: new CANNON.Vec3(v.x, v.y, v.z),
          angularVelocity: new CANNON.Vec3(w.x, w.y, w.z),
          linearDamping: rest.linearDamping,
          angularDamping: rest.angularDamping,
          allowSleep: canSleep,
          shape: new CANNON.Sphere(0.5),
        })
        body.inertia.set(inertia.x, inertia.y, inertia.z)
        body.invInertia.set(1 / inertia.x, 1 / inertia.y, 1 / inertia.z)
        body.updateInertiaWorld(true)
        world.addBody(body)
        return {
          options: { body: door.body(body) },
          state: () => body,
          push: (impulse) => body.applyImpulse(new CANNON.Vec3(impulse.x, impulse.y, impulse.z)),
          remove: () => world.removeBody(body),
          isAsleep: () => body.sleepState === CANNON.Body.SLEEPING,
        }
      },
      step: () => world.step(timestep),
      close: () => door.close(),
    }
  },
})

export const cannonEngine = cannonEngineWith(packageDoor)

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
