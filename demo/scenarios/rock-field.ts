import { type Quat, type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { direction, evenly, turnFromY, turned, vec } from './vectors.js'

/** Half sizes of the field (m). */
export const FIELD = { x: 64, y: 27, z: 42 }
export const DEFAULT_ROCKS = 300

const SMALLEST = 1.1 // m
const LARGEST = 7
/** Least gap between two rocks (m). */
const GAP = 0.8
/** Largest drift radius (m), and speed of the drift (m/s). */
const DRIFT = 2.2
const PACE = 1.3

/** A rock that rotates, and drifts on a small circle about its home. `AvoidObstacles` can follow it. */
export interface DriftingRock {
  readonly radius: number
  readonly position: Vec3
  readonly quaternion: Quat
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
}

interface Drift {
  readonly home: Vec3Like
  /** Axes of the circle (m). */
  readonly u: Vec3Like
  readonly v: Vec3Like
  /** Angular rate of the drift (rad/s) and its phase (rad). */
  readonly rate: number
  readonly phase: number
  readonly axis: Vec3Like
  readonly spin: number
}

/** Several hundred rocks that never touch each other. Their positions are a function of time. */
export class RockField {
  readonly rocks: readonly DriftingRock[]
  readonly #drifts: readonly Drift[]

  constructor(seed: number, count = DEFAULT_ROCKS) {
    const random = seeded(seed)
    const drifts: Drift[] = []
    const rocks: DriftingRock[] = []
    const reaches: number[] = []
    for (let tries = 0; rocks.length < count && tries < 200 * count; tries++) {
      // a few large rocks, placed first, while there is space
      const share = 1 - rocks.length / count
      const radius =
        SMALLEST + (LARGEST - SMALLEST) * share ** 5 * (0.7 + 0.3 * random()) + 1.2 * random() ** 2
      const swing = DRIFT * (0.3 + 0.7 * random()) * (1 - 0.6 * share ** 5)
      const home = vec(
        evenly(random, -FIELD.x, FIELD.x),
        evenly(random, -FIELD.y, FIELD.y),
        evenly(random, -FIELD.z, FIELD.z),
      )
      const reach = radius + swing
      const crowded = drifts.some(({ home: { x, y, z } }, i) => {
        const least = reach + reaches[i]! + GAP
        return (x - home.x) ** 2 + (y - home.y) ** 2 + (z - home.z) ** 2 < least * least
      })
      if (crowded) continue
      const turn = turnFromY(direction(random))
      drifts.push({
        home,
        u: turned(turn, vec(swing, 0, 0)),
        v: turned(turn, vec(0, 0, swing)),
        rate: ((random() < 0.5 ? -1 : 1) * PACE * (0.4 + 0.6 * random())) / (swing + 0.5),
        phase: 2 * Math.PI * random(),
        axis: direction(random),
        spin: (0.1 + 0.5 * random()) / Math.sqrt(radius),
      })
      reaches.push(reach)
      rocks.push({
        radius,
        position: vec(home.x, home.y, home.z),
        quaternion: { x: 0, y: 0, z: 0, w: 1 },
        velocity: vec(0, 0, 0),
        angularVelocity: vec(0, 0, 0),
      })
    }
    this.rocks = rocks
    this.#drifts = drifts
    this.place(0)
  }

  /** Moves all rocks to their positions at a time (s). */
  place(time: number): void {
    for (let i = 0; i < this.rocks.length; i++) {
      const { position, velocity, quaternion, angularVelocity } = this.rocks[i]!
      const { home, u, v, rate, phase, axis, spin } = this.#drifts[i]!
      const c = Math.cos(rate * time + phase)
      const s = Math.sin(rate * time + phase)
      // not by a function for all four: V8 boxes what is written into objects of several kinds
      position.x = home.x + c * u.x + s * v.x
      position.y = home.y + c * u.y + s * v.y
      position.z = home.z + c * u.z + s * v.z
      velocity.x = rate * (c * v.x - s * u.x)
      velocity.y = rate * (c * v.y - s * u.y)
      velocity.z = rate * (c * v.z - s * u.z)
      angularVelocity.x = spin * axis.x
      angularVelocity.y = spin * axis.y
      angularVelocity.z = spin * axis.z
      const half = (spin * time + phase) / 2
      const k = Math.sin(half)
      quaternion.x = k * axis.x
      quaternion.y = k * axis.y
      quaternion.z = k * axis.z
      quaternion.w = Math.cos(half)
    }
  }
}
