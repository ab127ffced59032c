import type { Obstacles, Vec3, Vec3Like } from 'three-steering'
import type { Formation } from 'three-steering/formation'
import { distance } from '../../demo/scenarios/metrics.js'
import type { GateTrial } from './narrow-gate.js'
import { Audit } from './pursuit.js'
import { Touches } from '../../demo/scenarios/touches.js'
import { conjugate, minus, plus, turned, vec } from '../../demo/scenarios/vectors.js'

export interface GatePilot {
  readonly id: number
  readonly position: Vec3Like
  readonly velocity: Vec3Like
}

export interface GateTrialResult {
  readonly trial: GateTrial
  /** Contacts with the wall and between agents. */
  readonly contacts: number
  /** Number of agents through the gate, and time at which the last one was behind the wall (s). */
  readonly through: number
  readonly last: number
  /** Whether the formation was narrower than the block while any agent was in the gate. */
  readonly closed: boolean
  /** Time from then until all were in their places in the block again (s). */
  readonly formedIn: number
  /** Root mean square distance from their places while they flew as a block, and at all times (m). */
  readonly blockError: number
  readonly error: number
  /** Smallest gap to the wall and between agents (radii). */
  readonly wallGap: number
  readonly gap: number
  /** Whether an agent exceeded its force or speed, or jumped. */
  readonly void: boolean
  /** Positions of all agents, every 1/30 s. */
  readonly track: readonly Float64Array[]
}

/** An agent is in its place within this share of the spacing. */
const THERE = 0.1
/** Time for which the block must hold to count as formed again (s). */
const HOLD = 2

/** Measures a block, step by step. */
export class GateRecorder {
  #contacts = 0
  #wallGap = Infinity
  #gap = Infinity
  #last = Infinity
  #formed = Infinity
  #closed = true
  #time = 0
  readonly #block = new MeanSquare()
  readonly #all = new MeanSquare()
  readonly #touches = new Touches()
  readonly #touching: boolean[]
  readonly #through: boolean[]
  /** Distance of each agent before (−) or behind the centre plane of the wall (m). */
  readonly #along: number[]
  readonly #audits: readonly Audit[]
  readonly #track: Float64Array[] = []
  readonly #trial: GateTrial
  readonly #formation: Formation
  readonly #pilots: readonly GatePilot[]
  readonly #wall: Obstacles
  readonly #dt: number
  readonly #normal: Vec3 = vec(0, 0, 0)

  constructor(
    trial: GateTrial,
    formation: Formation,
    pilots: readonly GatePilot[],
    wall: Obstacles,
    dt: number,
  ) {
    this.#trial = trial
    this.#formation = formation
    this.#pilots = pilots
    this.#wall = wall
    this.#dt = dt
    this.#touching = pilots.map(() => false)
    this.#through = pilots.map(() => false)
    this.#along = pilots.map(({ position }) => this.#local(position).z)
    this.#audits = pilots.map(
      ({ position, velocity }) =>
        new Audit({ ...trial, position: { ...position }, velocity: { ...velocity } }, dt),
    )
  }

  get done(): boolean {
    return this.#time > Math.max(this.#formed, this.#last) + HOLD
  }

  /** Call after step `i`, the first being 1. */
  update(i: number): void {
    this.#time = i * this.#dt
    const { radius } = this.#trial
    for (const [k, { position, velocity }] of this.#pilots.entries()) {
      this.#audits[k]!.update(position, velocity)
      const gap = this.#wall.distance(position, this.#normal) - radius
      this.#wallGap = Math.min(this.#wallGap, gap / radius)
      if (gap < 0 && !this.#touching[k]) this.#contacts++
      this.#touching[k] = gap < 0 || (this.#touching[k] === true && gap < 0.01 * radius)
      this.#pass(k, position)
    }
    this.#touches.see(this.#pilots.map(({ position }, key) => ({ key, position, radius })))
    this.#near()
    this.#judge()
    if (i % Math.max(1, Math.round(1 / 30 / this.#dt)) === 0)
      this.#track.push(Float64Array.from(this.#pilots.flatMap(({ position: { x, y, z } }) => [x, y, z])))
  }

  result(): GateTrialResult {
    return {
      trial: this.#trial,
      contacts: this.#contacts + this.#touches.contacts,
      through: this.#through.filter(Boolean).length,
      last: this.#last,
      closed: this.#closed,
      formedIn: this.#formed - this.#last,
      blockError: this.#block.root,
      error: this.#all.root,
      wallGap: this.#wallGap,
      gap: this.#gap,
      void: this.#audits.some((each) => each.void),
      track: this.#track,
    }
  }

  #local(position: Vec3Like): Vec3 {
    return turned(conjugate(this.#trial.turn), minus(position, this.#trial.gate))
  }

  /**
   * Counts an agent as through when it crosses the centre plane within the gate and comes out behind the
   * wall.
   */
  #pass(k: number, position: Vec3Like): void {
    const { half, radius } = this.#trial
    const { x, y, z } = this.#local(position)
    const inside = Math.abs(x) < half.x && Math.abs(y) < half.y
    if (this.#along[k]! < 0 && z >= 0 && inside) this.#through[k] = true
    this.#along[k] = z
    const { changing, isColumn } = this.#formation
    if (Math.abs(z) < half.z + radius && !changing && !isColumn && this.#isWide()) this.#closed = false
    const all = this.#through.every(Boolean) && this.#along.every((along) => along > half.z + radius)
    if (all && this.#last === Infinity) this.#last = this.#time
  }

  #near(): void {
    const { radius } = this.#trial
    for (const [i, a] of this.#pilots.entries())
      for (let k = 0; k < i; k++) {
        const gap = distance(a.position, this.#pilots[k]!.position) - 2 * radius
        this.#gap = Math.min(this.#gap, gap / radius)
      }
  }

  /** Measures the slot errors, and whether the block has formed again. */
  #judge(): void {
    const { changing, isColumn } = this.#formation
    // at first no agent has a place
    if (this.#time < 0.5) return
    let most = 0
    for (const { id, position, velocity } of this.#pilots) {
      // places are those of the beginning of the step
      const error = distance(plus(position, velocity, -this.#dt), this.#formation.placeOf(id)!)
      most = Math.max(most, error)
      this.#all.add(error)
      if (!isColumn && !changing && this.#isWide()) this.#block.add(error)
    }
    const formed =
      !isColumn && !changing && this.#isWide() && most < THERE * this.#trial.spacing && this.#last < Infinity
    if (!formed) this.#formed = Infinity
    else if (this.#formed === Infinity) this.#formed = this.#time
  }
  /** Whether the places are those of the block at full width. */
  #isWide(): boolean {
    const widest = Math.max(...this.#formation.slots.map(({ position: { y, z } }) => Math.hypot(y, z)))
    return widest > 0.99 * Math.SQRT2 * this.#trial.spacing
  }
}

class MeanSquare {
  #sum = 0
  #count = 0

  add(value: number): void {
    this.#sum += value * value
    this.#count++
  }

  /** 0 without values. */
  get root(): number {
    return this.#count > 0 ? Math.sqrt(this.#sum / this.#count) : 0
  }
}

/** Mean distance between two flights of the same scene, over the length of their paths. */
export function gateTrialsApart(one: GateTrialResult, other: GateTrialResult): number {
  const samples = Math.min(one.track.length, other.track.length)
  let [sum, way] = [0, 0]
  for (let i = 0; i < samples; i++)
    for (let k = 0; k < one.track[i]!.length; k += 3) {
      sum += distance(placeIn(one.track[i]!, k), placeIn(other.track[i]!, k))
      if (i > 0) way += distance(placeIn(one.track[i]!, k), placeIn(one.track[i - 1]!, k))
    }
  return sum / samples / way
}

function placeIn(sample: Float64Array, k: number): Vec3Like {
  return { x: sample[k]!, y: sample[k + 1]!, z: sample[k + 2]! }
}
