import {
  AvoidObstacles,
  FollowPath,
  modes,
  OffsetPursue,
  ReciprocalAvoidance,
  Stick,
  within,
  type Modes,
  type Obstacles,
  type Vec3Like,
  type Viewable,
  type Within,
} from 'three-steering'
import { Formation, KeepSlot, wedgePattern } from 'three-steering/formation'
import { distance, magnitude } from './metrics.js'
import { roundOf } from './spaceport.js'
import { Fighter, Hunt, LEADER, WINGMAN } from './station-fighter.js'
import { plus, turned, vec } from './vectors.js'

/** What the player tells the wing. */
export const ORDERS = ['form', 'attack', 'guard', 'break'] as const
export type Order = (typeof ORDERS)[number]

/**
 * Distance of two slots (m), and sweep of the wedge (rad): forward, so that the player sees the wing ahead on
 * both sides.
 */
const SPACING = 13
const SWEEP = -0.45
/** A ship this near to the leader takes its slot, and one this far away joins up again (m). */
const NEAR = 42
const LOST = 95
/**
 * In the formation other ships count this long before a contact (s): with more, neighbours in a bend would
 * push each other out of their slots, see `KeepSlot`.
 */
const CLOSE_HORIZON = 1.6
/** On guard, raiders within this distance of the station are hunted (m). */
const GUARDED = 150
/**
 * Rounds of the autopilot and of the guards: radius (m), and their speeds (m/s). The slots of the wing, up to
 * 26 m beside the autopilot, pass clear of the wheels.
 */
const PATROL = 96
const WATCH = 84
const PATROL_SPEED = 17
/**
 * The autopilot engages raiders within this distance of the station (m), and leaves the wing on guard for
 * this time after a raid (s).
 */
const ALARM = 190
const CALM = 14
/** A player beyond the first distance from the station is flown back to the second by the autopilot (m). */
const LIMIT = 340
const BACK = 290

type Doing = 'join' | 'form' | 'hunt' | 'guard'

/** A ship of the wing. What it does follows from the order and from what it sees. */
export class Wingman extends Fighter {
  readonly modes: Modes<Doing>
  readonly #hunt: Hunt
  readonly #leader: Fighter
  readonly #others: ReciprocalAvoidance

  constructor(
    index: number,
    leader: Fighter,
    formation: Formation,
    assists: Assists,
    place: Vec3Like,
    view: Viewable | null,
  ) {
    const hunt = new Hunt(12 + 4 * index)
    const offset = { x: -16, y: 0, z: index % 2 === 0 ? 16 : -16 }
    const doing = modes<Doing>({
      join: new OffsetPursue({ target: leader.pilot, offset }),
      form: new KeepSlot({ formation }),
      hunt: hunt.behavior,
      guard: new FollowPath({ path: roundOf(WATCH + 6 * index, -50), speed: PATROL_SPEED }),
    })
    const constraints = assists()
    super(0, WINGMAN, `wing ${index + 1}`, within(constraints, doing), place, vec(1, 0, 0), view)
    this.modes = doing
    this.#hunt = hunt
    this.#leader = leader
    this.#others = constraints[1]
  }

  get doing(): Doing {
    return this.modes.current
  }

  /** Hunts a raider. Null: returns to the leader, or guards the station. */
  take(target: Fighter | null, otherwise: 'form' | 'guard'): void {
    if (target !== null && target !== this.target) this.#hunt.start(target.pilot)
    this.target = target
    if (target !== null) this.#turnTo('hunt')
    else if (otherwise === 'guard') this.#turnTo('guard')
    else {
      const far = distance(this.body.position, this.#leader.body.position)
      this.#turnTo(far < (this.doing === 'form' ? LOST : NEAR) ? 'form' : 'join')
    }
  }

  #turnTo(doing: Doing): void {
    if (doing === this.doing) return
    this.modes.current = doing
    this.#others.horizon = doing === 'form' ? CLOSE_HORIZON : Infinity
  }
}

/** Constraints that keep a ship from touching anything. Each ship has its own. */
type Assists = () => [AvoidObstacles, ReciprocalAvoidance]

/** The ship that the player flies, its wing, and an autopilot that does both while nobody plays. */
export class Wing {
  readonly stick = new Stick({ deadzone: 0.06 })
  readonly leader: Fighter
  readonly ships: readonly Wingman[]
  readonly formation: Formation
  readonly assist: Within
  readonly modes: Modes<'stick' | 'patrol' | 'hunt'>
  order: Order = 'form'
  /** Whether the player was too far away, and is flown back. */
  strayed = false
  /** Whether the player holds the trigger. */
  trigger = false
  /** Sum and number of samples of the largest slot error while the wing flies in formation (m). */
  errorSum = 0
  errorSamples = 0
  readonly #hunt = new Hunt(10)
  /** Time at which all ships were in their slots, and at which the last raider was seen (s). */
  #formedAt = Infinity
  #alarmAt = -CALM

  constructor(obstacles: Obstacles, count: number, view?: (index: number) => Viewable) {
    const assists: Assists = () => [
      new AvoidObstacles({ obstacles, clearance: 1.2 }),
      new ReciprocalAvoidance({ neighborDistance: 70, caution: 3 }),
    ]
    this.modes = modes<'stick' | 'patrol' | 'hunt'>({
      patrol: new FollowPath({ path: roundOf(PATROL, 52), speed: PATROL_SPEED }),
      hunt: this.#hunt.behavior,
      stick: this.stick,
    })
    this.assist = within(assists(), this.modes)
    const start = vec(0, -16, PATROL)
    this.leader = new Fighter(0, LEADER, 'you', this.assist, start, vec(1, 0, 0), view?.(0) ?? null)
    this.formation = new Formation({
      pattern: (count, spacing) => wedgePattern(count, spacing, { sweep: SWEEP }),
      spacing: SPACING,
      leader: this.leader.pilot,
      frame: 'course',
      pace: 'leader',
    })
    this.ships = Array.from({ length: count }, (_, k) => {
      const place = plus(start, vec(-14 - 11 * k, k % 2 === 0 ? 4 : -4, 0))
      return new Wingman(k, this.leader, this.formation, assists, place, view?.(k + 1) ?? null)
    })
  }

  get all(): readonly Fighter[] {
    return [this.leader, ...this.ships]
  }

  /** Whether the player flies. */
  get played(): boolean {
    return this.strayed || this.modes.current === 'stick'
  }
  set played(on: boolean) {
    if (on !== this.played) this.modes.current = on ? 'stick' : 'patrol'
    if (on) return
    this.strayed = false
    const { stick } = this
    stick.ahead = stick.up = stick.right = stick.roll = stick.pitch = stick.yaw = 0
    this.trigger = false
  }

  /** Chooses the next raider as the target of the player: the nearest to the nose, or the one after that. */
  aimAtNext(raiders: readonly Fighter[]): void {
    const { body, target } = this.leader
    const nose = turned(body.quaternion, vec(0, 0, 1))
    const ahead = plus(body.position, nose, 60)
    const sorted = raiders
      .filter(({ present }) => present)
      .toSorted((a, b) => distance(a.body.position, ahead) - distance(b.body.position, ahead))
    this.leader.target = sorted[(sorted.indexOf(target!) + 1) % sorted.length] ?? null
  }

  /** What the wing answers to its order. */
  get answer(): string {
    const { leader, order, ships } = this
    const hunting = ships.filter(({ target }) => target !== null).length
    if (order === 'form') return 'Wing: forming up on you'
    if (order === 'guard') return 'Wing: guarding the station'
    if (hunting === 0) return 'Wing: no raider about, staying with you'
    return order === 'attack' ? `Wing: all on ${leader.target?.pilot.name ?? 'it'}` : 'Wing: one each'
  }

  /** Decides who does what. A player and the wing see all raiders. Call a few times a second. */
  observe(raiders: readonly Fighter[], time: number): void {
    const near = raiders.filter(({ body, present }) => present && (this.played || magnitude(body.position) < ALARM)) // prettier-ignore
    if (!raiders.some((each) => each.present && each === this.leader.target)) this.leader.target = null
    if (this.played) {
      this.strayed = magnitude(this.leader.body.position) > (this.strayed ? BACK : LIMIT)
      this.modes.current = this.strayed ? 'patrol' : 'stick'
      if (this.leader.target === null) this.aimAtNext(near)
    } else this.#command(near, time)
    this.ships.forEach((ship, k) => this.#obey(ship, k, near))
    this.#measure(time)
  }

  /** The autopilot: hunts with the whole wing, leaves it on guard for a while, and patrols in formation. */
  #command(near: readonly Fighter[], time: number): void {
    const { leader } = this
    if (near.length > 0) this.#alarmAt = time
    if (near.length > 0 && leader.armed) {
      const target = nearestTo(leader, near)
      const isNew = target !== leader.target || this.modes.current !== 'hunt'
      leader.target = target
      this.modes.current = 'hunt'
      if (isNew) this.#hunt.start(target.pilot)
    } else {
      leader.target = null
      this.modes.current = 'patrol'
    }
    this.order =
      near.length > 1
        ? 'break'
        : near.length === 1
          ? 'attack'
          : time - this.#alarmAt < CALM
            ? 'guard'
            : 'form'
  }

  #obey(ship: Wingman, k: number, near: readonly Fighter[]): void {
    const { leader, order } = this
    const otherwise = order === 'guard' ? 'guard' : 'form'
    let target: Fighter | null = null
    if (!ship.armed) target = null
    else if (order === 'attack') target = leader.target
    else if (order === 'break') target = near[k % Math.max(1, near.length)] ?? null
    else if (order === 'guard') {
      const close = near.filter(({ body }) => magnitude(body.position) < GUARDED)
      target = close.length > 0 ? nearestTo(ship, close) : null
    }
    ship.take(target, otherwise)
  }

  #measure(time: number): void {
    const { formation, ships } = this
    const forming = ships.every(({ doing }) => doing === 'form') && formation.size === ships.length
    if (!forming || formation.changing || this.modes.current === 'hunt') this.#formedAt = Infinity
    else if (formation.slotError < SPACING / 4) this.#formedAt = Math.min(this.#formedAt, time)
    if (time < this.#formedAt + 3) return
    this.errorSum += formation.slotError
    this.errorSamples++
  }
}

function nearestTo({ body }: Fighter, fighters: readonly Fighter[]): Fighter {
  return fighters.reduce((best, each) =>
    distance(each.body.position, body.position) < distance(best.body.position, body.position) ? each : best,
  )
}
