import type {
  Agent,
  Behavior,
  DebugDraw,
  ObstacleQuery,
  SnapshotState,
  Step,
  Vec3,
  Wrench,
} from '../../core/types.js'
import { reportArrived } from '../../core/control/wish.js'
import { drawCurve } from '../../core/control/draw.js'
import { PerAgent } from '../../core/control/per-agent.js'
import { Barred } from '../../core/solver/barred.js'
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
import { DirectedPath, flyDirectedPath } from './directed-path.js'
import {
  BARRED_AHEAD,
  comeToRest,
  EndExemption,
  flyToStart,
  limitSpeed,
  TECHNIQUES,
  type FollowState,
} from './path-techniques.js'
import { Route } from './route.js'
import { readPilot, type Pilot } from './pilot.js'
import { readOptions, type FieldsOf } from '../../core/math/options.js'

/** It keeps at least this share of its force to turn and brake. Larger: faster in storms, and less exact. */
const LEAST_SHARE = 0.1

/** Number of lines by which a path is drawn. */
const LINES = 128

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
export class FollowPath implements Behavior, FollowSettings {
  static readonly type: string = 'FollowPath'
  static readonly options: readonly [typeof FOLLOW_PATH, typeof PILOTED] = [FOLLOW_PATH, PILOTED]
  /** May change at any time: agents start at the nearest point of the new path. With null: no force. */
  path!: Path | null
  /** Null: no pilot. */
  pilot!: Pilot | null
  private readonly routes = new PerAgent(() => new Route(this))
  private readonly endExemption = new EndExemption()
  private readonly noWay = new Barred()
  private readonly follow: FollowState = {
    path: directedPath,
    limits,
    settings: this,
    stopsAtEnd: true,
    station: 0.5,
    target: goal,
    targetStation: 0.5,
    changedPiece: false,
    needsRoute: false,
    map: null,
    stretch: null,
  }

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FollowPathOptions) {
    Object.assign(this, readOptions('FollowPath', FollowPath.options, options))
    const { crowdRadius, crowdSpeed, neighborSearch } = this
    if (crowdSpeed < 1 && crowdRadius === undefined)
      throw new TypeError(`FollowPath.crowdSpeed: got ${crowdSpeed} without a crowdRadius, must have one`)
    if (crowdRadius !== undefined && neighborSearch === undefined)
      throw new TypeError(
        `FollowPath.crowdRadius: got ${crowdRadius} without the neighborSearch, must have it`,
      )
  }

  get state(): SnapshotState {
    return [this.routes, this.noWay, ...(this.pilot === null ? [] : [this.pilot])]
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
    const route = this.routes.find(agent)
    return route === undefined || route.isNew ? NaN : this.direction * route.station
  }

  /**
   * Writes the point of an agent's path that is `ahead` (m) of its station, or its end. Returns whether the
   * agent is on its way along a path.
   */
  placeAhead(agent: { readonly id: number }, ahead: number, out: Vec3): boolean {
    const route = this.routes.find(agent)
    if (route === undefined || !route.load(pathAhead) || route.isNew || route.toStart) return false
    const station = route.station + ahead
    pathAhead.pointAt(out, pathAhead.next === null ? Math.min(station, pathAhead.end) : station)
    return true
  }

  /** The path of an agent: its own, if it was given one or is on the next piece; else the common one. */
  pathOf(agent: { readonly id: number }): Path | null {
    const route = this.routes.find(agent)
    return route === undefined ? this.path : route.path
  }

  /**
   * Gives one agent its own path, which it flies from the start, as with `renavigate`. Null: no path.
   * Undefined: the common path again.
   * @throws TypeError for a value that is not a path; RangeError for an agent that it has not steered yet.
   */
  setPathOf(agent: { readonly id: number }, path: Path | null | undefined): void {
    const route = this.routes.find(agent)
    if (route === undefined)
      throw new RangeError(`FollowPath.setPathOf: got agent ${agent.id}, must be one that it has steered`)
    if (path !== null && path !== undefined) requirePath('FollowPath.setPathOf', path, ', null or undefined')
    route.give(path)
  }

  /** The pilot metrics of an agent; null without a pilot or before its first step. */
  metricsOf(agent: { readonly id: number }): PilotMetrics | null {
    return this.pilot === null ? null : this.pilot.metricsOf(agent)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { follow } = this
    const route = this.routes.of(agent)
    route.beginStep(step)
    if (!route.load(directedPath)) return
    follow.map = this.obstacleMapFor(agent, step)
    follow.stopsAtEnd = this.end === 'stop' && !(directedPath.next ?? directedPath.base).endless
    vehicleLimitsOf(limits, agent, step, undefined, this.speed, follow.stopsAtEnd ? 0 : undefined)
    const { outerPush } = limits
    // tyres hold a vehicle that rolls
    if (limits.leastRadius > 0) set(outerPush, 0, 0, 0)
    else route.outerPush.update(agent, step, outerPush)
    if (!isZero(outerPush)) {
      // what holds against the push neither turns nor brakes
      const held = length(outerPush)
      limits.lateral = Math.max(LEAST_SHARE * limits.lateral, limits.lateral - held)
      limits.brake = Math.max(LEAST_SHARE * limits.brake, limits.brake - held)
    }
    if (route.isNew) this.begin(agent, route)
    if (route.isDone) this.finish(agent, step, route, out)
    else this.flyAlong(agent, step, route, out)
    if (clearUnlessFinite(out)) route.isNew = true
  }

  /** The obstacles given as an option, else those known to the combination around it. */
  private obstacleMapFor({ radius, wish }: Agent, step: Step): ObstacleQuery | null {
    const { obstacles } = this
    if (obstacles === undefined) return wish?.map ?? null
    obstacles.refreshFor(step)
    return obstacles.mapFor(radius)
  }

  /** Starts at the nearest point of the path, on any branch; on an own path, in the first segment. */
  private begin(agent: Agent, route: Route): void {
    const isOwn = route.own !== undefined
    // Of a ping-pong path the outbound way only; the way back has the same points.
    const last = isOwn
      ? directedPath.nextWaypointStation(directedPath.begin)
      : directedPath.begin + directedPath.base.length
    const toStart = this.start === 'first' && !isOwn
    const u = toStart ? directedPath.begin : directedPath.nearest(agent.position, directedPath.begin, last)
    route.begin(u, Math.floor(u / directedPath.base.lap), toStart)
    this.noWay.forget(agent)
    this.pilot?.begin(agent, u - distance(directedPath.pointAt(goal, u), agent.position))
  }

  private flyAlong(agent: Agent, step: Step, route: Route, out: Wrench): void {
    const { follow, pilot } = this
    follow.stretch = route.stretch
    follow.station = route.station
    follow.changedPiece = false
    follow.needsRoute = this.noWay.needsRoute(agent)
    limitSpeed(agent, step, follow, out)
    this.endExemption.report(agent, follow)
    if (pilot !== null && pilot.flyDetour(agent, step, limits, out)) return
    if (this.noWay.holds(agent, step, follow.map)) return drive(agent, step, standing, out.force)
    if (route.toStart && flyToStart(agent, step, follow, out)) {
      route.toStart = false
      this.noWay.forget(agent)
    }
    const isBegun = !route.toStart
    const ends = isBegun && TECHNIQUES[this.technique](agent, step, follow, out)
    if (pilot === null) this.bar(agent, step, isBegun)
    if (!isBegun) return
    route.station = follow.station
    if (follow.changedPiece) {
      route.advance(directedPath.base)
      route.stretch.begin(follow.station)
      pilot?.begin(agent, follow.targetStation - distance(goal, agent.position))
      step.emit(agent, 'stage', this, 'piece')
    }
    if (ends) this.finish(agent, step, route, out)
    this.emitLap(agent, step, route)
    if (!route.isDone) this.navigate(agent, step, route)
  }

  /** Finds out whether no way past the obstacles leads on along its path, or, before that, to its start. */
  private bar(agent: Agent, step: Step, isBegun: boolean): void {
    const { map, station, target, targetStation } = this.follow
    if (map === null) return
    const left = distance(target, agent.position) - targetStation
    // on a path without end, what is more than half a lap farther is behind it
    const { endless, lap } = directedPath.base
    const next = endless ? Math.min(targetStation, station + lap / 2) : targetStation
    const ahead = Math.max(
      next,
      station + (isBegun ? BARRED_AHEAD * Math.max(agent.radius, limits.leastRadius) : 0),
    )
    directedPath.pointAt(place, Math.min(ahead, directedPath.end))
    this.noWay.bars(agent, step, this, map, place, left, TURNS * limits.turnTime)
    if (!(limits.leastRadius > 0)) this.noWay.seeksRoute(agent, map, place)
  }

  private finish(agent: Agent, step: Step, route: Route, out: Wrench): void {
    const { follow } = this
    follow.station = follow.targetStation = route.station = directedPath.end
    directedPath.pointAt(goal, directedPath.end)
    this.endExemption.report(agent, follow)
    let arrived = true
    if (follow.stopsAtEnd) arrived = comeToRest(agent, step, follow, out)
    else flyDirectedPath(directedPath, agent, step, directedPath.end, 0, limits, out)
    if (!arrived) return
    reportArrived(agent)
    this.pilot?.rest(agent)
    if (route.isDone || !(this.next === undefined || route.isLast)) return
    route.isDone = true
    step.emit(agent, 'arrive', this)
  }

  private emitLap(agent: Agent, step: Step, route: Route): void {
    const { endless, lap } = directedPath.base
    const number = Math.floor(route.station / lap)
    if (!endless || !(number > route.lap)) return
    route.lap = number
    step.emit(agent, 'stage', this, 'lap')
  }

  /**
   * Checks progress and asks the user's functions for paths. It runs last, because a user's function may
   * run other behaviours that overwrite this file's scratch.
   */
  private navigate(agent: Agent, step: Step, route: Route): void {
    const { follow, pilot } = this
    const trouble = pilot === null ? null : pilot.check(agent, step, follow)
    if (pilot === null || trouble === null) {
      route.askNext(agent, step, follow)
      return
    }
    step.emit(agent, 'stage', this, trouble)
    const { targetStation, station } = follow
    const blocked = pilot.describeTrouble(agent, trouble, follow)
    if (route.askReroute(agent, step, pilot.renavigate, blocked)) return
    if (!route.load(directedPath)) return
    follow.station = station
    follow.targetStation = targetStation
    directedPath.pointAt(goal, targetStation)
    route.station = pilot.tryToGetFree(agent, step, trouble, follow)
  }

  /** Draws the path. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const path = this.pathOf(agent)
    if (path === null) return
    const lap = path.lap * (1 - 1e-12)
    drawCurve(draw, 'path', LINES, (out, share) => path.pointAt(out, share * lap))
  }
}
