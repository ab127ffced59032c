import type { Agent, SnapshotState, Moving, Step, Vec3, Vec3Like } from '../../types.js'
import { isUsable } from '../../control/usable.js'
import { Memory } from '../../control/memory.js'
import { clamp } from '../../math/scalar.js'
import { addScaled, copy, dot, length, lengthSq, load, save, scale, set, sub, vec3 } from '../../math/vec3.js'

/** Time constant (s) of each lag. Shorter learns sooner, longer is steadier against what shakes. */
const LAG = 0.05

/** Numbers of the state of the lags. */
const LAGS_WIDTH = 12

/** Slower than this (m/s) there is no course, and so no turn; nor is one faster than this, rad/s, which no step could show. */
const AT_REST = 1e-9
const FASTEST_TURN = 100

/** The lags have forgotten how they began after this time, s: before it, a turn is taken for a circle. */
const SETTLED = 0.3

/** What was seen longer ago than this (s) counts less and less. */
const WINDOW = 0.4

/** Unseen for longer than this (s), a quarry is a stranger again. */
const UNSEEN = 0.25

/** A velocity that changes faster than this (1/s, of itself) did not turn, it jumped; and so it did by more than the share, at any step. */
const JUMP = 5
const JUMP_SHARE = 0.02

/** Farther off (s, at its own speed) than it can have come, it is another quarry. */
const ELSEWHERE = 0.25

/** A model that explains less than the first share of what is seen is not believed; from the second on it is believed wholly. */
const DOUBTED = 0.5
const CERTAIN = 0.9

/** An acceleration that fits no model is thought to last this long, s. */
const PUSH = 0.4

/** Bounds of β over ω: a swing that grows faster soon flies off to nowhere, one that fades faster hardly swings. */
const MOST_GROWTH = 0.3
const MOST_FADING = 1.2

// what is kept for each agent
const TIME = 0
const AGE = 1
const PLACE = 2
const SEEN = 5
// sums of products of a, a′ and a″
const AA = SEEN + LAGS_WIDTH
const AJ = SEEN + LAGS_WIDTH + 1
const JJ = SEEN + LAGS_WIDTH + 2
const AK = SEEN + LAGS_WIDTH + 3
const JK = SEEN + LAGS_WIDTH + 4
const KK = SEEN + LAGS_WIDTH + 5
const WIDTH = KK + 1

const change = vec3()
const filtered = vec3()
const filteredJerk = vec3()
const filteredSnap = vec3()

/**
 * What a quarry will do next, learnt from its velocity alone. Its acceleration is taken to swing: a″ = −β a′ − ω² a. A straight line, a
 * circle, a weave and a helix about any axis do that exactly with β = 0, a spiral nearly with some β: no kind of flight has to be told
 * apart, and the mean of a weave comes out as its course. The velocity passes three lags (a state-variable filter), after which a, a′
 * and a″ are mere differences. The model is linear, so the lags change nothing about β and ω, and once these are known the delay is
 * undone exactly. Both are the least squares fit over the recent past; the share of a″ that it explains says how far it is believed.
 */
export class MotionModel {
  /** Speed of the quarry, m/s. */
  speed = 0
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]
  // the quarry looked at last: state, part of the acceleration that swings, and that which dies away
  private readonly position: Vec3 = vec3()
  private readonly velocity: Vec3 = vec3()
  private readonly acceleration: Vec3 = vec3()
  private readonly jerk: Vec3 = vec3()
  private readonly push: Vec3 = vec3()
  /** ω², 1/s². */
  private square = 0
  /** β, 1/s. */
  private damping = 0

  /** Looks at `quarry`, once per step. Then {@link at} tells where it will be. */
  update(agent: Agent, quarry: Moving, step: Step): void {
    copy(this.position, quarry.position)
    copy(this.velocity, quarry.velocity)
    isUsable(agent, 'target', this.position)
    isUsable(agent, 'velocity of the target', this.velocity)
    this.speed = length(quarry.velocity)
    const at = this.memory.at(agent)
    const { data, fresh } = this.memory
    const elapsed = step.time - data[at + TIME]!
    const lost = fresh || !(elapsed >= 0 && elapsed <= Math.max(UNSEEN, 1.5 * step.dt))
    if (lost || this.jumped(at, elapsed)) {
      data.fill(0, at, at + WIDTH)
      save(this.velocity, data, at + SEEN)
    } else if (elapsed > 0) this.learn(at, elapsed)
    data[at + TIME] = step.time
    save(quarry.position, data, at + PLACE)
    this.understand(at)
  }

  /** Where the quarry will be in `time` seconds, m. */
  at(out: Vec3, time: number): Vec3 {
    const { acceleration, damping, jerk, position, push, square, velocity } = this
    addScaled(out, position, velocity, time)
    addScaled(out, out, push, PUSH * (time + PUSH * Math.expm1(-time / PUSH)))
    if (square * time * time < 1e-4) {
      addScaled(out, out, acceleration, (time * time) / 2)
      return addScaled(out, out, jerk, (time * time * time) / 6)
    }
    // a and a′ in closed form; v and the way from a′ + βa + ω²(v − c) = 0, which the model is the derivative of, and its integral
    const half = damping / 2
    const rate = Math.sqrt(square - half * half)
    const fade = Math.exp(-half * time)
    const cosine = fade * Math.cos(rate * time)
    const sine = (fade * Math.sin(rate * time)) / rate
    const swing = cosine + half * sine - 1
    const speed = sine - (damping * swing) / square
    addScaled(out, out, acceleration, (damping * (time - speed) - swing) / square)
    const speedByJerk = (1 - cosine - half * sine) / square
    return addScaled(out, out, jerk, (time - sine - damping * speedByJerk) / square)
  }

  private jumped(at: number, elapsed: number): boolean {
    const { data } = this.memory
    load(change, data, at + SEEN)
    const size = length(change) + this.speed
    sub(change, this.velocity, change)
    if (!(length(change) <= size * Math.max(JUMP_SHARE, JUMP * elapsed))) return true
    load(change, data, at + PLACE)
    sub(change, this.position, change)
    return !(length(change) <= size * (elapsed + ELSEWHERE))
  }

  private learn(at: number, elapsed: number): void {
    const { data } = this.memory
    const { velocity } = this
    if (data[at + AGE] === 0) startLags(data, at + SEEN, velocity, elapsed)
    else passLags(data, at + SEEN, velocity, elapsed)
    data[at + AGE]! += elapsed
    if (data[at + AGE]! < SETTLED) return
    readLags(data, at + SEEN, filtered, filteredJerk, filteredSnap)
    const keep = Math.exp(-elapsed / WINDOW)
    for (let k = AA; k <= KK; k++) data[at + k]! *= keep
    data[at + AA]! += elapsed * lengthSq(filtered)
    data[at + AJ]! += elapsed * dot(filtered, filteredJerk)
    data[at + JJ]! += elapsed * lengthSq(filteredJerk)
    data[at + AK]! += elapsed * dot(filtered, filteredSnap)
    data[at + JK]! += elapsed * dot(filteredJerk, filteredSnap)
    data[at + KK]! += elapsed * lengthSq(filteredSnap)
  }

  private understand(at: number): void {
    const { acceleration, jerk, push, velocity } = this
    const { data } = this.memory
    const age = data[at + AGE]!
    this.square = this.damping = 0
    set(acceleration, 0, 0, 0)
    set(jerk, 0, 0, 0)
    set(push, 0, 0, 0)
    if (!(age > 0)) return
    readLags(data, at + SEEN, filtered, filteredJerk, filteredSnap)
    if (age < SETTLED) {
      if (!(this.speed > AT_REST)) return
      addScaled(acceleration, filtered, filteredJerk, 3 * LAG)
      this.square = circleRateSq(velocity, acceleration)
      scale(jerk, velocity, -this.square)
      addScaled(acceleration, acceleration, velocity, -dot(acceleration, velocity) / (this.speed * this.speed))
      return
    }
    const belief = this.fit(at)
    scale(push, filtered, 1 - belief)
    copy(acceleration, filtered)
    copy(jerk, filteredJerk)
    // undoes the three lags, 1 + τ d/dt each
    for (let lag = 0; lag < 3; lag++) {
      copy(change, acceleration)
      addScaled(acceleration, acceleration, jerk, LAG)
      scale(jerk, jerk, 1 - LAG * this.damping)
      addScaled(jerk, jerk, change, -LAG * this.square)
    }
    scale(acceleration, acceleration, belief)
    scale(jerk, jerk, belief)
  }

  /** Least squares for a″ = −β a′ − ω² a. Returns how far it is to be believed, 0 … 1. */
  private fit(at: number): number {
    const { data } = this.memory
    const aa = data[at + AA]!
    const aj = data[at + AJ]!
    const jj = data[at + JJ]!
    const ak = data[at + AK]!
    const jk = data[at + JK]!
    const kk = data[at + KK]!
    const det = aa * jj - aj * aj
    // where a and a′ tell the same, there is no second number to be had
    const both = det > 1e-3 * aa * jj
    const square = both ? (aj * jk - jj * ak) / det : -ak / aa
    if (!(square > 0 && square < FASTEST_TURN * FASTEST_TURN && kk > 0)) return 0
    const rate = Math.sqrt(square)
    const damping = both ? clamp((aj * ak - aa * jk) / det, -MOST_GROWTH * rate, MOST_FADING * rate) : 0
    const ofA = square * (square * aa + 2 * ak + 2 * damping * aj)
    const left = kk + ofA + damping * (damping * jj + 2 * jk)
    this.square = square
    this.damping = damping
    return clamp((1 - left / kk - DOUBTED) / (CERTAIN - DOUBTED), 0, 1)
  }
}

/**
 * A state-variable filter: a vector passes three lags in a row, and what comes out is its first, second and third derivative, smoothed, by
 * mere differences, at any step length. Its state is `LAGS_WIDTH` numbers of somebody's array: the last input and the three outputs.
 */

const FIRST = 3
const SECOND = 6
const THIRD = 9

const rate1 = vec3()
const rate2 = vec3()
const output = vec3()
const turn = vec3()

/** Fills the lags as if a velocity that was `data` and is `input` now, `elapsed` s later, belonged to a circle always flown: little to forget. */
function startLags(data: Float64Array, at: number, input: Vec3Like, elapsed: number): void {
  load(turn, data, at)
  scale(turn, sub(turn, input, turn), 1 / elapsed)
  const square = circleRateSq(input, turn)
  const k = 1 / (1 + LAG * LAG * square)
  copy(rate1, input)
  save(input, data, at)
  for (let lag = FIRST; lag <= THIRD; lag += 3) {
    copy(rate2, rate1)
    scale(rate1, addScaled(rate1, rate1, turn, -LAG), k)
    scale(turn, addScaled(turn, turn, rate2, LAG * square), k)
    save(rate1, data, at + lag)
  }
}

/** Sends the next input through the lags. */
function passLags(data: Float64Array, at: number, input: Vec3Like, elapsed: number): void {
  const keep = Math.exp(-elapsed / LAG)
  passOne(data, at, input.x, elapsed, keep)
  passOne(data, at + 1, input.y, elapsed, keep)
  passOne(data, at + 2, input.z, elapsed, keep)
  save(input, data, at)
}

/** One component. Each lag answers a straight line from its last input to the new one exactly. */
function passOne(data: Float64Array, at: number, input: number, elapsed: number, keep: number): void {
  let before = data[at]!
  let after = input
  for (let lag = FIRST; lag <= THIRD; lag += 3) {
    const behind = (LAG * (after - before)) / elapsed
    const old = data[at + lag]!
    data[at + lag] = after - behind + (old - before + behind) * keep
    before = old
    after = data[at + lag]!
  }
}

/** Writes the derivatives of the third output: acceleration, jerk and snap of a velocity. */
function readLags(data: Float64Array, at: number, acceleration: Vec3, jerk: Vec3, snap: Vec3): void {
  lead(rate1, load(turn, data, at), load(output, data, at + FIRST))
  lead(rate2, output, load(turn, data, at + SECOND))
  lead(acceleration, turn, load(output, data, at + THIRD))
  lead(turn, rate1, rate2)
  lead(jerk, rate2, acceleration)
  lead(snap, turn, jerk)
}

/** ω² (1/s²) of the circle that a thing with this velocity and acceleration flies. */
function circleRateSq(velocity: Vec3Like, acceleration: Vec3Like): number {
  const sq = lengthSq(velocity)
  if (!(sq > AT_REST * AT_REST)) return 0
  const along = dot(velocity, acceleration) / sq
  return clamp(lengthSq(acceleration) / sq - along * along, 0, FASTEST_TURN * FASTEST_TURN)
}

/** Rate at which a lag with this input and output moves. */
function lead(out: Vec3, input: Vec3Like, result: Vec3Like): Vec3 {
  return scale(out, sub(out, input, result), 1 / LAG)
}
