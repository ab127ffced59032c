import type { Archive, Serializable, Vec3, Vec3Like } from '../../types.js'
import { arccos } from '../../math/scalar.js'
import { addScaled, copy, cross, distance, dot, isZero, length, normalize } from '../../math/vec3.js'
import { scale, set, sub, vec3 } from '../../math/vec3.js'
import { turnedBy } from '../../math/turning.js'
import { changeOver } from './crossing.js'
import type { Member } from './member.js'

/** Two who pass each other with so many sums of radii between them may fly straight on. */
const WELL_APART = 1.1

/** Ways of more members than this are not compared in pairs, and of more than the second not at many moments: they fly arcs. */
const MOST_PAIRED = 600
const MOST_SAMPLED = 64
const SAMPLES = 12

/** Shares between which a way is differentiated. */
const TINY = 1e-3

const UP: Vec3Like = { x: 0, y: 1, z: 0 }

const first = vec3()
const second = vec3()
const armFrom = vec3()
const armTo = vec3()
const axis = vec3()
const early = vec3()
const late = vec3()

/**
 * The ways on which the members of a formation get from `from` to `to`, all at the same share: straight where nobody comes too near to another;
 * else arcs, see {@link changeOver}, or swung round who leads, the shortest way about, whichever keeps them farther apart.
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

  /** How much longer than straight the ways are, at most. */
  get longer(): number {
    return this.kind === 'straight' ? 1 : Math.PI / 2
  }

  /** Chooses among them. `leader`: who is in the middle of what turns; without one that is the mean place. */
  choose(members: readonly Member[], leader: Member | null): void {
    const flying = members.filter((member) => !member.alone)
    this.kind = 'straight'
    this.centre(flying, leader)
    if (flying.length > MOST_PAIRED) this.kind = 'arcs'
    else if (!passWell(flying)) {
      this.kind = 'arcs'
      if (flying.length > MOST_SAMPLED) return
      const byArcs = this.nearest(flying)
      this.kind = 'swing'
      if (this.nearest(flying) <= byArcs) this.kind = 'arcs'
    }
  }

  /** Writes where `member` is at a share of its way. */
  at(out: Vec3, { from, to }: Member, share: number): Vec3 {
    const { fromCentre, kind, toCentre } = this
    if (kind === 'straight') return addScaled(out, from, sub(out, to, from), share)
    if (kind === 'arcs') return changeOver(out, from, to, fromCentre, toCentre, share)
    sub(armFrom, from, fromCentre)
    sub(armTo, to, toCentre)
    const near = length(armFrom)
    const far = length(armTo)
    normalize(armFrom, armFrom)
    normalize(armTo, armTo)
    normalize(axis, cross(axis, armFrom, armTo))
    if (isZero(axis)) copy(axis, UP)
    turnedBy(out, armFrom, axis, 1, share * arccos(dot(armFrom, armTo)))
    scale(out, out, near + (far - near) * share)
    addScaled(out, out, fromCentre, 1 - share)
    return addScaled(out, out, toCentre, share)
  }

  /** Writes where `member` is, and the first two derivatives by the share. */
  along(out: Vec3, slope: Vec3, bend: Vec3, member: Member, share: number): Vec3 {
    this.at(out, member, share)
    if (this.kind === 'straight') {
      sub(slope, member.to, member.from)
      set(bend, 0, 0, 0)
      return out
    }
    this.at(early, member, share - TINY)
    this.at(late, member, share + TINY)
    scale(slope, sub(slope, late, early), 0.5 / TINY)
    addScaled(bend, early, out, -2)
    scale(bend, addScaled(bend, bend, late, 1), 1 / (TINY * TINY))
    return out
  }

  private centre(members: readonly Member[], leader: Member | null): void {
    const { fromCentre, toCentre } = this
    set(fromCentre, 0, 0, 0)
    set(toCentre, 0, 0, 0)
    for (const { from, to } of leader === null ? members : [leader]) {
      addScaled(fromCentre, fromCentre, from, leader === null ? 1 / members.length : 1)
      addScaled(toCentre, toCentre, to, leader === null ? 1 / members.length : 1)
    }
  }

  /** Least distance of two on their ways, m, in units of what two need. */
  private nearest(members: readonly Member[]): number {
    let least = Infinity
    for (let k = 1; k < SAMPLES; k++)
      for (let i = 0; i < members.length; i++) {
        this.at(first, members[i]!, k / SAMPLES)
        for (let j = 0; j < i; j++) {
          const gap = distance(first, this.at(second, members[j]!, k / SAMPLES))
          least = Math.min(least, gap / (members[i]!.radius + members[j]!.radius))
        }
      }
    return least
  }
}

/** Whether no two come too near to each other when all go straight. */
function passWell(members: readonly Member[]): boolean {
  for (let i = 0; i < members.length; i++) {
    const a = members[i]!
    for (let j = 0; j < i; j++) {
      const b = members[j]!
      sub(first, a.from, b.from)
      sub(second, sub(second, a.to, b.to), first)
      const square = dot(second, second)
      const share = square > 0 ? Math.min(Math.max(-dot(first, second) / square, 0), 1) : 0
      if (length(addScaled(first, first, second, share)) < WELL_APART * (a.radius + b.radius)) return false
    }
  }
  return true
}
