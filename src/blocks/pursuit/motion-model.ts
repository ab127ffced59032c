import type { Agent, SnapshotState, Moving, Step, Vec3, Vec3Like } from '../../core/types.js'
import { isUsable } from '../../core/control/usable.js'
import { Memory } from '../../core/control/memory.js'
import { clamp } from '../../core/math/scalar.js'
import {
  addScaled,
  copy,
  dot,
  length,
  lengthSq,
  load,
  save,
  scale,
  set,
  sub,
  vec3,
} from '../../core/math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Time constant of each lag (s). Shorter learns sooner, longer is less sensitive to jitter. */
const LAG = 0.05

/** Numbers that store the state of the lags. */
const LAGS_WIDTH = 12

/** Below this speed (m/s) a target has no course and no turn. */
const AT_REST = 1e-9
/** Turns are limited to this rate (rad/s), beyond what steps can show. */
const FASTEST_TURN = 100

/** After this time (s) the lags no longer depend on their start. Before it, a turn is taken for a circle. */
const SETTLED = 0.3

/** Time constant with which old observations lose weight (s). Longer: changes show later, jitter less. */
const WINDOW = 0.4

/** After a longer gap in the observations (s) the model starts anew. */
const MAX_GAP = 0.25

/** A velocity that changes faster than this (1/s, relative to itself) has jumped: the model starts anew. */
const JUMP = 5
/** A change of less than this share of the velocity in one step is no jump. */
const JUMP_SHARE = 0.02

/** A position farther off than the target can move, plus its way in this time (s), is of another one. */
const JUMP_TIME = 0.25

/** Share of the observed motion that a trusted model must explain. Larger: fewer turns are predicted. */
const NO_TRUST = 0.5
/** Share from which on it is trusted fully. */
const FULL_TRUST = 0.9

/** Least time (s) for which an acceleration that fits no model is expected to last. Larger: bolder. */
const FADE_TIME = 0.4
/**
 * A steady one is expected to last as long as it would take to change at the rate observed, but at most this
 * many times as long as it has been observed.
 */
const FADE_AGES = 3

/** Upper bound of −β over ω. An oscillation that grows faster would soon predict absurd positions. */
const MAX_GROWTH = 0.3
/** Upper bound of β over ω. An oscillation that fades faster hardly oscillates. */
const MAX_FADING = 1.2

// Offsets of the numbers that are stored for each agent.
const TIME = 0
const AGE = 1
const POSITION = 2
const FILTER = 5
// Sums of products of a, a′ and a″.
const AA = FILTER + LAGS_WIDTH
const AJ = FILTER + LAGS_WIDTH + 1
const JJ = FILTER + LAGS_WIDTH + 2
const AK = FILTER + LAGS_WIDTH + 3
const JK = FILTER + LAGS_WIDTH + 4
const KK = FILTER + LAGS_WIDTH + 5
const WIDTH = KK + 1

const change = vec3()
const filtered = vec3()
const filteredJerk = vec3()
const filteredSnap = vec3()

/**
 * Predicts the motion of a target from its velocity alone. Its acceleration is modelled as an oscillation: a″
 * = −β a′ − ω² a. Straight lines, circles, weaves and helices about any axis satisfy this exactly with β = 0,
 * spirals nearly with some β. So no kind of flight needs a case of its own, and of a weave the mean comes out
 * as its course. The velocity passes three lags (a state-variable filter), after which a, a′ and a″ are mere
 * differences. The model is linear, so the lags change neither β nor ω, and once these are known the delay is
 * removed exactly. Both are least-squares fits over the recent past. The share of a″ that they explain says
 * how far they are trusted.
 */
export class MotionModel {
  /** Speed of the target (m/s). */
  speed = 0
  private readonly memory = new Memory(WIDTH, [POSITION])
  readonly state: SnapshotState = [this.memory]
  // The last target: its state, the oscillating part of its acceleration with its jerk, and the part that
  // fades away.
  private readonly position: Vec3 = vec3()
  private readonly velocity: Vec3 = vec3()
  private readonly acceleration: Vec3 = vec3()
  private readonly jerk: Vec3 = vec3()
  private readonly fading: Vec3 = vec3()
  private fadeTime = FADE_TIME
  /** Time (s) from now at which it ends. */
  private endTime = Infinity
  /** ω², 1/s². */
  private rateSq = 0
  /** β, 1/s. */
  private damping = 0
  private readonly guesses: boolean

  /** @param guesses whether a turn is taken for a circle until more is known; else for no turn at all. */
  constructor(guesses = true) {
    this.guesses = guesses
  }

  /** Updates the model of `target`, once per step. Then {@link positionAt} predicts its position. */
  update(agent: Agent, target: Moving, step: Step): void {
    copy(this.position, target.position)
    copy(this.velocity, target.velocity)
    isUsable(agent, 'target', this.position)
    isUsable(agent, 'velocity of the target', this.velocity)
    this.speed = length(target.velocity)
    const offset = this.memory.at(agent)
    const { data, fresh } = this.memory
    const elapsed = step.time - data[offset + TIME]!
    const lost = fresh || !(elapsed >= 0 && elapsed <= Math.max(MAX_GAP, 1.5 * step.dt))
    if (lost || this.jumped(offset, elapsed)) {
      data.fill(0, offset, offset + WIDTH)
      save(this.velocity, data, offset + FILTER)
    } else if (elapsed > 0) this.learn(offset, elapsed)
    data[offset + TIME] = step.time
    save(target.position, data, offset + POSITION)
    this.updateModel(offset)
  }

  /** Ends an acceleration of no model at a speed of `most` (m/s). To be called after each update. */
  limitSpeed(most: number): void {
    const { fading, fadeTime, velocity } = this
    const gain = lengthSq(fading) * fadeTime * fadeTime
    const along = dot(velocity, fading) * fadeTime
    // |velocity + share · gain| = most
    const root = along * along + gain * (most * most - lengthSq(velocity))
    const share = root > 0 ? (Math.sqrt(root) - along) / gain : 0
    if (share < 1) this.endTime = -fadeTime * Math.log1p(-Math.max(share, 0))
  }

  /** Writes the predicted position of the target after `time` seconds (m). */
  positionAt(out: Vec3, time: number): Vec3 {
    const { acceleration, damping, fadeTime, jerk, position, fading, rateSq, velocity } = this
    addScaled(out, position, velocity, time)
    const ahead = Math.min(time, this.endTime)
    const gained = -fadeTime * Math.expm1(-ahead / fadeTime)
    addScaled(out, out, fading, fadeTime * (ahead - gained) + gained * (time - ahead))
    if (rateSq * time * time < 1e-4) {
      addScaled(out, out, acceleration, (time * time) / 2)
      return addScaled(out, out, jerk, (time * time * time) / 6)
    }
    // a and a′ in closed form. The velocity follows from a′ + βa + ω²(v − c) = 0, whose derivative is the
    // model, and the position from its integral.
    const half = damping / 2
    const rate = Math.sqrt(rateSq - half * half)
    const fade = Math.exp(-half * time)
    const cosine = fade * Math.cos(rate * time)
    const sine = (fade * Math.sin(rate * time)) / rate
    const swing = cosine + half * sine - 1
    const speed = sine - (damping * swing) / rateSq
    addScaled(out, out, acceleration, (damping * (time - speed) - swing) / rateSq)
    const speedByJerk = (1 - cosine - half * sine) / rateSq
    return addScaled(out, out, jerk, (time - sine - damping * speedByJerk) / rateSq)
  }

  /** Writes the acceleration of the target (m/s²). */
  accelerationAt(out: Vec3): Vec3 {
    return addScaled(out, this.acceleration, this.fading, 1)
  }

  private jumped(offset: number, elapsed: number): boolean {
    const { data } = this.memory
    load(change, data, offset + FILTER)
    const size = length(change) + this.speed
    sub(change, this.velocity, change)
    if (!(length(change) <= size * Math.max(JUMP_SHARE, JUMP * elapsed))) return true
    load(change, data, offset + POSITION)
    sub(change, this.position, change)
    return !(length(change) <= size * (elapsed + JUMP_TIME))
  }

  private learn(offset: number, elapsed: number): void {
    const { data } = this.memory
    const { velocity } = this
    if (data[offset + AGE] === 0) startLags(data, offset + FILTER, velocity, elapsed)
    else passLags(data, offset + FILTER, velocity, elapsed)
    data[offset + AGE]! += elapsed
    if (data[offset + AGE]! < SETTLED) return
    readLags(data, offset + FILTER, filtered, filteredJerk, filteredSnap)
    const decay = Math.exp(-elapsed / WINDOW)
    for (let k = AA; k <= KK; k++) data[offset + k]! *= decay
    data[offset + AA]! += elapsed * lengthSq(filtered)
    data[offset + AJ]! += elapsed * dot(filtered, filteredJerk)
    data[offset + JJ]! += elapsed * lengthSq(filteredJerk)
    data[offset + AK]! += elapsed * dot(filtered, filteredSnap)
    data[offset + JK]! += elapsed * dot(filteredJerk, filteredSnap)
    data[offset + KK]! += elapsed * lengthSq(filteredSnap)
  }

  private updateModel(offset: number): void {
    const { acceleration, jerk, fading, velocity } = this
    const { data } = this.memory
    const age = data[offset + AGE]!
    this.rateSq = this.damping = 0
    this.endTime = Infinity
    set(acceleration, 0, 0, 0)
    set(jerk, 0, 0, 0)
    set(fading, 0, 0, 0)
    if (!(age > 0)) return
    readLags(data, offset + FILTER, filtered, filteredJerk, filteredSnap)
    if (age < SETTLED) {
      if (!(this.guesses && this.speed > AT_REST)) return
      addScaled(acceleration, filtered, filteredJerk, 3 * LAG)
      this.rateSq = circleRateSq(velocity, acceleration)
      scale(jerk, velocity, -this.rateSq)
      addScaled(
        acceleration,
        acceleration,
        velocity,
        -dot(acceleration, velocity) / (this.speed * this.speed),
      )
      return
    }
    const trust = this.fit(offset)
    const steady = Math.sqrt(data[offset + AA]! / Math.max(data[offset + JJ]!, 1e-300))
    this.fadeTime = Math.max(FADE_TIME, Math.min(steady, FADE_AGES * age))
    scale(fading, filtered, 1 - trust)
    copy(acceleration, filtered)
    copy(jerk, filteredJerk)
    // Undoes the three lags, 1 + τ d/dt each.
    for (let lag = 0; lag < 3; lag++) {
      copy(change, acceleration)
      addScaled(acceleration, acceleration, jerk, LAG)
      scale(jerk, jerk, 1 - LAG * this.damping)
      addScaled(jerk, jerk, change, -LAG * this.rateSq)
    }
    scale(acceleration, acceleration, trust)
    scale(jerk, jerk, trust)
  }

  /** Least squares for a″ = −β a′ − ω² a. Returns how far the fit is trusted, 0 … 1. */
  private fit(offset: number): number {
    const { data } = this.memory
    const aa = data[offset + AA]!
    const aj = data[offset + AJ]!
    const jj = data[offset + JJ]!
    const ak = data[offset + AK]!
    const jk = data[offset + JK]!
    const kk = data[offset + KK]!
    const det = aa * jj - aj * aj
    // If a and a′ are almost parallel, only one number can be fitted.
    const both = det > 1e-3 * aa * jj
    const rateSq = both ? (aj * jk - jj * ak) / det : -ak / aa
    if (!(rateSq > 0 && rateSq < FASTEST_TURN * FASTEST_TURN && kk > 0)) return 0
    const rate = Math.sqrt(rateSq)
    const damping = both ? clamp((aj * ak - aa * jk) / det, -MAX_GROWTH * rate, MAX_FADING * rate) : 0
    const ofA = rateSq * (rateSq * aa + 2 * ak + 2 * damping * aj)
    const residual = kk + ofA + damping * (damping * jj + 2 * jk)
    this.rateSq = rateSq
    this.damping = damping
    return clamp((1 - residual / kk - NO_TRUST) / (FULL_TRUST - NO_TRUST), 0, 1)
  }
}

/**
 * A state-variable filter. A vector passes three lags in a row. Their differences are its smoothed first,
 * second and third derivative, at any step length. The state is `LAGS_WIDTH` numbers of the caller's array:
 * the last input and the three outputs.
 */

const FIRST = 3
const SECOND = 6
const THIRD = 9

const rate1 = vec3()
const rate2 = vec3()
const output = vec3()
const turn = vec3()

/**
 * Fills the lags as if the velocity, from the stored one to `input` after `elapsed` s, had always flown a
 * circle. So the lags have little to forget.
 */
function startLags(data: Float64Array, offset: number, input: Vec3Like, elapsed: number): void {
  load(turn, data, offset)
  scale(turn, sub(turn, input, turn), 1 / elapsed)
  const rateSq = circleRateSq(input, turn)
  const k = 1 / (1 + LAG * LAG * rateSq)
  copy(rate1, input)
  save(input, data, offset)
  for (let lag = FIRST; lag <= THIRD; lag += 3) {
    copy(rate2, rate1)
    scale(rate1, addScaled(rate1, rate1, turn, -LAG), k)
    scale(turn, addScaled(turn, turn, rate2, LAG * rateSq), k)
    save(rate1, data, offset + lag)
  }
}

function passLags(data: Float64Array, offset: number, input: Vec3Like, elapsed: number): void {
  const decay = Math.exp(-elapsed / LAG)
  passOne(data, offset, input.x, elapsed, decay)
  passOne(data, offset + 1, input.y, elapsed, decay)
  passOne(data, offset + 2, input.z, elapsed, decay)
  save(input, data, offset)
}

/** Filters one component. Each lag is exact for a straight line from its last input to the new one. */
function passOne(data: Float64Array, offset: number, input: number, elapsed: number, decay: number): void {
  let before = data[offset]!
  let after = input
  for (let lag = FIRST; lag <= THIRD; lag += 3) {
    const behind = (LAG * (after - before)) / elapsed
    const old = data[offset + lag]!
    data[offset + lag] = after - behind + (old - before + behind) * decay
    before = old
    after = data[offset + lag]!
  }
}

/** Writes the derivatives of the third output: acceleration, jerk and snap of a velocity. */
function readLags(data: Float64Array, offset: number, acceleration: Vec3, jerk: Vec3, snap: Vec3): void {
  lagRate(rate1, load(turn, data, offset), load(output, data, offset + FIRST))
  lagRate(rate2, output, load(turn, data, offset + SECOND))
  lagRate(acceleration, turn, load(output, data, offset + THIRD))
  lagRate(turn, rate1, rate2)
  lagRate(jerk, rate2, acceleration)
  lagRate(snap, turn, jerk)
}

/** ω² (1/s²) of the circle with this velocity and acceleration. */
function circleRateSq(velocity: Vec3Like, acceleration: Vec3Like): number {
  const sq = lengthSq(velocity)
  if (!(sq > AT_REST * AT_REST)) return 0
  const along = dot(velocity, acceleration) / sq
  return clamp(lengthSq(acceleration) / sq - along * along, 0, FASTEST_TURN * FASTEST_TURN)
}

/** Writes the rate of change of a lag with this input and output. */
function lagRate(out: Vec3, input: Vec3Like, result: Vec3Like): Vec3 {
  return scale(out, sub(out, input, result), 1 / LAG)
}
