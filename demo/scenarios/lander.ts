import { Body, Box, Vec3 } from 'cannon-es'
import type { Vec3 as Vector } from 'three-steering'
import type { SteeringBody } from 'three-steering/authoring'
import { cannonBody } from 'three-steering/cannon'

/** Height of the centre above the soles of the feet (m). */
export const FEET = 1.62

/**
 * Thrust (N) and torque (N·m) of a lander of 10 kg: a strong main engine at the bottom, weak jets in all
 * other directions.
 */
export const LANDER_THRUST = { up: 36, down: 9, ahead: 7, astern: 7, port: 7, starboard: 7 }
export const LANDER_TORQUE = 9

export function buildLander(): Body {
  const body = new Body({ mass: 10, linearDamping: 0, angularDamping: 0, allowSleep: false })
  body.addShape(new Box(new Vec3(0.85, 0.75, 0.85)))
  // the feet, down to the soles
  body.addShape(new Box(new Vec3(1.35, 0.08, 1.35)), new Vec3(0, 0.08 - FEET, 0))
  return body
}

/** A steering body with a gravity that the physics world does not have. `weighs` writes it (m/s²). */
export function weighingBody(body: Body, writeGravity: (out: Vector, body: Body) => void): SteeringBody {
  const steeringBody = cannonBody(body)
  return {
    ...steeringBody,
    read: (out) => {
      steeringBody.read(out)
      writeGravity(out.gravity, body)
    },
  }
}
