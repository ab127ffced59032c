import {
  SteeringController,
  SteeringWorld,
  type Behavior,
  type ControllerOptions,
  type Fault,
  type Vec3,
  type Vec3Like,
  type WorldOptions,
  type Wrench,
} from 'three-steering'
import type { SteeringBody, BodyState } from 'three-steering/authoring'
import { quat } from '../../src/core/math/quat.js'

export type PilotOptions = Partial<ControllerOptions>

/** A behaviour that asks for nothing. A new one each time, because a behaviour serves one world only. */
export function idle(): Behavior {
  return { steer() {} }
}

/** A controller of 1 kg, 100 N and 10 m/s, at rest at the origin, unless the options differ. */
export function pilot(behavior: Behavior = idle(), options: PilotOptions = {}): SteeringController {
  return new SteeringController(null, { behavior, maxSpeed: 10, maxForce: 100, maxTorque: 10, ...options })
}

/** A ship that docks: a radius of 2 m, 3 m/s² and 1 rad/s². */
export const DOCKER = {
  mass: 10,
  inertia: { x: 20, y: 20, z: 20 },
  radius: 2,
  maxSpeed: 50,
  maxForce: 30,
  maxTorque: 20,
  maxTurnRate: 2,
} as const

/** A station at rest at the origin, nose along +x: its steering frame is that of the world. */
export function station() {
  return {
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    angularVelocity: { x: 0, y: 0, z: 0 },
    forward: { x: 1, y: 0, z: 0 },
    up: { x: 0, y: 1, z: 0 },
  }
}

export interface RecordedWorld {
  readonly world: SteeringWorld
  readonly faults: Fault[]
}

/** A world that records its faults instead of reporting them on the console. */
export function quietWorld(options: WorldOptions = {}): RecordedWorld {
  const world = new SteeringWorld(options)
  const faults: Fault[] = []
  world.addEventListener('fault', (fault) => faults.push(fault))
  return { world, faults }
}

export interface Answer {
  readonly force: Vec3
  readonly torque: Vec3
  readonly faults: readonly Fault[]
}

/**
 * The demand of an agent in this state before any limits, in one step of a world with `others`.
 */
export function ask(
  behavior: Behavior,
  options: PilotOptions = {},
  others: readonly PilotOptions[] = [],
  dt = 1 / 60,
): Answer {
  const { world, faults } = quietWorld()
  const one = pilot(behavior, options)
  world.add(one)
  for (const each of others) world.add(pilot(idle(), each))
  world.step(dt)
  const answer = { force: xyz(one.demand.force), torque: xyz(one.demand.torque), faults }
  world.dispose()
  return answer
}

export function xyz({ x, y, z }: Vec3Like): Vec3 {
  return { x, y, z }
}

/** A body without a physics engine, in any state. It records the applied wrenches. */
export class Dummy implements SteeringBody {
  readonly state: BodyState
  given: Wrench[] = []

  constructor(state: Partial<BodyState> = {}) {
    this.state = {
      position: { x: 0, y: 0, z: 0 },
      quaternion: quat(),
      velocity: { x: 0, y: 0, z: 0 },
      angularVelocity: { x: 0, y: 0, z: 0 },
      mass: 1,
      inertia: { x: 1, y: 1, z: 1 },
      inertiaFrame: quat(),
      center: { x: 0, y: 0, z: 0 },
      linearDamping: 0,
      angularDamping: 0,
      gravity: { x: 0, y: 0, z: 0 },
      plane: { x: 0, y: 0, z: 0 },
      axis: { x: 0, y: 0, z: 0 },
      ...state,
    }
  }

  read(out: BodyState): void {
    const { state } = this
    for (const name of [
      'position',
      'velocity',
      'angularVelocity',
      'inertia',
      'center',
      'gravity',
      'plane',
      'axis',
    ] as const)
      Object.assign(out[name], state[name])
    Object.assign(out.quaternion, state.quaternion)
    Object.assign(out.inertiaFrame, state.inertiaFrame)
    out.mass = state.mass
    out.linearDamping = state.linearDamping
    out.angularDamping = state.angularDamping
  }

  apply({ force, torque, turns }: Readonly<Wrench>): void {
    this.given.push({ force: { ...force }, torque: { ...torque }, turns })
  }
}

/** Steps a world for `seconds` of its time. */
export function fly(
  { world }: { readonly world: SteeringWorld },
  seconds: number,
  dt = 1 / 60,
  each?: () => void,
): void {
  const until = world.time + seconds - dt / 2
  while (world.time < until) {
    world.step(dt)
    each?.()
  }
}

/** The events of a pilot from now on (live): arrivals, or their reasons, and stages by name. */
export function eventsOf(ship: SteeringController): string[] {
  const events: string[] = []
  ship.addEventListener('arrive', ({ reason }) => events.push(reason ?? 'arrive'))
  ship.addEventListener('stage', ({ stage }) => events.push(stage))
  return events
}

/** The faults of a world during `act`, one per line, as `Part: message`. */
export function faultsIn(world: SteeringWorld, act: () => void): string {
  const lines: string[] = []
  const listener = ({ behavior, message }: Fault): void => void lines.push(`${behavior}: ${message}`)
  world.addEventListener('fault', listener)
  act()
  world.removeEventListener('fault', listener)
  return lines.join('\n')
}
