import type { Agent, Oriented, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { facingSpeed, noseAttitude } from '../control/nose.js'
import { limitTorque, turnTo } from '../control/turn.js'
import { quat } from '../math/quat.js'
import { addScaled, copy, dot, length, normalize, reject, scale, vec3 } from '../math/vec3.js'
import { readOptions, type AnyTable, type FieldsOf, type Options, type OptionsOf } from '../math/options.js'
import { refuse, unchecked } from '../math/require.js'

export type { RollPolicy } from '../control/nose.js'

/** How a vehicle turns while no behaviour asks for a torque. */
export interface AttitudeOptions extends Options, OptionsOf<typeof ATTITUDE> {}
export interface Attitude extends FieldsOf<typeof ATTITUDE> {}

/** An aircraft on Earth banks by 45° in a turn of 1 g. */
export const DEFAULT_BANK_WEIGHT = 9.81

/** The options of an attitude. */
export const ATTITUDE = {
  /** Direction of the up axis, see {@link RollPolicy}. Default `bank`. */
  roll: { kind: 'text', oneOf: ['bank', 'level', 'free', 'match'], default: 'bank' },
  /**
   * Direction of the nose. `course`: along the velocity; it is held below 1 % of `maxSpeed`. `thrust`: along
   * the velocity to come, so a ship at rest turns to its goal before its main engine fires; it turns round to
   * brake only if it is one of `Thrusters` that lacks an engine. Default `course`.
   */
  facing: { kind: 'text', oneOf: ['course', 'thrust'], default: 'course' },
  /** The object to which roll `match` aligns the up axis. Required for it. */
  match: { kind: 'named', check: unchecked<Oriented> },
  /**
   * Acceleration (m/s²) along up against which a bank is measured: in a turn with this lateral acceleration
   * the vehicle banks by 45°. A larger value banks less. Default 9.81.
   */
  bankWeight: { kind: 'number', unit: 'm/s²', above: 0, default: DEFAULT_BANK_WEIGHT },
} as const satisfies AnyTable

// The numbers below are chosen by hand unless they say otherwise.

/** `facing: 'thrust'` points along the velocity after this time (s) under the present force. */
const ANTICIPATION = 1

/** `facing: 'thrust'` holds the nose while the velocity to come is below this share of `maxSpeed`. */
const FACING_DEAD_BAND = 0.02

const lateral = vec3()
const heading = vec3()
const target = quat()

/** The attitude policy of a locomotion: computes the torque. Its fields may be changed at any time. */
export class Attitude {
  /**
   * @throws RangeError for an unknown policy, a `match` roll without `match`, or a bank weight that is not >
   * 0.
   */
  constructor(options: AttitudeOptions = {}) {
    const read = readOptions('attitude', ATTITUDE, options)
    const { roll, match } = read
    if ((roll === 'match' || match !== undefined) && typeof match?.quaternion?.w !== 'number')
      refuse('attitude.match', match, `must have a quaternion; roll 'match' needs it`)
    Object.assign(this, read)
  }

  /**
   * Writes the limited torque: that of the behaviours if they ask for one, else that of this policy.
   * @param force N: the part of the force that changes the velocity, without the part that compensates
   * gravity.
   */
  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, force: Vec3Like, out: Wrench): void {
    if (asksTurn(demand)) copy(out.torque, demand.torque)
    else {
      scale(lateral, force, 1 / agent.mass)
      const { attitude, course, speed } = agent
      const nose =
        this.facing === 'thrust'
          ? thrustHeading(heading, agent, lateral)
          : speed > facingSpeed(agent)
            ? course.x
            : attitude.x
      reject(lateral, lateral, nose)
      const atRest = nose === attitude.x
      noseAttitude(target, agent, nose, this.roll, step, lateral, this.bankWeight, this.match, atRest)
      turnTo(agent, target, step, out)
    }
    limitTorque(agent, step.dt, out.torque)
  }
}

/** Whether the behaviours turn the vehicle. */
export function asksTurn({ torque, turns }: Readonly<Wrench>): boolean {
  return turns || torque.x !== 0 || torque.y !== 0 || torque.z !== 0
}

/**
 * Direction of the velocity to come, without the part of the force that brakes; the present nose if that
 * velocity is too small.
 */
function thrustHeading(out: Vec3, agent: Agent, acceleration: Vec3Like): Vec3Like {
  const { velocity, speed } = agent
  const braking = speed > 0 ? Math.min(0, dot(acceleration, velocity) / (speed * speed)) : 0
  addScaled(out, velocity, acceleration, ANTICIPATION)
  addScaled(out, out, velocity, -braking * ANTICIPATION)
  const limit = FACING_DEAD_BAND * Math.min(agent.maxSpeed, agent.maxForce / agent.mass)
  return length(out) > limit ? normalize(out, out) : agent.attitude.x
}
