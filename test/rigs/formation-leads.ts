import { type Quat, type Vec3, type Vec3Like } from 'three-steering'
import { type MovingFrame, axesQuat, seeded } from 'three-steering/authoring'
import { between, evenly, outer, plus, spinBetween, times, vec } from '../../demo/scenarios/vectors.js'
import { smootherStep } from '../../demo/scenarios/scalars.js'

/** Motions of a leader. All except `straight` climb and dive slightly. */
export const LEADS = ['straight', 'turn', 'climb', 'weave', 'speed-up', 'reverse', 'roll'] as const
export type LeadKind = (typeof LEADS)[number]

/** Time step of the integration of the path (s). */
const TIME_STEP = 1 / 480

/** Time at which `reverse` turns or `roll` begins to roll (s). */
export const MANOEUVRE = 14

/** Rates at a time: heading, climb and roll (rad/s), and speed (m/s). */
interface Rates {
  readonly turn: number
  readonly climb: number
  readonly roll: number
  readonly speed: number
}

/** A leader that moves on a smooth path given by formulas. No forces act on it. */
export class DrawnLeader implements MovingFrame {
  readonly position: Vec3
  readonly velocity: Vec3 = vec(0, 0, 0)
  readonly quaternion: Quat = { x: 0, y: 0, z: 0, w: 1 }
  readonly angularVelocity: Vec3 = vec(0, 0, 0)
  readonly forward: Vec3Like = vec(1, 0, 0)
  readonly up: Vec3Like = vec(0, 1, 0)
  /** Usual speed (m/s), and greatest turn rate (rad/s). */
  readonly pace: number
  readonly rate: number
  readonly #rates: (time: number) => Rates
  #ticks = 0
  #heading: number
  #climb = 0
  #roll = 0

  constructor(kind: LeadKind, seed: number) {
    const random = seeded(104_729 + 31 * seed + LEADS.indexOf(kind))
    this.position = vec(evenly(random, -20, 20), evenly(random, -20, 20), evenly(random, -20, 20))
    this.pace = between(random, 6, 14)
    this.rate = between(random, 0.15, 0.5)
    this.#heading = evenly(random, 0, 2 * Math.PI)
    this.#rates = ratesOf(kind, random, this.pace, this.rate)
    this.#show(0)
  }

  /** Simulated time (s). */
  get time(): number {
    return this.#ticks * TIME_STEP
  }

  /** Advances by `dt` seconds, a whole number of integration steps. */
  step(dt: number): void {
    for (let k = Math.round(dt / TIME_STEP); k > 0; k--) this.#fly()
    this.#show(dt)
  }

  #fly(): void {
    const { turn, climb, roll, speed } = this.#rates((this.#ticks + 0.5) * TIME_STEP)
    this.#ticks++
    this.#heading += turn * TIME_STEP
    this.#climb += climb * TIME_STEP
    this.#roll += roll * TIME_STEP
    Object.assign(this.position, plus(this.position, this.#ahead(), speed * TIME_STEP))
  }

  #ahead(): Vec3 {
    const flat = Math.cos(this.#climb)
    return vec(flat * Math.cos(this.#heading), Math.sin(this.#climb), -flat * Math.sin(this.#heading))
  }

  #show(dt: number): void {
    const before = { ...this.quaternion }
    const ahead = this.#ahead()
    Object.assign(this.velocity, times(ahead, this.#rates(this.time).speed))
    const starboard = vec(Math.sin(this.#heading), 0, Math.cos(this.#heading))
    const top = outer(starboard, ahead)
    const rolled = plus(times(top, Math.cos(this.#roll)), starboard, Math.sin(this.#roll))
    axesQuat(this.quaternion, ahead, rolled)
    if (dt > 0) Object.assign(this.angularVelocity, spinBetween(before, this.quaternion, dt))
  }
}

function ratesOf(kind: LeadKind, random: () => number, pace: number, rate: number): (t: number) => Rates {
  const wave = evenly(random, 0.5, 0.9) * rate
  const tilt = evenly(random, 0.05, 0.2)
  const usual = (t: number): Rates => ({
    turn: 0,
    climb: wave * tilt * Math.cos(wave * t),
    roll: 0,
    speed: pace,
  })
  const begun = (t: number, since: number, time: number): number => smootherStep((t - since) / time)
  if (kind === 'straight') return (t) => ({ ...usual(t), climb: 0 })
  if (kind === 'turn') return (t) => ({ ...usual(t), turn: rate * begun(t, 3, 3) })
  if (kind === 'climb')
    return (t) => ({
      ...usual(t),
      turn: 0.5 * rate * begun(t, 3, 3),
      climb: 0.5 * rate * Math.cos(0.6 * rate * t),
    })
  if (kind === 'weave') return (t) => ({ ...usual(t), turn: rate * Math.sin(0.7 * rate * t) })
  if (kind === 'speed-up')
    return (t) => ({
      ...usual(t),
      turn: 0.4 * rate,
      speed: pace * (0.3 + 0.7 * begun(t, 6, 6) - 0.5 * begun(t, 22, 6)),
    })
  if (kind === 'reverse') {
    // half a turn, a straight section, and half a turn back
    const time = Math.PI / rate
    const bump = (t: number): number => begun(t, 0, time / 3) * begun(-t, -1.5 * time, time / 3)
    const whole = 1.5 * time - time / 3
    return (t) => ({
      ...usual(t),
      turn: (Math.PI / whole) * (bump(t - MANOEUVRE) - bump(t - MANOEUVRE - 2 * time)),
    })
  }
  // a whole roll in a wide bend, with a gradual start and end
  const time = (2 * Math.PI) / Math.min(rate, 0.4)
  return (t) => ({
    ...usual(t),
    turn: 0.3 * rate,
    roll: (2 * Math.PI * 1.5 * begun(t, MANOEUVRE, time / 3) * begun(-t, -MANOEUVRE - time, time / 3)) / time,
  })
}
