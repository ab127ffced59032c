import type {
  Agent,
  Behavior,
  Crossings,
  CrossingSearch,
  Frame,
  Explainer,
  Locomotion,
  Neighborhood,
  Push,
  Quat,
  Step,
  Vec3,
  Vec3Like,
  Wish,
  Wrench,
} from '../types.js'
import { attitudeFrame, frame } from '../math/frame.js'
import { loadQuat, quat } from '../math/quat.js'
import { draw, mix } from '../math/random.js'
import { cross, isZero, lengthSq, load, vec3 } from '../math/vec3.js'
import * as T from './agents.js'
import type { Agents, Binding, NeighborIndex } from './agents.js'
import { flockBox, middleOf } from './flock-box.js'
import type { Owned, Viewer } from '../math/own.js'
import { engineBodyOf } from './steered.js'
import { bodyOptions } from './options.js'

/** A body is pushed over steps of this share of its radius. Chosen by hand, like the slope. */
const STEP_SHARE = 0.05
/** It is pushed up slopes that are no steeper (rad). */
const STEEPEST = Math.PI / 4

/** The neighbours in a world without a search. */
const NO_NEIGHBORS: Neighborhood = {
  count: 0,
  row: new Int32Array(0),
  distanceSq: new Float64Array(0),
  position: new Float64Array(0),
  velocity: new Float64Array(0),
  group: new Int32Array(0),
  id: new Int32Array(0),
  seed: new Int32Array(0),
  maxRadius: Infinity,
  radius: nothing,
  mass: nothing,
  maxSpeed: nothing,
  priority: nothing,
  avoids: nothing,
  isManual: () => false,
}

/**
 * The one reusable {@link Agent}. `load` copies the values that nearly every behaviour reads. Limits are read
 * from the columns; attitude, neighbours and random numbers are computed on first use, so that a bird pays
 * only for what it uses.
 */
export class Cursor implements Agent, Viewer {
  id = 0
  slot = 0
  // not whole: V8 would make the field, and all code that uses the cursor, again when a resting agent moves
  speed = 0.5
  mass = 1
  radius = 1
  maxSpeed = 1
  maxForce = 1
  responseTime = 1
  wish: Wish | null = null
  aim: Wish | null = null
  asks = false
  explainer: Explainer | null = null
  activeBehavior: Behavior | null = null
  /** The locomotion during its call, and after it has thrown. */
  faultyBehavior: Locomotion | null = null
  /** Whether an input was reported since the agent was loaded. */
  reported = false

  private readonly ownPosition: Vec3 = vec3()
  private readonly ownVelocity: Vec3 = vec3()
  private readonly ownCourse: Frame = frame()
  private readonly agents: Agents
  /** The search of this step; null while there is none. */
  private search: NeighborIndex | null = null
  private readonly ownOrientation: Quat = quat()
  private readonly ownAxes: Quat = quat()
  private readonly ownAngularVelocity: Vec3 = vec3()
  private readonly ownInertia: Vec3 = vec3()
  private readonly ownInertiaFrame: Quat = quat()
  private readonly ownCenter: Vec3 = vec3()
  private readonly ownGravity: Vec3 = vec3()
  private readonly ownLastForce: Vec3 = vec3()
  private readonly ownPlane: Vec3 = vec3()
  private readonly ownAxis: Vec3 = vec3()
  private readonly ownAttitude: Frame = frame()
  private readonly ownFlockCenter: Vec3 = vec3()
  /** The parts of each agent whose target is gone, by slot. */
  private readonly gone: ({ id: number; parts: Set<Behavior> } | undefined)[] = []
  private trait = 0
  private row = 0
  private binding: Binding | null = null
  private bodyLoaded = false
  private attitudeLoaded = false
  private neighborsFound = false
  private stream = 0
  private draws = 0
  private step!: Step
  worldSeed = 0

  private readonly onReport: (row: number, part: Behavior, what: string, got: unknown) => void

  /** `onReport` gets the inputs that the agent reports as unusable. */
  constructor(agents: Agents, onReport: (row: number, part: Behavior, what: string, got: unknown) => void) {
    this.agents = agents
    this.onReport = onReport
  }

  /** Sets the values that all agents of a step share. */
  begin(worldSeed: number, step: Step): void {
    this.search = this.agents.search
    this.search?.begin()
    this.worldSeed = worldSeed
    this.step = step
  }

  /** Points the cursor at the agent in `row`. */
  load(row: number): void {
    const { agents, ownPosition: p, ownVelocity: v } = this
    const { position, velocity, course } = agents
    const o = 3 * row
    const c = 6 * row
    this.row = row
    this.slot = agents.slot[row]!
    this.trait = T.TRAITS * row
    this.id = agents.id[row]!
    this.binding = agents.binding[row]!
    this.bodyLoaded = this.attitudeLoaded = this.neighborsFound = false
    this.draws = -1
    this.asks = false
    this.explainer = null
    this.activeBehavior = this.binding.behavior
    this.faultyBehavior = null
    this.reported = false
    load(p, position, o)
    load(v, velocity, o)
    this.speed = Math.sqrt(lengthSq(v))
    const { traits } = agents
    const t = this.trait
    this.mass = traits[t + T.MASS]!
    this.radius = traits[t + T.RADIUS]!
    this.maxSpeed = traits[t + T.MAX_SPEED]!
    this.maxForce = traits[t + T.MAX_FORCE]!
    this.responseTime = traits[t + T.RESPONSE_TIME]!
    const { x, y, z } = this.ownCourse
    load(x, course, c)
    load(y, course, c + 3)
    cross(z, x, y)
    load(this.ownPlane, agents.plane, o)
    // a part that threw left it
    this.aim = null
    this.wish = this.binding.locomotion.beginWish?.(this, this.ownPlane, this.step.up) ?? null
  }

  // getters, not fields: code that assigns another vector fails at once; else that vector would be
  // overwritten for the next agent
  get position(): Vec3 {
    return this.ownPosition
  }
  get velocity(): Vec3 {
    return this.ownVelocity
  }
  get course(): Frame {
    return this.ownCourse
  }

  owns(_obstacle: Owned, keeper: object | null): boolean {
    return this.agents.isKeeper(this.row, keeper)
  }
  idOf(keeper: object): number {
    return this.agents.idOf(keeper)
  }
  get generation(): number {
    return this.agents.generation[this.slot]!
  }
  get seed(): number {
    return this.agents.seed[this.row]!
  }
  get group(): number {
    return this.agents.group[this.row]!
  }
  get priority(): number {
    return this.agents.traits[this.trait + T.PRIORITY]!
  }
  get spaceLength(): number {
    return this.agents.traits[this.trait + T.SPACE_LENGTH]!
  }
  get spaceHeight(): number {
    return this.agents.traits[this.trait + T.SPACE_HEIGHT]!
  }
  get maxTorque(): number {
    return this.agents.traits[this.trait + T.MAX_TORQUE]!
  }
  get maxTurnRate(): number {
    return this.agents.traits[this.trait + T.MAX_TURN_RATE]!
  }
  get damping(): number {
    return this.agents.traits[this.trait + T.DAMPING]!
  }
  get angularDamping(): number {
    return this.agents.traits[this.trait + T.ANGULAR_DAMPING]!
  }
  get stepHeight(): number {
    if (!this.climbs) return 0
    const own = this.binding!.locomotion.stepHeight
    return own ?? this.agents.body[this.row]?.stepHeight ?? STEP_SHARE * this.radius
  }
  get maxSlope(): number {
    if (!this.climbs) return 0
    const own = this.binding!.locomotion.maxSlope ?? STEEPEST
    return Math.min(own, this.agents.body[this.row]?.maxSlope ?? STEEPEST)
  }
  extent(direction: Vec3Like): number {
    return this.agents.body[this.row]?.extent?.(direction) ?? this.radius
  }
  get compensateGravity(): boolean {
    return this.agents.traits[this.trait + T.COMPENSATE_GRAVITY]! > 0
  }
  get compensateDamping(): boolean {
    return this.agents.traits[this.trait + T.COMPENSATE_DAMPING]! > 0
  }
  get orientation(): Quat {
    if (!this.bodyLoaded) this.loadBody()
    return this.ownOrientation
  }
  get axes(): Quat {
    if (!this.bodyLoaded) this.loadBody()
    return this.ownAxes
  }
  get angularVelocity(): Vec3 {
    if (!this.bodyLoaded) this.loadBody()
    return this.ownAngularVelocity
  }
  get inertia(): Vec3 {
    if (!this.bodyLoaded) this.loadBody()
    return this.ownInertia
  }
  get inertiaFrame(): Quat {
    if (!this.bodyLoaded) this.loadBody()
    return this.ownInertiaFrame
  }
  get center(): Vec3 {
    return load(this.ownCenter, this.agents.center, 3 * this.row)
  }
  get plane(): Vec3 {
    return this.ownPlane
  }
  get axis(): Vec3 {
    return load(this.ownAxis, this.agents.axis, 3 * this.row)
  }
  get lastForce(): Vec3 {
    return load(this.ownLastForce, this.agents.given, 6 * this.row)
  }

  get gravity(): Vec3 {
    return load(this.ownGravity, this.agents.gravity, 3 * this.row)
  }

  get attitude(): Frame {
    if (!this.attitudeLoaded) {
      this.attitudeLoaded = true
      attitudeFrame(this.ownAttitude, this.orientation, this.axes)
    }
    return this.ownAttitude
  }

  get neighbors(): Neighborhood {
    if (this.search === null) return NO_NEIGHBORS
    this.findNeighbors(this.search)
    return this.search.copy()
  }

  get nearby(): Neighborhood {
    if (this.search === null) return NO_NEIGHBORS
    this.findNeighbors(this.search)
    return this.search.found
  }

  crossings(lists: CrossingSearch): Crossings | null {
    return this.neighborsFound || this.search === null ? null : this.search.crossingsOf(this.row, lists)
  }

  private findNeighbors(search: NeighborIndex): void {
    if (this.neighborsFound) return
    this.neighborsFound = true
    search.find(this.row)
  }

  get flockCenter(): Vec3 {
    return middleOf(this.ownFlockCenter, flockBox(this.agents, this.binding!, this.step.tick))
  }

  /** Whether the ground may lift it: neither its plane, without a body, nor its engine locks it. */
  private get climbs(): boolean {
    const { body, plane } = this.agents
    const o = 3 * this.row
    const isLocked = plane[o] !== 0 || plane[o + 1] !== 0 || plane[o + 2] !== 0
    const own = body[this.row]
    if (own === null || own === undefined) return !isLocked && this.binding!.locomotion.maxSlope !== undefined
    return own.maxSlope !== undefined || !isLocked || !isZero(bodyOptions.get(own)!.plane!)
  }

  forceAlong(x: number, y: number, z: number): number {
    const { locomotion } = this.binding!
    // stays set when that throws; a `try` would keep V8 from inlining this method
    this.faultyBehavior = locomotion
    const force = locomotion.forceAlong(this, x, y, z)
    this.faultyBehavior = null
    return Math.max(0, force)
  }

  pushAlong(out: Push, x: number, y: number, z: number): Push {
    const { locomotion } = this.binding!
    out.force = this.forceAlong(x, y, z)
    out.turnTime = 0
    out.turns = false
    locomotion.pushAlong?.(this, x, y, z, out)
    return out
  }

  get pointMass(): boolean {
    return this.binding!.locomotion.pointMass === true
  }

  get standsIdle(): boolean {
    return this.binding!.locomotion.standsIdle === true
  }

  get forceLag(): number {
    return this.binding!.locomotion.forceLag?.(this) ?? 0
  }
  get forceTurnTime(): number {
    return this.binding!.locomotion.forceTurnTime?.(this) ?? 0
  }
  get minSpeed(): number {
    return this.binding!.locomotion.minSpeed ?? 0
  }
  turnForForce(force: Vec3Like, step: Step, out: Wrench): void {
    this.binding!.locomotion.turnForForce?.(this, force, step, out)
  }

  report(what: string, got: unknown): void {
    this.reported = true
    this.onReport(this.row, this.activeBehavior ?? this.binding!.behavior, what, got)
  }

  isJoinedTo(thing: object): boolean {
    return this.agents.body[this.row]?.isJoinedTo?.(engineBodyOf(thing)) === true
  }

  noteGone(part: Behavior, gone: boolean): boolean {
    const known = this.gone[this.slot]
    if (known !== undefined && known.id === this.id) {
      if (gone === known.parts.has(part)) return false
      if (gone) known.parts.add(part)
      else known.parts.delete(part)
    } else if (gone) this.gone[this.slot] = { id: this.id, parts: new Set([part]) }
    return gone
  }

  random(): number {
    if (this.draws < 0) {
      this.draws = 0
      this.stream = mix(mix(this.worldSeed, this.seed), this.step.tick)
    }
    return draw(this.stream, this.draws++)
  }

  private loadBody(): void {
    this.bodyLoaded = true
    const { orientation, angularVelocity, axes, inertiaFrame, traits } = this.agents
    const q = 4 * this.row
    loadQuat(this.ownOrientation, orientation, q)
    loadQuat(this.ownAxes, axes, q)
    load(this.ownAngularVelocity, angularVelocity, 3 * this.row)
    load(this.ownInertia, traits, this.trait + T.INERTIA)
    loadQuat(this.ownInertiaFrame, inertiaFrame, q)
  }
}

function nothing(): number {
  return 0
}
