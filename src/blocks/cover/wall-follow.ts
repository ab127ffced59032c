import type {
  Agent,
  Behavior,
  DebugDraw,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { evasiveSide } from '../../core/control/evasive-side.js'
import type { Obstacles } from '../../core/obstacles/obstacles.js'
import { servoTime, topSpeed } from '../../core/control/drive.js'
import { Footing } from '../../core/solver/footing.js'
import { Memory } from '../../core/control/memory.js'
import { brakingSpeed } from '../../core/control/profile.js'
import {
  addScaled,
  copy,
  cross,
  isZero,
  length,
  load,
  normalize,
  perpendicular,
  reject,
  save,
  scale,
  sub,
  vec3,
  lengthSq,
} from '../../core/math/vec3.js'
import { flyField } from '../pursuit/fly-field.js'
import { TrackedTarget } from '../pursuit/tracked-target.js'
import { requireObstacles, gather } from '../../core/behaviors/avoidance/surroundings.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface WallFollowOptions extends Options, OptionsOf<typeof WallFollow.options> {}
export interface WallFollow extends FieldsOf<typeof WallFollow.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Share of the force for a turn at the default speed. Larger: faster, with less left for corrections. */
const TURN_SHARE = 0.6
/** Largest share of the force that a turn may take at a given `speed`. Larger: the speed is reduced less. */
const MAX_TURN_SHARE = 0.95
/** Share of the force that is relied on to brake towards the surface. Larger: it brakes later. */
const CLOSING_SHARE = 0.3

/** Below this slope (sine) flying with the wall to one side gives way to flying straight on. */
const LEVEL_SINE = 0.2

const outward = vec3()
const along = vec3()
const motion = vec3()
const point = vec3()
const heading = vec3()
const level = vec3()

/**
 * Makes the agent follow the surface of obstacles at a distance, over edges, through corners and in hollows,
 * in 3D (Reynolds, Steering Behaviors For Autonomous Characters, 1999, Wall Following: the predicted
 * position, moved out to an offset from the wall, is sought). The predicted position cuts corners by as much
 * as it looks ahead, so this behaviour follows a field of velocities instead: towards the surface with a
 * speed that can still be braked, along it at the distance. Over a step the velocity turns as the surface
 * does, so a curved wall is followed without lag. Corners are rounded as tightly as the force allows. A
 * moving surface is followed with its velocity. Without any surface the behaviour asks for nothing.
 */
export class WallFollow extends WithOptions<WallFollowOptions> implements Behavior {
  static readonly type: string = 'WallFollow'
  static readonly options = {
    /**
     * Surfaces to follow: solid shapes on their outside, hollow ones on their inside. A set, which may change
     * at any time, or a list to make one of.
     */
    obstacles: { kind: 'instance', required: true, check: requireObstacles },
    /** Clear distance (m) to keep between the agent's ball and the surface, > 0. */
    distance: { kind: 'number', required: true, unit: 'm', above: 0 },
    /**
     * Speed along the surface, m/s, > 0. Default the speed at which six tenths of the force hold a turn
     * around the sharpest edge, where the turn radius r is distance + hull radius: √(0.6·a·r). It never
     * exceeds the top speed, nor the speed that all of the force can hold there.
     */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
    /**
     * Keeps the wall to port or starboard, flying level. Default none: straight on, as a string is stretched
     * over the surface.
     */
    side: { kind: 'text', oneOf: ['port', 'starboard'] },
  } as const satisfies AnyTable
  private readonly surface = new Surface()
  /** Motion of the nearest surface. */
  private readonly ground = new TrackedTarget()
  /** Direction of flight along the surface. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.ground, this.memory]
  private flightSpeed = 1
  private maxSpeed = 1
  private brake = 1
  private time = 1

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { ground, memory, surface } = this
    const { position, velocity } = agent
    this.updateLimits(agent, step)
    if (surface.update(agent, step, this.obstacles) === Infinity) return
    if (!ground.update(agent, step, surface)) return
    const at = memory.at(agent)
    if (memory.fresh) copy(heading, agent.course.x)
    else load(heading, memory.data, at)
    sub(motion, velocity, ground.flown)
    flyField(agent, step, this, position, motion, ground.acceleration, out.force)
    save(along, memory.data, at)
  }

  /** Draws the line to the surface, and the direction along it. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const { memory, obstacles } = this
    const { position } = agent
    const offset = obstacles.distance(position, outward)
    const at = memory.find(agent)
    if (at < 0 || offset === Infinity) return
    load(along, memory.data, at)
    draw.line('surface', position, addScaled(point, position, outward, -offset))
    draw.line('along', position, addScaled(point, position, along, this.distance + agent.radius))
  }

  private updateLimits(agent: Agent, step: Step): void {
    const { surface } = this
    const power = agent.maxForce / agent.mass
    const centerDistance = this.distance + agent.radius
    this.maxSpeed = topSpeed(agent)
    const wanted = this.speed ?? Math.sqrt(TURN_SHARE * power * centerDistance)
    this.flightSpeed = Math.max(
      Math.min(wanted, this.maxSpeed, Math.sqrt(MAX_TURN_SHARE * power * centerDistance)),
      Number.MIN_VALUE,
    )
    this.brake = CLOSING_SHARE * power
    this.time = Math.max(servoTime(agent, step), 2 * agent.forceLag + agent.forceTurnTime)
    surface.distance = centerDistance
    surface.cornerRadius =
      power > 0
        ? Math.min((this.flightSpeed * this.flightSpeed) / (TURN_SHARE * power), 4 * centerDistance)
        : centerDistance
  }

  /**
   * Writes the wanted velocity at `place`, m/s, and the direction along the surface into `along`. `heading`
   * is the direction flown before. @internal
   */
  velocityAt(out: Vec3, place: Vec3Like, agent: Agent, step: Step): void {
    const { brake, flightSpeed, surface, time, maxSpeed } = this
    const offset = surface.offsetAt(outward, place)
    this.directionAlong(along, outward, agent, step)
    const speed = Math.min(
      Math.sqrt(flightSpeed * flightSpeed + 2 * brake * Math.max(0, offset)),
      Math.max(flightSpeed, maxSpeed),
    )
    const closing = Math.min(brakingSpeed(Math.abs(offset), brake, 0, time), speed)
    scale(out, outward, offset > 0 ? -closing : closing)
    addScaled(out, out, along, Math.sqrt(speed * speed - closing * closing))
  }

  /** Writes the unit direction in which to fly along the surface with the unit normal `surfaceNormal`. */
  private directionAlong(out: Vec3, surfaceNormal: Vec3Like, agent: Agent, step: Step): void {
    reject(out, heading, surfaceNormal)
    if (length(out) < 1e-3) reject(out, evasiveSide(agent), surfaceNormal)
    normalize(out, out)
    if (isZero(out)) perpendicular(out, surfaceNormal)
    if (this.side === undefined) return
    cross(level, surfaceNormal, step.up)
    if (this.side === 'port') scale(level, level, -1)
    const steepness = length(level)
    // level ground lies to neither side
    addScaled(out, level, out, Math.max(0, LEVEL_SINE - steepness))
    normalize(out, out)
    if (isZero(out)) perpendicular(out, surfaceNormal)
  }
}

/** The centre of the rolling ball is moved out of a corner in at most this many rounds. */
const ROUNDS = 10
/** It is out of the corner within this share of its distance. Larger: fewer rounds, less exact. */
const TOLERANCE = 1e-4

/** Normals that differ by less than this, as the square of a sine, belong to one curved wall. */
const SAME = 0.03

const normal = vec3()
const center = vec3()
const direction = vec3()
const slide = vec3()
const first = vec3()
const second = vec3()

/**
 * The surface of all obstacles near an agent, smoothed as a ball that rolls along them smooths it: at a
 * `distance` from them, rounded around convex edges with that radius, and through concave ones with the
 * radius `cornerRadius`. Where another wall becomes the nearest, no direction jumps.
 */
class Surface {
  /** Distance kept, m, and the radius of concave arcs, m. */
  distance = 1
  cornerRadius = 1
  /** Position (m) of the nearest obstacle, and velocity (m/s) of its nearest surface point. */
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  private readonly found: Obstacle[] = []
  private readonly footing = new Footing()
  private count = 0
  /** Distance found by the last call of `nearest`, m. */
  private nearestDistance = Infinity
  /** Number of walls that `stepOut` has moved the centre out of so far. */
  private wallsLeft = 0

  /** Collects the obstacles nearby, once per step. Returns the distance (m) to a surface; or Infinity. */
  update(agent: Agent, step: Step, obstacles: Obstacles): number {
    const { position } = agent
    obstacles.refreshFor(step)
    const { footing, found } = this
    footing.begin(agent, step, obstacles, agent.radius)
    // on the ground the nearest obstacle is often the ground
    const here = footing.isBound ? Infinity : obstacles.distance(position, normal)
    if (!footing.isBound && here === Infinity) return Infinity
    const range = Math.max(0, here) + 4 * (this.distance + this.cornerRadius)
    this.count = gather(obstacles, agent, range, footing.ignoresAll, found)
    const nearest = this.nearest(position, normal)
    if (nearest === null) return Infinity
    const distanceHere = this.nearestDistance
    copy(this.position, nearest.position)
    nearest.velocityAt(this.velocity, addScaled(center, position, normal, -distanceHere))
    return distanceHere
  }

  /**
   * Writes the unit direction away from the surface at `place`. Returns the distance (m) by which `place`
   * lies outside of the distance to keep; negative inside.
   */
  offsetAt(out: Vec3, place: Vec3Like): number {
    const { distance, cornerRadius } = this
    const wideDistance = distance + cornerRadius
    copy(center, place)
    let nearest = Infinity
    for (let i = 0; i < ROUNDS; i++) {
      this.nearest(center, normal)
      const clearance = this.nearestDistance
      if (i === 0) {
        nearest = clearance
        copy(out, normal)
      }
      const missing = wideDistance - clearance
      if (missing > TOLERANCE * wideDistance) {
        this.stepOut(missing, i === 0)
        continue
      }
      if (i < 2) break
      const distanceMoved = length(sub(direction, center, place))
      normalize(direction, direction)
      if (isZero(direction)) break
      copy(out, direction)
      return cornerRadius - distanceMoved
    }
    return nearest - distance
  }

  /**
   * Moves `center` out of the wall with the normal `normal` by `missing` (m), and along the walls that it was
   * moved out of before. So it gets into the corner of up to three walls, however acute, which moving it out
   * of each in turn would only approach.
   */
  private stepOut(missing: number, isFirst: boolean): void {
    let count = isFirst ? 0 : this.wallsLeft
    copy(slide, normal)
    if (count > 0) reject(slide, slide, first)
    if (count > 1) reject(slide, slide, second)
    if (lengthSq(slide) < SAME) {
      copy(slide, normal)
      count = 0
    }
    addScaled(center, center, slide, missing / lengthSq(slide))
    normalize(count === 0 ? first : second, slide)
    this.wallsLeft = count < 2 ? count + 1 : 0
  }

  private nearest(place: Vec3Like, out: Vec3): Obstacle | null {
    let nearest: Obstacle | null = null
    this.nearestDistance = Infinity
    for (let i = 0; i < this.count; i++) {
      const obstacle = this.found[i]!
      const distance = obstacle.distance(place, direction)
      if (!(distance < this.nearestDistance)) continue
      this.nearestDistance = distance
      nearest = obstacle
      copy(out, direction)
    }
    return nearest
  }
}
