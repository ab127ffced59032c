import type {
  Agent,
  Archive,
  Behavior,
  DebugDraw,
  SnapshotState,
  Serializable,
  ObstacleQuery,
  Step,
  Wrench,
} from '../../types.js'
import { Memory } from '../../control/memory.js'
import { ObstacleMap } from '../../solver/obstacle-map.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import type { Path } from './path.js'
import { distance, vec3, copy } from '../../math/vec3.js'
import { makeVehicleLimits, vehicleLimitsOf } from '../directed-seek/vehicle-limits.js'
import { withdraw } from '../../control/finite.js'
import {
  readFollowPath,
  requirePath,
  type EndContact,
  type FollowPathOptions,
  type NextPiece,
  type PathTechnique,
  type PilotMetrics,
} from './follow-options.js'
import { DirectedPath, brakingReach, flyDirectedPath } from './directed-path.js'
import {
  limitSpeed,
  comeToRest,
  EndExemption,
  TECHNIQUES,
  type FollowState,
  type FollowSettings,
} from './path-techniques.js'
import { Navigator } from './navigator.js'
import { readPilot, type Pilot } from './pilot.js'

// what is kept for each agent
const PLACE = 0
const LAP = 1
const DONE = 2
const NUMBER = 3
const WIDTH = 4

/** Others within so many radii of the crowd are seen. */
const RANGE = 3

const lane = new DirectedPath()
const terms = makeVehicleLimits()
const goal = vec3()

/**
 * Follows a path, by any of Green's three techniques (Steering Behaviors, Follow Path), which share how fast it is flown, the end, the laps and
 * what a pilot does about trouble. Tells `arrive` at the end of an open path, and stages: `lap` after each round of one without an end, `piece`
 * where it goes on to the next one, `stuck` and `circling` where its pilot sees that.
 *
 * Reprojection departs from Green: not the future place is projected but the present one, no farther from the place before than it can have
 * moved, so that no crossing leads to another branch; what the path will demand is fed forward, so that nothing lags. Whoever is off it comes
 * back as fast as he can brake across. It always drives along the path, so whoever faces the wrong way turns.
 */
export class FollowPath implements Behavior, Serializable, FollowSettings {
  static readonly type: string = 'FollowPath'
  /** May be changed while it is followed: then each starts at the point of the new one that is nearest. Null: no opinion. */
  path: Path | null
  technique: PathTechnique
  speed: number | undefined
  lookAhead: number | undefined
  end: 'stop' | 'pass'
  direction: 1 | -1
  tube: number | undefined
  closeness: number
  endCloseness: number
  endObstacles: EndContact
  endAgents: EndContact
  crowdRadius: number | undefined
  crowdSpeed: number
  facing: number | undefined
  obstacles: Obstacles | undefined
  next: NextPiece | undefined
  /** Null without one. */
  pilot: Pilot | null
  private readonly memory = new Memory(WIDTH)
  private readonly navigator = new Navigator()
  private readonly spares = new EndExemption()
  private readonly now: FollowState = {
    path: lane,
    limits: terms,
    settings: this,
    stopsAtEnd: true,
    station: 0.5,
    target: goal,
    targetStation: 0.5,
    changedPiece: false,
    map: null,
  }
  /** Of `obstacles`. */
  private readonly known = new ObstacleMap()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FollowPathOptions) {
    const read = readFollowPath(options)
    this.path = read.path
    this.technique = read.technique
    this.speed = read.speed
    this.lookAhead = read.lookAhead
    this.end = read.end
    this.direction = read.direction
    this.tube = read.tube
    this.closeness = read.closeness
    this.endCloseness = read.endCloseness
    this.endObstacles = read.endObstacles
    this.endAgents = read.endAgents
    this.crowdRadius = read.crowdRadius
    this.crowdSpeed = read.crowdSpeed
    this.facing = read.facing
    this.obstacles = read.obstacles
    this.next = read.next
    this.pilot = readPilot(options.pilot)
  }

  get state(): SnapshotState {
    return [this, this.memory, this.navigator, ...(this.pilot === null ? [] : [this.pilot])]
  }

  serialize(archive: Archive): void {
    this.navigator.routes.serializeCommon(archive, this.path, this.direction)
  }

  /** Others are seen where a crowd counts. */
  get reach(): number {
    return this.crowdRadius === undefined ? 0 : RANGE * this.crowdRadius
  }

  /**
   * Where on its path an agent is, m: of a round trip on any lap, against the path counted down from its start. With a dog or a hook where
   * that is. NaN before its first step.
   */
  placeOf(agent: { readonly id: number }): number {
    const { data } = this.memory
    const at = WIDTH * this.navigator.routes.slotOf(agent)
    return at < 0 || data[at + NUMBER] === 0 ? NaN : this.direction * data[at + PLACE]!
  }

  /** The path of an agent, or a controller: its own, where it was given one or has gone on to the next piece. */
  pathOf(agent: { readonly id: number }): Path | null {
    const { routes } = this.navigator
    const slot = routes.slotOf(agent)
    return slot < 0 ? this.path : routes.pathOf(slot)
  }

  /**
   * Gives one agent a path of its own, which it flies from its start, as `renavigate` does. Null: none. Undefined: that of all again.
   * @throws TypeError for what is no path; RangeError for an agent that it has not steered yet.
   */
  setPathOf(agent: { readonly id: number }, path: Path | null | undefined): void {
    const { routes } = this.navigator
    const slot = routes.slotOf(agent)
    if (slot < 0)
      throw new RangeError(`FollowPath.setPathOf: got agent ${agent.id}, must be one that it has steered`)
    if (path !== null && path !== undefined) requirePath('FollowPath.setPathOf', path, ', null or undefined')
    routes.give(slot, path)
  }

  /** The pilot metrics of an agent; null without a pilot, or before its first step. */
  metricsOf(agent: { readonly id: number }): PilotMetrics | null {
    const slot = this.navigator.routes.slotOf(agent)
    return slot < 0 || this.pilot === null ? null : this.pilot.metricsOf(slot)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { memory, navigator, now } = this
    const { routes } = navigator
    const at = memory.at(agent)
    const { data } = memory
    if (memory.fresh) routes.claimSlot(agent)
    routes.setCommon(this.path, this.direction)
    navigator.rethrow(agent, step)
    if (!navigator.load(agent, lane, this.direction)) return
    now.map = this.mapFor(agent, step)
    now.stopsAtEnd = this.end === 'stop' && !(lane.next ?? lane.base).endless
    vehicleLimitsOf(terms, agent, step, undefined, this.speed, now.stopsAtEnd ? 0 : undefined)
    if (data[at + NUMBER] !== routes.numberOf(agent.slot)) this.begin(agent, at)
    if (data[at + DONE] === 1) this.finish(agent, step, at, out)
    else this.fly(agent, step, at, out)
    if (withdraw(out)) data[at + NUMBER] = 0
  }

  /** The obstacles that it knows by itself, or by the combination it is part of. */
  private mapFor({ radius, wish }: Agent, step: Step): ObstacleQuery | null {
    const { known, obstacles } = this
    if (obstacles === undefined) return wish?.map ?? null
    obstacles.refreshFor(step)
    known.clear()
    known.add(obstacles, radius, 0)
    return known
  }

  /** Starts where the path is nearest, whichever branch that is; on a path of its own in the first segment. */
  private begin(agent: Agent, at: number): void {
    const { data } = this.memory
    const { routes } = this.navigator
    // of a ping-pong the first way: the way back is where it is
    const last = routes.isOwn(agent.slot) ? lane.nextWaypointStation(lane.begin) : lane.begin + lane.base.length
    const u = lane.nearest(agent.position, lane.begin, last)
    data[at + PLACE] = u
    data[at + LAP] = Math.floor(u / lane.base.lap)
    data[at + DONE] = 0
    data[at + NUMBER] = routes.numberOf(agent.slot)
    this.pilot?.begin(agent, u - distance(lane.pointAt(goal, u), agent.position))
  }

  private fly(agent: Agent, step: Step, at: number, out: Wrench): void {
    const { now, pilot } = this
    const { data } = this.memory
    now.station = data[at + PLACE]!
    now.changedPiece = false
    limitSpeed(agent, step, now, out)
    this.spares.report(agent, now)
    if (pilot !== null && pilot.flyDetour(agent, step, terms, out)) return
    const ends = TECHNIQUES[this.technique](agent, step, now, out)
    data[at + PLACE] = now.station
    if (now.changedPiece) {
      data[at + NUMBER] = this.navigator.advance(agent, lane.base)
      pilot?.begin(agent, now.targetStation - distance(goal, agent.position))
      step.emit(agent, 'stage', this, 'piece')
    }
    if (ends) this.finish(agent, step, at, out)
    this.tellLap(agent, step, at)
    if (data[at + DONE] === 0) this.navigate(agent, step, at)
  }

  private finish(agent: Agent, step: Step, at: number, out: Wrench): void {
    const { now } = this
    const { data } = this.memory
    now.station = now.targetStation = data[at + PLACE] = lane.end
    lane.pointAt(goal, lane.end)
    this.spares.report(agent, now)
    let there = true
    if (now.stopsAtEnd) there = comeToRest(agent, step, now, out)
    else flyDirectedPath(lane, agent, step, lane.end, 0, terms, out)
    if (!there) return
    this.pilot?.rest(agent)
    if (data[at + DONE] === 1 || !this.navigator.isEndKnown(agent, this.next)) return
    data[at + DONE] = 1
    step.emit(agent, 'arrive', this)
  }

  private tellLap(agent: Agent, step: Step, at: number): void {
    const { data } = this.memory
    if (!lane.base.endless) return
    const lap = Math.floor(data[at + PLACE]! / lane.base.lap)
    if (!(lap > data[at + LAP]!)) return
    data[at + LAP] = lap
    step.emit(agent, 'stage', this, 'lap')
  }

  /** Looks how it gets on, and asks the user for ways: last of all, since what the user's functions do to this file's scratch is not known. */
  private navigate(agent: Agent, step: Step, at: number): void {
    const { navigator, now, pilot } = this
    const why = pilot === null ? null : pilot.check(agent, step, now)
    if (pilot === null || why === null) {
      navigator.askNext(agent, step, this.next, lane, brakingReach(terms), lane.end - now.station)
      return
    }
    step.emit(agent, 'stage', this, why)
    const { targetStation: ahead, station: place } = now
    const blocked = pilot.describeTrouble(agent, why, now)
    if (navigator.askReroute(agent, step, pilot.renavigate, blocked)) return
    if (!navigator.load(agent, lane, this.direction)) return
    now.station = place
    now.targetStation = ahead
    lane.pointAt(goal, ahead)
    this.memory.data[at + PLACE] = pilot.tryToGetFree(agent, step, why, now)
  }

  /** Draws the path. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const path = this.pathOf(agent)
    if (path !== null) tracePath(path, draw)
  }
}

/** Points by which a path is drawn. */
const POINTS = 128

const lineStart = vec3()
const lineEnd = vec3()

/** Draws all of a path. */
function tracePath(path: Path, draw: DebugDraw): void {
  path.pointAt(lineStart, 0)
  for (let i = 1; i <= POINTS; i++) {
    path.pointAt(lineEnd, (i / POINTS) * (path.lap * (1 - 1e-12)))
    draw.line('path', lineStart, lineEnd)
    copy(lineStart, lineEnd)
  }
}
