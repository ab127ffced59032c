import {
  AvoidObstacles,
  Obstacles,
  SteeringController,
  SteeringWorld,
  within,
  type Behavior,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { FollowFlowField } from 'three-steering/flow'
import { addBall, makePhysics, solidOf } from './bodies.js'
import { distanceTo } from './course.js'
import { relativeError, type FlowTrial } from './flow-trials.js'
import { distance, Flips, magnitude } from '../../demo/scenarios/metrics.js'
import { minus, plus, vec } from '../../demo/scenarios/vectors.js'

export interface FlowOptions {
  /** Step (s). Default 1/60. */
  readonly dt?: number
  /** Whether cannon-es moves the pilots. Default 'none'. */
  readonly bodies?: 'none' | 'cannon'
  /** The behaviour of a pilot. Default follows the field, with `AvoidObstacles` if there are blocks. */
  readonly makeBehavior?: (trial: FlowTrial) => Behavior
  /** Whether to record positions, every 1/30 s. Default false. */
  readonly record?: boolean
}

export interface FlowFlight {
  /**
   * Time until the velocity equalled that of the flow within `JOINED` (s); and that over the time that its
   * force needs for the change of velocity.
   */
  readonly joined: number
  /**
   * Error of the velocity relative to the flow at its place, mean and maximum, from half a second after
   * joining.
   */
  readonly error: number
  readonly worst: number
  /**
   * The same error, relative to the flow at the place half a step ago, to which a reported velocity belongs.
   */
  readonly midStepError: number
  readonly contacts: number
  /** Smallest gap to a block (radii). */
  readonly gap: number
  /** Reversals of the turn rate (1/s). */
  readonly jitter: number
  /** Share of the steps with more force than allowed, and greatest speed over the top speed. */
  readonly forced: number
  readonly fastest: number
  /** Length of the flown path (m). */ readonly length: number
}

export interface FlowResult {
  readonly trial: FlowTrial
  readonly flights: readonly FlowFlight[]
  /** `[sample][pilot]` */
  readonly track: readonly Vec3[][]
}

/** A pilot flies with the flow when the error of its velocity is below this share of it. */
const JOINED = 0.05
/** Time after joining before the error is measured (s). */
const SETTLE = 0.5

/** Flies a trial and measures it. Deterministic. */
export function flyFlow(trial: FlowTrial, options: FlowOptions = {}): FlowResult {
  const { dt = 1 / 60, bodies = 'none', makeBehavior = followFlow, record = false } = options
  const world = new SteeringWorld({ seed: trial.seed })
  const physics = makePhysics(world, bodies)
  const behavior = makeBehavior(trial)
  const pilots = trial.pilots.map(({ start: position, velocity, ...traits }) => {
    const ball = { ...traits, position, velocity }
    return new SteeringController(
      null,
      physics === null ? { ...ball, behavior } : { ...traits, behavior, body: addBall(physics, ball) },
    )
  })
  for (const pilot of pilots) world.add(pilot)
  const recorders = trial.pilots.map((_, index) => new FlowRecorder(trial, index, dt))
  const track: Vec3[][] = []
  const every = Math.max(1, Math.round(1 / 30 / dt))
  for (let i = 1; i <= Math.round(trial.limit / dt); i++) {
    if (physics === null) world.step(dt)
    else physics.step(dt)
    const places = physics?.bodies ?? pilots
    places.forEach(({ position, velocity }, k) => recorders[k]!.see(position, velocity, i * dt))
    if (record && i % every === 0) track.push(places.map(({ position: { x, y, z } }) => ({ x, y, z })))
  }
  world.dispose()
  return { trial, flights: recorders.map((each) => each.result()), track }
}

/** Follows the flow and avoids the blocks in it. */
export function followFlow({ flow, blocks }: FlowTrial): Behavior {
  const wish = new FollowFlowField({ field: flow })
  if (blocks.length === 0) return wish
  return within([new AvoidObstacles({ obstacles: new Obstacles(blocks.map(solidOf)) })], wish)
}

/** Mean distance between the pilots of two recorded flights, each over the length of its path. */
export function deviations(one: FlowResult, other: FlowResult): number[] {
  const samples = Math.min(one.track.length, other.track.length)
  return one.flights.map(({ length }, k) => {
    let sum = 0
    for (let i = 0; i < samples; i++) sum += distance(one.track[i]![k]!, other.track[i]![k]!)
    return sum / samples / length
  })
}

class FlowRecorder {
  #position: Vec3Like
  #velocity: Vec3Like
  #joined = Infinity
  #sum = 0
  #sumLeap = 0
  #worst = 0
  #seen = 0
  #steps = 0
  #forced = 0
  #fastest = 0
  #way = 0
  #contacts = 0
  #gap = Infinity
  #touching = false
  readonly #flips: Flips
  readonly #trial: FlowTrial
  readonly #index: number
  readonly #dt: number
  readonly #out: Vec3 = vec(0, 0, 0)

  constructor(trial: FlowTrial, index: number, dt: number) {
    const { start, velocity, maxSpeed } = trial.pilots[index]!
    this.#position = { ...start }
    this.#velocity = { ...velocity }
    this.#trial = trial
    this.#index = index
    this.#dt = dt
    this.#flips = new Flips(0.01 * maxSpeed)
  }

  see(position: Vec3Like, velocity: Vec3Like, time: number): void {
    const { maxForce, maxSpeed, mass, radius } = this.#trial.pilots[this.#index]!
    const dt = this.#dt
    const here = relativeError(velocity, this.#flowAt(position, time))
    const middle = plus(position, velocity, -dt / 2)
    const leap = relativeError(velocity, this.#flowAt(middle, time - dt / 2))
    if (this.#joined === Infinity && here < JOINED) this.#joined = time
    if (time > this.#joined + SETTLE) {
      this.#seen++
      this.#sum += here
      this.#sumLeap += leap
      this.#worst = Math.max(this.#worst, here)
    }
    this.#steps++
    if (magnitude(minus(velocity, this.#velocity)) > (1.05 * dt * maxForce) / mass) this.#forced++
    this.#fastest = Math.max(this.#fastest, magnitude(velocity) / maxSpeed)
    this.#way += distance(position, this.#position)
    this.#flips.see(velocity, dt)
    let gap = Infinity
    for (const block of this.#trial.blocks) gap = Math.min(gap, distanceTo(block, position) - radius)
    if (gap < 0 && !this.#touching) this.#contacts++
    this.#touching = gap < 0.01 * radius
    this.#gap = Math.min(this.#gap, gap)
    this.#position = { ...position }
    this.#velocity = { ...velocity }
  }

  result(): FlowFlight {
    const { limit, pilots } = this.#trial
    return {
      joined: this.#joined,
      error: this.#sum / this.#seen,
      worst: this.#worst,
      midStepError: this.#sumLeap / this.#seen,
      contacts: this.#contacts,
      gap: this.#gap / pilots[this.#index]!.radius,
      jitter: this.#flips.count / limit,
      forced: this.#forced / this.#steps,
      fastest: this.#fastest,
      length: this.#way,
    }
  }

  #flowAt(point: Vec3Like, time: number): Vec3Like {
    const { flow } = this.#trial
    if (typeof flow === 'function') flow(point, time, this.#out)
    else flow.velocityAt(this.#out, point, time)
    return this.#out
  }
}
