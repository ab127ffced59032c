import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  Flock,
  Hover,
  Obstacles,
  Queue,
  ReciprocalAvoidance,
  Seek,
  SteeringWorld,
  within,
  type Agent,
  type Behavior,
  type Step,
  type Vec3,
  type Vec3Like,
  type Viewable,
  type Wrench,
} from 'three-steering'
import { type Constraint, seeded } from 'three-steering/authoring'
import { Fingerprint } from '../../demo/scenarios/metrics.js'
import { Touches } from '../../demo/scenarios/touches.js'
import { direction, plus, turnAbout, vec, type Random } from '../../demo/scenarios/vectors.js'

export interface DoorwayShowOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: Viewable
  /** Half the width of the gate (m). Default `GATE`. */
  readonly gate?: number
  /** Whether drones wait for those ahead. Default false. */
  readonly queueing?: boolean
}

export const DEFAULT_DRONES = 60
export const MAX_DRONES = 200

/** Radius of a drone (m). */
export const DRONE = 0.5
/** Half the width of the gate, and half the thickness of the wall (m). */
export const GATE = 3
export const HALF_WALL = 0.6
/** Distance of the wall's edge from the centre of the gate (m). Too far to fly around. */
export const WALL = 40
/** Number of sides of the gate. */
export const SIDES = 4
/** Distance of the centre of the seats from the wall (m). */
export const SEATS = 14
/** Top speed (m/s). Also the greatest acceleration (m/s²). */
const SPEED = 5
const NEIGHBOR_DISTANCE = 14 // m
/** Clearance between hulls (m). A gap smaller than the second value is a close pass. */
const CLEARANCE = 0.4
const CLOSE = 0.05
/** A drone this far beyond the middle of the wall has come through (m). */
const THROUGH = HALF_WALL + DRONE
/** Rest in the seats (s), and time limit of a crossing (s). */
const REST = 2
const PATIENCE = 60

/**
 * Flies through the gate first, then to a seat. An array holds for each drone, by id, whether it has come
 * through.
 */
class ThroughGate implements Behavior {
  readonly children: readonly Behavior[]
  readonly #through: Uint8Array
  readonly #seek: Seek
  readonly #arrive: Arrive

  constructor(through: Uint8Array, beyond: Vec3Like, seats: readonly Vec3Like[]) {
    this.#through = through
    this.#seek = new Seek({ target: beyond })
    this.#arrive = new Arrive({
      target: ({ id }, out) => void Object.assign(out, seats[id]!),
      tolerance: 0.1,
    })
    this.children = [this.#seek, this.#arrive]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const behavior = this.#through[agent.id] === 1 ? this.#arrive : this.#seek
    behavior.steer(agent, step, out)
  }
}

/**
 * A crowd of drones that flies through a gate in a wall, takes its seats on the other side, and comes back.
 */
export class DoorwayShow {
  readonly steering: SteeringWorld
  readonly wall: Obstacles
  readonly flock: Flock
  readonly touches = new Touches(CLOSE)
  readonly avoidWall: AvoidObstacles
  readonly avoid = new ReciprocalAvoidance({ neighborDistance: NEIGHBOR_DISTANCE, clearance: CLEARANCE })
  readonly queue: Queue
  /** Seats on the starting side. Those on the other side are mirrored. */
  readonly seats: readonly Vec3Like[]
  wallContacts = 0
  crossings = 1
  /** Time of this crossing (s), and the time at which the last drone came through (−1 before that). */
  time = 0
  took = -1
  #until = Infinity
  #avoiding = true
  #queueing: boolean
  /** Direction of this crossing: 1 along +z, −1 along −z. */
  #side = 1
  readonly #through: Uint8Array
  readonly #seated: Uint8Array
  readonly #atWall: Uint8Array
  readonly #goals: Vec3[]
  readonly #beyond: Vec3 = vec(0, 0, 4)
  readonly #direction: Vec3 = vec(0, 0, 1)
  readonly #wish: ThroughGate
  readonly #balls: { readonly key: number; readonly radius: number; readonly position: Vec3 }[]
  readonly #normal: Vec3 = vec(0, 0, 0)

  // #region code
  constructor({
    seed = 1,
    count = DEFAULT_DRONES,
    view,
    gate = GATE,
    queueing = false,
  }: DoorwayShowOptions = {}) {
    this.#queueing = queueing
    const total = Math.min(count, MAX_DRONES)
    const random = seeded(seed)
    this.wall = makeWall(gate)
    this.avoidWall = new AvoidObstacles({ obstacles: this.wall })
    this.queue = new Queue({ target: this.#beyond, radius: 16, exitDirection: this.#direction })
    this.seats = seatsOf(total, random)
    this.#goals = this.seats.map(({ x, y, z }) => vec(x, y, -z))
    this.#through = new Uint8Array(total)
    this.#seated = new Uint8Array(total)
    this.#atWall = new Uint8Array(total)
    this.#balls = this.seats.map((seat, key) => ({ key, radius: DRONE, position: { ...seat } }))
    this.#wish = new ThroughGate(this.#through, this.#beyond, this.#goals)
    this.steering = new SteeringWorld({ seed })
    this.flock = new Flock({
      name: 'drones',
      count: total,
      ...(view ? { view } : {}),
      behavior: this.#makeBehavior(),
      locomotion: new Hover({ attitude: { roll: 'level' } }),
      maxSpeed: SPEED,
      maxForce: SPEED,
      radius: DRONE,
      seed,
      spawn: (index, { position, velocity }) => {
        Object.assign(position, this.seats[index]!)
        velocity.z = 1e-3
      },
    })
    this.steering.add(this.flock)
    this.flock.addEventListener('arrive', ({ index }) => this.#seated.fill(1, index, index + 1))
  }

  #makeBehavior(): Behavior {
    const constraints: Constraint[] = [this.avoidWall]
    if (this.#avoiding) constraints.push(this.avoid)
    if (this.#queueing) constraints.push(this.queue)
    return within(constraints, this.#wish)
  }
  // #endregion

  /** Whether drones avoid each other. */
  get avoiding(): boolean {
    return this.#avoiding
  }
  set avoiding(on: boolean) {
    this.#avoiding = on
    this.flock.behavior = this.#makeBehavior()
  }

  /** Whether drones wait for those ahead. */
  get queueing(): boolean {
    return this.#queueing
  }
  set queueing(on: boolean) {
    this.#queueing = on
    this.flock.behavior = this.#makeBehavior()
  }

  get through(): number {
    return this.#through.reduce((sum, each) => sum + each, 0)
  }

  step(dt: number): void {
    this.steering.step(dt)
    this.time += dt
    for (const { key, position } of this.#balls) {
      this.flock.position(key, position)
      if (position.z * this.#side > THROUGH) this.#through[key] = 1
      const touches = this.wall.distance(position, this.#normal) < DRONE ? 1 : 0
      if (touches > this.#atWall[key]!) this.wallContacts++
      this.#atWall[key] = touches
    }
    this.touches.see(this.#balls)
    const total = this.#balls.length
    if (this.took < 0 && this.through === total) this.took = this.time
    const all = this.#seated.every((each) => each === 1)
    if (this.#until === Infinity && (all || this.time > PATIENCE)) this.#until = this.time + REST
    if (this.time >= this.#until) this.#turn()
  }

  dispose(): void {
    this.steering.dispose()
  }

  state(): Record<string, number | string> {
    const mark = new Fingerprint()
    for (const { position } of this.#balls) mark.addVector(position)
    return {
      drones: this.#balls.length,
      through: this.through,
      'time, s': this.took < 0 ? this.time : this.took,
      contacts: this.touches.contacts,
      'close passes': this.touches.near,
      'wall contacts': this.wallContacts,
      crossings: this.crossings,
      fingerprint: mark.toString(),
    }
  }

  /** Begins the next crossing, in the opposite direction. */
  #turn(): void {
    this.#side = -this.#side
    this.#beyond.z = 4 * this.#side
    this.#direction.z = this.#side
    for (const goal of this.#goals) goal.z = -goal.z
    this.#through.fill(0)
    this.#seated.fill(0)
    this.crossings++
    this.time = 0
    this.took = -1
    this.#until = Infinity
  }
}

/** A wall of slabs around an opening with `SIDES` sides. */
function makeWall(gate: number): Obstacles {
  const half = (WALL - gate) / 2
  const shape = new BoxShape({ x: WALL, y: half, z: HALF_WALL })
  const wall = new Obstacles()
  for (let k = 0; k < SIDES; k++) {
    const angle = (2 * Math.PI * k) / SIDES
    const out = vec(-Math.sin(angle), Math.cos(angle), 0)
    const distance = gate + half
    wall.add({ shape, at: plus(vec(0, 0, 0), out, distance), turn: turnAbout(vec(0, 0, 1), angle) })
  }
  return wall
}

/** Seats arranged like sunflower seeds, slightly irregular. */
function seatsOf(count: number, random: Random): Vec3Like[] {
  return Array.from({ length: count }, (_, k) => {
    const rim = 1.35 * Math.sqrt(k + 0.6)
    const angle = k * Math.PI * (3 - Math.sqrt(5))
    // a bowl that opens towards the gate
    const at = vec(rim * Math.cos(angle), rim * Math.sin(angle), -SEATS + 0.035 * rim * rim)
    return plus(at, direction(random), 0.12)
  })
}
