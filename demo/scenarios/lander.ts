import { Body, Box, Vec3 } from 'cannon-es'
import type { SteeringBody, Vec3 as Vector } from 'three-steering'
import { cannonBody } from 'three-steering/cannon'

/** Soles of the feet under the middle, m. */
export const FEET = 1.62

/** Thrust of a lander of 10 kg, N, and torque, N·m: one strong engine in its belly, and jets that are weak everywhere else. */
export const LANDER_THRUST = { up: 36, down: 9, ahead: 7, astern: 7, port: 7, starboard: 7 }
export const LANDER_TORQUE = 9

export function buildLander(): Body {
  const body = new Body({ mass: 10, linearDamping: 0, angularDamping: 0, allowSleep: false })
  body.addShape(new Box(new Vec3(0.85, 0.75, 0.85)))
  // the feet, down to their soles
  body.addShape(new Box(new Vec3(1.35, 0.08, 1.35)), new Vec3(0, 0.08 - FEET, 0))
  return body
}

/** A body that knows of a pull which the world of the engine does not: `weighs` writes it, m/s². */
export function weighingBody(body: Body, weighs: (out: Vector, body: Body) => void): SteeringBody {
  const door = cannonBody(body)
  return {
    ...door,
    read: (out) => {
      door.read(out)
      weighs(out.gravity, body)
    },
  }
}
