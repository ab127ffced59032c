import type {
  Agent,
  Archive,
  Behavior,
  DebugDraw,
  SnapshotState,
  Serializable,
  PointSource,
  Step,
  Wrench,
} from '../../types.js'
import { topSpeed } from '../../control/drive.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { Memory } from '../../control/memory.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { addScaled, copy, distance, length, normalize, sub, vec3 } from '../../math/vec3.js'
import { arriveAt } from '../../control/arrive-at.js'
import { makeCover, coverCost, findCover, NEAR_RADII, shareCover, type Cover } from './cover.js'
import { fleePoint } from '../../control/seek-point.js'
import { gather, requireObstacles, type ObstacleSource, type AgentObstacleFilter } from './surroundings.js'
import { pointAt, requirePoint, velocityOf } from '../../control/target.js'

export interface HideOptions {
  /** Whom to hide from: a point, or a thing; one with a velocity is foreseen. */
  target: PointSource
  /** Behind what: a set, which may be shared and may change at any time, or a list to make one of. It also blocks the view. */
  obstacles: ObstacleSource
  /** Clear distance (m) between hull and cover, ≥ 0. Default half of the agent's radius. Larger is safer to fly and easier to see. */
  clearance?: number
  /** Covers farther than this (m, > 0) do not count. Default ten seconds of flight. */
  lookAhead?: number
  /** Evades instead when the seeker is nearer than this, m, ≥ 0. Default 0: never. */
  panicDistance?: number
  /** Hides only when the seeker can see it, or could within `memoryTime`. Default false: always. */
  onlyIfSeen?: boolean
  /** How long it remembers having been seen, s, ≥ 0. Default 5. Shorter looks forgetful: out, seen, in again. */
  memoryTime?: number
  /** Obstacles for which this returns true neither hide nor block the view: glass, the seeker's own hull. Default none. */
  ignore?: AgentObstacleFilter
}

/** Another cover must cost less than this share of the present one: no dithering between two. */
const KEEP = 0.7
/** Panic ends at this many panic distances. */
const CALM = 1.25
/** Default range in seconds of flight. */
const FLIGHT = 10
/** No look-ahead beyond this when it evades, s. */
const LONGEST_LOOK = 2

const seeker = vec3()
const pace = vec3()
const way = vec3()
const none = vec3()
const one = makeCover()
const best = makeCover()
const hit: { distance: number; obstacle: Obstacle | null } = { distance: 0, obstacle: null }

/**
 * SnapshotState an obstacle between itself and a seeker (Green, Steering Behaviours, "Interpose and Hide"; course deck IMGD 4000, Hide): for each
 * obstacle the place opposite the seeker, the best one is arrived at, and moves as the seeker does, which is fed forward. With no
 * place to go it evades. The deck's refinements are options: only if seen, for how long that is remembered, panic. Departures: the best
 * cover is not simply the nearest, but the way counts double where it leads towards the seeker, and narrow covers count as farther; who is
 * hidden already stays behind what hides it; a cover once chosen is kept against slightly better ones; and several agents share
 * a cover, spread over its shadow by their seeds. Put it into `within` with `AvoidObstacles`: the way to a cover may lead round others.
 */
export class Hide implements Behavior, Serializable {
  static readonly type: string = 'Hide'
  target: PointSource
  obstacles: Obstacles
  clearance: number | undefined
  lookAhead: number | undefined
  panicDistance: number
  onlyIfSeen: boolean
  memoryTime: number
  ignore: AgentObstacleFilter | undefined
  /** Widest look for neighbours asked of the world, m; grows with the largest agent seen. */
  reach = 0
  /** Seconds since seen (+ 1; 0 = never), and 1 while in panic. */
  private readonly memory = new Memory(2)
  readonly state: SnapshotState = [this, this.memory]
  /** Cover of each slot. */
  private readonly covers: (Obstacle | null)[] = []
  private readonly found: Obstacle[] = []
  private currentAgent: Agent | null = null

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: HideOptions) {
    const {
      target,
      obstacles,
      lookAhead,
      panicDistance = 0,
      onlyIfSeen = false,
      memoryTime = 5,
      ignore,
    } = options
    this.target = requirePoint('Hide.target', target)
    this.obstacles = requireObstacles('Hide.obstacles', obstacles)
    this.clearance =
      options.clearance === undefined
        ? undefined
        : requireFinite('Hide.clearance', options.clearance, 0, false)
    this.lookAhead = lookAhead === undefined ? undefined : requireNumber('Hide.lookAhead', lookAhead, 0, true)
    this.panicDistance = requireNumber('Hide.panicDistance', panicDistance, 0, false)
    this.onlyIfSeen = onlyIfSeen
    this.memoryTime = requireNumber('Hide.memoryTime', memoryTime, 0, false)
    this.ignore = ignore
  }

  /** Covers by their place in the set, as far as it cannot be told which they are. */
  serialize(archive: Archive): void {
    const { covers: chosen, obstacles } = this
    this.reach = archive.number(this.reach)
    const all = [...obstacles]
    const remake = (from: Archive, obstacle: Obstacle | null): Obstacle | null => {
      const at = from.number(obstacle === null ? -1 : all.indexOf(obstacle))
      return obstacle ?? all[at] ?? null
    }
    for (let slot = 0; slot < archive.agents.slots; slot++)
      chosen[slot] = archive.reference(chosen[slot] ?? null, remake)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.readSeeker(agent, step)
    this.reach = Math.max(this.reach, NEAR_RADII * agent.radius)
    const at = this.memory.at(agent)
    const { data } = this.memory
    if (this.memory.fresh) this.covers[agent.slot] = null
    const seen = this.isSeen(agent)
    if (seen) data[at] = 1
    else if (data[at]! > 0) data[at]! += step.dt
    const forgotten = data[at] === 0 || data[at]! > 1 + this.memoryTime
    if (this.onlyIfSeen && forgotten) {
      this.covers[agent.slot] = null
      return
    }
    const gap = distance(seeker, agent.position)
    data[at + 1] = gap < this.panicDistance * (data[at + 1] === 1 ? CALM : 1) ? 1 : 0
    if (data[at + 1] === 1 || !this.choose(agent, step, seen)) return this.evade(agent, step, gap, out)
    shareCover(agent, best)
    arriveAt(agent, step, best.position, best.velocity, none, topSpeed(agent), out.force)
  }

  /** Draws the line of sight while it is seen, and the way to its cover. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    this.readSeeker(agent, step)
    if (this.isSeen(agent)) draw.line('seen', seeker, agent.position)
    const obstacle = this.covers[agent.slot]
    if (
      obstacle !== undefined &&
      obstacle !== null &&
      this.findCoverBehind(agent, step, obstacle, false, one)
    )
      draw.line('cover', agent.position, one.position)
  }

  private readSeeker(agent: Agent, step: Step): void {
    this.obstacles.refreshFor(step)
    pointAt(seeker, this.target, agent)
    velocityOf(pace, this.target, agent)
    this.currentAgent = agent
  }

  private isSeen(agent: Agent): boolean {
    return this.obstacles.sees(seeker, agent.position, this.isTransparent)
  }

  private findCoverBehind(agent: Agent, step: Step, obstacle: Obstacle, seen: boolean, out: Cover): boolean {
    const clear = agent.radius + (this.clearance ?? agent.radius / 2)
    return findCover(agent, step, this.obstacles, obstacle, seeker, pace, clear, seen, out)
  }

  /** Writes the cover to go to into `best`. False without any. */
  private choose(agent: Agent, step: Step, seen: boolean): boolean {
    const { covers: chosen, found } = this
    const { slot } = agent
    let now = chosen[slot] ?? null
    if (now !== null && !(this.obstacles.has(now) && this.findCoverBehind(agent, step, now, seen, best)))
      now = null
    let least = now === null ? Infinity : coverCost(agent, seeker, best)
    if (!seen) {
      // what hides it already will do, unless what it was going to is nearer
      const other = this.nearestBlocker(agent)
      if (
        other !== null &&
        other !== now &&
        this.findCoverBehind(agent, step, other, seen, one) &&
        this.takeIfBetter(agent, least)
      ) {
        now = other
        least = 0
      }
      if (now !== null) {
        chosen[slot] = now
        return true
      }
    }
    least *= KEEP
    const range = this.lookAhead ?? FLIGHT * topSpeed(agent)
    const count = gather(this.obstacles, agent, range, this.ignore, found)
    for (let i = 0; i < count; i++) {
      const each = found[i]!
      if (each === now || this.isTransparent(each) || !this.findCoverBehind(agent, step, each, seen, one))
        continue
      if (!this.takeIfBetter(agent, least)) continue
      least = coverCost(agent, seeker, best)
      now = each
    }
    chosen[slot] = now
    return now !== null
  }

  /** Makes `one` the best when it costs less than `least`. */
  private takeIfBetter(agent: Agent, least: number): boolean {
    if (!(coverCost(agent, seeker, one) < least)) return false
    copyCover(best, one)
    return true
  }

  /** What blocks the view to the seeker, the nearest to the agent. */
  private nearestBlocker(agent: Agent): Obstacle | null {
    const d = length(sub(way, seeker, agent.position))
    if (!(d > 0)) return null
    this.obstacles.sweepInto(agent.position, normalize(way, way), 0, d, this.isTransparent, hit)
    return hit.obstacle
  }

  private evade(agent: Agent, step: Step, gap: number, out: Wrench): void {
    const time = Math.min(gap / (length(pace) + topSpeed(agent)), LONGEST_LOOK)
    fleePoint(agent, step, addScaled(seeker, seeker, pace, time), out.force)
  }

  /** What belongs to the seeker or to the agent, and what is ignored, blocks no view. */
  private readonly isTransparent = (obstacle: Obstacle): boolean =>
    (obstacle.owner !== null && obstacle.owner === this.target) ||
    (this.ignore !== undefined && this.currentAgent !== null && this.ignore(obstacle, this.currentAgent))
}

function copyCover(out: Cover, from: Cover): void {
  copy(out.position, from.position)
  copy(out.velocity, from.velocity)
  copy(out.line, from.line)
  copy(out.across, from.across)
  copy(out.across2, from.across2)
  out.width = from.width
}
