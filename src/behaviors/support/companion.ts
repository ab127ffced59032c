import type { Agent, PointSource, Step, Vec3 } from '../../types.js'
import { addScaled, copy, isFiniteVec, scale, set, sub, vec3 } from '../../math/vec3.js'
import { Motion } from './motion.js'
import { pointAt, velocityOf } from './target.js'

/** Something whose company is kept: where it is and how it moves now, and where it will be. SI units, world axes. */
export class Companion {
  readonly position: Vec3 = vec3()
  readonly velocity: Vec3 = vec3()
  /** Learnt from its velocity; that of the step to come, which is what the force of this step can do something about. */
  readonly acceleration: Vec3 = vec3()
  private readonly motion = new Motion()

  /** Looks at `source`, once per step. False when it is lost: not finite. Points and functions are at rest. */
  look(agent: Agent, step: Step, source: PointSource): boolean {
    const { acceleration, motion, position, velocity } = this
    const { dt } = step
    pointAt(position, source, agent)
    velocityOf(velocity, source)
    if (!isFiniteVec(position) || !isFiniteVec(velocity)) return false
    motion.look(agent, this, step)
    addScaled(acceleration, sub(acceleration, motion.at(acceleration, dt), position), velocity, -dt)
    scale(acceleration, acceleration, 2 / (dt * dt))
    if (!isFiniteVec(acceleration)) set(acceleration, 0, 0, 0)
    return true
  }

  /** Writes where it will be in `time` seconds, m. */
  at(out: Vec3, time: number): Vec3 {
    return time === 0 ? copy(out, this.position) : this.motion.at(out, time)
  }
}
