import type { Agent, Behavior, SnapshotState, Moving, Step, Wrench, Vec3, Vec3Like } from '../../types.js'
import { Memory } from '../../control/memory.js'
import { topSpeed } from '../../control/drive.js'
import {
  addScaled,
  distance,
  length,
  load,
  save,
  vec3,
  copy,
  cross,
  dot,
  isZero,
  normalize,
  reject,
  scale,
  set,
  sub,
} from '../../math/vec3.js'
import { requireFinite, requireNumber } from '../../math/require.js'
import { thrustAlong, farthestAlong } from './intercept.js'
import { fleePoint } from '../../control/seek-point.js'
import { requireMoving } from '../../control/target.js'
import { closestApproach } from '../../math/approach.js'

/**
 * How a threat is escaped.
 * - `turn-inside`: one that is slower, or as fast, is fled; one that is faster is let come near, and then turned away from, inside of
 *   its turning circle.
 * - `flee`: Green's: straight away from where the two could meet. A faster threat gets it in the end.
 */
export type EvadeMethod = 'turn-inside' | 'flee'

export const EVADE_METHODS: readonly EvadeMethod[] = ['turn-inside', 'flee']

export interface EvadeOptions {
  /** Whom to escape. */
  target: Moving
  /** Only when it is nearer than this, m, > 0. Default Infinity. */
  panicDistance?: number
  /** No look-ahead beyond this when it flees, s, > 0. Default 2. */
  maxPredictionTime?: number
  /** Default `turn-inside`: fleeing never escapes from a faster one, and the two are the same before all others. */
  method?: EvadeMethod
  /** How hard the threat is thought to turn, as a share of the agent's own maxForce / mass, dimensionless, ≥ 0. Larger dodges later, and not at all from what turns as hard. Default 0.7. */
  agilityRatio?: number
  /** Distance of the two at which it is caught, m, > 0. Default twice the agent's radius. */
  catchDistance?: number | null
}

/**
 * Of 0.5, 0.6, 0.7, 0.8 and 1 the one with which most escaped in the trials it was chosen on, from threats whose circle is two to four times
 * as wide; in others, 95 % do (test/acceptance/pursuit.test.ts).
 */
const DEFAULT_AGILITY_RATIO = 0.7

const meeting = vec3()
const thrustDirection = vec3()
const turnDirection = vec3()
const ZERO = vec3()
const duelLimits = { catchDistance: 0, acceleration: 0, topSpeed: 0, threatAcceleration: 0, threatSpeed: 0 }

/**
 * Flies from where the threat will be when the two could meet (Green, Pursue and Evade: the opposite of pursuit; time by the course
 * deck: gap over the sum of both speeds). From a threat that is faster, but turns wider, it turns away at the last moment: see
 * {@link EvadeMethod}. That looks two seconds ahead, at some 30 directions, while the threat is about to arrive, and costs nothing before.
 */
export class Evade implements Behavior {
  static readonly type: string = 'Evade'
  target: Moving
  panicDistance: number
  maxPredictionTime: number
  method: EvadeMethod
  agilityRatio: number
  catchDistance: number | null
  /** Direction it has turned to, or zero. */
  private readonly memory = new Memory(3)
  readonly state: SnapshotState = [this.memory]

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: EvadeOptions) {
    const {
      target,
      panicDistance = Infinity,
      maxPredictionTime = 2,
      method = 'turn-inside',
      agilityRatio = DEFAULT_AGILITY_RATIO,
      catchDistance = null,
    } = options
    if (!EVADE_METHODS.includes(method))
      throw new RangeError(`Evade.method: got '${method}', allowed are '${EVADE_METHODS.join(`', '`)}'`)
    this.target = requireMoving('Evade.target', target)
    this.panicDistance = requireNumber('Evade.panicDistance', panicDistance, 0, true)
    this.maxPredictionTime = requireNumber('Evade.maxPredictionTime', maxPredictionTime, 0, true)
    this.method = method
    this.agilityRatio = requireFinite('Evade.agilityRatio', agilityRatio, 0, false)
    this.catchDistance =
      catchDistance === null ? null : requireFinite('Evade.catchDistance', catchDistance, 0, true)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { memory, target } = this
    const offset = memory.at(agent)
    load(turnDirection, memory.data, offset)
    save(ZERO, memory.data, offset)
    const gap = distance(target.position, agent.position)
    if (gap >= this.panicDistance && this.panicDistance < Infinity) return
    const top = topSpeed(agent)
    const threatSpeed = length(target.velocity)
    if (this.method === 'turn-inside' && threatSpeed > top && gap > 0) {
      duelLimits.catchDistance = this.catchDistance ?? 2 * agent.radius
      duelLimits.acceleration = agent.maxForce / agent.mass
      duelLimits.topSpeed = top
      duelLimits.threatAcceleration = this.agilityRatio * duelLimits.acceleration
      duelLimits.threatSpeed = threatSpeed
      thrustAlong(
        agent,
        step,
        turnInside(thrustDirection, agent, target, duelLimits, turnDirection),
        top,
        out.force,
      )
      save(turnDirection, memory.data, offset)
      return
    }
    // not gap / pace: a threat that flies straight at the agent would then be predicted right on top of it
    const time = Math.min(gap / (threatSpeed + top), this.maxPredictionTime)
    fleePoint(agent, step, addScaled(meeting, target.position, target.velocity, time), out.force)
  }
}

/** How far ahead (s) an escape is thought through, and in what steps. */
const SIMULATED_TIME = 2
const SIMULATION_STEP = 0.08

/** A miss by so many times the reach is as good as any wider one. */
const WIDE_MISS = 3

/** What a metre of distance at the end is worth, in metres of miss: little more than a trial to choose among equals. */
const DISTANCE_WEIGHT = 0.005

/** Another direction must be better than the one of the last step by this share of the reach: of equals none would be kept for long. With 0.3 more are caught. */
const BETTER = 0.1

/** It turns back to flying straight away when that keeps the threat off by so much more than what made it turn. */
const CLEAR_FACTOR = 1.2

/** Directions tried: so many rings around the course of the threat, with four on each, and the course itself. */
const RINGS = 7
const ON_RING = 4

const gap = vec3()
const drift = vec3()
const ahead = vec3()
const beside = vec3()
const above = vec3()
const trial = vec3()
const lastDirection = vec3()
const aimDirection = vec3()
const relativeVelocity = vec3()
const ownVelocity = vec3()
const threatVelocity = vec3()

/** What is known of the two: reach (m), accelerations (m/s²) and top speeds (m/s) of the agent and of the threat. */
interface DuelLimits {
  catchDistance: number
  acceleration: number
  topSpeed: number
  threatAcceleration: number
  threatSpeed: number
}

/** What {@link foresee} found: the nearest it came, m, and what the end is worth, m. */
const found = { miss: 0, value: 0 }

/**
 * Writes the unit direction to thrust in, away from a threat that is faster: straight away, as long as that keeps it off for the next two
 * seconds; else the best of 29 directions around the threat's course, each flown through in mind, with the threat after it. For one
 * that turns wider that comes out as what Isaacs found for the homicidal chauffeur (Differential Games, 1965): let it come near, then
 * turn hard across its course, inside of its turning circle. `kept` is the direction it has turned to in the last step, or zero, and is kept up to
 * date: it is held until another one is clearly better.
 */
function turnInside(out: Vec3, agent: Agent, threat: Moving, limits: DuelLimits, keptDirection: Vec3): Vec3 {
  const isTurning = !isZero(keptDirection)
  copy(lastDirection, keptDirection)
  set(keptDirection, 0, 0, 0)
  sub(gap, agent.position, threat.position)
  normalize(out, gap)
  simulate(agent, threat, out, limits, -Infinity)
  if (found.miss >= WIDE_MISS * limits.catchDistance * (isTurning ? CLEAR_FACTOR : 1)) return out
  let bestValue = found.value
  if (isTurning) {
    simulate(agent, threat, lastDirection, limits, -Infinity)
    const heldValue = found.value + BETTER * limits.catchDistance
    if (heldValue > bestValue) {
      bestValue = heldValue
      copy(out, lastDirection)
    }
  }
  normalize(ahead, threat.velocity)
  findSide(agent, threat, limits.catchDistance)
  for (let k = 0; k <= RINGS * ON_RING; k++) {
    const angle = (Math.PI * Math.ceil(k / ON_RING)) / (RINGS + 1)
    const turn = (2 * Math.PI * k) / ON_RING
    scale(trial, ahead, Math.cos(angle))
    addScaled(trial, trial, beside, Math.sin(angle) * Math.cos(turn))
    addScaled(trial, trial, above, Math.sin(angle) * Math.sin(turn))
    simulate(agent, threat, trial, limits, bestValue)
    if (found.value <= bestValue) continue
    bestValue = found.value
    copy(out, trial)
  }
  copy(keptDirection, out)
  return out
}

/** `beside`: the side, square to the course of the threat, to which it will miss as things stand; dead on, up in the course frame. */
function findSide(agent: Agent, threat: Moving, catchDistance: number): void {
  sub(gap, agent.position, threat.position)
  sub(drift, agent.velocity, threat.velocity)
  closestApproach(beside, gap, drift)
  reject(beside, beside, ahead)
  if (!(length(beside) > 1e-3 * catchDistance)) reject(beside, agent.course.y, ahead)
  if (!(length(beside) > 1e-6)) reject(beside, agent.course.z, ahead)
  normalize(beside, beside)
  cross(above, ahead, beside)
}

/** Flies both for a while: the agent along `n`, the threat to where it will meet it. Gives up when it cannot be worth `most`. */
function simulate(agent: Agent, threat: Moving, n: Vec3Like, limits: DuelLimits, bestValue: number): void {
  const { threatAcceleration, acceleration, catchDistance, threatSpeed, topSpeed: ownTopSpeed } = limits
  copy(ownVelocity, agent.velocity)
  copy(threatVelocity, threat.velocity)
  sub(gap, agent.position, threat.position)
  let nearest = length(gap)
  for (let time = 0; time < SIMULATED_TIME; time += SIMULATION_STEP) {
    // it aims ahead, by the time it takes to come
    addScaled(aimDirection, gap, ownVelocity, Math.min(1, length(gap) / threatSpeed))
    normalize(aimDirection, aimDirection)
    farthestAlong(
      threatVelocity,
      threatVelocity,
      aimDirection,
      threatSpeed,
      threatAcceleration * SIMULATION_STEP,
    )
    farthestAlong(ownVelocity, ownVelocity, n, ownTopSpeed, acceleration * SIMULATION_STEP)
    sub(relativeVelocity, ownVelocity, threatVelocity)
    const sq = dot(relativeVelocity, relativeVelocity)
    const pass = sq > 0 ? Math.min(SIMULATION_STEP, Math.max(0, -dot(gap, relativeVelocity) / sq)) : 0
    nearest = Math.min(nearest, length(addScaled(aimDirection, gap, relativeVelocity, pass)))
    addScaled(gap, gap, relativeVelocity, SIMULATION_STEP)
    if (nearest + DISTANCE_WEIGHT * (length(gap) + (ownTopSpeed + threatSpeed) * SIMULATED_TIME) < bestValue)
      break
  }
  found.miss = nearest
  found.value = Math.min(nearest, WIDE_MISS * catchDistance) + DISTANCE_WEIGHT * length(gap)
}
