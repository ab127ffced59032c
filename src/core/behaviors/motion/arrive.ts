import type { Agent, Behavior, SnapshotState, Step, Wrench } from '../../types.js'
import { drive, topSpeed } from '../../control/drive.js'
import { addScaled, distance, isZero, length, normalize, scale, sub, vec3 } from '../../math/vec3.js'
import { arriveAt } from '../../control/arrive-at.js'
import { Memory } from '../../control/memory.js'
import { reportArrived, reportGoal } from '../../control/wish.js'
import { isGone, pointAt, requirePoint, velocityOf } from '../../control/target.js'
import { WithOptions } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'

export interface ArriveOptions extends Options, OptionsOf<typeof Arrive.options> {}
export interface Arrive extends FieldsOf<typeof Arrive.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Default tolerance in radii of the agent. */
const DEFAULT_TOLERANCE = 0.1

const point = vec3()
const velocity = vec3()
const relative = vec3()
const none = vec3()

/**
 * Comes to rest at a point without passing it: brakes by √(2·a·d), from the agent's real force, mass and
 * damping. (Green, Arrival, uses clipped distance / time, which ignores what the brakes can do.) Emits
 * `arrive` and `leave`.
 */
export class Arrive extends WithOptions<ArriveOptions> implements Behavior {
  static readonly type: string = 'Arrive'
  static readonly options = {
    /** Point to come to rest at (m). If it moves, the agent matches its velocity. */
    target: { kind: 'point', required: true, check: requirePoint },
    /**
     * The agent has arrived within this distance (m, > 0). It has left beyond twice this distance. Default a
     * tenth of the agent's radius.
     */
    tolerance: { kind: 'number', unit: 'm', above: 0, infinite: true },
    /**
     * The agent has arrived when its speed relative to the target is at most this (m/s, > 0). Default one
     * tolerance per second.
     */
    speedTolerance: { kind: 'number', unit: 'm/s', above: 0, infinite: true },
    /** Both must hold for this time (s, ≥ 0). Default 0.25. */
    // An agent that only passes through the goal has not arrived.
    dwell: { kind: 'number', unit: 's', atLeast: 0, infinite: true, default: 0.25 },
    /**
     * Green's form instead: the speed is distance / decelerationTime (s, > 0). It ignores the brakes, and the
     * last metres take long. Default none: the agent brakes as hard as the vehicle can.
     */
    decelerationTime: { kind: 'number', unit: 's', above: 0, infinite: true },
    /**
     * Speed to come at (m/s, > 0), relative to the target, no more than the top speed. Default the top speed.
     */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  /** Whether the agent has arrived (1), and its time within the tolerances (s). */
  private readonly memory = new Memory(2)
  readonly state: SnapshotState = [this.memory]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    pointAt(point, this.target, agent)
    velocityOf(velocity, this.target, agent)
    const gap = distance(point, agent.position)
    const relativeSpeed = length(sub(relative, agent.velocity, velocity))
    this.updateArrived(agent, step, gap, relativeSpeed)
    const top = topSpeed(agent, this.speed)
    if (this.decelerationTime === undefined) arriveAt(agent, step, point, velocity, none, top, out.force)
    else {
      reportGoal(agent, point, isZero(velocity))
      const speed = Math.min(gap / this.decelerationTime, top)
      normalize(relative, sub(relative, point, agent.position))
      scale(relative, relative, speed)
      drive(agent, step, addScaled(relative, relative, velocity, 1), out.force)
    }
  }

  /** Updates the arrived state, with hysteresis in distance and time, and emits its changes. */
  private updateArrived(agent: Agent, step: Step, gap: number, relativeSpeed: number): void {
    const tolerance = this.tolerance ?? DEFAULT_TOLERANCE * agent.radius
    const slow = this.speedTolerance ?? tolerance
    const offset = this.memory.at(agent)
    const { data } = this.memory
    if (data[offset] === 1) {
      // a target that is not finite was not left
      if (!(gap > 2 * tolerance)) return reportArrived(agent)
      data[offset] = 0
      data[offset + 1] = 0
      step.emit(agent, 'leave', this)
      return
    }
    data[offset + 1] = gap <= tolerance && relativeSpeed <= slow ? data[offset + 1]! + step.dt : 0
    // Half a step less: otherwise rounding could add a step to a dwell that is a whole number of steps.
    const timeInside = data[offset + 1]!
    if (timeInside === 0 || timeInside < this.dwell - step.dt / 2) return
    data[offset] = 1
    step.emit(agent, 'arrive', this)
  }
}
