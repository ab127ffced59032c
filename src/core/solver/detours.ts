import type { Agent, SnapshotState, Step, Vec3, Vec3Like } from '../types.js'
import { servoTime } from '../control/drive.js'
import { Memory } from '../control/memory.js'
import type { ObstacleMap } from '../obstacles/obstacle-map.js'
import { BRAKE_SHARE, brakingSpeed, slope } from '../control/profile.js'
import { finder } from './route-finder.js'
import { draw } from '../math/random.js'
import {
  addScaled,
  copy,
  distance,
  dot,
  isZero,
  load,
  normalize,
  save,
  set,
  sub,
  vec3,
} from '../math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Greatest number of waypoints of a route. The rest of a longer route is found on the way. */
const MAX_WAYPOINTS = 8

/** Least time (s) between two searches for one agent. Longer: less work, and later routes. */
const RETRY = 0.5
/** Least time (s) after a search that found nothing. Longer: less work, and later answers. */
const RETRY_AFTER_FAILURE = 2
/** The same for one that has come to rest, because it comes no nearer. */
const RETRY_AT_REST = 20

/** A route is given up if its next waypoint has been hidden for this time (s). Longer: fewer searches. */
const PATIENCE = 0.5

/** An agent makes progress when it comes nearer to its goal by this share of its diameter. */
const PROGRESS = 0.1
/** One that evades obstacles without progress for this time (s) needs a route. Longer: fewer searches. */
const NO_PROGRESS = 1

/**
 * Agents that are held up at the same moment search at different times within this interval (s), depending on
 * their seeds, so that not all of them search in one step.
 */
const SEARCH_SPREAD = 0.25

/** The progress of an agent is measured anew if its path has not been blocked for this time (s). */
const FORGET_TIME = 1

/** A goal that has moved by more than this share of its distance is a new goal. Larger: fewer searches. */
const GOAL_SHIFT = 0.1

/**
 * A speed of at least this share of the braking speed counts as braking before the goal, a lower one as the
 * agent's own choice.
 */
const BRAKING = 0.8

/** Share of its diameter by which an agent may cut a corner. Larger: it passes corners faster. */
const CORNER_CUT = 0.5
/** Share of its force that it turns with at a corner. Larger: faster, with less left for other things. */
const CORNER_FORCE = 0.5

/** A waypoint before a narrow door is reached within this share of the diameter. */
const REACHED = 0.1
/** The same on a route without clearance. */
const REACHED_TIGHT = 0.005

/** A passage that leaves less than this multiple of the clearance is flown without any. */
const TIGHT = 2
/**
 * A route without clearance is taken if its length is less than this share of one with. Larger: more of them.
 */
const TIGHT_SHARE = 0.7

// stored for each agent
const COUNT = 0
const NEXT = 1
const NEXT_SEARCH = 2
const HIDDEN_TIME = 3
const GOAL = 4
const NEAREST = 7
const PROGRESS_SINCE = 8
const LAST_BLOCKED = 9
/** Until when it gives up its clearance (s). */
const TIGHT_UNTIL = 10
const POINTS = 11
const WIDTH = POINTS + 3 * MAX_WAYPOINTS
const PLACES = [GOAL, ...Array.from({ length: MAX_WAYPOINTS }, (_, k) => POINTS + 3 * k)]

const here = vec3()
const normal = vec3()
const place = vec3()
const previous = vec3()
const straight = vec3()
const ahead = vec3()
const after = vec3()

/** Stores the routes on which agents fly around obstacles that block the straight path to their goals. */
export class Detours {
  private readonly memory = new Memory(WIDTH, PLACES)
  readonly state: SnapshotState = [this.memory]
  private isNarrow = false

  /** Gives up the route of an agent. */
  forget(agent: Agent): void {
    this.memory.data[this.memory.at(agent) + COUNT] = 0
  }

  /**
   * Called in each step in which the straight path to `goal` (m) is blocked. Searches a route for an agent of
   * this `diameter` (m) once it has not come nearer to the goal for a while, unless it has a route or has
   * just searched. `isAtRest`: it has settled. Where no route leaves it its clearance, or only a far longer
   * one, it gives the clearance up.
   */
  search(
    agent: Agent,
    step: Step,
    map: ObstacleMap,
    goal: Vec3Like,
    diameter: number,
    plane: Vec3Like,
    allows: (direction: Vec3Like) => boolean,
    isAtRest = false,
  ): void {
    const { memory } = this
    const offset = memory.at(agent)
    const { data } = memory
    if (
      data[offset + COUNT]! > 0 ||
      !this.isHeldUp(agent, step, offset, distance(agent.position, goal), diameter)
    )
      return
    const isPlanar = !isZero(plane)
    const up = isPlanar ? plane : step.up
    const { position } = agent
    map.isTight = false
    const isOpen = finder.find(map, position, goal, up, diameter, allows, isPlanar)
    let found = isOpen && finder.count > 0
    if (found) this.keep(offset, goal)
    data[offset + TIGHT_UNTIL] = 0
    map.isTight = true
    const enough = found ? TIGHT_SHARE * finder.bestLength : Infinity
    // what holds it up where the straight path is free are others
    if (isOpen === found && finder.find(map, position, goal, up, diameter, allows, isPlanar, enough)) {
      found = true
      this.keep(offset, goal)
      data[offset + TIGHT_UNTIL] = step.time + FORGET_TIME
    }
    const failed = isAtRest ? RETRY_AT_REST : RETRY_AFTER_FAILURE
    data[offset + NEXT_SEARCH] = step.time + (found ? RETRY : failed)
    data[offset + HIDDEN_TIME] = 0
  }

  /** Keeps the route that was found. */
  private keep(offset: number, goal: Vec3Like): void {
    const { data } = this.memory
    const count = Math.min(finder.count, MAX_WAYPOINTS)
    data[offset + COUNT] = count
    data[offset + NEXT] = 0
    save(goal, data, offset + GOAL)
    for (let k = 0; k < 3 * count; k++) data[offset + POINTS + k] = finder.points[k]!
  }

  /**
   * Whether an agent gives up its clearance: on a tight route, and where the straight path to its `goal` (m)
   * is free but for the clearance. `isDrawn`: only reads, and changes nothing.
   */
  isTight(agent: Agent, step: Step, map: ObstacleMap, goal: Vec3Like | null, isDrawn: boolean): boolean {
    const { memory } = this
    const offset = memory.at(agent)
    const { data } = memory
    if (!(step.time < data[offset + TIGHT_UNTIL]!)) return false
    if (!isDrawn && (data[offset + COUNT]! > 0 || (goal !== null && isTightPath(map, agent.position, goal))))
      data[offset + TIGHT_UNTIL] = step.time + FORGET_TIME
    return true
  }

  /**
   * Whether an agent at `goalDistance` (m) has not come nearer to its goal for a while, and may search again.
   */
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
   * Writes into `target` the next waypoint of an agent on a route to `goal` (m). `isDrawn`: only reads, and
   * changes nothing.
   * @returns the distance to the goal (m) along that route; 0 if there is no route, or it is no longer
   * needed.
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
    if (this.isFreeSoon(agent, step, map, goal) || shift > GOAL_SHIFT * distance(position, goal) + diameter) {
      data[offset + COUNT] = 0
      return 0
    }
    let next = data[offset + NEXT]!
    while (
      next + 1 < count &&
      this.isFreeSoon(agent, step, map, load(place, data, offset + POINTS + 3 * next + 3))
    )
      next++
    load(target, data, offset + POINTS + 3 * next)
    const targetDistance = distance(position, target)
    if (map.isPathFree(position, target)) data[offset + HIDDEN_TIME] = 0
    else data[offset + HIDDEN_TIME]! += step.dt
    const isLast = next + 1 === count
    const following = isLast ? goal : load(previous, data, offset + POINTS + 3 * next + 3)
    this.isNarrow = this.isNarrowAt(map, position, target, following, diameter)
    if (this.isNarrow && isTightPath(map, target, following))
      data[offset + TIGHT_UNTIL] = step.time + FORGET_TIME
    const reached = this.isNarrow ? (map.isTight ? REACHED_TIGHT : REACHED) : CORNER_CUT
    const isReached = targetDistance < reached * diameter
    if (data[offset + HIDDEN_TIME]! > PATIENCE || (isReached && isLast)) {
      data[offset + COUNT] = 0
      data[offset + NEXT_SEARCH] = 0
      return 0
    }
    if (isReached) load(target, data, offset + POINTS + 3 * ++next)
    data[offset + NEXT] = next
    let pathLength = distance(position, target)
    copy(previous, target)
    for (let k = next + 1; k < count; k++) {
      pathLength += distance(previous, load(place, data, offset + POINTS + 3 * k))
      copy(previous, place)
    }
    return pathLength + distance(previous, goal)
  }

  /**
   * Whether the straight path to a point (m) is free; on a tight route, also from where the agent will be
   * when it has turned, or it would drift past the door.
   */
  private isFreeSoon(agent: Agent, step: Step, map: ObstacleMap, to: Vec3Like): boolean {
    if (!map.isPathFree(agent.position, to)) return false
    return (
      !map.isTight ||
      map.isPathFree(addScaled(ahead, agent.position, agent.velocity, servoTime(agent, step)), to)
    )
  }

  /**
   * Whether the leg from the next waypoint `target` to the `following` one, or to the goal, leads into a door
   * that an agent would miss that overshoots: then it stops before the door.
   */
  private isNarrowAt(
    map: ObstacleMap,
    position: Vec3Like,
    target: Vec3Like,
    following: Vec3Like,
    diameter: number,
  ): boolean {
    normalize(ahead, sub(ahead, target, position))
    addScaled(place, target, ahead, CORNER_CUT * diameter)
    return !map.isPathFree(place, following)
  }

  /** Speed (m/s) at which the agent may pass its next waypoint `target` on its route to `goal`. */
  cornerSpeed(agent: Agent, target: Vec3Like, goal: Vec3Like, diameter: number): number {
    if (this.isNarrow) return 0
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
 * Whether the path between two points (m) is free but for the clearance, and there is no more room beside it:
 * it leads through a gap, not past a corner.
 */
function isTightPath(map: ObstacleMap, from: Vec3Like, to: Vec3Like): boolean {
  if (!map.isPathFree(from, to, 0) || map.isPathFree(from, to, TIGHT)) return false
  const { hit, layerOfHit } = map
  normalize(ahead, sub(ahead, to, from))
  hit.obstacle!.distance(addScaled(ahead, from, ahead, hit.distance), normal)
  const aside = TIGHT * layerOfHit!.clearance
  return !map.isPathFree(addScaled(here, from, normal, aside), addScaled(ahead, to, normal, aside), TIGHT)
}

/**
 * Redirects the wanted velocity (m/s) from `goal` (m) to `target` (m). Its component towards the goal becomes
 * a component towards the target; its component across, as that of a moving goal, is unchanged. If the
 * component is as fast as the brakes allow before the goal, it becomes as fast as they allow for `pathLength`
 * (m), the distance to the goal along the route.
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
  if (cornerSpeed > 0)
    speed = Math.min(speed, Math.sqrt(cornerSpeed * cornerSpeed + 2 * brake * targetDistance))
  else {
    // the speed follows the wanted one late
    let stop = brakingSpeed(targetDistance, brake, damping, time)
    stop -= Math.min(stop, slope(stop, brake, damping, time) * Math.max(0, dot(agent.velocity, ahead)) * time)
    speed = Math.min(speed, stop)
  }
  addScaled(wanted, wanted, straight, -closing)
  addScaled(wanted, wanted, ahead, speed)
  if (!Number.isFinite(wanted.x + wanted.y + wanted.z)) set(wanted, 0, 0, 0)
}
