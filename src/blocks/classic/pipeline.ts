import type {
  Agent,
  Archive,
  Behavior,
  DebugDraw,
  NeighborSearch,
  SnapshotState,
  Serializable,
  Step,
  Wrench,
} from '../../core/types.js'
import { ask } from '../../core/control/ask.js'
import { drive } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { ChangeGate } from '../../core/combine/change-gate.js'
import {
  PipelineGoal,
  PipelinePath,
  type Actuator,
  type Decomposer,
  type PipelineConstraint,
  type PipelineStage,
  type Targeter,
} from './pipeline-types.js'
import { requireBehavior, refuse, unchecked } from '../../core/math/require.js'
import { distance, ZERO } from '../../core/math/vec3.js'
import { reportGoalDistance, reportGoal } from '../../core/control/wish.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'

export interface PipelineOptions extends Options, OptionsOf<typeof Pipeline.options> {}

/**
 * Steering pipeline (Millington and Funge, Artificial Intelligence for Games, 2nd edition 2009, 3.4.6).
 * Targeters write the goal, and decomposers replace it by a nearer one. Constraints check the path that
 * the actuator plans. If one is violated it suggests another goal, until none is violated; then the
 * actuator steers. If that fails in `attempts` tries, the pipeline is in deadlock and the fallback steers.
 * It works in 3D: goals have position, velocity, orientation and spin; paths are straight lines between
 * points. Emits `stage` with `deadlock`, and with `path` when the deadlock ends.
 *
 * Lists, actuator and fallback may change at any time. Changes take effect as in all combinations, see
 * `Part`.
 */
export class Pipeline implements Behavior, Serializable {
  static readonly type: string = 'Pipeline'
  static readonly options = {
    /** The goal. Each targeter writes some channels; later ones overwrite earlier ones. */
    targeters: { kind: ['instance'], required: true, check: unchecked<readonly Targeter[]> },
    /** Divide the way to the goal into nearer goals, applied in order. Default none. */
    decomposers: { kind: ['instance'], default: [], check: unchecked<readonly Decomposer[]> },
    /** Limits that the path must not violate. Default none. */
    constraints: { kind: ['instance'], default: [], check: unchecked<readonly PipelineConstraint[]> },
    /** Moves this vehicle to a goal. */
    actuator: { kind: 'instance', required: true, check: unchecked<Actuator> },
    /** Steers when every goal that was tried violates a constraint. Default: brakes. */
    fallback: { kind: 'instance', check: requireBehavior },
    /** Number of goals that are tried per step (a whole number ≥ 1). Default 10. */
    // Chosen by hand.
    attempts: {
      kind: 'number',
      whole: true,
      atLeast: 1,
      atMost: Number.MAX_SAFE_INTEGER,
      default: 10,
    },
  } as const satisfies AnyTable
  readonly targeters: Targeter[]
  readonly decomposers: Decomposer[]
  readonly constraints: PipelineConstraint[]
  actuator: Actuator
  fallback: Behavior | null
  attempts: number
  private readonly changeGate = new ChangeGate()
  // As they apply in this step.
  private readonly activeTargeters: Targeter[] = []
  private readonly activeDecomposers: Decomposer[] = []
  private readonly activeConstraints: PipelineConstraint[] = []
  private activeActuator: Actuator
  private activeFallback: Behavior | null
  private readonly all: Behavior[] = []
  private readonly goal = new PipelineGoal()
  private readonly path = new PipelinePath()
  /** Whether the pipeline was in deadlock in the agent's last step. */
  private readonly memory = new Memory(1)

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PipelineOptions) {
    const read = readOptions('pipeline', Pipeline.options, options)
    const { actuator, attempts, fallback } = read
    this.targeters = requireStages('pipeline.targeters', read.targeters, 'target')
    this.decomposers = requireStages('pipeline.decomposers', read.decomposers, 'decompose')
    this.constraints = requireStages('pipeline.constraints', read.constraints, 'suggest')
    this.actuator = this.activeActuator = requireStage('pipeline.actuator', actuator, 'plan')
    requireStage('pipeline.actuator', actuator, 'follow')
    this.fallback = this.activeFallback = fallback ?? null
    this.attempts = attempts
    this.takeChanges()
  }

  get reach(): number {
    const { constraints, decomposers, targeters } = this
    const own = this.actuator.reach ?? 0
    return Math.max(own, farthest(targeters), farthest(decomposers), farthest(constraints))
  }

  /** That of the first stage that has one. */
  get neighborSearch(): NeighborSearch | undefined {
    const { actuator, constraints, decomposers, targeters } = this
    return actuator.neighborSearch ?? searchOf(targeters) ?? searchOf(decomposers) ?? searchOf(constraints)
  }

  /** The fallback, if there is one. */
  get children(): readonly Behavior[] {
    const { all, fallback } = this
    all.length = 0
    if (fallback !== null) all.push(fallback)
    return all
  }

  get state(): SnapshotState {
    return [this, this.memory, ...this.stages]
  }

  /** Archives which stages are enabled. */
  serialize(archive: Archive): void {
    for (const stage of this.stages) {
      const enabled = archive.boolean(stage.enabled !== false)
      if (enabled !== (stage.enabled !== false)) stage.enabled = enabled
    }
  }

  serializeAgent(): void {}

  private get stages(): PipelineStage[] {
    return [...this.targeters, ...this.decomposers, ...this.constraints, this.actuator]
  }

  refresh(): void {
    this.changeGate.open()
    this.takeChanges()
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { activeActuator, goal, path } = this
    if (this.changeGate.isNow(step)) this.takeChanges()
    const isFree = this.search(agent, step)
    this.emitDeadlock(agent, step, isFree)
    if (isFree) {
      if (goal.hasPosition && goal.distanceAfter === 0) reportGoal(agent, goal.position)
      else if (goal.hasPosition)
        reportGoalDistance(agent, distance(agent.position, goal.position) + goal.distanceAfter)
      activeActuator.follow(agent, step, goal, path, out)
    } else if (this.activeFallback === null) drive(agent, step, ZERO, out.force)
    else {
      ask(agent, step, this.activeFallback, out)
      agent.explainer?.grant(out, 1, 1)
    }
  }

  /** Draws the planned path, or that of the last try. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const { path } = this
    const layer = this.search(agent, step) ? 'pipeline' : 'deadlock'
    for (let i = 1; i < path.count; i++) draw.line(layer, path.points[i - 1]!, path.points[i]!)
  }

  /** Writes the goal, and searches for one with a path that violates no constraint. */
  private search(agent: Agent, step: Step): boolean {
    const { activeActuator, activeConstraints, activeDecomposers, activeTargeters, goal, path } = this
    goal.clear()
    for (let i = 0; i < activeTargeters.length; i++) activeTargeters[i]!.target(agent, step, goal)
    for (let i = 0; i < activeDecomposers.length; i++) activeDecomposers[i]!.decompose(agent, step, goal)
    for (let attempt = 0; attempt < this.attempts; attempt++) {
      path.clear()
      activeActuator.plan(agent, step, goal, path)
      let violated = false
      for (let i = 0; i < activeConstraints.length && !violated; i++)
        violated = activeConstraints[i]!.suggest(agent, step, path, goal)
      if (!violated) return true
    }
    return false
  }

  private emitDeadlock(agent: Agent, step: Step, isFree: boolean): void {
    const { memory } = this
    const offset = memory.at(agent)
    const stuck = isFree ? 0 : 1
    if (memory.data[offset] === stuck) return
    memory.data[offset] = stuck
    step.emit(agent, 'stage', this, isFree ? 'path' : 'deadlock', isFree ? '' : 'no goal violates nothing')
  }

  private takeChanges(): void {
    copyEnabled(this.activeTargeters, this.targeters)
    copyEnabled(this.activeDecomposers, this.decomposers)
    copyEnabled(this.activeConstraints, this.constraints)
    this.activeActuator = this.actuator
    this.activeFallback = this.fallback
  }
}

/** Short for `new Pipeline(options)`. */
export function pipeline(options: PipelineOptions): Pipeline {
  return new Pipeline(options)
}

function copyEnabled<T extends PipelineStage>(out: T[], list: readonly T[]): void {
  let count = 0
  for (let i = 0; i < list.length; i++) if (list[i]!.enabled !== false) out[count++] = list[i]!
  out.length = count
}

function searchOf(list: readonly PipelineStage[]): NeighborSearch | undefined {
  for (let i = 0; i < list.length; i++)
    if (list[i]!.neighborSearch !== undefined) return list[i]!.neighborSearch
  return undefined
}

function farthest(list: readonly PipelineStage[]): number {
  let reach = 0
  for (let i = 0; i < list.length; i++)
    if (list[i]!.enabled !== false) reach = Math.max(reach, list[i]!.reach ?? 0)
  return reach
}

/** @throws TypeError for a value that is not a list, or an item without the method. */
function requireStages<T extends PipelineStage>(
  what: string,
  list: readonly T[],
  method: keyof T & string,
): T[] {
  if (!Array.isArray(list)) refuse(what, list, 'must be an array')
  list.forEach((each, i) => requireStage(`${what}[${i}]`, each, method))
  return list.slice()
}

function requireStage<T extends PipelineStage>(what: string, value: T, method: keyof T & string): T {
  if (typeof value?.[method] !== 'function') refuse(what, value, `must have a method ${method}`)
  return value
}
