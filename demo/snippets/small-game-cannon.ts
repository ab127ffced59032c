import * as CANNON from 'cannon-es'
import type { SteeringWorld } from 'three-steering'
import { attachToCannon, cannonBody, latch } from 'three-steering/cannon'
import type { Physics, Solid } from './small-game.js'

export function cannonPhysics(steering: SteeringWorld): Physics {
  const world = new CANNON.World({ gravity: new CANNON.Vec3(0, 0, 0) })
  const bodies = new Map<Solid, CANNON.Body>()
  attachToCannon(steering, world)
  return {
    ball({ x, y, z }, radius, mass, spin = 0) {
      const body = new CANNON.Body({
        mass,
        shape: new CANNON.Sphere(radius),
        position: new CANNON.Vec3(x, y, z),
      })
      body.angularVelocity.set(0, spin, 0)
      body.linearDamping = body.angularDamping = 0
      world.addBody(body)
      const { position, velocity, quaternion, angularVelocity } = body
      const solid: Solid = {
        frame: body,
        get body() {
          return cannonBody(body)
        },
        show: (shown) => (shown ? world.addBody(body) : world.removeBody(body)),
        state: () => [position, velocity, quaternion, angularVelocity].flatMap((vector) => vector.toArray()),
        restore([px, py, pz, vx, vy, vz, qx, qy, qz, qw, wx, wy, wz]) {
          position.set(px!, py!, pz!)
          velocity.set(vx!, vy!, vz!)
          quaternion.set(qx!, qy!, qz!, qw!)
          angularVelocity.set(wx!, wy!, wz!)
        },
      }
      bodies.set(solid, body)
      return solid
    },
    latch: (ship, station) => latch(world, bodies.get(ship)!, bodies.get(station)!, CANNON.LockConstraint),
    step: () => world.step(1 / 60),
  }
}
