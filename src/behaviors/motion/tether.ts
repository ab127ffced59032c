import type { Agent, Behavior, PointSource, Step, Wrench } from '../../types.js'
import { requireFinite } from '../../math/require.js'
import { smoothstep } from '../../math/scalar.js'
import { addScaled, length, sub, vec3 } from '../../math/vec3.js'
import { pointAt, requirePoint } from '../../control/target.js'

export interface TetherOptions {
  /** Middle of the space it may roam in: a roost, a leader, the centre of the flock. */
  target: PointSource
  /** Within this distance of the middle it is free, m, ≥ 0. */
  radius: number
  /** The pull grows from none at `radius` to all of it so much farther out, m, > 0. Wider is gentler. Default `radius` / 2, or 1. */
  fadeWidth?: number
  /** Share of `maxForce` of the whole pull, dimensionless, finite. Default 1. */
  weight?: number
}

const offset = vec3()

/**
 * Holds an agent near a place with a line that is slack within a radius and pulls ever harder beyond it, smoothly: the roost of a
 * flock, the middle of a wanderer's grounds (UnitySteer, SteerForTether, which switches to a full seek at the radius).
 */
export class Tether implements Behavior {
  static readonly type: string = 'Tether'
  target: PointSource
  radius: number
  fadeWidth: number
  weight: number

  /** @throws TypeError / RangeError naming the option. */
  constructor({ target, radius, fadeWidth = radius / 2 || 1, weight = 1 }: TetherOptions) {
    this.target = requirePoint('Tether.target', target)
    this.radius = requireFinite('Tether.radius', radius, 0, false)
    this.fadeWidth = requireFinite('Tether.fadeWidth', fadeWidth, 0, true)
    this.weight = requireFinite('Tether.weight', weight, -Infinity, true)
  }

  steer(agent: Agent, _step: Step, out: Wrench): void {
    pointAt(offset, this.target, agent)
    const distance = length(sub(offset, offset, agent.position))
    if (!(distance > this.radius)) return
    // without a jump in force or its slope where the line goes taut and where it is at its hardest
    const pull = smoothstep((distance - this.radius) / this.fadeWidth, 0, 1)
    addScaled(out.force, out.force, offset, (this.weight * agent.maxForce * pull) / distance)
  }
}
