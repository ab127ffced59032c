import type { Agent, Step, Wrench } from '../types.js'
import type { Constraint, Limits } from '../control/constraint.js'
import { Obstacle, type ObstacleOptions } from '../obstacles/obstacle.js'
import { Obstacles } from '../obstacles/obstacles.js'
import { VelocityLimits } from '../control/limits.js'
import { Memory } from '../control/memory.js'
import { stoppingDistance } from '../control/profile.js'
import { requireFinite } from '../math/require.js'
import { addScaled, length, set, sub, vec3 } from '../math/vec3.js'

export interface AvoidObstaclesOptions {
  /** What to avoid: a set, which may be shared and may change at any time, or a list to make one of. */
  obstacles: Obstacles | Iterable<Obstacle | ObstacleOptions>
  /** Obstacles for which this returns true are not seen: the dock it flies to, its carrier, its own formation. Default none. */
  ignore?: (obstacle: Obstacle, agent: Agent) => boolean
  /** Looks so many seconds of flight ahead, never less far than it needs to stop and turn, > 0. Default 5. */
  horizon?: number
  /** Clearance (m) at which it passes, ≥ 0. Default a tenth of the agent's radius. Narrower gaps are flown through with less. */
  margin?: number
}

/** Default look-ahead, s: shorter sees a pocket too late, longer sees no gap in a crowd. */
const HORIZON = 5

/** The hull is taken as larger by this share of the radius: room for rounding and for the last moments of a servo. */
const SKIN = 0.02

const velocity = vec3()

export class AvoidObstacles implements Constraint {
  obstacles: Obstacles
  ignore: ((obstacle: Obstacle, agent: Agent) => boolean) | undefined
  horizon: number
  margin: number | undefined
  private readonly found: Obstacle[] = []
  private readonly limits = new VelocityLimits()
  private readonly memory = new Memory(3)

  /** @throws TypeError / RangeError naming the option. */
  constructor({ obstacles, ignore, horizon = HORIZON, margin }: AvoidObstaclesOptions) {
    this.obstacles = obstacles instanceof Obstacles ? obstacles : new Obstacles(obstacles)
    this.ignore = ignore
    this.horizon = requireFinite('AvoidObstacles.horizon', horizon, 0, true)
    this.margin = margin === undefined ? undefined : requireFinite('AvoidObstacles.margin', margin, 0, false)
  }

  constrain(agent: Agent, step: Step, limits: Limits): void {
    const { found, ignore, obstacles } = this
    obstacles.refreshFor(step)
    const { radius, maxForce, mass, responseTime } = agent
    const speed = Math.max(length(limits.wanted), agent.speed)
    const braking = stoppingDistance(speed, maxForce / mass, 0, responseTime)
    const horizon = Math.max(2 * braking, speed * this.horizon) + radius
    const range = Math.max(2 * braking, Math.min(horizon, limits.reach)) + radius
    const hull = radius * (1 + SKIN)
    const margin = this.margin ?? 0.1 * radius
    const count = obstacles.near(agent.position, range + hull, found)
    for (let i = 0; i < count; i++) {
      const each = found[i]!
      if (ignore === undefined || !ignore(each, agent)) limits.bar(each, horizon, hull, margin)
    }
  }

  /** As a plain behaviour: the force that leads the present course past what is in its way. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    const { limits, memory } = this
    limits.begin(agent.velocity, Infinity)
    this.constrain(agent, step, limits)
    const at = memory.at(agent)
    const { data } = memory
    set(limits.chosen, data[at]!, data[at + 1]!, data[at + 2]!)
    if (limits.solve(agent, step, velocity)) {
      const gain = agent.mass / Math.max(agent.responseTime, step.dt)
      addScaled(out.force, out.force, sub(velocity, velocity, agent.velocity), gain)
    }
    data[at] = limits.chosen.x
    data[at + 1] = limits.chosen.y
    data[at + 2] = limits.chosen.z
  }
}
