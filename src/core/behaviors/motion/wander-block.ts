import type { Step, Vec3Like } from '../../types.js'
import {
  COURSE,
  isUsualSq,
  MASS,
  MAX_FORCE,
  MAX_SPEED,
  RECORD,
  SERVO_TIME,
  SPEED,
  VELOCITY,
  WANTED,
  type AgentBlock,
} from '../../control/agent-block.js'
import type { Memory } from '../../control/memory.js'
import { draw, gaussian, mix } from '../../math/random.js'

const owner = { id: 0, slot: 0, generation: 0 }

/** Shortest default of `turnTime` (s). Strollers, fish and drones turn like this. Chosen by hand. */
const SHORTEST_TURN = 1

/** Longest turn time (s), for agents without a force. */
const LONGEST_TURN = 1e9

/** What is read of `Wander`. */
interface WanderForm {
  readonly radius: number
  readonly distance: number
  readonly offset: Vec3Like | undefined
  readonly jitter: number
  readonly turnTime: number | undefined
  readonly speedShare: number
}

/**
 * Time (s) in which an agent turns towards its target that wanders at `speed` (m/s), can accelerate by
 * `power` (m/s²), and whose servo takes `servoTime` (s). By default its turns take no more than half of its
 * force.
 */
export function turnTimeOf(
  { turnTime }: WanderForm,
  speed: number,
  power: number,
  servoTime: number,
): number {
  const time = turnTime ?? Math.max(SHORTEST_TURN, speed / power)
  return time > servoTime ? Math.min(time, LONGEST_TURN) : servoTime
}

/**
 * How far the unit vector to the target is moved ahead, so that the agent turns towards it within `turnTime`
 * (s) though its servo takes `servoTime` (s). `pace` is its speed as a share of the wanted one. An agent at
 * rest starts towards the target itself.
 */
export function lead(turnTime: number, servoTime: number, pace: number): number {
  const ahead = (turnTime / servoTime - 1) * pace
  return ahead < Infinity ? ahead : 0
}

/**
 * Steers a block of agents bit by bit as `Wander.steer`: moves their targets at random on the unit sphere,
 * and adds the forces to them. Writes the new targets into `next`.
 */
export function steerWanderers(
  next: Float64Array,
  memory: Memory,
  wander: WanderForm,
  { count, data, generation, isLeft, seed, slot, worldSeed }: AgentBlock,
  { dt, tick }: Step,
  weight: number,
): void {
  const { distance, jitter, offset: aside, radius, speedShare } = wander
  const { data: memories } = memory
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    const mass = data[o + MASS]!
    const most = data[o + MAX_FORCE]!
    const maxSpeed = data[o + MAX_SPEED]!
    const servo = data[o + SERVO_TIME]!
    const speed = speedShare * (maxSpeed < Infinity ? maxSpeed : data[o + SPEED]! + most / mass)
    const time = turnTimeOf(wander, speed, most / mass, servo)
    owner.slot = slot[i]!
    owner.generation = generation[i]!
    const offset = memory.find(owner)
    const isFresh = offset < 0
    const kick = isFresh ? 1 : jitter * Math.sqrt(dt / time)
    const stream = mix(mix(worldSeed, seed[i]!), tick)
    const t = 3 * i
    for (let k = 0; k < 3; k++)
      next[t + k] =
        (isFresh ? 0 : memories[offset + k]!) + kick * gaussian(draw(stream, 2 * k), draw(stream, 2 * k + 1))
    let x = next[t]!
    let y = next[t + 1]!
    let z = next[t + 2]!
    let sq = x * x + y * y + z * z
    let isUsual = sq > 1e-280 && sq < 1e280
    let size = Math.sqrt(sq)
    next[t] = x / size
    next[t + 1] = y / size
    next[t + 2] = z / size

    x = next[t] * radius + distance
    y = next[t + 1]! * radius
    z = next[t + 2]! * radius
    if (aside !== undefined) {
      x += aside.x
      y += aside.y
      z += aside.z
    }
    sq = x * x + y * y + z * z
    isUsual &&= sq > 1e-280 && sq < 1e280
    size = Math.sqrt(sq)
    x = x / size + lead(time, servo, data[o + SPEED]! / speed)
    y /= size
    z /= size
    sq = x * x + y * y + z * z
    isUsual &&= sq > 1e-280 && sq < 1e280
    size = Math.sqrt(sq)
    x /= size
    y /= size
    z /= size
    const gain = mass / servo
    const c = o + COURSE
    let fx = (data[c]! * x + data[c + 3]! * y + data[c + 6]! * z) * speed
    let fy = (data[c + 1]! * x + data[c + 4]! * y + data[c + 7]! * z) * speed
    let fz = (data[c + 2]! * x + data[c + 5]! * y + data[c + 8]! * z) * speed
    fx = (fx - data[o + VELOCITY]!) * gain
    fy = (fy - data[o + VELOCITY + 1]!) * gain
    fz = (fz - data[o + VELOCITY + 2]!) * gain
    sq = fx * fx + fy * fy + fz * fz
    isUsual &&= isUsualSq(sq, fx, fy, fz)
    size = Math.sqrt(sq)
    const share = size > most ? most / size : 1
    data[o + WANTED]! += fx * share * weight
    data[o + WANTED + 1]! += fy * share * weight
    data[o + WANTED + 2]! += fz * share * weight
    if (!isUsual) isLeft[i] = 1
  }
}
