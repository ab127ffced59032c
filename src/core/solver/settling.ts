import type { Agent, Behavior, SnapshotState, Step, Vec3Like, Wish } from '../types.js'
import { Memory } from '../control/memory.js'
import { servoTime } from '../control/drive.js'
import { reportArrived } from '../control/wish.js'
import { neighborsOf } from '../control/neighbors-of.js'
import { isAmongOthers, isInTheWay, isSlow, NO_WAY_PLACES, NO_WAY_WIDTH, NoWay } from './no-way.js'
import { draw } from '../math/random.js'
import { distance, dot, isZero, length, load, save, sub, vec3 } from '../math/vec3.js'

/** An agent is held up where the constraints leave it less than this share of its wanted speed. */
const HELD_SHARE = 0.3

/** It stands where they leave it less than this share. */
const STAND_SHARE = 0.02

/**
 * An agent settles when it was held up, without coming nearer, for this time (s): it stands, or its place is
 * taken. Larger: it presses on for longer.
 */
export const PATIENCE = 3

/**
 * The same time (s) among others while its place is not taken: they may let it through. Larger: more agents
 * of a group reach places that just fit, and the group moves for longer.
 */
const HOPE = 60

/** Other parts steer an agent whose goal was not reported for this long (s): a dither reports it at times. */
const TAKEN_TIME = 0.5

/**
 * Time (s) in which one that is not held up any more forgets that it was, and its goal, which no part reports
 * while another one steers.
 */
const FORGET = 10

/**
 * One that swings to and fro, and comes no nearer for this time (s), is stuck. Larger: more of those that go
 * round something large, slowly at first, get round.
 */
const STUCK = 30

/** It is not held up while it changes its velocity by this share of what its force can do. */
const REACHED_SHARE = 0.9

/**
 * It is held up also where it swings to and fro: it has stayed within its radius while it wished to go this
 * number of radii.
 */
const TO_AND_FRO = 20

/** It comes nearer when it gains this share of its radius. */
const PROGRESS = 0.5

/**
 * An agent that was held up among others presses on: it gives up a share of its clearance, up to this one,
 * drawn anew for each `STRETCH`. The others find it too near, and make way. So agents at rest open for those
 * that must go on, and agents that lean on each other like the stones of an arch press unequally, and one
 * slips through. Larger: it comes through tighter groups, and nearer to the others.
 */
const MOST_PRESSURE = 0.8

/** Time (s) for which it gives up the same share. Larger: an arch opens later. */
const STRETCH = 2

/**
 * An agent within this number of radii of its goal does not press: others whose places are too close would
 * press back, without end.
 */
const AT_PLACE = 2

/** The time for which it was held up is forgotten at this rate. */
const RELIEF = 3

/** The way of a settled agent is free when the constraints leave it this share of its wanted speed. */
const FREE_SHARE = 0.5

/**
 * A settled agent goes on when its way is free for this time (s); once also when its place is, and others
 * that can make way are all that keeps it away. Larger: it goes on later, and seldom in vain.
 */
const FREE_TIME = 2

/**
 * That time doubles each time it settles anew, this number of times at most, and it hopes for half as long as
 * before: so a group stands at last.
 */
const MOST_DOUBLINGS = 3

/** In a sum of forces it swings where it stays within this number of radii: springs are soft. */
const SWING = 4

/** A goal that has moved by more than this share of the radius is a new goal. */
const GOAL_SHIFT = 0.1

/** Within this number of radii of a place that is taken it is held up, however fast it is pushed about. */
const NEAR = 6

/**
 * A place is taken by another agent within this share of the sum of the radii. Larger: it is given up sooner.
 */
const TAKEN_SHARE = 0.5

/** A place is free where no other is within this share of that sum. Larger: fewer settled agents go on. */
const FREE_RANGE = 0.8

/**
 * In a plane there is no place nearer to the goal where the goal is not free, and others fill this share of
 * the area of the circle around it up to the agent. Larger: a crowd presses together more.
 */
const FULL_AREA = 0.4

/** The same in space, of the volume of the ball. */
const FULL_VOLUME = 0.3

/**
 * For one that has come no nearer for this time (s), and one that has settled, these shares are smaller by
 * this part. Larger: a crowd around one point rests sooner, and more widely; more miss places that just fit.
 */
const TIRED = 6
const LOOSE = 0.25

/** A settled agent stands below this speed, in radii per second: that of `Arrive`. */
const STANDING = 0.1

const AS_NEAR_AS_IT_GETS = 'as near as it gets'

// what is around the agent and its goal, see `lookAround`
const ALONE = 0
const AMONG_OTHERS = 1
const FREE_PLACE = 2
const NO_PLACE = 3

// stored for each agent: its goal, the least distance to it (m), the share of its patience that is used up,
// for how long its way has been free (s), whether it has settled, how often it has, for how long it was held
// up among others (s), where it was last, how far it wished to go since then (m), for how long it has not
// come nearer (s); whether its goal was recalled, so that its wish is a sum; whether it was told that it has
// settled; for how long its goal was not reported (s); and the numbers of its `NoWay`, beside them in the
// cache of the processor
const GOAL = 0
const NEAREST = 3
const HELD = 4
const FREE = 5
const SETTLED = 6
const TIMES = 7
const PRESSED = 8
const PLACE = 9
const WISHED = 12
const STALLED = 13
const IS_SUM = 14
const TOLD = 15
const UNREPORTED = 16
const NO_WAY = 17

/** Numbers of a `Settling` for each agent, and which of them are places. */
export const SETTLING_WIDTH = NO_WAY + NO_WAY_WIDTH
export const SETTLING_PLACES: readonly number[] = [GOAL, PLACE, ...NO_WAY_PLACES.map((k) => NO_WAY + k)]

const goal = vec3()

/** What is to be known of a solution: of a `VelocitySolver`, or of a sum. */
interface Solution {
  /** What the agent wishes (m/s), and what of it leads to the same goal around obstacles. */
  readonly wishVelocity: Vec3Like
  readonly wantedVelocity: Vec3Like
  /** Whether it goes by a route. */
  readonly isOnWay: boolean
  /** Whether the goal is the place nearest to that of the wish, where the agent does not fit. */
  readonly isMoved: boolean
  /** Whether obstacles keep it from its goal (m). */
  isBlocked(agent: Agent, goal: Vec3Like): boolean
}

/** That of a wish (live) where no obstacles are known, which could leave no way. */
export const openSolution = (wanted: Vec3Like, wished = wanted): Solution => ({
  wantedVelocity: wanted,
  wishVelocity: wished,
  isOnWay: true,
  isMoved: false,
  isBlocked: () => false,
})

/**
 * Finds the agents that are as near to their goal as they get: the goal is at rest, and other agents,
 * obstacles or bounds keep them from it. They come to rest where they are, until the way is free or the goal
 * is elsewhere. The behaviour whose goal it is then emits `arrive`, with a reason, and `leave` when the agent
 * goes on.
 */
export class Settling {
  private readonly noWay: NoWay
  /** The behaviours that have emitted `arrive`, by slot. After a restore the next goal says it. */
  private readonly owners: (Behavior | null)[] = []
  readonly state: SnapshotState
  private readonly patience: number
  private readonly memory: Memory
  /** Where its numbers begin in those of `memory`. */
  private readonly first: number

  /**
   * `patience` (s): of a sum of forces, in which no agent makes way, and which does not settle without
   * neighbours; 0: of a combination with constraints, whose `memory` has room for its numbers from `first`
   * on.
   */
  constructor(patience: number, memory?: Memory, first = 0) {
    this.patience = patience
    this.memory = memory ?? new Memory(SETTLING_WIDTH, SETTLING_PLACES)
    this.first = first
    this.noWay = new NoWay(this.memory, first + NO_WAY)
    this.state = [this.memory]
  }

  /** Whether the agent has settled. */
  has(agent: Agent): boolean {
    const { first, memory } = this
    return memory.data[memory.at(agent) + first + SETTLED] === 1
  }

  /**
   * Share of its clearance from other agents that the agent gives up at present, to press on. None on a line,
   * where neither can make way.
   */
  pressure(agent: Agent): number {
    const offset = this.memory.at(agent) + this.first
    const { data } = this.memory
    if (data[offset + SETTLED] === 1 || !isZero(agent.axis)) return 0
    const stretch = Math.floor(data[offset + PRESSED]! / STRETCH)
    return stretch > 0 ? MOST_PRESSURE * draw(agent.seed, stretch) : 0
  }

  /**
   * Called before `update`, as the parts of a combination may not report the goal in each step: writes the
   * last one into `wish`, for `PATIENCE`, or within constraints for `FORGET`. Returns whether there is one,
   * or was. Constraints recall none where another one is reported, nor for an agent that has settled: then
   * all parts that go somewhere are asked.
   */
  recall(agent: Agent, { dt }: Step, wish: Wish): boolean {
    const offset = this.memory.at(agent) + this.first
    const { data } = this.memory
    data[offset + UNREPORTED] = wish.rests ? 0 : data[offset + UNREPORTED]! + dt
    if (wish.rests || data[offset + NEAREST] === 0) return wish.rests
    const isElsewhere = wish.goalDistance < Infinity || data[offset + SETTLED] === 1
    if (this.patience === 0 && isElsewhere) return false
    load(wish.goal, data, offset + GOAL)
    wish.goalDistance = distance(agent.position, wish.goal)
    wish.rests = data[offset + UNREPORTED]! < (this.patience === 0 ? FORGET : PATIENCE)
    data[offset + IS_SUM] = 1
    return true
  }

  /**
   * Called in each step with the wish, the solver after its solution, and `left`, the velocity (m/s) that the
   * constraints leave. Returns whether the agent has settled.
   */
  update(agent: Agent, step: Step, wish: Readonly<Wish>, solver: Solution, left: Vec3Like): boolean {
    const offset = this.memory.at(agent) + this.first
    const { data } = this.memory
    const isSettled = this.settles(offset, agent, step, wish, solver, left)
    const told = data[offset + TOLD] === 1
    if (!told && isSettled) data[offset + TOLD] = this.tell(agent, step, wish) ? 1 : 0
    else if (isSettled) reportArrived(agent)
    else if (told) {
      data[offset + TOLD] = 0
      const owner = this.owners[agent.slot] ?? wish.goalOf
      if (owner !== null && !wish.arrived) step.emit(agent, 'leave', owner)
      this.owners[agent.slot] = null
    }
    return isSettled
  }

  /** Emits that the agent has settled, once it stands. False if that is not to be told, or not yet. */
  private tell(agent: Agent, step: Step, { arrived, goalOf }: Readonly<Wish>): boolean {
    // what has arrived, and what an outer or an inner combination tells, is not told again
    if (arrived || agent.wish?.settled === true) return false
    if (!(agent.speed <= STANDING * agent.radius) || goalOf === null) return false
    this.owners[agent.slot] = goalOf
    step.emit(agent, 'arrive', goalOf, '', AS_NEAR_AS_IT_GETS)
    reportArrived(agent)
    return true
  }

  private settles(
    offset: number,
    agent: Agent,
    step: Step,
    wish: Readonly<Wish>,
    solver: Solution,
    left: Vec3Like,
  ): boolean {
    const { data } = this.memory
    const { wantedVelocity: wanted, wishVelocity: wished } = solver
    if (!wish.rests || wish.isManual) {
      data[offset + NEAREST] = data[offset + SETTLED] = 0
      return false
    }
    const { radius } = agent
    const goalDistance = distance(agent.position, wish.goal)
    const isNew =
      data[offset + NEAREST] === 0 ||
      !(distance(load(goal, data, offset + GOAL), wish.goal) <= GOAL_SHIFT * radius)
    if (isNew) {
      data.fill(0, offset, offset + TOLD)
      this.noWay.forget(agent)
      save(wish.goal, data, offset + GOAL)
      save(agent.position, data, offset + PLACE)
      data[offset + NEAREST] = Infinity
    }
    // what it wishes within constraints may be a sum as well
    const isInner = this.patience === 0 && data[offset + IS_SUM] === 1
    const patience = isInner ? PATIENCE : this.patience
    const isSum = patience > 0
    const { dt } = step
    const speed = length(wished)
    // the change of velocity that its force can make
    const reach = (agent.maxForce / agent.mass) * servoTime(agent, step)
    if (data[offset + SETTLED] === 1) {
      const way = isInner ? sub(goal, wish.goal, agent.position) : wanted
      const ahead = length(way)
      const isFree = this.noWay.isKnown(agent)
        ? this.noWay.isOutdated(agent, step, wish.map) || !solver.isBlocked(agent, wish.goal)
        : !isBefore(wish, solver, goalDistance - NEAR * radius) &&
          ((ahead > 0 &&
            dot(left, way) >= Math.min(FREE_SHARE * speed, REACHED_SHARE * reach) * ahead &&
            // one that was pushed far away goes back
            (goalDistance > data[offset + NEAREST]! + 2 * NEAR * radius ||
              lookAround(agent, wish.goal, goalDistance, TIRED) !== NO_PLACE)) ||
            (!isSum &&
              data[offset + TIMES] === 1 &&
              lookAround(agent, wish.goal, goalDistance, TIRED) === FREE_PLACE))
      data[offset + FREE] = isFree ? data[offset + FREE]! + dt : 0
      if (data[offset + FREE]! < FREE_TIME * 2 ** (data[offset + TIMES]! - 1)) return true
      data[offset + SETTLED] = data[offset + FREE] = data[offset + WISHED] = 0
      this.noWay.forget(agent)
      data[offset + HELD] = 1 - 2 ** -data[offset + TIMES]!
      data[offset + NEAREST] = goalDistance
      return false
    }
    data[offset + STALLED]! += dt
    if (goalDistance < data[offset + NEAREST]! - PROGRESS * radius) {
      data[offset + NEAREST] = goalDistance
      data[offset + HELD] = data[offset + STALLED] = 0
    }
    const rest = length(left)
    data[offset + WISHED]! += speed * dt
    if (distance(load(goal, data, offset + PLACE), agent.position) > (isSum ? SWING : 1) * radius) {
      save(agent.position, data, offset + PLACE)
      data[offset + WISHED] = 0
    }
    const stands = rest < HELD_SHARE * speed && distance(left, agent.velocity) < REACHED_SHARE * reach
    const swings = data[offset + WISHED]! > TO_AND_FRO * radius
    const looks = stands || swings || goalDistance < NEAR * radius
    if (isSum) {
      const isTaken = data[offset + UNREPORTED]! > TAKEN_TIME
      const isHeld =
        // one that goes on meets the others again
        (isTaken && data[offset + TIMES]! > 0) ||
        wish.arrived ||
        swings ||
        rest < HELD_SHARE * speed ||
        data[offset + STALLED]! > 2 * patience
      data[offset + PRESSED] = 0
      const isOver = this.hold(offset, isHeld && neighborsOf(agent).count > 0 ? dt / patience : 0, dt)
      // the next step tells whether it flees: then its goal is not reported although others are passed over
      return isOver && !isTaken
    }
    const stalled = data[offset + STALLED]!
    const around =
      stalled > PATIENCE && isSlow(agent) && isBefore(wish, solver, goalDistance - NEAR * radius)
        ? NO_PLACE
        : looks
          ? lookAround(agent, wish.goal, goalDistance, Math.min(stalled, TIRED) | 0)
          : ALONE
    const isStuck = swings && stalled > STUCK
    // before one that never makes way it goes round, however slowly
    const isHeld = stands || (swings && around !== ALONE) || isStuck
    const isOver =
      around === NO_PLACE || (isHeld && around === ALONE && (isStuck || rest < STAND_SHARE * speed))
    const presses = isHeld && !isOver && around !== ALONE && goalDistance > AT_PLACE * radius
    data[offset + PRESSED] = Math.max(0, data[offset + PRESSED]! + (presses ? dt : -RELIEF * dt))
    const { noWay } = this
    const away = wish.goalDistance
    const seesNoWay =
      !solver.isOnWay &&
      (noWay.update(agent, step, away) || noWay.isClosed(agent, step, wish.map, wish.goal, away))
    if ((seesNoWay || isStuck) && isKeptOff(agent, wish, solver)) {
      this.noWay.note(agent, wish.map)
      return this.hold(offset, 1, dt)
    }
    return this.hold(offset, isHeld || isOver ? dt / (isOver ? PATIENCE : HOPE) : 0, dt)
  }

  /** Adds to the share of its patience that is used up. Returns whether the agent settles. */
  private hold(offset: number, share: number, dt: number): boolean {
    const { data } = this.memory
    data[offset + HELD] = Math.max(0, data[offset + HELD]! + (share > 0 ? share : -dt / FORGET))
    if (data[offset + HELD]! < 1) return false
    data[offset + SETTLED] = 1
    data[offset + TIMES] = Math.min(MOST_DOUBLINGS + 1, data[offset + TIMES]! + 1)
    return true
  }
}

/** Whether obstacles at rest are between it and its goal, and no others that can make way around it. */
function isKeptOff(agent: Agent, { goal: place }: Readonly<Wish>, solver: Solution): boolean {
  return solver.isBlocked(agent, place) && !isAmongOthers(agent)
}

/**
 * Whether the agent does not fit at its goal, and the nearest place is farther from that than `away` (m);
 * where this place is its goal, `away` is what is left to it.
 */
function isBefore({ goal: place, map }: Readonly<Wish>, { isMoved }: Solution, away: number): boolean {
  return isMoved ? away < 0 : map !== null && map.contains(place) && map.distanceToFree(place) > away
}

/**
 * NO_PLACE: others are at `place` (m), or fill the ball around it whose radius is the distance `own` (m), for
 * one that is `tired` (whole seconds up to TIRED, which are not boxed).
 * AMONG_OTHERS: others that can make way are close to the agent; FREE_PLACE: and none is at the place.
 */
function lookAround(agent: Agent, place: Vec3Like, own: number, tired: number): number {
  const neighbors = neighborsOf(agent)
  const { count, distanceSq, maxRadius, position, row } = neighbors
  const isPlanar = !isZero(agent.plane)
  const range = 2 * (own + agent.radius + maxRadius)
  let filled = 0
  let isFree = true
  let isAmong = false
  for (let i = 0; i < count; i++) {
    // one that is farther away is neither in the way nor at the place
    if (distanceSq[i]! > range * range) continue
    const r = row[i]!
    const x = position[3 * r]! - place.x
    const y = position[3 * r + 1]! - place.y
    const z = position[3 * r + 2]! - place.z
    const d = Math.sqrt(x * x + y * y + z * z)
    const radius = neighbors.radius(r)
    const sum = agent.radius + radius
    if (d < own && d < TAKEN_SHARE * sum) return NO_PLACE
    if (d < FREE_RANGE * sum) isFree = false
    if (isInTheWay(agent, neighbors, i)) isAmong = true
    const depth = own + radius - d
    if (!(depth > 0)) continue
    const size = radius / own
    const share = Math.min(1, depth / (2 * Math.min(radius, own)))
    filled += share * size * size * (isPlanar ? 1 : size)
  }
  const full = (isPlanar ? FULL_AREA : FULL_VOLUME) * (1 - (LOOSE * tired) / TIRED)
  if (!isFree && filled >= full) return NO_PLACE
  return isAmong ? (isFree ? FREE_PLACE : AMONG_OTHERS) : ALONE
}
