import {
  blend,
  Evade,
  Flight,
  Flocking,
  Pursue,
  Seek,
  seeded,
  SteeringController,
  SteeringWorld,
  Wander,
  type Agent,
  type Behavior,
  type Flock,
  type Step,
  type Vec3,
  type Viewable,
  type Wrench,
} from 'three-steering'
import { distance, Fingerprint, magnitude } from './metrics.js'

export interface MurmurationOptions {
  readonly seed?: number
  readonly count?: number
  /** Shown as; nothing when absent. */
  readonly view?: Viewable
  readonly falconView?: Viewable
}

export const DEFAULT_BIRDS = 5000

/** Middle of the air above the roost, and half sizes of the space in which the flock dances, m. */
const ROOST = { x: 0, y: 38, z: 0 }
const ROOM = { x: 36, y: 17, z: 30 }

/** Lower than this birds climb, m. */
const FLOOR = 12

/**
 * Keeps birds in an ellipsoid of air that strolls about the roost: nothing well inside, a firm pull back outside.
 * A behaviour of your own is any object with `steer`.
 */
class StayNear implements Behavior {
  strength = 0.9

  steer(agent: Agent, { time }: Step, out: Wrench): void {
    const { position, maxForce } = agent
    const x = (ROOST.x + 14 * Math.sin(0.23 * time) - position.x) / ROOM.x
    const y = (ROOST.y + 5 * Math.sin(0.31 * time + 1) - position.y) / ROOM.y
    const z = (ROOST.z + 16 * Math.cos(0.17 * time) - position.z) / ROOM.z
    const off = Math.hypot(x, y, z)
    if (off < 0.4) return
    const pull = (this.strength * maxForce * Math.min(1.5, (off - 0.4) ** 2)) / off
    out.force.x += x * pull
    out.force.y += y * pull
    out.force.z += z * pull
  }
}

/** The lake is cold. */
class StayAbove implements Behavior {
  steer({ position, maxForce }: Agent, _step: Step, out: Wrench): void {
    if (position.y < FLOOR) out.force.y += (2 * maxForce * (FLOOR - position.y)) / FLOOR
  }
}

/** Starlings above their roost at dusk, and the falcon that hunts them. */
export class Murmuration {
  readonly steering: SteeringWorld
  readonly flock: Flock
  readonly falcon: SteeringController
  readonly flocking = new Flocking({
    separation: { radius: 2.1, weight: 1 },
    alignment: { radius: 3.4, weight: 0.6, fieldOfView: 5.24 },
    cohesion: { radius: 3.6, weight: 0.55, fieldOfView: 5.24 },
  })
  readonly home = new StayNear()
  readonly #floor = new StayAbove()
  readonly flight = new Flight({ minSpeed: 8, bankWeight: 7 })
  readonly evade: Evade
  /** Times the falcon came within reach of the bird it was after. */
  strikes = 0
  /** Attacks begun. */
  stoops = 0
  readonly #random: () => number
  readonly #lookout: Vec3 = { x: 0, y: 0, z: 0 }
  #hunting = true
  #mark: SteeringController['position'] | null = null
  #until = 0

  constructor({ seed = 1, count = DEFAULT_BIRDS, view, falconView }: MurmurationOptions = {}) {
    this.#random = seeded(seed)
    this.steering = new SteeringWorld({ seed })
    this.falcon = new SteeringController(falconView ?? null, {
      name: 'falcon',
      behavior: new Wander(),
      locomotion: new Flight({ minSpeed: 12 }),
      maxSpeed: 24,
      maxForce: 34,
      radius: 0.6,
      position: { x: -70, y: 70, z: -30 },
      velocity: { x: 14, y: 0, z: 0 },
    })
    this.evade = new Evade({ threat: this.falcon, panicRadius: 10, maxTime: 0.4 })
    this.flock = this.steering.addFlock({
      name: 'starlings',
      count,
      ...(view ? { view } : {}),
      behavior: blend([
        { behavior: this.evade, weight: 1 },
        this.flocking,
        this.home,
        this.#floor,
        { behavior: new Wander({ jitter: 1.5 }), weight: 0.06 },
      ]),
      locomotion: this.flight,
      maxSpeed: 15,
      maxForce: 22,
      radius: 0.25,
      responseTime: 0.25,
      maxNeighbors: 7,
      spawn: (_, state) => this.#place(state),
    })
    this.steering.add(this.falcon)
    this.steering.addPlanner({ plan: () => this.#hunt() })
  }

  step(dt: number): void {
    this.steering.step(dt)
  }

  get hunting(): boolean {
    return this.#hunting
  }

  /** Sends the falcon away, or calls it back. */
  set hunting(on: boolean) {
    if (on === this.#hunting) return
    this.#hunting = on
    this.evade.panicRadius = on ? 10 : 1e-6
    if (on) this.steering.add(this.falcon)
    else this.steering.remove(this.falcon)
  }

  state(): Record<string, number | string> {
    const { flock } = this
    const position = { x: 0, y: 0, z: 0 }
    const velocity = { x: 0, y: 0, z: 0 }
    const heading = { x: 0, y: 0, z: 0 }
    const center = flock.center({ x: 0, y: 0, z: 0 })
    const mark = new Fingerprint()
    let speed = 0
    let spread = 0
    for (let index = 0; index < flock.size; index++) {
      flock.position(index, position)
      flock.velocity(index, velocity)
      mark.addVector(position)
      const pace = magnitude(velocity)
      speed += pace
      spread += distance(position, center)
      heading.x += velocity.x / (pace || 1)
      heading.y += velocity.y / (pace || 1)
      heading.z += velocity.z / (pace || 1)
    }
    const share = 1 / Math.max(1, flock.size)
    return {
      birds: flock.size,
      'mean speed': speed * share,
      order: magnitude(heading) * share,
      spread: spread * share,
      stoops: this.stoops,
      strikes: this.strikes,
      fingerprint: mark.toString(),
    }
  }

  /** A loose ball that already turns. */
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

  /** The falcon's mind: climb to a lookout, stoop on one bird, pull away, climb again. */
  #hunt(): void {
    const { falcon, flock, steering } = this
    if (!this.#hunting || flock.size === 0) return
    if (this.#mark) {
      const reached = distance(this.#mark, falcon.position) < 1
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
    this.#mark = null
    this.#until = this.steering.time + 8
    this.falcon.behavior = new Seek({ target: this.#lookout })
  }

  #stoop(): void {
    const quarry = this.flock.member(Math.floor(this.#random() * this.flock.size))
    this.#mark = quarry.position
    this.#until = this.steering.time + 7
    this.stoops++
    this.falcon.behavior = blend([new Pursue({ quarry, maxTime: 1 }), this.#floor])
  }
}
