import type {
  Agent,
  AgentInSlot,
  Archive,
  Behavior,
  DebugDraw,
  NeighborSearch,
  Serializable,
  SnapshotState,
  Step,
  Wrench,
} from '../../core/types.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { drive, limitToSpeed, topSpeed } from '../../core/control/drive.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { isPartOf } from '../../core/math/own.js'
import { makeWish } from '../../core/control/wish.js'
import { openSolution, Settling } from '../../core/solver/settling.js'
import { Footing } from '../../core/solver/footing.js'
import { Memory } from '../../core/control/memory.js'
import { TAU } from '../../core/math/scalar.js'
import { addScaled, copy, distance, dot, isZero, length, normalize } from '../../core/math/vec3.js'
import { scale, sub, vec3, ZERO } from '../../core/math/vec3.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { makeCover, coverCost, findCover, COMPANY_RADII, shareCover, type Cover } from './cover.js'
import { fleePoint } from '../../core/control/seek-point.js'
import {
  gather,
  requireObstacles,
  type AgentObstacleFilter,
} from '../../core/behaviors/avoidance/surroundings.js'
import { isGone, noseOf, pointAt, requirePoint, velocityOf } from '../../core/control/target.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { requireFunction } from '../../core/math/require.js'

export interface HideOptions extends Options, OptionsOf<typeof Hide.options> {}
export interface Hide extends FieldsOf<typeof Hide.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Another cover must cost less than this share of the present one. Larger: the agent changes more often. */
const SWITCH_SHARE = 0.7
/** Panic ends at this multiple of the panic distance. Larger: it lasts longer. */
const CALM_FACTOR = 1.25
/** Default look-ahead in seconds of flight. */
const LOOK_AHEAD_TIME = 10
/** One of several that share a cover settles when it was held up for this time (s). Larger: more apart. */
const PATIENCE = 6
/** Longest prediction when the agent evades, s. */
const MAX_PREDICTION_TIME = 2

const seeker = vec3()
const gaze = vec3()
const seekerVelocity = vec3()
const direction = vec3()
let candidate = makeCover()
let best = makeCover()
const wanted = vec3()
const solution = openSolution(wanted)
const place = makeWish()

/**
 * Keeps an obstacle between the agent and a seeker (Green, Steering Behaviours, "Interpose and Hide";
 * course deck IMGD 4000, Hide). For each obstacle it finds the position opposite the seeker, and the agent
 * arrives at the best of them. The position moves as the seeker does, and its velocity is fed forward.
 * Without any position the agent evades. The refinements of the deck are options: hide only if seen, for
 * how long that is remembered, panic, and a seeker that sees only ahead of itself. Departures: the best
 * cover is not simply the nearest, but distance towards the seeker counts double, and narrow covers count
 * as farther away. An agent that is hidden stays behind its cover. A cover once chosen is kept against
 * slightly better ones. Several agents share a cover, spread over its shadow by their seeds. Put it into
 * `within` with `AvoidObstacles`: the path to a cover may lead around other obstacles.
 */
export class Hide extends WithOptions<HideOptions> implements Behavior, Serializable {
  static readonly type: string = 'Hide'
  static readonly options = {
    /** Seeker to hide from: a point, or a body; the motion of a body with a velocity is predicted. */
    target: { kind: 'point', required: true, check: requirePoint },
    /**
     * Obstacles to hide behind: a set, which may be shared and may change at any time, or a list to make one
     * of. They also block the view.
     */
    obstacles: { kind: 'instance', required: true, check: requireObstacles },
    /**
     * Clearance (m) between hull and cover, ≥ 0. Default half of the agent's radius. Larger values are safer
     * to fly and easier to see.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
    /** Covers farther away than this (m, > 0) are ignored. Default ten seconds of flight. */
    lookAhead: { kind: 'number', unit: 'm', above: 0, infinite: true },
    /** The agent evades instead of hiding when the seeker is nearer than this, m, ≥ 0. Default 0: never. */
    panicDistance: { kind: 'number', unit: 'm', atLeast: 0, infinite: true, default: 0 },
    /**
     * The agent hides only when the seeker can see it, or could within `memoryTime`. Default false: always.
     */
    onlyIfSeen: { kind: 'boolean', default: false },
    /**
     * Time for which the agent remembers that it was seen, s, ≥ 0. Default 5. With shorter times it comes
     * out, is seen, and hides again.
     */
    memoryTime: { kind: 'number', unit: 's', atLeast: 0, infinite: true, default: 5 },
    /**
     * Full angle around the seeker's nose (without an attitude, its course) within which it sees, rad, in (0,
     * 2π]. Default 2π: all round. A seeker with neither sees all round.
     */
    targetFieldOfView: { kind: 'number', unit: 'rad', above: 0, atMost: TAU, default: TAU },
    /**
     * Obstacles for which this returns true neither hide nor block the view: glass, the seeker's own hull.
     * Default none.
     */
    ignore: { kind: 'function', check: requireFunction<AgentObstacleFilter> },
    /** Speed to fly to a cover at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  readonly neighborSearch: NeighborSearch = neighborSearch
  /** Largest `reach` so far, m; it grows with the largest agent seen. */
  reach = 0
  /** Time since the agent was seen (s, + 1; 0 = never), and 1 while in panic. */
  private readonly memory = new Memory(2)
  private readonly settling = new Settling(PATIENCE)
  readonly state: SnapshotState = [this, this.memory, this.settling]
  /** Cover of each agent, by slot. */
  private readonly covers: (Obstacle | null)[] = []
  private readonly found: Obstacle[] = []
  private readonly footing = new Footing()
  private currentAgent: Agent | null = null

  /** Saves covers by their index in the set, where the archive cannot name the obstacles themselves. */
  serialize(archive: Archive): void {
    this.reach = archive.number(this.reach)
    for (let slot = 0; slot < archive.agents.slots; slot++) this.serializeCover(archive, slot)
  }

  serializeAgent(archive: Archive, { slot }: AgentInSlot): void {
    this.serializeCover(archive, slot)
  }

  private serializeCover(archive: Archive, slot: number): void {
    const remake = (from: Archive, obstacle: Obstacle | null): Obstacle | null => {
      const all = [...this.obstacles]
      const at = from.number(obstacle === null ? -1 : all.indexOf(obstacle))
      return obstacle ?? all[at] ?? null
    }
    this.covers[slot] = archive.reference(this.covers[slot] ?? null, remake)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    this.readSeeker(agent, step)
    this.reach = Math.max(this.reach, COMPANY_RADII * agent.radius)
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
    const seekerDistance = distance(seeker, agent.position)
    data[at + 1] = seekerDistance < this.panicDistance * (data[at + 1] === 1 ? CALM_FACTOR : 1) ? 1 : 0
    if (data[at + 1] === 1 || !this.choose(agent, step, seen))
      return this.evade(agent, step, seekerDistance, out)
    copy(place.goal, best.position)
    place.rests = isZero(best.velocity)
    place.goalOf = this
    shareCover(agent, best)
    const top = topSpeed(agent, this.speed)
    scale(wanted, normalize(wanted, sub(wanted, best.position, agent.position)), top)
    // those that share a cover push each other about, and would do so for ever
    if (this.settling.update(agent, step, place, solution, agent.velocity))
      drive(agent, step, ZERO, out.force)
    else arriveAt(agent, step, best.position, best.velocity, ZERO, top, out.force)
    limitToSpeed(agent, step, out.force, this.speed)
  }

  /** Draws the line of sight while the agent is seen, and the line to its cover. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    this.readSeeker(agent, step)
    if (this.isSeen(agent)) draw.line('seen', seeker, agent.position)
    const obstacle = this.covers[agent.slot]
    if (
      obstacle !== undefined &&
      obstacle !== null &&
      this.findCoverBehind(agent, step, obstacle, false, candidate)
    )
      draw.line('cover', agent.position, candidate.position)
  }

  private readSeeker(agent: Agent, step: Step): void {
    this.obstacles.refreshFor(step)
    pointAt(seeker, this.target, agent)
    velocityOf(seekerVelocity, this.target, agent)
    this.currentAgent = agent
    this.footing.begin(agent, step, this.obstacles, agent.radius, this.ignore)
  }

  private isSeen(agent: Agent): boolean {
    return this.isInView(agent) && this.obstacles.sees(seeker, agent.position, this.isTransparent)
  }

  /** Whether the agent is within the seeker's field of view, whatever stands between them. */
  private isInView(agent: Agent): boolean {
    if (this.targetFieldOfView >= TAU) return true
    if (isZero(noseOf(gaze, this.target))) normalize(gaze, seekerVelocity)
    if (isZero(gaze)) return true
    const d = length(sub(direction, agent.position, seeker))
    return dot(direction, gaze) >= d * Math.cos(this.targetFieldOfView / 2)
  }

  private findCoverBehind(agent: Agent, step: Step, obstacle: Obstacle, seen: boolean, out: Cover): boolean {
    const clear = agent.radius + (this.clearance ?? agent.radius / 2)
    const { footing, obstacles } = this
    return findCover(agent, step, obstacles, footing, obstacle, seeker, seekerVelocity, clear, seen, out)
  }

  /** Writes the best cover into `best`. False without any. */
  private choose(agent: Agent, step: Step, seen: boolean): boolean {
    const { covers, found } = this
    const { slot } = agent
    let current = covers[slot] ?? null
    if (
      current !== null &&
      !(this.obstacles.has(current) && this.findCoverBehind(agent, step, current, seen, best))
    )
      current = null
    // while it is hidden its cover is good enough
    if (!seen && current !== null) return true
    let leastCost = current === null ? Infinity : SWITCH_SHARE * coverCost(agent, seeker, best)
    const range = this.lookAhead ?? LOOK_AHEAD_TIME * topSpeed(agent)
    const count = gather(this.obstacles, agent, range, this.footing.ignores, found)
    for (let i = 0; i < count; i++) {
      const each = found[i]!
      if (
        each === current ||
        this.isTransparent(each) ||
        !this.findCoverBehind(agent, step, each, seen, candidate)
      )
        continue
      const cost = coverCost(agent, seeker, candidate)
      if (!(cost < leastCost)) continue
      leastCost = cost
      current = each
      const former = best
      best = candidate
      candidate = former
    }
    covers[slot] = current
    return current !== null
  }

  private evade(agent: Agent, step: Step, seekerDistance: number, out: Wrench): void {
    const time = Math.min(seekerDistance / (length(seekerVelocity) + topSpeed(agent)), MAX_PREDICTION_TIME)
    fleePoint(agent, step, addScaled(seeker, seeker, seekerVelocity, time), out.force)
  }

  /** True for obstacles that do not block the view: the seeker's own, and ignored ones. */
  private readonly isTransparent = (obstacle: Obstacle): boolean =>
    isPartOf(obstacle, this.target) ||
    (this.ignore !== undefined && this.currentAgent !== null && this.ignore(obstacle, this.currentAgent))
}
