import type {
  Agent,
  Archive,
  Behavior,
  DebugDraw,
  NeighborSearch,
  ObstacleQuery,
  Serializable,
  SnapshotState,
  Step,
  Vec3,
  Wrench,
} from '../../core/types.js'
import { reportArrived } from '../../core/control/wish.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { drawCurve } from '../../core/control/draw.js'
import { Memory } from '../../core/control/memory.js'
import { NoWay } from '../../core/solver/no-way.js'
import { ObstacleMap } from '../../core/solver/obstacle-map.js'
import type { Path } from './path.js'
import { distance, isZero, length, set, vec3 } from '../../core/math/vec3.js'
import { makeVehicleLimits, vehicleLimitsOf } from '../curves/vehicle-limits.js'
import { drive } from '../../core/control/drive.js'
import { clearUnlessFinite } from '../../core/control/finite.js'
import {
  PILOT,
  FOLLOW_PATH,
  requirePath,
  type FollowPathOptions,
  type FollowSettings,
  type PilotMetrics,
} from './follow-options.js'
import { BlockedStretch } from './blocked-stretch.js'
import { DirectedPath, flyDirectedPath } from './directed-path.js'
import { OuterPush } from './outer-push.js'
import {
  comeToRest,
  EndExemption,
  flyToStart,
  limitSpeed,
  TECHNIQUES,
  type FollowState,
} from './path-techniques.js'
import { Navigator } from './navigator.js'
import { readPilot, type Pilot } from './pilot.js'
import { readOptions, type FieldsOf } from '../../core/math/options.js'

// Offsets of the numbers that are stored for each agent.
const STATION = 0
const LAP = 1
const DONE = 2
const PATH_NUMBER = 3
const TO_START = 4
const WIDTH = 5

/** It keeps at least this share of its force to turn and brake. Larger: faster in storms, and less exact. */
const LEAST_SHARE = 0.1

/** Number of lines by which a path is drawn. */
const LINES = 128

/**
 * Its path is barred where obstacles are before the place so many radii (of its ball or its curves) farther.
 */
const BARRED_AHEAD = 4
/** One that has come no nearer for this time (s) needs a route to that place. Longer: fewer searches. */
const HELD_UP = 1

/** One that cannot turn at once may turn on the spot for this many times the time of a right angle. */
const TURNS = 4

/** Neighbors are searched within this multiple of the crowd radius. Chosen by hand. */
const CROWD_RANGE = 3

export interface FollowPath extends Omit<FieldsOf<typeof FOLLOW_PATH>, 'path'> {}

const PILOTED = { pilot: { kind: 'options', options: PILOT, check: readPilot, default: null } } as const

const directedPath = new DirectedPath()
const pathAhead = new DirectedPath()
const limits = makeVehicleLimits()
const goal = vec3()
const place = vec3()
const standing = vec3()

/**
 * Follows a path by one of Green's techniques (Steering Behaviors, Follow Path). All techniques share the
 * speed along the path, the end, the laps and the pilot, which handles trouble. Emits `arrive` at the end
 * of an open path, and `stage` with `lap` after each lap of an endless path, `piece` when it continues on
 * the next piece, and `stuck` and `circling` when the pilot detects that. Without a pilot it emits `cannot`,
 * and rests, when the agent has stood for ten seconds, or has gone all around, and no way past the obstacles
 * leads on; it goes on when the straight line there is free, or it gets another path.
 *
 * Reprojection departs from Green: it projects the present position, not the future one, and moves on by
 * no more than the agent can have flown. So a crossing does not lead to another branch. The path's
 * curvature is fed forward, so the agent does not lag. An agent off the path returns as fast as it can
 * brake sideways. The agent always flies along the path, so an agent that faces the wrong way turns round.
 * A steady push by what is not the agent, such as wind, is estimated and held against (`OuterPush`).
 */
export class FollowPath implements Behavior, Serializable, FollowSettings {
  static readonly type: string = 'FollowPath'
  static readonly options: readonly [typeof FOLLOW_PATH, typeof PILOTED] = [FOLLOW_PATH, PILOTED]
  readonly neighborSearch: NeighborSearch = neighborSearch
  /**
   * May change at any time: each agent then starts at the nearest point of the new path. With null it adds
   * no force.
   */
  path!: Path | null
  /** Null: no pilot. */
  pilot!: Pilot | null
  private readonly memory = new Memory(WIDTH)
  private readonly navigator = new Navigator()
  private readonly endExemption = new EndExemption()
  private readonly stretch = new BlockedStretch()
  private readonly outerPush = new OuterPush()
  private readonly noWay = new NoWay()
  private readonly follow: FollowState = {
    path: directedPath,
    limits,
    settings: this,
    stopsAtEnd: true,
    station: 0.5,
    target: goal,
    targetStation: 0.5,
    changedPiece: false,
    routed: 0,
    map: null,
    stretch: this.stretch,
  }
  private readonly obstacleMap = new ObstacleMap()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FollowPathOptions) {
    Object.assign(this, readOptions('FollowPath', FollowPath.options, options))
    const { crowdRadius, crowdSpeed } = this
    if (crowdSpeed < 1 && crowdRadius === undefined)
      throw new TypeError(`FollowPath.crowdSpeed: got ${crowdSpeed} without a crowdRadius, must have one`)
  }

  get state(): SnapshotState {
    return [
      this,
      this.memory,
      this.navigator,
      this.stretch,
      this.outerPush,
      this.noWay,
      ...(this.pilot === null ? [] : [this.pilot]),
    ]
  }

  serialize(archive: Archive): void {
    this.navigator.routes.serializeCommon(archive, this.path, this.direction)
  }

  serializeAgent(): void {
    // the routes must know the common path before they save or restore which path an agent flies
    this.navigator.routes.setCommon(this.path, this.direction)
  }

  /** Neighbors are needed only where a crowd counts. */
  get reach(): number {
    return this.crowdRadius === undefined ? 0 : CROWD_RANGE * this.crowdRadius
  }

  /**
   * Station of an agent on its path (m). On an endless path it counts laps; against the direction of the
   * path it counts down. For the dog and the hooks it is the station of the dog or of the last hook. NaN
   * before the agent's first step.
   */
  stationOf(agent: { readonly id: number }): number {
    const slot = this.navigator.routes.slotOf(agent)
    if (slot < 0) return NaN
    const { data } = this.memory
    const offset = this.memory.offsetOf(slot)
    return data[offset + PATH_NUMBER] === 0 ? NaN : this.direction * data[offset + STATION]!
  }

  /**
   * Writes the point of an agent's path that is `ahead` (m) of its station, or its end. Returns whether the
   * agent is on its way along a path.
   */
  placeAhead(agent: { readonly id: number }, ahead: number, out: Vec3): boolean {
    const { direction, memory, navigator } = this
    const slot = navigator.routes.slotOf(agent)
    if (slot < 0 || !navigator.load(slot, pathAhead, direction)) return false
    const { data } = memory
    const offset = memory.offsetOf(slot)
    if (data[offset + PATH_NUMBER] === 0 || data[offset + TO_START] === 1) return false
    const station = data[offset + STATION]! + ahead
    pathAhead.pointAt(out, pathAhead.next === null ? Math.min(station, pathAhead.end) : station)
    return true
  }

  /**
   * The path of an agent or controller: its own, if it was given one or has continued on the next piece;
   * else the common one.
   */
  pathOf(agent: { readonly id: number }): Path | null {
    const { routes } = this.navigator
    const slot = routes.slotOf(agent)
    return slot < 0 ? this.path : routes.pathOf(slot)
  }

  /**
   * Gives one agent its own path, which it flies from the start, as with `renavigate`. Null: no path.
   * Undefined: the common path again.
   * @throws TypeError for a value that is not a path; RangeError for an agent that it has not steered yet.
   */
  setPathOf(agent: { readonly id: number }, path: Path | null | undefined): void {
    const { routes } = this.navigator
    const slot = routes.slotOf(agent)
    if (slot < 0)
      throw new RangeError(`FollowPath.setPathOf: got agent ${agent.id}, must be one that it has steered`)
    if (path !== null && path !== undefined) requirePath('FollowPath.setPathOf', path, ', null or undefined')
    routes.give(slot, path)
  }

  /** The pilot metrics of an agent; null without a pilot or before its first step. */
  metricsOf(agent: { readonly id: number }): PilotMetrics | null {
    const slot = this.navigator.routes.slotOf(agent)
    return slot < 0 || this.pilot === null ? null : this.pilot.metricsOf(slot)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { memory, navigator, follow } = this
    const offset = memory.at(agent)
    const { data } = memory
    navigator.beginStep(agent, step, memory.fresh, this.path, this.direction)
    if (!navigator.load(agent.slot, directedPath, this.direction)) return
    follow.map = this.obstacleMapFor(agent, step)
    follow.stopsAtEnd = this.end === 'stop' && !(directedPath.next ?? directedPath.base).endless
    vehicleLimitsOf(limits, agent, step, undefined, this.speed, follow.stopsAtEnd ? 0 : undefined)
    const { outerPush } = limits
    // tyres hold a vehicle that rolls
    if (limits.leastRadius > 0) set(outerPush, 0, 0, 0)
    else this.outerPush.update(agent, step, outerPush)
    if (!isZero(outerPush)) {
      // what holds against the push neither turns nor brakes
      const held = length(outerPush)
      limits.lateral = Math.max(LEAST_SHARE * limits.lateral, limits.lateral - held)
      limits.brake = Math.max(LEAST_SHARE * limits.brake, limits.brake - held)
    }
    if (data[offset + PATH_NUMBER] !== navigator.routes.numberOf(agent.slot)) this.begin(agent, offset)
    if (data[offset + DONE] === 1) this.finish(agent, step, offset, out)
    else this.flyAlong(agent, step, offset, out)
    if (clearUnlessFinite(out)) data[offset + PATH_NUMBER] = 0
  }

  /** The obstacles given as an option, else those known to the combination around it. */
  private obstacleMapFor({ radius, wish }: Agent, step: Step): ObstacleQuery | null {
    const { obstacleMap, obstacles } = this
    if (obstacles === undefined) return wish?.map ?? null
    obstacles.refreshFor(step)
    obstacleMap.clear()
    obstacleMap.add(obstacles, radius, 0)
    return obstacleMap
  }

  /** Starts at the nearest point of the path, on any branch; on an own path, in the first segment. */
  private begin(agent: Agent, offset: number): void {
    const { data } = this.memory
    const { routes } = this.navigator
    // Of a ping-pong path the outbound way only; the way back has the same points.
    const last = routes.isOwn(agent.slot)
      ? directedPath.nextWaypointStation(directedPath.begin)
      : directedPath.begin + directedPath.base.length
    const toStart = this.start === 'first' && !routes.isOwn(agent.slot)
    const u = toStart ? directedPath.begin : directedPath.nearest(agent.position, directedPath.begin, last)
    data[offset + STATION] = u
    data[offset + LAP] = Math.floor(u / directedPath.base.lap)
    data[offset + DONE] = 0
    data[offset + TO_START] = toStart ? 1 : 0
    data[offset + PATH_NUMBER] = routes.numberOf(agent.slot)
    this.stretch.begin(agent, u)
    this.noWay.forget(agent)
    this.pilot?.begin(agent, u - distance(directedPath.pointAt(goal, u), agent.position))
  }

  private flyAlong(agent: Agent, step: Step, offset: number, out: Wrench): void {
    const { follow, pilot } = this
    const { data } = this.memory
    follow.station = data[offset + STATION]!
    follow.changedPiece = false
    follow.routed = this.noWay.needsRoute(agent) ? BARRED_AHEAD * agent.radius : 0
    limitSpeed(agent, step, follow, out)
    this.endExemption.report(agent, follow)
    if (pilot !== null && pilot.flyDetour(agent, step, limits, out)) return
    if (this.noWay.holds(agent, follow.map)) return drive(agent, step, standing, out.force)
    if (data[offset + TO_START] === 1 && flyToStart(agent, step, follow, out)) {
      data[offset + TO_START] = 0
      this.noWay.forget(agent)
    }
    const isBegun = data[offset + TO_START] === 0
    const ends = isBegun && TECHNIQUES[this.technique](agent, step, follow, out)
    if (pilot === null && !ends) this.bar(agent, step, isBegun)
    if (!isBegun) return
    data[offset + STATION] = follow.station
    if (follow.changedPiece) {
      data[offset + PATH_NUMBER] = this.navigator.advance(agent, directedPath.base)
      pilot?.begin(agent, follow.targetStation - distance(goal, agent.position))
      step.emit(agent, 'stage', this, 'piece')
    }
    if (ends) this.finish(agent, step, offset, out)
    this.emitLap(agent, step, offset)
    if (data[offset + DONE] === 0) this.navigate(agent, step, offset)
  }

  /** Finds out whether no way past the obstacles leads on along its path, or, before that, to its start. */
  private bar(agent: Agent, step: Step, isBegun: boolean): void {
    const { map, station, target, targetStation } = this.follow
    if (map === null) return
    const left = distance(target, agent.position) - targetStation
    // what is more than half a lap farther is behind it
    const next = Math.min(targetStation, station + directedPath.base.lap / 2)
    const ahead = Math.max(
      next,
      station + (isBegun ? BARRED_AHEAD * Math.max(agent.radius, limits.leastRadius) : 0),
    )
    directedPath.pointAt(place, Math.min(ahead, directedPath.end))
    this.noWay.bars(agent, step, this, map, place, left, TURNS * limits.turnTime)
    if (!(limits.leastRadius > 0)) this.noWay.seeksRoute(agent, map, place, HELD_UP)
  }

  private finish(agent: Agent, step: Step, offset: number, out: Wrench): void {
    const { follow } = this
    const { data } = this.memory
    follow.station = follow.targetStation = data[offset + STATION] = directedPath.end
    directedPath.pointAt(goal, directedPath.end)
    this.endExemption.report(agent, follow)
    let arrived = true
    if (follow.stopsAtEnd) arrived = comeToRest(agent, step, follow, out)
    else flyDirectedPath(directedPath, agent, step, directedPath.end, 0, limits, out)
    if (!arrived) return
    reportArrived(agent)
    this.pilot?.rest(agent)
    if (data[offset + DONE] === 1 || !this.navigator.isEndKnown(agent, this.next)) return
    data[offset + DONE] = 1
    step.emit(agent, 'arrive', this)
  }

  private emitLap(agent: Agent, step: Step, offset: number): void {
    const { data } = this.memory
    if (!directedPath.base.endless) return
    const lap = Math.floor(data[offset + STATION]! / directedPath.base.lap)
    if (!(lap > data[offset + LAP]!)) return
    data[offset + LAP] = lap
    step.emit(agent, 'stage', this, 'lap')
  }

  /**
   * Checks progress and asks the user's functions for paths. It runs last, because a user's function may
   * run other behaviours that overwrite this file's scratch.
   */
  private navigate(agent: Agent, step: Step, offset: number): void {
    const { navigator, follow, pilot } = this
    const trouble = pilot === null ? null : pilot.check(agent, step, follow)
    if (pilot === null || trouble === null) {
      navigator.askNext(agent, step, follow)
      return
    }
    step.emit(agent, 'stage', this, trouble)
    const { targetStation, station } = follow
    const blocked = pilot.describeTrouble(agent, trouble, follow)
    if (navigator.askReroute(agent, step, pilot.renavigate, blocked)) return
    if (!navigator.load(agent.slot, directedPath, this.direction)) return
    follow.station = station
    follow.targetStation = targetStation
    directedPath.pointAt(goal, targetStation)
    this.memory.data[offset + STATION] = pilot.tryToGetFree(agent, step, trouble, follow)
  }

  /** Draws the path. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const path = this.pathOf(agent)
    if (path === null) return
    const lap = path.lap * (1 - 1e-12)
    drawCurve(draw, 'path', LINES, (out, share) => path.pointAt(out, share * lap))
  }
}
