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
const WHOLE = 1 - 1e-9

// what is kept for each agent: the number of its mode, the step it was last asked in, and whether an unknown name was told of
const MODE = 0
const TICK = 1
const TOLD = 2
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
  private readonly list: NamedTrees<Name>
  /** `select` as it holds in this step. */
  private selecting: SelectMode<Name> | null
  private readonly memory = new Memory(WIDTH)
  private readonly own: Wrench = zeroWrench()
  private readonly heard: Wish = makeWish()
  private readonly mixed: Wish = makeWish()

  /** @throws TypeError for a tree that is no behaviour, RangeError for no tree at all, an unknown name or a bad time. */
  constructor(
    trees: Readonly<Record<Name, Behavior>>,
    { initial, fade = DEFAULT_FADE, select }: ModesOptions<NoInfer<Name>> = {},
  ) {
    if (select !== undefined && typeof select !== 'function')
      throw new TypeError(
        `modes.select: got ${String(select)}, must be a function (agent, step, mode) => name`,
      )
    this.list = new NamedTrees('modes', trees, initial)
    this.list.state.push(this.memory)
    this.fade = requireFinite('modes.fade', fade, 0, false)
    this.select = this.selecting = select ?? null
  }

  /** The trees by name. May be set, added and deleted at any time, but for the current one, which must be there. */
  get trees(): Map<Name, Behavior> {
    return this.list.map
  }

  /** The mode of all agents; with `select` the one they begin in. @throws TypeError / RangeError for an unknown name. */
  get current(): Name {
    return this.list.current
  }

  set current(name: Name) {
    this.list.current = this.list.known('current', name)
  }

  /** The trees in use: the current one and those that are being left; with `select` all. Brought up to date by this call. */
  get children(): readonly Behavior[] {
    return this.select === null ? this.list.used : this.list.all
  }

  /** All trees, those that are not in use as well. */
  get allChildren(): readonly Behavior[] {
    return this.list.all
  }

  get state(): SnapshotState {
    return this.list.state
  }

  refresh(): void {
    this.list.refresh()
    this.selecting = this.select
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { list, memory } = this
    if (list.begin(step)) this.selecting = this.select
    const at = memory.at(agent)
    const { fresh } = memory
    const to = this.choose(agent, step, at, fresh)
    const tree = list.list[to]!
    tree.tick = step.tick
    if (this.move(agent, step, at, to, fresh)) {
      ask(agent, step, tree.behavior!, out)
      agent.explainer?.grant(out, 1, 1)
      agent.explainer?.note(`mode '${tree.name}'`)
    } else this.mix(agent, step, to, out)
  }

  /** The number of the mode that the agent is to be in. Tells of a change. */
  private choose(agent: Agent, step: Step, at: number, fresh: boolean): number {
    const { list, memory, selecting } = this
    const trees = list.list
    const before = fresh ? list.now : memory.data[at + MODE]!
    const gone = trees[before]!.behavior === null
    let to = selecting === null || gone ? list.now : before
    let reason = selecting !== null && gone ? `'${trees[before]!.name}' was taken away` : ''
    const name = selecting?.(agent, step, trees[to]!.name)
    if (name !== undefined) {
      const number = list.numberOf(name)
      if (number !== undefined) {
        if (number !== to) reason = ''
        to = number
      } else if (memory.data[at + TOLD] === 0)
        step.emit(agent, 'stage', this, trees[to]!.name, `select: got '${name}', must be ${list.names}`)
      memory.data[at + TOLD] = number === undefined ? 1 : 0
    }
    memory.data[at + MODE] = to
    if (to !== before && !fresh) step.emit(agent, 'stage', this, trees[to]!.name, reason)
    return to
  }

  /** Brings the shares of the agent up to this step: that of `to` grows, the others give. True when it has all. */
  private move(agent: Agent, { tick, dt }: Step, at: number, to: number, fresh: boolean): boolean {
    const { data } = this.memory
    const { fade } = this
    const trees = this.list.list
    const passed = fresh ? Infinity : tick - data[at + TICK]!
    data[at + TICK] = tick
    const { share } = trees[to]!
    const own = share.at(agent)
    const before = share.data[own]!
    // who is asked twice in a step has no time to change
    if (before === 1 || passed === 0) return before === 1
    let grown = passed === 1 && fade > 0 ? Math.min(1, before + dt / fade) : 1
    const left = (1 - grown) / (1 - before)
    for (let i = 0; i < trees.length; i++) {
      if (i === to) continue
      const { behavior, share: other } = trees[i]!
      const o = other.at(agent)
      other.data[o]! *= grown > WHOLE ? 0 : left
      if (behavior !== null) continue
      // nobody is there to be asked
      grown += other.data[o]!
      other.data[o] = 0
    }
    share.data[own] = grown > WHOLE ? 1 : grown
    return grown > WHOLE
  }

  /** Asks all modes that have a share, `to` last, and blends what they say. */
  private mix(agent: Agent, step: Step, to: number, out: Wrench): void {
    const { heard, mixed, own } = this
    const trees = this.list.list
    const outer = agent.wish
    clearWish(mixed)
    mixed.goalDistance = mixed.straightDistance = 0
    if (outer !== null) agent.wish = heard
    for (let i = 0; i <= trees.length; i++) {
      const tree = trees[i < trees.length ? i : to]!
      const { behavior, share } = tree
      const part = share.data[share.at(agent)]!
      if (i === to || !(part > 0) || behavior === null) continue
      tree.tick = step.tick
      clearWish(heard)
      clearWrench(own)
      ask(agent, step, behavior, own, part)
      agent.explainer?.grant(own, part, part)
      agent.explainer?.note(`mode '${tree.name}'`)
      addScaled(out.force, out.force, own.force, part)
      addScaled(out.torque, out.torque, own.torque, part)
      if (own.turns) out.turns = true
      keepFarther(mixed, heard)
    }
    agent.wish = outer
    forwardWish(outer, mixed)
  }
}

/** Short for `new Modes(trees, options)`: `modes({ patrol: new FollowPath(…), chase: new Pursue(…) })`. */
export function modes<Name extends string>(
  trees: Readonly<Record<Name, Behavior>>,
  options?: ModesOptions<NoInfer<Name>>,
): Modes<Name> {
  return new Modes(trees, options)
}
