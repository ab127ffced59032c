import type { Agent, Behavior, DebugDraw, Keeps, Step, Wish, Wrench } from '../types.js'
import type { Constraint } from '../control/constraint.js'
import { servoGain, servoTime } from '../control/drive.js'
import { cutForce } from '../control/force-limit.js'
import { VelocityLimits } from '../control/limits.js'
import { Memory } from '../control/memory.js'
import {
  constraintRules,
  weightedRules,
  type Part,
  type Weighted,
  type WeightedPart,
} from '../control/part-rules.js'
import { PartList } from '../control/parts.js'
import { tellConstraints } from '../control/tell.js'
import { hearWish } from '../control/wish.js'
import { WishBlend } from '../control/wish-blend.js'
import { lagShare } from '../math/scalar.js'
import { addScaled, isFiniteVec, load, save, scale, sub, vec3 } from '../math/vec3.js'

// what is kept for each agent: for `trace`; and the change that was made of the velocity, when, 1 + tick, and how long it is to be eased, s
const WANTED = 0
const DISTANCE = 3
const PLACE = 4
const SPARES = 7
const CHANGE = 8
const WHEN = 11
const EASED = 12
const WIDTH = 13

const OBSTACLES = 1
const AGENTS = 2

/** Where one is squeezed, changes are averaged over so many response times: in a thin wedge of demands they leap from end to end, at every step. */
const EASE = 1 / 6

const velocity = vec3()
const before = vec3()

/**
 * Does what is wished within what `constraints` allow: the wish's force becomes a wanted velocity, v + F·τ / m; the constraints
 * limit it, all of them together, knowing how far the vehicle's force can change it; the force comes last. Forces that are added
 * undo each other, since every wanted velocity is a servo to which an evasive speed is an error; limits do not (measured in
 * this project's scenario tests). A wish may be any behaviour or combination; a torque it asks for passes as it is.
 *
 * Several wishes are blended as wanted velocities: the mean by weight of those that want something. Their torques likewise.
 *
 * Where not all can be had, this gives way first: the wishes; then what is demanded because of other agents, who can yield as well, all of it by the
 * same least amount; then what is demanded because of what does not move, by the same least amount; never the force of the vehicle.
 *
 * Where not all could be had within the last `responseTime`, a force that constraints have changed follows within a sixth of that time (Green: judder
 * is cured by a time constant): squeezed between three neighbours the velocity allowed may leap from end to end of what one can do, at every step.
 */
export class Within implements Behavior {
  static readonly type: string = 'Within'
  private readonly list: PartList<Part<Constraint>>
  private readonly wanting: PartList<WeightedPart, Weighted>
  private readonly all: Behavior[] = []
  private readonly limits = new VelocityLimits()
  /** What was wanted in the last step, for `trace`: velocity and the way to the goal. */
  private readonly memory = new Memory(WIDTH)
  private readonly heard: Wish = { distance: Infinity }
  private readonly blend = new WishBlend()
  /** As kept of the agent at hand. */
  private readonly spares = { place: vec3(), obstacles: false, agents: false }

  /** @throws TypeError for something that is no constraint, or a wish that is no behaviour; RangeError for a weight that is not finite. */
  constructor(
    constraints: readonly (Constraint | Part<Constraint>)[],
    wish: Behavior | readonly (Behavior | Weighted)[],
  ) {
    this.list = new PartList(constraints, constraintRules('within'))
    this.wanting = new PartList(Array.isArray(wish) ? wish : [wish], weightedRules('within', 'wish'))
  }

  /** The constraints. They may be switched, added, removed and reordered at any time, see `Part`, and so may the wishes. */
  get parts(): Part<Constraint>[] {
    return this.list.parts
  }

  /** The wishes. They may be weighted anew and faded, too. */
  get wishes(): WeightedPart[] {
    return this.wanting.parts
  }

  /** The first wish, if there is one; to be set where there shall be one only. */
  get wish(): Behavior | undefined {
    return this.wishes[0]?.behavior
  }

  set wish(behavior: Behavior) {
    this.wishes.splice(0, Infinity, { behavior, weight: 1 })
  }

  /** The constraints that are switched on. This list may be edited, too. */
  get constraints(): Constraint[] {
    return this.list.behaviors
  }

  /** All behaviours that are switched on, the wishes last. Brought up to date by this call. */
  get children(): readonly Behavior[] {
    const { all, constraints } = this
    const wishes = this.wanting.behaviors
    all.length = constraints.length + wishes.length
    for (let i = 0; i < constraints.length; i++) all[i] = constraints[i]!
    for (let i = 0; i < wishes.length; i++) all[constraints.length + i] = wishes[i]!
    return all
  }

  /** As `children`, with those that are switched off. */
  get allChildren(): readonly Behavior[] {
    return [...this.list.all, ...this.wanting.all]
  }

  get keeps(): Keeps {
    return [this.list, this.wanting, this.limits, this.memory]
  }

  refresh(): void {
    this.list.refresh()
    this.wanting.refresh()
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { heard, limits, list, memory, wanting } = this
    list.begin(step)
    wanting.begin(step)
    const { active, shares } = wanting
    // one wish is done to the bit
    if (active.length === 1 && shares[0] === 1) {
      hearWish(agent, step, active[0]!, heard, out, velocity)
      agent.ledger?.grant(out, 1, 1)
    } else this.blend.hear(agent, step, active, shares, heard, out, velocity)
    const at = memory.at(agent)
    const { data } = memory
    const { distance, spares } = heard
    save(velocity, data, at + WANTED)
    data[at + DISTANCE] = distance
    data[at + SPARES] =
      spares === undefined ? 0 : (spares.obstacles ? OBSTACLES : 0) | (spares.agents ? AGENTS : 0)
    if (spares !== undefined) save(spares.place, data, at + PLACE)
    this.ask(agent, step, at)
    const changed = limits.solve(agent, step, velocity)
    tellConstraints(agent, step, limits, list.active, limits.wanted, changed ? velocity : null)
    if (changed) {
      sub(velocity, velocity, agent.velocity)
      if (agent.wish === null) this.ease(agent, step, at)
      scale(out.force, velocity, servoGain(agent, step))
      // what there is no force for is the wishes' loss
      agent.ledger?.balance(out.force, wanting.active)
    }
    if (agent.wish === null) cutForce(agent, out.force)
  }

  /** Draws the YZ plane with the discs of what is in the way, the direction wanted and the one chosen. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const at = this.memory.at(agent)
    if (this.memory.fresh) return
    this.ask(agent, step, at)
    this.limits.trace(agent, step, draw)
  }

  /** Lets the change of the velocity follow those of the steps before, where one is squeezed. */
  private ease(agent: Agent, step: Step, at: number): void {
    const { data } = this.memory
    const time = servoTime(agent, step)
    const left = this.limits.squeezed ? time : Math.max(0, data[at + EASED]! - step.dt)
    const when = data[at + WHEN]!
    load(before, data, at + CHANGE)
    if (left > 0 && when > 0 && when >= step.tick && isFiniteVec(before))
      addScaled(velocity, before, sub(velocity, velocity, before), lagShare(step.dt, EASE * time))
    data[at + EASED] = left
    save(velocity, data, at + CHANGE)
    data[at + WHEN] = step.tick + 1
  }

  /** Asks all constraints about the velocity wanted. */
  private ask(agent: Agent, step: Step, at: number): void {
    const { limits, list, memory, spares } = this
    const { data } = memory
    const spared = data[at + SPARES]!
    load(spares.place, data, at + PLACE)
    spares.obstacles = (spared & OBSTACLES) !== 0
    spares.agents = (spared & AGENTS) !== 0
    load(velocity, data, at + WANTED)
    limits.begin(agent, velocity, data[at + DISTANCE]!, spared === 0 ? undefined : spares)
    limits.hear(agent, step, list.active)
  }
}

/** Short for `new Within(constraints, wish)`: `within([new AvoidObstacles({ obstacles })], new Arrive({ target }))`. */
export function within(
  constraints: readonly (Constraint | Part<Constraint>)[],
  wish: Behavior | readonly (Behavior | Weighted)[],
): Within {
  return new Within(constraints, wish)
}
