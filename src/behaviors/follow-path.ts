import type { Agent, Behavior, DebugDraw, Step, Wrench } from '../types.js'
import { drive } from '../control/drive.js'
import { Memory } from '../control/memory.js'
import type { Path } from '../path/path.js'
import { clamp } from '../math/scalar.js'
import { copy, distance, dot, isFiniteVec, length, normalize, scale, set, sub, vec3 } from '../math/vec3.js'
import { terms as makeTerms, termsOf } from './support/ability.js'
import { arriveAt } from './support/arrive.js'
import { checkFollowPath, type FollowPathOptions, type PathTechnique } from './support/follow-options.js'
import { Lane } from './support/lane.js'
import { flyLane, reproject } from './support/lane-keeper.js'

// what is kept for each agent
const PLACE = 0
const LAP = 1
const DONE = 2
const COURSE = 3
const WIDTH = 4

/** Time (s) by which the dog is ahead. */
const AHEAD = 0.5

/** A waypoint is reached within this many radii, or within the tube. */
const CLOSE = 2

/** Arrived: within this share of the radius, and slower than it per second. Then it rests: nearer, and slower. */
const THERE = 0.1
const REST = 0.01
const ASLEEP = 1e-4

const lane = new Lane()
const terms = makeTerms()
const goal = vec3()
const ahead = vec3()
const wanted = vec3()
const none = vec3()

/** Points by which `trace` draws the path. */
const POINTS = 128

/**
 * Follows a path, by any of Green's three techniques (Steering Behaviors, Follow Path), which share how fast it is flown, the end and the laps.
 * Tells `arrive` at the end of an open path, and a stage `lap` after each round of one without an end.
 *
 * Reprojection departs from Green: not the future place is projected but the present one, no farther from the place before than it can have
 * moved, so that no crossing leads to another branch; what the path will demand is fed forward, so that nothing lags. Whoever is off it comes
 * back as fast as he can brake across. It always drives along the path, so whoever faces the wrong way turns.
 */
export class FollowPath implements Behavior {
  /** May be changed while it is followed: then each starts at the point of the new one that is nearest. Null: no opinion. */
  path: Path | null
  technique: PathTechnique
  speed: number | undefined
  lookAhead: number | undefined
  end: 'stop' | 'pass'
  direction: 1 | -1
  tube: number | undefined
  private readonly memory = new Memory(WIDTH)
  /** What is followed, and its number: agents of another number start anew. */
  private known: Path | null = null
  private knownDirection = 0
  private course = 0

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: FollowPathOptions) {
    checkFollowPath(options)
    const { path, technique = 'reprojection', speed, lookAhead, end = 'stop', direction = 1, tube } = options
    this.path = path
    this.technique = technique
    this.speed = speed
    this.lookAhead = lookAhead
    this.end = end
    this.direction = direction
    this.tube = tube
  }

  /**
   * Where on the path an agent is, m: of a round trip on any lap, against the path counted down from its start. With a dog or a hook where
   * that is. NaN before its first step.
   */
  placeOf(agent: Agent): number {
    const at = this.memory.at(agent)
    return this.memory.data[at + COURSE] === 0 ? NaN : this.direction * this.memory.data[at + PLACE]!
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { path, memory, technique } = this
    if (path === null) return
    if (path !== this.known || this.direction !== this.knownDirection) {
      this.course++
      this.known = path
      this.knownDirection = this.direction
    }
    lane.path = path
    lane.direction = this.direction
    const stops = this.end === 'stop' && !path.endless
    termsOf(terms, agent, step, undefined, this.speed, stops ? 0 : undefined)
    const at = memory.at(agent)
    const { data } = memory
    if (data[at + COURSE] !== this.course) this.begin(agent, at)
    if (data[at + DONE] === 1) this.finish(agent, step, at, stops, out)
    else if (technique === 'reprojection') this.keep(agent, step, at, stops, out)
    else if (technique === 'dog-on-a-string') this.chase(agent, step, at, stops, out)
    else this.hook(agent, step, at, stops, out)
    this.tell(agent, step, at)
    if (isFiniteVec(out.force) && isFiniteVec(out.torque)) return
    set(out.force, 0, 0, 0)
    set(out.torque, 0, 0, 0)
    data[at + COURSE] = 0
  }

  /** Starts where the path is nearest, whichever branch that is. */
  private begin(agent: Agent, at: number): void {
    const { data } = this.memory
    // of a ping-pong the first way: the way back is where it is
    const u = lane.nearest(agent.position, lane.begin, lane.begin + lane.path.length)
    data[at + PLACE] = u
    data[at + LAP] = Math.floor(u / lane.path.lap)
    data[at + DONE] = 0
    data[at + COURSE] = this.course
  }

  private tubeAt(u: number): number {
    return this.tube ?? lane.path.tubeAt(lane.direction * u)
  }

  private keep(agent: Agent, step: Step, at: number, stops: boolean, out: Wrench): void {
    const { data } = this.memory
    const before = data[at + PLACE]!
    const tube = this.tubeAt(before)
    const u = reproject(lane, agent, step, before, tube)
    const left = lane.end - u
    data[at + PLACE] = u
    if (agent.wish !== null) agent.wish.distance = Math.min(agent.wish.distance, left)
    if (stops && left < agent.radius) this.finish(agent, step, at, stops, out)
    else flyLane(lane, agent, step, u, tube, terms, out)
    if (!stops && left <= 0) this.come(agent, step, at)
  }

  private chase(agent: Agent, step: Step, at: number, stops: boolean, out: Wrench): void {
    const { data } = this.memory
    const u = data[at + PLACE]!
    const string = this.lookAhead ?? Math.max(AHEAD * terms.cruise, agent.radius)
    const slack = Math.max(this.tubeAt(u), agent.radius)
    const pace = lane.paceAt(Math.max(u - string, lane.begin), terms, slack)
    const pull = distance(lane.pointAt(goal, u), agent.position) / string
    // as fast as the agent where the string is taut, and twice that where it is slack
    const dog = Math.min(u + pace * clamp(2 - pull, 0, 2) * step.dt, lane.end)
    data[at + PLACE] = dog
    lane.pointAt(goal, dog)
    if (dog < lane.end || !this.ends(agent, step, at, stops, out)) seek(agent, step, pace, out)
  }

  private hook(agent: Agent, step: Step, at: number, stops: boolean, out: Wrench): void {
    const { data } = this.memory
    const u = data[at + PLACE]!
    const close = Math.max(this.tubeAt(u), CLOSE * agent.radius)
    let next = Math.min(lane.nextStation(u), lane.end)
    lane.pointAt(goal, next)
    if (next < lane.end && distance(goal, agent.position) < close) {
      data[at + PLACE] = next
      next = Math.min(lane.nextStation(next), lane.end)
      lane.pointAt(goal, next)
    }
    if (next >= lane.end && this.ends(agent, step, at, stops, out)) return
    // as far before the hook on the path as it is from it
    const from = Math.max(data[at + PLACE]!, next - distance(goal, agent.position))
    seek(agent, step, lane.paceAt(from, terms, Math.max(close, agent.radius)), out)
  }

  /** On the last stretch. @returns whether it has seen to that. */
  private ends(agent: Agent, step: Step, at: number, stops: boolean, out: Wrench): boolean {
    if (!stops) {
      sub(wanted, goal, agent.position)
      const near = length(wanted) < CLOSE * agent.radius
      // beside the end, or beyond it
      if (!near || dot(wanted, lane.tangentAt(ahead, lane.end)) > 0) return false
      this.come(agent, step, at)
    }
    this.finish(agent, step, at, stops, out)
    return true
  }

  private finish(agent: Agent, step: Step, at: number, stops: boolean, out: Wrench): void {
    if (!stops) {
      flyLane(lane, agent, step, lane.end, 0, terms, out)
      return
    }
    const off = distance(lane.pointAt(goal, lane.end), agent.position)
    const { radius, speed } = agent
    this.memory.data[at + PLACE] = lane.end
    if (off < THERE * radius && speed < THERE * radius) this.come(agent, step, at)
    if (off > REST * radius) arriveAt(agent, step, goal, none, none, terms.cruise, out.force)
    // there it stops drifting, and then lets its body sleep
    else if (speed > ASLEEP * radius) drive(agent, step, none, out.force)
  }

  /** Tells once that it has arrived. */
  private come(agent: Agent, step: Step, at: number): void {
    const { data } = this.memory
    if (data[at + DONE] === 1) return
    data[at + DONE] = 1
    step.emit(agent, 'arrive', this)
  }

  private tell(agent: Agent, step: Step, at: number): void {
    const { data } = this.memory
    if (!lane.path.endless) return
    const lap = Math.floor(data[at + PLACE]! / lane.path.lap)
    if (!(lap > data[at + LAP]!)) return
    data[at + LAP] = lap
    step.emit(agent, 'stage', this, 'lap')
  }

  /** Draws the path. */
  trace(_agent: Agent, _step: Step, draw: DebugDraw): void {
    const { path } = this
    if (path === null) return
    path.pointAt(goal, 0)
    for (let i = 1; i <= POINTS; i++) {
      path.pointAt(ahead, (i / POINTS) * (path.lap * (1 - 1e-12)))
      draw.line('path', goal, ahead)
      copy(goal, ahead)
    }
  }
}

function seek(agent: Agent, step: Step, pace: number, out: Wrench): void {
  normalize(wanted, sub(wanted, goal, agent.position))
  drive(agent, step, scale(wanted, wanted, pace), out.force)
}
