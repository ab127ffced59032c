import {
  Flight,
  Hover,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type Locomotion,
  type Quat,
  type QuatLike,
  type Vec3,
} from 'three-steering'
import { type MovingFrame, seeded } from 'three-steering/authoring'
import { Refuel, type RefuelOptions } from 'three-steering/docking'
import { angleBetween } from '../../demo/scenarios/passage.js'
import {
  anyTurn,
  direction,
  evenly,
  minus,
  plus,
  times,
  turnAbout,
  turned,
  vec,
} from '../../demo/scenarios/vectors.js'

export type Receiver = 'hover' | 'thrusters' | 'flight'

export interface RefuelTrialOptions {
  readonly receiver?: Receiver
  readonly dt?: number
  /** Turn rate (rad/s) and climb (m/s) of the tanker. Default from the seed. */
  readonly turn?: number
  readonly climb?: number
  /** Sudden change of the tanker's velocity (m/s) during the contact. Default none. */
  readonly jerk?: number
  /** Time of contact at which that happens (s). Default 5. */
  readonly jerkAt?: number
  readonly refuel?: Partial<RefuelOptions>
  /** Wanted time of contact (s). Default 20. */
  readonly fill?: number
  readonly longest?: number
}

export interface RefuelResult {
  readonly seed: number
  /** Whether contact was kept for that time. */
  readonly filled: boolean
  /** Time until the first contact (s). */
  readonly time: number
  /** In contact: distance from the place (m), and angle from the attitude (rad). */
  readonly rms: number
  readonly worst: number
  readonly angle: number
  /** Greatest speed relative to the tanker on the last metre (m/s). */
  readonly closing: number
  readonly stages: readonly string[]
}

const OFFSET = { x: -12, y: -6, z: 0 }

/** An aircraft in a steady, banked, climbing turn. It may be pushed sideways. */
class CirclingTanker implements MovingFrame {
  readonly position: Vec3 = vec(0, 0, 0)
  readonly velocity: Vec3 = vec(0, 0, 0)
  readonly angularVelocity: Vec3
  readonly forward = vec(1, 0, 0)
  readonly up = vec(0, 1, 0)
  quaternion: Quat = { x: 0, y: 0, z: 0, w: 1 }
  readonly #speed: number
  readonly #climb: number
  #drift = vec(0, 0, 0)
  #time = 0

  constructor(speed: number, turn: number, climb: number) {
    this.#speed = speed
    this.#climb = climb
    this.angularVelocity = vec(0, turn, 0)
    this.move(0)
  }

  move(dt: number): void {
    this.#time += dt
    const turn = this.angularVelocity.y
    const heading = turnAbout(vec(0, 1, 0), turn * this.#time)
    // turn in the middle of the step for the position, at its end for the velocity
    const middle = turnAbout(vec(0, 1, 0), turn * (this.#time - dt / 2))
    const chord = Math.abs(turn * dt) > 1e-9 ? Math.sin((turn * dt) / 2) / ((turn * dt) / 2) : 1
    const own = vec(this.#speed, this.#climb, 0)
    const way = turned(middle, vec(this.#speed * chord, this.#climb, 0))
    Object.assign(this.position, plus(this.position, plus(way, this.#drift), dt))
    Object.assign(this.velocity, plus(turned(heading, own), this.#drift))
    const lean = turnAbout(vec(1, 0, 0), -Math.atan((turn * this.#speed) / 9.81))
    const pitch = turnAbout(vec(0, 0, 1), Math.atan2(this.#climb, this.#speed))
    this.quaternion = product(heading, product(pitch, lean))
  }

  /** Pushes the tanker sideways. */
  knock(speed: number): void {
    this.#drift = vec(0, speed, speed)
  }

  calm(): void {
    this.#drift = vec(0, 0, 0)
  }
}

/** `b`, then `a`. */
function product(a: QuatLike, b: QuatLike): Quat {
  const v = plus(plus(times(b, a.w), a, b.w), {
    x: a.y * b.z - a.z * b.y,
    y: a.z * b.x - a.x * b.z,
    z: a.x * b.y - a.y * b.x,
  })
  return { ...v, w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z }
}

const MASS = 8
const POWER = 20 // m/s²

function locomotionOf(receiver: Receiver): Locomotion {
  if (receiver === 'flight') return new Flight({ minSpeed: 20 })
  const ahead = MASS * POWER
  if (receiver === 'thrusters')
    return new Thrusters({
      ahead,
      astern: ahead / 2,
      up: ahead / 2,
      down: ahead / 2,
      port: ahead / 2,
      starboard: ahead / 2,
    })
  return new Hover()
}

/** A receiver comes from up to 300 m away, in any attitude, and refuels from a tanker in a climbing turn. */
export function flyRefuel(seed: number, options: RefuelTrialOptions = {}): RefuelResult {
  const random = seeded(seed)
  const { receiver = 'hover', dt = 1 / 60, fill = 20, longest = 180 } = options
  const { turn = evenly(random, -0.15, 0.15), climb = evenly(random, -4, 4), jerk = 0, jerkAt = 5 } = options
  const tanker = new CirclingTanker(evenly(random, 30, 45), turn, climb)
  const world = new SteeringWorld()
  const refuel = new Refuel({ target: tanker, offset: OFFSET, clearance: 9, ...options.refuel })
  const pilot = new SteeringController(null, {
    position: plus(tanker.position, direction(random), evenly(random, 60, 300)),
    velocity: plus(tanker.velocity, direction(random), 10),
    quaternion: anyTurn(random),
    mass: MASS,
    inertia: { x: 10, y: 10, z: 10 },
    maxForce: MASS * POWER,
    maxTorque: 20,
    maxTurnRate: 2,
    maxSpeed: 80,
    radius: 2,
    locomotion: locomotionOf(receiver),
    behavior: refuel,
  })
  world.add(pilot)
  const stages: string[] = []
  pilot.addEventListener('stage', ({ stage, reason }) =>
    stages.push(reason === '' ? stage : `${stage} (${reason})`),
  )
  let first = Infinity
  let sum = 0
  let count = 0
  let worst = 0
  let angle = 0
  let closing = 0
  let jerked = jerk > 0 ? 0 : -1
  for (let time = 0; time < longest && refuel.contactTime < fill; time += dt) {
    world.step(dt)
    tanker.move(dt)
    const spot = turned(tanker.quaternion, OFFSET)
    const off = minus(pilot.position, plus(tanker.position, spot))
    const away = Math.hypot(off.x, off.y, off.z)
    const swing = vec(tanker.angularVelocity.y * spot.z, 0, -tanker.angularVelocity.y * spot.x)
    const drift = minus(pilot.velocity, plus(tanker.velocity, swing))
    if (away < 1 && stages.at(-1) !== 'contact')
      closing = Math.max(closing, Math.hypot(drift.x, drift.y, drift.z))
    if (refuel.contactTime > 0) {
      first = Math.min(first, time)
      sum += away * away
      count++
      worst = Math.max(worst, away)
      const nose = turned(pilot.quaternion, vec(0, 0, 1))
      angle = Math.max(angle, angleBetween(nose, turned(tanker.quaternion, vec(1, 0, 0))))
    }
    if (jerked === 0 && refuel.contactTime > jerkAt) {
      jerked = time
      tanker.knock(jerk)
    } else if (jerked > 0 && time > jerked + 1) {
      jerked = -1
      tanker.calm()
    }
  }
  const filled = refuel.contactTime >= fill
  return { seed, filled, time: first, rms: Math.sqrt(sum / count), worst, angle, closing, stages }
}
