import type { Agent, Behavior, SnapshotState, Step, Wish, Wrench } from '../types.js'
import { ask } from '../control/ask.js'
import { Memory } from '../control/memory.js'
import { NamedTrees } from './named-trees.js'
import { requireFinite } from '../math/require.js'
import { addScaled } from '../math/vec3.js'
import { clearWrench, zeroWrench } from '../math/wrench.js'
import { clearWish, makeWish, forwardWish, keepFarther } from '../control/wish.js'

/** Says in which mode an agent is to be that is in `mode` now; undefined leaves it there. */
export type SelectMode<Name extends string = string> = (
  agent: Agent,
  step: Step,
  mode: Name,
) => Name | undefined

export interface ModesOptions<Name extends string = string> {
  /** Mode to begin with. Default the first one. */
  initial?: Name
  /** Time in which one mode goes over into the next, s, ≥ 0 and finite. Default 0.5; 0 changes from one step to the next. */
  fade?: number
  /**
   * Lets each agent have a mode of its own, as the state machines of a flock do: asked for every agent in every step, before the trees. It should
   * hang on nothing but the agent, the step and the mode. An unknown name leaves the agent where it is, and is told of by a `stage` with a
   * reason, once. Default none: all agents are in `current`.
   */
  select?: SelectMode<Name>
}

/** Long enough not to be felt as a jerk, short enough not to be late: half of the change has come after a quarter of a second. */
const DEFAULT_FADE = 0.5

/** So near to 1 a share is whole: rounding leaves crumbs. */
const COMPLETE = 1 - 1e-9

// what is kept for each agent: the number of its mode, the step it was last asked in, and whether an unknown name was told of
const MODE = 0
const TICK = 1
const REPORTED = 2
const WIDTH = 3

/**
 * One of several trees at a time, by name: the bridge from action selection (Reynolds 1999, The Three Layers: strategy, goals, planning) to
 * steering. A state machine, a script or a key sets `current`, also inside a step; as all changes it takes effect at the start of the next one.
 * Tells `stage` with the name of the mode when an agent changes.
 *
 * While one mode goes over into another both are asked, and force and torque go over in even steps of time: of all ways from one to the other
 * the straight one has the least rate of change. Each mode has a share, their sum is 1; that of the new one grows by dt / `fade`, and takes from the
 * others as they have, so who changes again meanwhile goes on from what is flown then. As a wish in `within` the wanted velocities are blended so;
 * the place spared is that of the new mode, or else of the old one, and what may be in the way to either of their places counts.
 * A blend of two ways round a rock leads into it: put `within` around modes, rather than modes around several `within`. Who was not asked in
 * the last step, since others came first, is in the new mode at once.
 *
 * A tree that is left tells its own events until it is out: a `Dock` that is left tells of the coupling torn off. Trees that are not in use are not
 * asked, and do not look for neighbours. What they remember of an agent stays as it was left: paths and runs go on where they were, averages
 * start from their old value, a `Dock` notices that it is not there any more, an `Arrive` that had arrived tells of it again only after it has left.
 * For a new start put a new tree in: `modes.trees.set('attack', new AttackRun(…))`.
 */
export class Modes<Name extends string = string> implements Behavior {
  static readonly type: string = 'Modes'
  fade: number
  /** As the option; null for none. */
  select: SelectMode<Name> | null
  private readonly namedTrees: NamedTrees<Name>
  /** `select` as it holds in this step. */
  private activeSelect: SelectMode<Name> | null
  private readonly memory = new Memory(WIDTH)
  private readonly own: Wrench = zeroWrench()
  private readonly partWish: Wish = makeWish()
  private readonly blendedWish: Wish = makeWish()

  /** @throws TypeError for a tree that is no behaviour, RangeError for no tree at all, an unknown name or a bad time. */
  constructor(
    trees: Readonly<Record<Name, Behavior>>,
    { initial, fade = DEFAULT_FADE, select }: ModesOptions<NoInfer<Name>> = {},
  ) {
    if (select !== undefined && typeof select !== 'function')
      throw new TypeError(
        `modes.select: got ${String(select)}, must be a function (agent, step, mode) => name`,
      )
    this.namedTrees = new NamedTrees('modes', trees, initial)
    this.namedTrees.state.push(this.memory)
    this.fade = requireFinite('modes.fade', fade, 0, false)
    this.select = this.activeSelect = select ?? null
  }

  /** The trees by name. May be set, added and deleted at any time, but for the current one, which must be there. */
  get trees(): Map<Name, Behavior> {
    return this.namedTrees.map
  }

  /** The mode of all agents; with `select` the one they begin in. @throws TypeError / RangeError for an unknown name. */
  get current(): Name {
    return this.namedTrees.current
  }

  set current(name: Name) {
    this.namedTrees.current = this.namedTrees.requireName('current', name)
  }

  /** The trees in use: the current one and those that are being left; with `select` all. Brought up to date by this call. */
  get children(): readonly Behavior[] {
    return this.select === null ? this.namedTrees.used : this.namedTrees.all
  }

  /** All trees, those that are not in use as well. */
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

  /** The number of the mode that the agent is to be in. Tells of a change. */
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

  /** Brings the shares of the agent up to this step: that of `to` grows, the others give. True when it has all. */
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
    // who is asked twice in a step has no time to change
    if (before === 1 || stepsPassed === 0) return before === 1
    let grown = stepsPassed === 1 && fade > 0 ? Math.min(1, before + dt / fade) : 1
    const left = (1 - grown) / (1 - before)
    for (let i = 0; i < trees.length; i++) {
      if (i === index) continue
      const { behavior, share: other } = trees[i]!
      const o = other.at(agent)
      other.data[o]! *= grown > COMPLETE ? 0 : left
      if (behavior !== null) continue
      // nobody is there to be asked
      grown += other.data[o]!
      other.data[o] = 0
    }
    share.data[ownOffset] = grown > COMPLETE ? 1 : grown
    return grown > COMPLETE
  }

  /** Asks all modes that have a share, `to` last, and blends what they say. */
  private blend(agent: Agent, step: Step, index: number, out: Wrench): void {
    const { partWish, blendedWish, own } = this
    const trees = this.namedTrees.entries
    const outer = agent.wish
    clearWish(blendedWish)
    blendedWish.goalDistance = blendedWish.straightDistance = 0
    if (outer !== null) agent.wish = partWish
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
