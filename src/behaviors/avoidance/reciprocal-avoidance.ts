import type {
  Agent,
  DebugDraw,
  SnapshotState,
  AgentMaxima,
  Exemption,
  Step,
  Vec3Like,
  VehicleState,
  Wrench,
} from '../../types.js'
import { neighborsOf } from '../../control/neighbors-of.js'
import type { Constraint, VelocityConstraints, QueueOrder } from '../../solver/constraint.js'
import { servoTime } from '../../control/drive.js'
import { VelocitySolver } from '../../solver/velocity-solver.js'
import { exemptsAgent } from '../../solver/exemption.js'
import { grown } from '../../math/grown.js'
import { mix } from '../../math/random.js'
import { requireFinite, requireNumber, requireWhole } from '../../math/require.js'
import { clamp } from '../../math/scalar.js'
import { addScaled, dot, lengthSq, set, vec3 } from '../../math/vec3.js'
import { isWithinReach } from '../../control/nearness.js'
import { yieldShare } from './right-of-way.js'
import { velocityObstacle } from './velocity-obstacle.js'

export interface ReciprocalAvoidanceOptions {
  /**
   * Others whose surface is within this distance are avoided, m, > 0. Default what each agent needs: the way on which it and the other near each
   * other, both at full speed, in `caution` times the time to answer and to stop or step aside, plus several radii. Less saves time where many are
   * near, and costs contacts where it is less than several times the way to stop, maxSpeed² · mass / (2 · maxForce).
   */
  neighborDistance?: number
  /** Clearance (m) kept between the hulls, ≥ 0. Default 15 % of the sum of the radii, more shrinks towards 20 % for an agent that is held up. */
  clearance?: number
  /** No look-ahead beyond this, s, > 0. Default Infinity: the force and the speeds alone say how early. */
  horizon?: number
  /** Gives way when the time to a contact is less than so many times the time in which both can stop, > 0. Default 2. */
  caution?: number
  /** Only others with one of these group bits are avoided. Default all. */
  groups?: number
  /**
   * Everybody is seen up to this share of the sum of the radii aside of where it is, each its own way, by its seed, so that exact symmetry
   * stops nobody; in [0, 0.1]. Default 0.02. With 0 mirror images stay mirror images, and those head-on stop in front of each other.
   */
  bias?: number
}

/** The others' rounding, lag and bias are less. */
const DEFAULT_MARGIN = 0.15

/** Less saves a little time and has contacts where a hundred meet; more begins so early that all slow down. */
const DEFAULT_CAUTION = 2

const DEFAULT_BIAS = 0.02

/** No contact is expected later than so many times the time to stop, and so many lags. */
const FORESIGHT = 5

/** Who is inside the margin leaves it in so many lags. */
const PARTING = 2

/** The others are looked at where they will be after this share of the lag. */
const HEADWAY = 0.5

/** A conflict that takes less than so many times what one lag can change counts in part, or a crowd would make it chatter … */
const SMALL = 1.5

/** … and n conflicts at once leave n to the minus this of the force for each. */
const CROWDING = 0.5

/** So many of the most urgent demands are made: three decide, the others hardly ever. */
const MOST = 24

/** Who goes first in a queue does so much less of what both must do, and the other one so much more: nearly all of it. */
const IN_ORDER = 0.45

/** Steps are taken to be no longer than this (s) where a default is derived. */
const LONGEST_STEP = 1 / 15

/**
 * A change that is needed is made in no more than this share of the time until the gap, less this share of the margin, is used up: what is left to
 * the servo of a slow agent comes too late in a dense crowd.
 */
const ANSWER_SHARE = 0.5
const SPENT = 0.5

/** Who makes less than this share of the speed that it wants is held up: its margin shrinks, down to this share of the radii when it stands. */
const HELD_UP = 0.9
const LEAST_MARGIN = 0.2

/** Per neighbour: unit normal, present speed along it, lack, share, gap, closing speed or −1, haste; later least speed and urgency. */
const WIDTH = 9

const normal = vec3()
const there = vec3()
const urgent = new Int32Array(MOST)
let table = new Float64Array(WIDTH * 64)

/**
 * Flies where it will hit nobody, when the others do their part (van den Berg, Guy, Lin and Manocha, Reciprocal n-Body Collision Avoidance,
 * 2011, in 3D): each neighbour is a half-space of velocities, and `within` finds the one nearest to the wish in front of all of them, together
 * with walls and obstacles, which never give way to it. Departures: it knows its force: a change that can still be made later is not yet
 * demanded (what the paper's horizon cuts off at one time for all), the program ends at what one response time can change, and the
 * others are looked at where they will be when both have answered; each does its share by `priority` (Green's table of
 * relative masses; Infinity yields to nobody) instead of half, or, of two of equal priority in a `Queue`, by their order; seeds break exact
 * symmetry.
 *
 * It excludes contacts where forces suffice and the others keep to it too. A hundred that swap places on a sphere hardly ever touch; three
 * hundred that all aim at one point do.
 */
export class ReciprocalAvoidance implements Constraint {
  static readonly type: string = 'ReciprocalAvoidance'
  neighborDistance: number | undefined
  clearance: number | undefined
  horizon: number
  caution: number
  groups: number
  bias: number
  private readonly limits = new VelocitySolver()
  readonly state: SnapshotState = [this.limits]

  /** @throws RangeError naming the option. */
  constructor(options: ReciprocalAvoidanceOptions = {}) {
    const { neighborDistance, clearance, horizon = Infinity, caution = DEFAULT_CAUTION } = options
    const { groups = -1, bias = DEFAULT_BIAS } = options
    this.neighborDistance =
      neighborDistance === undefined
        ? undefined
        : requireFinite('ReciprocalAvoidance.neighborDistance', neighborDistance, 0, true)
    this.clearance =
      clearance === undefined
        ? undefined
        : requireFinite('ReciprocalAvoidance.clearance', clearance, 0, false)
    this.horizon = requireNumber('ReciprocalAvoidance.horizon', horizon, 0, true)
    this.caution = requireFinite('ReciprocalAvoidance.caution', caution, 0, true)
    this.groups = requireWhole('ReciprocalAvoidance.groups', groups, -(2 ** 31), 2 ** 32 - 1)
    this.bias = requireNumber('ReciprocalAvoidance.bias', bias, 0, false, 0.1)
  }

  get reach(): number {
    return this.neighborDistance ?? 0
  }

  reachFor(
    { radius, mass, maxForce, speed, maxSpeed, responseTime }: Readonly<VehicleState>,
    others: Readonly<AgentMaxima>,
  ): number {
    if (this.neighborDistance !== undefined) return 0
    const { clearance, caution, horizon } = this
    const power = maxForce / mass
    const own = fullSpeed(speed, maxSpeed, power)
    const sum = radius + others.radius
    const far = clearance === undefined ? sum * (1 + DEFAULT_MARGIN) : sum + clearance
    // no step is longer than that of a slow world
    const lag = Math.max(responseTime, LONGEST_STEP)
    return searchDistance(own + others.speed, power, lag, far, radius, caution, horizon)
  }

  constrain(agent: Agent, step: Step, limits: VelocityConstraints): void {
    const kept = this.chooseUrgent(
      agent,
      step,
      this.fillTable(
        agent,
        step,
        limits.exemption,
        progressOf(agent, limits.wantedVelocity),
        limits.queueOrder,
      ),
    )
    for (let k = 0; k < kept; k++) {
      const at = WIDTH * urgent[k]!
      limits.addHalfSpace(set(normal, table[at]!, table[at + 1]!, table[at + 2]!), table[at + 4]!, true)
    }
  }

  /** As a plain behaviour: the force that leads the present velocity past the others. */
  steer(agent: Agent, step: Step, out: Wrench): void {
    this.limits.obey(agent, step, this, out.force)
  }

  /** Draws what is demanded of the velocity, as lines of that length along the normals. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const kept = this.chooseUrgent(agent, step, this.fillTable(agent, step))
    for (let k = 0; k < kept; k++) {
      const at = WIDTH * urgent[k]!
      set(normal, table[at]!, table[at + 1]!, table[at + 2]!)
      draw.line('reciprocal', agent.position, addScaled(there, agent.position, normal, table[at + 7]!))
    }
  }

  /** Writes what would avoid each neighbour into the table, and returns their number. */
  private fillTable(agent: Agent, step: Step, spares?: Exemption, pace = 1, queue?: QueueOrder): number {
    const { priority: own } = agent
    const neighbors = neighborsOf(agent)
    const { count, distanceSq, group, position, row, seed, velocity } = neighbors
    const { x: ox, y: oy, z: oz } = agent.position
    const { x: vx, y: vy, z: vz } = agent.velocity
    const { groups, clearance, neighborDistance } = this
    const lag = servoTime(agent, step)
    const power = agent.maxForce / agent.mass
    const top = fullSpeed(agent.speed, agent.maxSpeed, power)
    const mine = mix(agent.seed, 0)
    let found = 0
    for (let i = 0; i < count; i++) {
      const r = row[i]!
      if (
        (group[r]! & groups) === 0 ||
        (neighborDistance !== undefined && !isWithinReach(neighbors, i, neighborDistance))
      )
        continue
      const their = neighbors.priority(r)
      let share = yieldShare(own, their)
      if (queue !== undefined && own === their) share += IN_ORDER * queue.rank(agent, r)
      if (share === 0) continue
      const p = 3 * r
      const ux = vx - velocity[p]!
      const uy = vy - velocity[p + 1]!
      const uz = vz - velocity[p + 2]!
      const sum = agent.radius + neighbors.radius(r)
      const far = sum + clearanceOf(clearance, sum, pace)
      if (neighborDistance === undefined) {
        const other = fullSpeedOf(velocity, p, neighbors.maxSpeed(r))
        const range = searchDistance(top + other, power, lag, far, agent.radius, this.caution, this.horizon)
        if (!(distanceSq[i]! < range * range)) continue
      }
      const theirs = mix(seed[r]!, 0)
      const shift = (sum * this.bias) / 1023
      const ahead = HEADWAY * lag
      const x = position[p]! - ox - ahead * ux + shift * (digits(theirs, 0) - digits(mine, 0))
      const y = position[p + 1]! - oy - ahead * uy + shift * (digits(theirs, 10) - digits(mine, 10))
      const z = position[p + 2]! - oz - ahead * uz + shift * (digits(theirs, 20) - digits(mine, 20))
      if (spares !== undefined && exemptsAgent(spares, neighbors, r, far)) continue
      const d = Math.sqrt(x * x + y * y + z * z)
      const gap = d - far
      const stop = power > 0 ? Math.sqrt(Math.max(0, gap) * (share / power)) : 0
      const horizon = Math.min(this.horizon, FORESIGHT * (lag + stop))
      const escape = velocityObstacle(x, y, z, ux, uy, uz, far, horizon, PARTING * lag)
      if (escape === null) continue
      const at = WIDTH * found++
      if (at === table.length) table = grown(table, 2 * at)
      table[at] = escape.x
      table[at + 1] = escape.y
      table[at + 2] = escape.z
      table[at + 3] = vx * escape.x + vy * escape.y + vz * escape.z
      table[at + 4] = escape.violation
      table[at + 5] = share
      table[at + 6] = gap
      table[at + 7] = gap <= 0 ? -1 : Math.max(0, (ux * x + uy * y + uz * z) / d)
      // as they are now, and not as they will be
      const nearing = ux * (position[p]! - ox) + uy * (position[p + 1]! - oy) + uz * (position[p + 2]! - oz)
      const now = Math.sqrt(distanceSq[i]!)
      const room = Math.max(0, now - sum - SPENT * (far - sum))
      const time = nearing > 0 ? (ANSWER_SHARE * room * now) / nearing : room > 0 ? lag : 0
      table[at + 8] = lag / Math.max(step.dt, Math.min(lag, time))
    }
    return found
  }

  /** Leaves later what can be done later. Returns how many demands are left; they are in `urgent`, the most urgent first. */
  private chooseUrgent(agent: Agent, step: Step, found: number): number {
    const lag = servoTime(agent, step)
    const power = agent.maxForce / agent.mass
    const reach = power * lag
    // of the force, what there is for each
    const each = power / conflicts(found, SMALL * reach) ** CROWDING
    let kept = 0
    for (let i = 0; i < found; i++) {
      const at = WIDTH * i
      const share = table[at + 5]!
      const gap = table[at + 6]!
      const closing = table[at + 7]!
      let change = share * table[at + 4]!
      if (closing >= 0 && each > 0) {
        // until they meet, if from now on both speed up
        const time = (2 * gap) / (closing + Math.sqrt(closing * closing + 4 * each * gap))
        change -= power * Math.max(0, time - this.caution * (lag + (share * closing) / each))
      }
      // what nothing it can do would violate
      if (!(change > -reach)) continue
      let place = kept
      if (kept < MOST) kept++
      else if (change <= table[WIDTH * urgent[MOST - 1]! + 7]!) continue
      else place--
      for (; place > 0 && table[WIDTH * urgent[place - 1]! + 7]! < change; place--)
        urgent[place] = urgent[place - 1]!
      urgent[place] = i
      // a change that is needed within less than a response time is demanded this factor larger
      table[at + 4] = table[at + 3]! + (change > 0 ? change * table[at + 8]! : change)
      table[at + 7] = change
    }
    return kept
  }
}

/** How many of the neighbours in the table it must evade now; small changes count in part. At least 1. */
function conflicts(found: number, small: number): number {
  let sum = 0
  for (let i = 0; i < found; i++) {
    const lack = table[WIDTH * i + 4]!
    if (lack > 0) sum += 2 * table[WIDTH * i + 5]! * (lack < small ? lack / small : 1)
  }
  return Math.max(1, sum)
}

/** The clearance (m) kept between hulls that are `sum` (m) from centre to centre when they touch, by one that makes the share `pace` of its way. */
function clearanceOf(margin: number | undefined, sum: number, pace: number): number {
  if (margin === undefined) return DEFAULT_MARGIN * sum
  const least = LEAST_MARGIN * sum
  return pace < HELD_UP && margin > least ? least + ((margin - least) * pace) / HELD_UP : margin
}

/** Share of the speed wanted that it makes good, 0 … 1. */
function progressOf({ velocity }: Agent, wanted: Vec3Like): number {
  const sq = lengthSq(wanted)
  return sq > 0 ? clamp(dot(velocity, wanted) / sq, 0, 1) : 1
}

/** Ten bits of a key. */
function digits(key: number, from: number): number {
  return (key >>> from) & 1023
}

/** No vehicle is taken to need longer than this (s) to stop. */
const LONGEST_STOP = 60

/** Of the time in which both can stop, as in the advice 3 · maxSpeed² · mass / maxForce for two that are equal; and own radii besides. */
const STOP_SHARE = 0.375
const RADII = 10

/**
 * How far (m, from centre to centre) an agent with this `radius` (m) must look to avoid another in time: the way on which both near each
 * other, at `closing` (m/s) at most, in `caution` times the time to answer and to stop or step aside, whichever takes longer; at most for
 * `horizon` (s); and some radii. `power` (m/s²) is what the agent can change, `lag` (s) its time to answer, `far` (m) the least distance that is kept.
 */
function searchDistance(
  closing: number,
  power: number,
  lag: number,
  far: number,
  radius: number,
  caution: number,
  horizon: number,
): number {
  const stop = Math.max(STOP_SHARE * (closing / power), 0.5 * Math.sqrt((2 * far) / power))
  const time = Math.min(caution * (lag + (power > 0 ? Math.min(stop, LONGEST_STOP) : 0)), horizon)
  return far + RADII * radius + closing * time
}

/** The most (m/s) that an agent may soon fly: its `maxSpeed`; without one, what it makes of a second. Never less than it flies now. */
function fullSpeed(speed: number, maxSpeed: number, power: number): number {
  if (maxSpeed < Infinity) return maxSpeed > speed ? maxSpeed : speed
  return power < Infinity ? speed + power : speed
}

/** As {@link fullSpeed}, of another agent, whose force nobody knows; its velocity stands in a column from `at` on. */
function fullSpeedOf(velocity: Float64Array, at: number, maxSpeed: number): number {
  const x = velocity[at]!
  const y = velocity[at + 1]!
  const z = velocity[at + 2]!
  return fullSpeed(Math.sqrt(x * x + y * y + z * z), maxSpeed, 0)
}
