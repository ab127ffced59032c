import type { Agent, Step, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { ObstacleFilter, ObstacleSet } from '../obstacles/obstacle-layers.js'
import type { Obstacles } from '../obstacles/obstacles.js'
import type { SweptBall } from '../obstacles/shape.js'
import { sweptBall } from '../obstacles/sweep.js'
import { isRolling } from '../control/wish.js'
import { unrotate } from '../math/quat.js'
import { addScaled, copy, dot, isZero, length, normalize, reject, scale, sub, vec3 } from '../math/vec3.js'

/** True for obstacles that an agent ignores: the dock that it flies to, its carrier, its own formation. */
export type AgentObstacleFilter = (obstacle: Obstacle, agent: Agent) => boolean

// The numbers below are chosen by hand unless they say otherwise.

/** An edge lower than this share of the radius is no step: bodies sink in a little. */
const LEAST_RISE = 0.02
/** A surface whose normal has less than this share upwards hangs over. */
const OVERHANG = -0.1
/** A surface is level where its normal has less than this share along the ground. */
const LEVEL = 1e-3
/** A floor that is less steep than this (rad) is level to an agent that cannot climb. */
const LEAST_SLOPE = 0.05
/** A direction out of an obstacle with at most this share along the vertical is level. */
const SLANT = 1e-6
/** The ball of an agent that avoids the ground is never this much nearer to it, in radii. */
const SUNK = 0.9
/** What contains the centre deeper than this share of the radius carries nothing. */
const DEEPEST = 0.5
/** The ground is looked for in front of a contact at this share of the radius. */
const FRONT = 0.01
/** The ground under an agent is looked for down to this many radii. */
const DEPTH = 10
/** An up direction with less than this share across the plane or line of the agent is none. */
const UPRIGHT = 0.1
/** A ball is lifted off the ground by this share of its radius more than needed. */
const LIFT = 0.01
/** Distance between two looks at the ground ahead, as a share of the radius. Larger: wider gaps go unseen. */
const STRIDE = 0.5
/** A character stands where the ground is no more radii below its centre. */
const SLIM = 4
/** Most looks at the ground in one direction. More: edges are seen from farther away. */
const LOOKS = 64
/** Halvings of a stride that find an edge on it. */
const HALVINGS = 5
/** Halvings that find where the top of a convex body ends. */
const BISECTIONS = 12
/** Most slopes that one sweep follows. */
const SLOPES = 8
/** Most steps that it passes. */
const STEPS = 16

const normal = vec3()
const side = vec3()
const inwards = vec3()
const front = vec3()
const behind = vec3()
const raised = vec3()
const touched = vec3()
const place = vec3()
const course = vec3()
const ray = sweptBall<Obstacle>()
/** A look at the ground: numbers that are passed to a method may be boxed. */
const looking = { way: 0.5, before: 0.5, fall: 0.5, drop: 0.5, top: 0.5, range: 0.5 }

/**
 * What carries an agent is no obstacle to it: the obstacles as seen by an agent that is bound to the ground,
 * by its `plane`, its locomotion, its body, or its weight while it touches the ground. Where its ball meets
 * an obstacle, the height of the obstacle a little behind the contact is compared with the ground in front of
 * it. If it rises there by no more than `stepHeight`, and no more steeply than `maxSlope`, the agent stands
 * on it or can walk over it, and so it does not count: a floor, a slope, a step, whatever its form. All else
 * is a wall. For an agent that flies, nothing changes.
 */
export class Footing {
  isBound = false
  /** Whether it has no plane, stands on the ground, and cannot rise from it. */
  isHeavy = false
  /** The normal of the ground, while something carries it. */
  readonly ground: Vec3 = vec3()
  readonly up: Vec3 = vec3()
  private readonly down: Vec3 = vec3()
  /** Whether a plane keeps it at its height. */
  private isFlat = false
  private readonly position: Vec3 = vec3()
  private obstacles: Obstacles | null = null
  private agent: Agent | null = null
  private step: Step | null = null
  private tick = -1
  private id = -1
  private filter: AgentObstacleFilter | undefined
  private ignore: ObstacleFilter | undefined
  private readonly isFiltered: ObstacleFilter = (obstacle) => this.filter!(obstacle, this.agent!)
  /** Whether an obstacle is ignored by the filter, or because all of it is under the agent or above it. */
  readonly ignores: AgentObstacleFilter = (obstacle, agent) =>
    this.filter?.(obstacle, agent) === true || this.isClear(obstacle)
  /** The same for a behaviour that cannot tell what is wall of an obstacle from what carries the agent. */
  readonly ignoresAll: AgentObstacleFilter = (obstacle, agent) =>
    this.ignores(obstacle, agent) || this.carries(obstacle)
  /** Of the agent, and of the ball that it keeps clear, m. */
  private radius = 0.5
  private reach = 0.5
  /** Height (m) of its head above its centre. */
  private head = 0.5
  /** A surface may rise by `rise` (m) within `tread` (m), and so on. */
  private rise = 0.5
  private tread = 0.5
  /** Cosine of the steepest slope that it goes up. */
  private steepest = 0.5
  /** Height of the ground under the agent, seen from its centre, m; −Infinity where there is none. */
  private foot = 0.5
  /** What is there. */
  private base: Obstacle | null = null
  /** Whether the centre is beyond the edge of that. */
  private hangs = false
  /** Of the last look at the ground: its height, seen from the centre of the agent, m, and what is there. */
  private height = 0.5
  private below: Obstacle | null = null
  /** Distance (m) of the edge that was found last. */
  edge = 0.5
  /** Drops deeper than this (m) are edges. */
  maxDrop = 0.5
  /** The obstacles that carry the agent. */
  private readonly carriers: Obstacle[] = []
  private carrierCount = 0
  private readonly passed: Obstacle[] = []
  private passedCount = 0
  private readonly found: Obstacle[] = []
  private readonly ball = sweptBall<Obstacle>()
  private outerIgnore: ObstacleFilter | undefined
  private readonly isPassed: ObstacleFilter = (obstacle) =>
    isAmong(this.passed, this.passedCount, obstacle) || this.outerIgnore?.(obstacle) === true

  /** `reach` (m): radius of the ball that the agent keeps clear of `obstacles`. */
  begin(agent: Agent, step: Step, obstacles: Obstacles, reach: number, filter?: AgentObstacleFilter): void {
    const { axis, plane, position, radius } = agent
    if (this.isKnown(agent, step, obstacles, reach, filter)) return
    this.isBound = this.isHeavy = false
    this.step = step
    this.tick = step.tick
    this.id = agent.id
    this.obstacles = obstacles
    this.reach = reach
    copy(this.position, position)
    this.agent = agent
    this.filter = filter
    this.ignore = filter === undefined ? undefined : this.isFiltered
    this.isFlat = !isZero(plane)
    if (this.isFlat) scale(this.up, plane, dot(plane, step.up) < 0 ? -1 : 1)
    else if (!this.findUp(agent, step)) return
    scale(this.down, this.up, -1)
    this.isBound = true
    this.radius = radius
    this.head = (agent.extent?.(this.up) ?? radius) + LIFT * radius
    this.steepest = Math.cos(Math.max(agent.maxSlope, LEAST_SLOPE))
    this.rise = Math.max(agent.stepHeight, LEAST_RISE * radius)
    this.tread = Math.min(((1 - LIFT) * this.rise) / Math.tan(agent.maxSlope), radius)
    // at once: the filter of a query must not ask the set again
    this.findFoot()
    if (!this.isFlat && isZero(axis)) this.isBound = this.stands(agent)
    this.findCarriers()
  }

  /** Whether it has begun with the same agent, where it is, in this step. */
  private isKnown(
    { id, position }: Agent,
    step: Step,
    obstacles: Obstacles,
    reach: number,
    filter: AgentObstacleFilter | undefined,
  ): boolean {
    const { x, y, z } = this.position
    return (
      id === this.id &&
      step === this.step &&
      step.tick === this.tick &&
      obstacles === this.obstacles &&
      reach === this.reach &&
      filter === this.filter &&
      x === position.x &&
      y === position.y &&
      z === position.z
    )
  }

  /** For an agent without a plane: the direction across its line, or against its weight. False for none. */
  private findUp({ axis, compensateGravity, gravity, maxSlope }: Agent, step: Step): boolean {
    const { up } = this
    if (!isZero(axis)) {
      reject(up, step.up, axis)
      if (!(length(up) > UPRIGHT)) return false
    } else if (compensateGravity || isZero(gravity) || maxSlope === 0) return false
    else scale(up, gravity, -1)
    normalize(up, up)
    return true
  }

  /**
   * Whether an agent without a plane stands on the ground: it touches it and cannot rise, or its ball reaches
   * farther into it than that of one that flies and avoids it.
   */
  private stands(agent: Agent): boolean {
    const { foot, radius, reach, rise, up } = this
    const weight = agent.mass * length(agent.gravity)
    this.isHeavy = agent.forceAlong(up.x, up.y, up.z) < weight
    return foot > (this.isHeavy ? -(reach + rise) : -SUNK * radius)
  }

  /**
   * Whether it cannot leave an obstacle in this direction (unit): into the ground, or up out of a plane. One
   * that rolls may come to the top by a ramp.
   */
  cannotLeave(direction: Vec3Like): boolean {
    if (!this.isBound || isRolling(this.agent!)) return false
    const rise = dot(direction, this.up)
    return rise < -SLANT || (this.isFlat && rise > SLANT)
  }

  /** Whether the agent stands on an obstacle, or on its edge. */
  carries(obstacle: Obstacle): boolean {
    return this.isBound && isAmong(this.carriers, this.carrierCount, obstacle)
  }

  /**
   * Whether no part of it can be a wall to the agent: it is convex, and carries the agent, is no higher than
   * a step, or is higher than its head.
   */
  private isClear(obstacle: Obstacle): boolean {
    if (!this.isBound || obstacle.shape.convex !== true) return false
    if (this.bottomOf(obstacle) >= this.head && !this.comesDown(obstacle)) return true
    if (this.foot === -Infinity) return this.carries(obstacle)
    return this.topOf(obstacle) <= this.foot + this.rise || this.carries(obstacle)
  }

  /**
   * Height (m) by which a ball around a place of the agent is moved along `up`, so that it meets what is wall
   * of an obstacle: upwards off a floor that is not convex, down to what is lower than the ball and too high
   * to step on, and so that it ends at the head of the agent under what hangs over.
   */
  offset(obstacle: Obstacle): number {
    const { head, position, reach, rise, up } = this
    if (!this.isBound) return 0
    if (obstacle.shape.convex !== true) {
      if (!this.carries(obstacle)) return 0
      const distance = obstacle.distance(position, normal)
      if (dot(normal, up) < OVERHANG) return Math.min(0, head - reach)
      return (reach * (1 + LIFT) - distance) / Math.max(dot(normal, up), LEVEL)
    }
    const bottom = this.bottomOf(obstacle)
    if (bottom > 0) {
      const lift = Math.min(head - reach, bottom)
      return lift < 0 && this.comesDown(obstacle) ? 0 : lift
    }
    const top = this.topOf(obstacle)
    if (!(top < -reach)) return 0
    const least = this.foot + rise
    return top > least ? Math.min(0, Math.max(top, least + reach)) : 0
  }

  /** Whether a surface with this outward unit normal is no wall to the agent, wherever it is. */
  isFloor(outward: Vec3Like): boolean {
    return this.isBound && dot(outward, this.up) >= this.steepest
  }

  /** Whether nothing but what the agent can walk on is within `distance` (m) of a place. */
  isFree(at: Vec3Like, distance: number): boolean {
    const { ball, found, obstacles } = this
    ball.radius = distance
    const near = obstacles!.nearBall(at, ball, found)
    for (let i = 0; i < near; i++) if (!this.isClimbed(found[i]!, at)) return false
    return true
  }

  /** Writes a place, moved along `up` by `offset` (m). */
  raise(out: Vec3, from: Vec3Like, offset: number): Vec3 {
    return addScaled(out, from, this.up, offset)
  }

  /**
   * As `Obstacle.sweepBall`, for what is wall of the obstacle: a ball that meets a surface which the agent
   * can walk on goes on, along that surface.
   */
  sweepBall(obstacle: Obstacle, origin: Vec3Like, direction: Vec3Like, ball: SweptBall): void {
    obstacle.sweepBall(origin, direction, ball)
    if (!this.isBound || ball.distance === Infinity) return
    const { limit, radius } = ball
    let way = 0
    copy(place, origin)
    copy(course, direction)
    for (let i = 0; i < SLOPES; i++) {
      way += ball.distance
      addScaled(place, place, course, ball.distance)
      if (!this.isClimbed(obstacle, place)) {
        ball.limit = limit
        ball.distance = way
        return
      }
      // nothing of a convex body is above what it carries
      if (obstacle.shape.convex === true) break
      const distance = obstacle.distance(place, normal)
      const level = dot(normal, this.up)
      if (level < OVERHANG) {
        // on under the ceiling, as high as its head
        const lift = this.head - radius - this.heightOf(place)
        if (!(lift < 0)) break
        addScaled(place, place, this.up, lift)
      } else {
        if (!(level > LEVEL)) break
        addScaled(place, place, this.up, Math.max(0, (radius * (1 + LIFT) - distance) / level))
        // along the slope, with the same heading
        addScaled(course, direction, this.up, -dot(direction, normal) / level)
        if (isZero(normalize(course, course))) break
      }
      ball.radius = radius
      ball.limit = limit - way
      obstacle.sweepBall(place, course, ball)
      if (ball.distance === Infinity) break
    }
    ball.limit = limit
    ball.distance = Infinity
  }

  /** As `Obstacles.sweepBall`, for what is wall of the obstacles. */
  sweepSet(
    obstacles: ObstacleSet,
    origin: Vec3Like,
    direction: Vec3Like,
    ball: SweptBall<Obstacle>,
    ignore?: ObstacleFilter,
  ): void {
    if (!this.isBound) return obstacles.sweepBall(origin, direction, ball, ignore)
    const { limit, radius } = ball
    let first: Obstacle | null = null
    let nearest = limit
    this.passedCount = 0
    for (let i = 0; i < this.carrierCount; i++) {
      const floor = this.carriers[i]!
      if (ignore?.(floor) === true) continue
      this.passed[this.passedCount++] = floor
      if (floor.shape.convex === true) continue
      ball.radius = radius
      ball.limit = nearest
      this.sweepBall(floor, this.raise(touched, origin, this.offset(floor)), direction, ball)
      if (!(ball.distance < nearest)) continue
      nearest = ball.distance
      first = floor
    }
    this.outerIgnore = ignore
    for (let i = 0; i < STEPS; i++) {
      ball.radius = radius
      ball.limit = nearest
      obstacles.sweepBall(origin, direction, ball, this.isPassed)
      const { obstacle } = ball
      if (obstacle === null) break
      const hit = ball.distance
      addScaled(touched, origin, direction, hit)
      if (!this.isClimbed(obstacle, touched)) {
        nearest = hit
        first = obstacle
        break
      }
      this.passed[this.passedCount++] = obstacle
      if (obstacle.shape.convex === true) continue
      ball.radius = radius
      ball.limit = nearest
      this.sweepBall(obstacle, origin, direction, ball)
      if (!(ball.distance < nearest)) continue
      nearest = ball.distance
      first = obstacle
    }
    ball.obstacle = first
    ball.limit = limit
    ball.distance = first === null ? Infinity : nearest
  }

  /**
   * Whether the agent can walk over an obstacle where a ball around `from` touches it: a little behind the
   * contact it is no higher than a step above the ground in front of the contact.
   */
  isClimbed(obstacle: Obstacle, from: Vec3Like): boolean {
    const { radius, rise, tread, up } = this
    if (!this.isBound) return false
    const distance = obstacle.distance(from, normal)
    const level = dot(normal, up)
    // a ceiling over its head
    if (level < OVERHANG)
      return this.heightOf(from) - distance * level >= this.head && !this.comesDown(obstacle)
    if (!(distance > -DEEPEST * radius)) return false
    reject(side, normal, up)
    const across = length(side)
    if (across < LEVEL) return level > 0
    if (this.foot === -Infinity) return false
    scale(side, side, 1 / across)
    addScaled(front, from, normal, -distance)
    const height = this.heightOf(front)
    addScaled(behind, front, side, -tread)
    addScaled(front, front, side, FRONT * radius)
    const step = this.foot + rise - height
    if (step >= 0 && this.isFreeAt(obstacle, step)) return true
    // its top behind the contact, seen from the head of the agent or from above
    const head = Math.max(this.heightOf(from) - height, 0) + radius
    const highest = obstacle.shape.convex === true ? this.topOf(obstacle) - height + LIFT * rise : Infinity
    const start = highest < Infinity ? highest : head
    ray.radius = 0
    ray.limit = start + tread + rise
    obstacle.sweepBall(this.raise(raised, behind, start), this.down, ray)
    // it is higher than the head, or ends at the contact
    if (ray.distance === 0) return false
    const top = Math.max(0, start - ray.distance) + LIFT * rise
    // the ground below its top, in front of it
    ray.radius = 0
    ray.limit = rise * (1 + LIFT)
    this.obstacles!.sweepBall(this.raise(raised, front, top), this.down, ray, this.ignore)
    if (ray.obstacle === null || !(ray.distance > 0)) return false
    if (!this.isFreeAt(obstacle, top - ray.distance + rise)) return false
    // higher than its head it is a wall, unless it is behind a slope that leads there
    return top <= head || this.isHidden(front)
  }

  /** Whether an obstacle is between the agent and a point (m). */
  private isHidden(point: Vec3Like): boolean {
    const { position } = this
    const distance = length(sub(inwards, point, position))
    if (!(distance > 0)) return false
    ray.radius = 0
    ray.limit = distance
    this.obstacles!.sweepBall(position, scale(inwards, inwards, 1 / distance), ray, this.ignore)
    return ray.obstacle !== null
  }

  /**
   * Whether the obstacle lies below the steepest slope from the contact, at this height (m) above the
   * contact, seen from `front`. A contact may lie below the ground.
   */
  private isFreeAt(obstacle: Obstacle, height: number): boolean {
    ray.radius = 0
    ray.limit = (Math.max(height, this.rise) / this.rise) * this.tread + FRONT * this.radius
    obstacle.sweepBall(this.raise(raised, front, height), scale(inwards, side, -1), ray)
    return ray.distance === Infinity
  }

  /** Height (m) of a point, seen from the centre of the agent. */
  private heightOf({ x, y, z }: Vec3Like): number {
    const { position, up } = this
    return (x - position.x) * up.x + (y - position.y) * up.y + (z - position.z) * up.z
  }

  /** Height (m) of the highest point of a convex obstacle, seen from the centre of the agent. */
  private topOf({ position, quaternion, shape }: Obstacle): number {
    return shape.support(unrotate(raised, quaternion, this.up)) + this.heightOf(position)
  }

  /** Whether an obstacle above may come down on the agent: it sinks faster than the agent, or tilts. */
  private comesDown({ angularVelocity, turns, velocity }: Obstacle): boolean {
    const { agent, radius, up } = this
    const sinks = Math.min(0, dot(agent!.velocity, up)) - dot(velocity, up)
    return sinks > LIFT * radius || (turns && length(reject(side, angularVelocity, up)) > LEVEL)
  }

  /** Height (m) of the lowest point of a convex obstacle, seen from the centre of the agent. */
  private bottomOf({ position, quaternion, shape }: Obstacle): number {
    return this.heightOf(position) - shape.support(unrotate(raised, quaternion, this.down))
  }

  private findFoot(): void {
    ray.radius = 0
    ray.limit = DEPTH * this.radius
    this.obstacles!.sweepBall(this.position, this.down, ray, this.ignore)
    this.foot = -ray.distance
    this.base = ray.obstacle
    this.hangs = false
    if (this.foot < -this.head - this.rise && this.agent!.maxSlope > 0) this.findHold()
  }

  /** For an agent whose centre may be beyond the edge of what carries it: the foot is at the nearest edge. */
  private findHold(): void {
    const { ball, down, found, position, radius, rise, up } = this
    const low = (this.agent!.extent?.(down) ?? radius) + rise
    ball.radius = radius
    const near = this.foot < -low ? this.obstacles!.nearBall(position, ball, found) : 0
    for (let i = 0; i < near; i++) {
      const each = found[i]!
      if (this.ignore?.(each) === true) continue
      const distance = each.distance(position, normal)
      const level = dot(normal, up)
      if (level < this.steepest || -distance * level < Math.max(this.foot, -low)) continue
      this.foot = -distance * level
      this.base = each
      this.hangs = true
    }
  }

  /** Takes the part along the direction up from a vector, and returns it. */
  level(vector: Vec3): Vec3 {
    return reject(vector, vector, this.up)
  }

  /** What the agent stands on and could fall from; null for an agent in the air, or that its plane holds. */
  get stage(): Obstacle | null {
    const { base, foot, isBound, radius, rise } = this
    if (!isBound || !(this.agent!.maxSlope > 0)) return null
    // a character on the ground feels no weight; its ball may be as slim as its shoulders
    const stands = isZero(this.agent!.gravity) ? SLIM * radius : radius
    return foot >= -stands - rise ? base : null
  }

  /** Sets `maxDrop` to what the agent goes down without asking: as deep as its centre is high, or a step. */
  useUsualDrop(): void {
    this.maxDrop = Math.max(-this.foot, this.rise)
  }

  /**
   * Whether the ground along a level unit direction ends in a drop deeper than `maxDrop`, or in a slope that
   * is too steep, within `range` (m), and no wall comes first. Finds the distance of this `edge`, and writes
   * its unit normal, which points to the agent. For an agent with a `stage`.
   */
  findEdge(direction: Vec3Like, { range: distance }: { readonly range: number }, outNormal: Vec3): boolean {
    const { maxDrop, radius, steepest } = this
    if (this.hangs && this.isHeld(direction)) return false
    const slope = Math.sqrt(1 - steepest * steepest) / steepest
    const stride = STRIDE * radius
    const range = Math.min(distance, LOOKS * stride)
    looking.range = range
    looking.drop = maxDrop
    let on = this.base!
    let height = this.foot
    let way = 0
    let steepFrom = 0
    let steepFall = 0
    for (let i = 0; i < LOOKS && way < range; i++) {
      if (on.shape.convex === true && !(this.hangs && way === 0)) {
        // whatever stands on it: between two places on top of a convex body it does not end
        looking.way = way
        if (!this.findEnd(on, direction)) return false
        way = looking.way
        height = this.height
      }
      const next = way + stride
      looking.way = next
      looking.before = height
      looking.fall = stride * slope
      if (!this.look(direction)) return false
      const { below, height: end } = this
      if (height - end > maxDrop) {
        let low = way
        let high = next
        let isSteep = false
        for (let k = 0; k < HALVINGS; k++) {
          const middle = (low + high) / 2
          const fall = (middle - low) * slope
          looking.way = middle
          looking.before = height
          looking.fall = fall
          if (!this.look(direction)) return false
          const hangs = this.isSteep()
          isSteep ||= hangs
          if (hangs || height - this.height > fall) high = middle
          else {
            low = middle
            height = this.height
            on = this.below!
          }
        }
        if (height - end > (isSteep ? maxDrop : Math.max(maxDrop, (next - low) * slope))) {
          looking.way = high
          this.height = height - maxDrop / 2
          this.edge = low
          return this.findRim(on, direction, outNormal)
        }
      } else {
        const fall = height - end
        if (!(fall > stride * slope || (fall > LEVEL * stride && this.isSteep()))) steepFall = 0
        else if ((steepFall += fall) === fall) steepFrom = way
        if (steepFall > maxDrop) {
          looking.way = next
          this.height = end + maxDrop / 2
          this.edge = steepFrom
          return this.findRim(below!, direction, outNormal)
        }
      }
      way = next
      height = end
      on = below!
    }
    return false
  }

  /** Whether something that carries an agent whose centre is beyond an edge is not behind it. */
  private isHeld(direction: Vec3Like): boolean {
    for (let i = 0; i < this.carrierCount; i++) {
      this.carriers[i]!.distance(this.position, normal)
      if (dot(normal, direction) < LEVEL) return true
    }
    return false
  }

  /** Whether the ground is too steep where the last look met it. */
  private isSteep(): boolean {
    const { below, height, radius, steepest, up } = this
    if (below === null) return false
    below.distance(this.raise(raised, front, height + FRONT * radius), normal)
    return dot(normal, up) < steepest
  }

  /**
   * Finds the height of the ground at `way` (m) along a direction, where it was at `before` (m) last, and
   * rises by no more than `fall` (m) or falls by no more than that or `drop` (m): −Infinity for deeper. False
   * where a wall is.
   */
  private look(direction: Vec3Like): boolean {
    const { before, drop, fall, way } = looking
    const start = before + fall + this.rise
    ray.radius = 0
    ray.limit = start - before + Math.max(fall, drop) * (1 + LIFT)
    addScaled(front, this.position, direction, way)
    this.obstacles!.sweepBall(this.raise(raised, front, start), this.down, ray, this.ignore)
    this.below = ray.obstacle
    this.height = start - ray.distance
    return ray.distance > 0
  }

  /**
   * Whether the ground along a level unit direction is the top of a convex body that ends nowhere in sight.
   * For an agent with a `stage`.
   */
  isEndless(direction: Vec3Like): boolean {
    const on = this.base!
    if (on.shape.convex !== true) return false
    looking.top = this.topOf(on) + this.rise
    looking.way = LOOKS * STRIDE * this.radius
    return looking.top === Infinity || this.isOver(on, direction)
  }

  /** Whether the top of a convex obstacle ends between `way` and `range` (m). Sets `way` to where it does. */
  private findEnd(on: Obstacle, direction: Vec3Like): boolean {
    looking.top = this.topOf(on) + this.rise
    let low = looking.way
    let high = (looking.way = looking.range)
    if (looking.top === Infinity || this.isOver(on, direction)) return false
    for (let i = 0; i < BISECTIONS; i++) {
      looking.way = (low + high) / 2
      if (this.isOver(on, direction)) low = looking.way
      else high = looking.way
    }
    looking.way = low
    this.isOver(on, direction)
    return true
  }

  /** Whether an obstacle is below the place at `way` (m), and not too steep. Finds its height there. */
  private isOver(on: Obstacle, direction: Vec3Like): boolean {
    const { top, way } = looking
    ray.radius = 0
    ray.limit = top - this.foot + DEPTH * this.radius + way / this.steepest
    addScaled(front, this.position, direction, way)
    on.sweepBall(this.raise(raised, front, top), this.down, ray)
    this.height = top - ray.distance
    this.below = on
    return ray.distance < Infinity && !this.isSteep()
  }

  /**
   * Writes the level unit normal of the edge of an obstacle near a place at `way` and `height` (m), beyond
   * it, towards the agent. Returns true.
   */
  private findRim(on: Obstacle, direction: Vec3Like, out: Vec3): true {
    addScaled(front, this.position, direction, looking.way)
    on.distance(this.raise(raised, front, this.height), normal)
    reject(out, normal, this.up)
    const along = dot(out, direction)
    // an edge that is met at a flat angle is no edge ahead
    if (!(Math.abs(along) > LEVEL)) scale(out, direction, -1)
    else scale(out, out, -Math.sign(along) / length(out))
    return true
  }

  private findCarriers(): void {
    const { ball, carriers } = this
    this.carrierCount = 0
    if (!this.isBound) return
    copy(this.ground, this.up)
    let least = Infinity
    ball.radius = this.reach
    const near = this.obstacles!.nearBall(this.position, ball, carriers)
    for (let i = 0; i < near; i++) {
      const each = carriers[i]!
      if (!this.isClimbed(each, this.position)) continue
      carriers[this.carrierCount++] = each
      const distance = each.distance(this.position, normal)
      if (distance >= least || dot(normal, this.up) < OVERHANG) continue
      least = distance
      copy(this.ground, normal)
    }
  }
}

function isAmong(obstacles: readonly Obstacle[], count: number, obstacle: Obstacle): boolean {
  for (let i = 0; i < count; i++) if (obstacles[i] === obstacle) return true
  return false
}
