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
} from '../../types.js'
import { ask } from '../../control/ask.js'
import type { Constraint, VelocityConstraints } from '../../solver/constraint.js'
import { VelocitySolver } from '../../solver/velocity-solver.js'
import {
  addScaled,
  copy,
  cross,
  distance,
  dot,
  normalize,
  perpendicular,
  sub,
  vec3,
  isZero,
  length,
  reject,
  scale,
} from '../../math/vec3.js'
import { requireBehavior, requireFinite, requireWhole } from '../../math/require.js'
import { requireGates, type Gate } from './gate.js'
import { servoTime } from '../../control/drive.js'

export interface GateRunOptions {
  /** In the order in which they are to be passed; at least one, closed two. May move. */
  gates: readonly Gate[]
  /** What flies, while the run only watches. Default nobody: then the run is a constraint. */
  behavior?: Behavior
  /** What comes after the last gate: the first again, or nothing. Default `closed`. */
  ends?: 'open' | 'closed'
  /** Laps after which a closed run is over, ≥ 1. Default Infinity. */
  laps?: number
  /** Who passes beside a gate, within so many of its radii from its middle, > 1, has missed it. Default 2.5. */
  missRadii?: number
}

/** What a run tells of: the number of a gate that was passed, or missed, from 0, and of a lap that is complete, from 1. */
export type GateRunStage = `gate ${number}` | `missed ${number}` | `lap ${number}`

const DEFAULT_BESIDE = 2.5

/** Who has moved on by so many times what its speeds allow, and so many radii, was put there. */
const JUMP = 4

const RIM_POINTS = 32

const offset = vec3()
const normal = vec3()
const at = vec3()
const left = vec3()
const up = vec3()
const last = vec3()

/**
 * Takes notice of the gates that agents pass, in order: through the disc in the direction of its normal, judged along the way between two steps, so
 * that no speed and no step is too great. A gate is missed by who passes beside it, or passes the next one first; then the next is due. It
 * tells `stage`: `gate 0`, `missed 1`, `lap 1`, …, and `arrive` when all is done.
 *
 * Around a `behavior` it only watches. As one of the constraints of `within` it also keeps whom others push aside within the gate that is due, with all
 * of its ball, as far as the force and what stands in the way allow.
 */
export class GateRun implements Constraint, Serializable {
  static readonly type: string = 'GateRun'
  readonly gates: readonly Gate[]
  readonly ends: 'open' | 'closed'
  laps: number
  missRadii: number
  readonly children: readonly Behavior[]
  private readonly limits = new VelocitySolver()
  readonly state: SnapshotState = [this, this.limits]
  private readonly slots: (Tally | undefined)[] = []
  private readonly agents = new Map<number, Tally>()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: GateRunOptions) {
    const { gates, behavior, ends = 'closed', laps = Infinity, missRadii = DEFAULT_BESIDE } = options
    if (ends !== 'open' && ends !== 'closed')
      throw new RangeError(`GateRun.ends: got '${String(ends)}', allowed are 'open', 'closed'`)
    this.gates = requireGates('GateRun.gates', gates, ends === 'closed' ? 2 : 1)
    this.children = behavior === undefined ? [] : [requireBehavior('GateRun.behavior', behavior)]
    this.ends = ends
    this.laps = requireWhole('GateRun.laps', laps, 1, Infinity)
    this.missRadii = requireFinite('GateRun.missRadii', missRadii, 1, true)
  }

  serialize(archive: Archive): void {
    const { agents: seating, restoring } = archive
    const { agents, gates, slots } = this
    const known = new Map(agents)
    if (restoring) {
      agents.clear()
      slots.length = 0
    }
    for (let slot = 0; slot < seating.slots; slot++) {
      const generation = seating.generationOf(slot)
      if (!archive.boolean(generation >= 0 && slots[slot]?.generation === generation)) continue
      const id = seating.idOf(slot)
      const tally = (slots[slot] ??= known.get(id) ?? new Tally(gates.length))
      tally.id = id
      tally.generation = generation
      agents.set(id, tally)
      tally.serialize(archive)
    }
  }

  /** The live record of an agent, by its id (of a controller, or as events tell it); undefined before its first step. */
  of(id: number): GateRecord | undefined {
    return this.agents.get(id)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (this.children.length === 0) this.limits.obey(agent, step, this, out.force)
    else {
      this.watch(agent, step)
      ask(agent, step, this.children[0]!, out)
      agent.explainer?.grant(out, 1, 1)
    }
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const tally = this.watch(agent, step)
    if (!tally.done) holdWithin(this.gates[tally.next]!, agent, step, limits)
  }

  /** Draws the gate that is due. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const tally = this.agents.get(agent.id)
    if (tally === undefined || tally.done) return
    const { position, heading, radius } = this.gates[tally.next]!
    perpendicular(left, normalize(normal, heading))
    cross(up, normal, left)
    for (let i = 0; i <= RIM_POINTS; i++) {
      const angle = (2 * Math.PI * i) / RIM_POINTS
      addScaled(at, position, left, radius * Math.cos(angle))
      addScaled(at, at, up, radius * Math.sin(angle))
      if (i > 0) draw.line('gate', last, at)
      copy(last, at)
    }
  }

  private watch(agent: Agent, step: Step): Tally {
    const tally = this.tallyOf(agent, step)
    const { position, radius, speed } = agent
    const elapsed = step.time - tally.time
    const reach = JUMP * (Math.max(speed, tally.speed) * elapsed + radius)
    if (elapsed > 0 && distance(position, tally.position) <= reach) this.pass(tally, agent, step)
    copy(tally.position, position)
    tally.speed = speed
    tally.time = step.time
    return tally
  }

  /** All gates on the way from where it was, as many as there may be. */
  private pass(tally: Tally, agent: Agent, step: Step): void {
    const { gates } = this
    // a gate passed at this share is not passed again
    let from = -1
    for (let n = 0; n < gates.length && !tally.done; n++) {
      const due = tally.next
      const then = (due + 1) % gates.length
      const share = crossing(gates[due]!, tally.position, agent.position, from)
      const off = aside(gates[due]!)
      if (share >= 0 && off <= this.missRadii * gates[due]!.radius) {
        this.settle(tally, agent, step, share, off <= gates[due]!.radius)
        from = share
        continue
      }
      // whoever passes the next one has missed this one
      const other =
        then === 0 && this.ends === 'open' ? -1 : crossing(gates[then]!, tally.position, agent.position, from)
      if (!(other >= 0 && aside(gates[then]!) <= gates[then]!.radius)) return
      this.settle(tally, agent, step, NaN, false)
    }
  }

  /** Notes that the gate that is due was passed, or missed, at a `share` of the step. */
  private settle(tally: Tally, agent: Agent, step: Step, share: number, through: boolean): void {
    const { gates } = this
    const gate = tally.next
    const time = tally.time + share * (step.time - tally.time)
    tally.last = gate
    tally.times[gate] = through ? time : NaN
    if (through) tally.passed++
    else tally.missed++
    const open = this.ends === 'open'
    // nobody has a lap behind him when he first comes to its start
    const ends = open ? gate === gates.length - 1 : gate === 0 && tally.passed + tally.missed > 1
    tally.next = (gate + 1) % gates.length
    const stage: GateRunStage = through ? `gate ${gate}` : `missed ${gate}`
    step.emit(agent, 'stage', this, stage)
    if (ends) this.endLap(tally, agent, step, time)
    if (gate === 0) tally.start = time
    if (!ends || tally.laps < (open ? 1 : this.laps)) return
    tally.done = true
    step.emit(agent, 'arrive', this)
  }

  private endLap(tally: Tally, agent: Agent, step: Step, time: number): void {
    tally.laps++
    tally.lapTime = time - tally.start
    if (!(tally.bestLap <= tally.lapTime) && !Number.isNaN(tally.lapTime)) tally.bestLap = tally.lapTime
    const stage: GateRunStage = `lap ${tally.laps}`
    step.emit(agent, 'stage', this, stage)
  }

  private tallyOf(agent: Agent, step: Step): Tally {
    const { slot, generation, id } = agent
    let tally = this.slots[slot]
    if (tally !== undefined && tally.generation === generation) return tally
    if (tally !== undefined) this.agents.delete(tally.id)
    tally = this.slots[slot] = new Tally(this.gates.length)
    tally.id = id
    tally.generation = generation
    copy(tally.position, agent.position)
    tally.speed = agent.speed
    tally.time = step.time
    this.agents.set(id, tally)
    return tally
  }
}

/**
 * Share of the way from `before` to `now` at which it passes the plane of a gate in the right direction, if that is after `from`; else −1. Writes
 * where into `at`.
 */
function crossing(gate: Gate, before: Readonly<Vec3>, now: Readonly<Vec3>, from: number): number {
  normalize(normal, gate.heading)
  const behind = dot(sub(offset, before, gate.position), normal)
  const beyond = dot(sub(offset, now, gate.position), normal)
  if (!(behind <= 0 && beyond > 0)) return -1
  const share = behind / (behind - beyond)
  if (!(share > from)) return -1
  addScaled(at, before, sub(offset, now, before), share)
  return share
}

/** Distance (m) of `at` from the middle of a gate. */
function aside(gate: Gate): number {
  return distance(at, gate.position)
}

/** How one agent has fared. Times are those of the world, s, to the fraction of a step; NaN where there is none. */
export interface GateRecord {
  /** Of the agent. */
  readonly id: number
  /** Number of the gate that is due, and of the last one that was passed or missed; −1 before the first. */
  readonly next: number
  readonly last: number
  /** Gates passed and missed, laps made. */
  readonly passed: number
  readonly missed: number
  readonly laps: number
  /** Whether it has made all laps, or has come to the last gate of an open run. */
  readonly done: boolean
  /** Durations of the last lap and of the best, s. A lap begins and ends where the first gate is passed. An open run is one lap. */
  readonly lapTime: number
  readonly bestLap: number
  /** `[gates]`: when each was last passed. NaN: never, or missed since. */
  readonly times: Float64Array
}

/** What is known of one agent on a run through gates. */
class Tally implements GateRecord, Serializable {
  id = -1
  generation = -1
  next = 0
  last = -1
  passed = 0
  missed = 0
  laps = 0
  done = false
  lapTime = NaN
  bestLap = NaN
  readonly times: Float64Array
  /** When the lap began, s. */
  start = NaN
  /** Where it was when it was last seen, m, how fast, m/s, and when, s. */
  readonly position: Vec3 = vec3()
  speed = 0
  time = 0

  constructor(gates: number) {
    this.times = new Float64Array(gates).fill(NaN)
  }

  serialize(archive: Archive): void {
    for (const name of ['next', 'last', 'passed', 'missed', 'laps', 'lapTime', 'bestLap', 'start'] as const)
      this[name] = archive.number(this[name])
    this.done = archive.boolean(this.done)
    archive.numbers(this.times, 0, this.times.length)
    archive.vector(this.position)
    this.speed = archive.number(this.speed)
    this.time = archive.number(this.time)
  }
}

/** Share of the force that is counted on: the course may need the rest. */
const SHARE = 0.5

/** Radii that are kept free, at right angles to the gate, and the steepest pass that counts, as the secant of its angle to the axis. */
const MARGIN = 1.1
const STEEPEST = 3

const axis = vec3()
const fromMiddle = vec3()
const outward = vec3()

/**
 * Demands that who comes to a gate passes it with all of its ball inside: the velocity across may be what the force can still take back before it is
 * there. So it is lax from afar and strict at the gate. It yields: what stands in the way is not flown into for the sake of a gate.
 */
function holdWithin(gate: Gate, agent: Agent, step: Step, limits: VelocityConstraints): void {
  normalize(axis, gate.heading)
  sub(fromMiddle, agent.position, gate.position)
  const way = -dot(fromMiddle, axis)
  const speed = Math.max(dot(agent.velocity, axis), dot(limits.wantedVelocity, axis))
  if (!(way > 0 && speed > 0)) return
  const time = Math.max(way / speed, step.dt)
  reject(fromMiddle, fromMiddle, axis)
  reject(outward, limits.wantedVelocity, axis)
  // where it would pass
  addScaled(outward, fromMiddle, outward, time)
  if (isZero(normalize(outward, outward))) return
  const pull = (SHARE * agent.forceAlong(-outward.x, -outward.y, -outward.z)) / agent.mass
  const left = Math.max(0, time - servoTime(agent, step) - agent.forceLag)
  // passed at a slope, a disc is narrower
  const slope = Math.min(
    length(limits.wantedVelocity) / Math.max(dot(limits.wantedVelocity, axis), 1e-9),
    STEEPEST,
  )
  const room = Math.max(0, gate.radius - MARGIN * slope * agent.radius) - dot(fromMiddle, outward)
  limits.addHalfSpace(scale(outward, outward, -1), -(room + (pull * left * left) / 2) / time, true)
}
