import type { Agent, Vec3 } from '../../core/types.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'
import { refuse } from '../../core/math/require.js'
import { copy } from '../../core/math/vec3.js'
import type { CruiseOptions } from '../../core/behaviors/motion/cruise.js'
import type { TetherOptions } from '../../core/behaviors/motion/tether.js'
import type { FlockingOptions } from '../../core/behaviors/flocking/flocking.js'
import type { ReciprocalAvoidanceOptions } from './reciprocal-avoidance.js'

/**
 * A flock as plain options, to be used directly or spread and changed: objects are not frozen, and nothing is
 * looked up by name.
 */
export interface FlockPreset {
  /** Properties of each member, for a `Flock`: m, kg, m/s, N, s. */
  readonly traits: {
    readonly radius: number
    readonly mass: number
    readonly maxSpeed: number
    readonly maxForce: number
    readonly responseTime: number
  }
  readonly flocking: FlockingOptions
  readonly cruise: CruiseOptions
  /** Options of the constraint of `within` that keeps members from touching. */
  readonly avoidance: ReciprocalAvoidanceOptions
  /**
   * Options of a `Tether` that holds the flock together, for 60 members: around its own
   * centre (`target: flockCenter`), or around a roost. Parts that lose sight of each other come back.
   */
  readonly tether: Omit<TetherOptions, 'target'>
}

export interface FlockScale extends Options, OptionsOf<typeof SCALE> {}

const SCALE = {
  /** Radius of a member, m, > 0. All distances grow in proportion. Default that of the preset. */
  radius: { kind: 'number', unit: 'm', above: 0 },
  /** Top speed, m/s, > 0. Default that of the preset in proportion to the radius. */
  maxSpeed: { kind: 'number', unit: 'm/s', above: 0 },
  /** Mass of a member, kg, > 0. Default that of the preset in proportion to the cube of the radius. */
  mass: { kind: 'number', unit: 'kg', above: 0 },
  /**
   * Force of a member, N, > 0. The response time follows from it, so that the weights of the rules stay the
   * same shares of the top speed. Default that of the preset, in proportion to mass · speed² / radius.
   */
  maxForce: { kind: 'number', unit: 'N', above: 0 },
  /** Number of members, whole, ≥ 1: the tether is as wide as they need. Default 60. */
  // The tethers of the presets are wide enough for 60.
  count: { kind: 'number', whole: true, atLeast: 1, atMost: Number.MAX_SAFE_INTEGER, default: 60 },
} as const satisfies AnyTable

/** Radius of the tether in separation distances times ∛ count. The best of four that were tried. */
const TETHER_RADIUS = 0.6
/** Width over which its pull grows, in the same unit. Larger: a softer border. Tried with the radius. */
const TETHER_WIDTH = 1.2

/**
 * A preset for agents of another size, speed or number: the same flock in another unit of length and time.
 * Distances grow with the radius, times with radius / speed, and forces with mass · speed / time. The rules
 * are in balance for all of its `traits` together: give the members each of them.
 * @throws TypeError / RangeError naming the option.
 */
export function scaleFlock(preset: FlockPreset, scale: FlockScale): FlockPreset {
  const { traits, flocking, cruise, avoidance } = preset?.traits
    ? preset
    : refuse('scaleFlock', preset, 'must be a preset of a flock, such as STARLINGS')
  const read = readOptions('scaleFlock', SCALE, scale)
  const { radius = traits.radius, count } = read
  const length = radius / traits.radius
  const { maxSpeed = length * traits.maxSpeed, mass = length ** 3 * traits.mass } = read
  const speed = maxSpeed / traits.maxSpeed
  const time = length / speed
  const usualForce = ((mass / traits.mass) * traits.maxForce * speed) / time
  const { maxForce = usualForce } = read
  const { separation, alignment, cohesion } = flocking
  const neighborDistance = length * separation.neighborDistance
  return {
    traits: {
      radius,
      mass,
      maxSpeed,
      maxForce,
      responseTime: time * traits.responseTime * (usualForce / maxForce),
    },
    flocking: {
      separation: { ...separation, neighborDistance },
      alignment: { ...alignment, neighborDistance: length * alignment.neighborDistance },
      cohesion: { ...cohesion, neighborDistance: length * cohesion.neighborDistance },
    },
    cruise,
    avoidance: {
      ...avoidance,
      neighborDistance: length * avoidance.neighborDistance!,
      horizon: time * avoidance.horizon!,
      clearance: length * avoidance.clearance!,
    },
    tether: tetherFor(neighborDistance, count),
  }
}

/** The centre of the flock's bounding box as a target: `new Tether({ target: flockCenter, radius: 30 })`. */
export function flockCenter(agent: Agent, out: Vec3): void {
  copy(out, agent.flockCenter)
}

function tetherFor(neighborDistance: number, count: number): Omit<TetherOptions, 'target'> {
  const size = neighborDistance * Math.cbrt(count)
  return { radius: TETHER_RADIUS * size, fadeWidth: TETHER_WIDTH * size }
}

/*
 * All four are one flock at four scales, tuned by trial on the acceptance scenes. In equilibrium birds are at
 * about two thirds of the separation distance, so that distance is 1.5 times the reported spacing. Alignment
 * and cohesion reach three times as far, and count only the nearest neighbours. Alignment is by far the
 * strongest rule, cohesion is weak: a flock stays together because all members fly in one direction. Response
 * time · force / (mass · speed) is about 0.2: weights are shares of the force, and so a weight of 1 is worth
 * a fifth of the top speed for all four.
 */

/**
 * Starlings in a murmuration: 80 g, 0.4 m across, 0.7 to 1.5 m from the nearest neighbour, and seven
 * neighbours, however far (Ballerini et al., Interaction ruling animal collective behavior depends on
 * topological rather than metric distance, 2008); turns of 2 g at 10 to 13 m/s.
 */
export const STARLINGS: FlockPreset = {
  traits: { radius: 0.2, mass: 0.08, maxSpeed: 13, maxForce: 1.6, responseTime: 0.13 },
  flocking: {
    separation: { neighborDistance: 1.8, weight: 1, maxNeighbors: 7 },
    alignment: { neighborDistance: 6, weight: 3, maxNeighbors: 7 },
    cohesion: { neighborDistance: 6, weight: 0.6, maxNeighbors: 7 },
  },
  cruise: { speedShare: 0.9 },
  avoidance: { neighborDistance: 2, horizon: 1, clearance: 0.15 },
  tether: { radius: 4.2, fadeWidth: 8.4 },
}

/**
 * Geese in migration: 3.5 kg, 1.6 m across, steady at 18 m/s with wide turns of 0.6 g. They turn so slowly
 * that two halves of a flock are out of sight before they have turned; so the nearest thirty count, more than
 * half of a flock of 50, and they look as far for others on a collision course as for the flock. Leaders, if
 * there are any, carry group bit 2 and count as thirty neighbours.
 */
export const GEESE: FlockPreset = {
  traits: { radius: 0.8, mass: 3.5, maxSpeed: 20, maxForce: 21, responseTime: 0.6 },
  flocking: {
    separation: { neighborDistance: 7, weight: 1, maxNeighbors: 30 },
    alignment: { neighborDistance: 25, weight: 3, maxNeighbors: 30, leaders: 2, leaderWeight: 30 },
    cohesion: { neighborDistance: 25, weight: 0.6, maxNeighbors: 30, leaders: 2, leaderWeight: 30 },
  },
  cruise: { speedShare: 0.9 },
  avoidance: { neighborDistance: 25, horizon: 3, clearance: 0.5 },
  tether: { radius: 16, fadeWidth: 33 },
}

/**
 * A school of herring: 0.15 kg, 0.25 m long, about one and a half lengths apart (Pitcher and Partridge, Fish
 * school density and volume, 1979), 1.5 m/s at most. They sense more neighbours than birds see, through the
 * lateral line, and so turn together.
 */
export const FISH: FlockPreset = {
  traits: { radius: 0.1, mass: 0.15, maxSpeed: 1.5, maxForce: 0.6, responseTime: 0.075 },
  flocking: {
    separation: { neighborDistance: 0.6, weight: 1, maxNeighbors: 12 },
    alignment: { neighborDistance: 2, weight: 3, maxNeighbors: 12 },
    cohesion: { neighborDistance: 2, weight: 0.6, maxNeighbors: 12 },
  },
  cruise: { speedShare: 0.8 },
  avoidance: { neighborDistance: 0.9, horizon: 1.5, clearance: 0.06 },
  tether: { radius: 1.4, fadeWidth: 2.8 },
}

/**
 * Multicopters: 1.5 kg, 0.6 m across, accelerations of 1 g by tilting, and the wide spacing that downwash and
 * the errors of satellite positioning require (Vásárhelyi et al., Optimized flocking of autonomous drones in
 * confined environments, 2018).
 */
export const DRONES: FlockPreset = {
  traits: { radius: 0.3, mass: 1.5, maxSpeed: 12, maxForce: 15, responseTime: 0.24 },
  flocking: {
    separation: { neighborDistance: 6, weight: 1, maxNeighbors: 8 },
    alignment: { neighborDistance: 20, weight: 3, maxNeighbors: 8 },
    cohesion: { neighborDistance: 20, weight: 0.6, maxNeighbors: 8 },
  },
  cruise: { speedShare: 0.85 },
  avoidance: { neighborDistance: 8, horizon: 3, clearance: 1 },
  tether: { radius: 14, fadeWidth: 28 },
}
