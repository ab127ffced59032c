import type { Behavior, Explainer, Vec3, Vec3Like, Wrench } from '../types.js'
import { addScaled, isZero, length, scale, set, vec3 } from '../math/vec3.js'
import { addWrench, copyWrench, zeroWrench } from '../math/wrench.js'
import { typeName } from '../math/type-name.js'

/**
 * What became of a part: what it asked for was done (`granted`), only some of it (`cut`), nothing (`refused`); it wanted nothing (`silent`), was
 * not asked in this step (`not asked`), or is switched off (`off`). A constraint that what is granted violates, whether it has changed anything or
 * not, is `overruled`: by another one, or by what the vehicle can do.
 */
export type Verdict = 'granted' | 'cut' | 'refused' | 'overruled' | 'silent' | 'not asked' | 'off'

/** What one behaviour asked for in one step, and what it got. Forces in N, torques in N·m, world axes. */
export interface Contribution {
  readonly behavior: Behavior
  /** Of its class. One that says `static readonly type = 'Climb'` goes by that name where a bundler shortens all others; so do those of this package. */
  readonly name: string
  readonly verdict: Verdict
  /** The share it was asked in: a weight, a probability; else 1. */
  readonly weight: number
  /** Its answer; of a constraint, the force by which it changed what was wanted. */
  readonly asked: Readonly<Wrench>
  /** What of it is in the answer of who asked; of the whole behaviour, what the locomotion gave. */
  readonly granted: Readonly<Wrench>
  /** Its own doing: what it asked for less what it granted to its parts. */
  readonly own: Readonly<Wrench>
  /** In words, where there is something to say. */
  readonly note: string
  /** Its parts, in their order. */
  readonly children: readonly Contribution[]
}

/** So much less than the whole (share of it) is the whole. */
const ROUNDING = 1e-9

const scaled = vec3()

/** A line of the book. */
export class Entry implements Contribution {
  verdict: Verdict = 'not asked'
  readonly asked: Wrench = zeroWrench()
  readonly granted: Wrench = zeroWrench()
  readonly own: Wrench = zeroWrench()
  note = ''
  /** By how much (m/s) what is granted violates what it demands, as a constraint. */
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

  /** Finds what nobody told: its own doing, what became of it, and its parts that were not asked. */
  close(): void {
    const { asked, behavior, children, granted, own, weight } = this
    copyWrench(own, asked)
    for (const child of children) {
      addWrench(own, child.granted, -1, -1)
      child.close()
    }
    dropRounding(
      own.force,
      asked.force,
      children.map((child) => child.granted.force),
    )
    dropRounding(
      own.torque,
      asked.torque,
      children.map((child) => child.granted.torque),
    )
    if (isNothing(asked) && !asked.turns) this.verdict = 'silent'
    else if (isNothing(granted) && !isNothing(asked)) this.verdict = 'refused'
    else {
      const full = covers(granted.force, asked.force, weight) && covers(granted.torque, asked.torque, weight)
      this.verdict = full ? 'granted' : 'cut'
    }
    if (this.violation > 0) this.verdict = 'overruled'
    // who answers without asking anybody we know of keeps his parts to himself
    if (children.length > 0 || this.verdict === 'silent' || this.violation > 0)
      this.children = inOrder(behavior, children)
  }

  toJSON(): object {
    const { name, verdict, weight, asked, granted, own, note, children } = this
    return { name, verdict, weight, asked, granted, own, note, children }
  }
}

/** Takes down who asks for what while one agent thinks. */
export class ExplanationRecorder implements Explainer {
  /** From the root to who is being asked. */
  private readonly stack: Entry[] = []
  /** Who has answered last. */
  private last: Entry | null = null

  open(root: Behavior): void {
    this.stack.length = 0
    this.stack.push(new Entry(root, 1))
    this.last = null
  }

  close(wanted: Readonly<Wrench>, given: Readonly<Wrench>): Contribution {
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

  addChange(part: Behavior, force: Vec3Like, violation = 0): void {
    const entry = new Entry(part, 1)
    entry.violation = violation
    if (violation > 0) entry.note = `short of what it demands by ${violation.toPrecision(2)} m/s`
    addScaled(entry.asked.force, entry.asked.force, force, 1)
    addScaled(entry.granted.force, entry.granted.force, force, 1)
    this.top.children.push(entry)
  }

  scaleTo(force: Vec3Like, parts: readonly Behavior[]): void {
    const { children } = this.top
    const rest = addScaled(vec3(), force, force, 0)
    for (const { granted } of children) addScaled(rest, rest, granted.force, -1)
    for (const part of parts) {
      const entry = children.find(({ behavior }) => behavior === part)
      if (entry) addScaled(entry.granted.force, entry.granted.force, rest, 1 / parts.length)
    }
  }

  note(words: string): void {
    if (this.last !== null) this.last.note = words
  }

  private get top(): Entry {
    return this.stack[this.stack.length - 1]!
  }
}

/** The parts of `behavior` as they stand in it, with those that were not asked. */
function inOrder(behavior: Behavior, asked: Entry[]): Entry[] {
  const { children = [], allChildren = children } = behavior
  const rest = [...asked]
  const list = allChildren.map((child) => {
    const at = rest.findIndex((entry) => entry.behavior === child)
    return at < 0 ? unasked(child, children.includes(child) ? 'not asked' : 'off') : rest.splice(at, 1)[0]!
  })
  return [...list, ...rest]
}

function unasked(behavior: Behavior, verdict: Verdict): Entry {
  const { children = [], allChildren = children } = behavior
  const entry = new Entry(behavior, 1)
  entry.verdict = verdict
  entry.children = allChildren.map((child) => unasked(child, children.includes(child) ? verdict : 'off'))
  return entry
}

/** A difference of what is as good as equal is nothing. */
function dropRounding(rest: Vec3, all: Vec3Like, parts: readonly Vec3Like[]): void {
  const size = parts.reduce((sum, part) => sum + length(part), length(all))
  if (length(rest) <= ROUNDING * size) set(rest, 0, 0, 0)
}

function isNothing({ force, torque }: Readonly<Wrench>): boolean {
  return isZero(force) && isZero(torque)
}

/** Whether `granted` is `weight` times `asked`, or more of it. */
function covers(granted: Vec3Like, asked: Vec3Like, weight: number): boolean {
  const size = length(scale(scaled, asked, weight))
  const along = granted.x * scaled.x + granted.y * scaled.y + granted.z * scaled.z
  return along >= (1 - ROUNDING) * size * size
}
