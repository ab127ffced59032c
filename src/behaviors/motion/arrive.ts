import type { Agent, Behavior, SnapshotState, PointSource, Step, Wrench } from '../../types.js'
import { drive, topSpeed } from '../../control/drive.js'
import { addScaled, distance, length, normalize, scale, sub, vec3 } from '../../math/vec3.js'
import { arriveAt } from '../../control/arrive-at.js'
import { Memory } from '../../control/memory.js'
import { requireNumber } from '../../math/require.js'
import { pointAt, requirePoint, velocityOf } from '../../control/target.js'

export interface ArriveOptions {
  /** Where to, m. A thing with a velocity is met and kept company. */
  target: PointSource
  /** "Arrived" means within this distance, m, > 0. Default a tenth of the agent's radius. */
  tolerance?: number
  /** … and slower, relative to the target, than this, m/s, > 0. Default one tolerance per second. */
  speedTolerance?: number
  /** … for this long, s, ≥ 0. Default 0.25. "Left" is twice the distance. */
  dwell?: number
  /**
   * Green's form instead: the speed is distance / decelerationTime, s, > 0, which knows nothing of the brakes and never quite
   * ends. Default none: brakes by what the vehicle can do.
   */
  decelerationTime?: number
}

const point = vec3()
const velocity = vec3()
const relative = vec3()
const none = vec3()

/**
 * Comes to rest at a point and never passes it: brakes by √(2·a·d) from the agent's real force, mass and damping
 * (Green, Arrival, asks for clipped distance / time; users ask for brakes that work). Tells `arrive` and `leave`.
 */
export class Arrive implements Behavior {
  static readonly type: string = 'Arrive'
  target: PointSource
  tolerance: number | undefined
  speedTolerance: number | undefined
  dwell: number
  decelerationTime: number | undefined
  /** Arrived (1) or not, and time within tolerance. */
  private readonly memory = new Memory(2)
  readonly state: SnapshotState = [this.memory]

  /** @throws TypeError / RangeError naming the option. */
  constructor({ target, tolerance, speedTolerance, dwell = 0.25, decelerationTime }: ArriveOptions) {
    this.target = requirePoint('Arrive.target', target)
    if (tolerance !== undefined) requireNumber('Arrive.tolerance', tolerance, 0, true)
    if (speedTolerance !== undefined) requireNumber('Arrive.speedTolerance', speedTolerance, 0, true)
    if (decelerationTime !== undefined) requireNumber('Arrive.decelerationTime', decelerationTime, 0, true)
    this.tolerance = tolerance
    this.speedTolerance = speedTolerance
    this.dwell = requireNumber('Arrive.dwell', dwell, 0, false)
    this.decelerationTime = decelerationTime
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    pointAt(point, this.target, agent)
    velocityOf(velocity, this.target, agent)
    const gap = distance(point, agent.position)
    const drift = length(sub(relative, agent.velocity, velocity))
    this.updateArrived(agent, step, gap, drift)
    if (this.decelerationTime === undefined)
      arriveAt(agent, step, point, velocity, none, topSpeed(agent), out.force)
    else {
      const speed = Math.min(gap / this.decelerationTime, topSpeed(agent))
      normalize(relative, sub(relative, point, agent.position))
      scale(relative, relative, speed)
      drive(agent, step, addScaled(relative, relative, velocity, 1), out.force)
    }
  }

  /** SnapshotState the arrived state, with hysteresis in distance and time, and tells of changes. */
  private updateArrived(agent: Agent, step: Step, gap: number, drift: number): void {
    const tolerance = this.tolerance ?? 0.1 * agent.radius
    const slow = this.speedTolerance ?? tolerance
    const offset = this.memory.at(agent)
    const { data } = this.memory
    if (data[offset] === 1) {
      if (gap <= 2 * tolerance) return
      data[offset] = 0
      data[offset + 1] = 0
      step.emit(agent, 'leave', this)
      return
    }
    data[offset + 1] = gap <= tolerance && drift <= slow ? data[offset + 1]! + step.dt : 0
    // half a step: a dwell that is a whole number of steps must not wait one more for rounding
    const stayed = data[offset + 1]!
    if (stayed === 0 || stayed < this.dwell - step.dt / 2) return
    data[offset] = 1
    step.emit(agent, 'arrive', this)
  }
}
