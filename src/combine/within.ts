import type { Agent, Behavior, DebugDraw, Step, Wish, Wrench } from '../types.js'
import type { Constraint } from '../control/constraint.js'
import { servoGain } from '../control/drive.js'
import { VelocityLimits } from '../control/limits.js'
import { Memory } from '../control/memory.js'
import { constraintRules, type Part } from '../control/part-rules.js'
import { PartList } from '../control/parts.js'
import { hearWish } from '../control/wish.js'
import { requireBehavior } from '../math/require.js'
import { load, save, scale, sub, truncate, vec3 } from '../math/vec3.js'

// what is kept for each agent, for `trace`
const WANTED = 0
const DISTANCE = 3
const PLACE = 4
const SPARES = 7
const WIDTH = 8

const OBSTACLES = 1
const AGENTS = 2

const velocity = vec3()

/**
 * Does what `wish` wants within what `constraints` allow: the wish's force becomes a wanted velocity, v + F·τ / m; the constraints
 * limit it, all of them together, knowing how far the vehicle's force can change it; the force comes last. Forces that are added
 * undo each other, since every wanted velocity is a servo to which an evasive speed is an error; limits do not (measured in
 * this project's scenario tests). A wish may be any behaviour or combination; a torque it asks for passes as it is.
 */
export class Within implements Behavior {
  wish: Behavior
  private readonly list: PartList<Part<Constraint>>
  /** The wish that holds in this step, as `list.active` does. */
  private wanted: Behavior
  private readonly all: Behavior[] = []
  private readonly limits = new VelocityLimits()
  /** What was wanted in the last step, for `trace`: velocity and the way to the goal. */
  private readonly memory = new Memory(WIDTH)
  private readonly heard: Wish = { distance: Infinity }
  /** As kept of the agent at hand. */
  private readonly spares = { place: vec3(), obstacles: false, agents: false }

  /** @throws TypeError for something that is no constraint, or a wish that is no behaviour. */
  constructor(constraints: readonly (Constraint | Part<Constraint>)[], wish: Behavior) {
    this.list = new PartList(constraints, constraintRules('within'))
    this.wish = this.wanted = requireBehavior('within: wish', wish)
  }

  /** The constraints. They may be switched, added, removed and reordered at any time, see `Part`, and so may the wish. */
  get parts(): Part<Constraint>[] {
    return this.list.parts
  }

  /** The constraints that are switched on. This list may be edited, too. */
  get constraints(): Constraint[] {
    return this.list.behaviors
  }

  /** All behaviours that are switched on, the wish last. Brought up to date by this call. */
  get children(): readonly Behavior[] {
    const { all, constraints } = this
    all.length = constraints.length + 1
    for (let i = 0; i < constraints.length; i++) all[i] = constraints[i]!
    all[constraints.length] = this.wish
    return all
  }

  refresh(): void {
    this.list.refresh()
    this.wanted = this.wish
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { heard, limits, list, memory } = this
    if (list.begin(step)) this.wanted = this.wish
    hearWish(agent, step, this.wanted, heard, out, velocity)
    const at = memory.at(agent)
    const { data } = memory
    const { distance, spares } = heard
    save(velocity, data, at + WANTED)
    data[at + DISTANCE] = distance
    data[at + SPARES] =
      spares === undefined ? 0 : (spares.obstacles ? OBSTACLES : 0) | (spares.agents ? AGENTS : 0)
    if (spares !== undefined) save(spares.place, data, at + PLACE)
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
    const { limits, memory, spares } = this
    const { active } = this.list
    const { data } = memory
    const spared = data[at + SPARES]!
    load(spares.place, data, at + PLACE)
    spares.obstacles = (spared & OBSTACLES) !== 0
    spares.agents = (spared & AGENTS) !== 0
    load(velocity, data, at + WANTED)
    limits.begin(agent, velocity, data[at + DISTANCE]!, spared === 0 ? undefined : spares)
    for (let i = 0; i < active.length; i++) active[i]!.constrain(agent, step, limits)
  }
}

/** Short for `new Within(constraints, wish)`: `within([new AvoidObstacles({ obstacles })], new Arrive({ target }))`. */
export function within(constraints: readonly (Constraint | Part<Constraint>)[], wish: Behavior): Within {
  return new Within(constraints, wish)
}
