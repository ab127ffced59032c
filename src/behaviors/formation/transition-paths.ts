import type { Archive, Serializable, Vec3, Vec3Like } from '../../types.js'
import { arccos } from '../../math/scalar.js'
import { addScaled, copy, cross, distance, dot, isZero, length, normalize } from '../../math/vec3.js'
import { scale, set, sub, vec3 } from '../../math/vec3.js'
import { turnedBy } from '../../math/turning.js'
import type { Member } from './member.js'

/** Two members may fly straight if their paths keep this many sums of their radii apart. Chosen by hand. */
const STRAIGHT_CLEARANCE = 1.1

/**
 * The paths of more members than the first are not compared in pairs, and of more than the second not at many
 * moments: they fly arcs. Chosen by hand, for the cost grows with the square of the number.
 */
const MAX_PAIRED = 600
const MAX_SAMPLED = 64
const SAMPLES = 12

/** Step of the share for the numerical derivatives of a path. */
const DELTA = 1e-3

const UP: Vec3Like = { x: 0, y: 1, z: 0 }

const first = vec3()
const second = vec3()
const armFrom = vec3()
const armTo = vec3()
const axis = vec3()
const early = vec3()
const late = vec3()

/**
 * The paths on which the members of a formation fly from `from` to `to`, all at the same share of their
 * paths. The paths are straight if no two members come too near to each other. Else they are arcs, see
 * {@link changeOver}, or turns about the leader by the smaller angle, whichever keeps the members farther
 * apart.
 */
export class TransitionPaths implements Serializable {
  private kind: 'straight' | 'arcs' | 'swing' = 'straight'
  private readonly fromCentre: Vec3 = vec3()
  private readonly toCentre: Vec3 = vec3()

  serialize(archive: Archive): void {
    this.kind = archive.string(this.kind) as TransitionPaths['kind']
    archive.vector(this.fromCentre)
    archive.vector(this.toCentre)
  }

  /** Length of the paths, at most, in units of the straight distance. */
  get lengthFactor(): number {
    return this.kind === 'straight' ? 1 : Math.PI / 2
  }

  /**
   * Chooses the kind of paths. `leader`: a member, or a leader apart, in the centre of arcs and turns; null:
   * the centre is the mean place.
   */
  choose(members: readonly Member[], leader: Member | null): void {
    const flying = members.filter((member) => !member.joining && member !== leader)
    if (leader !== null) flying.push(leader)
    this.kind = 'straight'
    this.setCentres(flying, leader)
    if (flying.length > MAX_PAIRED) this.kind = 'arcs'
    else if (!areStraightPathsClear(flying)) {
      this.kind = 'arcs'
      if (flying.length > MAX_SAMPLED) return
      const byArcs = this.leastDistance(flying)
      this.kind = 'swing'
      if (this.leastDistance(flying) <= byArcs) this.kind = 'arcs'
    }
  }

  /** Writes the place of `member` at a share of its path. */
  pointAt(out: Vec3, { from, to }: Member, share: number): Vec3 {
    const { fromCentre, kind, toCentre } = this
    if (kind === 'straight') return addScaled(out, from, sub(out, to, from), share)
    if (kind === 'arcs') return changeOver(out, from, to, fromCentre, toCentre, share)
    sub(armFrom, from, fromCentre)
    sub(armTo, to, toCentre)
    const fromRadius = length(armFrom)
    const toRadius = length(armTo)
    normalize(armFrom, armFrom)
    normalize(armTo, armTo)
    normalize(axis, cross(axis, armFrom, armTo))
    if (isZero(axis)) copy(axis, UP)
    turnedBy(out, armFrom, axis, 1, share * arccos(dot(armFrom, armTo)))
    scale(out, out, fromRadius + (toRadius - fromRadius) * share)
    addScaled(out, out, fromCentre, 1 - share)
    return addScaled(out, out, toCentre, share)
  }

  /** Writes the place of `member`, and its first and second derivative by the share. */
  derivativesAt(out: Vec3, slope: Vec3, curvature: Vec3, member: Member, share: number): Vec3 {
    this.pointAt(out, member, share)
    if (this.kind === 'straight') {
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

  /** Least distance of two members on their paths, in units of the sum of their radii. */
  private leastDistance(members: readonly Member[]): number {
    let least = Infinity
    for (let k = 1; k < SAMPLES; k++)
      for (let i = 0; i < members.length; i++) {
        this.pointAt(first, members[i]!, k / SAMPLES)
        for (let j = 0; j < i; j++) {
          const between = distance(first, this.pointAt(second, members[j]!, k / SAMPLES))
          least = Math.min(least, between / (members[i]!.radius + members[j]!.radius))
        }
      }
    return least
  }
}

/** Whether no two members come too near to each other on straight paths. */
function areStraightPathsClear(members: readonly Member[]): boolean {
  for (let i = 0; i < members.length; i++) {
    const a = members[i]!
    for (let j = 0; j < i; j++) {
      const b = members[j]!
      sub(first, a.from, b.from)
      sub(second, sub(second, a.to, b.to), first)
      const square = dot(second, second)
      const share = square > 0 ? Math.min(Math.max(-dot(first, second) / square, 0), 1) : 0
      if (length(addScaled(first, first, second, share)) < STRAIGHT_CLEARANCE * (a.radius + b.radius))
        return false
    }
  }
  return true
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
