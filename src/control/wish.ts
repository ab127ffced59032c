import type { Agent, Behavior, Step, Vec3, Vec3Like, Wish, Wrench } from '../types.js'
import { ask } from './ask.js'
import { servoGain } from './drive.js'
import { addScaled, copy, distance, load, save, truncate, vec3 } from '../math/vec3.js'

/** A wish without a goal. */
export function makeWish(): Wish {
  return {
    goalDistance: Infinity,
    goal: vec3(),
    hasGoalPoint: false,
    straightDistance: Infinity,
    map: null,
    exemption: undefined,
  }
}

/** Makes `wish` one without a goal again. */
export function clearWish(wish: Wish): void {
  wish.goalDistance = wish.straightDistance = Infinity
  wish.hasGoalPoint = false
  wish.exemption = undefined
}

/** Tells the combination that collects wishes, if there is one, where the goal is (m, world axes). Of several goals the nearest counts. */
export function reportGoal({ position, wish }: Agent, goal: Vec3Like): void {
  if (wish === null) return
  const goalDistance = distance(goal, position)
  if (!(goalDistance < wish.goalDistance)) return
  wish.goalDistance = goalDistance
  wish.hasGoalPoint = true
  copy(wish.goal, goal)
}

/** Tells the combination that collects wishes, if there is one, how far the goal is (m), straight ahead. Of several goals the nearest counts. */
export function reportGoalDistance({ wish }: Agent, goalDistance: number): void {
  if (wish === null || !(goalDistance < wish.goalDistance)) return
  wish.goalDistance = goalDistance
  wish.hasGoalPoint = false
}

/** Tells the combination that collects wishes, if there is one, for how far (m) the velocity wanted leads straight on. */
export function reportStraightDistance({ wish }: Agent, straightDistance: number): void {
  if (wish !== null) wish.straightDistance = Math.min(wish.straightDistance, straightDistance)
}

/**
 * Lets `behavior` write its force and torque into `out` as a wish, uncut, and writes into `velocity` what it wants: v + F·τ / m, no faster than
 * the agent may. `heard` takes what it tells of its place; who collects wishes around this hears it, too.
 */
export function collectWish(
  agent: Agent,
  step: Step,
  behavior: Behavior,
  received: Wish,
  out: Wrench,
  velocity: Vec3,
  weight = 1,
): void {
  collect(agent, step, behavior, received, out, weight)
  forwardWish(agent.wish, received)
  addScaled(velocity, agent.velocity, out.force, 1 / servoGain(agent, step))
  truncate(velocity, velocity, agent.maxSpeed)
}

/**
 * Asks a part of a combination, as `ask` does. Where wishes are collected `heard` takes what the part tells of its place: to be passed on only if the part
 * counts, or what nobody flies to would hide what stands behind it.
 */
export function askWithWish(
  agent: Agent,
  step: Step,
  part: Behavior,
  received: Wish,
  out: Wrench,
  weight?: number,
): void {
  if (agent.wish === null) ask(agent, step, part, out, weight)
  else collect(agent, step, part, received, out, weight)
}

/** Tells `wish`, where there is one, what was `heard` of a place. */
export function forwardWish(wish: Wish | null, received: Wish): void {
  if (wish === null) return
  if (received.goalDistance < wish.goalDistance) copyGoal(wish, received)
  wish.straightDistance = Math.min(wish.straightDistance, received.straightDistance)
  wish.exemption = received.exemption ?? wish.exemption
}

/** Makes the goal of `heard` that of `out`. */
export function copyGoal(out: Wish, received: Readonly<Wish>): void {
  out.goalDistance = received.goalDistance
  out.hasGoalPoint = received.hasGoalPoint
  copy(out.goal, received.goal)
}

/** Of two wishes that count, `out` keeps the farther goal and the longer straight way, since nobody knows where they will end. */
export function keepFarther(out: Wish, received: Readonly<Wish>): void {
  if (received.goalDistance > out.goalDistance) copyGoal(out, received)
  out.straightDistance = Math.max(out.straightDistance, received.straightDistance)
  out.exemption = received.exemption ?? out.exemption
}

/** Lets `heard` take what `part` tells of its place, and nobody else. What lies in the way is told by the outer combination, if there is one. */
function collect(
  agent: Agent,
  step: Step,
  part: Behavior,
  received: Wish,
  out: Wrench,
  weight: number | undefined,
): void {
  const outer = agent.wish
  clearWish(received)
  if (outer !== null) received.map = outer.map
  agent.wish = received
  ask(agent, step, part, out, weight)
  agent.wish = outer
}

/** Numbers that `saveWish` writes. */
export const WISH_WIDTH = 10

// of these numbers
const DISTANCE = 0
const STRAIGHT = 1
const HAS_GOAL_POINT = 2
const GOAL = 3
const EXEMPTION = 6
const PLACE = 7

const OBSTACLES = 1
const AGENTS = 2

/** A wish that can be read back from a column. */
export interface SavedWish extends Wish {
  readonly saved: { readonly place: Vec3; obstacles: boolean; agents: boolean }
}

export function makeSavedWish(): SavedWish {
  return { ...makeWish(), saved: { place: vec3(), obstacles: false, agents: false } }
}

/** Writes what a wish told into a column, `[at … at + WISH_WIDTH)`. */
export function saveWish(
  { goalDistance, goal, hasGoalPoint, exemption, straightDistance }: Readonly<Wish>,
  data: Float64Array,
  at: number,
): void {
  data[at + DISTANCE] = goalDistance
  data[at + STRAIGHT] = straightDistance
  data[at + HAS_GOAL_POINT] = hasGoalPoint ? 1 : 0
  save(goal, data, at + GOAL)
  data[at + EXEMPTION] =
    exemption === undefined ? 0 : (exemption.obstacles ? OBSTACLES : 0) | (exemption.agents ? AGENTS : 0)
  if (exemption !== undefined) save(exemption.place, data, at + PLACE)
}

/** Reads it back. */
export function loadWish(out: SavedWish, data: Float64Array, at: number): SavedWish {
  const { saved } = out
  const flags = data[at + EXEMPTION]!
  out.goalDistance = data[at + DISTANCE]!
  out.straightDistance = data[at + STRAIGHT]!
  out.hasGoalPoint = data[at + HAS_GOAL_POINT] === 1
  load(out.goal, data, at + GOAL)
  saved.obstacles = (flags & OBSTACLES) !== 0
  saved.agents = (flags & AGENTS) !== 0
  load(saved.place, data, at + PLACE)
  out.exemption = flags === 0 ? undefined : saved
  return out
}
