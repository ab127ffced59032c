import type { WayLimits } from '../../core/types.js'
import { BRAKE_SHARE } from '../../core/control/profile.js'

// The numbers below are chosen by hand.

/** Curves of a way have this many times the least radius, to correct by. */
const WAY_RADII = 1.08
/** A metre astern costs so many ahead. */
const ASTERN_COST = 2
/** Share of its clearance from obstacles that a way keeps, where there is room for it. */
export const WAY_CLEARANCE = 0.5

export function makeWayLimits(): WayLimits {
  return { radius: 0.5, asternCost: 0.5, gear: 0, stop: 0.5, curve: 0.5, clearance: 0.5 }
}

/** What of a vehicle that rolls decides a way. SI units. */
export interface Rolling {
  turnRadius: number
  /** Whether it has a gear astern. */
  backs: boolean
  /** Speed along the nose, rate of turn (+ to the left), greatest deceleration, and lag of the brakes. */
  speed: number
  spin: number
  brake: number
  lag: number
}

/** Writes the limits of a way, all but its clearance. */
export function setWayLimits(out: WayLimits, { backs, brake, lag, speed, spin, turnRadius }: Rolling): void {
  out.radius = WAY_RADII * turnRadius
  out.asternCost = backs ? ASTERN_COST : Infinity
  out.gear = speed < 0 ? -1 : 1
  out.stop = (speed * speed) / (2 * BRAKE_SHARE * brake) + Math.abs(speed) * lag
  out.curve = speed === 0 ? 0 : spin / speed
}
