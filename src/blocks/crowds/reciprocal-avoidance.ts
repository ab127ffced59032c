import type {
  Agent,
  AgentMaxima,
  Crossings,
  DebugDraw,
  Exemption,
  Neighborhood,
  NeighborSearch,
  SnapshotState,
  Step,
  Vec3Like,
  VehicleState,
  Wrench,
} from '../../core/types.js'
import { AHEAD, crossingLists, FAR_SQ, PUSH, SHIFT_SQ, WIDE } from '../../core/neighbors/crossings.js'
import { neighborSearch } from '../../core/neighbors/neighbor-search.js'
import { neighborsOf } from '../../core/control/neighbors-of.js'
import type { Constraint, VelocityConstraints, QueueOrder } from '../../core/solver/constraint.js'
import { servoTime } from '../../core/control/drive.js'
import { SolverMemory } from '../../core/solver/velocity-solver.js'
import { exemptsAgent } from '../../core/solver/exemption.js'
import { mix } from '../../core/math/random.js'
import { clamp } from '../../core/math/scalar.js'
import { addScaled, distance, dot, isZero, length, lengthSq, load, normalize } from '../../core/math/vec3.js'
import { reject, save, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { capAgent } from '../../core/behaviors/avoidance/agent-cap.js'
import { measureAgility } from '../../core/behaviors/avoidance/plane-cap.js'
import { isHeedless, yieldShare } from '../../core/behaviors/avoidance/right-of-way.js'
import { fitSpace, normalFromBall, normalToBall, toBall } from './space.js'
import { type Encounter, type EscapeVelocity, velocityObstacle } from './velocity-obstacle.js'
import { GROUPS, WithDefaults } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface ReciprocalAvoidanceOptions extends Options, OptionsOf<typeof ReciprocalAvoidance.options> {}
export interface ReciprocalAvoidance extends FieldsOf<typeof ReciprocalAvoidance.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Default clearance as a share of the sum of the radii: more than the effects of rounding, lag and bias. */
const DEFAULT_CLEARANCE = 0.15

/** Contacts count up to this multiple of the lag plus the time to stop. Larger: agents evade earlier. */
const HORIZON_FACTOR = 5

/** An agent inside the clearance leaves it within this multiple of the lag. Larger: more gently. */
const SEPARATION_LAGS = 2

/** Other agents are taken to be where they will be after this share of the lag. */
const PREDICTION_SHARE = 0.5

/**
 * An agent that avoids no others may turn at any moment. From it the agent keeps the distance that it could
 * itself get to at full force in this multiple of the lag. Larger: more distance.
 */
const STARTLE_LAGS = 2
/** Upper bound of that distance, as a share of the sum of the radii. */
const MOST_STARTLE = 0.5

/**
 * An agent within this multiple of the sum of the radii of one that avoids no others may be pressed by it.
 */
const PRESSED = 3

/** Maximum of constraints, the most urgent ones: three decide, the others hardly ever matter. */
const MAX_DEMANDS = 24

/**
 * The agent that goes first in a queue makes this much less of the common evasion, and the other one as much
 * more: nearly all of it.
 */
const QUEUE_SHARE = 0.45

/** Upper limit of the time (s) that a vehicle is assumed to need to stop. */
const MAX_STOP_TIME = 60

/**
 * Share of the time in which both can stop. With it two equal agents get the recommended 3 · maxSpeed² · mass
 * / maxForce. Larger: others are looked for farther away.
 */
const STOP_SHARE = 0.375
/** Number of own radii that is added to the distance. */
const OWN_RADII = 10

/** Longest step (s) assumed where a default is derived: that of a slow world. */
const MAX_STEP = 1 / 15

/**
 * A necessary change of velocity is made in this share of the time until the spare distance is used up.
 * Larger: later and more gently. This value and the next two were found by trial: with them 24 seeded crowds
 * of 120 walkers at 20 steps a second have no contact (`walkers-do-not-touch-in-a-crowd` in test/repro).
 */
const ANSWER_SHARE = 0.25
/** Share of the clearance that is not spare. Larger: agents answer earlier, and use less of it. */
const USED_CLEARANCE = 0.3
/** The change is made this number of steps earlier, because a servo responds late at long steps. */
const EARLY_STEPS = 3

/** An agent that makes less than this share of its wanted speed is held up: its clearance shrinks. */
const HELD_UP_SHARE = 0.9
/** Clearance of one that stands still, as a share of the sum of the radii. Larger: jams are less dense. */
const LEAST_CLEARANCE = 0.2

// A row of the table, one for each demand: relative velocity, in a space in which the common space of both is
// a ball; distance that is kept in there; index among the neighbours; unit normal of the escape; the change
// that is needed, and the least speed along the normal.
const VELOCITY = 0
const MIN_DISTANCE = 3
const INDEX = 4
const ESCAPE = 5
const CHANGE = 8
const LEAST = 9
const ROW_LENGTH = 10

/**
 * A course past another agent misses it by more than this, squared and as a share of its distance, because of
 * rounding.
 */
const MISS = 1e-9

const encounter: Encounter = {
  x: 0.5,
  y: 0.5,
  z: 0.5,
  ux: 0.5,
  uy: 0.5,
  uz: 0.5,
  minDistance: 0.5,
  horizon: 0.5,
  separationTime: 0.5,
}

/** An agent on a line follows an escape whose direction has more than this share along that line. */
const SLANTED = 0.3

const normal = vec3()
const line = vec3()
const relative = vec3()
const drift = vec3()
const lineEnd = vec3()
/** Rows of the demands, the most urgent first, then the free ones. */
const urgent = Int32Array.from({ length: MAX_DEMANDS }, (_, row) => row)
const table = new Float64Array(ROW_LENGTH * MAX_DEMANDS)
let chosen = new Int32Array(64)
/** The neighbours that the indices in `chosen` and in the table mean. */
let around!: Neighborhood

/**
 * Of the present agent: response time (s), acceleration (m/s²), the share of its wanted speed, and whether
 * there are spaces that are no balls.
 */
const able = { lag: 0.5, power: 0.5, progress: 0.5, kept: 0.5, hasSpaces: false }

/**
 * Lets agents avoid each other when all of them do their part (van den Berg, Guy, Lin and Manocha, Reciprocal
 * n-Body Collision Avoidance, 2011, in 3D). Each neighbour gives a half-space of velocities, and `within`
 * finds the velocity nearest to the wanted one in all of them, together with walls and obstacles, which never
 * yield. Departures:
 * - The agent knows its force: a change of velocity that can still be made later is not demanded yet. (The
 *   horizon of the paper cuts off at one time for all agents.)
 * - The solution is limited to the velocities reachable in one response time.
 * - Other agents are taken to be where they will be when both have responded.
 * - Each agent makes its share by `priority` (Green's table of relative masses; an agent of infinite priority
 *   never yields) instead of half. Two agents of equal priority in a `Queue` share by their order.
 * - Of an agent that does not avoid it (see `Behavior.avoids`) it does the whole evasion, whatever the
 *   priorities, and keeps a larger distance, in which it can respond. Of two agents beside such a one, the
 *   farther does the whole evasion of the nearer, which may be pressed.
 * - Seeds break exact symmetry. An agent that `within` finds held up before a goal at rest presses on: it
 *   gives up some of its clearance, and the others, which keep theirs, make way.
 *
 * The space of an agent may be an ellipsoid, see `spaceLength` and `spaceHeight` of its options. The rest
 * then happens in a scaled space in which the common space of two agents is a ball.
 *
 * The wish of a `Stick` is slowed before an agent that it would touch, and never turned: the others do the
 * whole evasion.
 *
 * It excludes contacts where forces suffice, with agents that use it too or keep their course. A hundred
 * agents that swap places on a sphere hardly ever touch; three hundred that all aim at one point do.
 */
export class ReciprocalAvoidance extends WithDefaults<ReciprocalAvoidanceOptions> implements Constraint {
  static readonly type: string = 'ReciprocalAvoidance'
  static readonly options = {
    /**
     * Agents whose surface is within this distance are avoided, m, > 0. Default is the distance that each
     * agent needs: that by which it and the other one approach each other, both at full speed, in `caution`
     * times the time to respond and to stop or step aside, plus several radii. Smaller values save time where
     * many agents are near. They cost contacts where they are less than several stopping distances, maxSpeed²
     * · mass / (2 · maxForce).
     */
    neighborDistance: { kind: 'number', unit: 'm', above: 0 },
    /**
     * Clearance (m) kept between the hulls, ≥ 0. Default 15 % of the sum of the radii. A clearance above 20 %
     * of that sum shrinks towards 20 % for an agent that is held up.
     */
    clearance: { kind: 'number', unit: 'm', atLeast: 0 },
    /**
     * Longest look-ahead, s, > 0. Default Infinity: only force and speeds decide how early the agent
     * responds.
     */
    horizon: { kind: 'number', unit: 's', above: 0, infinite: true, default: Infinity },
    /**
     * The agent gives way when the time to a contact is less than this multiple of the time in which both can
     * stop, dimensionless, > 0. Default 2. Larger values respond earlier.
     */
    // Smaller values save a little time and have contacts where a hundred agents meet; larger ones begin so
    // early that all slow down.
    caution: { kind: 'number', above: 0, default: 2 },
    /** Only agents with one of these group bits are avoided. Default all. */
    groups: GROUPS,
    /**
     * Other agents are taken to be offset by up to this share of the sum of the radii, each in its own
     * direction, by its seed, so that exact symmetry does not stop agents; dimensionless, in [0, 0.1].
     * Default 0.02. With 0 mirror-symmetric agents stay symmetric, and agents that meet head-on stop in front
     * of each other.
     */
    // Less than the clearance by far.
    bias: { kind: 'number', atLeast: 0, atMost: 0.1, default: 0.02 },
  } as const satisfies AnyTable
  readonly neighborSearch: NeighborSearch = neighborSearch
  private readonly solverMemory = new SolverMemory()
  readonly state: SnapshotState = [this.solverMemory]

  get reach(): number {
    return this.neighborDistance ?? 0
  }

  get avoids(): number {
    return this.groups
  }

  reachFor(
    { radius, mass, maxForce, speed, maxSpeed, responseTime }: Readonly<VehicleState>,
    others: Readonly<AgentMaxima>,
  ): number {
    if (this.neighborDistance !== undefined) return 0
    const power = maxForce / mass
    const sum = radius + others.radius
    const minDistance = sum + (this.clearance ?? DEFAULT_CLEARANCE * sum)
    const closing = fullSpeed(speed, maxSpeed, power) + others.speed
    // no step is longer than that of a slow world
    return this.searchDistance(closing, power, Math.max(responseTime, MAX_STEP), minDistance, radius)
  }

  /**
   * Distance (m, from centre to centre) at which an agent with this `radius` (m) must consider another one
   * to avoid it in time: the distance by which both approach each other, at `closing` (m/s) at most, in
   * `caution` times the time to respond and to stop or step aside, whichever takes longer, for `horizon`
   * (s) at most; plus some radii. `power` (m/s²) is the acceleration of the agent, `lag` (s) its response
   * time, `minDistance` (m) the distance that is kept.
   */
  private searchDistance(
    closing: number,
    power: number,
    lag: number,
    minDistance: number,
    radius: number,
  ): number {
    const stopTime = Math.max(STOP_SHARE * (closing / power), 0.5 * Math.sqrt((2 * minDistance) / power))
    const needed = this.caution * (lag + (power > 0 ? Math.min(stopTime, MAX_STOP_TIME) : 0))
    return minDistance + OWN_RADII * radius + closing * Math.min(needed, this.horizon)
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    able.progress = progressOf(agent, limits.wantedVelocity)
    // one that is fast gives nothing up: it needs it to respond
    const spare = agent.radius - agent.speed * servoTime(agent, step)
    able.kept = spare > 0 ? 1 - (limits.pressure ?? 0) * (spare / agent.radius) : 1
    if (limits.isManual === true) return this.slow(agent, step, limits)
    const demands = this.findDemands(agent, step, limits.exemption, limits.queueOrder)
    for (let k = 0; k < demands; k++) {
      const entry = ROW_LENGTH * urgent[k]!
      limits.addHalfSpace(load(normal, table, entry + ESCAPE), table[entry + LEAST]!, true)
    }
  }

  /** For the input of a player: limits the speed towards each agent that it would touch. */
  private slow(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const near = this.choose(agent, step, true)
    const neighbors = around
    measureAgility(agent)
    for (let n = 0; n < near; n++) {
      const row = neighbors.row[chosen[n]!]!
      const sum = agent.radius + neighbors.radius(row)
      const kept = sum + clearanceOf(this.clearance, sum, able.progress)
      sub(relative, load(relative, neighbors.position, 3 * row), agent.position)
      capAgent(agent, step, row, kept * (fits(agent, step, row) ? scaleRelative() : 1), limits)
    }
  }

  /** As a plain behaviour: writes the force that leads the present velocity past the other agents. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.solverMemory.obey(agent, step, this, out.force)
  }

  /** Draws the demanded changes of velocity, as lines of that length along the normals. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    able.progress = able.kept = 1
    const demands = this.findDemands(agent, step)
    for (let k = 0; k < demands; k++) {
      const entry = ROW_LENGTH * urgent[k]!
      load(normal, table, entry + ESCAPE)
      addScaled(lineEnd, agent.position, normal, table[entry + CHANGE]!)
      draw.line('reciprocal', agent.position, lineEnd)
    }
  }

  /**
   * Lists in `chosen` the neighbours of the groups that are avoided, within the distance that matters, except
   * those that move away, and those whose course passes by more than can change in a response time, unless
   * `passing`. Returns their number. Each is written and only a match advances the end: a branch would be
   * mispredicted for every other neighbour.
   */
  private choose(agent: Agent, step: Step, passing: boolean): number {
    const lag = (able.lag = servoTime(agent, step))
    const power = (able.power = agent.maxForce / agent.mass)
    const inPlane = isPlanar(agent)
    const safeDistance = inPlane ? Infinity : power * (lag * (1 + this.caution)) ** 2 * (1 + MISS)
    const crossings = passing || inPlane ? null : (agent.crossings?.(crossingLists) ?? null)
    const neighbors = (around =
      crossings !== null && this.crosses(agent, crossings, safeDistance) ? crossings : neighborsOf(agent))
    const { count, distanceSq, group, position, row, velocity } = neighbors
    const { x: ox, y: oy, z: oz } = agent.position
    const { x: vx, y: vy, z: vz } = agent.velocity
    const { bias, groups, neighborDistance } = this
    const { radius } = agent
    const { spaces = null } = neighbors
    able.hasSpaces = spaces !== null
    const longest =
      spaces === null ? radius : radius * Math.max(agent.spaceLength ?? 1, agent.spaceHeight ?? 1)
    const ownFullSpeed = fullSpeed(agent.speed, agent.maxSpeed, power)
    const ahead = PREDICTION_SHARE * lag
    // an agent that moves away from farther than this demands nothing, whatever other conflicts there are
    const { x: nx, y: ny, z: nz } = agent.plane
    const { axis, group: bits, priority: own } = agent
    const keepsAll =
      passing || spaces !== null || !isZero(axis) || ((neighbors.avoidedByAll ?? 0) & bits) === 0
    if (chosen.length <= count) chosen = new Int32Array(2 * count + 64)
    // most neighbours have the size and speed of the one before
    let lastSum = -1
    let lastSpeed = -1
    let lastPriority = NaN
    let slack = 0
    let shiftSq = 0
    let wide = 0
    let farSq = 0
    let minDistance = 0
    let rangeSq = 0
    let found = 0
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      const p = 3 * r
      let otherRadius = neighbors.radius(r)
      if (spaces !== null) otherRadius *= Math.max(spaces.spaceLength(r), spaces.spaceHeight(r))
      const sum = longest + otherRadius
      const speed = neighborDistance === undefined ? fullSpeedOf(velocity, p, neighbors.maxSpeed(r)) : 0
      if (sum !== lastSum || speed !== lastSpeed) {
        lastSum = sum
        lastSpeed = speed
        minDistance = sum + clearanceOf(this.clearance, sum, able.progress)
        shiftSq = 3 * (sum * bias) ** 2
        wide = Math.max(minDistance, startledDistance(sum)) + 2 * sum * bias
        farSq = (safeDistance + wide) ** 2
        const range =
          neighborDistance === undefined
            ? this.searchDistance(ownFullSpeed + speed, power, lag, minDistance, longest)
            : neighborDistance + otherRadius
        rangeSq = range * range
      }
      const priority = neighbors.priority(r)
      if (priority !== lastPriority) {
        lastPriority = priority
        slack = keepsAll ? Infinity : (power * lag * (1 + MISS)) / yieldShare(own, priority)
      }
      const px = position[p]! - ox
      const py = position[p + 1]! - oy
      const pz = position[p + 2]! - oz
      const ux = vx - velocity[p]!
      const uy = vy - velocity[p + 1]!
      const uz = vz - velocity[p + 2]!
      let sq = distanceSq[i]!
      const isNear = Number(sq < rangeSq)
      let closing = px * ux + py * uy + pz * uz
      let speedSq = ux * ux + uy * uy + uz * uz
      if (inPlane) {
        const off = px * nx + py * ny + pz * nz
        const offSpeed = ux * nx + uy * ny + uz * nz
        sq -= off * off
        closing -= off * offSpeed
        speedSq -= offSpeed * offSpeed
      }
      // by their predicted positions
      const approach = closing - ahead * speedSq
      const laterSq = sq - ahead * (closing + approach)
      // the other agent moves away, wherever its bias puts it
      const movesAway =
        Number(closing < 0) & Number(approach * approach > shiftSq * speedSq) & Number(laterSq > farSq)
      // to the cone of courses that touch it the velocity lacks more than the slack
      const wideSq = wide * wide
      const inside = approach * wide + slack * laterSq
      const outside = (speedSq * laterSq - approach * approach) * (laterSq - wideSq)
      const passes =
        Number(laterSq > wideSq) &
        Number(outside > 0) &
        (1 ^ (Number(inside > 0) & Number(inside * inside > outside)))
      chosen[found] = i
      found += Number((group[r]! & groups) !== 0) & isNear & (movesAway ^ 1) & (passes ^ 1)
    }
    return found
  }

  /** Whether `crossings` finds the neighbours that may matter, whatever their size. Reads `able`. */
  private crosses({ axis, radius }: Agent, crossings: Crossings, safeDistance: number): boolean {
    if (!isZero(axis)) return false
    const sum = radius + crossings.maxRadius
    const shift = sum * this.bias
    const { bounds } = crossings
    const wide =
      Math.max(sum + clearanceOf(this.clearance, sum, able.progress), startledDistance(sum)) + 2 * shift
    bounds[AHEAD] = PREDICTION_SHARE * able.lag
    bounds[WIDE] = wide
    bounds[PUSH] = able.power * able.lag * (1 + MISS)
    bounds[SHIFT_SQ] = 3 * shift ** 2
    bounds[FAR_SQ] = (safeDistance + wide) ** 2
    return crossings.findCrossing()
  }

  /**
   * Finds the changes that cannot be made later. Returns their number. Their rows are in `urgent`, the most
   * urgent first.
   */
  private findDemands(agent: Agent, step: Step, exemption?: Exemption, queue?: QueueOrder): number {
    const near = this.choose(agent, step, queue !== undefined)
    const { axis, group, priority: own, radius } = agent
    const neighbors = around
    const { position, row, seed, velocity } = neighbors
    const { x: ox, y: oy, z: oz } = agent.position
    const { x: vx, y: vy, z: vz } = agent.velocity
    const { lag, power, progress } = able
    const maxChange = power * lag
    const ownKey = mix(agent.seed, 0)
    const inPlane = isPlanar(agent)
    const ahead = PREDICTION_SHARE * lag
    const heedless = nearestHeedless(neighbors, near, group)
    // most neighbours have the priority and size of the one before
    let lastPriority = NaN
    let lastShare = 0
    let lastSum = -1
    let minDistanceOfSum = 0
    let demands = 0
    for (let n = 0; n < near; n++) {
      const i = chosen[n]!
      const r = row[i]!
      const avoidsNone = heedless >= 0 && isHeedless(neighbors, r, group)
      const isFirm =
        avoidsNone || neighbors.isManual(r) || (heedless >= 0 && isPressed(neighbors, r, heedless))
      const otherPriority = isFirm ? Infinity : neighbors.priority(r)
      if (otherPriority !== lastPriority) {
        lastPriority = otherPriority
        lastShare = yieldShare(own, otherPriority)
      }
      let share = lastShare
      if (queue !== undefined && own === otherPriority) share += QUEUE_SHARE * queue.rank(agent, r)
      if (share === 0) continue
      const p = 3 * r
      let px = position[p]! - ox
      let py = position[p + 1]! - oy
      let pz = position[p + 2]! - oz
      let ux = vx - velocity[p]!
      let uy = vy - velocity[p + 1]!
      let uz = vz - velocity[p + 2]!
      const sum = radius + neighbors.radius(r)
      const isFitted = able.hasSpaces && fits(agent, step, r)
      let wide = 1
      if (isFitted) {
        set(relative, px, py, pz)
        wide = scaleRelative()
        px = relative.x
        py = relative.y
        pz = relative.z
        toBall(drift, set(drift, ux, uy, uz))
        ux = drift.x
        uy = drift.y
        uz = drift.z
      }
      if (sum !== lastSum) {
        lastSum = sum
        minDistanceOfSum = sum + clearanceOf(this.clearance, sum, progress)
      }
      let minDistance = avoidsNone ? Math.max(minDistanceOfSum, startledDistance(sum)) : minDistanceOfSum
      const otherKey = mix(seed[r]!, 0)
      const shift = (sum * this.bias) / 1023
      let x = px - ahead * ux + shift * (digits(otherKey, 0) - digits(ownKey, 0))
      let y = py - ahead * uy + shift * (digits(otherKey, 10) - digits(ownKey, 10))
      let z = pz - ahead * uz + shift * (digits(otherKey, 20) - digits(ownKey, 20))
      if (exemption !== undefined && exemptsAgent(exemption, neighbors, r, minDistance)) continue
      if (inPlane) {
        // in the plane of the agent the other one is a disc, smaller the farther it lies off the plane
        const {
          x: nx,
          y: ny,
          z: nz,
        } = isFitted ? normalize(normal, normalToBall(normal, agent.plane)) : agent.plane
        const off = px * nx + py * ny + pz * nz
        const offSpeed = ux * nx + uy * ny + uz * nz
        // an endless time would make a motion of rounding
        const later = off - offSpeed * Math.min(this.horizon, MAX_STOP_TIME)
        const least = off * later > 0 ? Math.min(Math.abs(off), Math.abs(later)) : 0
        if (!(least < minDistance)) continue
        minDistance = Math.sqrt(minDistance * minDistance - least * least)
        const across = x * nx + y * ny + z * nz
        x -= across * nx
        y -= across * ny
        z -= across * nz
        ux -= offSpeed * nx
        uy -= offSpeed * ny
        uz -= offSpeed * nz
      }
      const sq = x * x + y * y + z * z
      const d = Math.sqrt(sq)
      // coincident agents have no direction
      if (d === 0) continue
      const clearDistance = d - minDistance
      const clear = clearDistance * wide
      const approach = ux * x + uy * y + uz * z
      const closing = Math.max(0, approach / d) * wide
      // a course past the other agent violates nothing
      const speedSq = ux * ux + uy * uy + uz * uz
      const isPast =
        clearDistance > 0 &&
        (approach <= 0 ||
          speedSq * sq - approach * approach > speedSq * (minDistance * minDistance + MISS * sq))
      let later = 0
      if (clearDistance > 0 && power > 0) {
        const needed = this.caution * (lag + (share * closing) / power)
        // of most neighbours a square root need not be taken to see that they do not meet so soon
        const soon = lag + needed
        if (isPast && clear > soon * (closing + power * soon) * (1 + MISS)) continue
        // time until they meet if both accelerate from now on
        const time = (2 * clear) / (closing + Math.sqrt(closing * closing + 4 * power * clear))
        later = power * Math.max(0, time - needed)
        // no velocity reachable in one response time violates it, whatever the escape is
        if (isPast && !(later < maxChange)) continue
      }
      encounter.x = x
      encounter.y = y
      encounter.z = z
      encounter.ux = ux
      encounter.uy = uy
      encounter.uz = uz
      encounter.minDistance = minDistance
      const stopTime = power > 0 ? Math.sqrt(Math.max(0, clear) * (share / power)) : 0
      encounter.horizon = Math.min(this.horizon, HORIZON_FACTOR * (lag + stopTime))
      encounter.separationTime = SEPARATION_LAGS * lag
      const escape = velocityObstacle(encounter)
      if (escape === null) continue
      if (!isZero(axis)) keepToLine(escape, isFitted ? normalize(line, toBall(line, axis)) : axis, encounter)
      if (isFitted) {
        normalFromBall(escape, escape)
        if (inPlane) reject(escape, escape, agent.plane)
        const factor = 1 / length(escape)
        scale(escape, escape, factor)
        escape.violation *= factor
      }
      const change = share * escape.violation - later
      if (!(change > -maxChange)) continue
      if (demands === MAX_DEMANDS && change <= table[ROW_LENGTH * urgent[demands - 1]! + CHANGE]!) continue
      let slot = demands < MAX_DEMANDS ? demands++ : demands - 1
      const free = urgent[slot]!
      for (; slot > 0 && table[ROW_LENGTH * urgent[slot - 1]! + CHANGE]! < change; slot--)
        urgent[slot] = urgent[slot - 1]!
      urgent[slot] = free
      const entry = ROW_LENGTH * free
      table[entry + VELOCITY] = ux
      table[entry + VELOCITY + 1] = uy
      table[entry + VELOCITY + 2] = uz
      table[entry + MIN_DISTANCE] = minDistance
      table[entry + INDEX] = i
      save(escape, table, entry + ESCAPE)
      table[entry + CHANGE] = change
    }
    for (let k = 0; k < demands; k++) this.setLeast(agent, step, ROW_LENGTH * urgent[k]!)
    return demands
  }

  /**
   * Writes the least speed along the escape of a row. A change that is needed within less than a response
   * time is demanded larger. Reads `able`.
   */
  private setLeast(agent: Agent, step: Step, entry: number): void {
    const { position: own, radius, velocity } = agent
    const neighbors = around
    const { lag } = able
    let change = table[entry + CHANGE]!
    if (change > 0) {
      // by their present positions, not the predicted ones
      const i = table[entry + INDEX]!
      const r = neighbors.row[i]!
      const sum = radius + neighbors.radius(r)
      let distanceNow = Math.sqrt(neighbors.distanceSq[i]!)
      sub(relative, load(relative, neighbors.position, 3 * r), own)
      if (able.hasSpaces && fits(agent, step, r)) distanceNow = length(toBall(relative, relative))
      const approach = dot(load(drift, table, entry + VELOCITY), relative)
      const spareDistance = Math.max(
        0,
        distanceNow - sum - USED_CLEARANCE * (table[entry + MIN_DISTANCE]! - sum),
      )
      const time =
        approach > 0
          ? (ANSWER_SHARE * spareDistance * distanceNow) / approach - EARLY_STEPS * step.dt
          : spareDistance > 0
            ? lag
            : 0
      change *= lag / Math.max(step.dt, Math.min(lag, time))
    }
    table[entry + LEAST] = dot(velocity, load(normal, table, entry + ESCAPE)) + change
  }
}

/**
 * For an agent on a line with the unit direction `axis`: where the escape leads across that line, as from an
 * agent that comes along it, replaces it by one along the line: the agent stays so slow, or retreats so fast,
 * that they do not come too near by the horizon. (A slanted escape is the better one where paths cross: both
 * agents then agree which of them goes first.)
 */
function keepToLine(
  escape: EscapeVelocity,
  axis: Vec3Like,
  { x, y, z, ux, uy, uz, minDistance, horizon, separationTime }: Readonly<Encounter>,
): void {
  const share = escape.x * axis.x + escape.y * axis.y + escape.z * axis.z
  if (!(escape.violation > 0) || Math.abs(share) > SLANTED) return
  const ahead = x * axis.x + y * axis.y + z * axis.z
  const side = ahead < 0 ? 1 : -1
  const gap = Math.abs(ahead) - minDistance
  escape.x = side * axis.x
  escape.y = side * axis.y
  escape.z = side * axis.z
  escape.violation =
    -side * (ux * axis.x + uy * axis.y + uz * axis.z) - gap / (gap > 0 ? horizon : separationTime)
}

/** Fits the common space of the agent and the neighbour in `row`. False: it is a ball. */
function fits(agent: Agent, step: Step, row: number): boolean {
  const { spaces = null } = around
  return spaces !== null && fitSpace(agent, around.radius(row), spaces, row, step.up)
}

/** Scales `relative` so that the fitted space is a ball. Returns how many times as long it was. */
function scaleRelative(): number {
  const before = length(relative)
  const after = length(toBall(relative, relative))
  return after > 0 ? before / after : 1
}

/**
 * Clearance (m) that an agent keeps which makes the share `progress` of its wanted speed. `sum` (m) is the
 * sum of the radii.
 */
function clearanceOf(margin: number | undefined, sum: number, progress: number): number {
  if (margin === undefined) return able.kept * DEFAULT_CLEARANCE * sum
  const least = LEAST_CLEARANCE * sum
  return (
    able.kept *
    (progress < HELD_UP_SHARE && margin > least
      ? least + ((margin - least) * progress) / HELD_UP_SHARE
      : margin)
  )
}

/**
 * Distance (m) kept from an agent that avoids no others, whatever the clearance. `sum` (m) is the sum of the
 * radii. Reads `able`.
 */
function startledDistance(sum: number): number {
  const { lag, power } = able
  return sum + Math.min((power * (STARTLE_LAGS * lag) ** 2) / 2, MOST_STARTLE * sum)
}

/**
 * Index of the nearest of the neighbours in `chosen` that does not avoid agents with the bits `group`; −1 for
 * none.
 */
function nearestHeedless(neighbors: Neighborhood, near: number, group: number): number {
  const { avoidedByAll = 0, distanceSq, row } = neighbors
  let nearest = -1
  if ((avoidedByAll & group) !== 0) return nearest
  for (let n = 0; n < near; n++) {
    const i = chosen[n]!
    if (nearest >= 0 && !(distanceSq[i]! < distanceSq[nearest]!)) continue
    if (isHeedless(neighbors, row[i]!, group)) nearest = i
  }
  return nearest
}

/**
 * Whether the neighbour in row `r` is between the agent and the neighbour of index `heedless`, which avoids
 * no others and is near it: it may be pressed, and cannot be relied on to make way.
 */
function isPressed(neighbors: Neighborhood, r: number, heedless: number): boolean {
  const { distanceSq, position, row } = neighbors
  const h = row[heedless]!
  const apart = distance(load(relative, position, 3 * r), load(drift, position, 3 * h))
  const range = PRESSED * (neighbors.radius(r) + neighbors.radius(h))
  return apart < Math.min(range, Math.sqrt(distanceSq[heedless]!))
}

/** Share of the wanted speed that the agent makes, 0 … 1. */
function progressOf({ velocity }: Agent, wanted: Vec3Like): number {
  const sq = lengthSq(wanted)
  return sq > 0 ? clamp(dot(velocity, wanted) / sq, 0, 1) : 1
}

function isPlanar({ axis, plane }: Agent): boolean {
  return isZero(axis) && !isZero(plane)
}

/** Ten bits of a key, from bit `from` on. */
function digits(key: number, from: number): number {
  return (key >>> from) & 1023
}

/**
 * The highest speed (m/s) that an agent may soon have: its `maxSpeed`; without one, the speed after one
 * second of acceleration. Never less than its present speed.
 */
function fullSpeed(speed: number, maxSpeed: number, power: number): number {
  if (maxSpeed < Infinity) return maxSpeed > speed ? maxSpeed : speed
  return power < Infinity ? speed + power : speed
}

/**
 * As {@link fullSpeed}, of another agent, whose force is not known. `entry` is the index of its velocity in
 * the column.
 */
function fullSpeedOf(velocity: Float64Array, entry: number, maxSpeed: number): number {
  const x = velocity[entry]!
  const y = velocity[entry + 1]!
  const z = velocity[entry + 2]!
  const sq = x * x + y * y + z * z
  return sq > maxSpeed * maxSpeed || maxSpeed === Infinity ? Math.sqrt(sq) : maxSpeed
}
