import type { Agent, Locomotion, Step, Wrench } from '../types.js'
import { shareWithin } from '../math/ball.js'
import { addScaled, copy, set, truncate, vec3 } from '../math/vec3.js'
import { Attitude, type AttitudeOptions } from './attitude.js'
import { feedForward, hasCosts, NOMINAL_STEP, payFirst } from './limits.js'

export interface HoverOptions {
  /**
   * How the vehicle turns. `null` makes it a point mass: no torque at all, and an agent without a body points along its
   * course at no cost (thousands of fireflies). Default: nose along the course, banking.
   */
  attitude?: AttitudeOptions | null
}

const paid = vec3()
const turning = vec3()
const direction = vec3()

/**
 * Thrust in any direction, up to `maxForce`, whatever the attitude: a drone, a fish, the point mass of the papers
 * (Reynolds 1999, simple vehicle). Thrust that would raise the speed beyond `maxSpeed` is withheld.
 */
export class Hover implements Locomotion {
  static readonly type: string = 'Hover'
  readonly attitude: Attitude | null

  constructor({ attitude = {} }: HoverOptions = {}) {
    this.attitude = attitude === null ? null : new Attitude(attitude)
  }

  get pointMass(): boolean {
    return this.attitude === null
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { force } = out
    copy(force, demand.force)
    payFirst(agent, step, force)
    if (this.attitude === null) return
    const weight = agent.compensateGravity ? agent.mass : 0
    this.attitude.actuate(agent, demand, step, addScaled(turning, force, agent.gravity, weight), out)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    if (!hasCosts(agent)) return agent.maxForce
    truncate(paid, feedForward(paid, agent, NOMINAL_STEP), agent.maxForce)
    return shareWithin(paid, set(direction, x, y, z), agent.maxForce)
  }
}
