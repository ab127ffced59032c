import type {
  Agent,
  Archive,
  Behavior,
  DebugDraw,
  SnapshotState,
  Serializable,
  Step,
  Vec3,
  Wrench,
} from '../../core/types.js'
import { ask } from '../../core/control/ask.js'
import { drawCircle } from '../../core/control/draw.js'
import { PerAgent } from '../../core/control/per-agent.js'
import { serializeFields } from '../../core/control/serialize-fields.js'
import type { Constraint, VelocityConstraints } from '../../core/solver/constraint.js'
import { SolverMemory } from '../../core/solver/velocity-solver.js'
import {
  addScaled,
  copy,
  distance,
  dot,
  normalize,
  sub,
  vec3,
  isZero,
  length,
  reject,
  scale,
} from '../../core/math/vec3.js'
import { requireBehavior } from '../../core/math/require.js'
import { requireGates, type Gate } from './gate.js'
import { servoTime } from '../../core/control/drive.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'

export interface GateRunOptions extends Options, OptionsOf<typeof GateRun.options> {}

/** Stages of a run: index of a gate that was passed or missed, from 0; number of a lap, from 1. */
export type GateRunStage = `gate ${number}` | `missed ${number}` | `lap ${number}`

// The numbers below are chosen by hand unless they say otherwise.

/** An agent that moved by more than this multiple of its radius and reach in a step was moved otherwise. */
const JUMP = 4

const offset = vec3()
const normal = vec3()
const crossingPoint = vec3()

/**
 * Records the gates that agents pass in order. A gate is passed by crossing its disc in the direction of
 * its normal. The crossing is found on the line between two steps, so it works at any speed and step
 * length. An agent misses a gate by passing beside it, or by passing the next one first; then the next
 * gate is due. Emits `stage` with `gate 0`, `missed 1`, `lap 1`, …, and `arrive` at the end of the run.
 *
 * Around a `behavior` it only watches. As one of the constraints of `within` it also keeps agents inside
 * the gate that is due, with their whole ball, when others push them aside, as far as the force and the
 * obstacles allow.
 */
export class GateRun implements Constraint, Serializable {
  static readonly type: string = 'GateRun'
  static readonly options = {
    /**
     * The gates in the order in which they are to be passed. At least one; for a closed run two. They may
     * move.
     */
    gates: {
      kind: [{ position: 'vector', heading: 'vector', radius: 'number' }],
      required: true,
      check: requireGates,
    },
    /** Flies the agent, while the run only watches. Default none: then the run is a constraint. */
    behavior: { kind: 'instance', check: requireBehavior },
    /** After the last gate: the first again (`closed`), or nothing (`open`). Default `closed`. */
    ends: { kind: 'text', oneOf: ['open', 'closed'], default: 'closed' },
    /** Number of laps of a closed run (≥ 1). Default Infinity. */
    laps: { kind: 'number', whole: true, atLeast: 1, infinite: true, default: Infinity },
    /**
     * An agent that passes beside a gate, within this many gate radii of its centre (> 1), has missed it.
     * Larger counts wider misses. Default 2.5.
     */
    missRadii: { kind: 'number', above: 1, default: 2.5 },
  } as const satisfies AnyTable
  readonly gates!: readonly Gate[]
  readonly ends!: 'open' | 'closed'
  laps!: number
  missRadii!: number
  readonly children: readonly Behavior[]
  private readonly solverMemory = new SolverMemory()
  private readonly records = new PerAgent((id) => new RunRecord(id, this.gates.length))
  readonly state: SnapshotState = [this, this.records, this.solverMemory]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: GateRunOptions) {
    const { behavior, ...read } = readOptions('GateRun', GateRun.options, options)
    requireGates('GateRun.gates', read.gates, read.ends === 'closed' ? 2 : 1)
    Object.assign(this, read)
    this.children = behavior === undefined ? [] : [behavior]
  }

  serialize(): void {}

  serializeAgent(archive: Archive): void {
    const { length: count } = this.gates
    if (archive.number(count) !== count)
      throw new RangeError(
        `importAgent: got an agent of a GateRun with another number of gates, must be ${count}, as here`,
      )
  }

  /** The live record of an agent, by id of its controller or in events; undefined before its first step. */
  of(id: number): GateRecord | undefined {
    return this.records.find({ id })
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.children.length === 0) this.solverMemory.obey(agent, step, this, out.force)
    else {
      this.updateRecord(agent, step)
      ask(agent, step, this.children[0]!, out)
      agent.explainer?.grant(out, 1, 1)
    }
  }

  constrain(agent: Agent, step: Step, constraints: VelocityConstraints): void {
    const record = this.updateRecord(agent, step)
    if (!record.done) constrainToGate(this.gates[record.next]!, agent, step, constraints)
  }

  /** Draws the gate that is due. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const record = this.records.find(agent)
    if (record === undefined || record.done) return
    const { position, heading, radius } = this.gates[record.next]!
    drawCircle(draw, 'gate', position, { axis: normalize(normal, heading), radius })
  }

  private updateRecord(agent: Agent, step: Step): RunRecord {
    const record = this.records.of(agent)
    const { position, radius, speed } = agent
    const elapsed = step.time - record.time
    const reach = JUMP * (Math.max(speed, record.speed) * elapsed + radius)
    if (elapsed > 0 && distance(position, record.position) <= reach) this.passGates(record, agent, step)
    copy(record.position, position)
    record.speed = speed
    record.time = step.time
    return record
  }

  /** Records all gates on the line from the previous position. */
  private passGates(record: RunRecord, agent: Agent, step: Step): void {
    const { gates } = this
    // A gate that was passed at this share of the step is not passed again.
    let from = -1
    for (let n = 0; n < gates.length && !record.done; n++) {
      const due = record.next
      const following = (due + 1) % gates.length
      const share = crossing(crossingPoint, gates[due]!, record.position, agent.position, from)
      const distanceFromMiddle = distance(crossingPoint, gates[due]!.position)
      if (share >= 0 && distanceFromMiddle <= this.missRadii * gates[due]!.radius) {
        this.recordGate(record, agent, step, share, distanceFromMiddle <= gates[due]!.radius)
        from = share
        continue
      }
      // An agent that passes the next gate has missed this one.
      const nextShare =
        following === 0 && this.ends === 'open'
          ? -1
          : crossing(crossingPoint, gates[following]!, record.position, agent.position, from)
      if (
        !(nextShare >= 0 && distance(crossingPoint, gates[following]!.position) <= gates[following]!.radius)
      )
        return
      this.recordGate(record, agent, step, NaN, false)
    }
  }

  /** Records that the due gate was passed or missed, at a `share` of the step. */
  private recordGate(record: RunRecord, agent: Agent, step: Step, share: number, through: boolean): void {
    const { gates } = this
    const gate = record.next
    const time = record.time + share * (step.time - record.time)
    record.last = gate
    record.times[gate] = through ? time : NaN
    if (through) record.passed++
    else record.missed++
    const open = this.ends === 'open'
    // The first passing of the start does not complete a lap.
    const ends = open ? gate === gates.length - 1 : gate === 0 && record.passed + record.missed > 1
    record.next = (gate + 1) % gates.length
    const stage: GateRunStage = through ? `gate ${gate}` : `missed ${gate}`
    step.emit(agent, 'stage', this, stage)
    if (ends) this.endLap(record, agent, step, time)
    if (gate === 0) record.start = time
    if (!ends || record.laps < (open ? 1 : this.laps)) return
    record.done = true
    step.emit(agent, 'arrive', this)
  }

  private endLap(record: RunRecord, agent: Agent, step: Step, time: number): void {
    record.laps++
    record.lapTime = time - record.start
    if (!(record.bestLap <= record.lapTime) && !Number.isNaN(record.lapTime)) record.bestLap = record.lapTime
    const stage: GateRunStage = `lap ${record.laps}`
    step.emit(agent, 'stage', this, stage)
  }
}

/**
 * Share of the line from `previous` to `current` at which it crosses the plane of a gate in the right
 * direction, if that is after `from`; else −1. Writes the crossing point into `out`.
 */
function crossing(
  out: Vec3,
  gate: Gate,
  previous: Readonly<Vec3>,
  current: Readonly<Vec3>,
  from: number,
): number {
  normalize(normal, gate.heading)
  const behind = dot(sub(offset, previous, gate.position), normal)
  const beyond = dot(sub(offset, current, gate.position), normal)
  if (!(behind <= 0 && beyond > 0)) return -1
  const share = behind / (behind - beyond)
  if (!(share > from)) return -1
  addScaled(out, previous, sub(offset, current, previous), share)
  return share
}

/** Record of one agent. Times are world times (s), interpolated within a step; NaN for none. */
export interface GateRecord {
  readonly id: number
  /** Index of the due gate. */
  readonly next: number
  /** Index of the last gate that was passed or missed; −1 before the first. */
  readonly last: number
  /** Number of gates passed. */
  readonly passed: number
  /** Number of gates missed. */
  readonly missed: number
  /** Number of laps completed. */
  readonly laps: number
  /** Whether the agent has completed all laps, or reached the last gate of an open run. */
  readonly done: boolean
  /** Duration of the last lap (s). A lap starts and ends at the first gate. An open run is one lap. */
  readonly lapTime: number
  /** Duration of the best lap (s). */
  readonly bestLap: number
  /** `[gates]`: time of the last passing (s). NaN: never, or missed since. */
  readonly times: Float64Array
}

/** All that a run stores for one agent. */
class RunRecord implements GateRecord, Serializable {
  readonly id: number
  next = 0
  last = -1
  passed = 0
  missed = 0
  laps = 0
  done = false
  lapTime = NaN
  bestLap = NaN
  readonly times: Float64Array
  /** Start of the lap (s). */
  start = NaN
  /** Position (m), speed (m/s) and time (s) at the last update. */
  readonly position: Vec3 = vec3()
  speed = 0
  time = NaN

  constructor(id: number, gates: number) {
    this.id = id
    this.times = new Float64Array(gates).fill(NaN)
  }

  serialize(archive: Archive): void {
    serializeFields(archive, this, ['id'])
    archive.numbers(this.times, 0, this.times.length)
  }
}

/** Share of the force that is counted on. Larger: corrections begin later, with less left for the course. */
const FORCE_SHARE = 0.5

/** Distance of the agent's centre from the rim, in radii of the agent. Larger: nearer to the middle. */
const MARGIN = 1.1
/** Steepest passage that is counted: secant of its angle to the normal. A slanted disc is narrower. */
const MAX_SECANT = 3

const axis = vec3()
const fromMiddle = vec3()
const outward = vec3()

/**
 * Adds a constraint that makes the agent pass the gate with its whole ball inside. The lateral velocity
 * may be at most what the force can still remove before the gate. So the constraint is loose far away and
 * strict at the gate. It gives way to constraints of obstacles.
 */
function constrainToGate(gate: Gate, agent: Agent, step: Step, constraints: VelocityConstraints): void {
  normalize(axis, gate.heading)
  sub(fromMiddle, agent.position, gate.position)
  const distanceToGate = -dot(fromMiddle, axis)
  const speed = Math.max(dot(agent.velocity, axis), dot(constraints.wantedVelocity, axis))
  if (!(distanceToGate > 0 && speed > 0)) return
  const time = Math.max(distanceToGate / speed, step.dt)
  reject(fromMiddle, fromMiddle, axis)
  reject(outward, constraints.wantedVelocity, axis)
  // Where the agent would pass the plane of the gate.
  addScaled(outward, fromMiddle, outward, time)
  if (isZero(normalize(outward, outward))) return
  const acceleration = (FORCE_SHARE * agent.forceAlong(-outward.x, -outward.y, -outward.z)) / agent.mass
  const timeLeft = Math.max(0, time - servoTime(agent, step) - agent.forceLag)
  // On a slanted passage a disc is narrower.
  const slope = Math.min(
    length(constraints.wantedVelocity) / Math.max(dot(constraints.wantedVelocity, axis), 1e-9),
    MAX_SECANT,
  )
  const clearance = Math.max(0, gate.radius - MARGIN * slope * agent.radius) - dot(fromMiddle, outward)
  constraints.addHalfSpace(
    scale(outward, outward, -1),
    -(clearance + (acceleration * timeLeft * timeLeft) / 2) / time,
    true,
  )
}
