import type { Body } from 'cannon-es'
import {
  Arrive,
  AvoidObstacles,
  blend,
  Evade,
  modes,
  Orbit,
  ReciprocalAvoidance,
  Seek,
  Wander,
  within,
  type Modes,
  type SteeringController,
  type Vec3Like,
  type Viewable,
  type Within,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { distance, magnitude } from './metrics.js'
import { makeCraft, RAIDER, type Craft } from './sentry-craft.js'
import { Mind, raiderMachine, type RaiderEvent } from './sentry-minds.js'
import type { Sentries } from './sentries.js'
import { evenly, minus, ORIGIN, outer, plus, times, unit, vec } from './vectors.js'

/** Distance from the station at which raiders roam (m). */
const DARK = 165
/**
 * A guard closer than the first distance ends the roaming. With all guards beyond the second, fleeing ends
 * (m).
 */
const SPOTTED = 34
const SAFE = 88
/** Loot is taken within this distance of a beacon (m), and takes this long (s). */
const GRASP = 13
const LOADING = 13
/** A raider starts a raid only with at least this health. */
const FIT = 0.75
/** Rate at which health recovers while roaming (1/s), and health below which it gives up a raid. */
const MENDING = 0.035
const HURT = 0.42

export const RAIDER_MODES = ['roam', 'raid', 'flee'] as const
export type RaiderMode = (typeof RAIDER_MODES)[number]

/** One raider, built like `Guard`. */
export class Raider implements Craft {
  readonly index: number
  readonly body: Body
  readonly pilot: SteeringController
  readonly mind = new Mind<RaiderEvent>(raiderMachine)
  readonly tree: Within
  readonly modes: Modes<RaiderMode>
  health = 1
  /** Share of a full load that it has taken, and the index of the beacon that it raids, or −1. */
  loot = 0
  beacon = -1
  reload = 0
  readonly spent: Record<RaiderMode, number> = { roam: 0, raid: 0, flee: 0 }
  readonly #random: () => number
  readonly #arrive: Arrive
  readonly #evade: Evade
  readonly #away: Seek
  /** Time until which it rests (s). */
  #rest: number

  constructor(index: number, scene: Sentries, seed: number, view: Viewable | null) {
    this.index = index
    const random = (this.#random = seeded(7919 * seed + index))
    this.#rest = 3 + 7 * index + 4 * random()
    const angle = 2 * Math.PI * random()
    const out = unit(vec(Math.sin(angle), evenly(random, -0.2, 0.2), Math.cos(angle)))
    const place = scene.freePlace(times(out, DARK + 20), RAIDER.radius + 3)
    const axis = unit(vec(evenly(random, -0.2, 0.2), index % 2 === 0 ? 1 : -1, evenly(random, -0.2, 0.2)))
    this.#arrive = new Arrive({ target: ORIGIN })
    this.#evade = new Evade({ target: { position: ORIGIN, velocity: ORIGIN } })
    this.#away = new Seek({ target: place })
    this.modes = modes<RaiderMode>({
      roam: blend([
        new Orbit({ target: ORIGIN, radius: DARK, speed: 7, axis }),
        { behavior: new Wander(), weight: 0.2 },
      ]),
      raid: this.#arrive,
      flee: blend([this.#evade, { behavior: this.#away, weight: 0.6 }]),
    })
    const rocks = new AvoidObstacles({ obstacles: scene.obstacles, clearance: 1.2 })
    this.tree = within([rocks, new ReciprocalAvoidance({ neighborDistance: 60, caution: 3 })], this.modes)
    const craft = makeCraft(RAIDER, `raider ${index + 1}`, this.tree, place, unit(outer(axis, place)), view)
    this.body = craft.body
    this.pilot = craft.pilot
  }

  get mode(): RaiderMode {
    return this.mind.state as RaiderMode
  }

  /** Updates health and loot. Call once per step. */
  live(scene: Sentries, dt: number): void {
    const { mode } = this
    this.spent[mode] += dt
    if (mode === 'roam') this.health = Math.min(1, this.health + MENDING * dt)
    if (mode !== 'raid' || distance(this.body.position, scene.beacons[this.beacon]!) > GRASP) return
    this.loot += dt / LOADING
    if (this.loot >= 1) this.#send(scene, { type: 'loaded' })
  }

  /** Observes guards and sends events to its state machine. Call a few times a second. */
  observe(scene: Sentries): void {
    const { mind } = this
    const guard = scene.nearest(scene.guards, this.body.position)
    const near = distance(guard.body.position, this.body.position)
    if (mind.state === 'roam') {
      if (near < SPOTTED) this.#send(scene, { type: 'spotted' })
      else if (this.health >= FIT && scene.time > this.#rest) {
        this.beacon = this.#choose(scene)
        this.#send(scene, { type: 'tempted' })
      }
    } else if (mind.state === 'raid') {
      if (this.health < HURT) this.#send(scene, { type: 'hurt' })
    } else {
      this.#evade.target = guard.pilot
      if (near > SAFE && magnitude(this.body.position) > DARK - 25) this.#send(scene, { type: 'safe' })
    }
  }

  #send(scene: Sentries, event: RaiderEvent): void {
    if (!this.mind.send(event, scene.time)) return
    const { mode } = this
    scene.notify(this, mode)
    if (mode === 'raid') this.#arrive.target = this.#standOff(scene.beacons[this.beacon]!)
    else if (mode === 'flee') {
      this.#evade.target = scene.nearest(scene.guards, this.body.position).pilot
      // away from the station on its own side
      this.#away.target = times(unit(plus(this.body.position, ORIGIN, 0)), DARK + 40)
      if (this.loot >= 1) scene.stolen++
      else scene.repelled++
      this.loot = 0
      this.beacon = -1
    } else this.#rest = scene.time + evenly(this.#random, 14, 40)
    this.modes.current = mode
  }

  /** Chooses a beacon. In 65 % of cases one that another raider is raiding, since two are stronger. */
  #choose(scene: Sentries): number {
    const others = scene.raiders.filter(({ mode }) => mode === 'raid')
    const random = this.#random
    if (others.length > 0 && random() < 0.65) return others[Math.floor(random() * others.length)]!.beacon
    return Math.floor(random() * scene.beacons.length)
  }

  /** A point beside a beacon, on the side from which it comes. */
  #standOff(beacon: Vec3Like): Vec3Like {
    const back = unit(minus(this.body.position, beacon))
    return plus(plus(beacon, back, 8), vec(0, this.index % 2 === 0 ? 4 : -4, 0))
  }
}
