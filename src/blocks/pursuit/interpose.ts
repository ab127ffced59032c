import type {
  Agent,
  Behavior,
  DebugDraw,
  SnapshotState,
  PointSource,
  Step,
  Vec3,
  Wrench,
} from '../../core/types.js'
import { limitToSpeed, topSpeed } from '../../core/control/drive.js'
import { BRAKE_SHARE } from '../../core/control/profile.js'
import { smoothstep } from '../../core/math/scalar.js'
import { addScaled, distance, isFiniteVec, lerp, scale, set, sub, vec3 } from '../../core/math/vec3.js'
import { arriveAt } from '../../core/control/arrive-at.js'
import { TrackedTarget } from './tracked-target.js'
import { closingIn, flyOn } from './run.js'
import { isGone, isThere, pointAt, requirePoint } from '../../core/control/target.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { refuse } from '../../core/math/require.js'

export interface InterposeOptions extends Options, OptionsOf<typeof Interpose.options> {}
export interface Interpose extends FieldsOf<typeof Interpose.options> {}

// The numbers below are chosen by hand unless they say otherwise.

/** Rounds in which the arrival time is found. More: more exact where the targets turn. */
const ROUNDS = 4
/** Upper bound of the arrival time (s), and so of the prediction. */
const MAX_TIME = 10

/** Within this time (s) of its arrival the agent matches the midpoint's velocity, without a prediction. */
const MATCHING_TIME = 1
/** From this time (s) on it flies to the predicted meeting point; between both times to a mixture. */
const MEETING_TIME = 3

function requireTwo(
  what: string,
  targets: readonly [PointSource, PointSource],
): readonly [PointSource, PointSource] {
  if (!Array.isArray(targets) || targets.length !== 2) refuse(what, targets, 'must be an array of two')
  requirePoint(`${what}[0]`, targets[0])
  requirePoint(`${what}[1]`, targets[1])
  return targets
}

const place = vec3()
const velocity = vec3()
const acceleration = vec3()
const secondPlace = vec3()
const toPlace = vec3()
const futurePlace = vec3()

/**
 * Flies between two targets and stays there (Green, Interpose and Hide; Reynolds 1999; course deck IMGD 4000,
 * Interpose). Both are predicted to the time of arrival. Green and the deck predict a straight line and an
 * arrival after distance / speed. Here turns, weaves and spirals of both are learnt from their velocity,
 * braking is counted, and velocity and acceleration of the place between them are fed forward. So the agent
 * does not lag behind targets that turn.
 */
export class Interpose extends WithOptions<InterposeOptions> implements Behavior {
  static readonly type: string = 'Interpose'
  static readonly options = {
    /** The two targets (m): points, moving things, or functions. A function counts as at rest. */
    targets: { kind: ['point'], required: true, check: requireTwo },
    /**
     * Position on the line between the targets, in [0, 1] (dimensionless): 0 at the first, 1 at the second.
     * Default 0.5.
     */
    ratio: { kind: 'number', atLeast: 0, atMost: 1, default: 0.5 },
    /** Speed to fly at (m/s, > 0), no more than the top speed. Default the top speed. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
  } as const satisfies AnyTable
  private readonly first = new TrackedTarget()
  private readonly second = new TrackedTarget()
  readonly state: SnapshotState = [this.first, this.second]

  steer(agent: Agent, step: Step, out: Wrench): void {
    const { targets: all } = this
    if (isGone(agent, step, this, isThere(all[0]) ? all[1] : all[0])) return
    const top = topSpeed(agent, this.speed)
    const { targets, first, ratio, second } = this
    if (!first.update(agent, step, targets[0]) || !second.update(agent, step, targets[1]))
      return flyOn(agent, step, top, out.force)
    lerp(place, first.position, second.position, ratio)
    lerp(velocity, first.flown, second.flown, ratio)
    lerp(acceleration, first.acceleration, second.acceleration, ratio)
    const time = this.arrivalTime(agent, top)
    if (time > MATCHING_TIME) {
      // Flies to the meeting point, as if the place between the targets moved there in a straight line.
      const share = smoothstep(time, MATCHING_TIME, MEETING_TIME)
      sub(toPlace, scale(toPlace, sub(toPlace, this.placeAt(futurePlace, time), place), 1 / time), velocity)
      scale(acceleration, acceleration, 1 - share)
      addScaled(acceleration, acceleration, toPlace, share / time)
      addScaled(velocity, velocity, toPlace, share)
    }
    if (!isFiniteVec(acceleration)) set(acceleration, 0, 0, 0)
    if (!isFiniteVec(velocity)) set(velocity, 0, 0, 0)
    const closing = closingIn(sub(toPlace, place, agent.position), velocity, top)
    arriveAt(agent, step, place, velocity, acceleration, closing, out.force)
    limitToSpeed(agent, step, out.force, this.speed)
  }

  /** Draws the line between the targets, and the line to the agent's place. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const [first, second] = this.targets
    pointAt(place, first, agent)
    pointAt(futurePlace, second, agent)
    draw.line('between', place, futurePlace)
    draw.line('interpose', agent.position, lerp(place, place, futurePlace, this.ratio))
  }

  /** Writes where the place will be after `time` seconds (m). Overwrites `secondPlace`. */
  private placeAt(out: Vec3, time: number): Vec3 {
    return lerp(out, this.first.positionAt(out, time), this.second.positionAt(secondPlace, time), this.ratio)
  }

  /** Time (s) until the agent has arrived, at `top` speed and then braking. */
  private arrivalTime(agent: Agent, top: number): number {
    const brake = (BRAKE_SHARE * agent.maxForce) / agent.mass
    let time = 0
    for (let i = 0; i < ROUNDS; i++) {
      const remaining = distance(this.placeAt(futurePlace, time), agent.position)
      const brakingDistance = (top * top) / (2 * brake)
      const newTime =
        remaining < brakingDistance ? Math.sqrt((2 * remaining) / brake) : remaining / top + top / (2 * brake)
      time = newTime < MAX_TIME ? newTime : MAX_TIME
    }
    return time
  }
}
