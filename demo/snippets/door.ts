import type { Body, World } from 'cannon-es'
import type { SteeringWorld } from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'

export interface Door {
  /** Connects an agent to a body. */
  body(body: Body): SteeringBody
  close(): void
}

/** Lets a world of cannon-es make the steps. */
export function openDoor(steering: SteeringWorld, world: World): Door {
  // the engine calls the subsystem in each of its steps, before it solves contacts
  const driver = steering.drive()
  world.subsystems.push({ update: () => driver.step(world.dt) })
  const connect = (body: Body): SteeringBody => ({
    // the mark: one controller per body; `isSteered(body)` tells which bodies are no obstacles
    engineBody: body,
    radius: body.boundingRadius,
    // an agent whose body is in no world is not steered, and not seen
    isThere: () => body.world !== null,
    read(out) {
      const { invInertia, position, quaternion, velocity, angularVelocity } = body
      for (const axis of ['x', 'y', 'z'] as const) {
        out.position[axis] = position[axis] // of the centre of mass
        out.quaternion[axis] = quaternion[axis]
        out.velocity[axis] = velocity[axis]
        out.angularVelocity[axis] = angularVelocity[axis]
        out.inertia[axis] = invInertia[axis] > 0 ? 1 / invInertia[axis] : 0
        out.gravity[axis] = world.gravity[axis]
      }
      out.quaternion.w = quaternion.w
      out.mass = body.mass
      out.linearDamping = body.linearDamping // as the fraction that is lost in a second
      out.angularDamping = body.angularDamping
    },
    apply({ force, torque }) {
      // cannon-es clears both after each step; a zero must not wake a body
      if (Math.hypot(force.x, force.y, force.z, torque.x, torque.y, torque.z) === 0) return
      body.wakeUp()
      body.force.set(body.force.x + force.x, body.force.y + force.y, body.force.z + force.z)
      body.torque.set(body.torque.x + torque.x, body.torque.y + torque.y, body.torque.z + torque.z)
    },
  })
  return { body: connect, close: () => driver.release() }
}
