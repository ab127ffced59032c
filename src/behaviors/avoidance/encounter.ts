import type { Agent, Step, Vec3 } from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import { closestApproach } from '../../math/approach.js'
import { clamp } from '../../math/scalar.js'
import { addScaled, copy, cross, dot, length, lengthSq } from '../../math/vec3.js'
import { normalize, perpendicular, reject, scale, set, vec3 } from '../../math/vec3.js'

/**
 * Side that is added to every miss, as a share of the room: two that would hit dead centre both turn to it. Larger turns those the
 * longer way that would pass on their other sides.
 */
const BIAS = 0.05

/** Share of a wanted change of velocity that goes into speed alone, and how much of that the last tie decides. */
const PACE = 0.5
const TIE = 0.25

/**
 * What agent and neighbour come to when both fly straight. All but `time` and `room` are seen from the agent: seen from the
 * other end they are the same with opposite signs, bit for bit, so that both decide alike without asking.
 */
export class Encounter {
  /**
   * Of the closest approach, s from now; Infinity when they are never closer than now. Where one is larger, of the moment at which the smaller one
   * touches its surface from inside, if that comes first.
   */
  time = Infinity
  /** Distance of the centres at which they pass, m. */
  room = 0
  /** From the other one to the agent, at the closest approach, m. */
  readonly miss: Vec3 = vec3()
  /** Velocity of the agent relative to the other one, m/s. */
  private readonly drift: Vec3 = vec3()
  private readonly gap: Vec3 = vec3()
  /** Sum of both velocities over that of both speeds: 1 long when abreast, 0 head-on at equal speed. The same from both ends. */
  private readonly common: Vec3 = vec3()
  private readonly path: Vec3 = vec3()
  private readonly side: Vec3 = vec3()
  /** By how much more speed the agent has to spare, as a share of the higher top speed; −1 … 1. */
  private spare = 0

  /** Meets the neighbour in `row`. */
  meet(agent: Agent, row: number): number {
    const { position, velocity, radius } = agent
    const neighbors = neighborsOf(agent)
    const { gap, drift } = this
    const { position: p, velocity: v } = neighbors
    const o = 3 * row
    set(gap, position.x - p[o]!, position.y - p[o + 1]!, position.z - p[o + 2]!)
    set(drift, velocity.x - v[o]!, velocity.y - v[o + 1]!, velocity.z - v[o + 2]!)
    this.time = closestApproach(this.miss, gap, drift)
    const core = Math.abs(neighbors.radius(row) - radius)
    const deep = core * core - lengthSq(this.miss)
    if (deep > 0 && this.time < Infinity)
      this.time = Math.max(0, this.time - Math.sqrt(deep / lengthSq(drift)))
    return this.time
  }

  /** Writes the unit direction in which the agent gives way to the neighbour in `row`, which it must have met. */
  part(agent: Agent, { up }: Step, row: number, out: Vec3): void {
    const { common, drift, path, side } = this
    const { velocity } = agent
    const { velocity: v } = neighborsOf(agent)
    const o = 3 * row
    const pace = length(set(side, v[o]!, v[o + 1]!, v[o + 2]!))
    this.spare = spareLead(agent, neighborsOf(agent).maxSpeed(row), pace)
    set(common, velocity.x + side.x, velocity.y + side.y, velocity.z + side.z)
    scale(common, common, 1 / (agent.speed + pace))
    scale(out, this.miss, 1 / this.room)
    // speed helps as far as the common way lies across the path on which they meet
    normalize(path, drift)
    addScaled(out, out, reject(side, common, path), this.spare / 2)
    normalize(side, cross(side, path, up))
    if (lengthSq(side) === 0) perpendicular(side, path)
    addScaled(out, out, side, BIAS)
    normalize(out, out)
    if (lengthSq(out) === 0) copy(out, side)
  }

  /** How much farther (m) along the unit direction `away` they must pass to have room. */
  lack(away: Vec3): number {
    const { miss, room } = this
    const along = dot(miss, away)
    return Math.sqrt(Math.max(0, along * along + room * room - lengthSq(miss))) - along
  }

  /**
   * Scales the unit direction `away` to the change of velocity `much` (m/s), and adds what goes into speed alone: faster for who is
   * ahead in their common way when they pass or has more to spare, slower for the other one; never beyond full speed, nor backwards.
   */
  change(agent: Agent, row: number, away: Vec3, much: number): void {
    const { common, path, spare } = this
    const { speed, velocity, maxSpeed, seed } = agent
    const neighbors = neighborsOf(agent)
    const last = TIE * Math.sign(neighbors.seed[row]! - seed)
    const role = clamp(2 * dot(away, common) + 2 * spare + last, -1, 1)
    scale(away, away, much)
    if (!(speed > 0)) return
    normalize(path, velocity)
    const along = dot(away, path)
    const allowed = clamp(along + PACE * much * role, -speed, Math.max(0, maxSpeed - speed))
    addScaled(away, away, path, allowed - along)
  }
}

/** By how much more speed the agent has to spare than one of `top` speed at `pace` (m/s), as a share of the higher top speed. */
function spareLead({ maxSpeed, speed }: Agent, top: number, pace: number): number {
  if (maxSpeed === Infinity || top === Infinity)
    return Number(maxSpeed === Infinity) - Number(top === Infinity)
  return (Math.max(0, maxSpeed - speed) - Math.max(0, top - pace)) / Math.max(maxSpeed, top)
}
