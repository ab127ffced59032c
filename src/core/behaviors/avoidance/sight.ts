import type {
  Agent,
  AgentInSlot,
  Behavior,
  DebugDraw,
  Neighborhood,
  PointSource,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../types.js'
import { ask } from '../../control/ask.js'
import { Memory } from '../../control/memory.js'
import { isGone, pointAt, requirePoint, velocityOf } from '../../control/target.js'
import { grown } from '../../math/grown.js'
import { readOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'
import { requireBehavior, requireFunction } from '../../math/require.js'
import { TAU } from '../../math/scalar.js'
import { dot, isFiniteVec, length, load, save, set, sub, vec3 } from '../../math/vec3.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { isPartOf } from '../../math/own.js'
import { requireObstacles, type AgentObstacleFilter } from './surroundings.js'

export interface SightOptions extends Options, OptionsOf<typeof Sight.options> {}
export interface Sight extends FieldsOf<typeof Sight.options> {}

/** What an agent knows of the target. Also the stages that are reported. */
export type SightStage = 'forgotten' | 'seen' | 'remembered'

const STAGES: readonly SightStage[] = ['forgotten', 'seen', 'remembered']
const FORGOTTEN = 0
const SEEN = 1
const REMEMBERED = 2

// stored for each agent
const STAGE = 0
const TIME = 1
const POSITION = 2
const VELOCITY = 5
const WIDTH = 8

const point = vec3()
const direction = vec3()

// the lists of neighbours that are narrowed at present: several, if one sight is inside another
let rows = new Int32Array(0)
let distancesSq = new Float64Array(0)
let top = 0

/**
 * What an agent sees: within a range, within a field of view, and not behind obstacles. The inner behaviour
 * has only the neighbours in sight, and is called only while the target is seen, or was seen within
 * `memoryTime`. With the target `lastSeen` it flies to where the target was seen:
 *
 *     const sight = new Sight({ target: prey, obstacles, range: 80, fieldOfView: 2 })
 *     sight.behavior = new Pursue({ target: sight.lastSeen })
 *     const hunter = priority([sight, new Wander()])
 *
 * Changes are reported as stages `seen`, `remembered` and `forgotten`.
 */
export class Sight implements Behavior {
  static readonly type: string = 'Sight'
  static readonly options = {
    /**
     * Behaviour that knows only what the agent sees: its neighbours are the agents in sight, and it is called
     * only while the target is seen or remembered. Default none: the agent only watches.
     */
    behavior: { kind: 'instance', check: requireBehavior },
    /**
     * What is watched: a point, or an object with a position. A new one takes over what is remembered of the
     * last one. Default none: only neighbours are looked at.
     */
    target: { kind: 'point', check: requirePoint },
    /** Full angle around the agent's nose within which it sees, rad, in (0, 2π]. Default 2π: all round. */
    fieldOfView: { kind: 'number', unit: 'rad', above: 0, atMost: TAU, default: TAU },
    /** Farthest distance between centres at which it sees, m, > 0. Default Infinity. */
    range: { kind: 'number', unit: 'm', above: 0, infinite: true, default: Infinity },
    /** Obstacles that block the view: a set, or a list to make one of. Default none. */
    obstacles: { kind: 'instance', check: requireObstacles },
    /**
     * Obstacles for which this returns true do not block the view: glass. What belongs to the agent itself or
     * to the target never does. Default none.
     */
    ignore: { kind: 'function', check: requireFunction<AgentObstacleFilter> },
    /** Time for which a target that is no longer seen is remembered, s, ≥ 0. Default 5. */
    // As for hiding.
    memoryTime: { kind: 'number', unit: 's', atLeast: 0, infinite: true, default: 5 },
  } as const satisfies AnyTable
  readonly children: Behavior[]
  /** See `Behavior.hidesNeighbors`. @internal */
  readonly hidesNeighbors: boolean = true
  /**
   * Where the steered agent saw the target last (m), and its velocity then (m/s); at rest while the target is
   * only remembered. One object for all agents, valid for the inner behaviour while it steers.
   */
  readonly lastSeen: { readonly position: Vec3; readonly velocity: Vec3 } = {
    position: vec3(),
    velocity: vec3(),
  }
  private readonly memory = new Memory(WIDTH, [POSITION])
  readonly state: SnapshotState = [this.memory]
  private currentAgent: Agent | null = null

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: SightOptions = {}) {
    const { behavior, ...read } = readOptions('Sight', Sight.options, options)
    this.children = behavior === undefined ? [] : [behavior]
    Object.assign(this, read)
  }

  /** The behaviour that knows only what the agent sees. */
  get behavior(): Behavior | undefined {
    return this.children[0]
  }

  set behavior(behavior: Behavior | undefined) {
    this.children.length = 0
    if (behavior !== undefined) this.children.push(behavior)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { behavior, target } = this
    this.obstacles?.refreshFor(step)
    if (target !== undefined && this.watch(agent, step, target) === FORGOTTEN) return
    if (behavior === undefined) return
    const { nearby } = agent
    const from = top
    if (nearby !== undefined) this.narrow(agent, nearby)
    try {
      ask(agent, step, behavior, out)
    } finally {
      if (nearby !== undefined) widen(nearby, from)
    }
    agent.explainer?.grant(out, 1, 1)
  }

  /**
   * Whether the agent sees a place (m): in range, in its field of view, and not behind an obstacle. Obstacles
   * are where they were in the last step of an agent with this behaviour.
   */
  sees(agent: Agent, place: Vec3Like): boolean {
    const { obstacles, fieldOfView } = this
    const d = length(sub(direction, place, agent.position))
    if (!(d <= this.range)) return false
    if (fieldOfView < TAU && dot(direction, agent.attitude.x) < d * Math.cos(fieldOfView / 2)) return false
    if (obstacles === undefined || obstacles.size === 0) return true
    this.currentAgent = agent
    return obstacles.sees(agent.position, place, this.isTransparent)
  }

  /** What an agent with it knows of the target; in a step, of that step only after it has steered. */
  stageOf(agent: AgentInSlot): SightStage {
    const at = this.memory.find(agent)
    return STAGES[at < 0 ? FORGOTTEN : this.memory.data[at + STAGE]!]!
  }

  /** Simulated time (s) at which an agent with this behaviour saw the target last; −Infinity for never. */
  timeOf(agent: AgentInSlot): number {
    const at = this.memory.find(agent)
    return at < 0 || this.memory.data[at + STAGE] === FORGOTTEN ? -Infinity : this.memory.data[at + TIME]!
  }

  /** Draws the line of sight while the target is seen, and the line to where it was seen last. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const at = this.memory.find(agent)
    const stage = at < 0 ? FORGOTTEN : this.memory.data[at + STAGE]!
    if (stage !== FORGOTTEN)
      draw.line(STAGES[stage]!, agent.position, load(point, this.memory.data, at + POSITION))
  }

  /** Looks for the target, and updates what is remembered of it. Returns the stage. */
  private watch(agent: Agent, step: Step, target: PointSource): number {
    const { memory, lastSeen } = this
    const at = memory.at(agent)
    const { data } = memory
    const before = data[at + STAGE]!
    pointAt(point, target, agent)
    velocityOf(lastSeen.velocity, target, agent)
    let stage = SEEN
    const gone = isGone(agent, step, this, target)
    if (!gone && isFiniteVec(lastSeen.velocity) && this.sees(agent, point)) {
      data[at + TIME] = step.time
      save(point, data, at + POSITION)
      save(lastSeen.velocity, data, at + VELOCITY)
    } else {
      const isForgotten = before === FORGOTTEN || step.time - data[at + TIME]! > this.memoryTime
      stage = isForgotten ? FORGOTTEN : REMEMBERED
      set(lastSeen.velocity, 0, 0, 0)
    }
    load(lastSeen.position, data, at + POSITION)
    data[at + STAGE] = stage
    if (stage !== before) step.emit(agent, 'stage', this, STAGES[stage])
    return stage
  }

  /** Takes the neighbours that are not seen out of the list of this agent and step, and saves the list. */
  private narrow(agent: Agent, neighbors: Writable<Neighborhood>): void {
    const { count, row, distanceSq, position } = neighbors
    const from = top
    top += count
    if (rows.length < top) {
      rows = grown(rows, 2 * top)
      distancesSq = grown(distancesSq, 2 * top)
    }
    let seen = 0
    for (let i = 0; i < count; i++) {
      const r = (rows[from + i] = row[i]!)
      const sq = (distancesSq[from + i] = distanceSq[i]!)
      if (!this.sees(agent, load(point, position, 3 * r))) continue
      row[seen] = r
      distanceSq[seen++] = sq
    }
    if (seen < count) neighbors.count = seen
  }

  /** True for obstacles that do not block the view: the target's own, and ignored ones. */
  private readonly isTransparent = (obstacle: Obstacle): boolean =>
    (this.target !== undefined && isPartOf(obstacle, this.target)) ||
    (this.ignore !== undefined && this.currentAgent !== null && this.ignore(obstacle, this.currentAgent))
}

/** Restores the list that was saved from the index `from` on. */
function widen(neighbors: Writable<Neighborhood>, from: number): void {
  const count = top - from
  top = from
  if (neighbors.count === count) return
  for (let i = 0; i < count; i++) {
    neighbors.row[i] = rows[from + i]!
    neighbors.distanceSq[i] = distancesSq[from + i]!
  }
  neighbors.count = count
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
