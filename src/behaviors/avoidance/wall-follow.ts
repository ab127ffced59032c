import type { Agent, Behavior, DebugDraw, SnapshotState, Step, Vec3, Vec3Like, Wrench } from '../../types.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { servoTime, topSpeed } from '../../control/drive.js'
import { Memory } from '../../control/memory.js'
import { brakingSpeed } from '../../control/profile.js'
import { requireFinite } from '../../math/require.js'
import {
  add,
  addScaled,
  copy,
  cross,
  isFiniteVec,
  isZero,
  length,
  load,
  normalize,
  perpendicular,
  reject,
  save,
  scale,
  sub,
  truncate,
  vec3,
  lengthSq,
} from '../../math/vec3.js'
import { TrackedTarget } from '../pursuit/tracked-target.js'
import { requireObstacles, type ObstacleSource, gather } from './surroundings.js'
import type { Obstacle } from '../../obstacles/obstacle.js'

export interface WallFollowOptions {
  /** What to follow: solid shapes on their outside, hollow ones on their inside. A set, which may change at any time, or a list to make one of. */
  obstacles: ObstacleSource
  /** Clear distance (m) to keep between the agent's ball and the surface, > 0. */
  distance: number
  /**
   * Speed along the surface, m/s, > 0. Default what six tenths of the force can hold round the sharpest edge, where the turn has the radius r of
   * distance + hull: √(0.6·a·r). Never more than the top speed, or than all of the force can hold there.
   */
  speed?: number
  /** SnapshotState the wall to port or starboard, flying level. Default none: straight on, as a string is stretched over the surface. */
  side?: 'port' | 'starboard'
}

/** Shares of the force that a turn may take: by default, and at most; and that counted on to come to the distance with. */
const HELD_SHARE = 0.6
const MOST_SHARE = 0.95
const CLOSING_SHARE = 0.3

/** Where a surface is nearer to level than this, as a sine, keeping it to a side gives way to flying straight on. */
const LEVEL = 0.2

const away = vec3()
const along = vec3()
const before = vec3()
const after = vec3()
const motion = vec3()
const spot = vec3()
const heading = vec3()
const turn = vec3()

/**
 * Follows the surface of obstacles at a distance, over edges, through corners and in hollows, in 3D (Reynolds, Steering Behaviors For
 * Autonomous Characters, 1999, Wall Following: the predicted place, pushed out to an offset from the wall, is sought). In place of the predicted
 * place, which cuts corners by as much as it looks ahead, it flies a field of velocities: in with a speed that can still be
 * braked, along the surface at the distance. Over a step the velocity turns as the surface does, so a curved wall is followed without a lag;
 * corners are rounded as tightly as the force allows. A surface that moves is followed with its velocity. Without any it has no opinion.
 */
export class WallFollow implements Behavior {
  static readonly type: string = 'WallFollow'
  obstacles: Obstacles
  distance: number
  speed: number | undefined
  side: 'port' | 'starboard' | undefined
  private readonly surface = new Surface()
  /** How what is nearest moves. */
  private readonly ground = new TrackedTarget()
  /** Direction of flight along the surface. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.ground, this.memory]
  private flightSpeed = 1
  private maxSpeed = 1
  private brake = 1
  private time = 1

  /** @throws TypeError / RangeError naming the option. */
  constructor({ obstacles, distance, speed, side }: WallFollowOptions) {
    this.obstacles = requireObstacles('WallFollow.obstacles', obstacles)
    this.distance = requireFinite('WallFollow.distance', distance, 0, true)
    this.speed = speed === undefined ? undefined : requireFinite('WallFollow.speed', speed, 0, true)
    if (side !== undefined && side !== 'port' && side !== 'starboard')
      throw new RangeError(`WallFollow.side: got '${String(side)}', allowed are 'port', 'starboard'`)
    this.side = side
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { ground, memory, surface } = this
    const { mass, position, velocity } = agent
    const { dt } = step
    this.updateLimits(agent, step)
    if (surface.update(agent, step, this.obstacles) === Infinity) return
    if (!ground.update(agent, step, surface)) return
    const at = memory.at(agent)
    if (memory.fresh) copy(heading, agent.course.x)
    else load(heading, memory.data, at)
    sub(motion, velocity, ground.flown)
    // an engine that moves by the new velocity shows the one of half a step ago
    this.velocityAt(before, addScaled(spot, position, motion, -dt / 2), agent, step)
    this.velocityAt(after, addScaled(spot, position, motion, dt / 2), agent, step)
    // the next step is bent as the surface is
    addScaled(spot, spot, sub(after, after, before), dt / 2)
    this.velocityAt(after, spot, agent, step)
    save(along, memory.data, at)
    sub(motion, motion, before)
    scale(after, sub(after, after, before), 1 / dt)
    addScaled(after, after, motion, -1 / servoTime(agent, step))
    add(after, after, ground.acceleration)
    if (!isFiniteVec(after)) return
    scale(after, after, mass)
    if (agent.wish === null) truncate(after, after, agent.maxForce)
    add(out.force, out.force, after)
  }

  /** Draws the way to the surface, and along it. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const { memory, obstacles } = this
    const { position } = agent
    const off = obstacles.distance(position, away)
    const at = memory.find(agent)
    if (at < 0 || off === Infinity) return
    load(along, memory.data, at)
    draw.line('surface', position, addScaled(spot, position, away, -off))
    draw.line('along', position, addScaled(spot, position, along, this.distance + agent.radius))
  }

  private updateLimits(agent: Agent, step: Step): void {
    const { surface } = this
    const power = agent.maxForce / agent.mass
    const keep = this.distance + agent.radius
    this.maxSpeed = topSpeed(agent)
    const wanted = this.speed ?? Math.sqrt(HELD_SHARE * power * keep)
    this.flightSpeed = Math.max(
      Math.min(wanted, this.maxSpeed, Math.sqrt(MOST_SHARE * power * keep)),
      Number.MIN_VALUE,
    )
    this.brake = CLOSING_SHARE * power
    this.time = Math.max(servoTime(agent, step), 2 * agent.forceLag + agent.forceTurnTime)
    surface.distance = keep
    surface.cornerRadius =
      power > 0 ? Math.min((this.flightSpeed * this.flightSpeed) / (HELD_SHARE * power), 4 * keep) : keep
  }

  /** Writes the velocity to have at `place`, m/s, and the direction along the surface into `along`. Needs `heading`. */
  private velocityAt(out: Vec3, place: Vec3Like, agent: Agent, step: Step): void {
    const { brake, flightSpeed: pace, surface, time, maxSpeed: top } = this
    const off = surface.offsetAt(away, place)
    this.directionAlong(along, agent, step)
    const speed = Math.min(Math.sqrt(pace * pace + 2 * brake * Math.max(0, off)), Math.max(pace, top))
    const closing = Math.min(brakingSpeed(Math.abs(off), brake, 0, time), speed)
    scale(out, away, off > 0 ? -closing : closing)
    addScaled(out, out, along, Math.sqrt(speed * speed - closing * closing))
  }

  /** Writes the unit direction to fly in along the surface. Needs `away` and `heading`. */
  private directionAlong(out: Vec3, agent: Agent, step: Step): void {
    reject(out, heading, away)
    if (length(out) < 1e-3) reject(out, agent.course.y, away)
    normalize(out, out)
    if (isZero(out)) perpendicular(out, away)
    if (this.side === undefined) return
    cross(turn, away, step.up)
    if (this.side === 'port') scale(turn, turn, -1)
    const steep = length(turn)
    // level ground is on no side
    addScaled(out, turn, out, Math.max(0, LEVEL - steep))
    normalize(out, out)
    if (isZero(out)) perpendicular(out, away)
  }
}

/** The way out of a corner is looked for in so many rounds; what is nearer than this, as a share, is there. */
const ROUNDS = 10
const THERE = 1e-4

/** Normals nearer to each other than this, as the square of a sine, are those of one curved wall. */
const SAME = 0.03

const normal = vec3()
const center = vec3()
const way = vec3()
const slide = vec3()
const first = vec3()
const second = vec3()

/**
 * The surfaces near an agent, as a ball that rolls along them meets them: at a `distance` from them, round convex edges on the arc of that
 * radius, and through concave ones on an arc of radius `round`: where the nearest wall changes, no direction jumps.
 */
class Surface {
  /** m: kept, and the radius of concave arcs. */
  distance = 1
  cornerRadius = 1
  /** Place (m) of what is nearest, and velocity (m/s) of its surface there. */
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  private readonly found: Obstacle[] = []
  private count = 0
  /** What `nearest` found: m. */
  private nearestDistance = Infinity
  /** How many walls `stepOut` has left so far. */
  private wallsLeft = 0

  /** Looks around, once per step. Returns the distance (m) to the nearest surface: Infinity where there is none. */
  update(agent: Agent, step: Step, obstacles: Obstacles): number {
    const { position } = agent
    obstacles.refreshFor(step)
    const least = obstacles.distance(position, normal)
    if (!(least < Infinity)) return Infinity
    const room = Math.max(0, least) + 4 * (this.distance + this.cornerRadius)
    this.count = gather(obstacles, agent, room, undefined, this.found)
    const nearest = this.nearest(position, normal)
    if (nearest === null) return Infinity
    copy(this.position, nearest.position)
    nearest.velocityAt(this.velocity, addScaled(center, position, normal, -least))
    return least
  }

  /** Writes the unit direction away from the surface at `place`, and returns how far (m) it is outside of the distance to keep. */
  offsetAt(out: Vec3, place: Vec3Like): number {
    const { distance, cornerRadius: round } = this
    const wide = distance + round
    copy(center, place)
    let nearest = Infinity
    for (let i = 0; i < ROUNDS; i++) {
      this.nearest(center, normal)
      const clearance = this.nearestDistance
      if (i === 0) {
        nearest = clearance
        copy(out, normal)
      }
      const missing = wide - clearance
      if (missing > THERE * wide) {
        this.stepOut(missing, i === 0)
        continue
      }
      if (i < 2) break
      const reach = length(sub(way, center, place))
      normalize(way, way)
      if (isZero(way)) break
      copy(out, way)
      return round - reach
    }
    return nearest - distance
  }

  /**
   * Moves `center` out of the wall of `normal` by `missing` (m), and along those it was moved out of before: into the corner of up to three
   * walls, however acute, which leaving each in turn would only creep towards.
   */
  private stepOut(missing: number, anew: boolean): void {
    let count = anew ? 0 : this.wallsLeft
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
      const distance = obstacle.distance(place, way)
      if (!(distance < this.nearestDistance)) continue
      this.nearestDistance = distance
      nearest = obstacle
      copy(out, way)
    }
    return nearest
  }
}
