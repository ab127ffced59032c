import {
  blend,
  Evade,
  Flight,
  Flock,
  Flocking,
  Pursue,
  Seek,
  SteeringController,
  SteeringWorld,
  Wander,
  type Vec3,
  type Viewable,
} from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { distance, Fingerprint, magnitude } from './metrics.js'
import { Roost, ROOST, Seldom, Startle } from './starlings.js'

export interface MurmurationOptions {
  readonly seed?: number
  readonly count?: number
  /** View of the flock. Nothing is drawn without it. */
  readonly view?: Viewable
  readonly falconView?: Viewable
}

export const DEFAULT_BIRDS = 10_000

/** Radius of a starling without wing tips (m). */
const RADIUS = 0.2
/** Birds closer to the falcon than this flee (m). */
const PANIC = 11
/** Speeds of the falcon: climbing, and in a stoop (m/s). */
const CLIMB = 20
const STOOP = 34
/** Number of birds whose nearest neighbour is measured for the readout. */
const SAMPLE = 50
/**
 * Each bird computes its behaviour in one of this many steps, which is 15 times a second: a startled starling
 * reacts in 76 ms (Pomeroy and Heppner 1977).
 */
const STEP_INTERVAL = 4

/** Starlings above their roost at dusk, and a falcon that hunts them. */
export class Murmuration {
  readonly steering: SteeringWorld
  readonly flock: Flock
  readonly falcon: SteeringController
  // #region code
  readonly flocking = new Flocking({
    separation: { neighborDistance: 2.2, weight: 1.6 },
    alignment: { neighborDistance: 5, weight: 0.6, fieldOfView: 5.24 },
    cohesion: { neighborDistance: 5, weight: 0.7, fieldOfView: 5.24 },
  })
  readonly home = new Roost()
  readonly startle: Startle
  readonly flight = new Flight({ minSpeed: 8, bankWeight: 7 })
  readonly evade: Evade
  /** Number of times the falcon reached its target. */
  strikes = 0
  /** Number of attacks. */
  stoops = 0
  readonly #random: () => number
  readonly #lookout: Vec3 = { x: 0, y: 0, z: 0 }
  #hunting = true
  #targetPosition: SteeringController['position'] | null = null
  #until = 0

  constructor({ seed = 1, count = DEFAULT_BIRDS, view, falconView }: MurmurationOptions = {}) {
    this.#random = seeded(seed)
    this.steering = new SteeringWorld({ seed })
    this.falcon = new SteeringController(falconView ?? null, {
      name: 'falcon',
      behavior: new Wander(),
      locomotion: new Flight({ minSpeed: 12 }),
      maxSpeed: CLIMB,
      maxForce: 60,
      radius: 0.6,
      position: { x: -70, y: 70, z: -30 },
      velocity: { x: 14, y: 0, z: 0 },
    })
    this.evade = new Evade({ target: this.falcon, panicDistance: PANIC, maxPredictionTime: 0.4 })
    this.startle = new Startle(this.falcon)
    this.flock = new Flock({
      name: 'starlings',
      count,
      ...(view ? { view } : {}),
      behavior: new Seldom(
        blend([
          this.evade,
          this.startle,
          this.flocking,
          this.home,
          { behavior: new Wander({ jitter: 3 }), weight: 0.06 },
        ]),
        STEP_INTERVAL,
      ),
      locomotion: this.flight,
      maxSpeed: 15,
      maxForce: 22,
      radius: RADIUS,
      responseTime: 0.25,
      // the seven nearest, whatever their distance (Ballerini et al. 2008)
      maxNeighbors: 7,
      spawn: (_, state) => this.#place(state),
    })
    this.steering.add(this.flock)
    this.steering.add(this.falcon)
    this.steering.addPlanner({ plan: () => this.#hunt() })
  }
  // #endregion

  step(dt: number): void {
    this.steering.step(dt)
  }

  get hunting(): boolean {
    return this.#hunting
  }

  /** Removes the falcon, or adds it again. */
  set hunting(on: boolean) {
    if (on === this.#hunting) return
    this.#hunting = on
    this.evade.panicDistance = on ? PANIC : 1e-6
    if (on) this.steering.add(this.falcon)
    else this.steering.remove(this.falcon)
  }

  state(): Record<string, number | string> {
    const { flock } = this
    const velocity = { x: 0, y: 0, z: 0 }
    const heading = { x: 0, y: 0, z: 0 }
    const center = flock.center({ x: 0, y: 0, z: 0 })
    const mark = new Fingerprint()
    const places = Array.from({ length: flock.size }, (_, index) =>
      flock.position(index, { x: 0, y: 0, z: 0 }),
    )
    let speed = 0
    let spread = 0
    places.forEach((position, index) => {
      flock.velocity(index, velocity)
      mark.addVector(position)
      const magnitudeOfVelocity = magnitude(velocity)
      speed += magnitudeOfVelocity
      spread += distance(position, center)
      heading.x += velocity.x / (magnitudeOfVelocity || 1)
      heading.y += velocity.y / (magnitudeOfVelocity || 1)
      heading.z += velocity.z / (magnitudeOfVelocity || 1)
    })
    const share = 1 / Math.max(1, flock.size)
    const gaps = sampleGaps(places)
    return {
      birds: flock.size,
      'mean speed': speed * share,
      polarisation: magnitude(heading) * share,
      spread: spread * share,
      'to the next, m': gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length),
      'touching, %': (100 * gaps.filter((gap) => gap < 2 * RADIUS).length) / Math.max(1, gaps.length),
      stoops: this.stoops,
      strikes: this.strikes,
      fingerprint: mark.toString(),
    }
  }

  /** Start in a loose ball that already circles. */
  #place({ position, velocity }: { position: Vec3; velocity: Vec3 }): void {
    const around = 2 * Math.PI * this.#random()
    const out = Math.cbrt(this.#random())
    const up = 2 * this.#random() - 1
    const flat = out * Math.sqrt(1 - up * up)
    position.x = ROOST.x + 28 * flat * Math.cos(around) - 22
    position.y = ROOST.y + 10 * out * up
    position.z = ROOST.z + 18 * flat * Math.sin(around)
    velocity.x = 11 + this.#random()
    velocity.y = this.#random() - 0.5
    velocity.z = 3 * (this.#random() - 0.5)
  }

  /** Decides for the falcon: climb to a lookout, stoop at one bird, and climb again. */
  #hunt(): void {
    const { falcon, flock, steering } = this
    if (!this.#hunting || flock.size === 0) return
    if (this.#targetPosition) {
      const reached = distance(this.#targetPosition, falcon.position) < 1
      if (reached) this.strikes++
      if (reached || steering.time > this.#until) this.#climb()
    } else if (steering.time >= this.#until || distance(this.#lookout, falcon.position) < 8) {
      this.#stoop()
    }
  }

  #climb(): void {
    const side = this.#random() < 0.5 ? -1 : 1
    this.#lookout.x = ROOST.x + side * (48 + 22 * this.#random())
    this.#lookout.y = ROOST.y + 26 + 10 * this.#random()
    this.#lookout.z = ROOST.z + 40 * (this.#random() - 0.6)
    this.#targetPosition = null
    this.#until = this.steering.time + 8
    this.falcon.maxSpeed = CLIMB
    this.falcon.behavior = new Seek({ target: this.#lookout })
  }

  #stoop(): void {
    const target = this.flock.member(Math.floor(this.#random() * this.flock.size))
    this.#targetPosition = target.position
    this.#until = this.steering.time + 7
    this.stoops++
    this.falcon.maxSpeed = STOOP
    this.falcon.behavior = new Pursue({ target: target, maxPredictionTime: 1 })
  }
}

/** Distances of a sample of birds to their nearest neighbours (m). */
function sampleGaps(places: readonly Vec3[]): number[] {
  const gaps: number[] = []
  for (let index = 0; index < places.length; index += Math.max(1, Math.floor(places.length / SAMPLE))) {
    const { x, y, z } = places[index]!
    let least = Infinity
    for (let other = 0; other < places.length; other++) {
      const { x: ox, y: oy, z: oz } = places[other]!
      const sq = (x - ox) ** 2 + (y - oy) ** 2 + (z - oz) ** 2
      if (sq < least && other !== index) least = sq
    }
    if (least < Infinity) gaps.push(Math.sqrt(least))
  }
  return gaps
}
