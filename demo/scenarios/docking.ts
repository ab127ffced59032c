import { ContactMaterial, Material, SAPBroadphase, Vec3, World, type Body } from 'cannon-es'
import { Obstacles, SphereShape, SteeringWorld, type Viewable } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import type { Port } from 'three-steering/docking'
import { attachToCannon } from 'three-steering/cannon'
import type { Container } from './freight.js'
import { Fingerprint } from './metrics.js'
import { PassingRocks } from './passing-rocks.js'
import { DEFAULT_BOATS, Traffic, type Ship, type Touch } from './port-traffic.js'
import { buildMine, buildStation, MINE_RADIUS, turnStation } from './spaceport.js'

export interface DockingOptions {
  readonly seed?: number
  readonly count?: number
  readonly rocks?: number
  readonly view?: (index: number) => Viewable
}

export const DEFAULT_PASSING = 14

/** The traffic of a rotating, drifting station, while rocks drift past. */
export class Docking {
  readonly world = new World({ gravity: new Vec3(0, 0, 0), frictionGravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly station = buildStation()
  readonly mine = buildMine()
  readonly traffic: Traffic
  readonly rocks: PassingRocks
  /** What hides what is behind it. */
  readonly hulls: Body[]
  /** Rotation about its axis (rad/s) at which reaction wheels hold the station. Null turns the wheels off. */
  wheels: number | null = null

  constructor(options: DockingOptions = {}) {
    const { seed = 1, count = DEFAULT_BOATS, rocks = DEFAULT_PASSING, view } = options
    const random = seeded(seed)
    const { mine, station, world } = this
    world.broadphase = new SAPBroadphase(world)
    const hull = new Material('hull')
    world.defaultMaterial = hull
    world.addContactMaterial(new ContactMaterial(hull, hull, { friction: 0.05, restitution: 0.2 }))
    for (const body of [station, mine]) world.addBody(body)
    const steering = (this.steering = new SteeringWorld({ seed }))
    attachToCannon(steering, world)
    const obstacles = new Obstacles()
    this.traffic = new Traffic({ world, steering, station, mine, obstacles, random }, count, view)
    this.rocks = new PassingRocks(world, station, { body: mine, radius: MINE_RADIUS + 16 }, random, rocks)
    for (const { body, radius } of this.rocks.rocks)
      obstacles.add({ shape: new SphereShape(radius), at: body })
    this.hulls = [station, mine, ...this.rocks.rocks.map(({ body }) => body)]
  }

  get time(): number {
    return this.steering.time
  }

  get ports(): readonly Port[] {
    return this.traffic.ports
  }

  get ships(): readonly Ship[] {
    return this.traffic.ships
  }

  get containers(): readonly Container[] {
    return this.traffic.containers
  }

  get touches(): readonly Touch[] {
    return this.traffic.touches
  }

  get contacts(): number {
    return this.traffic.contacts
  }

  get aborts(): number {
    return this.traffic.aborts
  }

  step(dt: number): void {
    if (this.wheels !== null) turnStation(this.station, this.wheels)
    this.world.step(dt)
    this.traffic.step()
    this.rocks.step()
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { body } of [...this.ships, ...this.rocks.rocks])
      mark.addVector(body.position).addVector(body.velocity)
    const { touches } = this
    const mean = (of: (touch: Touch) => number): number =>
      touches.reduce((sum, touch) => sum + of(touch), 0) / Math.max(1, touches.length)
    return {
      ships: this.ships.length,
      dockings: touches.length,
      'at ports': this.ships.filter(({ leg }) => leg === 'docked').length,
      waiting: this.ships.filter(({ leg, stage }) => leg === 'dock' && stage === 'queue').length,
      'containers delivered': this.traffic.delivered,
      'mean offset, mm': mean(({ lateral }) => 1000 * lateral),
      'mean closing speed, m/s': mean(({ closing }) => closing),
      aborts: this.aborts,
      contacts: this.contacts,
      fingerprint: mark.toString(),
    }
  }
}
