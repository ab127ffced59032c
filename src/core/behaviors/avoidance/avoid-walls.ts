import type { Agent, DebugDraw, Step, Vec3, Wrench } from '../../types.js'
import type { Constraint, VelocityConstraints } from '../../solver/constraint.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { ObstacleFilter } from '../../obstacles/obstacles.js'
import { Footing } from '../../solver/footing.js'
import { drive, servoTime } from '../../control/drive.js'
import { vectorToWorld } from '../../math/frame.js'
import { TAU } from '../../math/scalar.js'
import { addScaled, copy, dot, length, scale, set, sub, vec3 } from '../../math/vec3.js'
import { gather, requireObstacles, type AgentObstacleFilter } from './surroundings.js'
import { WallCap, wallClearance } from './wall-cap.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'
import { requireFunction } from '../../math/require.js'

export interface AvoidWallsOptions extends Options, OptionsOf<typeof AvoidWalls.options> {}
export interface AvoidWalls extends FieldsOf<typeof AvoidWalls.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Routes to the goal keep this share of the radius from walls, where there is room. */
const ROUTE_CLEARANCE = 0.1

/** Halfway between ahead and abeam, rad. */
const DEFAULT_FEELER_ANGLE = Math.PI / 4

/** Predictions and feelers end at this time, s: without brakes they would have no end. */
const MAX_PREDICTION_TIME = 20

const wanted = vec3()
const normal = vec3()
const drift = vec3()
const heading = vec3()
const place = vec3()
const touched = vec3()
const deepest = vec3()

/**
 * Steers the agent away from walls, floors and rocks, and lets it slide along them: the force is along their
 * normals only.
 * - As a plain behaviour, `predicted`: the agent's ball is moved ahead, which is the same as walls grown by
 *   its radius with rounded corners. The penetration of its path into a wall, projected on the normal and
 *   reversed, gives the force (Green, Steering Behaviours, "Avoid Walls and Containment": 2 · penetration ·
 *   N). The displacement of the papers becomes newtons as a change of velocity, displacement / time, so that
 *   mass and step do not matter. All walls count, and moving ones by their relative velocity. Its weakness is
 *   the published one: the slower the agent, the shorter its prediction.
 * - `feelers`: the feeler that penetrates deepest gives a force along the wall's normal, in proportion to its
 *   depth (course deck IMGD 4000, Wall Avoidance: three feelers in the plane, the closest hit; here in the
 *   carried course frame and in 3D). Obstacles thinner than the gaps between feelers are detected late.
 * - As a constraint of `within` it limits the speed towards each wall to the speed that can still be braked,
 *   √(2·a·d): the agent touches no wall and creeps along none, and only the speed into the wall is reduced.
 */
export class AvoidWalls extends WithOptions<AvoidWallsOptions> implements Constraint {
  static readonly type: string = 'AvoidWalls'
  static readonly options = {
    /** Walls: a set, which may be shared and may change at any time, or a list to make one of. */
    obstacles: { kind: 'instance', required: true, check: requireObstacles },
    /**
     * Walls for which this returns true are ignored: the dock that the agent flies to, a door. Default none.
     */
    ignore: { kind: 'function', check: requireFunction<AgentObstacleFilter> },
    /**
     * How walls are detected when it is used as a plain behaviour. `predicted` (default): by the position
     * where the agent will be. `feelers`: by line segments, one ahead and some around it. Inside of `within`
     * neither is used: there it limits the speed towards walls.
     */
    method: { kind: 'text', oneOf: ['predicted', 'feelers'], default: 'predicted' },
    /**
     * Prediction time, s, > 0. Default the time to react and stop, which is also the least that keeps out of
     * walls at full speed. Larger values react earlier.
     */
    horizon: { kind: 'number', unit: 's', above: 0 },
    /**
     * Share of the predicted penetration that is corrected, dimensionless, > 0: 1 stops at the wall, 2
     * (Green) mirrors the path. Larger values turn away more sharply. Default 2.
     */
    gain: { kind: 'number', above: 0, default: 2 },
    /**
     * Number of feelers around the one ahead, whole, ≥ 0. Default 4: up, down, port and starboard in the
     * course frame.
     */
    // Up, down, port and starboard.
    feelers: { kind: 'number', whole: true, atLeast: 0, atMost: 1000, default: 4 },
    /** Angle between these feelers and the course, rad, in (0, π]. Default π/4. */
    angle: { kind: 'number', unit: 'rad', above: 0, atMost: Math.PI, default: DEFAULT_FEELER_ANGLE },
    /** Length of these feelers as a share of the one ahead, dimensionless, in (0, 1]. Default 0.5. */
    // In lengths of the feeler ahead.
    sideShare: { kind: 'number', above: 0, atMost: 1, default: 0.5 },
    /**
     * As a constraint: distance (m) kept between the agent's ball and the walls, ≥ 0. Default 2 % of the
     * agent's radius.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
  } as const satisfies AnyTable
  private readonly found: Obstacle[] = []
  private readonly footing = new Footing()
  private readonly wallCap = new WallCap(this.footing)
  private currentAgent: Agent | null = null
  private readonly currentFilter: ObstacleFilter = (obstacle) =>
    this.footing.ignores(obstacle, this.currentAgent!)

  survey(agent: Agent, step: Step, limits: VelocityConstraints): void {
    this.obstacles.refreshFor(step)
    this.currentAgent = agent
    const hull = agent.radius + wallClearance(agent, this.clearance)
    const clearance = ROUTE_CLEARANCE * agent.radius
    this.footing.begin(agent, step, this.obstacles, hull + clearance, this.ignore)
    limits.addToMap(this.obstacles, hull, clearance, this.currentFilter, this.footing)
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    this.wallCap.capAll(agent, step, this.obstacles, this.ignore, this.clearance, limits)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { found, obstacles } = this
    obstacles.refreshFor(step)
    const time = this.predictionTime(agent, step)
    const range = (agent.speed + obstacles.fastest) * time + 3 * agent.radius
    this.footing.begin(agent, step, obstacles, agent.radius, this.ignore)
    const count = gather(obstacles, agent, range, this.footing.ignoresAll, found)
    if (count === 0) return
    copy(wanted, agent.velocity)
    const anyHit =
      this.method === 'feelers'
        ? this.addDeepestFeeler(agent, time, count)
        : this.addPredictedHits(agent, time, count)
    if (anyHit) drive(agent, step, wanted, out.force)
  }

  /** Draws the feelers, or the predicted path. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const time = this.predictionTime(agent, step)
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

  private predictionTime(agent: Agent, step: Step): number {
    if (this.horizon !== undefined) return this.horizon
    const { x, y, z } = agent.course.x
    const brake = agent.forceAlong(-x, -y, -z) / agent.mass
    const reaction = 2 * servoTime(agent, step)
    return Math.min(reaction + (brake > 0 ? agent.speed / brake : MAX_PREDICTION_TIME), MAX_PREDICTION_TIME)
  }

  /** Adds to `wanted` what keeps the predicted position in front of the walls. True when one is hit. */
  private addPredictedHits(agent: Agent, time: number, count: number): boolean {
    const { position, radius } = agent
    let anyHit = false
    for (let i = 0; i < count; i++) {
      const wall = this.found[i]!
      const distance = wall.distance(position, normal)
      addScaled(touched, position, normal, -distance)
      wall.velocityAt(drift, touched)
      sub(heading, agent.velocity, drift)
      const speed = length(heading)
      if (distance >= radius) {
        if (!(speed > 0 && speed < Infinity)) continue
        scale(heading, heading, 1 / speed)
        const hit = wall.sweep(position, heading, radius, speed * time)
        if (hit === Infinity) continue
        const distanceAtHit = wall.distance(addScaled(place, position, heading, hit), normal)
        wall.velocityAt(drift, addScaled(touched, place, normal, -distanceAtHit))
        sub(heading, agent.velocity, drift)
      }
      // clearance of the predicted ball from the tangent plane of the hit
      const gap = dot(sub(place, position, touched), normal) - radius + dot(heading, normal) * time
      if (!(gap < 0)) continue
      anyHit = true
      addScaled(wanted, wanted, normal, (-this.gain * gap) / time)
    }
    return anyHit
  }

  /** Adds to `wanted` the change by the feeler that penetrates deepest. True when a wall is hit. */
  private addDeepestFeeler(agent: Agent, time: number, count: number): boolean {
    let depth = 0
    for (let i = 0; i <= this.feelers; i++) {
      const reach = this.feeler(heading, agent, i, time)
      for (let k = 0; k < count; k++) {
        const wall = this.found[k]!
        const hit = wall.sweep(agent.position, heading, 0, reach)
        if (hit === Infinity) continue
        wall.distance(addScaled(place, agent.position, heading, hit), normal)
        const depthAlongNormal = -(reach - hit) * dot(heading, normal)
        if (!(depthAlongNormal > depth)) continue
        depth = depthAlongNormal
        copy(deepest, normal)
      }
    }
    if (depth === 0) return false
    addScaled(wanted, wanted, deepest, (this.gain * depth) / time)
    return true
  }

  /**
   * Writes the direction of feeler i; feeler 0 is the one ahead. Returns its length, m: at rest it still
   * reaches one radius beyond the hull.
   */
  private feeler(out: Vec3, agent: Agent, i: number, time: number): number {
    const reach = agent.speed * time + 2 * agent.radius
    if (i === 0) {
      copy(out, agent.course.x)
      return reach
    }
    const angle = (TAU * (i - 1)) / this.feelers
    const sine = Math.sin(this.angle)
    set(out, Math.cos(this.angle), sine * Math.cos(angle), sine * Math.sin(angle))
    vectorToWorld(out, agent.course, out)
    return reach * this.sideShare
  }
}
