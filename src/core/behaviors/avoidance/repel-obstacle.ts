import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { addScaled, set, truncate, vec3 } from '../../math/vec3.js'
import { Footing } from '../../solver/footing.js'
import { Escape } from './escape.js'
import { gather, requireObstacles, type AgentObstacleFilter } from './surroundings.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'
import { requireFunction } from '../../math/require.js'

export interface RepelObstacleOptions extends Options, OptionsOf<typeof RepelObstacle.options> {}
export interface RepelObstacle extends FieldsOf<typeof RepelObstacle.options> {}

const repulsion = vec3()
const normal = vec3()

/**
 * Repels the agent from obstacles that it has entered or nearly touches (Green, Steering Behaviours,
 * "Separation": obstacles "repel vehicles very quickly if they do become intersected", by a 1/x³ curve). x is
 * the distance of the agent's centre from the surface. The force is full at x = radius, where the hull
 * touches, and an eighth of that one radius farther; it fades to zero at `range`. Inside, x has no meaning,
 * and the direction away from the centre is undefined at the centre and wrong in overlapping obstacles. There
 * the full force points where the agent is clear of all obstacles soonest. To keep an agent outside in the
 * first place use `AvoidObstacles` or `AvoidWalls`.
 */
export class RepelObstacle extends WithOptions<RepelObstacleOptions> implements Behavior {
  static readonly type: string = 'RepelObstacle'
  static readonly options = {
    /**
     * Obstacles that repel: a set, which may be shared and may change at any time, or a list to make one of.
     */
    obstacles: { kind: 'instance', required: true, check: requireObstacles },
    /**
     * Distance (m) between hull and surface at which the repulsion begins, > 0. Default the agent's radius.
     * Larger values start earlier and more gently.
     */
    range: { kind: 'number', unit: 'm', above: 0 },
    /** Largest force as a share of `maxForce`, dimensionless, finite; negative attracts. Default 1. */
    weight: { kind: 'number', default: 1 },
    /**
     * Obstacles for which this returns true are ignored (Green: obstacles at the last waypoint). Default
     * none.
     */
    ignore: { kind: 'function', check: requireFunction<AgentObstacleFilter> },
  } as const satisfies AnyTable
  private readonly found: Obstacle[] = []
  private readonly footing = new Footing()
  private readonly escape = new Escape()

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { found, obstacles } = this
    obstacles.refreshFor(step)
    const { position, radius } = agent
    const end = radius + (this.range ?? radius)
    this.footing.begin(agent, step, obstacles, end, this.ignore)
    const count = gather(obstacles, agent, end, this.footing.ignoresAll, found)
    if (count === 0) return
    const force = this.weight * agent.maxForce
    if (this.escape.direction(agent, found, count, radius, repulsion) > 0) {
      addScaled(out.force, out.force, repulsion, force)
      return
    }
    set(repulsion, 0, 0, 0)
    const last = cube(radius / end)
    for (let i = 0; i < count; i++) {
      const distance = found[i]!.distance(position, normal)
      addScaled(repulsion, repulsion, normal, (cube(radius / distance) - last) / (1 - last))
    }
    addScaled(out.force, out.force, truncate(repulsion, repulsion, 1), force)
  }
}

function cube(x: number): number {
  return x * x * x
}
