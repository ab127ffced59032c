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

/** Speeds, m/s: of a run, of a patrol, and of one that turns for its life. */
export const TOP_SPEED = 74
export const PATROL_SPEED = 56
const TURNING_SPEED = 62
/** Lift over mass, m/s². */
const GRIP = 50
const MASS = 1000
/** Of the ball around hull and wings, m. */
export const RADIUS = 5

/** Firing range, least range, and how far they extend, m. */
export const RANGE = 250
const MIN_RANGE = 42
const EXTENSION = 240
/** Who is shot at dodges as if it were caught at this distance, m. */
const DANGER = 110
export const CONE = 0.1
/** Of a shot, on top of the fighter's own speed, m/s. */
export const MUZZLE = 420
export const HEALTH = 7

/**
 * What a fighter is about: `form` keeps its place in the formation, `hunt` attacks in runs, `tail` sits down on somebody's six o'clock,
 * `evade` is being shot at, `return` strayed too far, `down` is falling, `away` waits to come again.
 */
export type Mood = 'form' | 'hunt' | 'tail' | 'evade' | 'return' | 'down' | 'away'

/** One fighter: its behaviours, of which one is at the helm, and what it has been through. */
export class Fighter {
  readonly index: number
  readonly team: number
  readonly pilot: SteeringController
  readonly run: AttackRun
  readonly tail: JoinUp
  readonly form: JoinUp
  readonly evade: Evade
  readonly home: Seek
  readonly flight = new Flight({ minSpeed: 32, lift: GRIP * MASS, thrust: 22 * MASS, brake: 16 * MASS })
  mood: Mood = 'form'
  target: Fighter | null = null
  /** Who shoots at it. */
  hunter: Fighter | null = null
  health = HEALTH
  /** When the mood may change, s, and since when it lasts. */
  until = 0
  since = 0
  /** Whether its guns bear: what its attack run says. */
  bearing = false
  /** Whether it has found its place since it came. */
  joined = false
  /** Time to the next shot, s. */
  reload = 0
  readonly #limits: readonly Constraint[]

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
    const nobody = { position, velocity }
    this.run = new AttackRun({
      target: nobody,
      range: RANGE,
      minRange: MIN_RANGE,
      projectileSpeed: MUZZLE,
      extension: EXTENSION,
    })
    this.tail = new JoinUp({ target: nobody, offset: { x: -95, y: 4, z: 0 }, tolerance: 25 })
    this.form = new JoinUp({ target: leader?.pilot ?? nobody, offset: slot, tolerance: 6 })
    this.evade = new Evade({ target: nobody, catchDistance: DANGER, agilityRatio: 1 })
    this.home = new Seek({ target: { x: 0, y: 30, z: 0 } })
    this.pilot = new SteeringController(view, {
      name: `${team === 0 ? 'red' : 'blue'} ${index}`,
      behavior: within(limits, leader ? this.form : this.home),
      locomotion: this.flight,
      mass: MASS,
      inertia: { x: 1000, y: 1400, z: 500 },
      maxSpeed: leader ? TOP_SPEED : PATROL_SPEED,
      maxForce: GRIP * MASS,
      maxTorque: 14_000,
      maxTurnRate: 3.4,
      responseTime: 0.25,
      radius: RADIUS,
      quaternion: headed(velocity),
      position,
      velocity,
    })
  }

  /** Whether it flies and fights. */
  get alive(): boolean {
    return this.mood !== 'down' && this.mood !== 'away'
  }

  /** Puts one of its behaviours at the helm. */
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

  /** Takes a target for its runs and its tail chase. */
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

/** Falls, ever steeper, and slows to what the air allows. A behaviour of your own is any object with `steer`. */
export class Fall implements Behavior {
  steer({ mass, velocity }: Agent, _step: Step, { force }: Wrench): void {
    force.x -= 0.12 * mass * velocity.x
    force.y -= mass * (16 + 0.12 * velocity.y)
    force.z -= 0.12 * mass * velocity.z
  }
}
