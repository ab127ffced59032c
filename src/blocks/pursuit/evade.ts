import type {
  Agent,
  Behavior,
  SnapshotState,
  Moving,
  Step,
  Wrench,
  Vec3,
  Vec3Like,
} from '../../core/types.js'
import { evasiveSide } from '../../core/control/evasive-side.js'
import { Memory } from '../../core/control/memory.js'
import { topSpeed } from '../../core/control/drive.js'
import {
  addScaled,
  distance,
  length,
  load,
  save,
  vec3,
  copy,
  cross,
  isZero,
  normalize,
  reject,
  scale,
  set,
  sub,
  ZERO,
} from '../../core/math/vec3.js'
import { thrustAlong, farthestAlong } from './intercept.js'
import { fleePoint } from '../../core/control/seek-point.js'
import { isGone, requireMoving } from '../../core/control/target.js'
import { closestApproach, nearestWithin } from '../../core/math/approach.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

/**
 * How a target is escaped.
 * - `turn-inside`: flees from a target that is no faster. It lets a faster one come near, then turns away
 *   inside the target's turning circle.
 * - `flee`: flies straight away from the point where the two could meet (Green). A faster target catches the
 *   agent in the end.
 */
export type EvadeMethod = 'turn-inside' | 'flee'

export interface EvadeOptions extends Options, OptionsOf<typeof Evade.options> {}
export interface Evade extends FieldsOf<typeof Evade.options> {}

const meeting = vec3()
const thrustDirection = vec3()
const turnDirection = vec3()

/** Of the present agent and its target: catch distance (m), accelerations (m/s²) and top speeds (m/s). */
const limits = { catchDistance: 0, acceleration: 0, topSpeed: 0, targetAcceleration: 0, targetSpeed: 0 }

/**
 * Flies away from where the target will be when the two could meet (Green, Pursue and Evade: the opposite of
 * pursuit; the time is the distance over the sum of both speeds, as in the course deck). From a target that
 * is faster but turns wider, it turns away at the last moment: see {@link EvadeMethod}. Then it simulates two
 * seconds in some 30 directions while the target is about to arrive, and does nothing costly before.
 */
export class Evade extends WithOptions<EvadeOptions> implements Behavior {
  static readonly type: string = 'Evade'
  static readonly options = {
    /** The agent to escape from. */
    target: { kind: 'named', required: true, check: requireMoving },
    /** The agent escapes only within this distance (m, > 0). Default Infinity. */
    panicDistance: { kind: 'number', unit: 'm', above: 0, infinite: true, default: Infinity },
    /** Upper bound of the prediction time when it flees (s, > 0). Default 2. */
    maxPredictionTime: { kind: 'number', unit: 's', above: 0, infinite: true, default: 2 },
    /**
     * Deliberate misjudgement when it flees: factor on the predicted time (≥ 0, dimensionless). With 0 it
     * flees from where the target is, above 1 from a place farther ahead. Default 1.
     */
    predictionFactor: { kind: 'number', atLeast: 0, default: 1 },
    /**
     * Default `turn-inside`: fleeing never escapes from a faster target, and from slower ones both are the
     * same.
     */
    method: { kind: 'text', oneOf: ['turn-inside', 'flee'], default: 'turn-inside' },
    /**
     * Assumed lateral acceleration of the target, as a share of the agent's own maxForce / mass
     * (dimensionless, ≥ 0). Larger turns later; from a target assumed to turn as hard it only flees. Default
     * 0.7.
     */
    // Of 0.5, 0.6, 0.7, 0.8 and 1 the value with which most agents escaped in the trials, from targets
    // whose turning circle is two to four times as wide. In other trials 95 % escape
    // (test/acceptance/pursuit.test.ts).
    agilityRatio: { kind: 'number', atLeast: 0, default: 0.7 },
    /** Distance at which the agent is caught (m, > 0). Default twice the agent's radius. */
    catchDistance: { kind: 'number?', unit: 'm', above: 0, default: null },
    /** Speed to evade at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  /** Direction of the present turn, or zero. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.memory]

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { memory, target } = this
    const offset = memory.at(agent)
    load(turnDirection, memory.data, offset)
    save(ZERO, memory.data, offset)
    const gap = distance(target.position, agent.position)
    if (gap >= this.panicDistance && this.panicDistance < Infinity) return
    const top = topSpeed(agent, this.speed)
    const targetSpeed = length(target.velocity)
    if (this.method === 'turn-inside' && targetSpeed > top && gap > 0) {
      limits.catchDistance = this.catchDistance ?? 2 * agent.radius
      limits.acceleration = agent.maxForce / agent.mass
      limits.topSpeed = top
      limits.targetAcceleration = this.agilityRatio * limits.acceleration
      limits.targetSpeed = targetSpeed
      turnInside(thrustDirection, agent, target, turnDirection)
      thrustAlong(agent, step, thrustDirection, top, out.force)
      save(turnDirection, memory.data, offset)
      return
    }
    // Not distance / speed of the target: for one that flies straight at the agent the predicted position
    // would be the agent's own.
    const time = Math.min(gap / (targetSpeed + top), this.maxPredictionTime) * this.predictionFactor
    fleePoint(agent, step, addScaled(meeting, target.position, target.velocity, time), out.force, this.speed)
  }
}

// The default prediction time and the numbers below are chosen by hand unless they say otherwise.

/** Simulated time (s). Longer: dearer, and threats are seen earlier. */
const SIMULATED_TIME = 2
/** Step of the simulation (s). Longer: cheaper and less exact. */
const SIMULATION_STEP = 0.08

/** A miss by this multiple of the catch distance is as good as any larger one. */
const WIDE_MISS = 3

/** Value of a metre of distance at the end, in metres of miss: decides between almost equal directions. */
const DISTANCE_WEIGHT = 0.005

/**
 * Another direction must be better than the last one by this share of the catch distance. Otherwise the agent
 * would change between equal directions. With 0.3 more agents are caught.
 */
const BETTER = 0.1

/** A turn ends when the target would miss by this factor more than at its start. Larger: it lasts longer. */
const CLEAR_FACTOR = 1.2

/** Rings of directions tried around the course of the target. More: a better choice, at more cost. */
const RINGS = 7
/** Directions on each ring. */
const ON_RING = 4

const gap = vec3()
const velocityDifference = vec3()
const ahead = vec3()
const beside = vec3()
const above = vec3()
const trial = vec3()
const lastDirection = vec3()
const aimDirection = vec3()
const relativeVelocity = vec3()
const ownVelocity = vec3()
const targetVelocity = vec3()

/** Result of {@link simulate}: smallest distance (m), and value of the direction (m). */
const found = { miss: 0, value: 0 }

/**
 * Writes the unit direction in which to thrust away from a faster target. That is straight away, as long as
 * the target then misses by far within the simulated time. Else it is the best of 29 directions around the
 * target's course, each simulated with the target in pursuit. Against a target that turns wider this
 * reproduces the solution of Isaacs' homicidal chauffeur (Differential Games, 1965): wait until it is near,
 * then turn hard across its course, inside its turning circle. `keptDirection` is the direction of the last
 * step, or zero, and is updated. It is kept until another one is clearly better.
 */
function turnInside(out: Vec3, agent: Agent, target: Moving, keptDirection: Vec3): void {
  const isTurning = !isZero(keptDirection)
  copy(lastDirection, keptDirection)
  set(keptDirection, 0, 0, 0)
  sub(gap, agent.position, target.position)
  normalize(out, gap)
  simulate(agent, target, out, -Infinity)
  if (found.miss >= WIDE_MISS * limits.catchDistance * (isTurning ? CLEAR_FACTOR : 1)) return
  let bestValue = found.value
  if (isTurning) {
    simulate(agent, target, lastDirection, -Infinity)
    const heldValue = found.value + BETTER * limits.catchDistance
    if (heldValue > bestValue) {
      bestValue = heldValue
      copy(out, lastDirection)
    }
  }
  normalize(ahead, target.velocity)
  findSide(agent, target)
  for (let k = 0; k <= RINGS * ON_RING; k++) {
    const angle = (Math.PI * Math.ceil(k / ON_RING)) / (RINGS + 1)
    const turn = (2 * Math.PI * k) / ON_RING
    scale(trial, ahead, Math.cos(angle))
    addScaled(trial, trial, beside, Math.sin(angle) * Math.cos(turn))
    addScaled(trial, trial, above, Math.sin(angle) * Math.sin(turn))
    simulate(agent, target, trial, bestValue)
    if (found.value <= bestValue) continue
    bestValue = found.value
    copy(out, trial)
  }
  copy(keptDirection, out)
}

/**
 * Writes into `beside` the side, square to the target's course, on which the target would miss now. On a
 * collision course it is up in the course frame, or to starboard for an agent that moves in a plane.
 */
function findSide(agent: Agent, target: Moving): void {
  sub(gap, agent.position, target.position)
  sub(velocityDifference, agent.velocity, target.velocity)
  closestApproach(beside, gap, velocityDifference)
  reject(beside, beside, ahead)
  if (!(length(beside) > 1e-3 * limits.catchDistance)) reject(beside, evasiveSide(agent), ahead)
  if (!(length(beside) > 1e-6)) reject(beside, agent.course.z, ahead)
  normalize(beside, beside)
  cross(above, ahead, beside)
}

/**
 * Simulates both: the agent flies along `n`, the target to where it will meet the agent. Stops when the value
 * cannot reach `bestValue`. Writes `found`.
 */
function simulate(agent: Agent, target: Moving, n: Vec3Like, bestValue: number): void {
  const { targetAcceleration, acceleration, catchDistance, targetSpeed, topSpeed: ownTopSpeed } = limits
  copy(ownVelocity, agent.velocity)
  copy(targetVelocity, target.velocity)
  sub(gap, agent.position, target.position)
  let nearest = length(gap)
  for (let time = 0; time < SIMULATED_TIME; time += SIMULATION_STEP) {
    // The target aims ahead by the time that it takes to arrive.
    addScaled(aimDirection, gap, ownVelocity, Math.min(1, length(gap) / targetSpeed))
    normalize(aimDirection, aimDirection)
    farthestAlong(
      targetVelocity,
      targetVelocity,
      aimDirection,
      targetSpeed,
      targetAcceleration * SIMULATION_STEP,
    )
    farthestAlong(ownVelocity, ownVelocity, n, ownTopSpeed, acceleration * SIMULATION_STEP)
    sub(relativeVelocity, ownVelocity, targetVelocity)
    nearest = Math.min(nearest, length(nearestWithin(aimDirection, gap, relativeVelocity, SIMULATION_STEP)))
    addScaled(gap, gap, relativeVelocity, SIMULATION_STEP)
    if (nearest + DISTANCE_WEIGHT * (length(gap) + (ownTopSpeed + targetSpeed) * SIMULATED_TIME) < bestValue)
      break
  }
  found.miss = nearest
  found.value = Math.min(nearest, WIDE_MISS * catchDistance) + DISTANCE_WEIGHT * length(gap)
}
