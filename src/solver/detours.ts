import type { Agent, SnapshotState, Step, Vec3, Vec3Like } from '../types.js'
import { servoTime } from '../control/drive.js'
import { Memory } from '../control/memory.js'
import type { ObstacleMap } from './obstacle-map.js'
import { BRAKE_SHARE, brakingSpeed } from '../control/profile.js'
import { RouteFinder } from './route-finder.js'
import { draw } from '../math/random.js'
import { addScaled, copy, distance, dot, load, normalize, save, set, sub, vec3 } from '../math/vec3.js'

/** A route has no more than this number of waypoints; where it is longer, the rest is found on the way. */
const MAX_WAYPOINTS = 8

/** Time (s) between two searches for one agent, and after one that found nothing. */
const RETRY = 0.5
const RETRY_AFTER_FAILURE = 2

/** A waypoint that cannot be seen for this time (s) is given up. */
const PATIENCE = 0.5

/** An agent that does not come nearer to its goal, by this share of its size, for this time (s), though it turns away from what bars the way, needs a route. */
const PROGRESS = 0.1
const NO_PROGRESS = 1

/** Agents that are held up at the same moment search within this time (s) of each other, each by its seed, and not all in one step. */
const SEARCH_SPREAD = 0.25

/** What barred the way is forgotten when nothing has barred it for this time, s. */
const FORGET_TIME = 1

/** A goal that has moved by more than this share of its distance is another one. */
const GOAL_SHIFT = 0.1

/** A speed (m/s) of at least this share of what the brakes allow is taken for braking, a lower one for the agent's own choice. */
const BRAKING = 0.8

/** Share of the agent's size by which it may cut a corner, and of its force that it turns with. */
const CORNER_CUT = 0.5
const CORNER_FORCE = 0.5

// what is kept for each agent
const COUNT = 0
const NEXT = 1
const NEXT_SEARCH = 2
const HIDDEN_TIME = 3
const GOAL = 4
const NEAREST = 7
const PROGRESS_SINCE = 8
const LAST_BLOCKED = 9
const POINTS = 10
const WIDTH = POINTS + 3 * MAX_WAYPOINTS

const here = vec3()
const place = vec3()
const previous = vec3()
const straight = vec3()
const ahead = vec3()
const after = vec3()

/** SnapshotState the routes on which agents fly round what bars the straight way to their goals. */
export class Detours {
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]
  private readonly finder = new RouteFinder()

  /** Gives up the route of an agent. */
  forget(agent: Agent): void {
    this.memory.data[this.memory.at(agent) + COUNT] = 0
  }

  /**
   * To be called in each step in which the straight way to `goal` (m) is barred. Searches a route for an agent of the size `girth` (m), once it does not
   * come nearer to the goal, unless it has one or has just searched.
   */
  search(
    agent: Agent,
    step: Step,
    map: ObstacleMap,
    goal: Vec3Like,
    diameter: number,
    allows: (direction: Vec3Like) => boolean,
  ): void {
    const { finder, memory } = this
    const offset = memory.at(agent)
    const { data } = memory
    if (
      data[offset + COUNT]! > 0 ||
      !this.isHeldUp(agent, step, offset, distance(agent.position, goal), diameter)
    )
      return
    const found = finder.find(map, agent.position, goal, step.up, diameter, allows) && finder.count > 0
    data[offset + NEXT_SEARCH] = step.time + (found ? RETRY : RETRY_AFTER_FAILURE)
    data[offset + HIDDEN_TIME] = 0
    if (!found) return
    const count = Math.min(finder.count, MAX_WAYPOINTS)
    data[offset + COUNT] = count
    data[offset + NEXT] = 0
    save(goal, data, offset + GOAL)
    for (let k = 0; k < 3 * count; k++) data[offset + POINTS + k] = finder.points[k]!
  }

  /** Whether an agent, `off` (m) from its goal, has not come nearer to it for a while, and may search again. */
  private isHeldUp(
    { seed }: Agent,
    { time }: Step,
    offset: number,
    goalDistance: number,
    diameter: number,
  ): boolean {
    const { data } = this.memory
    const isNew = data[offset + LAST_BLOCKED] === 0 || time - data[offset + LAST_BLOCKED]! > FORGET_TIME
    data[offset + LAST_BLOCKED] = time
    if (isNew || goalDistance < data[offset + NEAREST]! - PROGRESS * diameter) {
      data[offset + NEAREST] = goalDistance
      data[offset + PROGRESS_SINCE] = time
    }
    const held = time - data[offset + PROGRESS_SINCE]!
    return (
      held > NO_PROGRESS &&
      held > NO_PROGRESS + SEARCH_SPREAD * draw(seed, 0) &&
      time >= data[offset + NEXT_SEARCH]!
    )
  }

  /**
   * Writes into `target` the waypoint to fly to on the way to `goal` (m), of an agent on a route.
   * `isDrawn`: only looks, and changes nothing.
   * @returns the length of the way to the goal (m) by that route; 0 where there is none, or it is not needed any more.
   */
  follow(
    agent: Agent,
    step: Step,
    map: ObstacleMap,
    goal: Vec3Like,
    diameter: number,
    target: Vec3,
    isDrawn: boolean,
  ): number {
    const { memory } = this
    const offset = memory.at(agent)
    const { data } = memory
    const count = data[offset + COUNT]!
    if (count === 0) return 0
    const { position } = agent
    if (isDrawn) {
      load(target, data, offset + POINTS + 3 * data[offset + NEXT]!)
      return Math.max(distance(position, target), 1e-9)
    }
    const shift = distance(load(place, data, offset + GOAL), goal)
    if (map.isPathFree(position, goal) || shift > GOAL_SHIFT * distance(position, goal) + diameter) {
      data[offset + COUNT] = 0
      return 0
    }
    let next = data[offset + NEXT]!
    while (next + 1 < count && map.isPathFree(position, load(place, data, offset + POINTS + 3 * next + 3)))
      next++
    load(target, data, offset + POINTS + 3 * next)
    const targetDistance = distance(position, target)
    if (map.isPathFree(position, target)) data[offset + HIDDEN_TIME] = 0
    else data[offset + HIDDEN_TIME]! += step.dt
    if (
      data[offset + HIDDEN_TIME]! > PATIENCE ||
      (targetDistance < CORNER_CUT * diameter && next + 1 === count)
    ) {
      data[offset + COUNT] = 0
      data[offset + NEXT_SEARCH] = 0
      return 0
    }
    if (targetDistance < CORNER_CUT * diameter) load(target, data, offset + POINTS + 3 * ++next)
    data[offset + NEXT] = next
    let pathLength = distance(position, target)
    copy(previous, target)
    for (let k = next + 1; k < count; k++) {
      pathLength += distance(previous, load(place, data, offset + POINTS + 3 * k))
      copy(previous, place)
    }
    return pathLength + distance(previous, goal)
  }

  /** Speed (m/s) with which the agent may pass the waypoint `target` that it flies to now, on its way to `goal`. */
  cornerSpeed(agent: Agent, target: Vec3Like, goal: Vec3Like, diameter: number): number {
    const offset = this.memory.at(agent)
    const { data } = this.memory
    const next = data[offset + NEXT]! + 1
    if (next < data[offset + COUNT]!) load(place, data, offset + POINTS + 3 * next)
    else copy(place, goal)
    normalize(ahead, sub(ahead, target, agent.position))
    normalize(after, sub(after, place, target))
    const turn = distance(ahead, after)
    const cornerAcceleration = (CORNER_FORCE * agent.maxForce) / agent.mass
    return turn > 0 ? Math.sqrt(2 * cornerAcceleration * CORNER_CUT * diameter) / turn : Infinity
  }
}

/**
 * Turns the velocity wanted (m/s), which leads to `goal` (m), to `target` (m). Its part towards the goal becomes one towards the target; what is
 * across, as that of a goal that moves, stays. A part that is as fast as the brakes allow before the goal is as fast as they allow before the end
 * of the way to it (m).
 * @param cornerSpeed speed (m/s) to have at the target.
 */
export function redirect(
  agent: Agent,
  step: Step,
  wanted: Vec3,
  goal: Vec3Like,
  target: Vec3Like,
  pathLength: number,
  cornerSpeed: number,
): void {
  const { position } = agent
  copy(here, position)
  const goalDistance = distance(goal, here)
  normalize(straight, sub(straight, goal, here))
  const closing = dot(wanted, straight)
  if (!(closing > 0)) return
  const targetDistance = distance(target, here)
  normalize(ahead, sub(ahead, target, here))
  const { x, y, z } = ahead
  const brake = (BRAKE_SHARE * agent.forceAlong(-x, -y, -z)) / agent.mass
  const damping = agent.compensateDamping ? 0 : agent.damping
  const time = servoTime(agent, step)
  let speed = closing
  if (closing >= BRAKING * brakingSpeed(goalDistance, brake, damping, time))
    speed = Math.min(agent.maxSpeed, Math.max(closing, brakingSpeed(pathLength, brake, damping, time)))
  speed = Math.min(
    speed,
    cornerSpeed > 0
      ? Math.sqrt(cornerSpeed * cornerSpeed + 2 * brake * targetDistance)
      : brakingSpeed(targetDistance, brake, damping, time),
  )
  addScaled(wanted, wanted, straight, -closing)
  addScaled(wanted, wanted, ahead, speed)
  if (!Number.isFinite(wanted.x + wanted.y + wanted.z)) set(wanted, 0, 0, 0)
}
