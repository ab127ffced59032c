import { ContactMaterial, Material, SAPBroadphase, Vec3, World, type Body } from 'cannon-es'
import { Obstacles, SphereShape, SteeringWorld, type FlockOptions, type Viewable } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { attachToCannon } from 'three-steering/cannon'
import type { Collision } from './collision.js'
import { Fingerprint } from './metrics.js'
import { PassingRocks } from './passing-rocks.js'
import { Traffic } from './port-traffic.js'
import { buildMine, buildStation, MINE_RADIUS, SPIN, turnStation } from './spaceport.js'
import { Drones } from './station-drones.js'
import { Guns } from './station-guns.js'
import { Match } from './station-match.js'
import { Raid } from './station-raid.js'
import { addWheels } from './station-wheels.js'
import { Wing } from './station-wing.js'

export interface StationOptions {
  readonly seed?: number
  readonly freighters?: number
  readonly wingmen?: number
  readonly drones?: number
  readonly rocks?: number
  readonly view?: {
    readonly freighter: (index: number) => Viewable
    /** 0 is the player. */
    readonly wing: (index: number) => Viewable
    readonly raider: (index: number) => Viewable
    readonly drones: NonNullable<FlockOptions['view']>
  }
}

export const DEFAULT_FREIGHTERS = 7
export const DEFAULT_WINGMEN = 4
export const DEFAULT_DRONES = 30
export const DEFAULT_BOULDERS = 20

/** Where asteroids drift past (m): outside of the wheels. */
const BELT = { nearest: 126, farthest: 190, horizon: 260 }
/** Rate at which ships observe their surroundings (1/s). */
const OBSERVE_RATE = 5

/**
 * A playable station: one ship for the player, a wing that obeys, freighters that dock in queues, raiders, a
 * flock of drones, and asteroids. All are rigid bodies of one physics world.
 */
export class Station {
  readonly world = new World({ gravity: new Vec3(0, 0, 0), frictionGravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly station = buildStation()
  readonly mine = buildMine()
  readonly traffic: Traffic
  readonly rocks: PassingRocks
  readonly drones: Drones
  readonly wing: Wing
  readonly raid: Raid
  readonly guns: Guns
  /** What hides what is behind it. */
  readonly hulls: Body[]
  readonly match: Match
  /** Contacts that should not be. A freighter that touches its port is latched, and does not count. */
  contacts = 0
  #tick = 0

  // #region code
  constructor(options: StationOptions = {}) {
    const { seed = 1, freighters = DEFAULT_FREIGHTERS, wingmen = DEFAULT_WINGMEN, view } = options
    const { drones = DEFAULT_DRONES, rocks = DEFAULT_BOULDERS } = options
    const { mine, station, world } = this
    prepare(world, station, mine)
    // one physics world, one steering world, one set of obstacles that everyone avoids; each part below makes
    // its bodies, and for each a controller with its `behavior`
    const random = seeded(seed)
    const steering = (this.steering = new SteeringWorld({ seed }))
    attachToCannon(steering, world)
    const obstacles = new Obstacles()
    const place = { world, steering, station, mine, obstacles, random }
    const wheels = addWheels(world, station, obstacles)

    this.traffic = new Traffic(place, freighters, view?.freighter)
    this.rocks = new PassingRocks(
      world,
      station,
      { body: mine, radius: MINE_RADIUS + 16 },
      random,
      rocks,
      BELT,
    )
    for (const { body, radius } of this.rocks.rocks)
      obstacles.add({ shape: new SphereShape(radius), at: body })
    this.drones = new Drones(world, obstacles, random, drones, view?.drones)
    steering.add(this.drones.flock)
    this.wing = new Wing(obstacles, wingmen, view?.wing)
    for (const ship of this.wing.all) ship.enter(world, steering)
    this.raid = new Raid(place, this.traffic.ships, view?.raider)
    const cover = { station: [station, mine, ...wheels], rocks: this.rocks.rocks }
    this.hulls = [...cover.station, ...this.rocks.rocks.map(({ body }) => body)]
    this.guns = new Guns([...this.wing.all, ...this.raid.raiders], this.raid.preys, cover, random)

    this.match = new Match(this.raid, this.wing)

    // all others give way to freighters, which keep to their routes
    for (const { pilot } of this.traffic.ships) pilot.priority = Infinity
    this.#countContacts()
  }

  /** One step of the game: physics with the steering in it, rules, and a few times a second the decisions. */
  step(dt: number): void {
    const { guns, match, raid, wing } = this
    turnStation(this.station, SPIN)
    this.world.step(dt)
    const { time } = this.steering
    this.traffic.step()
    this.rocks.step()
    for (const ship of wing.all) ship.mend(dt)
    if (wing.trigger && !wing.strayed) guns.fireAhead(wing.leader, time)
    raid.step(guns, wing, dt, time)
    guns.step(dt, time)
    match.step(time)
    const tick = Math.floor(time * OBSERVE_RATE)
    if (tick === this.#tick) return
    this.#tick = tick
    wing.observe(wing.played ? raid.hostile : raid.raiders, time)
    raid.observe(wing.all, time)
  }
  // #endregion

  get time(): number {
    return this.steering.time
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const { guns, match, raid, traffic, wing } = this
    const mark = new Fingerprint()
    const { ships } = traffic
    for (const { body } of [...ships, ...wing.all, ...raid.raiders, ...this.rocks.rocks])
      mark.addVector(body.position).addVector(body.angularVelocity)
    for (const body of this.drones.bodies) mark.addVector(body.position)
    return {
      freighters: ships.length,
      dockings: traffic.touches.length,
      waiting: ships.filter(({ leg, stage }) => leg === 'dock' && stage === 'queue').length,
      'containers delivered': traffic.delivered,
      'raiders near': raid.raiders.filter(({ present }) => present).length,
      raids: raid.waves,
      intercepted: raid.intercepted,
      robbed: raid.robbed,
      hits: guns.hits,
      match: match.phase,
      score: match.score,
      'mean slot error, m': wing.errorSamples > 0 ? wing.errorSum / wing.errorSamples : 0,
      contacts: this.contacts + traffic.contacts,
      fingerprint: mark.toString(),
    }
  }

  /** Freighters count their own contacts. */
  #countContacts(): void {
    const { drones, raid, traffic, wing } = this
    const freighters = new Set<Body>(traffic.ships.map(({ body }) => body))
    const bodies = [...wing.all, ...raid.raiders].map(({ body }) => body)
    for (const body of [...bodies, ...drones.bodies])
      body.addEventListener('collide', ({ body: other }: Collision) => {
        if (!freighters.has(other)) this.contacts++
      })
  }
}

/** The station turns at its place, and the mine stays beside it. */
function prepare(world: World, station: Body, mine: Body): void {
  world.broadphase = new SAPBroadphase(world)
  const hull = new Material('hull')
  world.defaultMaterial = hull
  world.addContactMaterial(new ContactMaterial(hull, hull, { friction: 0.05, restitution: 0.2 }))
  for (const body of [station, mine]) {
    body.velocity.setZero()
    body.linearFactor.setZero()
    world.addBody(body)
  }
}
