import type { Step } from '../types.js'

/** Agents of a block. Their records then stay in the first cache of the processor. Chosen by hand. */
export const BLOCK = 32

// Offsets into the record of an agent: its state at the start of the step, as in `Agent`.
export const POSITION = 0
export const VELOCITY = 3
export const SPEED = 6
/** The axes x, y and z of the course frame. */
export const COURSE = 7
export const MASS = 16
export const MAX_FORCE = 17
export const MAX_SPEED = 18
export const MAX_TORQUE = 19
export const MAX_TURN_RATE = 20
/** Time constant (s) of the servo, see `servoTime`. */
export const SERVO_TIME = 21
export const GRAVITY = 22
/** Whether the locomotion carries the weight: 0 for false. */
export const COMPENSATE_GRAVITY = 25
export const INERTIA = 26
export const ORIENTATION = 29
export const AXES = 33
export const ANGULAR_VELOCITY = 37
/** The force that the behaviours want (N). */
export const WANTED = 40
/** The force that the locomotion gives of it (N). */
export const GIVEN = 43
/** The torque that the locomotion gives (N·m). */
export const TORQUE = 46
/** Scratch of the locomotion, like the next four. */
export const LIFT = 49
export const WING_FORCE = 52
export const TARGET = 55
export const TARGET_SPIN = 59
export const LIFT_LIMIT = 62
/** The axes x, y and z of the attitude. */
export const ATTITUDE = 63
/** Share of flight along the course, see `flightDirection`. */
export const FLYING = 72
/** Attitude of the principal axes of inertia. */
export const PRINCIPAL = 73
export const RECORD = 77

/**
 * Some agents of one behaviour and locomotion, which are steered at once: each part computes for all of them
 * before the next part does. Their state lies side by side in plain numbers. They are locked to nothing, and
 * their principal axes of inertia are those of the model.
 */
export class AgentBlock {
  count: number
  readonly data: Float64Array
  /** Where the agents are in the columns. */
  readonly row: Int32Array = new Int32Array(BLOCK)
  readonly slot: Int32Array = new Int32Array(BLOCK)
  readonly generation: Int32Array = new Int32Array(BLOCK)
  /** Keys of the random streams. */
  readonly seed: Int32Array = new Int32Array(BLOCK)
  worldSeed = 0
  /** 1 for each agent that must be steered one by one, because its case is rare. */
  readonly isLeft: Uint8Array = new Uint8Array(BLOCK)

  /** A block of `count` agents, in which there is room for `room`. */
  constructor(count = 0, room: number = BLOCK) {
    this.count = count
    this.data = new Float64Array(RECORD * room)
  }
}

/** Computes what a behaviour wants, for a block of agents at once and bit by bit as its `steer`. */
export interface BlockPart {
  /** Adds the force of the behaviour, times `weight`, to WANTED. */
  steerBlock(block: AgentBlock, step: Step, weight: number): void
  /** Keeps what it remembers of the agents that are not left, from the last `steerBlock`. */
  keepBlock?(block: AgentBlock): void
}

/** The parts of a behaviour that are steered at once, and their weights. */
export interface BlockParts {
  readonly parts: readonly BlockPart[]
  readonly weights: readonly number[]
}

/** Computes GIVEN and TORQUE for a block of agents, as `actuate` of a locomotion. */
export interface BlockLocomotion {
  actuateBlock(block: AgentBlock, step: Step): void
}

/**
 * Whether the square root of the square `sq` of a vector keeps all digits, or the vector is zero, see
 * `length`.
 */
export function isUsualSq(sq: number, x: number, y: number, z: number): boolean {
  return (sq > 1e-280 && sq < 1e280) || (x === 0 && y === 0 && z === 0)
}

/**
 * Whether the root of `sq` is the length of a vector with this square; else `Math.hypot` has to compute it.
 * Short, so that V8 inlines it: numbers that are passed are boxed.
 */
export function hasRoot(sq: number): boolean {
  return sq === 0 || (sq > 1e-280 && sq < 1e280)
}
