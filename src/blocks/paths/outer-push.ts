import type { Agent, SnapshotState, Step, Vec3 } from '../../core/types.js'
import { servoTime } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { feedForward } from '../../core/locomotion/limits.js'
import {
  addScaled,
  isZero,
  length,
  lengthSq,
  load,
  save,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'

// stored for each agent: its velocity (m/s) in the last step, the push (m/s²), and the number and length (s)
// of that step
const VELOCITY = 0
const PUSH = 3
const TICK = 6
const DT = 7
const WIDTH = 8

// The numbers below are chosen by hand.

/** The push is a mean over this many times of the servo. Larger: steadier, and later. */
const TIMES = 4
/** A push of less than this share of its own acceleration is noise. Larger: more stays uncorrected. */
const NOISE = 0.01

const sample = vec3()
const own = vec3()

/**
 * Estimates the steady acceleration of agents by what is not their own force and not compensated by their
 * locomotion, such as wind: the change of velocity less what the force of the last step makes (a disturbance
 * observer, Ohnishi 1987). It does not depend on where an agent should be, so a long way back winds nothing
 * up. The push of a wall on which an agent leans counts as wind: it leans harder, up to its force.
 */
export class OuterPush {
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** Writes the acceleration (m/s²), no more than that of the agent's own force. To be called once a step. */
  update(agent: Agent, step: Step, out: Vec3): void {
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const { mass, velocity } = agent
    const most = agent.maxForce / mass
    const noise = NOISE * most
    let size = 0
    if (fresh || data[at + TICK] !== step.tick - 1) set(out, 0, 0, 0)
    else {
      const dt = data[at + DT]!
      load(out, data, at + PUSH)
      sub(own, agent.lastForce, feedForward(own, agent, dt))
      scale(sample, sub(sample, velocity, load(sample, data, at + VELOCITY)), 1 / dt)
      addScaled(sample, sample, own, -1 / mass)
      if (!isZero(out) || lengthSq(sample) > noise * noise) {
        sub(sample, truncate(sample, sample, most), out)
        size = length(addScaled(out, out, sample, dt / (dt + TIMES * servoTime(agent, step))))
      }
    }
    data[at + TICK] = step.tick
    data[at + DT] = step.dt
    save(velocity, data, at + VELOCITY)
    save(out, data, at + PUSH)
    scale(out, out, size > noise ? 1 - noise / size : 0)
  }
}
