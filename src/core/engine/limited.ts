import { TAU } from '../math/scalar.js'
import * as T from './agents.js'
import { Emitter } from './emitter.js'
import { checkOption, type Option } from '../math/options.js'
import { AGENT_OPTIONS, viewCosine } from './options.js'

/** Base of controllers and flocks: limits that may be changed at any time, see {@link AgentOptions}. */
export abstract class Limited<Events extends object> extends Emitter<Events> {
  get maxSpeed(): number {
    return this.trait(T.MAX_SPEED)
  }
  set maxSpeed(value: number) {
    this.setLimit(T.MAX_SPEED, 'maxSpeed', value)
  }
  get maxForce(): number {
    return this.trait(T.MAX_FORCE)
  }
  set maxForce(value: number) {
    this.setLimit(T.MAX_FORCE, 'maxForce', value)
  }
  get maxTorque(): number {
    return this.trait(T.MAX_TORQUE)
  }
  set maxTorque(value: number) {
    this.setLimit(T.MAX_TORQUE, 'maxTorque', value)
  }
  get maxTurnRate(): number {
    return this.trait(T.MAX_TURN_RATE)
  }
  set maxTurnRate(value: number) {
    this.setLimit(T.MAX_TURN_RATE, 'maxTurnRate', value)
  }
  get responseTime(): number {
    return this.trait(T.RESPONSE_TIME)
  }
  set responseTime(value: number) {
    this.setLimit(T.RESPONSE_TIME, 'responseTime', value)
  }
  get fieldOfView(): number {
    const cosine = this.trait(T.VIEW_COSINE)
    return cosine <= -1 ? TAU : 2 * Math.acos(cosine)
  }
  set fieldOfView(value: number) {
    checkOption('fieldOfView', value, AGENT_OPTIONS.fieldOfView)
    this.setTrait(T.VIEW_COSINE, viewCosine(value))
  }
  get maxNeighbors(): number {
    return this.trait(T.MAX_NEIGHBORS)
  }
  set maxNeighbors(value: number) {
    this.setLimit(T.MAX_NEIGHBORS, 'maxNeighbors', value)
  }
  get priority(): number {
    return this.trait(T.PRIORITY)
  }
  set priority(value: number) {
    this.setLimit(T.PRIORITY, 'priority', value)
  }
  /**
   * Group bits of the agents that it avoids, as its behaviours say, see `Behavior.avoids`; 0 while it is in
   * no world.
   */
  get avoids(): number {
    return this.binding?.avoids ?? 0
  }
  /** Whether a player steers it, as its behaviours say; false while it is in no world. */
  get isManual(): boolean {
    return this.binding?.isManual === true
  }
  /** m */
  get radius(): number {
    return this.trait(T.RADIUS)
  }
  /** kg */
  get mass(): number {
    return this.trait(T.MASS)
  }

  private setLimit(offset: number, name: keyof typeof AGENT_OPTIONS, value: number): void {
    checkOption<unknown>(name, value, AGENT_OPTIONS[name] as Option)
    this.setTrait(offset, value)
  }

  protected abstract get binding(): T.Binding | null | undefined
  protected abstract trait(offset: number): number
  protected abstract setTrait(offset: number, value: number): void
}
