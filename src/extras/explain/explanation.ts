import type { Agent, Behavior, DebugDraw, Vec3, Vec3Like, Wrench } from '../../core/types.js'
import type { Handle } from '../../core/engine/agents.js'
import type { SteeringController } from '../../core/engine/controller.js'
import type { Flock } from '../../core/engine/flock.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import { internalsOf } from '../../core/engine/world-internals.js'
import { show } from '../../core/math/show.js'
import { ExplanationRecorder, type Contribution } from './explanation-recorder.js'
import { FULL_LENGTH } from './trace.js'
import { addScaled, copy, dot, isZero, length, scale, vec3 } from '../../core/math/vec3.js'
import { clearWrench, copyWrench, zeroWrench } from '../../core/math/wrench.js'

/**
 * Explains the decisions of an agent from its next step on: which behaviour asked for what, and what was
 * granted. Of a flock it explains the member that has that index now. A second call for the same agent
 * returns the same explanation.
 * @throws TypeError for an agent that is not in this world, or a world that is not a SteeringWorld. Error
 * after its dispose.
 */
export function explain(world: SteeringWorld, agent: SteeringController | Flock, index = 0): Explanation {
  const {
    roster: { agents },
    thinker: { observers },
  } = internalsOf('explain', world)
  const row = agents.handle.findIndex((handle, i) => handle === agent && agents.member[i] === index)
  if (row < 0 || row >= agents.count) {
    const name = typeof agent?.dispatch === 'function' ? `'${agent.name}'` : show(agent)
    throw new TypeError(
      `explain: got ${name} and index ${index}, must be an agent of this world: add it first`,
    )
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
 * Explains the last step of one agent: which behaviour asked for which force and torque, and what was
 * granted. Made by `explain`; updated in each step until it is stopped. Each step makes a new tree, so a tree
 * that was read before does not change.
 */
export class Explanation {
  /**
   * The tree of contributions, from the root behaviour of the agent. Null before the first step, and after a
   * step in which its behaviours failed or got a part that is not a behaviour. After the agent has left the
   * world, the last tree stays.
   */
  root: Contribution | null = null
  /** Simulated time (s) and position of the agent (m) at the start of that step. */
  time = 0
  readonly position: Vec3 = vec3()
  /** What the behaviours wanted, and what the locomotion gave: N, N·m, world axes; zero when they failed. */
  readonly wanted: Wrench = zeroWrench()
  readonly given: Wrench = zeroWrench()
  /** See `Agent.id`. A controller's changes when a snapshot is restored in which it had another one. */
  id: number
  /** @internal */
  readonly handle: Handle
  private readonly recorder = new ExplanationRecorder()
  private scale = 0
  /** Weight of the agent as a vector, and its largest force, N. */
  private readonly weight: Vec3 = vec3()
  private maxForce = 0
  private readonly onStop: () => void

  /** @internal */
  constructor(id: number, handle: Handle, onStop: () => void) {
    this.id = id
    this.handle = handle
    this.onStop = onStop
  }

  /** Ends the explanation. The last tree stays. */
  stop(): void {
    this.onStop()
  }

  /**
   * Draws the force that each behaviour contributed, tip to tail, each in a layer named 'by' and the name of
   * its class. The last tip is that of the wanted force.
   */
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
    this.maxForce = agent.maxForce
    scale(this.weight, agent.gravity, agent.mass)
    this.recorder.open(behavior)
    agent.explainer = this.recorder
  }

  /** @internal */
  end(wanted: Readonly<Wrench>, given: Readonly<Wrench>): void {
    copyWrench(this.wanted, wanted)
    copyWrench(this.given, given)
    try {
      const root = this.recorder.close(wanted, given)
      const weight = length(this.weight)
      if (this.maxForce < weight && dot(wanted.force, this.weight) < 0)
        root.addNote(
          `cannot climb: its largest force, ${newtons(this.maxForce)}, is below its weight, ${newtons(weight)}`,
        )
      this.root = root
    } catch {
      // a part that is not a behaviour, or a tree inside of itself, was added during the call: the next step
      // reports it, also without explanations
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

function newtons(force: number): string {
  return `${Number(force.toPrecision(3))} N`
}
