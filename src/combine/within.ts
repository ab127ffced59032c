import type { Agent, Behavior, Step, Wish, Wrench } from '../types.js'
import type { Constraint } from '../control/constraint.js'
import { VelocityLimits } from '../control/limits.js'
import { Memory } from '../control/memory.js'
import { requireBehavior, requireList } from '../math/require.js'
import { addScaled, scale, set, sub, truncate, vec3 } from '../math/vec3.js'

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
  /** Direction chosen in the last step. */
  private readonly memory = new Memory(3)
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
    const { constraints, heard, limits, memory } = this
    const outer = agent.wish
    heard.distance = Infinity
    agent.wish = heard
    this.wish.steer(agent, step, out)
    agent.wish = outer
    const gain = agent.mass / Math.max(agent.responseTime, step.dt)
    addScaled(velocity, agent.velocity, out.force, 1 / gain)
    limits.begin(truncate(velocity, velocity, agent.maxSpeed), heard.distance)
    for (let i = 0; i < constraints.length; i++) constraints[i]!.constrain(agent, step, limits)
    const at = memory.at(agent)
    const { data } = memory
    set(limits.chosen, data[at]!, data[at + 1]!, data[at + 2]!)
    if (limits.solve(agent, step, velocity)) scale(out.force, sub(velocity, velocity, agent.velocity), gain)
    if (outer === null) truncate(out.force, out.force, agent.maxForce)
    data[at] = limits.chosen.x
    data[at + 1] = limits.chosen.y
    data[at + 2] = limits.chosen.z
  }

  trace(...[agent, step, draw]: Parameters<NonNullable<Behavior['trace']>>): void {
    for (const each of this.constraints) each.trace?.(agent, step, draw)
    this.wish.trace?.(agent, step, draw)
  }
}

/** Short for `new Within(constraints, wish)`: `within([new AvoidObstacles({ obstacles })], new Arrive({ target }))`. */
export function within(constraints: readonly Constraint[], wish: Behavior): Within {
  return new Within(constraints, wish)
}
