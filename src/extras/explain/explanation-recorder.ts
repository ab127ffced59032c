import type { Behavior, Explainer, Vec3, Vec3Like, Wrench } from '../../core/types.js'
import { addScaled, isZero, length, scale, set, vec3 } from '../../core/math/vec3.js'
import { addWrench, copyWrench, zeroWrench } from '../../core/math/wrench.js'
import { typeName } from '../../core/math/show.js'
import { explainConstraints, type ConstraintChange } from './explain-constraints.js'

/**
 * Result of one part in one step. All of its force and torque was granted (`granted`), only a part of it
 * (`cut`), nothing (`refused`); it asked for nothing (`silent`), was not called in this step (`not asked`),
 * or is switched off (`off`). A constraint is `overruled` when the granted force violates it, whether it has
 * changed the force or not: because of another constraint, or of the limits of the vehicle.
 */
export type Verdict = 'granted' | 'cut' | 'refused' | 'overruled' | 'silent' | 'not asked' | 'off'

/** Force and torque that one behaviour asked for in one step, and that it was granted. N, N·m, world axes. */
export interface Contribution {
  readonly behavior: Behavior
  /**
   * Name of its class. A class with `static readonly type = 'Climb'` has that name, also when a bundler
   * shortens class names; the classes of this package have one.
   */
  readonly name: string
  readonly verdict: Verdict
  /** Its share in the combination: a weight or a probability; else 1. Dimensionless. */
  readonly weight: number
  /** Its output; for a constraint, the force by which it changed the wanted force. */
  readonly asked: Readonly<Wrench>
  /** What of its output is in that of its combination; for the whole, the output of the locomotion. */
  readonly granted: Readonly<Wrench>
  /** Its own contribution: its output minus what it granted to its parts. */
  readonly own: Readonly<Wrench>
  /**
   * A remark in words; '' for none. It says when the forces of its parts cancel each other, by how much a
   * constraint is violated and, for the whole behaviour, when the vehicle is too weak for its weight.
   */
  readonly note: string
  /** Its parts, in their order. */
  readonly children: readonly Contribution[]
}

/** Differences below this share of the whole are rounding errors. */
const ROUNDING = 1e-9

/** Granted forces cancel each other when their sum is below this share of their sizes. Chosen by hand. */
const CANCELED_SHARE = 0.01

const scaled = vec3()

/** A contribution while it is recorded. */
export class Entry implements Contribution {
  verdict: Verdict = 'not asked'
  readonly asked: Wrench = zeroWrench()
  readonly granted: Wrench = zeroWrench()
  readonly own: Wrench = zeroWrench()
  note = ''
  /** For a constraint: by how much (m/s) the granted force violates it. */
  violation = 0
  children: Entry[] = []
  readonly behavior: Behavior
  readonly weight: number

  constructor(behavior: Behavior, weight: number) {
    this.behavior = behavior
    this.weight = weight
  }

  get name(): string {
    return typeName(this.behavior)
  }

  /** Computes what no combination records: own contribution, verdict, parts that were not called. */
  close(): void {
    const { asked, behavior, children, granted, own, weight } = this
    copyWrench(own, asked)
    for (const child of children) {
      addWrench(own, child.granted, -1, -1)
      child.close()
    }
    for (const kind of ['force', 'torque'] as const) {
      const parts = children.map((child) => child.granted[kind])
      dropRounding(own[kind], asked[kind], parts)
    }
    if (isNothing(asked) && !asked.turns) this.verdict = 'silent'
    else if (isNothing(granted) && !isNothing(asked)) this.verdict = 'refused'
    else {
      const full = covers(granted.force, asked.force, weight) && covers(granted.torque, asked.torque, weight)
      this.verdict = full ? 'granted' : 'cut'
    }
    if (this.violation > 0) this.verdict = 'overruled'
    const canceled = canceling(children)
    if (canceled !== '') this.addNote(`the forces of ${canceled} cancel each other`)
    // a behaviour that does not record its parts is shown without parts
    if (children.length > 0 || this.verdict === 'silent' || this.violation > 0)
      this.children = inOrder(behavior, children)
  }

  addNote(words: string): void {
    this.note = this.note === '' ? words : `${this.note}; ${words}`
  }

  toJSON(): object {
    const { name, verdict, weight, asked, granted, own, note, children } = this
    return { name, verdict, weight, asked, granted, own, note, children }
  }
}

/** Records the outputs of the behaviours of one agent during one step. */
export class ExplanationRecorder implements Explainer {
  /** Path from the root to the behaviour that is being called. */
  private readonly stack: Entry[] = []
  /** The behaviour that has returned last. */
  private last: Entry | null = null

  open(root: Behavior): void {
    this.stack.length = 0
    this.stack.push(new Entry(root, 1))
    this.last = null
  }

  close(wanted: Readonly<Wrench>, given: Readonly<Wrench>): Entry {
    const root = this.stack[0]!
    copyWrench(root.asked, wanted)
    copyWrench(root.granted, given)
    root.close()
    return root
  }

  enter(part: Behavior, weight = 1): void {
    const entry = new Entry(part, weight)
    this.top.children.push(entry)
    this.stack.push(entry)
  }

  leave(asked: Readonly<Wrench>): void {
    this.last = this.stack.pop()!
    copyWrench(this.last.asked, asked)
  }

  grant(taken: Readonly<Wrench>, force: number, torque: number, part?: Behavior): void {
    const entry = part === undefined ? this.last : this.top.children.find((each) => each.behavior === part)
    if (entry) addWrench(entry.granted, taken, force, torque)
  }

  cut(force: number, torque: number): void {
    if (force === 1 && torque === 1) return
    for (const { granted } of this.top.children) {
      scale(granted.force, granted.force, force)
      scale(granted.torque, granted.torque, torque)
    }
  }

  addConstraints(...change: ConstraintChange): void {
    explainConstraints(this.addChange, ...change)
  }

  /** The constraint `part` changes the output by this force (N), and is still violated by so much (m/s). */
  private readonly addChange = (part: Behavior, force: Vec3Like, violation: number): void => {
    const entry = new Entry(part, 1)
    entry.violation = violation
    if (violation > 0) entry.note = `violated by ${violation.toPrecision(2)} m/s`
    addScaled(entry.asked.force, entry.asked.force, force, 1)
    addScaled(entry.granted.force, entry.granted.force, force, 1)
    this.top.children.push(entry)
  }

  scaleTo(force: Vec3Like, parts: readonly Behavior[]): void {
    const { children } = this.top
    const excess = addScaled(vec3(), force, force, 0)
    for (const { granted } of children) addScaled(excess, excess, granted.force, -1)
    for (const part of parts) {
      const entry = children.find(({ behavior }) => behavior === part)
      if (entry) addScaled(entry.granted.force, entry.granted.force, excess, 1 / parts.length)
    }
  }

  note(words: string): void {
    if (this.last !== null) this.last.note = words
  }

  private get top(): Entry {
    return this.stack[this.stack.length - 1]!
  }
}

/** The parts of `behavior` in their order, also those that were not called. */
function inOrder(behavior: Behavior, asked: Entry[]): Entry[] {
  const { children = [], allChildren = children } = behavior
  const unmatched = [...asked]
  const list = allChildren.map((child) => {
    const index = unmatched.findIndex((entry) => entry.behavior === child)
    return index < 0
      ? unasked(child, children.includes(child) ? 'not asked' : 'off')
      : unmatched.splice(index, 1)[0]!
  })
  return [...list, ...unmatched]
}

function unasked(behavior: Behavior, verdict: Verdict): Entry {
  const { children = [], allChildren = children } = behavior
  const entry = new Entry(behavior, 1)
  entry.verdict = verdict
  entry.children = allChildren.map((child) => unasked(child, children.includes(child) ? verdict : 'off'))
  return entry
}

/** Sets a difference to zero that is only the rounding error of its terms. */
function dropRounding(difference: Vec3, total: Vec3Like, parts: readonly Vec3Like[]): void {
  const size = parts.reduce((sum, part) => sum + length(part), length(total))
  if (length(difference) <= ROUNDING * size) set(difference, 0, 0, 0)
}

/** Names of the parts whose granted forces add up to nothing; '' when they do not. */
function canceling(parts: readonly Entry[]): string {
  const sum = vec3()
  let size = 0
  for (const { granted } of parts) {
    addScaled(sum, sum, granted.force, 1)
    size += length(granted.force)
  }
  if (!(length(sum) < CANCELED_SHARE * size)) return ''
  return parts
    .filter(({ granted }) => !isZero(granted.force))
    .map(({ name }) => name)
    .join(', ')
}

function isNothing({ force, torque }: Readonly<Wrench>): boolean {
  return isZero(force) && isZero(torque)
}

/** Whether `granted` is at least `weight` times `asked`. */
function covers(granted: Vec3Like, asked: Vec3Like, weight: number): boolean {
  const size = length(scale(scaled, asked, weight))
  const along = granted.x * scaled.x + granted.y * scaled.y + granted.z * scaled.z
  return along >= (1 - ROUNDING) * size * size
}
