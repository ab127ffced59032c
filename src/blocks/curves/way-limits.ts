import type { Agent, Vec3Like, WayLimits } from '../../core/types.js'
import { BRAKE_SHARE } from '../../core/control/profile.js'
import { dot } from '../../core/math/vec3.js'

// The numbers below are chosen by hand.

/** Curves of a way have this many times the least radius, to correct by. */
const WAY_RADII = 1.08
/** A metre astern costs as much as this many ahead. Larger: ways go astern less. */
const ASTERN_COST = 2
/** Share of its clearance from obstacles that a way keeps, where there is room for it. */
export const WAY_CLEARANCE = 0.5

export function makeWayLimits(): WayLimits {
  return { radius: 0.5, asternCost: 0.5, gear: 0, stop: 0.5, curve: 0.5, clearance: 0.5 }
}

/**
 * Writes the limits of a way, all but its clearance, of an agent with this nose on ground with the unit
 * normal `up`: its least turn radius (m), whether it has a gear astern, its greatest deceleration (m/s²), and
 * the lag of its brakes (s).
 */
export function setWayLimits(
  out: WayLimits,
  { angularVelocity, velocity }: Agent,
  nose: Vec3Like,
  up: Vec3Like,
  turnRadius: number,
  backs: boolean,
  brake: number,
  lag: number,
): void {
  const speed = dot(velocity, nose)
  out.radius = WAY_RADII * turnRadius
  out.asternCost = backs ? ASTERN_COST : Infinity
  out.gear = speed < 0 ? -1 : 1
  out.stop = (speed * speed) / (2 * BRAKE_SHARE * brake) + Math.abs(speed) * lag
  out.curve = speed === 0 ? 0 : dot(angularVelocity, up) / speed
}
