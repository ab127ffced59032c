import type { Agent, DebugDraw, Keeps, Step, Vec3, Vec3Like, Wish } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { brakeBefore } from './brake.js'
import type { Constraint } from './constraint.js'
import { Detours, redirect } from './detours.js'
import { Demands } from './demands.js'
import { servoGain, servoTime, topSpeed } from '../control/drive.js'
import { Heading } from './heading.js'
import { Memory } from '../control/memory.js'
import type { Outlook } from './outlook.js'
import { BRAKE_SHARE, brakingSpeed } from '../control/profile.js'
import { frame } from '../math/frame.js'
import {
  addScaled,
  copy,
  distance,
  dot,
  isZero,
  length,
  lengthSq,
  scale,
  set,
  sub,
  vec3,
} from '../math/vec3.js'

/** Slower wishes (share of a radius per second) have no direction: they hold still. */
const SLOW = 0.05

/** The surroundings within this angle (rad) of the wanted direction are looked at first, and then so many times as much. */
const FIRST_LOOK = 0.35
const WIDER = 2.2

/** The way to the goal is barred where less than this share of the speed towards it is left. */
const BARRED = 0.6

/** The YZ plane is drawn so many seconds ahead. */
const TRACE_TIME = 1.5

const ahead = vec3()
const from = vec3()
const side = vec3()
const outlook: { -readonly [K in keyof Outlook]: Outlook[K] } = {
  wanted: ahead,
  from,
  last: side,
  course: frame(),
  motion: side,
  speed: 0,
  reach: 0,
}
const normal = vec3()
const contact = vec3()
const kept = vec3()
const target = vec3()

/** What limits the velocity of one agent in one step, and the solution. One object serves any number of agents, one after the other. */
export class VelocityLimits extends Demands {
  /** The direction chosen in the agent's last step, then in this one, or zero. */
  readonly chosen: Vec3 = vec3()
  private readonly memory = new Memory(3)
  private readonly detours = new Detours()
  readonly keeps: Keeps = [this.memory, this.detours]
  private readonly heading = new Heading()
  private girth = 0
  private readonly allows = (direction: Vec3Like): boolean => this.program.allows(direction)
  /** Way (m) that is clear along the chosen direction, walls included. */
  private open = 0

  /**
   * As a plain behaviour: adds to `out` the force (N) that brings the present velocity within what one constraint allows; none when
   * it is.
   */
  obey(agent: Agent, step: Step, constraint: Constraint, out: Vec3): void {
    this.begin(agent, agent.velocity, null)
    constraint.constrain(agent, step, this)
    if (!this.solve(agent, step, kept)) return
    addScaled(out, out, sub(kept, kept, agent.velocity), servoGain(agent, step))
  }

  /** Starts anew with the velocity `wanted`, of which that was heard. */
  begin(agent: Agent, wanted: Vec3Like, heard: Readonly<Wish> | null): void {
    this.forget(agent, wanted, heard)
    const at = this.memory.at(agent)
    const { data } = this.memory
    set(this.chosen, data[at]!, data[at + 1]!, data[at + 2]!)
  }

  /**
   * Turns the velocity wanted to where the way to the goal is free: to the next waypoint, for an agent on a route round what bars the straight way;
   * and to the nearest free place, for one whose goal lies inside of an obstacle. To be called after `begin`, before constraints speak.
   */
  aim(agent: Agent, step: Step, isDrawn = false): void {
    const { detours, goal, map } = this
    this.girth = 2 * agent.radius
    if (!this.hasGoal || map.isEmpty) {
      if (!isDrawn) detours.forget(agent)
      return
    }
    copy(contact, goal)
    const isMoved = map.freePlace(goal, contact)
    const way = detours.follow(agent, step, map, goal, this.girth, target, isDrawn)
    if (way > 0) {
      const corner = detours.cornerSpeed(agent, target, goal, this.girth)
      redirect(agent, step, this.wanted, contact, target, way, corner)
      this.reach = distance(target, agent.position)
      this.hasGoal = false
    } else if (isMoved) {
      const off = distance(goal, agent.position)
      redirect(agent, step, this.wanted, contact, goal, off, 0)
      this.reach = Math.min(this.reach, off)
    }
  }

  atLeast(towards: Vec3Like, least: number, yields?: boolean): void {
    if (Number.isFinite(least)) this.program.add(towards, least, yields)
  }

  wall(obstacle: Obstacle, horizon: number, hull: number): void {
    this.bar(obstacle, horizon, hull, 0)
    this.bars[this.count - 1]!.slides = true
  }

  /**
   * Writes the velocity to have in one response time. True when it is not the one that is wanted; else `out` is `wanted`, and
   * no force has been spared for anything.
   */
  solve(agent: Agent, step: Step, out: Vec3): boolean {
    copy(out, this.wanted)
    const time = servoTime(agent, step)
    const power = agent.maxForce / agent.mass
    if (this.leaving) scale(out, this.exit, Math.min(this.exitPace, topSpeed(agent)))
    let changed = this.leaving || distance(this.wanted, this.asked) > 0
    if (this.leaving || this.count + this.scanning === 0) set(this.chosen, 0, 0, 0)
    else if (this.choose(agent, time, out)) changed = true
    const evading = isZero(this.chosen) ? null : this.chosen
    for (let i = 0; i < this.count; i++) {
      const bar = this.bars[i]!
      if (!bar.slides) brakeBefore(agent, bar, time, evading, this.open, this.leaving, this)
    }
    const at = this.memory.at(agent)
    const { data } = this.memory
    data[at] = this.chosen.x
    data[at + 1] = this.chosen.y
    data[at + 2] = this.chosen.z
    copy(this.planned, out)
    const limited = this.program.solve(out, out, agent.velocity, power * time)
    if (this.hasGoal && !this.leaving && dot(out, this.wanted) < BARRED * lengthSq(this.wanted))
      this.detours.search(agent, step, this.map, this.goal, this.girth, this.allows)
    return changed || limited
  }

  /** Draws the YZ plane on which the direction is chosen. To be called as `solve` is, with the same velocity wanted. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    copy(side, this.wanted)
    const speed = length(side)
    if (this.count + this.scanning === 0 || !(speed > SLOW * agent.radius)) return
    this.choose(agent, servoTime(agent, step), side)
    this.heading.trace(draw, from, Math.min(TRACE_TIME * speed, this.reach))
  }

  /** Turns `out` into the free direction, no faster than it can stop where that ends. */
  private choose(agent: Agent, time: number, out: Vec3): boolean {
    const { heading } = this
    const speed = length(out)
    if (!(speed > SLOW * agent.radius)) {
      set(this.chosen, 0, 0, 0)
      return false
    }
    scale(ahead, out, 1 / speed)
    const turned = this.search(agent, time, speed)
    const way = this.clear(heading.direction, speed, turned)
    this.open = way
    const { x, y, z } = heading.direction
    const brake = (BRAKE_SHARE * agent.forceAlong(-x, -y, -z)) / agent.mass
    const pace = Math.min(speed, brakingSpeed(way, brake, agent.damping, time))
    scale(out, heading.direction, pace)
    if (turned) copy(this.chosen, heading.direction)
    else set(this.chosen, 0, 0, 0)
    return turned || pace < speed
  }

  /** Looks at more and more of the surroundings, until no direction outside of them could be better than the best. Needs `ahead`. */
  private search(agent: Agent, time: number, speed: number): boolean {
    const { bars, heading } = this
    const first = this.count
    for (let angle = FIRST_LOOK; ; angle *= WIDER) {
      this.count = first
      this.scanAll(agent, ahead, angle)
      this.look(agent, time)
      outlook.course = agent.course
      outlook.motion = agent.velocity
      outlook.last = this.chosen
      outlook.speed = speed
      outlook.reach = this.reachFrom(agent)
      const turned = heading.choose(outlook, bars, this.count, this.program)
      if (this.scanning === 0 || heading.bound() <= angle || angle > Math.PI) return turned
    }
  }

  /** Looks at all bars from where the agent will be when it answers; from where it is, when something is in the way. */
  private look(agent: Agent, time: number): void {
    const { bars, count } = this
    const { position, velocity } = agent
    const lag = agent.speed * time
    let near = false
    addScaled(from, position, velocity, time)
    for (let i = 0; i < count; i++) {
      bars[i]!.look(from, position, lag)
      if (bars[i]!.gap < 0 && !bars[i]!.slides) near = true
    }
    if (!near) return
    copy(from, position)
    for (let i = 0; i < count; i++) bars[i]!.look(from, position, 0)
  }

  /**
   * The way (m) from `from` beyond which nothing is in the way. A bar in which the goal lies cannot be passed: it is approached, and held off by its
   * cap. (One in which the agent only passes through is passed like any other.) Needs `ahead`.
   */
  private reachFrom(agent: Agent): number {
    const { bars, count, goal, hasGoal, reach } = this
    if (!(reach < Infinity)) return Infinity
    for (let i = 0; i < count; i++) {
      const bar = bars[i]!
      if (hasGoal && bar.gap < reach) bar.holdsGoal = bar.obstacle.distance(goal, normal) < 0
    }
    return distance(addScaled(contact, agent.position, ahead, reach), from)
  }

  /** Way (m) until the hull touches something. A wall counts where it is no longer the wish that flies into it. */
  private clear(direction: Vec3Like, speed: number, walls: boolean): number {
    let way = Infinity
    for (let i = 0; i < this.count; i++) {
      const bar = this.bars[i]!
      if (walls || !bar.slides) way = Math.min(way, bar.clear(direction.x, direction.y, direction.z, speed))
    }
    return way
  }
}
