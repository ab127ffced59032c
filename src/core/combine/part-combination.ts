import type { Agent, Behavior, SnapshotState, Step, Vec3, Vec3Like, Wish } from '../types.js'
import { refuse } from '../math/require.js'
import { typeName } from '../math/show.js'
import { drive, servoGain } from '../control/drive.js'
import { clearWish, makeWish } from '../control/wish.js'
import { openSolution, PATIENCE, Settling } from '../solver/settling.js'
import type { Part, PartRules } from './part-rules.js'
import { PartList } from './parts.js'
import { addScaled, copy, isZero, scale, set, truncate, vec3 } from '../math/vec3.js'

// of the outermost combination of forces, while it is asked: the nearest goal, its distance (m) when it was
// noted, the force (N) that leads there, and the sum of those that neither lead there nor look at neighbours
const goal = makeWish()
const nearest = { distance: 0.5 }
const goalForce = vec3()
const others = vec3()
const wanted = vec3()
const wished = vec3()
const left = vec3()
const still = vec3()
const solution = openSolution(wanted, wished)

/**
 * The members that all combinations of one list of parts share: the list, its views, its state and its
 * refresh; and the rest of an agent that is as near to its goal as it gets. Forces to a goal and from
 * neighbours never come to rest together: an agent that has settled brakes in place of both.
 */
export abstract class PartCombination<P extends Part> {
  protected readonly list: PartList<P>
  /** Receives the goal of the part that is being asked. */
  protected readonly wish: Wish = makeWish()
  private readonly settling = new Settling(PATIENCE)

  /** @throws TypeError for a constraint beside the input of a player. */
  constructor(given: readonly (Behavior | Part)[], rules: PartRules<P>) {
    this.list = new PartList(given, rules, refuseBesideInput)
  }

  /**
   * All parts in order, the most important first where the order matters. The list is live: parts may be
   * added, removed, reordered, switched and given other numbers at any time, see `Part`.
   */
  get parts(): P[] {
    return this.list.parts
  }

  /** The behaviours of the parts that are switched on, read from the parts by this call. */
  get children(): readonly P['behavior'][] {
    return this.list.inUse
  }

  get fixedChildren(): readonly Behavior[] | null {
    return this.list.isFixed ? this.list.inUse : null
  }

  /** The behaviours of all parts, including those that are switched off. */
  get allChildren(): readonly Behavior[] {
    return this.list.all
  }

  get state(): SnapshotState {
    return [this.list, this.settling]
  }

  refresh(): void {
    this.list.refresh()
  }

  /**
   * Called before the parts are asked. True if `note` shall be called after each of them, and `rest` at the
   * end: not inside of another combination, which does it.
   */
  protected beginRest(agent: Agent): boolean {
    if (agent.wish !== null || (agent.aim ?? null) !== null || this.list.active.length < 2) return false
    clearWish(goal)
    agent.aim = goal
    nearest.distance = Infinity
    set(goalForce, 0, 0, 0)
    set(others, 0, 0, 0)
    return true
  }

  /** `part` has asked for `force` (N). True if `addOther` shall be called with what it is given of that. */
  protected note(part: Behavior, force: Vec3Like, weight = 1): boolean {
    if (!(goal.goalDistance < nearest.distance)) return part.neighborSearch === undefined
    nearest.distance = goal.goalDistance
    scale(goalForce, force, weight)
    return false
  }

  protected addOther(force: Vec3Like, share = 1): void {
    addScaled(others, others, force, share)
  }

  /** Whether the agent rests, and no part has reported its goal so far: more parts are asked for that. */
  protected seeksGoal(agent: Agent): boolean {
    const { wish } = agent
    return wish === null ? !goal.rests && this.settling.has(agent) : wish.settled && !wish.rests
  }

  /** `sum`: what the parts ask for together (N). Replaces `force` (N) where the agent rests. */
  protected rest(agent: Agent, step: Step, force: Vec3, sum: Vec3Like = force): void {
    agent.aim = null
    const { settling } = this
    const isReported = goal.rests
    if (!settling.recall(agent, step, goal)) return
    const gain = servoGain(agent, step)
    truncate(left, sum, agent.maxForce)
    addScaled(left, agent.velocity, left, 1 / gain)
    copy(wished, left)
    set(wanted, 0, 0, 0)
    if (isReported) {
      addScaled(wanted, agent.velocity, goalForce, 1 / gain)
      copy(wished, truncate(wanted, wanted, agent.maxSpeed))
    }
    // a part that would report it was not asked
    const isUnknown = !isReported && goal.rests && isZero(sum)
    if (!(isUnknown ? settling.has(agent) : settling.update(agent, step, goal, solution, left))) return
    copy(force, others)
    drive(agent, step, still, force)
    agent.explainer?.scaleTo(force, this.list.active)
  }
}

/** @throws TypeError for a constraint beside the input of a player. */
function refuseBesideInput(parts: readonly Part[], name: string): void {
  const evading = parts.findIndex(({ behavior }) => behavior instanceof Object && 'constrain' in behavior)
  if (evading < 0 || !parts.some(({ behavior }) => behavior instanceof Object && isInput(behavior))) return
  const { behavior } = parts[evading]!
  const must = `must not stand beside the input of a player, for which it would evade: use within([new ${typeName(behavior)}(…)], stick)`
  refuse(`${name}[${evading}]`, behavior, must)
}

function isInput({ children, isManual }: Behavior): boolean {
  return isManual === true || children?.some(isInput) === true
}
