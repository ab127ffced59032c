import type { Agent, Behavior, DebugDraw, Step, Wish, Wrench } from '../types.js'
import type { Constraint } from '../control/constraint.js'
import { servoGain } from '../control/drive.js'
import { VelocityLimits } from '../control/limits.js'
import { Memory } from '../control/memory.js'
import { hearWish } from '../control/wish.js'
import { requireBehavior, requireList } from '../math/require.js'
import { scale, set, sub, truncate, vec3 } from '../math/vec3.js'

const velocity = vec3()

/**
 * Does what `wish` wants within what `constraints` allow: the wish's force becomes a wanted velocity, v + F·τ / m; the constraints
 * limit it, all of them together, knowing how far the vehicle's force can change it; the force comes last. Forces that are added
 * undo each other, since every wanted velocity is a servo to which an evasive speed is an error; limits do not (measured in
 * this project's scenario tests). A wish may be any behaviour or combination; a torque it asks for passes as it is.
 */
export class Within implements Behavior {
  readonly constraints: Constraint[]
  wish: Behavior
  private readonly parts: Behavior[] = []
  private readonly limits = new VelocityLimits()
  /** What was wanted in the last step, for `trace`: velocity and the way to the goal. */
  private readonly memory = new Memory(4)
  private readonly heard: Wish = { distance: Infinity }

  /** @throws TypeError for something that is no constraint, or a wish that is no behaviour. */
  constructor(constraints: readonly Constraint[], wish: Behavior) {
    requireList('within', constraints)
    for (const each of constraints)
      if (typeof each?.constrain !== 'function')
        throw new TypeError(
          `within: constraint: got ${String(each)}, must be a constraint: a behaviour with constrain(agent, step, limits)`,
        )
    this.constraints = constraints.slice()
    this.wish = requireBehavior('within: wish', wish)
  }

  /** All parts, the wish last. Brought up to date by this call. */
  get children(): readonly Behavior[] {
    const { constraints, parts } = this
    parts.length = constraints.length + 1
    for (let i = 0; i < constraints.length; i++) parts[i] = constraints[i]!
    parts[constraints.length] = this.wish
    return parts
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { heard, limits, memory } = this
    hearWish(agent, step, this.wish, heard, out, velocity)
    const at = memory.at(agent)
    const { data } = memory
    data[at] = velocity.x
    data[at + 1] = velocity.y
    data[at + 2] = velocity.z
    data[at + 3] = heard.distance
    this.ask(agent, step, at)
    if (limits.solve(agent, step, velocity))
      scale(out.force, sub(velocity, velocity, agent.velocity), servoGain(agent, step))
    if (agent.wish === null) truncate(out.force, out.force, agent.maxForce)
  }

  /** Draws the YZ plane with the discs of what is in the way, the direction wanted and the one chosen. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const at = this.memory.at(agent)
    if (this.memory.fresh) return
    this.ask(agent, step, at)
    this.limits.trace(agent, step, draw)
  }

  /** Asks all constraints about the velocity wanted. */
  private ask(agent: Agent, step: Step, at: number): void {
    const { constraints, limits, memory } = this
    const { data } = memory
    limits.begin(agent, set(velocity, data[at]!, data[at + 1]!, data[at + 2]!), data[at + 3]!)
    for (let i = 0; i < constraints.length; i++) constraints[i]!.constrain(agent, step, limits)
  }
}

/** Short for `new Within(constraints, wish)`: `within([new AvoidObstacles({ obstacles })], new Arrive({ target }))`. */
export function within(constraints: readonly Constraint[], wish: Behavior): Within {
  return new Within(constraints, wish)
}
