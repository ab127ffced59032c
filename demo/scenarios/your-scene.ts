import { Body, Box, ContactMaterial, LockConstraint, Material, SAPBroadphase, Sphere, Vec3, World } from 'cannon-es' // prettier-ignore
import {
  Arrive,
  AvoidObstacles,
  blend,
  Contain,
  Flock,
  FollowPath,
  HollowShape,
  LeaderFollow,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  Separation,
  SphereShape,
  SteeringController,
  SteeringWorld,
  Thrusters,
  Wander,
  within,
  type Behavior,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { seeded, type StageChange } from 'three-steering/authoring'
import { attachToCannon, cannonBody, latch } from 'three-steering/cannon'
import { Dock, Undock, type Port } from 'three-steering/docking'
import { CLEARANCE, makePort, moored, type PortStage } from './docking-ports.js'
import type { Collision } from './collision.js'
import { distance, Fingerprint } from './metrics.js'
import { buildStation, CORRIDOR, PORT_REACH, PORTS } from './spaceport.js'
import { direction, evenly, vec } from './vectors.js'

/** What the ship can be told to do. */
export const TASKS = ['arrive', 'follow a path', 'wander', 'dock', 'lead a flock'] as const
export type Task = (typeof TASKS)[number]

export interface YourSceneOptions {
  readonly seed?: number
  /** Number of ships in the flock. */
  readonly count?: number
  readonly task?: Task
  /** Half of the ship's length along each of its axes (m). */
  readonly half?: Vec3Like
  readonly view?: Viewable | null
  /** Shows the members of the flock. */
  readonly copies?: Viewable | null
}

export interface Rock {
  readonly radius: number
  readonly position: Vec3
  readonly quaternion: Body['quaternion']
}

export const DEFAULT_FLOCK = 30
export const MAX_FLOCK = 120
/** Size of a member of the flock, as a share of the ship. */
export const COPY = 0.5
/** Forces that the ship's engines have in each direction (N), and its mass (kg). */
export const ENGINES = { ahead: 150, astern: 110, up: 90, down: 90, port: 90, starboard: 90 }
const MASS = 10
/** Top speed of the ship (m/s), and angular acceleration of its thrusters (rad/s²). */
export const TOP_SPEED = 18
const TWIST = 9

/** Half of the size of a ship, where nothing is drawn (m). */
const HALF = { x: 2.2, y: 0.6, z: 2.5 }

/** Rocks: number, extent of their field (m), and least gap between two (m). */
const ROCKS = 84
const FIELD = { x: 66, y: 25, z: 50 }
const GAP = 5
/** Rocks keep this distance from the path and from the places to arrive at (m). */
const FREE = 6.5
/** The ship wanders within this distance of the middle of the rocks (m). */
const REALM = 58

const STATION = { x: -84, y: 6, z: -34 }
/** Time that the ship rests at a place and in a port (s). */
const REST = 1.2
const STAY = 5
const MAX_IMPACTS = 32

/** A closed path through the rocks and around them. */
const COURSE: readonly Vec3Like[] = [
  vec(0, 4, 34),
  vec(-26, -2, 18),
  vec(-34, 6, -16),
  vec(-6, -8, -12),
  vec(10, 3, 8),
  vec(34, 12, 10),
  vec(52, 2, -18),
  vec(24, -9, -36),
  vec(-4, 10, -30),
  vec(16, 6, -6),
  vec(40, -6, 28),
]

/** Places to arrive at. */
const PLACES: readonly Vec3Like[] = [
  vec(-8, 2, 24),
  vec(30, 9, -2),
  vec(-22, -7, -22),
  vec(48, -4, 16),
  vec(6, 14, -38),
  vec(-40, 4, 12),
]

const at = vec(0, 0, 0)

/** Floating rocks, a spaceport, and one ship of any size, which does as it is told. */
export class YourScene {
  readonly world = new World({ gravity: new Vec3(0, 0, 0), frictionGravity: new Vec3(0, -9.82, 0) })
  readonly steering: SteeringWorld
  readonly station = buildStation()
  readonly ports: readonly Port[]
  readonly rocks: readonly Rock[]
  readonly path = new Path({ points: COURSE, ends: 'closed', tube: 2 })
  readonly places = PLACES
  readonly impacts: { readonly position: Vec3; readonly speed: number }[] = []
  /** Half of the ship's length along its axes (m). */
  half: Vec3Like = HALF
  body!: Body
  pilot!: SteeringController
  flock: Flock | null = null
  /** Phase of the present task, such as a stage of docking. */
  leg: PortStage | 'docked' = ''
  arrivals = 0
  dockings = 0
  contacts = 0
  /** Index of the place to which it flies. */
  place = 0
  readonly #obstacles = new Obstacles()
  readonly #avoid: AvoidObstacles
  readonly #realm = new Contain({ bounds: [{ shape: new HollowShape(new SphereShape(REALM)) }] })
  readonly #hull = new Material('hull')
  readonly #random: () => number
  readonly #count: number
  #copies: Viewable | null = null
  #task: Task
  #port: Port | null = null
  #release: (() => void) | null = null
  /** Time at which the ship goes on (s). */
  #until = Infinity

  constructor(options: YourSceneOptions = {}) {
    const { seed = 1, count = DEFAULT_FLOCK, task = 'lead a flock', half = HALF, view, copies } = options
    this.#random = seeded(seed)
    this.#count = Math.min(count, MAX_FLOCK)
    this.#task = task
    this.world.broadphase = new SAPBroadphase(this.world)
    this.world.defaultMaterial = this.#hull
    this.world.addContactMaterial(new ContactMaterial(this.#hull, this.#hull, { friction: 0.05, restitution: 0.3 })) // prettier-ignore
    this.station.position.copy(new Vec3(STATION.x, STATION.y, STATION.z))
    this.station.velocity.setZero()
    this.world.addBody(this.station)
    this.ports = Array.from({ length: PORTS }, (_, k) => makePort(this.station, k))
    this.#obstacles.add({ shape: new SphereShape(CLEARANCE), at: this.station })
    this.rocks = this.#scatter()
    this.#avoid = new AvoidObstacles({
      obstacles: this.#obstacles,
      clearance: 1,
      ignore: ({ owner }) => owner === this.station && this.#isMooring,
    })
    this.steering = new SteeringWorld({ seed })
    attachToCannon(this.steering, this.world)
    this.place = Math.floor(this.#random() * PLACES.length)
    this.refit(half, view ?? null, copies ?? null)
  }

  get task(): Task {
    return this.#task
  }

  set task(task: Task) {
    if (task === this.#task) return
    this.#task = task
    this.#begin()
  }

  /** Builds the ship anew, where it is: another size, and another view. */
  refit(half: Vec3Like, view: Viewable | null, copies: Viewable | null): void {
    const old = this.body as Body | undefined
    this.#letGo()
    this.half = half
    this.#copies = copies
    if (this.flock) this.steering.remove(this.flock)
    this.flock = null
    if (old !== undefined) {
      this.steering.remove(this.pilot)
      this.world.removeBody(old)
    }
    const body = new Body({ mass: MASS, linearDamping: 0, angularDamping: 0, allowSleep: false })
    body.addShape(new Box(new Vec3(half.x, half.y, half.z)))
    if (old === undefined) {
      body.position.set(-4 + 8 * this.#random(), 8, 62)
      body.quaternion.set(0, 1, 0, 0)
    } else {
      body.position.copy(old.position)
      body.quaternion.copy(old.quaternion)
      body.velocity.copy(old.velocity)
    }
    body.addEventListener('collide', (event: Collision) => this.#hit(event))
    this.world.addBody(body)
    this.body = body
    this.pilot = this.#launch(body, view)
    this.pilot.addEventListener('arrive', () => this.#arrived())
    this.pilot.addEventListener('stage', (event) => this.#onStage(event))
    this.#begin()
  }

  /** Sends the ship to a place, by its index. */
  send(place: number): void {
    this.place = place
    if (this.#task === 'arrive') this.#begin()
    else this.task = 'arrive'
  }

  step(dt: number): void {
    this.world.step(dt)
    const { time } = this.steering
    if (time < this.#until) return
    this.#until = Infinity
    if (this.leg === 'docked') this.#undock()
    else if (this.#task === 'arrive') {
      // any other place
      const others = PLACES.length - 1
      this.place = (this.place + 1 + Math.floor(this.#random() * others)) % PLACES.length
      this.#begin()
    }
  }

  state(): Record<string, number | string> {
    const { body, flock } = this
    const mark = new Fingerprint().addVector(body.position).addVector(body.velocity)
    for (let k = 0; k < (flock?.size ?? 0); k++) mark.addVector(flock!.position(k, at))
    return {
      'speed, m/s': body.velocity.length(),
      arrivals: this.arrivals,
      dockings: this.dockings,
      contacts: this.contacts,
      flock: flock?.size ?? 0,
      fingerprint: mark.toString(),
    }
  }

  dispose(): void {
    this.steering.dispose()
  }

  // #region code
  #launch(body: Body, view: Viewable | null): SteeringController {
    const inertia = Math.max(body.inertia.x, body.inertia.y, body.inertia.z)
    const pilot = new SteeringController(view, {
      behavior: this.#behaviorFor(this.#task),
      body: cannonBody(body), // a rigid body of cannon-es, as large as your model
      locomotion: new Thrusters({ ...ENGINES, attitude: { roll: 'bank' } }),
      maxSpeed: TOP_SPEED, // m/s
      maxForce: ENGINES.ahead, // N
      maxTorque: TWIST * inertia, // N·m
      responseTime: 0.4, // s
    })
    this.steering.add(pilot)
    return pilot
  }

  #behaviorFor(task: Task): Behavior {
    const avoid = this.#avoid
    const nose = { x: this.half.z, y: 0, z: 0 } // what meets the port
    const behaviors: Record<Task, () => Behavior> = {
      arrive: () => within([avoid], new Arrive({ target: PLACES[this.place]!, tolerance: 0.5 })),
      'follow a path': () => within([avoid], new FollowPath({ path: this.path, speed: 14 })),
      wander: () => within([avoid, this.#realm], new Wander({ radius: 0.5 })),
      dock: () => within([avoid], new Dock({ ports: this.ports, probe: nose, hold: false })),
      'lead a flock': () => within([avoid], new FollowPath({ path: this.path, speed: 10 })),
    }
    return behaviors[task]()
  }

  #makeFlock(count: number, view: Viewable | null): Flock {
    const follow = new LeaderFollow({ target: this.pilot, distance: 9 })
    const force = 40 // N
    return new Flock({
      radius: 1.3, // m
      mass: 2, // kg
      maxSpeed: 18, // m/s
      maxForce: force,
      count,
      ...(view === null ? {} : { view }),
      spawn: (k, { position, velocity }) => this.#spawn(k, position, velocity),
      locomotion: new Thrusters({ ahead: force, up: force, down: force, port: force, starboard: force }),
      behavior: within(
        [this.#avoid, new ReciprocalAvoidance({ clearance: 0.3 })],
        blend([follow, new Separation({ neighborDistance: 6, weight: 2 })]),
      ),
    })
  }
  // #endregion

  /** Begins the present task. */
  #begin(): void {
    this.#letGo()
    this.#until = Infinity
    this.leg = this.#task === 'dock' ? 'approach' : ''
    this.pilot.behavior = this.#behaviorFor(this.#task)
    const flocks = this.#task === 'lead a flock'
    if (!flocks && this.flock) this.steering.remove(this.flock)
    if (!flocks) this.flock = null
    else if (!this.flock) this.steering.add((this.flock = this.#makeFlock(this.#count, this.#copies)))
  }

  #arrived(): void {
    this.arrivals++
    if (this.#task === 'arrive') this.#until = this.steering.time + REST
  }

  #onStage({ behavior, stage }: StageChange): void {
    if (this.#task !== 'dock') return
    if (stage === 'free') {
      // once round the station, to the next port
      this.#begin()
      return
    }
    this.leg = stage as PortStage
    // the constraints are removed for the last metres
    if (stage === 'final') this.pilot.behavior = behavior
    else if (stage === 'align' || stage === 'abort') this.pilot.behavior = within([this.#avoid], behavior)
    if (stage !== 'latched') return
    this.leg = 'docked'
    this.dockings++
    this.#until = this.steering.time + STAY
    this.#port = this.ports.find(({ holder }) => holder === this.pilot.id)!
    this.#release = latch(this.world, this.body, this.station, LockConstraint)
    this.pilot.behavior = moored(behavior)
  }

  #undock(): void {
    this.#letGo()
    this.leg = 'undock'
    this.pilot.behavior = within(
      [this.#avoid],
      new Undock({ port: this.#port!, probe: { x: this.half.z, y: 0, z: 0 } }),
    )
  }

  #letGo(): void {
    this.#release?.()
    this.#release = null
  }

  /** Whether the ship may enter the room about the station: on its way in and out. */
  get #isMooring(): boolean {
    if (this.leg === 'undock') return true
    if (this.#task !== 'dock' || this.leg === 'queue' || this.leg === 'approach') return false
    return this.body.position.distanceTo(this.station.position) < PORT_REACH + CORRIDOR + this.half.z + 2
  }

  #spawn(index: number, position: Vec3Writable, velocity: Vec3Writable): void {
    // in a spiral behind the ship
    const angle = 2.4 * index
    const aside = 2.5 * Math.sqrt(index + 1)
    const offset = new Vec3(aside * Math.cos(angle), aside * Math.sin(angle), -8 - 0.2 * index)
    const to = this.body.pointToWorldFrame(offset)
    Object.assign(position, vec(to.x, to.y, to.z))
    const ahead = this.body.vectorToWorldFrame(new Vec3(0, 0, 9))
    Object.assign(velocity, vec(ahead.x, ahead.y, ahead.z))
  }

  #hit({ body: other, contact }: Collision): void {
    // a latched ship touches the station intentionally
    if (other === this.station && (this.#release !== null || this.leg === 'final')) return
    this.contacts++
    if (this.impacts.length >= MAX_IMPACTS) this.impacts.shift()
    const speed = Math.abs(contact.getImpactVelocityAlongNormal())
    this.impacts.push({ position: contact.bi.position.vadd(contact.ri), speed })
  }

  /** Rocks that leave the path, the places and the station free. They turn slowly. */
  #scatter(): Rock[] {
    const random = this.#random
    const course = Array.from({ length: 200 }, (_, k) => {
      const point = vec(0, 0, 0)
      this.path.pointAt(point, (k / 200) * this.path.lap)
      return point
    })
    const rocks: { radius: number; position: Vec3; quaternion: Body['quaternion'] }[] = []
    for (let tries = 0; rocks.length < ROCKS && tries < 6000; tries++) {
      const share = rocks.length / ROCKS
      // a few large ones first
      const radius = 1.4 + 8 * (1 - share) ** 4 + 2 * random() ** 2
      const { x, y, z } = direction(random)
      const out = Math.cbrt(random())
      const home = new Vec3(FIELD.x * x * out, FIELD.y * y * out, FIELD.z * z * out)
      const near = (points: readonly Vec3Like[], gap: number): boolean =>
        points.some((point) => distance(point, home) < radius + gap)
      if (near(course, FREE) || near(PLACES, FREE) || near([STATION], PORT_REACH + CORRIDOR + 10)) continue
      if (rocks.some((other) => distance(other.position, home) < other.radius + radius + GAP)) continue
      const body = new Body({
        mass: 0,
        type: Body.KINEMATIC,
        shape: new Sphere(0.93 * radius),
        position: home,
      })
      const axis = direction(random)
      const spin = evenly(random, 0.02, 0.12) / Math.sqrt(radius)
      body.angularVelocity.set(spin * axis.x, spin * axis.y, spin * axis.z)
      this.world.addBody(body)
      this.#obstacles.add({ shape: new SphereShape(radius), at: vec(home.x, home.y, home.z) })
      rocks.push({ radius, position: body.position, quaternion: body.quaternion })
    }
    return rocks
  }
}

type Vec3Writable = { x: number; y: number; z: number }
