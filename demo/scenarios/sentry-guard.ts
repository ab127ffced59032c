import type { Body } from 'cannon-es'
import {
  AvoidObstacles,
  blend,
  Evade,
  Face,
  FollowPath,
  modes,
  OffsetPursue,
  ReciprocalAvoidance,
  Seek,
  within,
  type Behavior,
  type Modes,
  type Path,
  type SteeringController,
  type Viewable,
  type Within,
} from 'three-steering'
import { Dock, Port, Undock } from 'three-steering/docking'
import type { PortStage } from './docking-ports.js'
import { distance, magnitude } from './metrics.js'
import { GUARD, makeCraft, SIGHT, type Craft } from './sentry-craft.js'
import { guardMachine, Mind, type GuardEvent } from './sentry-minds.js'
import type { Raider } from './sentry-raider.js'
import type { Sentries } from './sentries.js'
import { CORRIDOR, PORT_REACH } from './spaceport.js'
import { ORIGIN, vec } from './vectors.js'

/** A guard gives up a raider at this distance, or this far from the station (m). */
const LOST = 125
const LEASH = 165
/** Craft within the first distance count in a fight. Beyond the second a guard is safe (m). */
const CLOSE = 50
const SAFE = 62
/** Least duration of fleeing (s). */
const FLEE_TIME = 2.5
/** Greatest number of guards that chase the same raider. */
const HUNTERS = 2

const LOW = 0.3
const HURT = 0.45
/** Charge used per second: at rest, and in addition with full thrust. */
const IDLE = 0.003
const THRUST = 0.009
/** Charge and health gained at a port (1/s). */
const SUPPLY = 0.1

export const GUARD_MODES = ['patrol', 'chase', 'flee', 'dock', 'leave'] as const
export type GuardMode = (typeof GUARD_MODES)[number]

const PROBE = vec(GUARD.nose, 0, 0)
/** Horizon of the avoidance of rocks (s). */
const HORIZON = 5

/** One guard: a behaviour for each mode, the state machine that chooses the mode, and its condition. */
export class Guard implements Craft {
  readonly index: number
  readonly body: Body
  readonly pilot: SteeringController
  readonly mind = new Mind<GuardEvent>(guardMachine)
  readonly tree: Within
  readonly modes: Modes<GuardMode>
  charge: number
  health = 1
  target: Raider | null = null
  /** Opens the latch. Null while not latched. */
  release: (() => void) | null = null
  /** Time of the next shot (s). */
  reload = 0
  /** Time spent in each mode (s). */
  readonly spent: Record<GuardMode, number> = { patrol: 0, chase: 0, flee: 0, dock: 0, leave: 0 }
  readonly #pursue: OffsetPursue
  readonly #face: Face
  readonly #evade: Evade
  readonly #dock: Dock
  readonly #undock: Undock
  /** Last stage of its `Dock`. */
  #stage: PortStage = ''

  // #region code
  constructor(index: number, scene: Sentries, round: Path, view: Viewable | null) {
    this.index = index
    const { obstacles, ports } = scene
    const placeholder = { position: ORIGIN, velocity: ORIGIN }
    // behind its target, and beside other guards that chase it
    const offset = vec(-15, index % 2 === 0 ? 5 : -4, [-6, 0, 6][index % 3]!)
    this.#pursue = new OffsetPursue({ target: placeholder, offset })
    this.#face = new Face({ target: ORIGIN })
    this.#evade = new Evade({ target: placeholder })
    this.#undock = new Undock({ port: ports[0]!, probe: PROBE, exitSpeed: 3.2 })
    this.#dock = new Dock({ ports, probe: PROBE, closingSpeed: 0.3, hold: false })
    this.modes = modes<GuardMode>({
      patrol: new FollowPath({ path: round, speed: 9 }),
      chase: blend([this.#pursue, this.#face]),
      flee: blend([this.#evade, { behavior: new Seek({ target: ORIGIN }), weight: 0.4 }]),
      dock: this.#dock,
      leave: this.#undock,
    })
    const rocks = new AvoidObstacles({
      obstacles,
      ignore: ({ owner }) => this.#ignores(owner),
      horizon: HORIZON,
      clearance: 1.2,
    })
    this.tree = within([rocks, new ReciprocalAvoidance({ neighborDistance: 60, caution: 3 })], this.modes)
    const start = vec(0, 0, 0)
    const ahead = vec(0, 0, 0)
    const at = (index * round.length) / 5
    round.pointAt(start, at)
    round.tangentAt(ahead, at)
    const craft = makeCraft(GUARD, `guard ${index + 1}`, this.tree, start, ahead, view)
    this.body = craft.body
    this.pilot = craft.pilot
    this.charge = 0.55 + 0.1 * ((index * 2) % 5)
    this.pilot.addEventListener('stage', ({ behavior, stage }) => this.#onStage(scene, behavior, stage))
  }
  // #endregion

  get mode(): GuardMode {
    const { state } = this.mind
    if (state === 'dock.leave') return 'leave'
    return state.startsWith('dock') ? 'dock' : (state as GuardMode)
  }

  /**
   * Whether it is at its port, or on the straight part of the way to or from it. It then does not count
   * as a friend in a fight.
   */
  get berthed(): boolean {
    return this.mode === 'leave' || (this.mode === 'dock' && !['', 'queue', 'approach'].includes(this.#stage))
  }

  /** Updates charge and health. Call once per step. */
  live(scene: Sentries, dt: number): void {
    this.spent[this.mode] += dt
    if (this.mind.state === 'dock.moored') {
      this.charge = Math.min(1, this.charge + SUPPLY * dt)
      this.health = Math.min(1, this.health + SUPPLY * dt)
      if (this.charge === 1 && this.health === 1) this.#send(scene, { type: 'full' })
      return
    }
    const thrust = magnitude(this.pilot.force) / this.pilot.maxForce
    this.charge = Math.max(0, this.charge - (IDLE + THRUST * thrust) * dt)
  }

  /** Observes the surroundings and sends events to its state machine. Call a few times a second. */
  observe(scene: Sentries): void {
    const { mind } = this
    const threats = scene.raiders.filter((raider) => this.#isNear(raider, CLOSE))
    const friends = scene.guards.filter((guard) => !guard.berthed && this.#isNear(guard, CLOSE))
    if (this.health < HURT) this.#send(scene, { type: 'hurt' })
    if (this.charge < LOW) this.#send(scene, { type: 'low' })
    if (threats.length > friends.length) this.#send(scene, { type: 'outnumbered' })
    if (mind.state === 'patrol') {
      const found = this.#choose(scene)
      if (found !== null) {
        this.target = found
        this.#send(scene, { type: 'intruder' })
      }
    } else if (mind.state === 'chase' && this.#hasLost()) this.#send(scene, { type: 'lost' })
    else if (mind.state === 'flee') {
      this.#evade.target = scene.nearest(scene.raiders, this.body.position).pilot
      const away = !scene.raiders.some((raider) => this.#isNear(raider, SAFE))
      const fit = this.health >= HURT && this.charge >= LOW
      if (away && scene.time > mind.since + FLEE_TIME) this.#send(scene, { type: 'safe', fit })
    }
  }

  #send(scene: Sentries, event: GuardEvent): void {
    if (!this.mind.send(event, scene.time)) return
    const { mode } = this
    scene.notify(this, this.mind.state)
    if (mode !== 'chase') this.target = null
    else if (this.target) {
      const { position, velocity } = this.target.pilot
      // only position and velocity, not the attitude: the place behind the raider must not swing when the
      // raider rolls
      this.#pursue.target = { position, velocity }
      this.#face.target = this.target.pilot
    }
    if (mode === 'leave') {
      this.release?.()
      this.release = null
    }
    this.modes.current = mode
    if (mode === 'flee') this.#evade.target = scene.nearest(scene.raiders, this.body.position).pilot
    this.#clear()
  }

  /** Handles stage events of `Dock` and `Undock`. */
  #onStage(scene: Sentries, behavior: Behavior, stage: string): void {
    if (behavior !== this.#dock && behavior !== this.#undock) return
    this.#stage = stage as PortStage
    if (stage === 'latched') {
      this.#undock.port = scene.ports.find(({ holder }) => holder === this.pilot.id)!
      this.release = scene.latch(this)
      this.#send(scene, { type: 'latched' })
    } else if (stage === 'free' && behavior === this.#undock) {
      this.#stage = ''
      this.#send(scene, { type: 'free' })
    }
    this.#clear()
  }

  /**
   * Near its port all constraints are off, because no other craft enters the corridor, and its priority makes
   * others avoid it.
   */
  #clear(): void {
    const straight = this.berthed
    for (const part of this.tree.parts) part.enabled = !straight
    this.pilot.priority = straight ? Infinity : 1
  }

  /** Whether to ignore an obstacle: its own corridor, and everything inside of it. */
  #ignores(owner: object | null): boolean {
    if (this.mode !== 'dock' || this.#stage === 'queue') return false
    if (owner instanceof Port) return owner.holder === this.pilot.id
    return this.#stage === 'align' && magnitude(this.body.position) < PORT_REACH + CORRIDOR + 6
  }

  #isNear({ pilot }: Craft, range: number): boolean {
    return distance(pilot.position, this.body.position) < range
  }

  #choose(scene: Sentries): Raider | null {
    let best: Raider | null = null
    let least = SIGHT
    for (const raider of scene.raiders) {
      const far = distance(raider.body.position, this.body.position)
      const hunters = scene.guards.filter(({ target }) => target === raider).length
      if (raider.mode === 'roam' || magnitude(raider.body.position) > LEASH - 15) continue
      if (far >= least || hunters >= HUNTERS || !scene.sees(this, raider)) continue
      least = far
      best = raider
    }
    return best
  }

  #hasLost(): boolean {
    const { target } = this
    if (target === null || target.mode === 'roam') return true
    return !this.#isNear(target, LOST) || magnitude(this.body.position) > LEASH
  }
}
