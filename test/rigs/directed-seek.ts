import { SteeringWorld, type Behavior, type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { makePhysics } from './bodies.js'
import { sizesOf, type MovingWaypoint } from './directed-seek-agents.js'
import { SeekFlight } from './directed-seek-flight.js'
import { posesOf, type Band, type Poses } from './dubins-cases.js'
import { direction, evenly, times } from '../../demo/scenarios/vectors.js'

/**
 * The kind of agent. `ideal`: a point mass with immediate lateral force. `lag`: a lateral force with a
 * first-order lag of 0.1 r/v. `body`: a cannon-es body that banks to turn, 20-60 m turn radius, 10-40 m/s.
 */
export type SeekAgent = 'ideal' | 'lag' | 'body'

/**
 * Motion of the waypoint: velocity as a share of the agent's speed, and whether it moves on a circle (radius
 * 10 r) instead of straight.
 */
export interface Drift {
  readonly share: number
  readonly turns: boolean
}

export interface SeekTrial {
  readonly band: Band
  readonly seed: number
  readonly flat: boolean
  readonly agent: SeekAgent
  readonly poses: Poses
  /** Whether the radius grows with the square of the speed. */
  readonly speeds: boolean
  /** Smallest turn radius (m) at a speed (m/s). */
  readonly radius: (speed: number) => number
  /**
   * Speed at the start and wanted speed at the waypoint (m/s), and the rate (m/s²) at which it may change.
   */
  readonly speed: number
  readonly goalSpeed: number
  readonly change: number
  /** Mass (kg). */
  readonly mass: number
  readonly waypoint: MovingWaypoint
  /** Length (m) of the shortest path to the first place of the waypoint. */
  readonly optimum: number
}

export interface TrialOptions {
  readonly agent?: SeekAgent
  /**
   * Whether speeds from 0.7 to 1.4 differ at start and waypoint, with a radius equal to the square of the
   * speed. Default false.
   */
  readonly speeds?: boolean
  readonly drift?: Drift
  /** Length of the shortest path (m). */
  readonly optimum: (poses: Poses, radius: number, flat: boolean) => number
}

/** The trial of a seed. */
export function seekTrial(band: Band, seed: number, flat: boolean, options: TrialOptions): SeekTrial {
  const { agent = 'ideal', speeds = false, drift, optimum } = options
  const random = seeded(seed * 3 + 1)
  const unscaled = posesOf(band, seed, flat)
  const size = agent === 'body' ? sizesOf(seed) : { radius: 1, speed: 1, mass: 0.5 + 4 * random() }
  const speed = speeds ? evenly(random, 0.7, 1.4) : size.speed
  const goalSpeed = speeds ? evenly(random, 0.7, 1.4) : size.speed
  const radius = speeds ? (v: number) => v * v : () => size.radius
  const { from, to } = unscaled
  const poses = {
    from: { position: times(from.position, size.radius), heading: from.heading },
    to: { position: times(to.position, size.radius), heading: to.heading },
  }
  const way = flat ? flatten(direction(random)) : direction(random)
  const axis = flat ? { x: 0, y: 1, z: 0 } : direction(random)
  const pace = (drift?.share ?? 0) * speed
  return {
    band,
    seed,
    flat,
    agent,
    poses,
    speeds,
    radius,
    speed,
    goalSpeed,
    change: speeds ? 0.3 : (0.1 * speed * speed) / size.radius,
    mass: size.mass,
    waypoint: {
      position: { ...poses.to.position },
      heading: { ...poses.to.heading },
      velocity: times(way, pace),
      angularVelocity: times(axis, drift?.turns ? pace / (10 * size.radius) : 0),
    },
    optimum: optimum(poses, Math.max(radius(speed), radius(goalSpeed)), flat),
  }
}

function flatten({ x, z }: Vec3Like): Vec3 {
  const size = Math.hypot(x, z)
  return { x: x / size, y: 0, z: z / size }
}

export interface SeekResult {
  readonly trial: SeekTrial
  /**
   * Whether it passed within 0.05 r of the waypoint and 2° of its heading, after at most 3 × optimum + 20 r.
   */
  readonly success: boolean
  /** Flown path length until then, over the optimum. */
  readonly ratio: number
  /** At the closest approach: heading error (rad), distance over r, speed over the wanted speed. */
  readonly error: number
  readonly miss: number
  readonly speedRatio: number
  /** Reversals of the turn. */
  readonly flips: number
  /** Greatest curvature flown, times the smallest radius. Above 1 is more than allowed. */
  readonly bend: number
}

/** Makes the behaviour of one trial; `waypoint` is live. */
export type MakeSeeker = (trial: SeekTrial, waypoint: MovingWaypoint) => Behavior

/** Default steps per r/v. */
const STEPS = 60
/** Number of bodies per world, because the physics engine compares all pairs. */
const CROWD = 20

/**
 * Flies all trials, many in one world. `steps` is the number of steps per r/v; for bodies, which have real
 * sizes, per second.
 */
export function flyTrials(trials: readonly SeekTrial[], make: MakeSeeker, steps = STEPS): SeekResult[] {
  const size = trials[0]?.agent === 'body' ? CROWD : trials.length
  const results: SeekResult[] = []
  for (let i = 0; i < trials.length; i += size)
    results.push(...flyTogether(trials.slice(i, i + size), make, 1 / steps))
  return results
}

function flyTogether(trials: readonly SeekTrial[], make: MakeSeeker, dt: number): SeekResult[] {
  const world = new SteeringWorld({ seed: 5 })
  const physics = trials[0]?.agent === 'body' ? makePhysics(world, 'cannon') : null
  const flights = trials.map((trial) => new SeekFlight(trial, make, world, physics, dt))
  for (let i = 1, left = flights.length; left > 0; i++) {
    for (const flight of flights) if (!flight.done) flight.prepare((i - 1) * dt)
    if (physics === null) world.step(dt)
    else physics.step(dt)
    for (const flight of flights) {
      if (flight.done) continue
      flight.update(i * dt)
      if (!flight.done) continue
      left--
      world.remove(flight.controller)
      if (flight.body !== null) physics?.removeBody(flight.body)
    }
  }
  world.dispose()
  return flights.map((flight) => flight.result)
}
