import type { Agent, Behavior, SnapshotState, Step, Wish, Wrench } from '../types.js'
import { ask } from '../control/ask.js'
import { Memory } from '../control/memory.js'
import { NamedTrees } from './named-trees.js'
import { addScaled } from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import { clearWish, makeWish, forwardWish, keepFarther } from '../control/wish.js'
import { type OptionTable, readOptions } from '../math/options.js'

/** Returns the mode for an agent that is in `mode` now; undefined leaves it there. */
export type SelectMode<Name extends string = string> = (
  agent: Agent,
  step: Step,
  mode: Name,
) => Name | undefined

export interface ModesOptions<Name extends string = string> {
  /** Initial mode. Default the first one. */
  initial?: Name
  /**
   * Time (s) of the transition from one mode to the next, ≥ 0 and finite. Default 0.5; 0 changes from one
   * step to the next.
   */
  fade?: number
  /**
   * Gives each agent a mode of its own, as the state machines of a flock do. It is called for every agent in
   * every step, before the trees, and should depend only on the agent, the step and the mode. An unknown name
   * leaves the agent in its mode, and is reported once by a `stage` event with a reason. Default none: all
   * agents are in `current`.
   */
  select?: SelectMode<Name>
}

/** A share above this is complete: sums of shares have rounding errors. */
const COMPLETE = 1 - 1e-9

// stored for each agent: the index of its mode, the last step in which it was steered, and whether an unknown
// name was reported
const MODE = 0
const TICK = 1
const REPORTED = 2
const WIDTH = 3

const MODES = {
  initial: { kind: 'text' },
  // Long enough to avoid a visible jerk, short enough to react: half of the change is done after a quarter of
  // a second. Chosen by hand.
  fade: { kind: 'number', unit: 's', atLeast: 0, default: 0.5 },
  select: { kind: 'function' },
} satisfies OptionTable<ModesOptions>

/**
 * Runs one of several behaviour trees at a time, by name: the link from action selection (Reynolds 1999, The
 * Three Layers: strategy, goals, planning) to steering. A state machine, a script or a key sets `current`,
 * also inside a step; like all changes it takes effect at the start of the next step. Emits `stage` with the
 * name of the mode when an agent changes its mode.
 *
 * During a transition the trees of both modes are steered, and force and torque change linearly in time,
 * which has the least maximum rate of change. Each mode has a share, and the shares sum to 1. The share of
 * the new mode grows by dt / `fade` per step, and the other shares shrink in proportion; a second change
 * during a transition continues from the present shares. As a wish in `within` the wanted velocities are
 * blended in the same way; the exemption is that of the new mode, or else of the old one, and obstacles
 * before either goal count. A blend of two paths around an obstacle leads into it: put `within` around modes,
 * rather than modes around several `within`. An agent that was not steered here in the last step, since other
 * parts came first, is in the new mode at once.
 *
 * A tree emits its own events until its share is 0: a `Dock` that is left reports that the coupling was torn
 * off. Trees that are not in use are not steered, and search no neighbours. Their memory of an agent stays
 * unchanged: paths and runs continue where they were, averages start from their old value, a `Dock` notices
 * that it is no longer coupled, an `Arrive` that had arrived reports it again only after it has left. For a
 * fresh start set a new tree: `modes.trees.set('attack', new AttackRun(…))`.
 */
export class Modes<Name extends string = string> implements Behavior {
  static readonly type: string = 'Modes'
  static readonly options = [{ trees: { kind: 'instances', required: true } }, MODES] as const

  fade: number
  /** See the option `select`; null for none. */
  select: SelectMode<Name> | null
  private readonly namedTrees: NamedTrees<Name>
  /** `select` as it is in effect in this step. */
  private activeSelect: SelectMode<Name> | null
  private readonly memory = new Memory(WIDTH)
  private readonly own: Wrench = zeroWrench()
  private readonly partWish: Wish = makeWish()
  private readonly blendedWish: Wish = makeWish()

  /**
   * @throws TypeError for a tree that is no behaviour, RangeError for no tree at all, an unknown name or a
   * bad time.
   */
  constructor(trees: Readonly<Record<Name, Behavior>>, options: ModesOptions<NoInfer<Name>> = {}) {
    const { fade, select } = readOptions('modes', MODES, options as unknown as ModesOptions)
    this.namedTrees = new NamedTrees('modes', trees, options.initial)
    this.namedTrees.state.push(this.memory)
    this.fade = fade
    this.select = this.activeSelect = (select as SelectMode<Name> | undefined) ?? null
  }

  /** The trees by name. They may be set, added and deleted at any time; the current one must exist. */
  get trees(): Map<Name, Behavior> {
    return this.namedTrees.map
  }

  /** The mode of all agents; with `select` the initial one. @throws TypeError / RangeError if unknown. */
  get current(): Name {
    return this.namedTrees.current
  }

  set current(name: Name) {
    this.namedTrees.current = this.namedTrees.requireName('current', name)
  }

  /** The trees in use: current and being left; with `select` all. Read from `trees` by this call. */
  get children(): readonly Behavior[] {
    return this.select === null ? this.namedTrees.used : this.namedTrees.all
  }

  /** All trees, including those that are not in use. */
  get allChildren(): readonly Behavior[] {
    return this.namedTrees.all
  }

  get state(): SnapshotState {
    return this.namedTrees.state
  }

  refresh(): void {
    this.namedTrees.refresh()
    this.activeSelect = this.select
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { namedTrees, memory } = this
    if (namedTrees.begin(step)) this.activeSelect = this.select
    const offset = memory.at(agent)
    const { fresh } = memory
    const index = this.chooseMode(agent, step, offset, fresh)
    const tree = namedTrees.entries[index]!
    tree.tick = step.tick
    if (this.updateShares(agent, step, offset, index, fresh)) {
      ask(agent, step, tree.behavior!, out)
      agent.explainer?.grant(out, 1, 1)
      agent.explainer?.note(`mode '${tree.name}'`)
    } else this.blend(agent, step, index, out)
  }

  /** Returns the index of the agent's mode in this step. Emits an event if it changes. */
  private chooseMode(agent: Agent, step: Step, offset: number, fresh: boolean): number {
    const { namedTrees, memory, activeSelect } = this
    const trees = namedTrees.entries
    const before = fresh ? namedTrees.currentIndex : memory.data[offset + MODE]!
    const isRemoved = trees[before]!.behavior === null
    let index = activeSelect === null || isRemoved ? namedTrees.currentIndex : before
    let reason = activeSelect !== null && isRemoved ? `'${trees[before]!.name}' was taken away` : ''
    const name = activeSelect?.(agent, step, trees[index]!.name)
    if (name !== undefined) {
      const newIndex = namedTrees.indexOf(name)
      if (newIndex !== undefined) {
        if (newIndex !== index) reason = ''
        index = newIndex
      } else if (memory.data[offset + REPORTED] === 0)
        step.emit(
          agent,
          'stage',
          this,
          trees[index]!.name,
          `select: got '${name}', must be ${namedTrees.names}`,
        )
      memory.data[offset + REPORTED] = newIndex === undefined ? 1 : 0
    }
    memory.data[offset + MODE] = index
    if (index !== before && !fresh) step.emit(agent, 'stage', this, trees[index]!.name, reason)
    return index
  }

  /** Updates the shares: that of mode `index` grows, the others shrink. True if it is complete. */
  private updateShares(
    agent: Agent,
    { tick, dt }: Step,
    offset: number,
    index: number,
    fresh: boolean,
  ): boolean {
    const { data } = this.memory
    const { fade } = this
    const trees = this.namedTrees.entries
    const stepsPassed = fresh ? Infinity : tick - data[offset + TICK]!
    data[offset + TICK] = tick
    const { share } = trees[index]!
    const ownOffset = share.at(agent)
    const before = share.data[ownOffset]!
    // no time has passed for an agent that is steered twice in a step
    if (before === 1 || stepsPassed === 0) return before === 1
    let grown = stepsPassed === 1 && fade > 0 ? Math.min(1, before + dt / fade) : 1
    const left = (1 - grown) / (1 - before)
    for (let i = 0; i < trees.length; i++) {
      if (i === index) continue
      const { behavior, share: other } = trees[i]!
      const otherOffset = other.at(agent)
      other.data[otherOffset]! *= grown > COMPLETE ? 0 : left
      if (behavior !== null) continue
      // the tree was removed: its share goes to the new mode
      grown += other.data[otherOffset]!
      other.data[otherOffset] = 0
    }
    share.data[ownOffset] = grown > COMPLETE ? 1 : grown
    return grown > COMPLETE
  }

  /** Steers all modes that have a share, mode `index` last, and blends their answers. */
  private blend(agent: Agent, step: Step, index: number, out: Wrench): void {
    const { partWish, blendedWish, own } = this
    const trees = this.namedTrees.entries
    const outer = agent.wish
    clearWish(blendedWish)
    blendedWish.goalDistance = blendedWish.straightDistance = 0
    if (outer !== null) {
      agent.wish = partWish
      partWish.vehicle = outer.vehicle
      partWish.turnRadius = outer.turnRadius
    }
    for (let i = 0; i <= trees.length; i++) {
      const tree = trees[i < trees.length ? i : index]!
      const { behavior, share } = tree
      const part = share.data[share.at(agent)]!
      if (i === index || !(part > 0) || behavior === null) continue
      tree.tick = step.tick
      clearWish(partWish)
      clearWrench(own)
      ask(agent, step, behavior, own, part)
      agent.explainer?.grant(own, part, part)
      agent.explainer?.note(`mode '${tree.name}'`)
      addScaled(out.force, out.force, own.force, part)
      addScaled(out.torque, out.torque, own.torque, part)
      if (own.turns) out.turns = true
      keepFarther(blendedWish, partWish)
    }
    partWish.vehicle = null
    partWish.turnRadius = 0
    agent.wish = outer
    forwardWish(outer, blendedWish)
  }
}

/** Short for `new Modes(trees, options)`: `modes({ patrol: new FollowPath(…), chase: new Pursue(…) })`. */
export function modes<Name extends string>(
  trees: Readonly<Record<Name, Behavior>>,
  options?: ModesOptions<NoInfer<Name>>,
): Modes<Name> {
  return new Modes(trees, options)
}
