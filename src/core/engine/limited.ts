import type { Behavior, Locomotion, StageChange } from '../types.js'
import { Hover } from '../locomotion/hover.js'
import { requireBehavior } from '../math/require.js'
import { TAU } from '../math/scalar.js'
import * as T from './agents.js'
import { Emitter } from './emitter.js'
import { checkOption, type Option } from '../math/options.js'
import { AGENT_OPTIONS, requireLocomotion, viewCosine, type AgentSettings } from './options.js'

/** The events of agents, as listeners of a controller, a flock or a world get them: with `Whose` they are. */
export interface AgentEvents<Whose> {
  /**
   * `behavior` reached its goal, and holds it. With the `reason` 'as near as it gets' it stands beside its
   * goal, because others, obstacles or bounds keep it from there; else there is no reason.
   */
  arrive: { type: 'arrive'; behavior: Behavior; reason?: string } & Whose
  /** The agent has left a goal that it had reached. */
  leave: { type: 'leave'; behavior: Behavior } & Whose
  /** `behavior` entered a new stage of its work. */
  stage: { type: 'stage' } & StageChange & Whose
  /** `behavior` cannot do its work, whatever it does: `reason` says what is missing. It goes on trying. */
  cannot: { type: 'cannot'; behavior: Behavior; reason: string } & Whose
}

/**
 * Base of controllers and flocks: behaviour, locomotion and limits, which may be changed at any time, see
 * {@link AgentOptions}.
 */
export abstract class Limited<Events extends object> extends Emitter<Events> {
  readonly name: string
  private ownBehavior: Behavior
  private ownLocomotion: Locomotion
  protected disposed = false

  constructor({ behavior, locomotion, name }: AgentSettings) {
    super()
    this.name = name
    this.ownBehavior = behavior
    this.ownLocomotion = locomotion ?? new Hover()
  }

  get behavior(): Behavior {
    return this.ownBehavior
  }
  set behavior(behavior: Behavior) {
    this.change(requireBehavior('behavior', behavior), this.ownLocomotion)
  }
  get locomotion(): Locomotion {
    return this.ownLocomotion
  }
  set locomotion(locomotion: Locomotion) {
    this.change(this.ownBehavior, requireLocomotion('locomotion', locomotion))
  }

  get isDisposed(): boolean {
    return this.disposed
  }

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
  /** Group bits of the agents that it avoids, see `Behavior.avoids`; 0 while it is in no world. */
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
  /** In diameters. */
  get spaceLength(): number {
    return this.trait(T.SPACE_LENGTH)
  }
  /** In diameters. */
  get spaceHeight(): number {
    return this.trait(T.SPACE_HEIGHT)
  }
  /** kg */
  get mass(): number {
    return this.trait(T.MASS)
  }

  private change(behavior: Behavior, locomotion: Locomotion): void {
    this.bind({ behavior, locomotion })
    this.ownBehavior = behavior
    this.ownLocomotion = locomotion
  }

  private setLimit(offset: number, name: keyof typeof AGENT_OPTIONS, value: number): void {
    checkOption<unknown>(name, value, AGENT_OPTIONS[name] as Option)
    this.setTrait(offset, value)
  }

  /** Gives its agents another behaviour and locomotion. */
  protected abstract bind(pair: Pick<T.Binding, 'behavior' | 'locomotion'>): void
  protected abstract get binding(): T.Binding | null | undefined
  protected abstract trait(offset: number): number
  protected abstract setTrait(offset: number, value: number): void
}
