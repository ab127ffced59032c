import type { Vec3, Waypoint } from '../../core/types.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'
import { addScaled, cross, distance, dot, normalize, perpendicular, sub, vec3 } from '../../core/math/vec3.js'
import { ArcPath } from '../curves/arc-path.js'
import { csc } from '../curves/csc.js'
import { dubins } from '../curves/dubins-legs.js'
import { requireGates, type Gate } from './gate.js'
import type { PathOptions } from '../paths/path-points.js'

export interface RacingLineOptions extends Options, OptionsOf<typeof RACING_LINE> {}

const RACING_LINE = {
  /**
   * Top speed (m/s, > 0), and acceleration across the course (m/s², > 0): `maxForce / mass`, of `Flight`
   * `lift / mass`.
   */
  speed: { kind: 'number', required: true, unit: 'm/s', above: 0 },
  acceleration: { kind: 'number', required: true, unit: 'm/s²', above: 0 },
  /**
   * Distance that is kept from the rims (m, ≥ 0): the radius of the agent and its tracking error. Default 0.
   */
  clearance: { kind: 'number', unit: 'm', atLeast: 0, default: 0 },
  /** Least turn radius (m, ≥ 0) of a vehicle that cannot turn tighter at any speed. Default 0. */
  turnRadius: { kind: 'number', unit: 'm', atLeast: 0, infinite: true, default: 0 },
  /** `'open'` runs from the first gate to the last. Default `'open'`. */
  ends: { kind: 'text', oneOf: ['open', 'closed'], default: 'open' },
} as const satisfies AnyTable

/** Share of the force that the line is planned with, as in `FollowPath`. The rest is left for corrections. */
const FORCE_SHARE = 0.93

// The numbers below are chosen by hand unless they say otherwise.

/** Steepest passage of a gate: tangent of the angle to its normal. */
const MAX_SLOPE = 2
/** The search ends after this many sweeps over the gates. Larger: it takes longer, for a faster line. */
const MAX_SWEEPS = 200
/**
 * It also ends when all steps are smaller than this: in radii of the gate (position), tangents (slope) and
 * logarithms (turn radius). Smaller: a finer line, found more slowly.
 */
const MIN_STEP = 1e-3
/** A new value must shorten the time by at least this share. */
const MIN_GAIN = 1e-9

// Unknowns of each gate: position in its disc, slope of the passage, logarithm of the turn radius.
const POSITION = 0
const SLOPE = 2
const RADIUS = 4
const UNKNOWNS = 5

/** How one gate is passed. */
interface Pass extends Waypoint {
  readonly gate: Gate
  /** Normal of the gate, and two directions across it. */
  readonly ahead: Vec3
  readonly left: Vec3
  readonly up: Vec3
  readonly unknowns: Float64Array
  readonly steps: Float64Array
  readonly position: Vec3
  readonly heading: Vec3
}

/**
 * The fastest path through gates, in order, each passed in its direction and clear of its rim. For each gate
 * it finds the position, the slope and the turn radius of the passage. Between gates it is a shortest path of
 * bounded curvature, which is also the fastest for a vehicle that cannot turn tighter at full speed. Where
 * that saves time the path turns tighter and is flown slower. It is found by descent, one gate after the
 * other, from the centres (compass search, Kolda, Lewis and Torczon 2003). It takes some milliseconds per
 * gate, once.
 *
 * For `new Path(racingLine(gates, …))`, which `FollowPath` flies at full speed where it can. A gate of radius
 * 0 is passed at its centre: a start, or a waypoint.
 * @throws TypeError / RangeError naming the option.
 */
export function racingLine(gates: readonly Gate[], options: RacingLineOptions): PathOptions {
  const read = readOptions('racingLine', RACING_LINE, options)
  requireGates('racingLine.gates', gates, read.ends === 'closed' ? 3 : 2)
  const search = new Search(gates, read)
  for (let sweep = 0; sweep < MAX_SWEEPS && search.sweep(); sweep++);
  return {
    curve: dubins,
    ends: read.ends,
    points: search.passes.map(({ position }) => position),
    headings: search.passes.map(({ heading }) => heading),
    radius: search.passes.map(radiusOf),
  }
}

class Search {
  readonly passes: readonly Pass[]
  private readonly closed: boolean
  private readonly clearance: number
  private readonly tightest: number
  private readonly widest: number
  private readonly clock: LapTime
  private readonly legs: ArcPath[]
  /** Buffers for the legs to and from the gate that is tried. */
  private readonly spareLegs: [ArcPath, ArcPath] = [new ArcPath(), new ArcPath()]
  private readonly trial = new Float64Array(UNKNOWNS)
  private time: number

  constructor(
    gates: readonly Gate[],
    { speed, acceleration, clearance, turnRadius, ends }: Required<RacingLineOptions>,
  ) {
    this.clearance = clearance
    this.closed = ends === 'closed'
    this.clock = new LapTime(speed, FORCE_SHARE * acceleration)
    this.tightest = turnRadius
    this.widest = Math.max((speed * speed) / (FORCE_SHARE * acceleration), turnRadius)
    this.passes = gates.map((gate, i) => this.makePass(gates, gate, i))
    this.legs = gates.slice(this.closed ? 0 : 1).map(() => new ArcPath())
    for (let i = 0; i < this.legs.length; i++) this.layLeg(this.legs[i]!, i)
    this.time = this.clock.along(this.legs, this.closed)
  }

  /** Tries to improve every gate once. @returns whether another sweep is worthwhile. */
  sweep(): boolean {
    let isGoing = false
    for (let i = 0; i < this.passes.length; i++) {
      const { steps, unknowns } = this.passes[i]!
      for (let k = 0; k < UNKNOWNS; k++) {
        if (!(steps[k]! > MIN_STEP)) continue
        isGoing = true
        const step = steps[k]! * (k < SLOPE ? this.passes[i]!.gate.radius : 1)
        const better = this.tryValue(i, k, unknowns[k]! + step) || this.tryValue(i, k, unknowns[k]! - step)
        steps[k]! *= better ? 2 : 0.5
      }
    }
    return isGoing
  }

  /** Keeps a new value of unknown `k` of gate `i` if it shortens the time. @returns whether it was kept. */
  private tryValue(i: number, k: number, value: number): boolean {
    const pass = this.passes[i]!
    const { unknowns } = pass
    this.trial.set(unknowns)
    unknowns[k] = value
    this.confine(pass)
    const count = this.legs.length
    const before = this.closed ? (i + count - 1) % count : i - 1
    const [to, from] = this.spareLegs
    const old = [this.legs[before], this.legs[i]]
    if (before >= 0) this.layLeg((this.legs[before] = to), before)
    if (i < count) this.layLeg((this.legs[i] = from), i)
    const time = this.clock.along(this.legs, this.closed)
    if (time < this.time * (1 - MIN_GAIN)) {
      this.time = time
      this.spareLegs[0] = old[0] ?? to
      this.spareLegs[1] = old[1] ?? from
      return true
    }
    if (before >= 0) this.legs[before] = old[0]!
    if (i < count) this.legs[i] = old[1]!
    unknowns.set(this.trial)
    updatePose(pass)
    return false
  }

  private layLeg(leg: ArcPath, i: number): void {
    const from = this.passes[i]!
    const to = this.passes[(i + 1) % this.passes.length]!
    csc(leg, from, to, radiusOf(from), radiusOf(to))
  }

  /** Limits the unknowns so that the passage is clear of the rim. */
  private confine(pass: Pass): void {
    const { gate, unknowns } = pass
    const { clearance } = this
    const minRadius = Math.max(this.tightest, MIN_STEP * this.widest)
    unknowns[RADIUS] = Math.log(Math.min(Math.max(Math.exp(unknowns[RADIUS]!), minRadius), this.widest))
    // On a slanted passage a disc is narrower.
    const widest = clearance > 0 ? Math.sqrt(Math.max(0, (gate.radius / clearance) ** 2 - 1)) : Infinity
    shorten(unknowns, SLOPE, gate.radius > 0 ? Math.min(MAX_SLOPE, widest) : MAX_SLOPE)
    const secant = Math.hypot(1, unknowns[SLOPE]!, unknowns[SLOPE + 1]!)
    shorten(unknowns, POSITION, Math.max(0, gate.radius - clearance * secant))
    updatePose(pass)
  }

  /**
   * The initial passage: through the centre, along the mean of the directions from the previous and to the
   * next gate, with a turn radius that fits between the gates.
   */
  private makePass(gates: readonly Gate[], gate: Gate, i: number): Pass {
    const count = gates.length
    const before = gates[this.closed ? (i + count - 1) % count : Math.max(i - 1, 0)]!
    const after = gates[this.closed ? (i + 1) % count : Math.min(i + 1, count - 1)]!
    const ahead = normalize(vec3(), gate.heading)
    const left = perpendicular(vec3(), ahead)
    const up = cross(vec3(), ahead, left)
    const direction = sub(vec3(), after.position, gate.position)
    normalize(direction, direction)
    const incoming = sub(vec3(), gate.position, before.position)
    addScaled(direction, direction, normalize(incoming, incoming), 1)
    const along = Math.max(dot(direction, ahead), 1e-3)
    const spans = [before, after].map(({ position }) => distance(position, gate.position))
    const radius = Math.min(...spans.filter((span) => span > 0)) / 4
    const unknowns = Float64Array.of(
      0,
      0,
      dot(direction, left) / along,
      dot(direction, up) / along,
      Math.log(radius),
    )
    const steps = Float64Array.of(0.3, 0.3, 0.3, 0.3, 0.3)
    if (gate.radius === 0) steps.fill(0, POSITION, SLOPE)
    const pass: Pass = { gate, ahead, left, up, unknowns, steps, position: vec3(), heading: vec3() }
    this.confine(pass)
    return pass
  }
}

function updatePose({ gate, ahead, left, up, unknowns, position, heading }: Pass): void {
  addScaled(
    position,
    addScaled(position, gate.position, left, unknowns[POSITION]!),
    up,
    unknowns[POSITION + 1]!,
  )
  addScaled(heading, addScaled(heading, ahead, left, unknowns[SLOPE]!), up, unknowns[SLOPE + 1]!)
  normalize(heading, heading)
}

function radiusOf({ unknowns }: Pass): number {
  return Math.exp(unknowns[RADIUS]!)
}

function shorten(values: Float64Array, index: number, max: number): void {
  const size = Math.hypot(values[index]!, values[index + 1]!)
  if (size <= max) return
  values[index]! *= max / size
  values[index + 1]! *= max / size
}

/**
 * Time along a path with a speed limit `top` (m/s) and an acceleration (m/s²) that holds the vehicle on arcs
 * and, separately, changes its speed. The path is taken as given, so the result is a lower bound. It is good
 * enough to compare paths.
 */
class LapTime {
  readonly top: number
  readonly acceleration: number
  /** For each piece its length and highest speed; for each border between pieces the speed there. */
  private readonly lengths: number[] = []
  private readonly speeds: number[] = []
  private readonly borders: number[] = []

  constructor(top: number, acceleration: number) {
    this.top = top
    this.acceleration = acceleration
  }

  /** Time (s) along `legs`: once around if `closed`, else from full speed to full speed. */
  along(legs: readonly ArcPath[], closed: boolean): number {
    const { top, acceleration, lengths, speeds, borders } = this
    let count = 0
    for (const leg of legs)
      for (let i = 0; i < leg.count; i++, count++) {
        lengths[count] = leg.startOf(i + 1) - leg.startOf(i)
        const bend = leg.bendOf(i)
        speeds[count] = bend > 0 ? Math.min(top, Math.sqrt(acceleration / bend)) : top
      }
    if (count === 0) return 0
    for (let i = 1; i < count; i++) borders[i] = Math.min(speeds[i - 1]!, speeds[i]!)
    borders[0] = closed ? Math.min(speeds[count - 1]!, speeds[0]!) : speeds[0]!
    borders[count] = closed ? borders[0] : speeds[count - 1]!
    // In a closed lap, a slow part after the start limits the speed at the end of the lap, and the reverse.
    for (let lap = 0; lap < (closed ? 2 : 1); lap++) {
      for (let i = 0; i < count; i++) this.limit(i + 1, i, lengths[i]!)
      if (closed) borders[0] = borders[count]!
    }
    for (let lap = 0; lap < (closed ? 2 : 1); lap++) {
      for (let i = count - 1; i >= 0; i--) this.limit(i, i + 1, lengths[i]!)
      if (closed) borders[count] = borders[0]!
    }
    let time = 0
    for (let i = 0; i < count; i++) {
      const from = borders[i]!
      const to = borders[i + 1]!
      const peak = Math.min(speeds[i]!, Math.sqrt(acceleration * lengths[i]! + (from * from + to * to) / 2))
      const distanceToPeak = (2 * peak * peak - from * from - to * to) / (2 * acceleration)
      time +=
        (2 * peak - from - to) / acceleration +
        Math.max(0, lengths[i]! - distanceToPeak) / Math.max(peak, 1e-9 * top)
    }
    return time
  }

  /** Limits the speed at one border to what is reached from another, `length` (m) away. */
  private limit(border: number, other: number, length: number): void {
    const { acceleration, borders } = this
    borders[border] = Math.min(borders[border]!, Math.sqrt(borders[other]! ** 2 + 2 * acceleration * length))
  }
}
