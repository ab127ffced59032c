import type { Object3D } from 'three'
import type { Flock } from '../../core/engine/flock.js'
import type { SteeringController } from '../../core/engine/controller.js'
import { AGENT_OPTIONS, type AgentOptions } from '../../core/engine/options.js'
import type { Behavior, SteeringBody } from '../../core/types.js'
import { refuse } from '../../core/math/require.js'
import { same } from './same.js'
import type { Host } from './host.js'

/** Called when an agent reached or left something. Changed callbacks take effect at once. */
export interface SteeringCallbacks<E> {
  /** `behavior` reached its goal, and holds it. */
  onArrive?: (event: E & { behavior: Behavior }) => void
  /** The agent has left a goal that it had reached. */
  onLeave?: (event: E & { behavior: Behavior }) => void
  /** `behavior` entered a new host of its work. */
  onStage?: (event: E & { behavior: Behavior; stage: string; reason: string }) => void
  /** `behavior` cannot do its work; `reason` says what is missing. */
  onCannot?: (event: E & { behavior: Behavior; reason: string }) => void
}

/** Options that an agent can change while it flies. */
const LIVE = [
  'behavior',
  'locomotion',
  'maxSpeed',
  'maxForce',
  'maxTorque',
  'maxTurnRate',
  'responseTime',
  'fieldOfView',
  'maxNeighbors',
  'priority',
] as const satisfies (keyof AgentOptions)[]

/** Options for which an agent is made anew: all others. */
const FIXED = (Object.keys(AGENT_OPTIONS) as (keyof AgentOptions)[]).filter(
  (name) => !(LIVE as readonly string[]).includes(name),
)

/** Bodies of the engine; null while one is missing; undefined without bodies. */
export type Bodies = readonly object[] | null | undefined

/** Connects the agents of one component to the world of its `<Steering>`. */
export abstract class AgentHandle<A extends SteeringController | Flock, O extends AgentOptions> {
  /** To be passed as `ref` of the object that shows the agents. */
  readonly ref = (object: Object3D | null): void => {
    if (object !== this.object) this.show(object)
    this.sync()
  }
  protected agent: A | null = null
  protected object: Object3D | null = null
  protected options: O
  protected host: Host | null = null
  /** The options of `agent`. */
  private applied: O | null = null
  /** The bodies of `agent`. */
  private bodiesNow: Bodies
  private joined = false
  private changes = 0
  private readonly listeners = new Set<() => void>()

  constructor(options: O) {
    this.options = options
  }

  /** For `useSyncExternalStore`: called when the agents join or leave. @internal */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Changes with each call of the listeners. @internal */
  readonly version = (): number => this.changes

  /** The agents while they are in the world, else null. @internal */
  get member(): A | null {
    return this.joined ? this.agent : null
  }

  /** Enters a host. @internal */
  enter(host: Host): () => void {
    this.host = host
    host.handles.add(this)
    return () => {
      host.handles.delete(this)
      this.leave()
      this.host = null
    }
  }

  /** Takes over the options of a render. @internal */
  update(options: O): void {
    this.options = options
    const { agent, applied } = this
    if (agent !== null && applied !== null && !this.apply(agent, applied, options)) {
      this.leave()
      this.agent = null
    }
    if (this.agent !== null) this.applied = options
    this.sync()
  }

  /** Joins when all is there, and leaves when a body is gone or is another one. @internal */
  sync(): void {
    const { host } = this
    if (host === null || host.world.isDisposed) return
    const bodies = this.bodies()
    if (!sameBodies(bodies, this.bodiesNow)) {
      this.leave()
      this.agent = null
    }
    if (this.joined || bodies === null || !this.isReady()) return
    this.bodiesNow = bodies
    if (this.agent === null) {
      this.agent = this.make(host)
      this.applied = this.options
    }
    host.world.add(this.agent)
    this.joined = true
    this.announce()
  }

  protected abstract bodies(): Bodies
  /** Whether its start is known. */
  protected abstract isReady(): boolean
  protected abstract make(host: Host): A
  /** Takes it out of its world, if it is in one. */
  protected abstract remove(agent: A): void
  /** Shows the agents as another object. */
  protected abstract show(object: Object3D | null): void

  /** Changes what can be changed. @returns whether the agents need not be made anew. */
  protected apply(agent: A, old: O, now: O): boolean {
    for (const name of FIXED) if (!same(old[name], now[name])) return false
    for (const name of LIVE) {
      const value = now[name]
      if (old[name] === value) continue
      if (value === undefined && name !== 'maxTorque') return false
      if (value !== undefined) Object.assign(agent, { [name]: value })
    }
    if (now.maxTorque === undefined && (old.maxTorque !== undefined || old.maxForce !== now.maxForce))
      agent.maxTorque = now.maxForce * agent.radius
    return true
  }

  /** Leaves its world. @internal */
  leave(): void {
    if (!this.joined) return
    this.joined = false
    if (this.agent !== null) this.remove(this.agent)
    // another world has another door to the engine
    if (this.bodiesNow !== undefined) this.agent = null
    this.announce()
  }

  private announce(): void {
    this.changes++
    for (const listener of this.listeners) listener()
  }
}

function sameBodies(a: Bodies, b: Bodies): boolean {
  if (!a || !b) return a === b
  return a.length === b.length && a.every((body, i) => body === b[i])
}

/** The `SteeringBody` of what was passed: itself, or the driver's. @throws TypeError without a driver. */
export function steeringBody(what: string, body: object, host: Host): SteeringBody {
  const { read, apply } = body as Partial<SteeringBody>
  if (typeof read === 'function' && typeof apply === 'function') return body as SteeringBody
  return (
    host.driver?.body?.(body) ??
    refuse(what, body, 'must be a SteeringBody, or <Steering> needs a driver for the bodies of its engine')
  )
}

type Callback = keyof SteeringCallbacks<object>

/** The options that the core knows. */
export function withoutCallbacks<O extends { [K in Callback]?: unknown }>({
  onArrive: _arrive,
  onLeave: _leave,
  onStage: _stage,
  onCannot: _cannot,
  ...options
}: O): Omit<O, Callback> {
  return options
}
