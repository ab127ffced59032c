import { Body, Box, Quaternion, Sphere, Vec3 } from 'cannon-es'
import { Port, portAxes } from 'three-steering/docking'
import { GROUND_HIGH, GROUND_LOW, PAD_LEVEL, PAD_RADIUS, padNorth, PADS } from './asteroid-land.js'
import { times } from './vectors.js'

/** Rotation of the asteroid about its axis (rad/s). */
const SPIN = 0.024
const AXIS = new Vec3(0.12, 0.97, 0.22).unit()

/** Length of the lit approach corridor above a pad (m). */
export const DESCENT = 14

/** A rotating asteroid with a deck under each pad. */
export function buildAsteroid(): Body {
  const body = new Body({ type: Body.KINEMATIC, mass: 0, shape: new Sphere(GROUND_LOW) })
  for (const { x, y, z } of PADS) {
    const half = new Vec3(PAD_RADIUS, 0.5, PAD_RADIUS)
    const place = new Vec3(x, y, z).scale(PAD_LEVEL - 0.5)
    const turn = new Quaternion().setFromVectors(new Vec3(0, 1, 0), new Vec3(x, y, z))
    body.addShape(new Box(half), place, turn)
  }
  AXIS.scale(SPIN, body.angularVelocity)
  return body
}

/** The landing port on pad `index`. */
export function padPort(asteroid: Body, index: number): Port {
  return new Port({
    carrier: asteroid,
    position: portAxes(times(PADS[index]!, PAD_LEVEL)),
    outward: portAxes(PADS[index]!),
    up: portAxes(padNorth(index)),
    corridor: DESCENT,
    corridorRadius: 3,
    clearance: GROUND_HIGH + 2,
    holdingDistance: 2 * DESCENT,
    spacing: 9,
  })
}
