import type { Agent, Step, Vec3, Vec3Like, Wish } from '../types.js'
import type { ObstacleView } from '../solver/obstacle-view.js'
import { brakeBefore } from '../solver/brake.js'
import { ConstraintSet } from '../solver/constraint-set.js'
import { servoTime } from '../control/drive.js'
import { BRAKE_SHARE, brakingSpeed, stoppingDistance } from '../control/profile.js'
import { grown } from '../math/grown.js'
import { addScaled, copy, isZero, length, normalize, scale, vec3 } from '../math/vec3.js'

/** What is farther than so many stopping distances is no danger, if it is farther than the horizon, too. */
const STOPS = 2

const ahead = vec3()
const from = vec3()
const normal = vec3()

/**
 * What constraints say of one agent in one step, read as a map of danger over all directions: 0 where the velocity wanted may be flown,
 * 1 where something touches at once, or where nothing is left of the speed.
 */
export class DangerMap extends ConstraintSet {
  /** The speed (m/s) that others make the agent have, ≥ 0. */
  push = 0
  /** `[4 × planes]`: unit normal and least component along it, m/s. */
  private data = new Float64Array(64)
  private planes = 0
  /** Those of the bars that may be a danger. */
  private readonly near: ObstacleView[] = []
  private seen = 0
  /** What is farther is no danger, m. */
  private sight = 0

  /** Starts anew with the velocity `wanted`, of which that was heard. */
  begin(agent: Agent, wanted: Vec3Like, heard: Readonly<Wish>): void {
    this.reset(agent, wanted, heard)
    this.planes = 0
    this.push = 0
  }

  addHalfSpace(towards: Vec3Like, least: number, yields?: boolean): void {
    if (!Number.isFinite(least)) return
    const { x, y, z } = towards
    this.program.add(towards, least, yields)
    const at = 4 * this.planes++
    if (at === this.data.length) this.data = grown(this.data, 2 * at)
    this.data[at] = x
    this.data[at + 1] = y
    this.data[at + 2] = z
    this.data[at + 3] = least
    if (least > this.push) this.push = least
  }

  /** Walls tell their caps as well, which mask what leads into them. */
  addWall(): void {}

  /** Looks at everything once all constraints have spoken. What is farther off than `horizon` (s) at the speed wanted is no danger. */
  look(agent: Agent, step: Step, horizon: number): void {
    const { views: bars, near, goalDistance: reach, wantedVelocity: wanted } = this
    const { position, velocity } = agent
    const speed = Math.max(length(wanted), this.push)
    const time = servoTime(agent, step)
    const power = (BRAKE_SHARE * agent.maxForce) / agent.mass
    this.sight = Math.max(
      speed * horizon,
      STOPS * stoppingDistance(Math.max(speed, agent.speed), power, 0, time),
    )
    normalize(ahead, wanted)
    this.scan(agent, ahead, Math.PI)
    addScaled(from, position, velocity, time)
    const lag = agent.speed * time
    this.seen = 0
    for (let i = 0; i < this.viewCount; i++) {
      const bar = bars[i]!
      bar.update(from, position, lag)
      // from inside of it only its way out is seen
      if (bar.clearance < 0) bar.update(position, position, 0)
      if (this.hasGoal && bar.clearance < reach) bar.holdsGoal = bar.obstacle.distance(this.goal, normal) < 0
      if (bar.holdsGoal) continue
      // what comes may be nearer than it looks
      if (bar.clearance < this.limitOf(bar) || !isZero(bar.obstacle.velocity)) near[this.seen++] = bar
    }
  }

  /**
   * How dangerous it is to fly along the unit direction (x, y, z) at `speed` (m/s): 0 not at all, 1 and more very much. Of what is worse
   * than `bound` only that it is.
   */
  at(x: number, y: number, z: number, speed: number, bound = Infinity): number {
    const { data, near, planes } = this
    let worst = 0
    for (let i = 0; i < 4 * planes; i += 4) {
      const lack = data[i + 3]! - speed * (x * data[i]! + y * data[i + 1]! + z * data[i + 2]!)
      if (lack > worst * speed) worst = lack / speed
    }
    for (let i = 0; i < this.seen && worst <= bound; i++) {
      const bar = near[i]!
      const limit = this.limitOf(bar)
      const way = bar.distanceToOutline(x, y, z, speed)
      if (!(way < limit && 1 - way / limit > worst)) continue
      worst = 1 - way / limit
      if (worst <= bound) continue
      // most likely it bars the next direction, too
      near[i] = near[0]!
      near[0] = bar
    }
    return worst
  }

  /** What is farther than this is no danger, m. */
  private limitOf(bar: ObstacleView): number {
    return Math.min(bar.horizon, this.goalDistance, this.sight)
  }

  /**
   * Holds the velocity `out` (m/s) within what can be flown: it can stop before what it would touch, brakes in time for what the present velocity
   * would touch, and keeps to what else is demanded, as far as the force can change the velocity now. `turned`: whether its direction
   * was chosen to evade. To be called last. True where it had to be changed.
   */
  hold(agent: Agent, step: Step, turned: boolean, out: Vec3): boolean {
    const { views: bars, viewCount: count, isExiting: leaving, program } = this
    const time = servoTime(agent, step)
    const speed = length(out)
    normalize(ahead, out)
    let way = Infinity
    if (!leaving)
      for (let i = 0; i < count; i++)
        way = Math.min(way, bars[i]!.distanceToHull(ahead.x, ahead.y, ahead.z, speed))
    const brake = (BRAKE_SHARE * agent.forceAlong(-ahead.x, -ahead.y, -ahead.z)) / agent.mass
    const pace = Math.min(speed, brakingSpeed(way, brake, agent.damping, time))
    if (pace < speed) scale(out, ahead, pace)
    for (let i = 0; i < count; i++)
      brakeBefore(agent, bars[i]!, time, turned ? ahead : null, way, leaving, this)
    copy(this.plannedVelocity, out)
    const limited = program.solve(out, out, agent.velocity, (agent.maxForce / agent.mass) * time)
    return limited || pace < speed
  }
}
