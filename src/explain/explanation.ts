import type { Agent, Behavior, DebugDraw, Vec3, Vec3Like, Wrench } from '../types.js'
import type { Handle } from '../engine/agents.js'
import type { SteeringController } from '../engine/controller.js'
import type { Flock } from '../engine/flock.js'
import type { ThinkingObserver } from '../engine/thinker.js'
import type { SteeringWorld } from '../engine/world.js'
import { internalsOf } from '../engine/world-internals.js'
import { show } from '../math/show.js'
import { ExplanationRecorder, type Contribution } from './explanation-recorder.js'
import { addScaled, copy, isZero, length, vec3 } from '../math/vec3.js'
import { clearWrench, copyWrench, zeroWrench } from '../math/wrench.js'

/** A force of `maxForce` is drawn so many radii long. */
const FULL_LENGTH = 6

/**
 * Explains the decisions of an agent from its next step on: which behaviour asked for what, and what was granted. Of a flock it explains the member
 * that has that index now. A second call for the same agent returns the same explanation.
 * @throws TypeError for an agent that is not in this world, or a world that is not a SteeringWorld. Error after its dispose.
 */
export function explain(world: SteeringWorld, agent: SteeringController | Flock, index = 0): Explanation {
  const {
    roster: { agents },
    thinker: { observers },
  } = internalsOf('explain', world)
  const row = agents.handle.findIndex((handle, i) => handle === agent && agents.member[i] === index)
  if (row < 0 || row >= agents.count) {
    const name = typeof agent?.dispatch === 'function' ? `'${agent.name}'` : show(agent)
    throw new TypeError(`explain: got ${name} and index ${index}, must be an agent of this world`)
  }
  const slot = agents.slot[row]!
  const id = agents.id[row]!
  const known = observers.get(slot)
  // all observers are explanations
  if (known?.id === id) return known as Explanation
  const explanation = new Explanation(id, agent, () => {
    observers.forEach((each, at) => each === explanation && observers.delete(at))
  })
  observers.set(slot, explanation)
  return explanation
}

/**
 * Who asked for what in the last step of one agent, and what was granted. Made by `explain`; goes on, step by step, until it is
 * stopped. Each step makes a new tree: what has been read stays as it was.
 */
export class Explanation implements ThinkingObserver {
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
  private readonly onStop: () => void

  /** @internal */
  constructor(id: number, handle: Handle, onStop: () => void) {
    this.id = id
    this.handle = handle
    this.onStop = onStop
  }

  /** Ends it. The last tree stays. */
  stop(): void {
    this.onStop()
  }

  /** Draws what everybody brought to the force, tip to tail, in a layer for each, 'by' and its name; the last tip is what was wanted. */
  trace(draw: DebugDraw): void {
    if (this.root !== null) this.drawTipToTail(draw, this.root, 1, copy(vec3(), this.position))
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

  private drawTipToTail(draw: DebugDraw, entry: Contribution, share: number, start: Vec3): void {
    const { name, own, children } = entry
    if (!isZero(own.force)) {
      const tip = addScaled(vec3(), start, own.force, share * this.scale)
      draw.line(`by ${name}`, start, tip)
      copy(start, tip)
    }
    for (const child of children)
      this.drawTipToTail(draw, child, share * ratio(child.granted.force, child.asked.force), start)
  }
}

function ratio(part: Vec3Like, whole: Vec3Like): number {
  const size = length(whole)
  return size > 0 ? length(part) / size : 0
}
