import RAPIER from '@dimforge/rapier3d-compat'
import type { SteeringWorld } from 'three-steering'
import { latch, rapierDoor } from 'three-steering/rapier'
import type { Physics, Solid } from './small-game.js'

/** Call `await RAPIER.init()` before. */
export function rapierPhysics(steering: SteeringWorld): Physics {
  const world = new RAPIER.World({ x: 0, y: 0, z: 0 })
  const bodies = new Map<Solid, RAPIER.RigidBody>()
  const door = rapierDoor(steering, world)
  return {
    ball({ x, y, z }, radius, mass, spin = 0) {
      const kind = mass > 0 ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.fixed()
      const body = world.createRigidBody(kind.setTranslation(x, y, z).setAngvel({ x: 0, y: spin, z: 0 }))
      world.createCollider(RAPIER.ColliderDesc.ball(radius).setMass(mass), body)
      const solid: Solid = {
        frame: door.frame(body),
        get body() {
          return door.body(body)
        },
        show: (shown) => body.setEnabled(shown),
        state: () =>
          [body.translation(), body.linvel(), body.rotation(), body.angvel()].flatMap((vector) =>
            Object.values(vector),
          ),
        restore([px, py, pz, vx, vy, vz, qx, qy, qz, qw, wx, wy, wz]) {
          body.setTranslation({ x: px!, y: py!, z: pz! }, true)
          body.setLinvel({ x: vx!, y: vy!, z: vz! }, true)
          body.setRotation({ x: qx!, y: qy!, z: qz!, w: qw! }, true)
          body.setAngvel({ x: wx!, y: wy!, z: wz! }, true)
        },
      }
      bodies.set(solid, body)
      return solid
    },
    latch: (ship, station) => latch(world, bodies.get(ship)!, bodies.get(station)!, RAPIER.JointData),
    step: () => door.step(),
  }
}
