import type { Agent, Behavior, DebugDraw, Step, Vec3, Vec3Like, Wrench } from '../../types.js'
import { isUsable } from '../../control/usable.js'
import { drive, servoTime, topSpeed } from '../../control/drive.js'
import { flowOf, type Flow, type FlowSource } from './flow.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { add, addScaled, copy, isFiniteVec, isZero, length, scale } from '../../math/vec3.js'
import { sub, truncate, vec3 } from '../../math/vec3.js'

export interface FollowFlowFieldOptions {
  /** What flows: a `FlowField`, a painter, a sum of them, or a function `(point, time, out)`. */
  field: FlowSource
  /** Speed to fly at, m/s, > 0: then only the direction of the field counts. Default that of the field. Never more than the top speed. */
  speed?: number
  /**
   * Reynolds' form: steers for what flows where it will be in this time, s, ≥ 0. A longer time cuts corners more. Default none: what the field
   * will demand is fed forward.
   */
  predictionTime?: number
}

/** The velocity after a step is looked for so often: it is in the place that it leads to, and each round is nearer by a step's turn. */
const ROUNDS = 3

/** A stream line is drawn in so many pieces, of so many seconds each. */
const PIECES = 24
const PIECE = 0.15

/** Farther away (m) than this no flow is asked to be finite. */
const HUGE = 1e50

const spot = vec3()
const before = vec3()
const after = vec3()
const error = vec3()

/**
 * Flies as a field flows (Reynolds 1999, Flow Field Following; Green). Reynolds steers for the velocity at a point projected ahead, which lags where
 * the time is short and cuts corners where it is long: `predictionTime`. By default the force is fed forward instead: how the field's velocity
 * changes over the step, along the flight and with time, and the rest is a servo's; so no agent lags, whatever its response time. It has no
 * opinion where nothing flows. As a wish within constraints it flows past what is in the way.
 */
export class FollowFlowField implements Behavior {
  static readonly type: string = 'FollowFlowField'
  speed: number | undefined
  predictionTime: number | undefined
  private flow: Flow
  private given: FlowSource

  /** @throws TypeError / RangeError naming the option. */
  constructor({ field, speed, predictionTime }: FollowFlowFieldOptions) {
    this.flow = flowOf('FollowFlowField.field', field)
    this.given = field
    this.speed = speed === undefined ? undefined : requireNumber('FollowFlowField.speed', speed, 0, true)
    this.predictionTime =
      predictionTime === undefined
        ? undefined
        : requireFinite('FollowFlowField.predictionTime', predictionTime, 0, false)
  }

  /** May be changed. @throws TypeError for something that does not flow. */
  get field(): FlowSource {
    return this.given
  }
  set field(field: FlowSource) {
    this.flow = flowOf('FollowFlowField.field', field)
    this.given = field
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { position, velocity } = agent
    const { dt, time } = step
    if (this.predictionTime !== undefined) {
      addScaled(spot, position, velocity, this.predictionTime)
      if (this.read(before, spot, time, agent)) drive(agent, step, before, out.force)
      return
    }
    // an engine that moves by the new velocity shows the one of half a step ago
    addScaled(spot, position, velocity, -dt / 2)
    if (!this.read(before, spot, time - dt / 2, agent)) return
    sub(error, velocity, before)
    scale(error, error, 1 - dt / servoTime(agent, step))
    add(after, before, error)
    for (let round = 0; round < ROUNDS; round++) {
      addScaled(spot, position, after, dt / 2)
      if (!this.read(after, spot, time + dt / 2, agent)) copy(after, before)
      add(after, after, error)
    }
    scale(after, sub(after, after, velocity), agent.mass / dt)
    if (agent.wish === null) truncate(after, after, agent.maxForce)
    if (isFiniteVec(after)) add(out.force, out.force, after)
  }

  /** Writes the velocity to have at a point, m/s. @returns false where nothing flows. */
  private read(to: Vec3, point: Vec3Like, time: number, agent: Agent): boolean {
    this.flow.velocityAt(to, point, time)
    // at places so huge that powers of them are lost it is no fault of the flow
    const fine = length(point) < HUGE ? isUsable(agent, 'flow', to) : isFiniteVec(to)
    if (!fine || isZero(to)) return false
    const most = topSpeed(agent)
    if (this.speed === undefined) truncate(to, to, most)
    else scale(to, to, Math.min(this.speed, most) / length(to))
    return true
  }

  /** Draws the stream line on from where it is. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    copy(before, agent.position)
    for (let i = 0; i < PIECES; i++) {
      if (!this.read(after, before, step.time, agent)) return
      addScaled(spot, before, after, PIECE / 2)
      if (!this.read(after, spot, step.time, agent)) return
      addScaled(spot, before, after, PIECE)
      draw.line('flow', before, spot)
      copy(before, spot)
    }
  }
}
