import type { Agent, ObstacleQuery } from '../../core/types.js'
import { Saved } from '../../core/control/serialize-fields.js'
import { dot, vec3 } from '../../core/math/vec3.js'
import { WAY_CLEARANCE } from '../curves/way-limits.js'
import { BRAKE_SHARE } from '../../core/control/profile.js'
import type { VehicleLimits } from '../curves/vehicle-limits.js'
import type { DirectedPath } from './directed-path.js'

// The numbers below are chosen by hand.

/**
 * The path is tested in chords of this many radii, the least of its curves or that of its hull: a vehicle
 * that aims so far ahead cuts its bends.
 */
const CHORD_RADII = 1
/** One chord begins this many radii behind the other. Smaller: a closer test, at more cost. */
const STEP_RADII = 0.5
/** The path is known this many radii farther than the vehicle needs to stop. Larger: earlier ways. */
const AHEAD_RADII = 2
/** Chords in a row that are free where a stretch ends. More: it comes out of it straighter. */
const FREE_CHORDS = 2
/** Most chords of a stretch. More: longer ones are passed, at more cost. */
const MOST_CHORDS = 200
/** A chord is straight where the path turns by less than this along it (cosine). */
const STRAIGHT_COSINE = 0.99

interface Line {
  readonly path: DirectedPath
  readonly limits: VehicleLimits
  readonly map: ObstacleQuery | null
}

const from = vec3()
const to = vec3()
const tangent = vec3()
const tangentAhead = vec3()

/**
 * Finds the stretches of its path that are not free for an agent: obstacles are on them, or a vehicle on
 * wheels cuts their bends or is too wide for them. It goes to the free place behind one by another way.
 */
export class BlockedStretch extends Saved {
  /** Station (m) up to which its path is known, and that of the free place behind a blocked stretch. */
  // (fractions as first values: V8 then keeps the fields as doubles from the start)
  private known = 0.5
  private end = 0.5

  /** Knows nothing of the path from the station `u` (m) on. */
  begin(u: number): void {
    this.known = this.end = u
  }

  /** Station (m) of the free place behind a blocked stretch ahead of the agent, at `u`; `u` for none. */
  behind(agent: Agent, { limits, map, path }: Line, u: number): number {
    if (map === null) return u
    const size = Math.max(limits.leastRadius, agent.radius)
    const stop = (agent.speed * agent.speed) / (2 * BRAKE_SHARE * limits.brake)
    const last = Math.min(u + stop + AHEAD_RADII * size, path.end)
    let s = Math.max(this.known, u)
    let chords = 0
    let free = FREE_CHORDS
    // A blocked stretch is looked at as a whole. A chord that begins in a large obstacle counts as free: the
    // place behind it is then the nearest one outside, to which a vehicle on wheels finds its way.
    for (; s < last || free < FREE_CHORDS; s += STEP_RADII * size) {
      if (s >= path.end || chords++ === MOST_CHORDS) break
      path.pointAt(from, s)
      const end = Math.min(s + CHORD_RADII * size, path.end)
      path.pointAt(to, end)
      // it does not drive bends exactly
      const isBent = dot(path.tangentAt(tangent, s), path.tangentAt(tangentAhead, end)) < STRAIGHT_COSINE
      const isFree = map.isPathFree(from, to, isBent ? WAY_CLEARANCE : 0)
      if (!isFree || (!(limits.leastRadius > 0) && map.contains(to))) free = 0
      else if (++free === FREE_CHORDS) this.end = s + CHORD_RADII * size
    }
    this.known = s
    return Math.max(this.end, u)
  }

  /** Whether an agent at the station `u` (m) goes round one. */
  isAhead(u: number): boolean {
    return this.end > u
  }

  /** The agent, at the station `u` (m), is past it. */
  pass(u: number): void {
    this.end = u
  }
}
