import type {
  Agent,
  Archive,
  ObstacleQuery,
  Serializable,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
} from '../../core/types.js'
import { servoTime } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { BRAKE_SHARE } from '../../core/control/profile.js'
import { PerAgent } from '../../core/control/per-agent.js'
import { ArcPath } from '../curves/arc-path.js'
import { makeWayLimits, setWayLimits, WAY_CLEARANCE } from '../curves/way-limits.js'
import { WaySearch } from './way-search.js'
import { addScaled, copy, distance, dot, length, load, save, scale, sub, vec3 } from '../../core/math/vec3.js'
import type { GroundFrame } from '../../core/locomotion/ground-frame.js'

// stored for each agent
/** 1: on a way to its goal, 2: on one along its wanted velocity. */
const STATE = 0
/** Its place on the way (m). */
const STATION = 1
/** Time (s) of the next search. */
const NEXT = 2
/** 1 while a search is wanted. */
const WANTED = 3
/** Time (s) for which it has stood, although it should move. */
const STOOD = 4
/** Place to which the way leads (m). */
const GOAL = 5
const WIDTH = 8

const TO_GOAL = 1
const ALONG = 2

// The numbers below are chosen by hand.

/** Least time (s) between two searches. Longer: less work, and later answers. */
const RETRY = 0.5
/** Least time (s) after a search that found nothing. Longer: less work, and later answers. */
const RETRY_AFTER_FAILURE = 2
/** One that has stood for this time (s), in place of driving, searches a way. */
const PATIENCE = 1.2
/** Below this share of its wanted speed it stands. */
const STANDING_SHARE = 0.05
/** It rolls to the very place of a cusp at this speed (m/s). */
const CREEP = 0.03
/** A vehicle aims at least this many least radii ahead on its way. Larger: more even, and less exact. */
const AIM_RADII = 0.35
/** It aims at least as far ahead as it rolls in this many times of its servo and of its wheels. */
const AIM_TIMES = 1.2
/** On the curves of its way it aims at most this many least radii ahead. Larger: faster, and less exact. */
const CURVE_RADII = 0.7
/** A way is left for a new one when the vehicle is this far beside it (radii). */
const LOST_OFFSET = 0.3
/** It is also left when its goal has moved by more than this share of its distance plus `HULL_SHIFT`. */
const GOAL_SHIFT = 0.05
/** Shift of a goal that never counts, in radii of the hull. */
const HULL_SHIFT = 0.3
/** Distance (least radii) that it rolls in the other gear where it could not begin its way. */
const BACK_OFF = 0.25
/** The gear is changed this near to a cusp (radii). */
const CUSP_DISTANCE = 0.01
/** A way to a goal ends this near to it (radii of the hull). */
const END_SHARE = 0.3
/** A way along a wanted velocity ends this far before its last place (turn radii). */
const END_RADII = 0.35
/** Without a goal a way leads this far along the wanted velocity (radii of the hull), if it is free there. */
const FARTHEST = 6
/** Otherwise it leads to the farthest free place that is at least this far (radii of the hull). */
const NEAREST = 1.5

/** What of a vehicle on wheels decides its way. */
export interface RollingLimits {
  readonly wheelbase: number
  readonly turnRadius: number
  readonly steerRate: number
  readonly grip: number
  readonly brake: number | undefined
  readonly astern: number
}

const limits = makeWayLimits()
const newPath = (): ArcPath => new ArcPath()
const place = vec3()
const point = vec3()
/** One for all: it remembers nothing. */
export const search: WaySearch = /* @__PURE__ */ new WaySearch()

/** The ways on which vehicles drive where the simple one, a curve and a straight line, is blocked. */
export class DriveWays implements Serializable {
  /** Speed (m/s) that the way allows, after `aimAhead`. */
  speed = 0.5
  private readonly memory = new Memory(WIDTH, [GOAL])
  private readonly ways = new PerAgent(newPath)
  readonly state: SnapshotState = [this.memory, this.ways]
  /** Step of the last search: there is one in a step at most. */
  private tick = -1

  serialize(archive: Archive): void {
    this.tick = archive.number(this.tick)
  }

  serializeAgent(): void {}

  /** Asks for a way, if the agent is on none. */
  want(agent: Agent): void {
    const at = this.memory.at(agent)
    if (this.memory.data[at + STATE] === 0) this.memory.data[at + WANTED] = 1
  }

  /** Whether the agent is on a way. */
  isOn(agent: Agent): boolean {
    const at = this.memory.find(agent)
    return at >= 0 && this.memory.data[at + STATE]! > 0
  }

  /** Gives up the way of an agent. */
  leave(agent: Agent): void {
    const at = this.memory.find(agent)
    if (at >= 0) this.memory.data.fill(0, at, at + GOAL)
  }

  /**
   * Updates the place of an agent on its way, or searches one, if it is wanted. `velocity` (m/s) is the
   * wanted one, in the ground, `end` the place where it shall end, if it is known, and `leadsThere` whether
   * it leads straight there. @returns whether it is on a way.
   */
  lead(
    vehicle: RollingLimits,
    ground: GroundFrame,
    agent: Agent,
    step: Step,
    velocity: Vec3Like,
    end: Vec3Like | null,
    leadsThere: boolean,
    map: ObstacleQuery | null,
  ): boolean {
    const at = this.memory.at(agent)
    const { data } = this.memory
    // a way to the goal leads elsewhere first, and what is wanted meanwhile may only be to brake
    const goal = leadsThere || data[at + STATE] === TO_GOAL ? end : null
    if (goal === null && map === null) data[at + STATE] = 0
    const pace = length(velocity)
    const stands = agent.speed < STANDING_SHARE * pace
    data[at + STOOD] = stands ? data[at + STOOD]! + step.dt : 0
    const isStuck = data[at + STOOD]! > PATIENCE && map !== null
    // where it cannot begin its way it first rolls the other way
    const blocked =
      isStuck && data[at + STATE]! > 0 && data[at + STATION]! < BACK_OFF * vehicle.turnRadius
        ? this.ways.of(agent).gearAt(0)
        : 0
    if (data[at + STATE]! > 0) {
      const ends = this.ends(at, agent, step, velocity, goal, vehicle.turnRadius)
      if (ends === 0 && !isStuck) return true
      data[at + STATE] = 0
      if (ends > 1) data[at + WANTED] = 1
    }
    if (isStuck) data[at + WANTED] = 1
    if (data[at + WANTED] === 0 || step.time < data[at + NEXT]! || step.tick === this.tick) return false
    data[at + WANTED] = 0
    if (!(pace > 0)) return false
    const { nose, up } = ground
    const brake = brakingPower(vehicle, agent)
    const lag = servoTime(agent, step)
    setWayLimits(limits, agent, nose, up, vehicle.turnRadius, vehicle.astern > 0, brake, lag)
    if (blocked !== 0 && vehicle.astern > 0) {
      limits.gear = -blocked
      limits.curve = 0
      limits.stop = BACK_OFF * vehicle.turnRadius
    }
    if (goal === null && (map === null || !placeAlong(place, agent, map, velocity, pace))) return false
    if (goal !== null) copy(place, goal)
    this.tick = step.tick
    const way = this.ways.of(agent)
    limits.clearance = WAY_CLEARANCE
    let found = search.find(way, map, agent.position, nose, place, null, up, limits)
    if (!found && map !== null) {
      // where it is narrow
      limits.clearance = 0
      found = search.find(way, map, agent.position, nose, place, null, up, limits)
    }
    data[at + NEXT] = step.time + (found ? RETRY : RETRY_AFTER_FAILURE)
    data[at + STOOD] = 0
    if (!found) return false
    data[at + STATE] = goal === null ? ALONG : TO_GOAL
    data[at + STATION] = 0
    save(place, data, at + GOAL)
    return true
  }

  /** Updates its place on its way. @returns 0 while it goes on, 1 at its end, 2 where a new one is needed. */
  private ends(
    at: number,
    agent: Agent,
    step: Step,
    velocity: Vec3Like,
    goal: Vec3Like | null,
    turnRadius: number,
  ): 0 | 1 | 2 {
    const { data } = this.memory
    const { position, radius, speed } = agent
    const way = this.ways.of(agent)
    const from = data[at + STATION]!
    const cusp = way.cuspAfter(from)
    let s = way.nearest(position, from, Math.min(cusp, from + 4 * speed * step.dt + 0.03 * turnRadius))
    if (cusp < way.length && cusp - s < CUSP_DISTANCE * turnRadius) s = cusp
    data[at + STATION] = s
    if (distance(way.pointAt(point, s), position) > LOST_OFFSET * turnRadius) return 2
    load(place, data, at + GOAL)
    const left = way.length - s
    if (data[at + STATE] === ALONG) {
      sub(point, place, position)
      return left < END_RADII * turnRadius || dot(point, velocity) < 0 ? 1 : 0
    }
    if (goal === null) return 1
    const shift = distance(place, goal)
    if (shift > GOAL_SHIFT * distance(position, goal) + HULL_SHIFT * radius) return 2
    return left < END_SHARE * radius ? 1 : 0
  }

  /**
   * Writes the place (m) on the way at which the agent aims, and `speed`. @returns its gear.
   */
  aimAhead(out: Vec3, vehicle: RollingLimits, agent: Agent, step: Step): 1 | -1 {
    const at = this.memory.at(agent)
    const s = this.memory.data[at + STATION]!
    const way = this.ways.of(agent)
    const cusp = way.cuspAfter(s)
    const time = servoTime(agent, step)
    const { turnRadius } = vehicle
    way.aimAt(out, s, Math.max(AIM_RADII * turnRadius, AIM_TIMES * (agent.forceLag + time) * agent.speed))
    const left = cusp - s
    const brake = 2 * BRAKE_SHARE * brakingPower(vehicle, agent)
    this.speed = cusp < way.length ? Math.min(Math.sqrt(brake * left), left / time + CREEP) : Infinity
    // on curves it looks no farther ahead than this, or it would cut them
    const most = (CURVE_RADII * turnRadius) / (AIM_TIMES * (agent.forceLag + time))
    for (let i = way.pieceAt(s); i < way.count; i++) {
      if (way.bendOf(i) === 0) continue
      this.speed = Math.min(this.speed, Math.sqrt(most * most + brake * Math.max(0, way.startOf(i) - s)))
      break
    }
    return way.gearAt(s) < 0 ? -1 : 1
  }
}

/** Greatest deceleration (m/s²) of a vehicle. */
export function brakingPower({ brake, grip }: RollingLimits, { mass, maxForce }: Agent): number {
  return Math.max(1e-9, Math.min(grip, (brake ?? maxForce) / mass))
}

/** Writes a free place along the wanted velocity. @returns whether there is one. */
function placeAlong(
  out: Vec3,
  { position, radius }: Agent,
  map: ObstacleQuery,
  velocity: Vec3Like,
  pace: number,
): boolean {
  for (let range = FARTHEST; range >= NEAREST; range--) {
    addScaled(out, position, scale(point, velocity, 1 / pace), range * radius)
    if (map.distanceToFree(out) === 0 && map.isVisible(position, out)) return true
  }
  return false
}
