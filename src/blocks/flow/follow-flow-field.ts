import type { Agent, Behavior, DebugDraw, Step, Vec3, Vec3Like, Wrench } from '../../core/types.js'
import { isUsable } from '../../core/control/usable.js'
import { drive, topSpeed } from '../../core/control/drive.js'
import { flowOf, type Flow, type FlowSource } from './flow.js'
import { addScaled, copy, isFiniteVec, isZero, length, scale } from '../../core/math/vec3.js'
import { truncate, vec3, ZERO } from '../../core/math/vec3.js'
import { flyField } from '../pursuit/fly-field.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../../core/math/options.js'

export interface FollowFlowFieldOptions extends Options, OptionsOf<typeof FollowFlowField.options> {}

/** Rounds in which the velocity after a step is found, see `flyField`. More: streams that turn faster. */
const ROUNDS = 3

/** Number of pieces of a drawn stream line. Chosen by hand, like their time. */
const PIECES = 24
/** Time of each piece (s). Larger: a longer and less exact line. */
const PIECE_TIME = 0.15

/** At points farther from the origin (m) than this a flow that is not finite is no fault. */
const HUGE = 1e50

const spot = vec3()
const before = vec3()
const after = vec3()

/**
 * Follows a flow field: the velocity of the agent becomes that of the flow at its position (Reynolds 1999,
 * Flow Field Following; Green). Reynolds steers for the velocity at a predicted position, which lags behind
 * if the prediction time is short and cuts corners if it is long: `predictionTime`. By default the change of
 * the flow's velocity over the step, along the path and with time, is fed forward as a force, and a servo
 * corrects the rest. So the agent does not lag, whatever its response time. Without a flow at its position it
 * writes nothing. As a wish within constraints it flies around obstacles.
 */
export class FollowFlowField implements Behavior {
  static readonly type: string = 'FollowFlowField'
  static readonly options = {
    /** The flow to follow: a `FlowField`, a painter, a sum of them, or a function `(point, time, out)`. */
    field: { kind: 'instance', required: true, check: flowOf },
    /**
     * Speed of the agent, m/s, > 0; then only the direction of the flow counts. Default the speed of the
     * flow. It is limited to the top speed.
     */
    speed: { kind: 'number', unit: 'm/s', above: 0, infinite: true },
    /**
     * Reynolds' method: the agent steers for the velocity of the flow at its predicted position after this
     * time, s, ≥ 0. A longer time cuts corners more. Default none: the acceleration of the flow is fed
     * forward instead.
     */
    predictionTime: { kind: 'number', unit: 's', atLeast: 0 },
  } as const satisfies AnyTable

  speed!: number | undefined
  predictionTime!: number | undefined
  private flow: Flow
  private source: FlowSource

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FollowFlowFieldOptions) {
    const { field, ...read } = readOptions('FollowFlowField', FollowFlowField.options, options)
    this.flow = field
    this.source = options.field
    Object.assign(this, read)
  }

  /** May be changed. @throws TypeError if it is not a flow. */
  get field(): FlowSource {
    return this.source
  }
  set field(field: FlowSource) {
    this.flow = flowOf('FollowFlowField.field', field)
    this.source = field
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { position, velocity } = agent
    const { dt, time } = step
    if (this.predictionTime !== undefined) {
      addScaled(spot, position, velocity, this.predictionTime)
      if (this.flowAt(before, spot, time, agent)) drive(agent, step, before, out.force)
      return
    }
    addScaled(spot, position, velocity, -dt / 2)
    if (this.flowAt(before, spot, time - dt / 2, agent))
      flyField(agent, step, this, position, velocity, ZERO, out.force, ROUNDS)
  }

  /** The velocity that is wanted at `place`; where there is no flow, that at the agent. @internal */
  velocityAt(out: Vec3, place: Vec3Like, agent: Agent, step: Step, later: number): void {
    if (!this.flowAt(out, place, step.time + later, agent)) copy(out, before)
  }

  /** Writes the wanted velocity at a point, m/s. @returns false if there is no flow. */
  private flowAt(out: Vec3, point: Vec3Like, time: number, agent: Agent): boolean {
    this.flow.velocityAt(out, point, time)
    // at points so far away that powers of their coordinates overflow, this is no fault of the flow
    const usable = length(point) < HUGE ? isUsable(agent, 'flow', out) : isFiniteVec(out)
    if (!usable || isZero(out)) return false
    const limit = topSpeed(agent)
    if (this.speed === undefined) truncate(out, out, limit)
    else scale(out, out, Math.min(this.speed, limit) / length(out))
    return true
  }

  /** Draws the stream line ahead of the agent. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    copy(before, agent.position)
    for (let i = 0; i < PIECES; i++) {
      if (!this.flowAt(after, before, step.time, agent)) return
      addScaled(spot, before, after, PIECE_TIME / 2)
      if (!this.flowAt(after, spot, step.time, agent)) return
      addScaled(spot, before, after, PIECE_TIME)
      draw.line('flow', before, spot)
      copy(before, spot)
    }
  }
}
