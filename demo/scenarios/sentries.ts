import {
  ContactMaterial,
  LockConstraint,
  Material,
  SAPBroadphase,
  Vec3,
  World,
  Body,
  Sphere,
} from 'cannon-es'
import { Obstacles, SphereShape, SteeringWorld, type Vec3Like, type Viewable, Path } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { type Port } from 'three-steering/docking'
import { attachToCannon, latch } from 'three-steering/cannon'
import { barOf, CLEARANCE, makePort } from './docking-ports.js'
import type { Collision } from './collision.js'
import { distance, Fingerprint } from './metrics.js'
import { GUARD_GUN, RAIDER_GUN, RANGE, type Craft, type Gun } from './sentry-craft.js'
import { Guard } from './sentry-guard.js'
import { Raider } from './sentry-raider.js'
import { buildStation, PORTS, SPIN, turnStation } from './spaceport.js'
import {
  inner,
  minus,
  plus,
  turned,
  unit,
  vec,
  aside,
  direction,
  evenly,
  times,
  type Random,
} from './vectors.js'

export interface SentriesOptions {
  readonly seed?: number
  readonly guards?: number
  readonly raiders?: number
  readonly rocks?: number
  readonly view?: (team: 'guard' | 'raider', index: number) => Viewable
}

export const DEFAULT_GUARDS = 5
export const DEFAULT_RAIDERS = 4
export const DEFAULT_BOULDERS = 44

/** Rate at which craft observe their surroundings (1/s). */
const OBSERVE_RATE = 5
/** Half angle of a guard's gun around its nose (rad). */
const CONE = 0.3
const MAX_SHOTS = 64
const CORE = 13

/** A shot, and its end. */
export interface Shot {
  readonly team: 'guard' | 'raider'
  readonly from: Craft
  readonly to: Craft
  readonly hit: boolean
}

/** Guards that patrol a station, chase, flee and dock, and raiders that roam, raid and flee. */
export class Sentries {
  readonly world = new World({ gravity: new Vec3(0, 0, 0), frictionGravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly station = buildStation()
  readonly ports: readonly Port[]
  readonly obstacles = new Obstacles()
  readonly beacons: readonly Vec3Like[]
  readonly boulders: readonly Boulder[]
  readonly guards: readonly Guard[]
  readonly raiders: readonly Raider[]
  /** Shots since the list was last emptied. The reader empties it. */
  readonly shots: Shot[] = []
  /** Called when the state machine of a craft changes its state. */
  onMind: ((craft: Guard | Raider, state: string) => void) | null = null
  contacts = 0
  dockings = 0
  hits = 0
  stolen = 0
  repelled = 0
  readonly #random: () => number
  #tick = 0

  constructor(options: SentriesOptions = {}) {
    const { seed = 1, guards = DEFAULT_GUARDS, raiders = DEFAULT_RAIDERS } = options
    const { rocks = DEFAULT_BOULDERS, view } = options
    const random = (this.#random = seeded(seed))
    const { obstacles, station, world } = this
    world.broadphase = new SAPBroadphase(world)
    const hull = new Material('hull')
    world.defaultMaterial = hull
    world.addContactMaterial(new ContactMaterial(hull, hull, { friction: 0.05, restitution: 0.2 }))
    // the station rotates, but contacts do not move it
    station.velocity.setZero()
    station.linearFactor.setZero()
    world.addBody(station)
    obstacles.add({ shape: new SphereShape(CLEARANCE), at: station })
    this.ports = Array.from({ length: PORTS }, (_, k) => makePort(station, k))
    for (const [k, port] of this.ports.entries()) obstacles.add(barOf(station, k, port))
    this.beacons = makeBeacons(random)
    this.boulders = makeBoulders(random, rocks, this.beacons)
    for (const { body, radius } of this.boulders) {
      world.addBody(body)
      obstacles.add({ shape: new SphereShape(radius), at: body })
    }
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, world)
    const rounds = Array.from({ length: guards }, (_, k) => makeRound(random, k))
    this.guards = rounds.map((round, k) => new Guard(k, this, round, view?.('guard', k) ?? null))
    this.raiders = Array.from(
      { length: raiders },
      (_, k) => new Raider(k, this, seed, view?.('raider', k) ?? null),
    )
    for (const craft of this.crafts) {
      world.addBody(craft.body)
      this.steering.add(craft.pilot)
      craft.body.addEventListener('collide', (event: Collision) => this.#hit(craft, event))
    }
  }

  get crafts(): readonly (Guard | Raider)[] {
    return [...this.guards, ...this.raiders]
  }

  get time(): number {
    return this.steering.time
  }

  step(dt: number): void {
    turnStation(this.station, SPIN)
    this.world.step(dt)
    // action selection: a few times a second, after the steering
    const observing = Math.floor(this.time * OBSERVE_RATE) > this.#tick
    if (observing) this.#tick = Math.floor(this.time * OBSERVE_RATE)
    for (const craft of this.crafts) {
      craft.live(this, dt)
      if (observing) craft.observe(this)
    }
    this.#shoot()
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { body, health } of this.crafts)
      mark.addVector(body.position).addVector(body.angularVelocity).add(health)
    const doing = (...modes: string[]): number =>
      this.guards.filter(({ mode }) => modes.includes(mode)).length
    return {
      guards: this.guards.length,
      raiders: this.raiders.length,
      'on patrol': doing('patrol'),
      chasing: doing('chase'),
      fleeing: doing('flee'),
      docking: doing('dock', 'leave'),
      dockings: this.dockings,
      hits: this.hits,
      'raids repelled': this.repelled,
      'raids that succeeded': this.stolen,
      contacts: this.contacts,
      fingerprint: mark.toString(),
    }
  }

  /** Whether neither a rock nor the station hides one craft from the other. */
  sees({ body: { position: from } }: Craft, { body: { position: to } }: Craft): boolean {
    if (isHidden(from, to, this.station.position, CORE)) return false
    return !this.boulders.some(({ body, radius }) => isHidden(from, to, body.position, radius))
  }

  nearest<C extends Craft>(crafts: readonly C[], place: Vec3Like): C {
    let best = crafts[0]!
    for (const each of crafts)
      if (distance(each.body.position, place) < distance(best.body.position, place)) best = each
    return best
  }

  /** The nearest point to `place`, farther out, that has a clearance of `room` (m) from all rocks. */
  freePlace(place: Vec3Like, clearance: number): Vec3Like {
    let free = place
    while (this.boulders.some(({ body, radius }) => distance(body.position, free) < radius + clearance))
      free = plus(free, unit(free), clearance)
    return free
  }

  /** Latches a docked guard to the station. @returns a function that opens the latch. */
  latch({ body }: Craft): () => void {
    this.dockings++
    return latch(this.world, body, this.station, LockConstraint)
  }

  notify(craft: Guard | Raider, state: string): void {
    this.onMind?.(craft, state)
  }

  #shoot(): void {
    for (const guard of this.guards) {
      const { body, target, reload } = guard
      if (target === null || this.time < reload || guard.mode !== 'chase') continue
      const offset = minus(target.body.position, body.position)
      const nose = turned(body.quaternion, vec(0, 0, 1))
      if (inner(unit(offset), nose) < Math.cos(CONE)) continue
      this.#fire('guard', guard, target, GUARD_GUN)
    }
    for (const raider of this.raiders) {
      if (raider.mode === 'roam' || this.time < raider.reload) continue
      const hunters = this.guards.filter(({ mode }) => mode === 'chase' || mode === 'flee')
      if (hunters.length > 0)
        this.#fire('raider', raider, this.nearest(hunters, raider.body.position), RAIDER_GUN)
    }
  }

  #fire(team: Shot['team'], from: Guard | Raider, to: Guard | Raider, gun: Gun): void {
    if (distance(from.body.position, to.body.position) > RANGE || !this.sees(from, to)) return
    from.reload = this.time + gun.every
    const hit = this.#random() < gun.aim
    if (hit) {
      to.health = Math.max(0.05, to.health - gun.harm)
      this.hits++
    }
    if (this.shots.length < MAX_SHOTS) this.shots.push({ team, from, to, hit })
  }

  #hit(craft: Craft, { body: other }: Collision): void {
    // a latched guard touches the station intentionally
    if (other === this.station && craft instanceof Guard && craft.release !== null) return
    this.contacts++
  }
}

/** Rocks lie between these distances from the station, and within this height above and below it (m). */
const INNER = 64
const OUTER = 190
const HIGH = 42
const SMALLEST = 2.2
const LARGEST = 8.5
/** Clearance between rocks, and around a beacon (m). */
const GAP = 11
const BEACON_CLEARANCE = 16

/** Number of beacons, and radius of their ring around the station (m). */
const BEACONS = 5
const RING = 106

/** Radius of the first guard's round, and increment for each further guard (m). */
const ROUND = 66
const ROUND_APART = 5

interface Boulder {
  readonly body: Body
  readonly radius: number
}

/** Positions of the beacons, the targets of the raiders. */
function makeBeacons(random: Random): Vec3Like[] {
  return Array.from({ length: BEACONS }, (_, k) => {
    const angle = ((k + 0.3 * random()) / BEACONS) * 2 * Math.PI
    return vec(RING * Math.sin(angle), evenly(random, -16, 20), RING * Math.cos(angle))
  })
}

/** Rotating rocks at fixed positions. They are kinematic, so nothing moves them. */
function makeBoulders(random: Random, count: number, beacons: readonly Vec3Like[]): Boulder[] {
  const boulders: Boulder[] = []
  for (let tries = 0; boulders.length < count && tries < 100 * count; tries++) {
    const share = 1 - boulders.length / count
    const radius = SMALLEST + (LARGEST - SMALLEST) * share ** 2.5 * evenly(random, 0.7, 1)
    const far = evenly(random, INNER + radius, OUTER)
    const place = times(direction(random), far)
    if (Math.abs(place.y) > HIGH) continue
    if (beacons.some((beacon) => distance(beacon, place) < radius + BEACON_CLEARANCE)) continue
    if (boulders.some(({ body, radius: other }) => distance(body.position, place) < radius + other + GAP))
      continue
    const body = new Body({ type: Body.KINEMATIC, shape: new Sphere(radius), allowSleep: false })
    body.position.set(place.x, place.y, place.z)
    const { x, y, z } = direction(random)
    body.angularVelocity.copy(new Vec3(x, y, z).scale(0.2 / Math.sqrt(radius)))
    boulders.push({ body, radius })
  }
  return boulders
}

/** The round of guard `k` around the station, each in its own plane. */
function makeRound(random: Random, k: number): Path {
  const axis = vec(evenly(random, -0.32, 0.32), k % 2 === 0 ? 1 : -1, evenly(random, -0.32, 0.32))
  const up = times(axis, 1 / Math.hypot(axis.x, axis.y, axis.z))
  const right = aside(random, up)
  const ahead = vec(
    up.y * right.z - up.z * right.y,
    up.z * right.x - up.x * right.z,
    up.x * right.y - up.y * right.x,
  )
  const radius = ROUND + ROUND_APART * k
  const points = Array.from({ length: 10 }, (_, i) => {
    const angle = (i / 10) * 2 * Math.PI
    const there = plus(times(right, radius * Math.cos(angle)), ahead, radius * Math.sin(angle))
    return plus(there, up, evenly(random, -7, 7))
  })
  return new Path({ points, ends: 'closed' })
}

/** Whether a sphere hides one point from the other. */
function isHidden(from: Vec3Like, to: Vec3Like, { x, y, z }: Vec3Like, radius: number): boolean {
  const segment = minus(to, from)
  const offset = minus({ x, y, z }, from)
  const share = Math.min(1, Math.max(0, inner(offset, segment) / Math.max(1e-9, inner(segment, segment))))
  return distance(plus(from, segment, share), { x, y, z }) < radius
}
