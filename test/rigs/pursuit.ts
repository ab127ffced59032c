import type * as CANNON from 'cannon-es'
import {
  Evade,
  SteeringController,
  SteeringWorld,
  type Behavior,
  type Moving,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { addBall, makePhysics } from './bodies.js'
import { leastTime } from './pursuit-bound.js'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import {
  aside,
  between,
  direction,
  evenly,
  outer,
  plus,
  times,
  unit,
  vec,
} from '../../demo/scenarios/vectors.js'

export type TargetKind = 'straight' | 'circle' | 'weave' | 'spiral' | 'head-on' | 'evading'

export const TARGETS: readonly TargetKind[] = ['straight', 'circle', 'weave', 'spiral', 'head-on', 'evading']

/** The pursuer or the target. SI units. */
export interface Flyer {
  readonly position: Readonly<Vec3>
  readonly velocity: Readonly<Vec3>
  readonly mass: number
  readonly radius: number
  readonly maxSpeed: number
  readonly maxForce: number
}

/** A chase: pursuer, target, and the trajectory of the target (m) if it does not depend on the pursuer. */
export interface Chase {
  readonly kind: TargetKind
  readonly seed: number
  readonly pursuer: Flyer
  readonly target: Flyer
  readonly path: ((time: number) => Moving) | null
  /** Longest duration (s). */ readonly limit: number
}

/** The chase of a seed: any size, any direction, from rest or in flight; one in five is vertical. */
export function chaseOf(kind: TargetKind, seed: number): Chase {
  const random = seeded(7919 * seed + 31 * TARGETS.indexOf(kind))
  const maxSpeed = between(random, 8, 30)
  const acceleration = maxSpeed * between(random, 0.6, 2.5)
  const mass = between(random, 0.5, 40)
  const pace = maxSpeed * evenly(random, 0.45, kind === 'evading' ? 0.7 : 0.8)
  const gap = maxSpeed * evenly(random, 1.5, 4)
  const ahead = seed % 5 === 0 ? vec(0, seed % 10 === 0 ? 1 : -1, 0) : direction(random)
  const origin = times(direction(random), 30)
  const start = plus(origin, ahead, gap)
  const heading = kind === 'head-on' ? times(ahead, -1) : seed % 3 === 0 ? ahead : direction(random)
  const wings = unit(aside(random, heading))
  const speed = seed % 2 === 0 ? maxSpeed * random() : 0
  const velocity = times(direction(random), speed)
  const path = kind === 'evading' ? null : pathOf(kind, random, start, heading, wings, pace)
  return {
    kind,
    seed,
    pursuer: { position: origin, velocity, mass, radius: 0.5, maxSpeed, maxForce: mass * acceleration },
    target: {
      position: start,
      velocity: path?.(0).velocity ?? times(heading, pace),
      mass: 1,
      radius: 0.5,
      maxSpeed: pace,
      maxForce: acceleration,
    },
    path,
    limit: 40,
  }
}

/** A trajectory as a function of time; `pace` (m/s) is its greatest speed, except for rounding. */
export function pathOf(
  kind: TargetKind,
  random: () => number,
  start: Vec3,
  heading: Vec3,
  wings: Vec3,
  pace: number,
): (time: number) => Moving {
  const top = outer(heading, wings)
  const rate = between(random, 0.6, 2.2)
  const mix = random()
  const turn = random() * 2 * Math.PI
  if (kind === 'circle') {
    const r = pace / rate
    return (t) => ({
      position: plus(plus(start, heading, r * Math.sin(rate * t)), wings, r * (1 - Math.cos(rate * t))),
      velocity: plus(times(heading, pace * Math.cos(rate * t)), wings, pace * Math.sin(rate * t)),
    })
  }
  if (kind === 'weave') {
    // the sideways speed is at most 0.75 of the speed; a second frequency makes it swing in both planes
    const side = pace * (0.4 + 0.25 * mix)
    const fore = Math.sqrt(pace * pace - side * side)
    const tilt = plus(times(wings, Math.cos(turn)), top, Math.sin(turn))
    return (t) => ({
      position: plus(plus(start, heading, fore * t), tilt, (side / rate) * Math.sin(rate * t)),
      velocity: plus(times(heading, fore), tilt, side * Math.cos(rate * t)),
    })
  }
  if (kind === 'spiral') {
    // outward and along its axis at constant rates
    const fore = pace * 0.4 * mix
    const around = Math.sqrt(pace * pace - fore * fore)
    const r0 = around / rate
    const growth = 0.15 * around
    const angle = (t: number): number => (around / growth) * Math.log1p((growth * t) / r0)
    const radius = (t: number): number => r0 + growth * t
    const place = (t: number): Vec3 =>
      plus(
        plus(plus(start, heading, fore * t), wings, radius(t) * Math.cos(angle(t)) - r0),
        top,
        radius(t) * Math.sin(angle(t)),
      )
    return (t) => {
      const [c, s] = [Math.cos(angle(t)), Math.sin(angle(t))]
      const across = plus(times(wings, growth * c - around * s), top, growth * s + around * c)
      return { position: place(t), velocity: plus(across, heading, fore) }
    }
  }
  return (t) => ({ position: plus(start, heading, pace * t), velocity: times(heading, pace) })
}

export interface ChaseOptions {
  /** Step (s). Default 1/60. */
  readonly dt?: number
  /** Whether cannon-es moves both, as spheres without collision response. Default 'none'. */
  readonly bodies?: 'none' | 'cannon'
  /** The behaviour of the pursuer. */
  readonly pursue: (target: Moving) => Behavior
  /** The behaviour of a target without a trajectory. Default `Evade`. */
  readonly evade?: (threat: Moving) => Behavior
}

export interface ChaseResult {
  readonly chase: Chase
  /** Time at which the distance first was below the sum of the radii (s); Infinity if never. */
  readonly time: number
  /** Lower bound of the time for this target on this trajectory (s). */
  readonly least: number
  readonly ratio: number
  /** Closest approach (m). */
  readonly nearest: number
  /** Path length of the pursuer over the straight distance from its start. */
  readonly detour: number
  /** Whether a flyer exceeded its force or speed, or jumped. */
  readonly void: boolean
}

/** Flies a chase until the catch or the limit, and measures it. Deterministic. */
export function flyChase(chase: Chase, options: ChaseOptions): ChaseResult {
  const { dt = 1 / 60, bodies = 'none', pursue, evade = (threat) => new Evade({ target: threat }) } = options
  const { pursuer, target, path, limit } = chase
  const world = new SteeringWorld({ seed: chase.seed })
  const physics = makePhysics(world, bodies)
  const hunter = controllerOf(pursuer, physics)
  const targetController = path === null ? controllerOf(target, physics) : null
  const scripted = { position: { ...target.position }, velocity: { ...target.velocity } }
  const mark: Moving = targetController ?? scripted
  hunter.behavior = pursue(mark)
  world.add(hunter)
  if (targetController !== null) {
    targetController.behavior = evade(hunter)
    world.add(targetController)
  }
  const reach = pursuer.radius + target.radius
  const seen: Vec3[] = [{ ...target.position }]
  const audit = new Audit(pursuer, dt)
  let [time, nearest] = [Infinity, Infinity]
  let gap: Vec3Like = plus(target.position, pursuer.position, -1)
  for (let i = 1; i * dt <= limit && time === Infinity; i++) {
    if (physics === null) world.step(dt)
    else physics.step(dt)
    const { position, velocity } = physics?.bodies[0] ?? hunter
    if (path !== null) {
      Object.assign(scripted.position, path(i * dt).position)
      Object.assign(scripted.velocity, path(i * dt).velocity)
    }
    const there = physics?.bodies[1]?.position ?? mark.position
    audit.update(position, velocity)
    seen.push({ x: there.x, y: there.y, z: there.z })
    const next = plus(there, position, -1)
    const [least, share] = passOf(gap, next)
    nearest = Math.min(nearest, least)
    if (least < reach) time = (i - 1 + share) * dt
    gap = next
  }
  world.dispose()
  const at = path === null ? (t: number) => pointOn(seen, t / dt) : (t: number) => path(t).position
  const least = leastTime(
    {
      position: pursuer.position,
      velocity: pursuer.velocity,
      acceleration: pursuer.maxForce / pursuer.mass,
      maxSpeed: pursuer.maxSpeed,
    },
    at,
    reach,
    path === null ? seen.length * dt : limit,
  )
  return { chase, time, least, ratio: time / least, nearest, detour: audit.detour, void: audit.void }
}

function pointOn(seen: readonly Vec3[], place: number): Vec3 {
  const i = Math.min(Math.floor(place), seen.length - 2)
  return plus(seen[i]!, plus(seen[i + 1]!, seen[i]!, -1), place - i)
}

/**
 * Smallest length of the gap while it changes linearly from `a` to `b`, and its share of the change, 0 … 1.
 */
export function passOf(a: Vec3Like, b: Vec3Like): [number, number] {
  const way = plus(b, a, -1)
  const sq = way.x * way.x + way.y * way.y + way.z * way.z
  const share = sq > 0 ? Math.min(1, Math.max(0, -(a.x * way.x + a.y * way.y + a.z * way.z) / sq)) : 0
  return [magnitude(plus(a, way, share)), share]
}

/** Checks that a flyer keeps its limits. */
export class Audit {
  #position: Vec3Like
  #velocity: Vec3Like
  #steps = 0
  #forced = 0
  #slip = 0
  #fastest = 0
  #way = 0
  readonly #start: Vec3Like
  readonly #flyer: Flyer
  readonly #dt: number

  constructor(flyer: Flyer, dt: number) {
    this.#flyer = flyer
    this.#dt = dt
    this.#start = this.#position = flyer.position
    this.#velocity = flyer.velocity
  }

  update(position: Vec3Like, velocity: Vec3Like): void {
    const { maxForce, mass, maxSpeed } = this.#flyer
    const dt = this.#dt
    this.#steps++
    if (distance(velocity, this.#velocity) > (1.05 * dt * maxForce) / mass) this.#forced++
    this.#slip = Math.max(this.#slip, distance(position, plus(this.#position, velocity, dt)) / dt / maxSpeed)
    this.#fastest = Math.max(this.#fastest, magnitude(velocity) / maxSpeed)
    this.#way += distance(position, this.#position)
    this.#position = { x: position.x, y: position.y, z: position.z }
    this.#velocity = { x: velocity.x, y: velocity.y, z: velocity.z }
  }

  get detour(): number {
    return this.#way / distance(this.#position, this.#start)
  }

  get void(): boolean {
    return this.#forced > 0.005 * this.#steps || this.#fastest > 1.02 || this.#slip > 1e-6
  }
}

export function controllerOf(flyer: Flyer, physics: CANNON.World | null): SteeringController {
  const { position, velocity, radius, mass, maxSpeed, maxForce } = flyer
  const traits = { behavior: { steer() {} }, radius, mass, maxSpeed, maxForce }
  if (physics === null) return new SteeringController(null, { ...traits, position, velocity })
  const body = addBall(physics, flyer)
  return new SteeringController(null, { ...traits, body })
}
