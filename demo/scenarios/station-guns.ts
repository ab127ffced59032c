import type { Body } from 'cannon-es'
import { intercept, type Moving, type Vec3, type Vec3Like } from 'three-steering'
import { distance } from './metrics.js'
import { MUZZLE, type Fighter } from './station-fighter.js'
import { meeting, Tracers, type Ball } from './tracers.js'
import { inner, minus, plus, turned, unit, vec, type Random } from './vectors.js'

/** Range (m), half angle of the cone around the nose (rad), interval between two shots (s), scatter (rad). */
export const GUN_RANGE = 95
const CONE = 0.16
const RELOAD = 0.13
const SCATTER = 0.022
/** A shot that passes the hull at this distance still hits (m). */
const REACH = 1.2
/** What a hit takes of the shields of a raider, and of a ship of the wing. */
const HARM = [0.035, 0.09] as const
/** The player's shots go to a raider within this angle of the nose (rad), and within this range (m). */
const HELP = 0.11
const HELP_RANGE = 130
/** A computer does not fire through this ball around the hub (m). */
const HUB = 20
/** Way of a shot that is checked for hulls of the station when it is fired (m). */
const FAR = 200
/** Belongs to no team. */
const NOBODY = 2

/** A ship that can be hit, and what happens then. */
export interface Mark {
  readonly team: number
  readonly position: Vec3Like
  readonly radius: number
  readonly present: boolean
  readonly hull: Body
  hit(by: Fighter, time: number): void
}

/** What stops shots and takes no harm. */
export interface Cover {
  /** Bodies that stay at their place, and turn slowly. */
  readonly station: Body[]
  readonly rocks: readonly { readonly body: Body; readonly radius: number }[]
}

/** The guns of all fighters: who may fire, the shots, and what they hit. */
export class Guns {
  readonly tracers = new Tracers()
  /** Places where shots ended since the list was last emptied. The reader empties it. */
  readonly sparks: Vec3[] = []
  hits = 0
  readonly #fighters: readonly Fighter[]
  readonly #marks: readonly Mark[]
  /** Fighters first, as in `#fighters`; the other marks, and rocks. */
  readonly #balls: Ball[]
  readonly #station: Body[]
  readonly #random: Random

  /** `others` are marks that do not shoot. */
  constructor(fighters: readonly Fighter[], others: readonly Mark[], cover: Cover, random: Random) {
    this.#fighters = fighters
    this.#marks = [...fighters.map(markOf), ...others]
    const rocks = cover.rocks.map(({ body, radius }) => ({ position: body.position, radius, team: NOBODY }))
    this.#balls = [...this.#marks.map(() => null), ...rocks]
    this.#station = cover.station
    this.#random = random
  }

  step(dt: number, time: number): void {
    for (const fighter of this.#fighters)
      if (fighter.present && fighter.target?.present) this.aimAt(fighter, fighter.target.pilot, time)
    this.#marks.forEach((mark, k) => (this.#balls[k] = mark.present ? mark : null))
    this.tracers.step(dt, this.#balls, ({ position, shooter, target }) => {
      const by = this.#fighters[shooter]!
      const mark = this.#marks[target]
      if (mark !== undefined && mark.team !== by.team) {
        this.hits++
        mark.hit(by, time)
      }
      if (this.sparks.length < 64) this.sparks.push(position)
    })
  }

  /** Fires if the place where the target will be is in the cone of the gun, and not behind the hub. */
  aimAt(fighter: Fighter, target: Moving, time: number): void {
    const meeting = intercept(fighter.pilot, target, MUZZLE)
    if (meeting === null || distance(target.position, fighter.pilot.position) > GUN_RANGE) return
    const aim = unit(minus(meeting.aim, fighter.pilot.position))
    if (inner(aim, noseOf(fighter)) <= Math.cos(CONE) || isBlocked(fighter.body.position, aim)) return
    this.fire(fighter, aim, time)
  }

  /** Fires where the player points, with some help: at the raider nearest to the nose, if one is near. */
  fireAhead(fighter: Fighter, time: number): void {
    let along = noseOf(fighter)
    let best = Math.cos(HELP)
    const nose = along
    for (const { pilot, present, team } of this.#fighters) {
      if (!present || team === fighter.team) continue
      const meeting = intercept(fighter.pilot, pilot, MUZZLE)
      if (meeting === null || distance(pilot.position, fighter.pilot.position) > HELP_RANGE) continue
      const aim = unit(minus(meeting.aim, fighter.pilot.position))
      if (inner(aim, nose) < best) continue
      best = inner(aim, nose)
      along = aim
    }
    this.fire(fighter, along, time)
  }

  /** Fires along a unit direction, if the gun is ready. */
  fire(fighter: Fighter, along: Vec3Like, time: number): void {
    const { body, boat, team } = fighter
    if (!fighter.armed || !fighter.present || time < fighter.reload) return
    fighter.reload = time + RELOAD
    const random = this.#random
    const spread = vec(random() - 0.5, random() - 0.5, random() - 0.5)
    const shot = plus(body.velocity, plus(along, spread, 2 * SCATTER), MUZZLE)
    const from = plus(body.position, along, boat.nose)
    // the station moves by at most 1.4 m while a shot flies, so its way is checked once
    const end = (FAR / MUZZLE) * meeting(from, plus(from, shot, FAR / MUZZLE), this.#station)
    this.tracers.fire(this.#fighters.indexOf(fighter), team, from, shot, end)
  }
}

/** Whether the hub is in the way of a shot. */
function isBlocked(from: Vec3Like, along: Vec3Like): boolean {
  const ahead = -inner(from, along)
  return ahead > 0 && ahead < GUN_RANGE && inner(from, from) - ahead * ahead < HUB * HUB
}

export function noseOf({ body }: Fighter): Vec3 {
  return turned(body.quaternion, vec(0, 0, 1))
}

function markOf(fighter: Fighter): Mark {
  return {
    team: fighter.team,
    position: fighter.pilot.position,
    radius: fighter.boat.radius + REACH,
    hull: fighter.body,
    get present() {
      return fighter.present
    },
    hit: (by, time) => fighter.hurt(by.power * HARM[fighter.team], by, time),
  }
}
