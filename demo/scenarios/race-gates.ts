import type { Gate } from 'three-steering/racing'
import { minus, unit, vec } from './vectors.js'

/** Inner radius of a gate, and radius of its tube (m). */
const GATE_RADIUS = 12
export const RIM = 0.8
/** A torus knot: three turns around the tube while two around the axis. Radii of the torus (m). */
const ROUND = 84
const TUBE = 40

export const RACE_GATES = 14

/** Point of the knot at an angle of 0 … 2π (m). */
function knot(angle: number): ReturnType<typeof vec> {
  const reach = ROUND + TUBE * Math.cos(3 * angle)
  return vec(reach * Math.cos(2 * angle), TUBE * Math.sin(3 * angle), reach * Math.sin(2 * angle))
}

export const GATES: readonly Gate[] = Array.from({ length: RACE_GATES }, (_, k) => {
  const angle = (2 * Math.PI * (k + 0.35)) / RACE_GATES
  return {
    position: knot(angle),
    heading: unit(minus(knot(angle + 1e-4), knot(angle - 1e-4))),
    radius: GATE_RADIUS,
  }
})
