import type { Agent, Behavior, Step, Vec3, Vec3Like, Wish, Wrench } from '../types.js'
import { ask } from './ask.js'
import { servoGain } from './drive.js'
import { addScaled, copy, distance, isZero, set, truncate, vec3 } from '../math/vec3.js'

/** Returns a wish without a goal. */
export function makeWish(): Wish {
  return {
    goalDistance: Infinity,
    goal: vec3(),
    hasGoalPoint: false,
    goalOf: null,
    rests: false,
    arrived: false,
    passes: false,
    settled: false,
    straightDistance: Infinity,
    map: null,
    bounds: null,
    exemption: undefined,
    aim: 0,
    isManual: false,
    rest: vec3(),
    turnRadius: 0,
    vehicle: null,
    ways: null,
  }
}

/** Removes the goal of a wish. */
export function clearWish(wish: Wish): void {
  wish.goalDistance = wish.straightDistance = Infinity
  wish.hasGoalPoint = wish.rests = wish.arrived = wish.passes = false
  wish.goalOf = null
  wish.exemption = undefined
  wish.aim = 0
  wish.isManual = false
}

/** Whether the agent is a vehicle that rolls, and its combination knows it. */
export function isRolling({ wish }: Agent): boolean {
  return (wish?.vehicle ?? null) !== null
}

/**
 * Reports the goal (m, world axes) to the combination that collects wishes, if there is one. Of several goals
 * the nearest counts. `rests`: the goal is at rest, and the agent stays there.
 */
export function reportGoal(agent: Agent, goal: Vec3Like, rests = false): void {
  const { position } = agent
  const wish = agent.wish ?? agent.aim ?? null
  if (wish === null) return
  const goalDistance = distance(goal, position)
  // what is reported twice counts as it was the last time
  if (!(goalDistance <= wish.goalDistance && goalDistance < Infinity)) return
  wish.goalDistance = goalDistance
  wish.hasGoalPoint = true
  wish.goalOf = agent.activeBehavior ?? null
  wish.rests = rests
  copy(wish.goal, goal)
}

/** Reports to the combination that collects wishes, if there is one, that the agent is at its goal. */
export function reportArrived(agent: Agent): void {
  const wish = agent.wish ?? agent.aim ?? null
  if (wish !== null) wish.arrived = true
}

/** As `reportGoal`, of a place behind a stretch of a path that is not free, see `Wish.passes`. */
export function reportPassage(agent: Agent, goal: Vec3Like): void {
  reportGoal(agent, goal)
  if (agent.wish !== null) agent.wish.passes = true
}

/**
 * Reports the distance to the goal (m), straight ahead, to the combination that collects wishes, if there is
 * one. Of several goals the nearest counts. `place`: where the way, which need not be straight, ends at rest.
 */
export function reportGoalDistance(
  { activeBehavior = null, wish }: Agent,
  goalDistance: number,
  place: Vec3Like | null = null,
): void {
  if (wish === null || !(goalDistance < wish.goalDistance)) return
  wish.goalDistance = goalDistance
  wish.hasGoalPoint = false
  wish.goalOf = activeBehavior
  wish.rests = place !== null
  if (place !== null) copy(wish.goal, place)
}

/**
 * Reports to the combination that collects wishes, if there is one, for which distance (m) the wanted
 * velocity leads straight on.
 */
export function reportStraightDistance({ wish }: Agent, straightDistance: number): void {
  if (wish !== null) wish.straightDistance = Math.min(wish.straightDistance, straightDistance)
}

/**
 * Whether nothing is asked of an agent that then comes to a stand: its behaviours gave no `force` (N), and
 * none of them means that ("keep this velocity").
 */
export function isIdle({ asks, standsIdle }: Agent, force: Vec3Like): boolean {
  return standsIdle === true && asks !== true && isZero(force)
}

/**
 * Reports to the combination that collects wishes, if there is one, that the wanted velocity is the input of
 * a player, and the velocity (m/s) that counts as standing still. `gear`: what a vehicle that rolls drives,
 * +1 ahead, −1 astern; 0: it chooses.
 */
export function reportManual({ wish }: Agent, rest: Vec3Like, gear = 0): void {
  if (wish === null) return
  wish.isManual = true
  if (gear !== 0) wish.aim = gear < 0 ? -Infinity : Infinity
  copy(wish.rest, rest)
}

/**
 * Collects the wish of `behavior`: its force and torque, uncut, in `out`, its goal in `received`, and its
 * wanted velocity in `velocity`: v + F·τ / m, not above the agent's `maxSpeed`; 0 for an idle one, see
 * `isIdle`. The goal is forwarded to the outer combination that collects wishes, if there is one. `around`:
 * which obstacles and bounds it knows, and whether it has settled; default those of the outer combination.
 */
export function collectWish(
  agent: Agent,
  step: Step,
  behavior: Behavior,
  received: Wish,
  out: Wrench,
  velocity: Vec3,
  weight = 1,
  around: Readonly<Wish> | null = agent.wish,
): void {
  const { asks } = agent
  agent.asks = false
  collect(agent, step, behavior, received, out, weight, around)
  forwardWish(agent.wish, received)
  if (isIdle(agent, out.force)) set(velocity, 0, 0, 0)
  else {
    addScaled(velocity, agent.velocity, out.force, 1 / servoGain(agent, step))
    truncate(velocity, velocity, agent.maxSpeed)
  }
  if (asks === true) agent.asks = true
}

/**
 * Steers a part of a combination like `ask`. If wishes are collected, `received` gets the goal of the part.
 * Forward it only if the part counts: a goal that is not flown to would hide obstacles behind it.
 */
export function askWithWish(
  agent: Agent,
  step: Step,
  part: Behavior,
  received: Wish,
  out: Wrench,
  weight?: number,
): void {
  if (agent.wish === null) return ask(agent, step, part, out, weight)
  received.vehicle = agent.wish.vehicle
  collect(agent, step, part, received, out, weight, agent.wish)
}

/** Adds the goal in `received` to `wish`, if there is one. */
export function forwardWish(wish: Wish | null, received: Wish): void {
  if (wish === null) return
  if (received.goalDistance < wish.goalDistance) copyGoal(wish, received)
  wish.straightDistance = Math.min(wish.straightDistance, received.straightDistance)
  copyRest(wish, received)
}

function copyGoal(out: Wish, received: Readonly<Wish>): void {
  out.goalDistance = received.goalDistance
  out.hasGoalPoint = received.hasGoalPoint
  out.goalOf = received.goalOf
  out.rests = received.rests
  out.arrived = received.arrived
  out.passes = received.passes
  copy(out.goal, received.goal)
}

/**
 * Of two wishes that both count, `out` gets the farther goal and the longer straight distance, since it is
 * not known where the motion will end.
 */
export function keepFarther(out: Wish, received: Readonly<Wish>): void {
  if (received.goalDistance > out.goalDistance) copyGoal(out, received)
  out.straightDistance = Math.max(out.straightDistance, received.straightDistance)
  copyRest(out, received)
}

/** Copies to `out` what `received` says beside its goal. */
function copyRest(out: Wish, received: Readonly<Wish>): void {
  out.exemption = received.exemption ?? out.exemption
  if (received.aim !== 0) out.aim = received.aim
  if (!received.isManual) return
  out.isManual = true
  copy(out.rest, received.rest)
}

/** Steers `part` and collects its goal in `received` only; `around`: what it knows of surroundings. */
function collect(
  agent: Agent,
  step: Step,
  part: Behavior,
  received: Wish,
  out: Wrench,
  weight: number | undefined,
  around: Readonly<Wish> | null,
): void {
  const outer = agent.wish
  clearWish(received)
  received.map = around === null ? null : around.map
  received.bounds = around === null ? null : around.bounds
  received.settled = around !== null && around.settled
  received.turnRadius = outer === null ? 0 : outer.turnRadius
  received.ways = outer === null ? null : outer.ways
  agent.wish = received
  ask(agent, step, part, out, weight)
  agent.wish = outer
}
