import * as CANNON from 'cannon-es'
import {
  Flight,
  Hover,
  SteeringController,
  type Behavior,
  type SteeringWorld,
  type Vec3Like,
} from 'three-steering'
import { cannonBody } from 'three-steering/cannon'
import { LaggingWings, moveWaypoint, type MovingWaypoint } from './directed-seek-agents.js'
import type { MakeSeeker, SeekResult, SeekTrial } from './directed-seek.js'
import { Flips, magnitude } from '../../demo/scenarios/metrics.js'
import { passOf } from './pursuit.js'
import { inner, minus, outer, plus, times } from '../../demo/scenarios/vectors.js'

/**
 * The closest approach to the waypoint within a step: distance (m), share of the step, path length so far
 * (m), and the velocities around it.
 */
interface Pass {
  readonly miss: number
  readonly share: number
  readonly flown: number
  readonly before: Vec3Like
  readonly during: Vec3Like
}

/** One running trial and its measurements. */
export class SeekFlight {
  done = false
  readonly controller: SteeringController
  readonly body: CANNON.Body | null
  readonly #trial: SeekTrial
  readonly #dt: number
  readonly #waypoint: MovingWaypoint
  readonly #flips: Flips
  readonly #goalFlips: Flips
  #time = 0
  #position: Vec3Like
  #velocity: Vec3Like
  #gap: Vec3Like
  #flown = 0
  #bend = 0
  #success = false
  #pass: Pass | null = null
  #best = { miss: Infinity, error: Math.PI, flown: 0, speedRatio: 0 }

  constructor(
    trial: SeekTrial,
    make: MakeSeeker,
    world: SteeringWorld,
    physics: CANNON.World | null,
    dt: number,
  ) {
    const { poses, speed, waypoint } = trial
    this.#trial = trial
    this.#dt = dt
    this.#waypoint = {
      position: { ...waypoint.position },
      heading: { ...waypoint.heading },
      velocity: { ...waypoint.velocity },
      angularVelocity: { ...waypoint.angularVelocity },
    }
    this.#position = poses.from.position
    this.#velocity = times(poses.from.heading, speed)
    this.#gap = minus(waypoint.position, this.#position)
    this.#flips = new Flips(0.01 * speed)
    this.#flips.see(this.#velocity, dt)
    this.#goalFlips = new Flips(0.01 * speed)
    this.body = physics === null ? null : bodyOf(trial, physics)
    this.controller = controllerOf(trial, make(trial, this.#waypoint), this.body)
    world.add(this.controller)
  }

  /** Moves the waypoint to its state at `time` (s). */
  prepare(time: number): void {
    moveWaypoint(this.#waypoint, this.#trial.waypoint, time, this.#trial.uneven)
  }

  /** Measures the state after a step. */
  update(time: number): void {
    const { radius, speed, optimum } = this.#trial
    const { position, velocity } = this.body ?? this.controller
    this.prepare(time)
    const now = { x: position.x, y: position.y, z: position.z }
    const velocityNow = { x: velocity.x, y: velocity.y, z: velocity.z }
    const speedNow = magnitude(velocityNow)
    const r = radius(speedNow)
    const turn = Math.atan2(magnitude(outer(this.#velocity, velocityNow)), inner(this.#velocity, velocityNow))
    // at the speed at the start of the turn
    const before = magnitude(this.#velocity)
    this.#bend = Math.max(this.#bend, (turn * radius(before)) / (before * this.#dt))
    this.#flips.see(velocityNow, (this.#dt * speedNow) / r)
    this.#goalFlips.see(this.#waypoint.velocity, (this.#dt * speed) / radius(speed))
    this.#time = time
    this.#judge(velocityNow)
    if (this.done) return
    const gap = minus(this.#waypoint.position, now)
    const [miss, share] = passOf(this.#gap, gap)
    const moved = magnitude(minus(now, this.#position))
    if (miss < Math.max(0.05 * r, this.#best.miss))
      this.#pass = {
        miss,
        share,
        flown: this.#flown + share * moved,
        before: this.#velocity,
        during: velocityNow,
      }
    else if (this.#success) this.done = true
    this.#flown += moved
    this.#position = now
    this.#velocity = velocityNow
    this.#gap = gap
    if (this.#flown > 3 * optimum + 20 * radius(speed)) this.done = true
  }

  /**
   * Judges the pass of the last step, once the next step is known: a velocity is that of the middle of its
   * step.
   */
  #judge(after: Vec3Like): void {
    const pass = this.#pass
    if (pass === null) return
    this.#pass = null
    const { miss, share, flown, before, during } = pass
    const there =
      share < 0.5
        ? plus(times(before, 0.5 - share), during, 0.5 + share)
        : plus(times(during, 1.5 - share), after, share - 0.5)
    const { heading } = this.#waypoint
    const error = Math.atan2(magnitude(outer(there, heading)), inner(there, heading))
    const r = this.#trial.radius(magnitude(there))
    // a flight that comes nearer in the next step has not passed yet
    const within = miss < 0.05 * r && error < (2 * Math.PI) / 180
    // one that flew along with the waypoint, and leaves it now, has met it
    if (!within && this.#success) this.done = true
    if (!within && (this.#success || miss >= this.#best.miss)) return
    this.#best = { miss, error, flown, speedRatio: magnitude(there) / this.#trial.goalSpeed }
    this.#success = within
    this.done = within && share < 1
  }

  get result(): SeekResult {
    const { miss, error, flown, speedRatio } = this.#best
    const { optimum, goalSpeed, radius } = this.#trial
    return {
      trial: this.#trial,
      success: this.#success,
      ratio: flown / optimum,
      error,
      miss: miss / radius(goalSpeed),
      speedRatio,
      flips: this.#flips.count,
      goalFlips: this.#goalFlips.count,
      time: this.#time,
      bend: this.#bend,
    }
  }
}

/** A banking aircraft with a half roll in about 0.3 r/v. */
function bodyOf({ flat, poses, mass, speed }: SeekTrial, physics: CANNON.World): CANNON.Body {
  const { x, y, z } = poses.from.position
  const body = new CANNON.Body({
    mass,
    shape: new CANNON.Sphere(1.5),
    position: new CANNON.Vec3(x, y, z),
    linearDamping: 0,
    collisionFilterMask: 0,
  })
  // in 2D it is held in its plane, as by water, because a bank lifts it
  if (flat) body.linearFactor.set(1, 0, 1)
  const { heading } = poses.from
  body.velocity.set(heading.x * speed, heading.y * speed, heading.z * speed)
  body.quaternion.setFromVectors(new CANNON.Vec3(0, 0, 1), new CANNON.Vec3(heading.x, heading.y, heading.z))
  physics.addBody(body)
  return body
}

function controllerOf(trial: SeekTrial, behavior: Behavior, body: CANNON.Body | null): SteeringController {
  const { agent, goalSpeed, mass, poses, radius, speed, change } = trial
  const maxSpeed = Math.max(speed, goalSpeed)
  const lateral = (mass * speed * speed) / radius(speed)
  // lateral and longitudinal force have separate limits; together they give the limit of any force
  const maxForce = Math.hypot(lateral, mass * change)
  const state = { position: poses.from.position, velocity: times(poses.from.heading, speed) }
  if (body !== null) {
    const inertia = 0.4 * mass * body.boundingRadius ** 2
    return new SteeringController(null, {
      behavior,
      maxSpeed,
      maxForce: lateral,
      maxTorque: inertia * 60 * (speed / radius(speed)) ** 2,
      maxTurnRate: 10,
      body: cannonBody(body),
      locomotion: new Flight({ lift: 1.2 * lateral, bankWeight: (0.25 * lateral) / mass }),
    })
  }
  const locomotion =
    agent === 'lag' ? new LaggingWings(lateral, (0.1 * radius(speed)) / speed) : new Hover({ attitude: null })
  return new SteeringController(null, { behavior, mass, maxSpeed, maxForce, locomotion, ...state })
}
