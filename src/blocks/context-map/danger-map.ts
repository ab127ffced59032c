import type { Agent, Step, Vec3, Vec3Like, Wish } from '../../core/types.js'
import type { ObstacleView } from '../../core/solver/obstacle-view.js'
import { brakeBefore } from '../../core/solver/brake.js'
import { ConstraintSet } from '../../core/solver/constraint-set.js'
import { servoTime } from '../../core/control/drive.js'
import { BRAKE_SHARE, brakingSpeed, stoppingDistance } from '../../core/control/profile.js'
import { grown } from '../../core/math/grown.js'
import { addScaled, copy, length, normalize, scale, vec3 } from '../../core/math/vec3.js'

/** Obstacles beyond so many stopping distances and the horizon are ignored. Chosen by hand. */
const STOPPING_DISTANCES = 2

const ahead = vec3()
const from = vec3()
const normal = vec3()

/**
 * The demands of constraints on one agent in one step, as a map of danger over all directions: 0 where the
 * wanted speed may be flown, 1 where an obstacle is touched at once or the demands allow no speed.
 */
export class DangerMap extends ConstraintSet {
  /** Largest speed (m/s) that half-spaces demand of the agent, ≥ 0. */
  demandedSpeed = 0
  /** `[4 × planes]`: unit normal and least component along it, m/s. */
  private planes = new Float64Array(64)
  private planeCount = 0
  /** Views of the obstacles that are near enough to matter. */
  private readonly relevant: ObstacleView[] = []
  private relevantCount = 0
  /** Obstacles beyond this distance (m) are ignored. */
  private sightDistance = 0

  /** Starts with the wanted velocity `wanted` (m/s) and the wish that it comes from. */
  begin(agent: Agent, wanted: Vec3Like, wish: Readonly<Wish>): void {
    this.reset(agent, wanted, wish)
    this.planeCount = 0
    this.demandedSpeed = 0
  }

  addHalfSpace(towards: Vec3Like, least: number, yields?: boolean): void {
    if (!Number.isFinite(least)) return
    const { x, y, z } = towards
    this.program.add(towards, least, yields)
    const offset = 4 * this.planeCount++
    if (offset === this.planes.length) this.planes = grown(this.planes, 2 * offset)
    this.planes[offset] = x
    this.planes[offset + 1] = y
    this.planes[offset + 2] = z
    this.planes[offset + 3] = least
    if (least > this.demandedSpeed) this.demandedSpeed = least
  }

  /** Ignored: walls add their half-spaces as well, which mask the directions into them. */
  addWall(): void {}

  /**
   * Measures all obstacles. Called when all constraints have added their demands. Obstacles beyond `horizon`
   * (s) at the wanted speed are ignored.
   */
  assess(agent: Agent, step: Step, horizon: number): void {
    const { views, relevant, goalDistance, wantedVelocity: wanted } = this
    const { position, velocity } = agent
    const speed = Math.max(length(wanted), this.demandedSpeed)
    const time = servoTime(agent, step)
    const deceleration = (BRAKE_SHARE * agent.maxForce) / agent.mass
    this.sightDistance = Math.max(
      speed * horizon,
      STOPPING_DISTANCES * stoppingDistance(Math.max(speed, agent.speed), deceleration, 0, time),
    )
    normalize(ahead, wanted)
    this.scan(agent, ahead, Math.PI)
    addScaled(from, position, velocity, time)
    const { flight } = this
    this.relevantCount = 0
    for (let i = 0; i < this.viewCount; i++) {
      const view = views[i]!
      flight.lag = agent.speed * time
      view.update(from, position, flight)
      // an obstacle that contains the agent is measured from where the agent is, so that only directions out
      // of it are free
      flight.lag = 0
      if (view.clearance < 0) view.update(position, position, flight)
      if (this.hasGoal && view.clearance < goalDistance)
        view.holdsGoal = view.obstacle.isNearer(this.goal, 0, normal)
      if (view.holdsGoal) continue
      // an approaching obstacle may be reached earlier than its distance says
      if (view.clearance < this.dangerDistance(view) || view.isMoving) relevant[this.relevantCount++] = view
    }
  }

  /**
   * Danger (dimensionless) of flying along the unit direction at `speed` (m/s): 0 for none, 1 or
   * more for an immediate collision. A danger above `bound` need not be exact.
   */
  dangerAt(direction: Vec3Like, speed: number, bound = Infinity): number {
    const { x, y, z } = direction
    const { flight, planes, relevant, planeCount } = this
    flight.speed = speed
    let worst = 0
    for (let i = 0; i < 4 * planeCount; i += 4) {
      const violation = planes[i + 3]! - speed * (x * planes[i]! + y * planes[i + 1]! + z * planes[i + 2]!)
      if (violation > worst * speed) worst = violation / speed
    }
    for (let i = 0; i < this.relevantCount && worst <= bound; i++) {
      const view = relevant[i]!
      const range = this.dangerDistance(view)
      const freeDistance = view.distanceToOutline(direction, flight)
      if (!(freeDistance < range && 1 - freeDistance / range > worst)) continue
      worst = 1 - freeDistance / range
      if (worst <= bound) continue
      // it probably blocks the next direction as well, so it is tested first
      relevant[i] = relevant[0]!
      relevant[0] = view
    }
    return worst
  }

  /** Distance (m) beyond which the obstacle is ignored. */
  private dangerDistance(view: ObstacleView): number {
    return Math.min(view.horizon, this.goalDistance, this.sightDistance)
  }

  /**
   * Limits the velocity `out` (m/s): the agent can stop before each obstacle in this direction, brakes in
   * time for obstacles that its present velocity would hit, and meets the other demands, as far as the force
   * can change the velocity now. `isTurned`: whether the direction was chosen to evade. Called last. True if
   * `out` was changed.
   */
  limitVelocity(agent: Agent, step: Step, isTurned: boolean, out: Vec3): boolean {
    const { flight, views, viewCount, isExiting, program } = this
    const time = (this.time = servoTime(agent, step))
    const speed = (flight.speed = length(out))
    normalize(ahead, out)
    let freeDistance = Infinity
    if (!isExiting)
      for (let i = 0; i < viewCount; i++)
        freeDistance = Math.min(freeDistance, views[i]!.distanceToHull(ahead, flight))
    const brake = (BRAKE_SHARE * agent.forceAlong(-ahead.x, -ahead.y, -ahead.z)) / agent.mass
    const allowedSpeed = Math.min(speed, brakingSpeed(freeDistance, brake, agent.damping, time))
    if (allowedSpeed < speed) scale(out, ahead, allowedSpeed)
    this.clearDistance = freeDistance
    brakeBefore(agent, views, viewCount, isTurned ? ahead : null, this)
    copy(this.plannedVelocity, out)
    const isLimited = program.solve(out, out, agent.velocity, (agent.maxForce / agent.mass) * time)
    return isLimited || allowedSpeed < speed
  }
}
