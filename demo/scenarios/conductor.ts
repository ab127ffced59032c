import { type Quat, type Vec3, type Vec3Like } from 'three-steering'
import { type MovingFrame, axesQuat } from 'three-steering/authoring'
import type { DisplayLine, Twist } from './display-line.js'
import { inner, minus, outer, plus, spinBetween, times, turnAbout, turned, unit, vec } from './vectors.js'

/** Spacing of the samples (m). */
const SAMPLE_SPACING = 10
/** Length over which the bank into a turn is smoothed, before and after (m): 2 s of flight. */
const SMOOTHING_LENGTH = 160
/** A line counts as straight within this cosine. */
const STRAIGHT_COSINE = 0.98
/** Gravity (m/s²). */
const GRAVITY = 9.81

/** Sample of the line, at equal distances: position, and the top direction of the formation without rolls. */
interface Sample {
  readonly at: Vec3
  readonly top: Vec3
  /** Additional roll of the programme (rad). */
  readonly roll: number
}

/**
 * Invisible leader of the formation. It moves along the line at constant speed, with its top where an
 * aircraft would pull to, and banks into turns gradually. It has no body and no forces. The members are
 * steered to their slots around it.
 */
export class Conductor implements MovingFrame {
  readonly position: Vec3 = vec(0, 0, 0)
  readonly velocity: Vec3 = vec(0, 0, 0)
  readonly quaternion: Quat = { x: 0, y: 0, z: 0, w: 1 }
  readonly angularVelocity: Vec3 = vec(0, 0, 0)
  /** The quaternion uses steering axes. */
  readonly forward: Vec3Like = vec(1, 0, 0)
  readonly up: Vec3Like = vec(0, 1, 0)
  /** Length of a lap (m). */
  readonly lap: number
  readonly #samples: readonly Sample[]
  readonly #speed: number
  /** Whether it rolls where the programme says so. A change during a roll takes effect with the next one. */
  rolls = true
  #rolling = true
  #extra: Twist = { from: -1, length: 1, turns: 0 }
  /** Distance covered since the start of the first lap, in samples. */
  #gone: number

  /** @param speed Speed (m/s). @param from Station on the line where it begins (m). */
  constructor(line: DisplayLine, speed: number, from: number) {
    this.#speed = speed
    this.lap = line.length
    this.#samples = samplesOf(line, speed)
    this.#gone = (from / line.length) * this.#samples.length
    this.#show()
  }

  /** Distance covered (m). */
  get place(): number {
    return (this.#gone / this.#samples.length) * this.lap
  }

  /** Whether the next `length` metres are straight and without a roll. */
  straight(length: number): boolean {
    const last = Math.ceil((length / this.lap) * this.#samples.length)
    const first = Math.floor(this.#gone)
    const here = sampleAt(this.#samples, first)
    const ahead = unit(minus(sampleAt(this.#samples, first + 1).at, here.at))
    for (let k = 1; k <= last; k++) {
      const { at, roll, top } = sampleAt(this.#samples, first + k)
      const step = minus(sampleAt(this.#samples, first + k + 1).at, at)
      if (inner(unit(step), ahead) < STRAIGHT_COSINE || inner(top, here.top) < STRAIGHT_COSINE) return false
      if (this.#rolling && Math.abs(roll - here.roll) > 1e-9) return false
    }
    return true
  }

  step(dt: number): void {
    const before = { ...this.quaternion }
    const { x, y, z } = this.#blend(this.#gone, 'at', slopes)
    this.#gone += (this.#speed * dt) / Math.hypot(x, y, z)
    this.#show()
    if (dt > 0) Object.assign(this.angularVelocity, spinBetween(before, this.quaternion, dt))
  }

  #show(): void {
    const ahead = unit(this.#blend(this.#gone, 'at', slopes))
    const { roll: due } = sampleAt(this.#samples, Math.floor(this.#gone))
    if (Math.abs(Math.sin(due / 2)) < 1e-9) this.#rolling = this.rolls
    const level = this.#blend(this.#gone, 'top', weights)
    const roll = (this.#rolling ? this.#roll() : 0) + this.#extraRoll()
    const top = turned(turnAbout(ahead, roll), level)
    const side = unit(outer(ahead, top))
    Object.assign(this.position, this.#blend(this.#gone, 'at', weights))
    Object.assign(this.velocity, times(ahead, this.#speed))
    axesQuat(this.quaternion, ahead, outer(side, ahead))
  }

  /** Rolls once over the next `length` metres. Does nothing during such a roll. */
  roll(length: number): void {
    if (this.place < this.#extra.from + this.#extra.length) return
    this.#extra = { from: this.place, length, turns: 1 }
  }

  #extraRoll(): number {
    const { from, length, turns } = this.#extra
    return 2 * Math.PI * turns * steady((this.place - from) / length)
  }

  /** Roll of the programme (rad). */
  #roll(): number {
    const first = Math.floor(this.#gone) - 1
    const start = sampleAt(this.#samples, first).roll
    return weights(this.#gone - first - 1).reduce((sum, share, k) => {
      const { roll } = sampleAt(this.#samples, first + k)
      // ignore whole turns
      return sum + share * (roll - 2 * Math.PI * Math.round((roll - start) / (2 * Math.PI)))
    }, 0)
  }

  /** Cubic B-spline over four consecutive samples, or its derivative, depending on `shares`. */
  #blend(gone: number, what: 'at' | 'top', shares: (t: number) => readonly number[]): Vec3 {
    const first = Math.floor(gone) - 1
    return shares(gone - first - 1).reduce(
      (sum, share, k) => plus(sum, sampleAt(this.#samples, first + k)[what], share),
      vec(0, 0, 0),
    )
  }
}

function samplesOf(line: DisplayLine, speed: number): Sample[] {
  const points = spaced(line)
  const gap = line.length / points.length
  const pulls = points.map((at, k) => {
    const bend = plus(plus(sampleAt(points, k - 1), sampleAt(points, k + 1)), at, -2)
    return plus(times(bend, (speed / gap) ** 2), vec(0, GRAVITY, 0))
  })
  const reach = Math.round(SMOOTHING_LENGTH / gap)
  return points.map((at, k) => {
    let pull = vec(0, 0, 0)
    for (let j = -reach; j <= reach; j++)
      pull = plus(pull, sampleAt(pulls, k + j), 1 + Math.cos((Math.PI * j) / reach))
    const ahead = unit(minus(sampleAt(points, k + 1), sampleAt(points, k - 1)))
    const top = unit(plus(pull, ahead, -inner(pull, ahead)))
    return { at, top, roll: twistAt(line, k * gap) }
  })
}

/** The points of the line at equal distances. */
function spaced({ length, points }: DisplayLine): Vec3[] {
  const count = Math.round(length / SAMPLE_SPACING)
  const found: Vec3[] = []
  let gone = 0
  for (let k = 0; k < points.length && found.length < count; k++) {
    const from = points[k]!
    const step = minus(points[(k + 1) % points.length]!, from)
    const distance = Math.hypot(step.x, step.y, step.z)
    while (found.length < count && (found.length / count) * length <= gone + distance)
      found.push(plus(from, step, ((found.length / count) * length - gone) / distance))
    gone += distance
  }
  return found
}

/** Roll of the programme at a station (rad). */
function twistAt({ twists }: DisplayLine, place: number): number {
  return twists.reduce(
    (sum, { from, length, turns }) => sum + 2 * Math.PI * turns * steady((place - from) / length),
    0,
  )
}

/** From 0 to 1 at a constant rate, with smooth ends. */
function steady(t: number): number {
  const ramp = 0.25
  const sum = (u: number): number => {
    // integral of a rate that rises smoothly to 1 during `ramp`
    const v = Math.min(1, u / ramp)
    return ramp * v * v * v * (1 - v / 2) + Math.max(0, u - ramp)
  }
  const whole = 1 - ramp
  const at = Math.min(1, Math.max(0, t))
  return at < 0.5 ? sum(at) / whole : 1 - sum(1 - at) / whole
}

function sampleAt<T>(samples: readonly T[], k: number): T {
  return samples[((k % samples.length) + samples.length) % samples.length]!
}

function weights(t: number): readonly number[] {
  const [s, u, v] = [1 - t, t * t, t * t * t]
  return [(s * s * s) / 6, (3 * v - 6 * u + 4) / 6, (-3 * v + 3 * u + 3 * t + 1) / 6, v / 6]
}

/** Derivatives of the weights. */
function slopes(t: number): readonly number[] {
  const s = 1 - t
  return [(-s * s) / 2, (3 * t * t - 4 * t) / 2, (-3 * t * t + 2 * t + 1) / 2, (t * t) / 2]
}
