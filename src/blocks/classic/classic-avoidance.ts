import type { Agent, Step, Vec3, Wrench } from '../../core/types.js'
import type { Constraint, VelocityConstraints } from '../../core/solver/constraint.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { servoTime } from '../../core/control/drive.js'
import { undampedStop } from '../../core/control/profile.js'
import { exemptsObstacle } from '../../core/solver/exemption.js'
import { Footing } from '../../core/solver/footing.js'
import { set, vec3 } from '../../core/math/vec3.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { demandForce } from './demand.js'
import {
  gather,
  requireObstacles,
  type AgentObstacleFilter,
} from '../../core/behaviors/avoidance/surroundings.js'
import { WallCap } from '../../core/behaviors/avoidance/wall-cap.js'
import { aheadAvoidance, aheadLength } from './ahead-points.js'
import { DEFAULT_BRAKING_WEIGHT, textbookAvoidance } from './textbook.js'
import { requireFunction } from '../../core/math/require.js'

export interface ClassicAvoidanceOptions extends Options, OptionsOf<typeof ClassicAvoidance.options> {}
export interface ClassicAvoidance extends FieldsOf<typeof ClassicAvoidance.options> {}

/** See {@link ClassicAvoidanceOptions}. */
export type ClassicAvoidanceMethod = 'textbook' | 'deck' | 'bevilacqua'

const force = vec3()

/**
 * The published methods of obstacle avoidance, with the weaknesses that they have, for comparison. Each
 * reacts to one obstacle at a time. For use in a game take `AvoidObstacles`. Sources and departures: see
 * `docs/papers.md`, and `textbookAvoidance` and `aheadAvoidance` in the source. Alone it returns the
 * published force. As a constraint of `within` it asks that the velocity changes along that force by at
 * least as much as the force alone would change it. A player's input is slowed and stopped as by
 * `AvoidObstacles`.
 */
export class ClassicAvoidance extends WithOptions<ClassicAvoidanceOptions> implements Constraint {
  static readonly type: string = 'ClassicAvoidance'
  static readonly options = {
    /**
     * Obstacles to avoid: a set, which may be shared and may change at any time, or a list to make one of.
     */
    obstacles: { kind: 'instance', required: true, check: requireObstacles },
    /**
     * Obstacles for which this returns true are ignored. The agent itself, its formation, what it stands on,
     * and in the corridor of a port the carrier that it docks at are ignored anyway. Default none.
     */
    ignore: { kind: 'function', check: requireFunction<AgentObstacleFilter> },
    /**
     * `textbook` (default): the closest threat in a cylinder ahead (Green). `deck`: the same threat with the
     * force of the course deck IMGD 4000. `bevilacqua`: the obstacle around the point ahead, half-way or at
     * the agent.
     */
    method: { kind: 'text', oneOf: ['textbook', 'deck', 'bevilacqua'], default: 'textbook' },
    /**
     * Textbook: share of `maxForce` that brakes for a threat one cylinder length away, dimensionless, ≥ 0.
     * Deck: factor on (R − x) / R. Default 2.
     */
    brakingWeight: { kind: 'number', atLeast: 0, default: DEFAULT_BRAKING_WEIGHT },
  } as const satisfies AnyTable
  private readonly found: Obstacle[] = []
  private readonly footing = new Footing()
  private readonly wallCap = new WallCap(this.footing)
  private currentLimits: VelocityConstraints | null = null
  private readonly isIgnored: AgentObstacleFilter = (obstacle, agent) =>
    this.footing.ignores(obstacle, agent) || exemptsObstacle(this.currentLimits, obstacle, agent.radius)

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    this.begin(agent, step, limits)
    if (limits.isManual === true)
      return this.wallCap.capAll(agent, step, this.obstacles, this.ignore, undefined, limits)
    set(force, 0, 0, 0)
    if (this.avoid(agent, step, force)) demandForce(agent, step, force, limits)
  }

  /** As a plain behaviour: writes the published force. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.begin(agent, step, null)
    this.avoid(agent, step, out.force)
  }

  private begin(agent: Agent, step: Step, limits: VelocityConstraints | null): void {
    this.obstacles.refreshFor(step)
    this.currentLimits = limits
    this.footing.begin(agent, step, this.obstacles, agent.radius, this.ignore)
  }

  /** Adds the force (N) to `out`. Returns whether there was a threat. */
  private avoid(agent: Agent, step: Step, out: Vec3): boolean {
    const { brakingWeight, found, method } = this
    if (method === 'bevilacqua')
      return aheadAvoidance(agent, found, this.gather(agent, aheadLength(agent) + agent.radius), out)
    const stop = undampedStop(agent.speed, agent.maxForce / agent.mass, servoTime(agent, step))
    const count = this.gather(agent, 2 * stop + 2 * agent.radius)
    return textbookAvoidance(agent, found, count, out, brakingWeight, method)
  }

  private gather(agent: Agent, range: number): number {
    return gather(this.obstacles, agent, range, this.isIgnored, this.found)
  }
}
