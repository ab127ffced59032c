import * as CANNON from 'cannon-es'
import type { DoorUnderTest } from 'three-steering/door-tests'
import type { openDoor } from './door.js'

/** Says how to open a world of the engine behind the door, add a body, and make a step. */
export const cannonBehind = (open: typeof openDoor, name: string): DoorUnderTest => ({
  name,
  features: ['damping', 'sleep', 'engine'],
  open(steering, { x, y, z }, timestep) {
    const world = new CANNON.World({ gravity: new CANNON.Vec3(x, y, z), allowSleep: true })
    const door = open(steering, world)
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
        // cannon-es computes the moments from the shapes; the tests want others
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
