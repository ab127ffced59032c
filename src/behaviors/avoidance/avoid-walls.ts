import type { Agent, DebugDraw, Step, Vec3, Wrench } from '../../types.js'
import type { Constraint, VelocityConstraints } from '../../solver/constraint.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { ObstacleFilter, Obstacles } from '../../obstacles/obstacles.js'
import { drive, servoTime } from '../../control/drive.js'
import { vectorToWorld } from '../../math/frame.js'
import { requireFinite, requireNumber, requireWhole } from '../../math/require.js'
import { TAU } from '../../math/scalar.js'
import { addScaled, copy, dot, length, scale, set, sub, vec3 } from '../../math/vec3.js'
import { gather, requireObstacles, type ObstacleSource, type Spared } from './surroundings.js'
import { capWalls, wallClearance } from './wall-cap.js'

export interface AvoidWallsOptions {
  /** The walls: a set, which may be shared and may change at any time, or a list to make one of. */
  obstacles: ObstacleSource
  /** Walls for which this returns true are not seen: the dock it flies to, a door. Default none. */
  ignore?: Spared
  /**
   * How walls are felt when it is used as a plain behaviour. `predicted` (default): by the place where the agent will be; `feelers`: by
   * whiskers, one ahead and some around it. Inside of `within` neither: there it limits the speed towards walls.
   */
  method?: 'predicted' | 'feelers'
  /** Looks so far ahead, s, > 0. Default the time to react and stop, which is also the least that keeps out of walls at full speed. */
  horizon?: number
  /** How much of the way into the wall is turned back: 1 stops at it, 2 (default, Green) mirrors the way. Dimensionless, > 0. */
  gain?: number
  /** Number of feelers around the one ahead, whole, ≥ 0. Default 4: up, down, port and starboard in the course frame. */
  feelers?: number
  /** Angle between them and the course, rad, in (0, π]. Default π/4. */
  angle?: number
  /** Their length as a share of the one ahead, in (0, 1]. Default 0.5. */
  sideShare?: number
  /** As a constraint: distance (m) kept between the agent's ball and the walls, ≥ 0. Default 2 % of the agent's radius. */
  clearance?: number
}

/** Green's factor on the way into the wall. */
export const DEFAULT_WALL_GAIN = 2

/** Routes to the goal keep this share of the radius from walls, where there is room. */
const CLEARANCE = 0.1

/** Whiskers and predictions end here, s: an agent without brakes would look for ever. */
const LONGEST_LOOK = 20

const wanted = vec3()
const normal = vec3()
const drift = vec3()
const heading = vec3()
const place = vec3()
const touched = vec3()
const deepest = vec3()

/**
 * Steers away from walls, floors and rocks, and slides along them: the force is along their normals only.
 *
 * - As a plain behaviour, `predicted`: the agent's ball is flown ahead, which is to say walls are grown by its radius and their corners
 *   rounded; what its way leads into a wall, projected on the normal and turned round, is the force (Green, Steering Behaviours, "Avoid
 *   Walls and Containment": 2 · penetration · N). The papers' displacement becomes newtons as a change of velocity, displacement /
 *   time, so that mass and step do not matter; all walls count, and moving ones by their relative velocity. Its weakness is the
 *   published one: the slower, the shorter it looks.
 * - `feelers`: the whisker that is in deepest pushes along the wall's normal, in proportion to its depth (course deck IMGD 4000, Wall Avoidance: three
 *   feelers in the plane, the closest hit; here in the carried course frame and in 3D). What is thinner than the gaps between them is felt late.
 * - As a constraint of `within` it caps the speed towards each wall at what can be braked, √(2·a·d): no wall is touched, none is
 *   crept along, and only the speed into the wall is taken.
 */
export class AvoidWalls implements Constraint {
  static readonly type: string = 'AvoidWalls'
  obstacles: Obstacles
  ignore: Spared | undefined
  method: 'predicted' | 'feelers'
  horizon: number | undefined
  gain: number
  feelers: number
  angle: number
  sideShare: number
  clearance: number | undefined
  private readonly found: Obstacle[] = []
  private asking: Agent | null = null
  private readonly ignored: ObstacleFilter = (obstacle) => this.ignore?.(obstacle, this.asking!) === true

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: AvoidWallsOptions) {
    const {
      obstacles,
      method = 'predicted',
      horizon,
      gain = DEFAULT_WALL_GAIN,
      feelers = 4,
      clearance,
    } = options
    const { ignore, angle = Math.PI / 4, sideShare = 0.5 } = options
    if (method !== 'predicted' && method !== 'feelers')
      throw new RangeError(`AvoidWalls.method: got '${String(method)}', allowed are 'predicted', 'feelers'`)
    this.obstacles = requireObstacles('AvoidWalls.obstacles', obstacles)
    this.ignore = ignore
    this.method = method
    this.horizon = horizon === undefined ? undefined : requireFinite('AvoidWalls.horizon', horizon, 0, true)
    this.gain = requireFinite('AvoidWalls.gain', gain, 0, true)
    this.feelers = requireWhole('AvoidWalls.feelers', feelers, 0, 1000)
    this.angle = requireNumber('AvoidWalls.angle', angle, 0, true, Math.PI)
    this.sideShare = requireNumber('AvoidWalls.sideShare', sideShare, 0, true, 1)
    this.clearance =
      clearance === undefined ? undefined : requireFinite('AvoidWalls.clearance', clearance, 0, false)
  }

  survey(agent: Agent, step: Step, limits: VelocityConstraints): void {
    this.obstacles.refreshFor(step)
    this.asking = agent
    const kept = wallClearance(agent, this.clearance)
    limits.addToMap(this.obstacles, agent.radius + kept, CLEARANCE * agent.radius, this.ignored)
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    capWalls(agent, step, this.obstacles, this.ignore, this.clearance, this.found, limits)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { found, obstacles } = this
    obstacles.refreshFor(step)
    const time = this.lookTime(agent, step)
    const range = (agent.speed + obstacles.fastest) * time + 3 * agent.radius
    const count = gather(obstacles, agent, range, this.ignore, found)
    if (count === 0) return
    copy(wanted, agent.velocity)
    const felt = this.method === 'feelers' ? this.feel(agent, time, count) : this.predict(agent, time, count)
    if (felt) drive(agent, step, wanted, out.force)
  }

  /** Draws the feelers, or the way ahead. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const time = this.lookTime(agent, step)
    if (this.method === 'predicted')
      return draw.line(
        'wall look-ahead',
        agent.position,
        addScaled(place, agent.position, agent.velocity, time),
      )
    for (let i = 0; i <= this.feelers; i++) {
      const reach = this.feeler(heading, agent, i, time)
      draw.line('feelers', agent.position, addScaled(place, agent.position, heading, reach))
    }
  }

  private lookTime(agent: Agent, step: Step): number {
    if (this.horizon !== undefined) return this.horizon
    const { x, y, z } = agent.course.x
    const brake = agent.forceAlong(-x, -y, -z) / agent.mass
    const reaction = 2 * servoTime(agent, step)
    return Math.min(reaction + (brake > 0 ? agent.speed / brake : LONGEST_LOOK), LONGEST_LOOK)
  }

  /** Adds to `wanted` what turns the predicted place back in front of the walls. */
  private predict(agent: Agent, time: number, count: number): boolean {
    const { position, radius } = agent
    let felt = false
    for (let i = 0; i < count; i++) {
      const wall = this.found[i]!
      const away = wall.distance(position, normal)
      addScaled(touched, position, normal, -away)
      wall.velocityAt(drift, touched)
      sub(heading, agent.velocity, drift)
      const pace = length(heading)
      if (away >= radius) {
        if (!(pace > 0 && pace < Infinity)) continue
        scale(heading, heading, 1 / pace)
        const hit = wall.sweep(position, heading, radius, pace * time)
        if (hit === Infinity) continue
        const left = wall.distance(addScaled(place, position, heading, hit), normal)
        wall.velocityAt(drift, addScaled(touched, place, normal, -left))
        sub(heading, agent.velocity, drift)
      }
      // of the predicted ball, before the tangent plane of the hit
      const gap = dot(sub(place, position, touched), normal) - radius + dot(heading, normal) * time
      if (!(gap < 0)) continue
      felt = true
      addScaled(wanted, wanted, normal, (-this.gain * gap) / time)
    }
    return felt
  }

  /** Adds to `wanted` the push of the feeler that is in deepest. */
  private feel(agent: Agent, time: number, count: number): boolean {
    let depth = 0
    for (let i = 0; i <= this.feelers; i++) {
      const reach = this.feeler(heading, agent, i, time)
      for (let k = 0; k < count; k++) {
        const wall = this.found[k]!
        const hit = wall.sweep(agent.position, heading, 0, reach)
        if (hit === Infinity) continue
        wall.distance(addScaled(place, agent.position, heading, hit), normal)
        const deep = -(reach - hit) * dot(heading, normal)
        if (!(deep > depth)) continue
        depth = deep
        copy(deepest, normal)
      }
    }
    if (depth === 0) return false
    addScaled(wanted, wanted, deepest, (this.gain * depth) / time)
    return true
  }

  /** Writes the direction of feeler i, 0 being that ahead. Returns its length, m: at rest they still reach a radius beyond the hull. */
  private feeler(out: Vec3, agent: Agent, i: number, time: number): number {
    const reach = agent.speed * time + 2 * agent.radius
    if (i === 0) {
      copy(out, agent.course.x)
      return reach
    }
    const turn = (TAU * (i - 1)) / this.feelers
    const off = Math.sin(this.angle)
    set(out, Math.cos(this.angle), off * Math.cos(turn), off * Math.sin(turn))
    vectorToWorld(out, agent.course, out)
    return reach * this.sideShare
  }
}
