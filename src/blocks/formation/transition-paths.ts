import type { Vec3, Vec3Like } from '../../core/types.js'
import { nearestWithin } from '../../core/math/approach.js'
import { arccos } from '../../core/math/scalar.js'
import { addScaled, copy, cross, distance, dot, isZero, length, normalize } from '../../core/math/vec3.js'
import { perpendicular, reject, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { turnedBy } from '../../core/math/turning.js'
import type { Member } from './member.js'
import { Saved } from '../../core/control/serialize-fields.js'

/** Paths are good if they keep any two members this many sums of their radii apart. Chosen by hand. */
const CLEARANCE = 1.1

/**
 * The paths of more members than the first are not compared in pairs, and of more than the second not at many
 * moments: they fly arcs. Chosen by hand, for the cost grows with the square of the number.
 */
const MAX_PAIRED = 600
const MAX_SAMPLED = 64
const SAMPLES = 16

/** Heights of the lifts tried, in sums of the radii of the leader and the largest member. Chosen by hand. */
const HEIGHTS = [1.5, 3, 6, 12, 24]

/** A higher lift must bring the paths farther from the leader by this many sums of the radii. */
const LEAST_GAIN = 0.05
const ROUNDING = 1e-9

/** Step of the share for the numerical derivatives of a path. */
const DELTA = 1e-3

const UP: Vec3Like = { x: 0, y: 1, z: 0 }

/** The lifts that are tried: none, then the lower before the higher. */
const LIFTS = [vec3(), ...HEIGHTS.flatMap((k) => cubeDirections().map((each) => scale(each, each, k)))]

const first = vec3()
const second = vec3()
const armFrom = vec3()
const armTo = vec3()
const axis = vec3()
const early = vec3()
const late = vec3()

type Kind = 'straight' | 'arcs' | 'swing'
const KINDS: readonly Kind[] = ['straight', 'arcs', 'swing']

/**
 * The paths on which the members of a formation fly from `from` to `to`, all at the same share of their
 * paths. The paths are straight if no two members come too near to each other. Else they are arcs, see
 * {@link changeOver}, or turns about the leader by the smaller angle, whichever keeps the members farther
 * apart. Where they would still lead a member into the leader, all are lifted past it together: that leaves
 * their distances from each other as they are.
 */
export class TransitionPaths extends Saved {
  private kind: Kind = 'straight'
  private readonly fromCentre: Vec3 = vec3()
  private readonly toCentre: Vec3 = vec3()
  /** How far (m) all but the leader are moved aside in the middle of their paths. */
  readonly lift: Vec3 = vec3()

  /** Length of the paths without the lift, at most, in units of the straight distance. */
  get lengthFactor(): number {
    return this.kind === 'straight' ? 1 : Math.PI / 2
  }

  /**
   * Chooses the kind of paths, and the least lift that is enough. `leader`: a member, or a leader apart, in
   * the centre of arcs and turns; null: the centre is the mean place.
   */
  choose(members: readonly Member[], leader: Member | null): void {
    const { lift } = this
    const flying = members.filter((member) => !member.joining && member !== leader)
    const many = flying.length + (leader === null ? 0 : 1)
    const kinds = many > MAX_PAIRED ? KINDS.slice(1, 2) : many > MAX_SAMPLED ? KINDS.slice(0, 2) : KINDS
    this.setCentres(flying, leader)
    // no lift changes where they begin and end
    const enough = leader === null ? CLEARANCE : Math.min(CLEARANCE, this.clearanceAtEnds(flying, leader))
    const radius = flying.reduce((most, each) => Math.max(most, each.radius), 0)
    const apart: number[] = []
    const best = { kind: kinds[0]!, clearance: -1, lift: vec3() }
    for (const [i, each] of (leader === null ? LIFTS.slice(0, 1) : LIFTS).entries()) {
      scale(lift, each, radius + (leader?.radius ?? 0))
      for (const [k, kind] of kinds.entries()) {
        this.kind = kind
        apart[k] ??= kind === 'arcs' && many > MAX_SAMPLED ? Infinity : this.leastDistance(flying)
        if (best.clearance >= Math.min(enough, apart[k]) - ROUNDING) continue
        const clearance = Math.min(apart[k], leader === null ? Infinity : this.leastDistance(flying, leader))
        if (clearance <= best.clearance + (i > 0 ? LEAST_GAIN : 0)) continue
        copy(best.lift, lift)
        best.kind = kind
        best.clearance = clearance
      }
    }
    this.kind = best.kind
    copy(lift, best.lift)
  }

  /** Least distance from the leader where the paths begin and end, in units of the sum of the radii. */
  private clearanceAtEnds(flying: readonly Member[], leader: Member): number {
    let least = Infinity
    for (const { from, radius, to } of flying) {
      const end = Math.min(distance(from, this.fromCentre), distance(to, this.toCentre))
      least = Math.min(least, end / (radius + leader.radius))
    }
    return least
  }

  /** Writes the place of `member` at a share of its path. */
  pointAt(out: Vec3, { from, to }: Member, share: number): Vec3 {
    const { fromCentre, lift, toCentre } = this
    this.unliftedAt(out, from, to, share)
    // the leader keeps its place
    return isSame(from, fromCentre) && isSame(to, toCentre)
      ? out
      : addScaled(out, out, lift, Math.sin(Math.PI * share))
  }

  private unliftedAt(out: Vec3, from: Vec3Like, to: Vec3Like, share: number): Vec3 {
    const { fromCentre, kind, toCentre } = this
    if (kind === 'straight') return mix(out, from, to, share)
    if (kind === 'arcs') return changeOver(out, from, to, fromCentre, toCentre, share)
    sub(armFrom, from, fromCentre)
    sub(armTo, to, toCentre)
    const fromRadius = length(armFrom)
    const toRadius = length(armTo)
    normalize(armFrom, armFrom)
    normalize(armTo, armTo)
    normalize(axis, cross(axis, armFrom, armTo))
    if (isZero(axis)) normalize(axis, reject(axis, UP, armFrom))
    if (isZero(axis)) perpendicular(axis, armFrom)
    turnedBy(out, armFrom, axis, 1, share * arccos(dot(armFrom, armTo)))
    scale(out, out, fromRadius + (toRadius - fromRadius) * share)
    addScaled(out, out, fromCentre, 1 - share)
    return addScaled(out, out, toCentre, share)
  }

  /** Writes the place of `member`, and its first and second derivative by the share. */
  derivativesAt(out: Vec3, slope: Vec3, curvature: Vec3, member: Member, share: number): Vec3 {
    this.pointAt(out, member, share)
    if (this.kind === 'straight' && isZero(this.lift)) {
      sub(slope, member.to, member.from)
      set(curvature, 0, 0, 0)
      return out
    }
    this.pointAt(early, member, share - DELTA)
    this.pointAt(late, member, share + DELTA)
    scale(slope, sub(slope, late, early), 0.5 / DELTA)
    addScaled(curvature, early, out, -2)
    scale(curvature, addScaled(curvature, curvature, late, 1), 1 / (DELTA * DELTA))
    return out
  }

  private setCentres(members: readonly Member[], leader: Member | null): void {
    const { fromCentre, toCentre } = this
    set(fromCentre, 0, 0, 0)
    set(toCentre, 0, 0, 0)
    for (const { from, to } of leader === null ? members : [leader]) {
      addScaled(fromCentre, fromCentre, from, leader === null ? 1 / members.length : 1)
      addScaled(toCentre, toCentre, to, leader === null ? 1 / members.length : 1)
    }
  }

  /** Least distance of two members, or of one from the `leader`, in units of the sum of their radii. */
  private leastDistance(flying: readonly Member[], leader?: Member): number {
    const { fromCentre, kind, lift, toCentre } = this
    const samples = kind === 'straight' && isZero(lift) ? 1 : SAMPLES
    const places = flying.map(({ from }) => copy(vec3(), from))
    const nextPlaces = flying.map(() => vec3())
    let least = Infinity
    for (let k = 1; k <= samples; k++) {
      flying.forEach((member, i) => this.pointAt(nextPlaces[i]!, member, k / samples))
      mix(armFrom, fromCentre, toCentre, (k - 1) / samples)
      mix(armTo, fromCentre, toCentre, k / samples)
      for (const [i, { radius }] of flying.entries()) {
        if (leader !== undefined) {
          const between = nearest(places[i]!, nextPlaces[i]!, armFrom, armTo)
          least = Math.min(least, between / (radius + leader.radius))
        } else
          for (let j = 0; j < i; j++) {
            const between = nearest(places[i]!, nextPlaces[i]!, places[j]!, nextPlaces[j]!)
            least = Math.min(least, between / (radius + flying[j]!.radius))
          }
      }
      flying.forEach((_, i) => copy(places[i]!, nextPlaces[i]!))
    }
    return least
  }
}

function isSame(a: Vec3Like, b: Vec3Like): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z
}

function mix(out: Vec3, a: Vec3Like, b: Vec3Like, share: number): Vec3 {
  return addScaled(out, a, sub(out, b, a), share)
}

/** Least distance (m) of two points that fly straight from `a` to `nextA` and from `b` to `nextB`. */
function nearest(a: Vec3Like, nextA: Vec3Like, b: Vec3Like, nextB: Vec3Like): number {
  sub(first, a, b)
  sub(second, sub(second, nextA, nextB), first)
  return length(nearestWithin(first, first, second, 1))
}

/** The 26 directions of the faces, edges and corners of a cube, those nearest to straight up first. */
function cubeDirections(): Vec3[] {
  const steps = [1, 0, -1]
  const all = steps.flatMap((y) => steps.flatMap((z) => steps.map((x) => vec3(x, y, z))))
  return all
    .filter((each) => !isZero(each))
    .map((each) => normalize(each, each))
    .sort((a, b) => b.y - a.y)
}

/**
 * Writes the place of one member while a formation changes from one pattern to another, so that no two
 * members meet. `share` (0 … 1) is the share of its path from the slot `from` to the slot `to`. All members
 * must be at the same share; all places are in metres and in one frame. The centres move in straight lines
 * and are the same for all members: the mean places before and after, or twice the place of a leader, which
 * then does not move. About the centre each member flies the arc cos θ · a + sin θ · b, not the chord, so the
 * formation swells by up to √2 during the change. If `rate` is given, the derivative of the place by the
 * share (m) is written there; multiplied by the rate of the share (1/s) it is the velocity.
 *
 * Why no two members meet: with the assignment of least squared distances (see `Assignment`) the arms of any
 * two differ before and after by vectors u, w with u · w ≥ 0. So their distance, |cos θ · u + sin θ · w|,
 * never falls below the smaller of |u| and |w|. On straight paths it may fall to that over √2. This
 * derivation is our own, on the condition of Turpin, Michael and Kumar, CAPT (2014). It does not hold for
 * pairs that cannot exchange their slots because of roles or a hysteresis: solve with a hysteresis of 0.
 */
export function changeOver(
  out: Vec3,
  from: Vec3Like,
  to: Vec3Like,
  fromCentre: Vec3Like,
  toCentre: Vec3Like,
  share: number,
  rate?: Vec3,
): Vec3 {
  const t = share > 0 ? Math.min(share, 1) : 0
  const angle = (t * Math.PI) / 2
  const cosine = t < 1 ? Math.cos(angle) : 0
  const sine = Math.sin(angle)
  // shares of the centres: those of their straight paths, less what the arms from the centres contain already
  const a = 1 - t - cosine
  const b = t - sine
  if (rate !== undefined) {
    const turn = Math.PI / 2
    scale(rate, from, -turn * sine)
    addScaled(rate, rate, to, turn * cosine)
    addScaled(rate, rate, fromCentre, turn * sine - 1)
    addScaled(rate, rate, toCentre, 1 - turn * cosine)
  }
  const x = cosine * from.x + sine * to.x + a * fromCentre.x + b * toCentre.x
  const y = cosine * from.y + sine * to.y + a * fromCentre.y + b * toCentre.y
  const z = cosine * from.z + sine * to.z + a * fromCentre.z + b * toCentre.z
  out.x = x
  out.y = y
  out.z = z
  return out
}
