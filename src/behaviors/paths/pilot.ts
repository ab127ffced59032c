import type { Agent, SnapshotState, Step, Wrench, Vec3Like } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import {
  distance,
  vec3,
  addScaled,
  copy,
  cross,
  isZero,
  load,
  normalize,
  perpendicular,
  save,
  scale,
  sub,
  length,
} from '../../math/vec3.js'
import type { VehicleLimits } from '../directed-seek/vehicle-limits.js'
import { isCrowded } from '../avoidance/crowd.js'
import type { FollowState } from './path-techniques.js'
import type { BlockedPath, PilotMetrics, PilotOptions } from './follow-options.js'
import { Progress } from './progress.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { drive } from '../../control/drive.js'
import { Memory } from '../../control/memory.js'
import { brakingSpeed } from '../../control/profile.js'
import { TAU } from '../../math/scalar.js'
import type { DirectedPath } from './directed-path.js'
import { reportGoal } from '../../control/wish.js'

/** Shorter than some seconds, braking for a corner is trouble; longer, nobody waits for it. */
const DEFAULT_WINDOW = 3

const DEFAULT_THRESHOLD = 0.75

/** Who makes no progress, and has turned by so much, is not held but circles. */
const TURNED = 0.3

/** Segments of the path that are looked along for what is in the way: the last one, this one, and a next. */
const SEGMENTS = 3

type Trouble = BlockedPath['why']

const spot = vec3()

/** @throws TypeError / RangeError naming the option. */
export function readPilot(options: boolean | PilotOptions | undefined): Pilot | null {
  if (options === undefined || options === false) return null
  if (options !== true && (typeof options !== 'object' || options === null))
    throw new TypeError(`FollowPath.pilot: got ${String(options)}, must be true, false or an object`)
  return new Pilot(options === true ? {} : options)
}

/** Watches how agents get on along their paths, and helps those who do not. Its fields may be changed at any time. */
export class Pilot {
  window: number
  threshold: number
  escape: boolean
  renavigate: PilotOptions['renavigate']
  private readonly progress = new Progress()
  private readonly detour = new Detour()
  readonly state: SnapshotState = [this.progress, this.detour]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: PilotOptions) {
    const { window = DEFAULT_WINDOW, threshold = DEFAULT_THRESHOLD, renavigate, escape = false } = options
    if (renavigate !== undefined && typeof renavigate !== 'function')
      throw new TypeError(`FollowPath.pilot.renavigate: got ${String(renavigate)}, must be a function`)
    this.window = requireFinite('FollowPath.pilot.window', window, 0, true)
    this.threshold = requireNumber('FollowPath.pilot.threshold', threshold, 0, true, 1)
    this.escape = escape
    this.renavigate = renavigate
  }

  /** On a new path. */
  begin(agent: Agent, way: number): void {
    this.progress.begin(agent, way)
    this.detour.forget(agent)
  }

  /** Adds the force of who is on a detour. @returns whether it is. */
  flyDetour(agent: Agent, step: Step, terms: VehicleLimits, out: Wrench): boolean {
    return this.detour.fly(agent, step, terms, out)
  }

  /** Looks how an agent gets on. @returns what trouble it is in. */
  check(agent: Agent, step: Step, { targetStation: ahead, path: lane, settings: manner, station: place, target, limits: terms }: FollowState): Trouble | null {
    const { progress, threshold } = this
    const { slot } = agent
    const way = ahead - distance(target, agent.position)
    const { endless, lap } = lane.base
    const made = endless ? way / lap - Math.floor(way / lap) : 1 - (lane.end - way) / lap
    const isTime = progress.update(agent, step, way, terms.cruise, this.window)
    progress.setFinished(agent, Math.min(Math.max(made, 0), 1))
    if (!isTime) return null
    if (manner.crowdRadius !== undefined) {
      lane.pointAt(spot, lane.nextWaypointStation(place))
      progress.setCrowded(agent, isCrowded(agent, spot, manner.crowdRadius))
    }
    const circling = progress.circling(slot)
    if (progress.stuck(slot) < threshold && circling < threshold) return null
    const isCircling = circling >= Math.min(TURNED, threshold)
    progress.retry(agent, way, isCircling)
    return isCircling ? 'circling' : 'stuck'
  }

  /** Rests at the end. */
  rest(agent: Agent): void {
    this.progress.begin(agent, 0)
    this.progress.setFinished(agent, 1)
  }

  /** Says what is in the way. */
  describeTrouble(agent: Agent, why: Trouble, { path: lane, settings: manner, station: place, target }: FollowState): BlockedPath {
    const { obstacles } = manner
    let obstacle: Obstacle | null = null
    let at = place
    if (obstacles !== undefined) {
      // what stands on the lane rather than what it only passes closely: that the agent can slide along
      for (const radius of [0, agent.radius]) {
        // a dog, or a hook, may be beyond of what holds the agent
        let from = lane.previousWaypointStation(lane.previousWaypointStation(place))
        for (let k = 0; k < SEGMENTS && obstacle === null && from < lane.end; k++) {
          obstacle = onTheLane(obstacles, radius, lane, from)
          if (obstacle !== null) at = from
          from = lane.nextWaypointStation(from)
        }
      }
      obstacle ??= inTheWay(obstacles, agent.radius, agent.position, target)
    }
    return {
      why,
      path: lane.base,
      place: lane.direction * place,
      waypoint: lane.waypointAt(at),
      segment: lane.segmentAt(at),
      obstacle,
      crowded: this.progress.crowded(agent.slot),
      tries: this.progress.tries(agent.slot) - 1,
    }
  }

  /** Lets who is in trouble try something else, see `PilotOptions.escape`. @returns the way along the lane to go on at. */
  tryToGetFree(
    agent: Agent,
    step: Step,
    why: Trouble,
    { targetStation: ahead, path: lane, settings: manner, station: place, target }: FollowState,
  ): number {
    const { detour, progress } = this
    const { obstacles } = manner
    const { slot } = agent
    if (!this.escape || progress.crowded(slot) >= this.threshold) return place
    if (why === 'circling') return ahead
    const back = obstacles === undefined ? NaN : detour.goBack(agent, step, lane, place, target, obstacles)
    if (!Number.isNaN(back)) return back
    detour.backOff(agent, step, target, progress.tries(slot) - 1, obstacles)
    return place
  }

  metricsOf(slot: number): PilotMetrics {
    const { progress } = this
    return {
      stuck: progress.held(slot),
      finished: progress.finished(slot),
      crowded: progress.crowded(slot),
      circling: progress.circling(slot),
    }
  }
}

// what is kept for each agent
const UNTIL = 0
const AIM = 1
const WIDTH = 4

/** So many ways out are looked at, on a cone about the direction back. */
const WAYS = 8
const BACK = 0.5

/** How far it backs off, radii: farther each time, up to so many times. */
const STRIDE = 3
const MOST = 4

/** There within so many radii; and no longer on the direction than so many times what that should take, and a moment, s. */
const THERE = 1
const SLACK = 2
const MOMENT = 1

/** Waypoints that are looked for behind. */
const LOOKS = 16

/** A waypoint where it is counts as behind. */
const HERE = 1e-6

const aim = vec3()
const best = vec3()
const ahead = vec3()
const side = vec3()
const other = vec3()
const direction = vec3()

/** How who is stuck gets free: by a place to fly to first. Constraints apply on the direction there as on any other. */
class Detour {
  private readonly memory = new Memory(WIDTH)
  readonly state: SnapshotState = [this.memory]

  /** Back to the last waypoint before `u` that can be seen, where the target cannot. @returns where that is; NaN for no such place. */
  goBack(
    agent: Agent,
    step: Step,
    lane: DirectedPath,
    u: number,
    target: Vec3Like,
    obstacles: Obstacles,
  ): number {
    if (inTheWay(obstacles, agent.radius, agent.position, target) === null) return NaN
    let from = u + HERE * lane.base.lap
    for (let k = 0; k < LOOKS; k++) {
      const there = lane.previousWaypointStation(from)
      if (!(there < from)) return NaN
      from = there
      if (inTheWay(obstacles, agent.radius, agent.position, lane.pointAt(aim, there)) !== null) continue
      this.begin(agent, step)
      return there
    }
    return NaN
  }

  /**
   * Backs off to a side, each time farther: the clearest of some that the seed draws, with no obstacles known the first. Green lets the stuck
   * ignore obstacles for a few iterations instead; nobody goes through anything here.
   */
  backOff(agent: Agent, step: Step, target: Vec3Like, tries: number, obstacles: Obstacles | undefined): void {
    const stride = STRIDE * agent.radius * Math.min(1 + tries, MOST)
    normalize(ahead, sub(ahead, target, agent.position))
    if (isZero(ahead)) copy(ahead, agent.course.x)
    perpendicular(side, ahead)
    cross(other, ahead, side)
    const start = TAU * agent.random()
    let most = -1
    for (let k = 0; k < WAYS; k++) {
      const angle = start + (TAU * k) / WAYS
      scale(direction, ahead, -BACK)
      addScaled(direction, direction, side, Math.cos(angle))
      addScaled(direction, direction, other, Math.sin(angle))
      normalize(direction, direction)
      const free = obstacles === undefined ? stride : clearWay(obstacles, agent, direction, stride)
      if (!(free > most)) continue
      most = free
      addScaled(best, agent.position, direction, free)
    }
    copy(aim, best)
    this.begin(agent, step)
  }

  /** Whether an agent is on its direction to such a place; then adds its force. */
  fly(agent: Agent, step: Step, terms: VehicleLimits, out: Wrench): boolean {
    const at = this.memory.at(agent)
    const { data } = this.memory
    if (!(data[at + UNTIL]! > step.time)) return false
    load(aim, data, at + AIM)
    const off = distance(aim, agent.position)
    if (off < THERE * agent.radius) {
      data[at + UNTIL] = 0
      return false
    }
    const pace = Math.min(terms.cruise, brakingSpeed(off, terms.brake, 0, terms.response))
    scale(direction, sub(direction, aim, agent.position), pace / off)
    drive(agent, step, direction, out.force)
    reportGoal(agent, aim)
    return true
  }

  /** Ends it. */
  forget(agent: Agent): void {
    this.memory.data[this.memory.at(agent) + UNTIL] = 0
  }

  /** Begins with `aim`. */
  private begin(agent: Agent, step: Step): void {
    const at = this.memory.at(agent)
    const { data } = this.memory
    const off = distance(aim, agent.position)
    const speed = Math.min(agent.maxSpeed, Math.sqrt((off * agent.maxForce) / agent.mass))
    data[at + UNTIL] = step.time + MOMENT + SLACK * (speed > 0 ? (2 * off) / speed : 0)
    save(aim, data, at + AIM)
  }
}

/** A ball that sees past what it touches: its share of the radius. */
const SLIM = 0.9

/** Chords of a segment. */
const CHORDS = 8

const way = vec3()
const chordStart = vec3()
const chordEnd = vec3()
const hit: { distance: number; obstacle: Obstacle | null } = { distance: 0, obstacle: null }

/** What a ball of `radius` (m) meets hit on the straight way chordStart a point chordEnd another; null where it meets nothing. */
function inTheWay(obstacles: Obstacles, radius: number, start: Vec3Like, end: Vec3Like): Obstacle | null {
  const off = length(sub(way, end, start))
  if (!(off > 0)) return null
  scale(way, way, 1 / off)
  obstacles.sweepInto(start, way, SLIM * radius, off, undefined, hit)
  return hit.obstacle
}

/** Way (m, at most `limit`) that is clear in a direction. */
function clearWay(obstacles: Obstacles, agent: Agent, direction: Vec3Like, limit: number): number {
  return Math.min(
    limit,
    obstacles.sweepInto(agent.position, direction, SLIM * agent.radius, limit, undefined, hit),
  )
}

/** What a ball of `radius` (m) meets hit on the lane chordStart `u` chordEnd the next waypoint. */
function onTheLane(obstacles: Obstacles, radius: number, lane: DirectedPath, u: number): Obstacle | null {
  const end = lane.nextWaypointStation(u)
  lane.pointAt(chordStart, u)
  for (let k = 1; k <= CHORDS; k++) {
    lane.pointAt(chordEnd, u + ((end - u) * k) / CHORDS)
    const obstacle = inTheWay(obstacles, radius, chordStart, chordEnd)
    if (obstacle !== null) return obstacle
    copy(chordStart, chordEnd)
  }
  return null
}
