import type { Agent, Behavior, SnapshotState, Step, Vec3, Wrench } from '../../types.js'
import { drive, servoGain, servoTime, topSpeed } from '../../control/drive.js'
import { Memory } from '../../control/memory.js'
import { reportManual } from '../../control/wish.js'
import { isGone, requireMoving, requireOriented } from '../../control/target.js'
import { torqueFor, turnTo } from '../../control/turn.js'
import { isUsable, isUsableTurn } from '../../control/usable.js'
import { frame, frameOf, vectorToWorld } from '../../math/frame.js'
import { WithDefaults } from '../../math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../math/options.js'
import { loadQuat, quat, saveQuat } from '../../math/quat.js'
import { clamp, TAU } from '../../math/scalar.js'
import { add, addScaled, dot, isZero, length, scale, set, sub } from '../../math/vec3.js'
import { truncate, vec3, ZERO } from '../../math/vec3.js'

/**
 * The axes ahead, up, right, roll, pitch and yaw are in −1 … 1. In flight they may be set to any number: they
 * are clamped, and NaN counts as 0.
 */
export interface StickOptions extends Options, OptionsOf<typeof Stick.options> {}
export interface Stick extends FieldsOf<typeof Stick.options> {}

/** The attitude to hold is that at which the spin falls below this share of `turnRate`. Chosen by hand. */
const HELD_SHARE = 0.02

// stored for each agent
const IS_HELD = 0
const HELD = 1
const WIDTH = 5

const axes = frame()
const wanted = vec3()
const spin = vec3()
const held = quat()

/**
 * Flies as a player steers, by six axes. The axes ahead, up and right are those of the agent, or of a camera.
 * Inside `within([new AvoidObstacles({ obstacles })], stick)` the constraints assist the player: they slow
 * the ship before what it would touch and stop it there, and let pass the part of the wanted velocity along
 * the surface, if the stick points along it by more than 6° (in full from 17° on). They never evade for the
 * player, so a player can be hit by what moves, and a ship that cannot brake can hit. `contextMap` with a
 * `Stick` among its interests does the same. As parts of a `blend` or `priority` beside the stick,
 * constraints evade as for any agent. All options may be changed in flight.
 *
 * On wheels, ahead and astern are gears, and right and left steer, also astern; yaw does nothing. The
 * constraints do not steer, except along a surface at a glancing angle, below 20°. With a
 * `frame` a car drives to where the stick points, and turns around for that.
 */
export class Stick extends WithDefaults<StickOptions> implements Behavior {
  static readonly type: string = 'Stick'
  static readonly options = {
    /** Deflection ahead; negative: astern. Default 0. */
    ahead: { kind: 'number', atLeast: -1, atMost: 1, default: 0 },
    /** Deflection up; negative: down. Default 0. */
    up: { kind: 'number', atLeast: -1, atMost: 1, default: 0 },
    /** Deflection to starboard; negative: to port. Default 0. */
    right: { kind: 'number', atLeast: -1, atMost: 1, default: 0 },
    /** Turn rate about the nose as a share of `turnRate`; 1 turns the top to starboard. Default 0. */
    roll: { kind: 'number', atLeast: -1, atMost: 1, default: 0 },
    /** Turn rate about the starboard axis as a share of `turnRate`; 1 turns the nose up. Default 0. */
    pitch: { kind: 'number', atLeast: -1, atMost: 1, default: 0 },
    /** Turn rate about the up axis as a share of `turnRate`; 1 turns the nose to starboard. Default 0. */
    yaw: { kind: 'number', atLeast: -1, atMost: 1, default: 0 },
    /** Deflection (0 … 0.99) within which an axis counts as 0. Beyond it the axis starts at 0. Default 0. */
    deadzone: { kind: 'number', atLeast: 0, atMost: 0.99, default: 0 },
    /**
     * The object in whose frame ahead, up and right are, such as a camera. A camera of three.js looks along
     * its −Z: `{ quaternion: camera.quaternion, forward: { x: 0, y: 0, z: -1 } }`. Default the agent itself.
     */
    frame: { kind: 'named', check: requireOriented },
    /**
     * True: the deflection is a velocity, and without one the agent brakes to rest. False: the deflection is
     * a share of `maxForce`, and without one the agent drifts on. Default true.
     */
    killDrift: { kind: 'boolean', default: true },
    /** Speed at full deflection while drift is killed (m/s, > 0). Default the agent's `maxSpeed`. */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
    /**
     * A moving object. While drift is killed, the velocity is relative to that of this object. Default none:
     * relative to the world.
     */
    target: { kind: 'named', check: requireMoving },
    /**
     * Whether the agent holds its attitude while roll, pitch and yaw are 0. False leaves the attitude to the
     * locomotion, for example nose along the course. Default true.
     */
    holdAttitude: { kind: 'boolean', default: true },
    /**
     * Turn rate at full deflection (rad/s, > 0). Default the agent's `maxTurnRate`, or 2π if it has no limit.
     */
    turnRate: { kind: 'number', unit: 'rad/s', above: 0 },
  } as const satisfies AnyTable
  /** Whether an attitude is held (1), and that attitude. */
  private readonly memory = new Memory(WIDTH)
  readonly isManual = true
  readonly state: SnapshotState = [this.memory]

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.push(agent, step, out.force)
    this.turn(agent, step, out)
  }

  private push(agent: Agent, step: Step, out: Vec3): void {
    const { deadzone, target } = this
    set(
      wanted,
      deflection(this.ahead, deadzone),
      deflection(this.up, deadzone),
      deflection(this.right, deadzone),
    )
    // without a camera, ahead and astern are gears, and only the stick steers
    const isGeared = this.frame === undefined && !isZero(wanted)
    let gear = isGeared ? (wanted.x < 0 ? -1 : 1) : 0
    if (this.frame === undefined) vectorToWorld(wanted, agent.attitude, wanted)
    else if (isUsableTurn(agent, 'quaternion of the frame', this.frame.quaternion))
      vectorToWorld(wanted, frameOf(axes, this.frame), wanted)
    else return
    // a diagonal is no more than one full axis
    truncate(wanted, wanted, 1)
    if (!this.killDrift) {
      addScaled(out, out, wanted, agent.maxForce)
      addScaled(wanted, agent.velocity, out, 1 / servoGain(agent, step))
      if (isGeared) gear = dot(wanted, agent.attitude.x) < 0 ? -1 : 1
      reportManual(agent, ZERO, gear)
      return
    }
    scale(wanted, wanted, this.speed ?? topSpeed(agent))
    if (target !== undefined && !isGone(agent, step, this, target)) {
      if (!isUsable(agent, 'velocity of the target', target.velocity)) return
      add(wanted, wanted, target.velocity)
    }
    reportManual(agent, target?.velocity ?? ZERO, gear)
    drive(agent, step, wanted, out)
  }

  private turn(agent: Agent, step: Step, out: Wrench): void {
    const { deadzone, memory } = this
    set(
      spin,
      deflection(this.roll, deadzone),
      -deflection(this.yaw, deadzone),
      deflection(this.pitch, deadzone),
    )
    const at = memory.at(agent)
    const { data } = memory
    const isCentered = isZero(spin)
    if (!isCentered || !this.holdAttitude) data[at + IS_HELD] = 0
    if (isCentered && !this.holdAttitude) return
    const turnRate = this.turnRate ?? (agent.maxTurnRate < Infinity ? agent.maxTurnRate : TAU)
    if (isCentered && data[at + IS_HELD] === 0 && length(agent.angularVelocity) < HELD_SHARE * turnRate) {
      data[at + IS_HELD] = 1
      saveQuat(agent.orientation, data, at + HELD)
    }
    if (data[at + IS_HELD] === 1) {
      turnTo(agent, loadQuat(held, data, at + HELD), step, out)
      return
    }
    out.turns = true
    vectorToWorld(spin, agent.attitude, scale(spin, spin, turnRate))
    scale(spin, sub(spin, spin, agent.angularVelocity), 1 / servoTime(agent, step))
    add(out.torque, out.torque, truncate(spin, torqueFor(spin, agent, spin), agent.maxTorque))
  }
}

/** Deflection of an axis in −1 … 1, from any number. */
function deflection(axis: number, deadzone: number): number {
  const size = clamp((Math.abs(axis) - deadzone) / (1 - deadzone), 0, 1)
  return size > 0 ? Math.sign(axis) * size : 0
}
