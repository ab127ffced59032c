import { Quaternion, SAPBroadphase, World, type Body } from 'cannon-es'
import { SteeringWorld, type Stick, type Vec3Like } from 'three-steering'
import { attachToCannon } from 'three-steering/cannon'
import type { NetAgent } from 'three-steering/net'
import type { Ghost } from 'three-steering/shards'
import { castShadow, makeCraft, setPose, solid } from '../world/bodies.js'
import { AXES, kindOf, Pilotage } from '../world/craft.js'
import { apart, DT, gap, REACH, rocksOf, type Plan, type Rock } from '../world/plan.js'
import type { OwnState } from './protocol.js'

/** Steps whose sticks and places are kept. A second and a half of a slow network is less. */
const KEPT = 128
/** How many steps too early the latest stick of some time should come. */
const EARLY = 1
/** How long a stick that came late counts (s). Longer: less is corrected on a bad network, and others are seen later. */
const WINDOW = 8
/**
 * By which share steps are flown faster until sticks come early enough, and slower where they come too early: much
 * slower beyond `ROOMY` steps, where the server has left out steps.
 */
const HURRY = 0.2
const LINGER = 0.03
const ROOMY = 8
/** A guess before the first message of the server has told how early sticks come (steps). */
const FIRST_LEAD = 6
/** Steps that are made up for at once. After more the server has let go of the stick, and it begins anew. */
const MOST_STEPS = 30
/** Time constant in which a correction is drawn (s). */
const SETTLE = 0.1
/** Rocks are around the ship within this distance (m), and looked up again when it has flown half of that. */
const SIGHT = 120

interface Shadow {
  readonly ghost: Ghost
  readonly body: Body | null
  isNear: boolean
}

/**
 * The ship of a player, flown here by the same code and some steps before the server flies it, so that it answers
 * its stick at once. The server tells how it has been: then it is set back to that step, and flown again with the
 * sticks since. What comes out different is drawn in a tenth of a second.
 */
export class Foresight {
  /** As it is drawn. */
  readonly position = { x: 0, y: 0, z: 0 }
  readonly quaternion = { x: 0, y: 0, z: 0, w: 1 }
  /** Number of the last step that was flown here, 0 before the first message of the server. */
  tick = 0
  /**
   * Of each message of the server: how far the ship was from where it had been foreseen (m), and how many steps too
   * early its sticks came, at least.
   */
  readonly corrections: { readonly error: number; readonly early: number }[] = []
  private readonly key: number
  private readonly rocks: readonly Rock[]
  private readonly world: SteeringWorld
  private readonly physics = new World()
  private readonly body: Body
  private readonly stick: Stick
  private readonly shadows = new Map<number, Shadow>()
  private near: Body[] = []
  private nearAt: Vec3Like = { x: Infinity, y: 0, z: 0 }
  /** By step: how the stick was held, and where the ship was foreseen. */
  private readonly axes = Array.from({ length: KEPT }, () => AXES.map(() => 0))
  private readonly places = Array.from({ length: KEPT }, () => ({ x: NaN, y: 0, z: 0 }))
  /** Local time of the next step, and the time of the last one (s). */
  private due = 0
  private length = DT
  /** Beats that the server has left out: a step comes so much later than by its number. */
  private lag = 0
  /** See `OwnState.early`: in this window and in the one before, and since when (s). */
  private early = Infinity
  private earlyBefore = Infinity
  private windowStart = 0
  private now = 0
  /** What is still to be drawn of corrections. */
  private readonly offset = { x: 0, y: 0, z: 0 }
  /** Where it was one step before, and how it was turned. */
  private readonly before = { x: 0, y: 0, z: 0 }
  private readonly turned = new Quaternion()

  constructor(plan: Plan, key: number) {
    this.key = key
    this.rocks = rocksOf(plan)
    this.world = new SteeringWorld({ seed: plan.seed })
    this.physics.broadphase = new SAPBroadphase(this.physics)
    attachToCannon(this.world, this.physics)
    const pilotage = new Pilotage(plan, this.rocks)
    const { body, pilot, stick } = makeCraft(key, 'player', pilotage, this.physics, this.position)
    this.body = body!
    this.stick = stick!
    this.world.add(pilot)
  }

  get velocity(): Vec3Like {
    return this.body.velocity
  }

  /**
   * Flies up to the present. Once a frame.
   * @param now Local clock (s).
   * @param others Crafts as they are drawn, at `drawnTime` of the server (s).
   * @param send Called with each step that was flown.
   */
  update(
    now: number,
    axes: readonly number[],
    others: Iterable<NetAgent>,
    drawnTime: number,
    send: (tick: number, axes: readonly number[]) => void,
  ): void {
    const dt = Math.max(0, now - this.now)
    this.now = now
    this.makeUp(now)
    if (this.tick === 0) return
    this.place(others, (this.tick + this.lag) * DT - drawnTime)
    while (this.due <= now) {
      const held = this.next(axes)
      send(this.tick, held)
    }
    const rest = Math.exp(-dt / SETTLE)
    const { before, body, offset, position } = this
    const share = Math.min(1, Math.max(0, 1 - (this.due - now) / this.length))
    for (const axis of ['x', 'y', 'z'] as const) {
      offset[axis] *= rest
      position[axis] = before[axis] + share * (body.position[axis] - before[axis]) + offset[axis]
    }
    this.turned.slerp(body.quaternion, share, drawn)
    const { w, x, y, z } = drawn
    Object.assign(this.quaternion, { x, y, z, w })
  }

  /** The server tells how the ship was after a step, and how early the sticks come. */
  correct({ early, lag, pose, tick }: OwnState, now: number): void {
    this.makeUp(now)
    const { body, offset, places } = this
    this.lag = lag
    const foreseen = places[tick % KEPT]!
    const isKnown = this.tick >= tick && this.tick - tick < KEPT && Number.isFinite(foreseen.x)
    if (!isKnown) {
      for (const place of places) place.x = NaN
      for (const held of this.axes) held.fill(0)
      this.early = this.earlyBefore = Infinity
      this.windowStart = now
      setPose(body, pose)
      Object.assign(offset, { x: 0, y: 0, z: 0 })
      this.tick = tick + FIRST_LEAD
      this.due = now + DT
      for (let step = tick + 1; step <= this.tick; step++) this.fly(step)
      return
    }
    this.early = Math.min(this.early, early)
    if (now - this.windowStart > WINDOW) {
      this.windowStart = now
      this.earlyBefore = this.early
      this.early = early
    }
    const was = placeOf(body)
    setPose(body, pose)
    this.corrections.push({ error: apart(body.position, foreseen), early: early + lag })
    if (this.corrections.length > 1000) this.corrections.shift()
    for (let step = tick + 1; step <= this.tick; step++) this.fly(step)
    for (const axis of ['x', 'y', 'z'] as const) offset[axis] += was[axis] - body.position[axis]
  }

  /** Flies the steps that a page has missed which draws late. The server has flown them with the stick of before. */
  private makeUp(now: number): void {
    if (now - this.due > MOST_STEPS * DT) this.tick = 0
    while (this.tick > 0 && this.due <= now - DT) this.next(this.axes[this.tick % KEPT]!)
  }

  /** Flies the next step. Returns how the stick is held in it. */
  private next(axes: readonly number[]): readonly number[] {
    this.length = DT * this.pace()
    this.due += this.length
    this.tick++
    const held = this.axes[this.tick % KEPT]!
    for (let i = 0; i < held.length; i++) held[i] = axes[i] ?? 0
    this.fly(this.tick)
    return held
  }

  /**
   * How long a step takes, relative to its time. A step that is flown faster comes to the server that much earlier,
   * and counts in what is known of the window.
   */
  private pace(): number {
    const early = Math.min(this.early, this.earlyBefore) + this.lag
    if (early === Infinity) return 1
    const excess = early - EARLY - 1
    const linger = LINGER + (Math.max(0, excess - ROOMY) / ROOMY) ** 3
    const change = early < EARLY ? HURRY : excess > 0 ? -Math.min(linger, excess, MOST_STEPS) : 0
    this.early += change
    this.earlyBefore += change
    return 1 - change
  }

  dispose(): void {
    this.world.dispose()
  }

  /** One step with the stick of that step. */
  private fly(step: number): void {
    const { body } = this
    AXES.forEach((axis, i) => (this.stick[axis] = this.axes[step % KEPT]![i]!))
    Object.assign(this.before, placeOf(body))
    this.turned.copy(body.quaternion)
    this.physics.step(DT)
    Object.assign(this.places[step % KEPT]!, placeOf(body))
  }

  /** Puts rocks and other crafts around the ship: crafts where they will be, `ahead` seconds after they are drawn. */
  private place(others: Iterable<NetAgent>, ahead: number): void {
    const { body, physics, shadows, world } = this
    if (apart(this.nearAt, body.position) > SIGHT / 2) {
      for (const rock of this.near) physics.removeBody(rock)
      const near = this.rocks.filter((rock) => gap(rock, body.position) < SIGHT)
      this.near = near.map(({ position, radius }) => solid(radius, position, { mass: 0 }))
      for (const rock of this.near) physics.addBody(rock)
      this.nearAt = placeOf(body)
    }
    for (const shadow of shadows.values()) shadow.isNear = false
    for (const { key, position, quaternion, velocity } of others) {
      if (key === this.key || !kindOf(key)) continue
      if (apart(position, body.position) > REACH + 10) continue
      at.x = position.x + velocity.x * ahead
      at.y = position.y + velocity.y * ahead
      at.z = position.z + velocity.z * ahead
      let shadow = shadows.get(key)
      if (!shadow) {
        shadow = { ...castShadow(world, physics, key, at, velocity), isNear: true }
        shadows.set(key, shadow)
      }
      shadow.isNear = true
      shadow.ghost.set(at, velocity, quaternion, NO_TURN)
    }
    for (const [key, { body: ball, ghost, isNear }] of shadows) {
      if (isNear) continue
      shadows.delete(key)
      ghost.remove()
      if (ball) physics.removeBody(ball)
    }
  }
}

const at = { x: 0, y: 0, z: 0 }
const NO_TURN = { x: 0, y: 0, z: 0 }

const drawn = new Quaternion()

const placeOf = ({ position: { x, y, z } }: Body): Vec3Like => ({ x, y, z })
