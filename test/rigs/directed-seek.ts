import { SteeringWorld, type Behavior, type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { makePhysics } from './bodies.js'
import { sizesOf, type MovingWaypoint, type Unevenness } from './directed-seek-agents.js'
import { SeekFlight } from './directed-seek-flight.js'
import { posesOf, type Band, type Poses } from './dubins-cases.js'
import { direction, evenly, outer, times, unit } from '../../demo/scenarios/vectors.js'

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

/**
 * Uneven motions of a waypoint, with the turn radius r and the speed v of the agent. Only position, heading
 * and velocity are told.
 * - `accelerates`: starts at 0.2 v; accelerates in another direction by 0.05 v²/r for 8 r/v. Fixed heading.
 * - `weaves`, `swings`: at 0.3 v, with ±1 r or ±0.3 r across in 9 r/v. Fixed heading.
 * - `flies a weave`, `flies a swing`: the same, with the heading along the motion.
 * - `circles`: on a circle of 4 r at 0.35 v, with a heading that turns at the same rate.
 */
export const UNEVEN = [
  'accelerates',
  'weaves',
  'swings',
  'flies a weave',
  'flies a swing',
  'circles',
] as const
export type Uneven = (typeof UNEVEN)[number]

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
  readonly uneven: Unevenness | null
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
  readonly uneven?: Uneven
  /** Length of the shortest path (m). */
  readonly optimum: (poses: Poses, radius: number, flat: boolean) => number
}

/** The trial of a seed. */
export function seekTrial(band: Band, seed: number, flat: boolean, options: TrialOptions): SeekTrial {
  const { agent = 'ideal', speeds = false, drift, uneven, optimum } = options
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
  const share = uneven === 'circles' ? 0.35 : uneven === 'accelerates' ? 0.2 : uneven ? 0.3 : 0
  const pace = (drift?.share ?? share) * speed
  const bend = uneven === 'circles' ? 1 / 4 : drift?.turns ? 1 / 10 : 0
  // a circle has a constant radius only across its axis
  const across = uneven === 'circles' ? unit(outer(way, axis)) : axis
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
      angularVelocity: times(across, (bend * pace) / size.radius),
    },
    uneven: uneven === undefined ? null : unevenness(uneven, way, axis, size.radius, speed, flat),
    optimum: optimum(poses, Math.max(radius(speed), radius(goalSpeed)), flat),
  }
}

function unevenness(
  kind: Uneven,
  way: Vec3Like,
  axis: Vec3Like,
  radius: number,
  speed: number,
  flat: boolean,
): Unevenness {
  const size = kind.includes('weave') ? 1 : kind.includes('swing') ? 0.3 : 0
  const accelerates = kind === 'accelerates' ? (0.05 * speed * speed) / radius : 0
  return {
    acceleration: times(flat ? outer(way, axis) : axis, accelerates),
    until: (8 * radius) / speed,
    aside: times(unit(outer(way, axis)), size * radius),
    rate: ((2 * Math.PI) / 9) * (speed / radius),
    ahead: kind.startsWith('flies'),
    told: false,
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
  /** Reversals of the turn, and those of the waypoint. */
  readonly flips: number
  readonly goalFlips: number
  /** Time flown (s). */
  readonly time: number
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
