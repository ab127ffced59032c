import type { Agent, Step, Vec3 } from '../../core/types.js'
import { servoTime } from '../../core/control/drive.js'
import { Saved } from '../../core/control/serialize-fields.js'
import { feedForward } from '../../core/locomotion/limits.js'
import {
  addScaled,
  copy,
  isZero,
  length,
  lengthSq,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'

// The numbers below are chosen by hand.

/** The push is a mean over this many times of the servo. Larger: steadier, and later. */
const TIMES = 4
/** A push of less than this share of its own acceleration is noise. Larger: more stays uncorrected. */
const NOISE = 0.01

const sample = vec3()
const own = vec3()

/**
 * Estimates the steady acceleration of an agent by what is not their own force and not compensated by their
 * locomotion, such as wind: the change of velocity less what the force of the last step makes (a disturbance
 * observer, Ohnishi 1987). It does not depend on where an agent should be, so a long way back winds nothing
 * up. The push of a wall on which an agent leans counts as wind: it leans harder, up to its force.
 */
export class OuterPush extends Saved {
  /** Its velocity (m/s) in the last step, number and length (s) of that step, and the push (m/s²). */
  private readonly velocity: Vec3 = vec3()
  private tick = -2
  private dt = 0.5
  private readonly push: Vec3 = vec3()

  /** Writes the acceleration (m/s²), no more than that of the agent's own force. To be called once a step. */
  update(agent: Agent, step: Step, out: Vec3): void {
    const { mass, velocity } = agent
    const most = agent.maxForce / mass
    const noise = NOISE * most
    let size = 0
    if (this.tick !== step.tick - 1) set(out, 0, 0, 0)
    else {
      const { dt } = this
      copy(out, this.push)
      sub(own, agent.lastForce, feedForward(own, agent, dt))
      scale(sample, sub(sample, velocity, this.velocity), 1 / dt)
      addScaled(sample, sample, own, -1 / mass)
      if (!isZero(out) || lengthSq(sample) > noise * noise) {
        sub(sample, truncate(sample, sample, most), out)
        size = length(addScaled(out, out, sample, dt / (dt + TIMES * servoTime(agent, step))))
      }
    }
    this.tick = step.tick
    this.dt = step.dt
    copy(this.velocity, velocity)
    copy(this.push, out)
    scale(out, out, size > noise ? 1 - noise / size : 0)
  }
}
