import type { Agent, Locomotion, Step, Wrench } from '../types.js'
import { shareWithin } from '../math/ball.js'
import { addScaled, copy, set, truncate, vec3 } from '../math/vec3.js'
import { ATTITUDE, Attitude, type AttitudeOptions } from './attitude.js'
import { addFeedForward, feedForward, hasFeedForward, NOMINAL_STEP } from './limits.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../math/options.js'
import { unchecked } from '../math/require.js'

export interface HoverOptions extends Options, OptionsOf<typeof Hover.options> {}

const cost = vec3()
const turning = vec3()
const direction = vec3()

/**
 * Gives the agent thrust in any direction, up to `maxForce`, independent of its attitude: a drone, a fish,
 * the point mass of the papers (Reynolds 1999, simple vehicle). Thrust that would raise the speed above
 * `maxSpeed` is withheld.
 */
export class Hover implements Locomotion {
  static readonly type: string = 'Hover'
  static readonly options = {
    /**
     * How the vehicle turns. `null` makes it a point mass: it has no torque, and an agent without a body
     * points along its course without computation (thousands of fireflies). Default: nose along the course,
     * banking.
     */
    attitude: { kind: 'options', options: ATTITUDE, default: {}, check: unchecked<AttitudeOptions | null> },
  } as const satisfies AnyTable

  readonly attitude: Attitude | null

  constructor(options: HoverOptions = {}) {
    const { attitude } = readOptions('Hover', Hover.options, options)
    this.attitude = attitude === null ? null : new Attitude(attitude)
  }

  get pointMass(): boolean {
    return this.attitude === null
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { force } = out
    copy(force, demand.force)
    addFeedForward(agent, step, force)
    if (this.attitude === null) return
    const weight = agent.compensateGravity ? agent.mass : 0
    this.attitude.actuate(agent, demand, step, addScaled(turning, force, agent.gravity, weight), out)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    if (!hasFeedForward(agent)) return agent.maxForce
    truncate(cost, feedForward(cost, agent, NOMINAL_STEP), agent.maxForce)
    return shareWithin(cost, set(direction, x, y, z), agent.maxForce)
  }
}
