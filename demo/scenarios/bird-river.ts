import {
  AvoidObstacles,
  blend,
  CapsuleShape,
  Flight,
  Flock,
  Guard,
  Obstacles,
  Path,
  Separation,
  SteeringWorld,
  Wander,
  within,
  type Vec3,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  brushFlow,
  FlowAround,
  FlowField,
  FlowSum,
  FollowFlowField,
  PathFlow,
  VortexFlow,
  type FlowSource,
} from 'three-steering/flow'
import { Fingerprint, magnitude } from './metrics.js'
import { DEPTH, eightPoints, LAND, LEVEL, placeTowers, ringPoints, type Tower } from './rock-towers.js'
import { Seldom } from './starlings.js'
import { vec } from './vectors.js'

export interface BirdRiverOptions {
  readonly seed?: number
  readonly count?: number
  readonly view?: Viewable
}

export const DEFAULT_RIVER = 3000

export type Current = 'ring' | 'eight' | 'whirl'

/** Speed of the current (m/s). */
const FLOW = 15
/** Radius of a bird without wing tips (m), for counting contacts, and its radius for avoidance (m). */
const BODY_RADIUS = 0.4
const RADIUS = 1.1
/** Each bird computes its behaviour in one of this many steps. */
const STEP_INTERVAL = 3
/**
 * Horizon (s) and clearance (m) of the avoidance of rock. Both are small because the current itself leads
 * around the towers.
 */
const HORIZON = 1.6
const CLEARANCE = 0.5
/**
 * Time constant with which the current changes to another (s), and the time after which the change counts as
 * complete (s).
 */
const TURN = 0.7
const TURNED = 6
/** Contacts with rock are checked for one of this many birds per step. */
const WATCHED = 6
/** Range within which rocks bend the current, and the clearance that it keeps from them (m). */
const RANGE = 18
const MARGIN = 3.5
/** Radius of the brush (m). */
export const BRUSH = 17

/**
 * A large flock that follows a current among towers of rock. The current is a flow field that can be painted.
 */
export class BirdRiver {
  readonly steering: SteeringWorld
  readonly flock: Flock
  readonly towers: readonly Tower[]
  /** The present current, bent around the rocks. Live. */
  readonly field: FlowField
  /** The current towards which `field` changes. */
  readonly #nextField: FlowField
  #turnTimeLeft = 0
  readonly follow: FollowFlowField
  readonly separation = new Separation({ neighborDistance: 3.2, weight: 0.9 })
  /** Speed of the eddies, m/s. */
  eddies = 1.6
  strokes = 0
  contacts = 0
  #current: Current = 'ring'
  readonly #ring = new Path({ points: ringPoints(), ends: 'closed', curve: 'arcs', radius: 40, tube: 8 })
  readonly #eight = new Path({ points: eightPoints(), ends: 'closed', curve: 'arcs', radius: 40, tube: 7 })
  readonly #obstacles: Obstacles
  /** The current without rocks, and its original data by current, before any painting. */
  readonly #free: FlowField
  readonly #currents = new Map<Current, Float32Array>()
  readonly #around: FlowAround
  readonly #touching: Uint8Array
  #watch = 0
  readonly #random: () => number
  readonly #point: Vec3 = vec(0, 0, 0)
  readonly #velocity: Vec3 = vec(0, 0, 0)
  readonly #flowing: Vec3 = vec(0, 0, 0)

  constructor({ seed = 1, count = DEFAULT_RIVER, view }: BirdRiverOptions = {}) {
    this.#random = seeded(seed)
    this.towers = placeTowers([this.#ring, this.#eight], 4)
    this.#obstacles = new Obstacles(
      this.towers.map(({ foot, radius, top }) => {
        const length = top + DEPTH - 2 * radius
        return { shape: new CapsuleShape(radius, length), at: { ...foot, y: top - radius - length / 2 } }
      }),
    )
    const box = {
      min: vec(-LAND.x, 0, -LAND.z),
      max: vec(LAND.x, 2 * LEVEL, LAND.z),
      size: vec(57, 13, 45),
    }
    this.#free = new FlowField(box)
    this.#nextField = new FlowField(box)
    this.field = new FlowField(box)
    // #region code
    this.#around = new FlowAround({
      flow: this.#free,
      obstacles: this.#obstacles,
      range: RANGE,
      clearance: MARGIN,
    })
    this.follow = new FollowFlowField({ field: new FlowSum([this.field, this.#eddy]) })
    this.current = 'ring'
    this.field.data.set(this.#nextField.data)
    this.steering = new SteeringWorld({ seed, guard: new Guard(this.#obstacles) })
    this.#touching = new Uint8Array(count)
    this.flock = new Flock({
      name: 'birds',
      count,
      ...(view && { view }),
      behavior: new Seldom(
        within(
          [new AvoidObstacles({ obstacles: this.#obstacles, horizon: HORIZON, clearance: CLEARANCE })],
          blend([this.follow, this.separation, { behavior: new Wander({ jitter: 2 }), weight: 0.05 }]),
        ),
        STEP_INTERVAL,
      ),
      locomotion: new Flight({ minSpeed: 5, bankWeight: 7, brake: 30 }),
      maxSpeed: 21,
      maxForce: 42,
      radius: RADIUS,
      responseTime: 0.3,
      maxNeighbors: 6,
      spawn: (_, state) => this.#place(state),
    })
    this.steering.add(this.flock)
    // #endregion
  }

  get current(): Current {
    return this.#current
  }

  /** Changes to another current. Removes what was painted. */
  set current(current: Current) {
    let data = this.#currents.get(current)
    if (data === undefined) {
      data = this.#free.paint(this.#make(current)).data.slice()
      this.#currents.set(current, data)
    }
    this.#current = current
    this.#free.data.set(data)
    this.#nextField.paint(this.#around)
    this.#turnTimeLeft = TURNED
    this.strokes = 0
  }

  /** Removes what was painted. */
  clear(): void {
    this.current = this.#current
  }

  /** Paints a current along a line. */
  paint(from: Vec3Like, to: Vec3Like, share = 0.6): void {
    const [x, y, z] = [to.x - from.x, to.y - from.y, to.z - from.z]
    const length = Math.hypot(x, y, z)
    if (!(length > 0)) return
    const velocity = vec((FLOW * x) / length, (FLOW * y) / length, (FLOW * z) / length)
    brushFlow(this.#free, { from, to, radius: BRUSH, velocity, share })
    const [low, high] = [vec(0, 0, 0), vec(0, 0, 0)]
    for (const axis of ['x', 'y', 'z'] as const) {
      low[axis] = Math.min(from[axis], to[axis]) - BRUSH
      high[axis] = Math.max(from[axis], to[axis]) + BRUSH
    }
    this.#nextField.paint(this.#around, 0, { min: low, max: high })
    this.#turnTimeLeft = TURNED
    this.strokes++
  }

  step(dt: number): void {
    if (this.#turnTimeLeft > 0) this.#turn(dt)
    this.steering.step(dt)
    this.#countContacts()
  }

  state(): Record<string, number | string> {
    const { field, flock, steering } = this
    const mark = new Fingerprint()
    let speed = 0
    let difference = 0
    for (let index = 0; index < flock.size; index++) {
      const velocity = flock.velocity(index, this.#velocity)
      const position = flock.position(index, this.#point)
      const flow = field.velocityAt(this.#flowing, position)
      mark.addVector(position)
      speed += magnitude(velocity)
      difference +=
        Math.hypot(velocity.x - flow.x, velocity.y - flow.y, velocity.z - flow.z) /
        Math.max(1, magnitude(flow))
    }
    const share = 1 / Math.max(1, flock.size)
    return {
      birds: flock.size,
      'mean speed': speed * share,
      'off the flow, %': 100 * difference * share,
      'touching rock': this.contacts,
      strokes: this.strokes,
      seconds: steering.time,
      fingerprint: mark.toString(),
    }
  }

  #make(current: Current): FlowSource {
    if (current === 'ring')
      return new PathFlow({ path: this.#ring, speed: FLOW, width: 26, inwardShare: 0.75 })
    if (current === 'eight')
      return new PathFlow({ path: this.#eight, speed: FLOW, width: 24, inwardShare: 0.75 })
    return new FlowSum([new VortexFlow({ center: vec(0, 0, 0), radius: 75, speed: -FLOW }), gather])
  }

  /** Moves the present current towards the new one. */
  #turn(dt: number): void {
    const { data } = this.field
    const next = this.#nextField.data
    const share = 1 - Math.exp(-dt / TURN)
    for (let i = 0; i < data.length; i++) data[i]! += share * (next[i]! - data[i]!)
    this.#turnTimeLeft -= dt
  }

  /**
   * Small eddies everywhere. No component changes along its own axis, so the field has no divergence and
   * birds do not bunch up.
   */
  readonly #eddy = ({ x, y, z }: Vec3Like, time: number, out: Vec3): void => {
    const { eddies } = this
    out.x = eddies * Math.sin(0.09 * z + 0.5 * time) * Math.cos(0.11 * y)
    out.y = 0.6 * eddies * Math.sin(0.08 * x - 0.7 * time) * Math.cos(0.07 * z)
    out.z = eddies * Math.sin(0.085 * x + 0.6 * time + 2) * Math.cos(0.1 * y + 1)
  }

  /** Places a bird in the current, with varying density. */
  #place({ position, velocity }: { position: Vec3; velocity: Vec3 }): void {
    const random = this.#random
    const path = this.#ring
    do {
      const share = random()
      const s = path.length * (share + 0.025 * Math.sin(2 * Math.PI * 3 * share))
      path.tangentAt(velocity, s)
      path.pointAt(position, s)
      const angle = 2 * Math.PI * random()
      const out = 11 * Math.sqrt(random())
      const level = Math.hypot(velocity.x, velocity.z)
      position.x += (out * Math.cos(angle) * velocity.z) / level
      position.z -= (out * Math.cos(angle) * velocity.x) / level
      position.y += 0.6 * out * Math.sin(angle)
    } while (this.#obstacles.distance(position, velocity) < MARGIN)
    this.field.velocityAt(velocity, position)
  }

  /** Counts new contacts with rock. */
  #countContacts(): void {
    const { flock } = this
    for (let index = this.#watch; index < flock.size; index += WATCHED) {
      const gap = this.#obstacles.distance(flock.position(index, this.#point), this.#velocity) - BODY_RADIUS
      if (gap < 0 && this.#touching[index] === 0) this.contacts++
      this.#touching[index] = gap < 0 ? 1 : 0
    }
    this.#watch = (this.#watch + 1) % WATCHED
  }
}

/** Flow back to the height of the current, and inwards from far away. */
function gather({ x, y, z }: Vec3Like, _time: number, out: Vec3): void {
  const far = Math.max(0, Math.hypot(x, 1.2 * z) - 95)
  out.x = -0.0025 * x * far
  out.z = -0.0025 * z * far
  out.y = 0.25 * (LEVEL - y)
}
