import {
  AttackRun,
  Evade,
  Flight,
  JoinUp,
  Seek,
  SteeringController,
  within,
  type Agent,
  type Behavior,
  type Step,
  type Vec3Like,
  type Viewable,
  type Wrench,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'

/** Speeds: attack and chase, formation and patrol, evasion (m/s). */
export const TOP_SPEED = 74
export const PATROL_SPEED = 56
const TURNING_SPEED = 62
/** Greatest lift over mass (m/s²). */
const MAX_LIFT = 50
const MASS = 1000
/** Radius of hull and wings (m). */
export const RADIUS = 5

/** Firing range, least range, and distance that a run extends beyond the target (m). */
export const RANGE = 250
const MIN_RANGE = 42
const EXTENSION = 240
/** Evasion assumes that it would be caught at this distance (m). */
const DANGER = 110
export const CONE = 0.1
/** Speed of a shot relative to the fighter (m/s). */
export const MUZZLE = 420
export const HEALTH = 7

/**
 * State of a fighter. `form`: keeps its place in the formation. `hunt`: attacks in runs. `tail`: follows
 * close behind its target. `evade`: is under fire. `return`: flew too far away. `down`: is falling. `away`:
 * waits to start again.
 */
export type Mood = 'form' | 'hunt' | 'tail' | 'evade' | 'return' | 'down' | 'away'

/** One fighter: its behaviours, of which one is active, and its state. */
export class Fighter {
  readonly index: number
  readonly team: number
  readonly pilot: SteeringController
  readonly run: AttackRun
  readonly tail: JoinUp
  readonly form: JoinUp
  readonly evade: Evade
  readonly home: Seek
  readonly flight = new Flight({ minSpeed: 32, lift: MAX_LIFT * MASS, thrust: 22 * MASS, brake: 16 * MASS })
  mood: Mood = 'form'
  target: Fighter | null = null
  /** The fighter that shoots at it, or null. */
  hunter: Fighter | null = null
  health = HEALTH
  /** Time until which the mood lasts, and time since which it has lasted (s). */
  until = 0
  since = 0
  /** Whether the target is in its sights. */
  bearing = false
  /** Whether it has joined its formation since it started. */
  joined = false
  /** Time to the next shot (s). */
  reload = 0
  readonly #limits: readonly Constraint[]

  // #region code
  constructor(
    index: number,
    team: number,
    state: { readonly position: Vec3Like; readonly velocity: Vec3Like; readonly slot: Vec3Like },
    leader: Fighter | null,
    limits: readonly Constraint[],
    view: Viewable | null,
  ) {
    const { position, velocity, slot } = state
    this.index = index
    this.team = team
    this.#limits = limits
    const placeholder = { position, velocity }
    this.run = new AttackRun({
      target: placeholder,
      range: RANGE,
      minRange: MIN_RANGE,
      projectileSpeed: MUZZLE,
      extension: EXTENSION,
    })
    this.tail = new JoinUp({ target: placeholder, offset: { x: -95, y: 4, z: 0 }, tolerance: 25 })
    this.form = new JoinUp({ target: leader?.pilot ?? placeholder, offset: slot, tolerance: 6 })
    this.evade = new Evade({ target: placeholder, catchDistance: DANGER, agilityRatio: 1 })
    this.home = new Seek({ target: { x: 0, y: 30, z: 0 } })
    this.pilot = new SteeringController(view, {
      name: `${team === 0 ? 'red' : 'blue'} ${index}`,
      behavior: within(limits, leader ? this.form : this.home),
      locomotion: this.flight,
      mass: MASS,
      inertia: { x: 1000, y: 1400, z: 500 },
      maxSpeed: leader ? TOP_SPEED : PATROL_SPEED,
      maxForce: MAX_LIFT * MASS,
      maxTorque: 14_000,
      maxTurnRate: 3.4,
      responseTime: 0.25,
      radius: RADIUS,
      quaternion: headed(velocity),
      position,
      velocity,
    })
  }

  /** Whether it is in the fight. */
  get alive(): boolean {
    return this.mood !== 'down' && this.mood !== 'away'
  }

  /** Activates the behaviour of a mood. */
  turnTo(mood: Mood, time: number, patience: number): void {
    this.mood = mood
    this.since = time
    this.until = time + patience
    this.bearing = false
    const { evade, form, home, run, tail, pilot } = this
    const wish =
      mood === 'form'
        ? form
        : mood === 'hunt'
          ? run
          : mood === 'tail'
            ? tail
            : mood === 'evade'
              ? evade
              : home
    pilot.behavior = within(this.#limits, wish)
    pilot.maxSpeed = mood === 'evade' ? TURNING_SPEED : TOP_SPEED
  }
  // #endregion

  /** Sets the target of its attack runs and of its tail chase. */
  mark(target: Fighter): void {
    this.target = target
    this.run.target = target.pilot
    this.tail.target = target.pilot
  }
}

/** Attitude with the nose (+Z) along a level velocity. */
export function headed({ x, z }: Vec3Like): { x: number; y: number; z: number; w: number } {
  const half = Math.atan2(x, z) / 2
  return { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) }
}

/**
 * Falls on a curve that steepens, with drag that limits its speed. Any object with `steer` is a behaviour.
 */
export class Fall implements Behavior {
  steer({ mass, velocity }: Agent, _step: Step, { force }: Wrench): void {
    force.x -= 0.12 * mass * velocity.x
    force.y -= mass * (16 + 0.12 * velocity.y)
    force.z -= 0.12 * mass * velocity.z
  }
}
