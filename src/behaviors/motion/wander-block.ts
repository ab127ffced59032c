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

/** Moves the targets of a block of agents at random on the unit sphere, see `Wander`. Writes the new ones. */
export function nextTargets(
  next: Float64Array,
  memory: Memory,
  { count, generation, isLeft, seed, slot, worldSeed }: AgentBlock,
  { dt, tick }: Step,
  jitter: number,
): void {
  const { data } = memory
  const usualKick = jitter * Math.sqrt(dt)
  for (let i = 0; i < count; i++) {
    owner.slot = slot[i]!
    owner.generation = generation[i]!
    const offset = memory.find(owner)
    const isFresh = offset < 0
    const kick = isFresh ? 1 : usualKick
    const stream = mix(mix(worldSeed, seed[i]!), tick)
    const t = 3 * i
    for (let k = 0; k < 3; k++)
      next[t + k] =
        (isFresh ? 0 : data[offset + k]!) + kick * gaussian(draw(stream, 2 * k), draw(stream, 2 * k + 1))
    const x = next[t]!
    const y = next[t + 1]!
    const z = next[t + 2]!
    const sq = x * x + y * y + z * z
    if (!(sq > 1e-280 && sq < 1e280)) isLeft[i] = 1
    const size = Math.sqrt(sq)
    next[t] = x / size
    next[t + 1] = y / size
    next[t + 2] = z / size
  }
}

/** Adds the forces to the targets on the spheres ahead, see `Wander.steer`. */
export function pursueTargets(
  targets: Float64Array,
  {
    distance,
    offset,
    radius,
    speedShare,
  }: { distance: number; offset: Vec3Like | undefined; radius: number; speedShare: number },
  { count, data, isLeft }: AgentBlock,
  weight: number,
): void {
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    let x = targets[3 * i]! * radius + distance
    let y = targets[3 * i + 1]! * radius
    let z = targets[3 * i + 2]! * radius
    if (offset !== undefined) {
      x += offset.x
      y += offset.y
      z += offset.z
    }
    let sq = x * x + y * y + z * z
    let isUsual = sq > 1e-280 && sq < 1e280
    let size = Math.sqrt(sq)
    x /= size
    y /= size
    z /= size
    const mass = data[o + MASS]!
    const most = data[o + MAX_FORCE]!
    const maxSpeed = data[o + MAX_SPEED]!
    const speed = speedShare * (maxSpeed < Infinity ? maxSpeed : data[o + SPEED]! + most / mass)
    const gain = mass / data[o + SERVO_TIME]!
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
