import {
  Flight,
  Hover,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  Thrusters,
  within,
  type Agent,
  type Behavior,
  type Locomotion,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  boxPattern,
  Formation,
  KeepSlot,
  type FormationOptions,
  type Pattern,
} from 'three-steering/formation'
import { addBall, makePhysics } from './bodies.js'
import { DrawnLeader, type LeadKind } from './formation-leads.js'
import { distance, Flips } from '../../demo/scenarios/metrics.js'
import { Audit, type Flyer } from './pursuit.js'
import { Touches, type Ball } from '../../demo/scenarios/touches.js'
import { between, direction, evenly, plus, times, turned } from '../../demo/scenarios/vectors.js'

/** Blocks that follow a leader through any manoeuvre. Equal seeds give equal scenes. */

/**
 * A drone has force in any direction; a ship's side engines have half the force of its main engine; a jet
 * banks.
 */
export const MAKES = ['drone', 'ship', 'jet'] as const
export type Make = (typeof MAKES)[number]

export const BLOCK = 9
export const RADIUS = 0.5
/** Time after which all must be in their places (s), and duration of a scene (s). */
export const SETTLING = 8
const LIMIT = 34
/** Response time of all makes (s); default clearance of `ReciprocalAvoidance`, as a share of the radii. */
const RESPONSE_TIME = 0.15
const CLEARANCE = 0.15

export interface BlockScene {
  readonly kind: LeadKind
  readonly make: Make
  readonly seed: number
  readonly flyers: readonly Flyer[]
  readonly spacing: number
}

/**
 * Nine agents that start near their places. Their acceleration is at least one and a half times that of the
 * outermost slot in the leader's turns.
 */
export function blockScene(kind: LeadKind, make: Make, seed: number, count = BLOCK): BlockScene {
  const random = seeded(7907 * seed + 17 * MAKES.indexOf(make))
  const leader = new DrawnLeader(kind, seed)
  const { pace, rate } = leader
  const spacing = evenly(random, 5, 8) * RADIUS
  const reach = spacing * Math.cbrt(count)
  const maxSpeed = 1.5 * (pace + rate * reach)
  // acceleration to hold the arcs, and to reach them in a second and a half
  const push = evenly(random, 1.5, 2) * (rate * (pace + rate * reach) + rate * reach) + 0.35 * pace
  const acceleration = make === 'ship' ? 2 * push : push
  const slots = boxPattern(count, spacing)
  const flyers = slots.map(({ position }): Flyer => {
    const mass = between(random, 0.5, 40)
    const about = plus(
      plus(leader.position, turned(leader.quaternion, position)),
      turned(leader.quaternion, { x: -2 * spacing, y: 0, z: 0 }),
    )
    return {
      position: plus(about, direction(random), 0.25 * spacing),
      velocity: times(leader.velocity, evenly(random, 0.8, 1)),
      mass,
      radius: RADIUS,
      maxSpeed,
      maxForce: mass * acceleration,
    }
  })
  return { kind, make, seed, flyers, spacing }
}

export interface BlockOptions {
  /** Step (s): 1/30, 1/60 or 1/240. Default 1/60. */
  readonly dt?: number
  readonly bodies?: 'none' | 'cannon'
  readonly pattern?: Pattern
  /** Further options of the formation. */
  readonly formation?: Partial<FormationOptions>
  /** Whether members avoid each other. Default true. */
  readonly avoids?: boolean
  /**
   * Another behaviour of the members instead of keeping their slots, for comparison. `at` writes the place of
   * the agent's slot (m).
   */
  readonly behave?: (at: (agent: Agent, out: Vec3) => void) => Behavior
}

export interface BlockResult {
  readonly scene: BlockScene
  readonly contacts: number
  /** Smallest gap between two hulls (radii). */
  readonly gap: number
  /** Distances of the members from their places after {@link SETTLING}: root mean square and maximum (m). */
  readonly rms: number
  readonly greatest: number
  /** The same relative to the slots computed from the leader, independent of the formation. */
  readonly idealError: number
  /** J of the worst member: reversals of the turn rate after settling (1/s). */
  readonly jitter: number
  readonly void: boolean
  /** Position of the last member, every half second. */
  readonly track: readonly Vec3Like[]
}

/** Flies a scene and measures it. Deterministic. */
export function flyBlock(scene: BlockScene, options: BlockOptions = {}): BlockResult {
  const { dt = 1 / 60, bodies = 'none', pattern = boxPattern, avoids = true } = options
  const { kind, flyers, make, seed, spacing } = scene
  const world = new SteeringWorld({ seed })
  const physics = makePhysics(world, bodies)
  const leader = new DrawnLeader(kind, seed)
  const formation = new Formation({ spacing, pattern, leader, ...options.formation })
  const keep = new KeepSlot({ formation })
  const mine = (agent: Agent, out: Vec3): void => {
    Object.assign(out, placeOf(leader, boxPattern(flyers.length, spacing)[agent.slot]!.position))
  }
  const wish = options.behave?.(mine) ?? keep
  const avoidance = { neighborDistance: 4 * spacing, horizon: horizonOf(scene, leader) }
  const behavior = avoids ? within([new ReciprocalAvoidance(avoidance)], wish) : wish
  const pilots = flyers.map((flyer) => {
    const own = physics === null ? flyer : { ...flyer, body: addBall(physics, flyer) }
    const pilot = new SteeringController(null, { ...own, ...traitsOf(make, flyer, leader), behavior })
    world.add(pilot)
    return pilot
  })
  const spots: readonly Vec3Like[] =
    physics?.bodies.map(({ position }) => position) ?? pilots.map(({ position }) => position)
  const speeds: readonly Vec3Like[] =
    physics?.bodies.map(({ velocity }) => velocity) ?? pilots.map(({ velocity }) => velocity)
  const audits = flyers.map((flyer) => new Audit(flyer, dt))
  const flips = flyers.map(() => new Flips(1))
  const touches = new Touches(0.1 * RADIUS)
  let [gap, squares, ideals, samples, most] = [Infinity, 0, 0, 0, 0]
  const track: Vec3Like[] = []
  for (let i = 1; i * dt <= LIMIT + 1e-9; i++) {
    const before = spots.map((spot) => plus(spot, spot, 0))
    const slots = formation.size > 0 ? formation.slots : boxPattern(flyers.length, spacing)
    const ideal = slots.map(({ position }) => placeOf(leader, position))
    if (physics === null) world.step(dt)
    else physics.step(dt)
    leader.step(dt)
    touches.see(spots.map((position, key): Ball => ({ key, position, radius: RADIUS })))
    pilots.forEach((pilot, k) => {
      audits[k]!.update(spots[k]!, speeds[k]!)
      for (const other of spots.slice(k + 1)) gap = Math.min(gap, distance(spots[k]!, other) / RADIUS - 2)
      if (i * dt <= SETTLING) return
      flips[k]!.see(speeds[k]!, dt)
      const place = formation.placeOf(pilot.id)
      const nearest = Math.min(...ideal.map((each) => distance(each, before[k]!)))
      const off = place === null ? nearest : distance(place, before[k]!)
      squares += off * off
      most = Math.max(most, off)
      ideals += nearest * nearest
      samples++
    })
    if (i % Math.round(0.5 / dt) === 0) track.push(plus(spots.at(-1)!, spots[0]!, 0))
  }
  world.dispose()
  return {
    scene,
    contacts: touches.contacts,
    gap,
    rms: Math.sqrt(squares / samples),
    greatest: most,
    idealError: Math.sqrt(ideals / samples),
    jitter: Math.max(...flips.map(({ count }) => count)) / (LIMIT - SETTLING),
    void: audits.some((audit) => audit.void),
    track,
  }
}

/**
 * Longest look-ahead (s) of mutual avoidance with which members can follow the leader's tightest turn, as
 * `KeepSlot` recommends. In wide turns it is longer than the avoidance looks ahead anyway.
 */
function horizonOf({ flyers, spacing }: BlockScene, { pace, rate }: DrawnLeader): number {
  const gap = spacing - 2 * (1 + CLEARANCE) * RADIUS
  const acceleration = rate * (pace + rate * spacing * Math.cbrt(flyers.length))
  return gap / (2 * RESPONSE_TIME * acceleration)
}

/** Mean distance between the paths of two flights of one scene, over their length. */
export function pathDifference(one: BlockResult, other: BlockResult): number {
  const off = one.track.map((spot, k) => distance(spot, other.track[k]!))
  const way = one.track.slice(1).map((spot, k) => distance(spot, one.track[k]!))
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
  return sum(off) / off.length / sum(way)
}

/** Place of a slot in the leader's own frame (m). */
function placeOf(leader: DrawnLeader, slot: Vec3Like): Vec3Like {
  return plus(leader.position, turned(leader.quaternion, slot))
}

interface Traits {
  readonly locomotion: Locomotion
  readonly responseTime: number
  readonly maxTorque: number
  readonly maxTurnRate: number
  readonly inertia?: Vec3Like
  readonly quaternion?: { x: number; y: number; z: number; w: number }
}

/** The traits of a vehicle that depend on its make. */
export function traitsOf(
  make: Make,
  { mass, maxForce, radius, velocity }: Flyer,
  { pace }: { readonly pace: number },
): Traits {
  const turning = { responseTime: RESPONSE_TIME, maxTorque: 12 * mass * radius * radius, maxTurnRate: 4 }
  if (make === 'drone') return { ...turning, locomotion: new Hover() }
  const quaternion = headed(velocity)
  if (make === 'ship') {
    const side = maxForce / 2
    return {
      ...turning,
      quaternion,
      locomotion: new Thrusters({
        ahead: maxForce,
        astern: side,
        up: side,
        down: side,
        port: side,
        starboard: side,
      }),
    }
  }
  return {
    ...turning,
    quaternion,
    locomotion: new Flight({ minSpeed: 0.2 * pace, lift: maxForce, thrust: maxForce, brake: maxForce }),
  }
}

/** Level attitude with the nose (+Z) along the horizontal part of a velocity. */
function headed({ x, z }: Vec3Like): { x: number; y: number; z: number; w: number } {
  const half = Math.atan2(x, z) / 2
  return { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) }
}
