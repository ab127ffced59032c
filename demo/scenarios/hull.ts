import { Body, Box, Vec3 } from 'cannon-es'
import type { Berth } from './harbor.js'

/** Force (N) and torque (N·m) limits of a ship of 10 kg. */
export const LIMITS = { ahead: 90, astern: 55, up: 40, down: 40, port: 40, starboard: 40, torque: 110 }

/** Limits of a ship, with `up` for all four sides. N, N·m, m/s. */
export type Engines = Record<'ahead' | 'astern' | 'up' | 'maxTorque' | 'maxSpeed', number>

/** Data of a cannon-es `collide` event, whose own type is `any`. */
export interface Collision {
  readonly body: Body
  readonly contact: {
    readonly bi: Body
    readonly ri: Vec3
    getImpactVelocityAlongNormal(): number
  }
}

/** Body of the ship model with hull and wings, at rest in a berth with the nose outwards. */
export function makeHull(berth: Berth): Body {
  const body = new Body({ mass: 10, linearDamping: 0, angularDamping: 0 })
  body.addShape(new Box(new Vec3(0.75, 0.45, 2.3)))
  body.addShape(new Box(new Vec3(2.2, 0.12, 0.75)), new Vec3(0, -0.1, -1.1))
  body.position.copy(berth.position)
  body.quaternion.setFromVectors(new Vec3(0, 0, 1), berth.gate.vsub(berth.position).unit())
  return body
}
