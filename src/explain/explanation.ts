import type { Agent, Behavior, DebugDraw, Vec3, Vec3Like, Wrench } from '../types.js'
import type { Handle } from '../engine/agents.js'
import { ExplanationRecorder, type Contribution } from './explanation-recorder.js'
import { addScaled, copy, isZero, length, vec3 } from '../math/vec3.js'
import { clearWrench, copyWrench, zeroWrench } from '../math/wrench.js'

/** A force of `maxForce` is drawn so many radii long. */
const FULL_LENGTH = 6

/**
 * Who asked for what in the last step of one agent, and what was granted. Made by `SteeringWorld.explain`; goes on, step by step, until it is
 * stopped. Each step makes a new tree: what has been read stays as it was.
 */
export class Explanation {
  /** The whole behaviour of the agent; null before its first step, and where its behaviours failed or got a part that cannot be one. The last tree stays when it has gone. */
  root: Contribution | null = null
  /** Simulated time (s) at the start of that step, and where the agent was (m). */
  time = 0
  readonly position: Vec3 = vec3()
  /** What the behaviours wanted, and what the locomotion gave: N, N·m, world axes; nothing where they failed. */
  readonly wanted: Wrench = zeroWrench()
  readonly given: Wrench = zeroWrench()
  /** Of the agent, see `Agent.id`. That of a controller changes where the world is put back to when it had another. */
  id: number
  /** @internal */
  readonly handle: Handle
  private readonly recorder = new ExplanationRecorder()
  private scale = 0
  private readonly forget: () => void

  /** @internal */
  constructor(id: number, handle: Handle, forget: () => void) {
    this.id = id
    this.handle = handle
    this.forget = forget
  }

  /** Ends it. The last tree stays. */
  stop(): void {
    this.forget()
  }

  /** Draws what everybody brought to the force, tip to tail, in a layer for each, 'by' and its name; the last tip is what was wanted. */
  trace(draw: DebugDraw): void {
    if (this.root !== null) this.chain(draw, this.root, 1, copy(vec3(), this.position))
  }

  /** As plain data, without the behaviours. */
  toJSON(): object {
    const { id, time, position, wanted, given, root } = this
    return { id, time, position, wanted, given, root }
  }

  /** @internal */
  begin(agent: Agent, time: number, behavior: Behavior): void {
    this.root = null
    clearWrench(this.wanted)
    clearWrench(this.given)
    this.time = time
    copy(this.position, agent.position)
    this.scale = agent.maxForce > 0 ? (FULL_LENGTH * agent.radius) / agent.maxForce : 0
    this.recorder.open(behavior)
    agent.explainer = this.recorder
  }

  /** @internal */
  end(wanted: Readonly<Wrench>, given: Readonly<Wrench>): void {
    copyWrench(this.wanted, wanted)
    copyWrench(this.given, given)
    try {
      this.root = this.recorder.close(wanted, given)
    } catch {
      // a part that is none, or a tree inside of itself, came in while it was asked: for the next step to tell, as where nobody asks
    }
  }

  private chain(draw: DebugDraw, entry: Contribution, share: number, at: Vec3): void {
    const { name, own, children } = entry
    if (!isZero(own.force)) {
      const tip = addScaled(vec3(), at, own.force, share * this.scale)
      draw.line(`by ${name}`, at, tip)
      copy(at, tip)
    }
    for (const child of children)
      this.chain(draw, child, share * ratio(child.granted.force, child.asked.force), at)
  }
}

function ratio(part: Vec3Like, whole: Vec3Like): number {
  const size = length(whole)
  return size > 0 ? length(part) / size : 0
}
