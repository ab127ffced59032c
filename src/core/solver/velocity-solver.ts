import type { Agent, RollingVehicle, SnapshotState, Step, Vec3, Vec3Like, Wish } from '../types.js'
import { isLocked, moveToLock, movablePart } from '../control/lock.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import { brakeBefore } from './brake.js'
import type { Constraint } from './constraint.js'
import { Detours, redirect } from './detours.js'
import { ConstraintSet } from './constraint-set.js'
import { servoGain, servoTime, topSpeed } from '../control/drive.js'
import { DirectionSearch, NEAR_SHARE, type SearchContext } from './direction-search.js'
import { Memory } from '../control/memory.js'
import { isRolling, makeWish } from '../control/wish.js'
import { Settling, SETTLING_PLACES, SETTLING_WIDTH } from './settling.js'
import type { Footing } from './footing.js'
import type { ObstacleMap } from '../obstacles/obstacle-map.js'
import { type ObstacleView, USED_CLEARANCE } from './obstacle-view.js'
import { BRAKE_SHARE, brakingSpeed } from '../control/profile.js'
import { makePush, pushAlong } from '../control/push.js'
import { frame } from '../math/frame.js'
import {
  add,
  addScaled,
  copy,
  distance,
  dot,
  isZero,
  length,
  lengthSq,
  load,
  save,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../math/vec3.js'

// The numbers below are chosen by hand unless they say otherwise.

/** Wanted speeds below this (in radii per second) have no direction: the agent stops. */
const SLOW_SHARE = 0.05

/**
 * One that turns to push counts on this many turns before it brakes: there, back, and from one surface to the
 * next. Measured: with 1 or 3 more of them hit corners of rooms.
 */
const TURNS_TO_STOP = 5

/** The surroundings within this angle (rad) of the wanted direction are searched first. */
const FIRST_ANGLE = 0.35
/** Where that is not enough, the angle grows by this factor. Larger: fewer searches, of more. */
const ANGLE_GROWTH = 2.2

/**
 * A chosen direction is kept for this time (s), half of the usual response time, before it is searched anew.
 * Larger: less work, and a later answer.
 */
const KEPT_TIME = 0.05
/** It is not kept when the wanted direction has turned by more than this angle (rad). */
const KEPT_TURN = 0.05
/** Nor when it would violate half-spaces by more than this share of the speed. */
const KEPT_SLACK = 0.05
/** A change that the engines cannot give is cut so often. Larger: nearer to what they can give. */
const SHED_ROUNDS = 4

/** The path to the goal counts as blocked if less than this share of the speed towards it is left. */
const BARRED_SHARE = 0.6

/**
 * A half-space whose normal has less than this share in the plane or along the axis of the agent is left out:
 * the agent moves along its boundary.
 */
const MIN_SHARE = 0.05

/**
 * The input of a player stops before a surface whose direction has the first cosine with it, and slides along
 * it from the second one on: so rounding, or a centimetre off the middle of a ball, never becomes a slide.
 */
const SLIDES = [0.1, 0.3] as const
/** The same for a car that gets no direction but ahead or astern: it slides within 20° and 11° only. */
const GLANCES = [0.94, 0.98] as const

/** Tangents of the ball of speeds that are tried, and the share of the full speed that is no more. */
const SPEED_CUTS = 4
const MOST_SPEED = 1.001

const push = makePush()
const turned = vec3()
const normal = vec3()
const contact = vec3()
const place = vec3()
const allowed = vec3()
const target = vec3()
const input = vec3()
const slide = vec3()
const NONE: readonly Constraint[] = []
const STILL = vec3()

// stored for each agent, all that is read in each step in one row: the direction chosen last; when it was
// searched (s), and the wanted direction at that time; whether it has searched a route, and how it settles
const CHOSEN = 0
const SEARCHED = 3
const SOUGHT = 4
const ROUTED = 7
const SETTLING = 8
const PLACES = SETTLING_PLACES.map((k) => SETTLING + k)

/** What a solver remembers of each agent, for one combination or one constraint. */
export class SolverMemory {
  readonly numbers: Memory = new Memory(SETTLING + SETTLING_WIDTH, PLACES)
  readonly detours: Detours = new Detours()
  readonly settling: Settling = new Settling(0, this.numbers, SETTLING)
  readonly state: SnapshotState = [this.numbers, this.detours]
  /** Whether the constraint is used as a plain behaviour at present. */
  isAlone = false

  /**
   * For a constraint that is used as a plain behaviour: adds to `out` the force (N) that changes the present
   * velocity to one that the constraint allows; no force if it is allowed already.
   */
  obey(agent: Agent, step: Step, constraint: Constraint, out: Vec3): void {
    const solver = lendSolver(this)
    this.isAlone = true
    try {
      solver.survey(agent, step, NONE)
      solver.begin(agent, step, agent.velocity, null)
      constraint.constrain(agent, step, solver)
      if (solver.solve(agent, step, allowed))
        addScaled(out, out, sub(allowed, allowed, agent.velocity), servoGain(agent, step))
    } finally {
      this.isAlone = false
      returnSolver()
    }
  }
}

const solvers: VelocitySolver[] = []
let lent = 0

/**
 * Lends a solver until `returnSolver`, which must be called also after an error. All agents use the same one,
 * so that it stays in the cache of the processor; a combination inside a wish gets the next one.
 */
export function lendSolver(memory: SolverMemory): VelocitySolver {
  const solver = (solvers[lent++] ??= new VelocitySolver())
  solver.memory = memory
  return solver
}

export function returnSolver(): void {
  lent--
}

/**
 * Collects the demands on the velocity of one agent in one step, and finds the velocity that meets them. One
 * object serves any number of agents, one after the other.
 */
export class VelocitySolver extends ConstraintSet {
  /** The direction chosen in the last step, then the one of this step; zero if none was chosen. */
  readonly chosen: Vec3 = vec3()
  memory = new SolverMemory()
  /** Receives the wish of the present agent, see `Within`. */
  readonly collectedWish: Wish = makeWish()
  /**
   * Of the input of a player: the velocity (m/s) that counts as standing still, and the one that the servo
   * must be given to stand still after this step.
   */
  private readonly rest: Vec3 = vec3()
  private readonly stop: Vec3 = vec3()
  private readonly directionSearch = new DirectionSearch()
  /** The wanted direction (unit), and the places (m) where the agent is, and from where it has turned. */
  private readonly ahead: Vec3 = vec3()
  private readonly here: Vec3 = vec3()
  readonly from: Vec3 = vec3()
  private readonly context: { -readonly [K in keyof SearchContext]: SearchContext[K] } = {
    wantedDirection: this.ahead,
    from: this.from,
    lastDirection: this.chosen,
    course: frame(),
    velocity: this.here,
    speed: 0.5,
    goalDistance: 0.5,
    normal: this.lock.plane,
    findBlocker: null,
  }
  private hullDiameter = 0
  /** Whether the present agent may be on a route. */
  private isRouted = false
  private readonly isFreeAlong = (direction: Vec3Like): boolean => this.program.allows(direction)
  /** Adds the first of many obstacles within `limit` (m) of `from` along the unit direction, or null. */
  private readonly findBlocker = (direction: Vec3Like, limit: number): ObstacleView | null => {
    const { many, program } = this
    const { hit } = many
    hit.distance = limit
    if (!many.sweep(this.from, direction, 1, USED_CLEARANCE, NEAR_SHARE)) return null
    const { clearance, footing, horizon, hull, owner } = many.layerOfHit!
    const before = program.owner
    program.owner = owner
    this.addObstacle(hit.obstacle!, horizon, hull, clearance, footing)
    program.owner = before
    const view = this.views[this.viewCount - 1]!
    view.update(this.from, this.here, this.flight)
    view.holdsGoal = this.holdsGoal(view)
    return view
  }

  /** Whether it steps aside of what comes, see `letPass`. */
  letsPass = false
  /** Whether the agent has settled, see `Settling`. */
  isSettled = false
  /** Whether the agent does not fit at the goal point of the wish, and `goal` is the nearest place. */
  isMoved = false
  /** Whether the agent is on a route, or a vehicle on a way of its own, past the obstacles at rest. */
  isOnWay = false

  /** Starts with the wanted velocity `wanted` (m/s) and the wish that it comes from. */
  begin(agent: Agent, step: Step, wanted: Vec3Like, wish: Readonly<Wish> | null): void {
    this.reset(agent, wanted, wish)
    this.isOnWay = false
    this.isManual = wish?.isManual === true
    if (this.isManual) {
      copy(this.rest, wish!.rest)
      // a vehicle that rolls brakes by itself, and would take a velocity astern for a change of gear
      const sharpness = isRolling(agent) ? 1 : servoTime(agent, step) / step.dt
      scale(this.stop, sub(this.stop, this.rest, agent.velocity), sharpness)
      add(this.stop, this.stop, agent.velocity)
      this.hasGoal = false
      this.goalDistance = Infinity
    }
    const { numbers } = this.memory
    const offset = numbers.at(agent)
    load(this.chosen, numbers.data, offset + CHOSEN)
    this.isRouted = numbers.data[offset + ROUTED] === 1
  }

  /**
   * Redirects the wanted velocity to a free path: to the next waypoint for an agent on a route around
   * obstacles, and to the nearest free point if the goal lies inside an obstacle. Called after `begin`,
   * before the constraints add demands.
   */
  aim(agent: Agent, step: Step, isDrawn = false): void {
    const { bounds, goal, map } = this
    const { detours } = this.memory
    const diameter = (this.hullDiameter = 2 * agent.radius)
    const known = this.hasGoal ? goal : null
    this.isMoved = false
    if (this.isRouted) map.isTight = this.many.isTight = detours.isTight(agent, step, map, known, isDrawn)
    if (!this.hasGoal || (map.isEmpty && (bounds.isEmpty || !this.rests))) {
      if (this.isRouted && !isDrawn) this.leaveRoute(agent)
      return
    }
    copy(contact, goal)
    let isMoved = this.rests && this.moveInto(bounds)
    if (this.moveInto(map)) isMoved = true
    this.isMoved = isMoved && this.hasGoalPoint
    const routeLength = this.isRouted ? detours.follow(agent, step, map, goal, diameter, target, isDrawn) : 0
    this.isOnWay = routeLength > 0
    if (this.isRouted && !this.isOnWay && !isDrawn) this.leaveRoute(agent)
    if (this.isOnWay) {
      const corner = detours.cornerSpeed(agent, target, goal, diameter)
      redirect(agent, step, this.wantedVelocity, contact, target, routeLength, corner)
      this.goalDistance = distance(target, agent.position)
      this.hasGoal = false
    } else if (isMoved) {
      const goalDistance = distance(goal, agent.position)
      redirect(agent, step, this.wantedVelocity, contact, goal, goalDistance, 0)
      this.goalDistance = Math.min(this.goalDistance, goalDistance)
    }
  }

  /** Gives up the route. What stores it is then not read in each step. */
  private leaveRoute(agent: Agent): void {
    const { detours, numbers } = this.memory
    detours.forget(agent)
    if (!this.map.isTight) numbers.data[numbers.at(agent) + ROUTED] = 0
  }

  /** Moves the goal to the nearest place that `map` leaves free, if the agent may get there. */
  private moveInto(map: ObstacleMap): boolean {
    const { goal, lock } = this
    copy(place, goal)
    if (!map.freePlace(goal, place)) return false
    if (!isLocked(lock)) return true
    moveToLock(goal, place, lock)
    if (map.distanceToFree(goal) === 0) return true
    copy(goal, place)
    return false
  }

  addHalfSpace(towards: Vec3Like, least: number, yields?: boolean): void {
    if (!Number.isFinite(least)) return
    if (!isLocked(this.lock)) return this.addToProgram(towards, least, yields)
    // the velocities of the agent that the half-space allows
    const share = length(movablePart(normal, towards, this.lock))
    if (share > MIN_SHARE) this.addToProgram(scale(normal, normal, 1 / share), least / share, yields)
  }

  /** Adds a half-space. One that a player violates makes it stand still at most, and does not push it. */
  private addToProgram(towards: Vec3Like, least: number, yields: boolean | undefined): void {
    const { rest, stop } = this
    const most = this.isManual ? Math.max(dot(rest, towards), dot(stop, towards)) : Infinity
    this.program.add(towards, Math.min(least, most), yields)
  }

  addWall(obstacle: Obstacle, horizon: number, hull: number, footing?: Footing): void {
    this.addObstacle(obstacle, horizon, hull, 0, footing)
    this.views[this.viewCount - 1]!.isWall = true
  }

  /**
   * Writes the velocity (m/s) to reach within one response time. True if a route, an exit, a direction or a
   * half-space changed it; false if it is the wanted one, at most cut to what the force can reach.
   */
  solve(agent: Agent, step: Step, out: Vec3): boolean {
    copy(out, this.wantedVelocity)
    const time = (this.time = servoTime(agent, step))
    const vehicle = agent.wish?.vehicle ?? null
    const force = vehicle === null ? agent.maxForce : this.rollingForce(agent)
    const maxAcceleration = force / agent.mass
    if (this.isExiting) scale(out, this.exit, Math.min(this.exitSpeed, topSpeed(agent)))
    let isChanged = this.isExiting || !isZero(sub(normal, this.wantedVelocity, this.wishVelocity))
    const isBound = this.isExiting || this.isManual
    const { numbers } = this.memory
    const at = numbers.at(agent)
    if (this.isAtEdge) vehicle?.hold(agent)
    const isLed = vehicle !== null && !isBound && this.leads(agent, step, vehicle, out)
    if (isLed) this.isOnWay = true
    if (isBound || isLed || this.viewCount + this.scannerCount === 0) set(this.chosen, 0, 0, 0)
    else if (vehicle === null && this.keepDirection(agent, step, out)) isChanged = true
    else {
      if (this.chooseDirection(agent, out)) isChanged = true
      numbers.data[at + SEARCHED] = step.time
      save(this.ahead, numbers.data, at + SOUGHT)
    }
    const evading = isZero(this.chosen) ? null : this.chosen
    copy(this.plannedVelocity, out)
    this.letsPass = false
    brakeBefore(agent, this.views, this.viewCount, evading, this)
    save(this.chosen, numbers.data, at + CHOSEN)
    // the vehicle of a player turns to where the wish may lead, not to the wish
    const isGeared = vehicle !== null && this.pathAim !== 0
    const slides = isGeared ? GLANCES : SLIDES
    if (this.isManual && this.slow(agent, out, slides)) isChanged = true
    if (vehicle !== null) {
      vehicle.maneuver(
        agent,
        step,
        out,
        this.hasGoal ? this.goal : null,
        this.pathAim,
        this.map.isEmpty || (this.isManual && (isGeared || dot(out, agent.attitude.x) >= 0))
          ? null
          : this.map,
        this,
      )
      if (this.isManual) this.slow(agent, out, slides)
    }
    copy(this.plannedVelocity, out)
    // a maneuver is reachable
    const reach = vehicle === null ? 0 : distance(out, agent.velocity)
    const isLimited = this.program.solve(out, out, agent.velocity, Math.max(reach, maxAcceleration * time))
    // one that cannot stop turns to where the demands lead: the nearest that it reaches may be rest
    const isHeld = this.program.violation > 0 && length(out) < agent.speed / 2
    if (isHeld && (agent.minSpeed ?? 0) > 0) {
      this.program.restore()
      const top = topSpeed(agent)
      this.program.solve(out, this.plannedVelocity, agent.velocity, agent.speed + top)
      truncate(out, out, top)
    } else if (vehicle === null) this.shed(agent, out)
    if (this.letsPass) this.slowDown(agent, out, maxAcceleration * time)
    if (
      this.hasGoal &&
      !this.map.isEmpty &&
      !isLed &&
      !this.isExiting &&
      isZero(this.lock.axis) &&
      isBarred(out, this.wantedVelocity)
    ) {
      numbers.data[at + ROUTED] = 1
      this.memory.detours.search(
        agent,
        step,
        this.map,
        this.goal,
        this.hullDiameter,
        this.lock.plane,
        this.isFreeAlong,
        this.isSettled,
      )
    }
    return isChanged || isLimited || vehicle !== null
  }

  /** Whether obstacles at rest are between the agent and its goal (m), and it knows no way past them. */
  isBlocked({ position }: Agent, goal: Vec3Like): boolean {
    return (
      !this.isOnWay && !this.map.isEmpty && !this.map.isPathFree(position, this.hasGoal ? this.goal : goal)
    )
  }

  /** Writes the velocity (m/s) nearest to rest that the demands of the last `solve` allow. */
  settle(agent: Agent, out: Vec3): void {
    this.program.solve(out, STILL, agent.velocity, (agent.maxForce / agent.mass) * this.time)
  }

  /**
   * Leaves out of `out` (m/s) what a vehicle with unequal engines cannot give besides what the demands ask of
   * it: each engine gives what it can, and the change along the surface would take the brake's place.
   */
  private shed(agent: Agent, out: Vec3): void {
    const speed = length(agent.velocity)
    if (!(speed > 0) || !(this.program.violationAt(scale(normal, agent.velocity, 1 / speed), speed) > 0))
      return
    for (let i = 0; i < SHED_ROUNDS; i++) {
      sub(normal, out, agent.velocity)
      const change = length(normal)
      scale(normal, normal, 1 / change)
      const { force } = pushAlong(push, agent, normal.x, normal.y, normal.z)
      const most = (force / agent.mass) * this.time
      if (!(change > most && most > 0)) return
      this.program.restore()
      this.program.solve(out, this.plannedVelocity, agent.velocity, most)
    }
  }

  /** Whether a vehicle that rolls is on a way of its own, on which nothing at rest is in its way. */
  private leads(agent: Agent, step: Step, vehicle: RollingVehicle, velocity: Vec3Like): boolean {
    const { goal, goalDistance, hasGoal, isAtEdge, map, pathAim } = this
    if (pathAim !== 0) {
      // nor is one on its path, while that is free
      const range = Math.min(Math.abs(pathAim), goalDistance)
      addScaled(target, agent.position, velocity, range / Math.max(length(velocity), 1e-9))
      return !map.isEmpty && map.isPathFree(agent.position, target, 0)
    }
    const knowsWay = !isAtEdge && !map.isEmpty
    return vehicle.leads(agent, step, velocity, hasGoal && !isAtEdge ? goal : null, knowsWay ? map : null)
  }

  /**
   * Slows the input of a player, `out` (m/s), to what the half-spaces allow along its direction, and adds the
   * slide along the surfaces, as far as the input points along it. True if that changed it.
   */
  private slow(agent: Agent, out: Vec3, slides: readonly [number, number]): boolean {
    const { program, rest, stop } = this
    const { velocity } = agent
    const way = Math.max(distance(out, velocity), distance(rest, velocity))
    if (!program.solve(allowed, out, velocity, 2 * way)) return false
    sub(input, out, rest)
    const sq = lengthSq(input)
    // at most it brakes as hard as it must to stand still after this step
    const least = sq > 0 ? Math.min(0, dot(sub(slide, stop, rest), input) / sq) : 0
    addScaled(out, rest, input, Math.max(least, program.shareOf(rest, input)))
    sub(slide, allowed, out)
    const cosine = dot(slide, input) / Math.sqrt(lengthSq(slide) * sq)
    const share = (cosine - slides[0]) / (slides[1] - slides[0])
    if (share >= 1) copy(out, allowed)
    else if (share > 0) addScaled(out, out, slide, share)
    return true
  }

  /**
   * Turns a velocity that meets the demands at more than full speed, `out` (m/s), to one that meets them at
   * full speed: cuts off what is faster in its direction, again and again.
   */
  private slowDown(agent: Agent, out: Vec3, reach: number): void {
    const top = topSpeed(agent)
    if (agent.speed > MOST_SPEED * top) return
    for (let i = 0; i < SPEED_CUTS && length(out) > MOST_SPEED * top; i++) {
      this.program.add(scale(normal, out, -1 / length(out)), -top)
      this.program.solve(out, this.plannedVelocity, agent.velocity, reach)
    }
  }

  /** Whether the demands allow a velocity (m/s). At an edge only a player backs up for a turn. */
  allows(velocity: Vec3Like): boolean {
    return (this.isAtEdge && !this.isManual) || this.program.shareOf(STILL, velocity) === 1
  }

  /** Greatest force (N) of a vehicle that rolls: its tyres may give more to the side than its engine. */
  private rollingForce(agent: Agent): number {
    const { x, y, z } = agent.attitude.z
    return Math.max(agent.maxForce, agent.forceAlong(x, y, z))
  }

  /** Chooses the direction, for a drawing, as `solve` would. Null where there is nothing to choose. */
  search(agent: Agent, step: Step): DirectionSearch | null {
    copy(turned, this.wantedVelocity)
    const isIdle = this.viewCount + this.scannerCount === 0 || !(length(turned) > SLOW_SHARE * agent.radius)
    if (isIdle) return null
    this.time = servoTime(agent, step)
    this.chooseDirection(agent, turned)
    return this.directionSearch
  }

  /** Turns `out` to the direction chosen a moment ago, if it still leads on at full speed. */
  private keepDirection(agent: Agent, { dt, time }: Step, out: Vec3): boolean {
    const { ahead, chosen, flight, memory } = this
    const { data } = memory.numbers
    const at = memory.numbers.at(agent)
    const age = time - data[at + SEARCHED]!
    // a quarter of a step, because of rounding
    if (this.isOnWay || isZero(chosen) || !(age > 0 && age + dt / 4 < KEPT_TIME) || !isZero(this.lock.axis))
      return false
    const speed = (flight.speed = length(out))
    if (!(speed > SLOW_SHARE * agent.radius)) return false
    scale(ahead, out, 1 / speed)
    if (!(dot(ahead, load(target, data, at + SOUGHT)) > Math.cos(KEPT_TURN))) return false
    const first = this.viewCount
    this.scan(agent, chosen, 0)
    this.stepAhead(agent)
    this.limitSpeed(agent, chosen, true)
    if (!(flight.speed < speed) && this.program.violationAt(chosen, speed) < KEPT_SLACK) {
      scale(out, chosen, speed)
      return true
    }
    this.viewCount = first
    return false
  }

  /** Looks at all obstacles from where the agent will be after one response time, and measures none. */
  private stepAhead(agent: Agent): void {
    addScaled(this.from, agent.position, agent.velocity, this.time)
    for (let i = 0; i < this.viewCount; i++) this.views[i]!.moveTo(this.from)
  }

  /** Cuts the speed of the flight to what can stop where the free distance ends. For walls see below. */
  private limitSpeed(agent: Agent, direction: Vec3Like, walls: boolean): void {
    this.clearDistance = this.clearDistanceAlong(direction, walls)
    const { x, y, z } = direction
    const { force, turnTime } = pushAlong(push, agent, -x, -y, -z)
    const brake = (BRAKE_SHARE * force) / agent.mass
    const most = brakingSpeed(this.clearDistance, brake, agent.damping, this.time + TURNS_TO_STOP * turnTime)
    this.flight.speed = Math.min(this.flight.speed, most)
  }

  /** Turns `out` to the free direction, at a speed that can stop where the free distance ends. */
  private chooseDirection(agent: Agent, out: Vec3): boolean {
    const { directionSearch } = this
    const { flight } = this
    const speed = (flight.speed = length(out))
    if (!(speed > SLOW_SHARE * agent.radius)) {
      set(this.chosen, 0, 0, 0)
      return false
    }
    scale(this.ahead, out, 1 / speed)
    if (this.unclear + this.scannerCount === 0) {
      this.stepAhead(agent)
      this.limitSpeed(agent, this.ahead, false)
      if (!(flight.speed < speed)) {
        set(this.chosen, 0, 0, 0)
        scale(out, this.ahead, speed)
        return false
      }
      flight.speed = speed
    }
    const isTurned = isZero(this.lock.axis) && this.searchWidening(agent)
    if (!isZero(this.lock.axis)) this.lookAhead(agent)
    this.limitSpeed(agent, directionSearch.direction, isTurned)
    scale(out, directionSearch.direction, flight.speed)
    if (isTurned) copy(this.chosen, directionSearch.direction)
    else set(this.chosen, 0, 0, 0)
    return isTurned || flight.speed < speed
  }

  /** Searches wider surroundings until no direction outside of them could be better than the best. */
  private searchWidening(agent: Agent): boolean {
    const { context, directionSearch, views } = this
    const first = this.viewCount
    for (let angle = FIRST_ANGLE; ; angle *= ANGLE_GROWTH) {
      this.viewCount = first
      this.scan(agent, this.ahead, angle)
      this.updateViews(agent)
      context.course = agent.course
      context.velocity = agent.velocity
      context.speed = this.flight.speed
      context.goalDistance = this.searchDistance(agent)
      const isCrowded = this.many.count > 0
      context.findBlocker = isCrowded ? this.findBlocker : null
      const isTurned = directionSearch.choose(context, views, this.viewCount, this.program)
      // many obstacles are searched all around
      if (isCrowded || this.scannerCount === 0 || directionSearch.price <= angle || angle > Math.PI)
        return isTurned
    }
  }

  /** For an agent on a line, which has no other direction. */
  private lookAhead(agent: Agent): void {
    const { ahead } = this
    this.scan(agent, ahead, FIRST_ANGLE)
    this.updateViews(agent)
    this.searchDistance(agent)
    if (this.many.count > 0) this.findBlocker(ahead, Infinity)
    copy(this.directionSearch.direction, ahead)
  }

  /**
   * Measures all obstacles from where the agent will be after one response time; if that point is in an
   * obstacle, from where it is.
   */
  private updateViews(agent: Agent): void {
    const { flight, from, time, views, viewCount: count } = this
    const { position, velocity } = agent
    flight.lag = agent.speed * time
    let near = false
    copy(this.here, position)
    addScaled(from, position, velocity, time)
    for (let i = 0; i < count; i++) {
      views[i]!.update(from, position, flight)
      if (views[i]!.clearance < 0 && !views[i]!.isWall) near = true
    }
    if (!near) return
    copy(from, position)
    flight.lag = 0
    for (let i = 0; i < count; i++) views[i]!.update(from, position, flight)
  }

  /**
   * Distance (m) from `from` beyond which obstacles are ignored. An obstacle that contains the goal cannot be
   * passed: the agent approaches it, and its half-space limits the speed. (An obstacle through which the
   * straight line only passes is passed like any other.)
   */
  private searchDistance(agent: Agent): number {
    const { views, viewCount: count, goalDistance } = this
    if (!(goalDistance < Infinity)) return Infinity
    for (let i = 0; i < count; i++) views[i]!.holdsGoal = this.holdsGoal(views[i]!)
    return distance(addScaled(contact, agent.position, this.ahead, goalDistance), this.from)
  }

  private holdsGoal(view: ObstacleView): boolean {
    return (
      this.hasGoal &&
      view.clearance < this.goalDistance &&
      view.mayContain(this.goal) &&
      view.obstacle.isNearer(this.goal, 0, normal)
    )
  }

  /** Distance (m) until the hull touches an obstacle. Walls count off the wanted direction only. */
  private clearDistanceAlong(direction: Vec3Like, walls: boolean): number {
    let freeDistance = Infinity
    for (let i = 0; i < this.viewCount; i++) {
      const view = this.views[i]!
      if (walls || !view.isWall)
        freeDistance = Math.min(freeDistance, view.distanceToHull(direction, this.flight))
    }
    if (this.many.isEmpty) return freeDistance
    this.many.hit.distance = freeDistance
    this.many.sweep(this.from, direction, 1, 0, 1)
    return this.many.hit.distance
  }
}

/** Not by `dot` and `lengthSq`: where V8 does not inline calls, it boxes what they return. */
function isBarred(velocity: Vec3Like, { x, y, z }: Vec3Like): boolean {
  return velocity.x * x + velocity.y * y + velocity.z * z < BARRED_SHARE * (x * x + y * y + z * z)
}
