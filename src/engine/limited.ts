import { TAU } from '../math/scalar.js'
import * as T from './agents.js'
import { Emitter } from './emitter.js'
import { viewCosine } from './options.js'
import { requireFinite, requireNumber, requireWhole } from '../math/require.js'

/** Base of controllers and flocks: limits that may be changed at any time, see {@link AgentOptions}. */
export abstract class Limited<Events extends object> extends Emitter<Events> {
  get maxSpeed(): number {
    return this.trait(T.MAX_SPEED)
  }
  set maxSpeed(value: number) {
    this.setTrait(T.MAX_SPEED, requireNumber('maxSpeed', value, 0, true))
  }
  get maxForce(): number {
    return this.trait(T.MAX_FORCE)
  }
  set maxForce(value: number) {
    this.setTrait(T.MAX_FORCE, requireFinite('maxForce', value, 0, false))
  }
  get maxTorque(): number {
    return this.trait(T.MAX_TORQUE)
  }
  set maxTorque(value: number) {
    this.setTrait(T.MAX_TORQUE, requireNumber('maxTorque', value, 0, false))
  }
  get maxTurnRate(): number {
    return this.trait(T.MAX_TURN_RATE)
  }
  set maxTurnRate(value: number) {
    this.setTrait(T.MAX_TURN_RATE, requireNumber('maxTurnRate', value, 0, true))
  }
  get responseTime(): number {
    return this.trait(T.RESPONSE_TIME)
  }
  set responseTime(value: number) {
    this.setTrait(T.RESPONSE_TIME, requireNumber('responseTime', value, 0, true))
  }
  get fieldOfView(): number {
    const cosine = this.trait(T.VIEW_COSINE)
    return cosine <= -1 ? TAU : 2 * Math.acos(cosine)
  }
  set fieldOfView(value: number) {
    requireNumber('fieldOfView', value, 0, true, TAU)
    this.setTrait(T.VIEW_COSINE, viewCosine(value))
  }
  get maxNeighbors(): number {
    return this.trait(T.MAX_NEIGHBORS)
  }
  set maxNeighbors(value: number) {
    this.setTrait(T.MAX_NEIGHBORS, requireWhole('maxNeighbors', value, 1, Infinity))
  }
  get priority(): number {
    return this.trait(T.PRIORITY)
  }
  set priority(value: number) {
    this.setTrait(T.PRIORITY, requireNumber('priority', value, 0, true))
  }
  /** m */
  get radius(): number {
    return this.trait(T.RADIUS)
  }
  /** kg */
  get mass(): number {
    return this.trait(T.MASS)
  }

  protected abstract trait(offset: number): number
  protected abstract setTrait(offset: number, value: number): void
}
