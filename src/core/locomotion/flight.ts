import type { Agent, Locomotion, Step, Vec3Like, Wrench } from '../types.js'
import { shareWithin } from '../math/ball.js'
import {
  AgentBlock,
  AXES,
  COMPENSATE_GRAVITY,
  COURSE,
  GIVEN,
  GRAVITY,
  LIFT,
  MASS,
  MAX_FORCE,
  MAX_SPEED,
  SPEED,
  TORQUE,
  VELOCITY,
  WANTED,
  type BlockLocomotion,
} from '../control/agent-block.js'
import { limitTorque, loadSolid, turnTime } from '../control/turn.js'
import { limitBlock } from '../control/turn-block.js'
import { saveQuat } from '../math/quat.js'
import { addScaled, copy, dot, length, load, reject, save, scale, set, vec3 } from '../math/vec3.js'
import { DEFAULT_BANK_WEIGHT } from './attitude.js'
import {
  availableLift,
  bankBlock,
  flightDirection,
  headBlock,
  thrustBlock,
  wingBlock,
} from './flight-block.js'
import { WithDefaults, type AnyTable, type FieldsOf, type Options, type OptionsOf } from '../math/options.js'

export interface FlightOptions extends Options, OptionsOf<typeof Flight.options> {}
export interface Flight extends FieldsOf<typeof Flight.options> {}

const ahead = vec3()
const lateral = vec3()
const towards = vec3()
const torque = vec3()
/** One agent that is steered by itself. */
const alone = new AgentBlock(1, 1)

/**
 * Moves the agent as a bird or an aircraft: thrust along its nose, drag along its course, and turns by
 * rolling its wings until their lift has the wanted direction; until then they give less of it. So a turn
 * shows as a bank and begins a moment later than that of a drone. The lift also carries the weight.
 */
export class Flight extends WithDefaults<FlightOptions> implements Locomotion {
  static readonly type: string = 'Flight'
  static readonly options = {
    /**
     * Least speed, m/s, ≥ 0. Below it the engine accelerates the vehicle by itself, and the lift falls with
     * v². Default 0.
     */
    minSpeed: { kind: 'number', unit: 'm/s', atLeast: 0, infinite: true, default: 0 },
    /** Greatest thrust ahead, N, ≥ 0. Default the agent's `maxForce`. */
    thrust: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** Greatest braking force of flaps and drag, N, ≥ 0. Default half of the agent's `maxForce`. */
    brake: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /**
     * Greatest lift across the wings, N, ≥ 0. The turn radius is m·v² / lift. Default the agent's `maxForce`.
     */
    lift: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** Force of body and fin to the side, without banking, as a share of the lift. Default 0.25. */
    // Aircraft have little side force without banking. Chosen by hand.
    sideForce: { kind: 'number', atLeast: 0, infinite: true, default: 0.25 },
    /**
     * Acceleration (m/s²) against which a bank is measured, see `AttitudeOptions.bankWeight`. Default 9.81.
     */
    bankWeight: { kind: 'number', unit: 'm/s²', atLeast: 0, infinite: true, default: DEFAULT_BANK_WEIGHT },
  } as const satisfies AnyTable

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    loadAlone(agent, demand.force, step)
    headBlock(this, alone)
    wingBlock(this, alone)
    thrustBlock(this, alone, step)
    load(out.force, alone.data, GIVEN)
    if (demand.turns) limitTorque(agent, step.dt, copy(out.torque, demand.torque))
    else {
      bankBlock(this, alone, step)
      limitBlock(alone, step)
      load(out.torque, alone.data, TORQUE)
      out.turns = true
    }
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    flightDirection(ahead, agent)
    const along = x * ahead.x + y * ahead.y + z * ahead.z
    // the wings carry the weight across the course; the engine carries that along it, if `compensateGravity`
    // is set
    reject(lateral, scale(lateral, agent.gravity, -agent.mass), ahead)
    reject(towards, set(towards, x, y, z), ahead)
    const lift = availableLift(this, agent.speed, agent.maxForce)
    const across = length(lateral) <= lift ? shareWithin(lateral, towards, lift) : 0
    const cost = agent.compensateGravity ? -agent.mass * dot(agent.gravity, ahead) : 0
    const thrust =
      along > 0 ? (this.thrust ?? agent.maxForce) - cost : (this.brake ?? agent.maxForce / 2) + cost
    if (length(towards) < 1e-9) return thrust
    return Math.abs(along) < 1e-9 ? across : Math.min(thrust / Math.abs(along), across)
  }

  /** See `Locomotion.forBlocks`. @internal */
  forBlocks(): BlockLocomotion | null {
    return this.actuate === Flight.prototype.actuate ? this : null
  }

  actuateBlock(block: AgentBlock, step: Step): void {
    headBlock(this, block)
    wingBlock(this, block)
    thrustBlock(this, block, step)
    bankBlock(this, block, step)
    limitBlock(block, step)
  }

  /** The wings must roll before their lift has the wanted direction. */
  forceTurnTime(agent: Agent): number {
    const time = turnTime(agent, agent.attitude.x, Math.PI / 2)
    return time < Infinity ? time : 0
  }

  turnForForce(agent: Agent, force: Vec3Like, step: Step, out: Wrench): void {
    loadAlone(agent, force, step)
    headBlock(this, alone)
    save(force, alone.data, LIFT)
    wingBlock(this, alone)
    bankBlock(this, alone, step)
    out.turns = true
    addScaled(out.torque, out.torque, load(torque, alone.data, TORQUE), 1)
  }
}

/** Writes what `Flight` reads of an agent, and the force that is wanted of it. */
function loadAlone(agent: Agent, force: Vec3Like, step: Step): void {
  const { data } = alone
  loadSolid(data, agent, step)
  save(force, data, WANTED)
  save(agent.velocity, data, VELOCITY)
  save(agent.course.x, data, COURSE)
  save(agent.gravity, data, GRAVITY)
  saveQuat(agent.axes, data, AXES)
  data[SPEED] = agent.speed
  data[MASS] = agent.mass
  data[MAX_FORCE] = agent.maxForce
  data[MAX_SPEED] = agent.maxSpeed
  data[COMPENSATE_GRAVITY] = agent.compensateGravity ? 1 : 0
}
