import {
  SteeringController,
  SteeringWorld,
  type AgentOptions,
  type Behavior,
  type ControllerOptions,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { idle } from '../laws/kit.js'
import { minus, norm, times, unit, v } from '../support/geometry.js'

/** Helpers of the tests of the published formulas: one agent, and the force that its behaviour asks for. */

export const MASS = 2
export const TAU = 0.25
export const TOP = 10
export const FORCE = 1e4
export const RADIUS = 0.5
export const DT = 1 / 60

/** An agent that has any force it may be asked for. */
export const AGENT = {
  mass: MASS,
  maxSpeed: TOP,
  maxForce: FORCE,
  responseTime: TAU,
  radius: RADIUS,
} satisfies Partial<AgentOptions>

export type State = Partial<ControllerOptions>

/** A world with an agent and others that fly straight on. */
export function place(
  behavior: Behavior,
  state: State = {},
  others: readonly State[] = [],
): { world: SteeringWorld; pilot: SteeringController; rest: SteeringController[] } {
  const world = new SteeringWorld({ seed: 1 })
  const pilot = new SteeringController(null, { ...AGENT, behavior, seed: 7, ...state })
  world.add(pilot)
  const rest = others.map(
    (other, i) => new SteeringController(null, { ...AGENT, behavior: idle(), seed: 100 + i, ...other }),
  )
  for (const other of rest) world.add(other)
  return { world, pilot, rest }
}

/** The force (N) that a behaviour asks for in its first step. */
export function forceOf(behavior: Behavior, state: State = {}, others: readonly State[] = []): Vec3 {
  const { world, pilot } = place(behavior, state, others)
  world.step(DT)
  const { x, y, z } = pilot.demand.force
  return { x, y, z }
}

/** The force (N) of the papers' "desired velocity − velocity": mass · difference / response time. */
export function servo(desired: Vec3Like, velocity: Vec3Like): Vec3 {
  return times(minus(desired, velocity), MASS / TAU)
}

/** Seek and flee of the papers, as desired velocities. */
export function towards(from: Vec3Like, to: Vec3Like, speed = TOP): Vec3 {
  return times(unit(minus(to, from)), speed)
}

/** Distance of two points. */
export function gap(a: Vec3Like, b: Vec3Like): number {
  return norm(minus(a, b))
}

/** A state that is off every axis and plane. */
export const AT: Vec3 = v(3, -2, 5)
export const FLYING: Vec3 = v(2, 4, -3)
export const ZERO: Vec3 = v(0, 0, 0)
/** Where the agent is, and how it moves. */
export const state: State = { position: AT, velocity: FLYING }
export const TARGET: Vec3 = v(-8, 6, 11)
