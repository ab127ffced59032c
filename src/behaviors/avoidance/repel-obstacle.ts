import type { Agent, Behavior, Step, Wrench } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { requireFinite } from '../../math/require.js'
import { addScaled, set, truncate, vec3 } from '../../math/vec3.js'
import { escapeDirection } from './escape.js'
import { gather, requireObstacles, type ObstacleSource, type Spared } from './surroundings.js'

export interface RepelObstacleOptions {
  /** What pushes: a set, which may be shared and may change at any time, or a list to make one of. */
  obstacles: ObstacleSource
  /** Clear distance (m) between hull and surface at which the push begins, > 0. Default the agent's radius. */
  range?: number
  /** Largest push as a share of `maxForce`, dimensionless, finite; negative attracts. Default 1. */
  weight?: number
  /** Obstacles for which this returns true do not push (Green: not those at the last waypoint). Default none. */
  ignore?: Spared
}

const push = vec3()
const normal = vec3()

/**
 * Is pushed out of obstacles it has come into, and off those it nearly touches (Green, Steering Behaviours, "Separation": obstacles
 * "repel vehicles very quickly if they do become intersected", by a 1/x³ curve). x is the distance of the agent's centre from the
 * surface: full force at x = radius, where the hull touches, an eighth of it a radius farther, made to fade out at `range`.
 * Inside, where x has no meaning and "away from the centre" fails at the centre and in merged clumps, the full force points where the
 * agent is clear of all obstacles soonest. To keep out in the first place use `AvoidObstacles` or `AvoidWalls`.
 */
export class RepelObstacle implements Behavior {
  static readonly type: string = 'RepelObstacle'
  obstacles: Obstacles
  range: number | undefined
  weight: number
  ignore: Spared | undefined
  private readonly found: Obstacle[] = []

  /** @throws TypeError / RangeError naming the option. */
  constructor({ obstacles, range, weight = 1, ignore }: RepelObstacleOptions) {
    this.obstacles = requireObstacles('RepelObstacle.obstacles', obstacles)
    this.range = range === undefined ? undefined : requireFinite('RepelObstacle.range', range, 0, true)
    this.weight = requireFinite('RepelObstacle.weight', weight, -Infinity, true)
    this.ignore = ignore
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { found, obstacles } = this
    obstacles.refreshFor(step)
    const { position, radius } = agent
    const end = radius + (this.range ?? radius)
    const count = gather(obstacles, agent, end, this.ignore, found)
    if (count === 0) return
    const force = this.weight * agent.maxForce
    if (escapeDirection(agent, found, count, radius, push) > 0) {
      addScaled(out.force, out.force, push, force)
      return
    }
    set(push, 0, 0, 0)
    const last = cube(radius / end)
    for (let i = 0; i < count; i++) {
      const away = found[i]!.distance(position, normal)
      addScaled(push, push, normal, (cube(radius / away) - last) / (1 - last))
    }
    addScaled(out.force, out.force, truncate(push, push, 1), force)
  }
}

function cube(x: number): number {
  return x * x * x
}
