import type { Step } from '../types.js'
import {
  ATTITUDE,
  AXES,
  COMPENSATE_GRAVITY,
  COURSE,
  GIVEN,
  GRAVITY,
  isUsualSq,
  LIFT,
  LIFT_LIMIT,
  MASS,
  MAX_FORCE,
  MAX_SPEED,
  ORIENTATION,
  RECORD,
  SERVO_TIME,
  SPEED,
  TARGET,
  TARGET_SPIN,
  VELOCITY,
  WANTED,
  WING_FORCE,
  type AgentBlock,
} from '../control/agent-block.js'
import { FADE_END, FADE_START, SLOW_SHARE } from '../control/nose.js'
import { turnBlock } from '../control/turn-block.js'
import { smoothstep } from '../math/scalar.js'

/**
 * From this share of `maxSpeed` (or of the speed gained in one second) a vehicle flies along its course.
 * Chosen by hand.
 */
export const FLIGHT_SHARE = 0.2

/** Share of the side force that a bank relies on. Chosen by hand. */
export const SIDE_FORCE_SHARE = 0.8

/** Below this speed (m/s) the turn rate of the course is not fed forward. Chosen by hand. */
export const MIN_TURN_SPEED = 0.1

/**
 * Least part across of a wanted force astern, below this multiple of the least speed; see
 * `Flight.turningForce`. A turn grows from so little within a second. Chosen by hand.
 */
export const ASTERN_SHARE = 0.01
export const SLOWEST_SHARE = 1.05

/** The options of a `Flight`. */
interface Wings {
  readonly minSpeed: number
  readonly thrust: number | undefined
  readonly brake: number | undefined
  readonly lift: number | undefined
  readonly sideForce: number
  readonly bankWeight: number
}

/**
 * Steers a block of agents bit by bit as `Flight.actuate`, but each stage in one loop and with plain numbers.
 * Agents that hover, very large and small numbers, and rare attitudes are left.
 */
export function flyBlock(wings: Wings, block: AgentBlock, step: Step): void {
  wingBlock(wings, block)
  pushBlock(wings, block, step)
  bankBlock(wings, block, step)
  aimBlock(block)
  turnBlock(block, step)
}

/** Greatest lift (N) at the speed `speed`, for an agent with the limit `most`. */
export function availableLift(
  { lift, minSpeed }: Pick<Wings, 'lift' | 'minSpeed'>,
  speed: number,
  most: number,
): number {
  const share = minSpeed > 0 ? Math.min(1, speed / minSpeed) : 1
  return (lift ?? most) * share * share
}

/** Writes LIFT: the force that is wanted of the wings. WING_FORCE: what they give. */
function wingBlock(wings: Wings, { count, data, isLeft }: AgentBlock): void {
  const { sideForce } = wings
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    const speed = data[o + SPEED]!
    const mass = data[o + MASS]!
    const most = data[o + MAX_FORCE]!
    const maxSpeed = data[o + MAX_SPEED]!
    const gained = most / mass
    let isUsual = speed >= FLIGHT_SHARE * (gained < maxSpeed ? gained : maxSpeed)
    const x = data[o + COURSE]!
    const y = data[o + COURSE + 1]!
    const z = data[o + COURSE + 2]!
    const fx = data[o + WANTED]!
    const fy = data[o + WANTED + 1]!
    const fz = data[o + WANTED + 2]!
    const gx = data[o + GRAVITY]!
    const gy = data[o + GRAVITY + 1]!
    const gz = data[o + GRAVITY + 2]!
    const lift = availableLift(wings, speed, most)
    const side = sideForce * lift
    // the wanted force across the course, without that of gravity
    let wx = fx + gx * -mass
    let wy = fy + gy * -mass
    let wz = fz + gz * -mass
    let along = wx * x + wy * y + wz * z
    wx -= along * x
    wy -= along * y
    wz -= along * z
    const sq = wx * wx + wy * wy + wz * wz
    isUsual &&= isUsualSq(sq, wx, wy, wz)
    const wanted = Math.sqrt(sq)
    const share = wanted > lift ? lift / wanted : 1
    wx *= share
    wy *= share
    wz *= share
    data[o + LIFT] = wx
    data[o + LIFT + 1] = wy
    data[o + LIFT + 2] = wz
    attitudeOf(data, o)
    const a = o + ATTITUDE
    const nx = data[a]!
    const ny = data[a + 1]!
    const nz = data[a + 2]!
    const ux = data[a + 3]!
    const uy = data[a + 4]!
    const uz = data[a + 5]!
    const sx = data[a + 6]!
    const sy = data[a + 7]!
    const sz = data[a + 8]!
    along = nx * x + ny * y + nz * z
    const alignment = along > 0 ? along : 0
    const up = wx * ux + wy * uy + wz * uz
    const right = wx * sx + wy * sy + wz * sz
    const byWings = alignment * (up < -lift ? -lift : up > lift ? lift : up)
    const bySide = alignment * (right < -side ? -side : right > side ? side : right)
    let ox = ux * byWings + sx * bySide
    let oy = uy * byWings + sy * bySide
    let oz = uz * byWings + sz * bySide
    along = ox * x + oy * y + oz * z
    ox -= along * x
    oy -= along * y
    oz -= along * z
    data[o + WING_FORCE] = ox
    data[o + WING_FORCE + 1] = oy
    data[o + WING_FORCE + 2] = oz
    data[o + LIFT_LIMIT] = lift
    if (!isUsual) isLeft[i] = 1
  }
}

/** Writes GIVEN: the force of the wings, and thrust along the nose or drag. */
function pushBlock(
  { brake, minSpeed, thrust }: Wings,
  { count, data, isLeft }: AgentBlock,
  { dt }: Step,
): void {
  // numbers for the compiler, too: it would box what may be undefined
  const ownBrake = Number(brake)
  const ownThrust = Number(thrust)
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    const speed = data[o + SPEED]!
    const mass = data[o + MASS]!
    const most = data[o + MAX_FORCE]!
    const maxSpeed = data[o + MAX_SPEED]!
    const x = data[o + COURSE]!
    const y = data[o + COURSE + 1]!
    const z = data[o + COURSE + 2]!
    const along = data[o + GRAVITY]! * x + data[o + GRAVITY + 1]! * y + data[o + GRAVITY + 2]! * z
    const weight = data[o + COMPENSATE_GRAVITY]! > 0 ? -mass * along : 0
    const fx = data[o + WANTED]!
    const fy = data[o + WANTED + 1]!
    const fz = data[o + WANTED + 2]!
    const wanted = fx * x + fy * y + fz * z
    const forMinSpeed = speed < minSpeed ? (mass * (minSpeed - speed)) / data[o + SERVO_TIME]! : -Infinity
    const least = -(brake === undefined ? most / 2 : ownBrake)
    const greatest = thrust === undefined ? most : ownThrust
    let push = Math.max(wanted + weight, forMinSpeed)
    push = push < least ? least : push > greatest ? greatest : push
    let ox = data[o + WING_FORCE]! + (push > 0 ? data[o + ATTITUDE]! : x) * push
    let oy = data[o + WING_FORCE + 1]! + (push > 0 ? data[o + ATTITUDE + 1]! : y) * push
    let oz = data[o + WING_FORCE + 2]! + (push > 0 ? data[o + ATTITUDE + 2]! : z) * push
    // one exactly astern is left, see `Flight.turningForce`
    let isUsual =
      !(wanted < 0 && speed < SLOWEST_SHARE * minSpeed) ||
      fx * fx + fy * fy + fz * fz > (1 + 4 * ASTERN_SHARE * ASTERN_SHARE) * wanted * wanted
    // as `capSpeed`
    const limit = maxSpeed > speed ? maxSpeed : speed
    if (limit < Infinity) {
      const k = dt / mass
      const vx = data[o + VELOCITY]!
      const vy = data[o + VELOCITY + 1]!
      const vz = data[o + VELOCITY + 2]!
      const nextX = vx + ox * k
      const nextY = vy + oy * k
      const nextZ = vz + oz * k
      const sq = nextX * nextX + nextY * nextY + nextZ * nextZ
      isUsual &&= sq > 1e-280 && sq < 1e280
      if (Math.sqrt(sq) > limit) {
        const forward = (ox * vx + oy * vy + oz * vz) / speed
        const acrossSq = ox * ox + oy * oy + oz * oz - forward * forward
        const across = acrossSq > 0 ? Math.sqrt(acrossSq) * k : 0
        const room = limit * limit - across * across
        const allowed = ((room > 0 ? Math.sqrt(room) : 0) - speed) / k
        const share = (allowed - forward) / speed
        ox += vx * share
        oy += vy * share
        oz += vz * share
        isUsual &&= speed > 0 && across < limit
      }
    }
    data[o + GIVEN] = ox
    data[o + GIVEN + 1] = oy
    data[o + GIVEN + 2] = oz
    if (!isUsual) isLeft[i] = 1
  }
}

/** Writes the wanted top axis into ATTITUDE: the wings banked to LIFT; and TARGET_SPIN. See `Flight.bank`. */
function bankBlock(
  { bankWeight, sideForce }: Wings,
  { count, data, isLeft }: AgentBlock,
  { up }: Step,
): void {
  const { x: upX, y: upY, z: upZ } = up
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    const speed = data[o + SPEED]!
    const mass = data[o + MASS]!
    const most = data[o + MAX_FORCE]!
    const x = data[o + COURSE]!
    const y = data[o + COURSE + 1]!
    const z = data[o + COURSE + 2]!
    const wx = data[o + LIFT]!
    const wy = data[o + LIFT + 1]!
    const wz = data[o + LIFT + 2]!
    const gx = data[o + GRAVITY]!
    const gy = data[o + GRAVITY + 1]!
    const gz = data[o + GRAVITY + 2]!
    const gravitySq = gx * gx + gy * gy + gz * gz
    let isUsual = isUsualSq(gravitySq, gx, gy, gz)
    const missing = bankWeight - Math.sqrt(gravitySq)
    const weight = missing > 0 ? missing : 0
    const perMass = 1 / mass
    let tx = wx * perMass + upX * weight
    let ty = wy * perMass + upY * weight
    let tz = wz * perMass + upZ * weight
    // as `carryFrame`
    const a = o + ATTITUDE
    let ux = data[a + 3]!
    let uy = data[a + 4]!
    let uz = data[a + 5]!
    const bothX = data[a]! + x
    const bothY = data[a + 1]! + y
    const bothZ = data[a + 2]! + z
    const q = bothX * x + bothY * y + bothZ * z
    if (q > 1e-3) {
      const k = (ux * x + uy * y + uz * z) / q
      ux -= k * bothX
      uy -= k * bothY
      uz -= k * bothZ
    }
    let along = ux * x + uy * y + uz * z
    ux -= along * x
    uy -= along * y
    uz -= along * z
    let sq = ux * ux + uy * uy + uz * uz
    isUsual &&= sq > 1e-280 && sq < 1e280
    let size = Math.sqrt(sq)
    ux /= size
    uy /= size
    uz /= size
    let sx = y * uz - z * uy
    let sy = z * ux - x * uz
    let sz = x * uy - y * ux
    // as `leanTowards`
    sq = tx * tx + ty * ty + tz * tz
    isUsual &&= isUsualSq(sq, tx, ty, tz)
    const whole = Math.max(Math.sqrt(sq), bankWeight)
    along = tx * x + ty * y + tz * z
    tx -= along * x
    ty -= along * y
    tz -= along * z
    sq = tx * tx + ty * ty + tz * tz
    isUsual &&= isUsualSq(sq, tx, ty, tz)
    size = Math.sqrt(sq)
    const share = smoothstep(size / whole, FADE_START, FADE_END)
    const rests = speed <= SLOW_SHARE * Math.min(data[o + MAX_SPEED]!, most / mass)
    if (share > 0 && !(rests && share < 1)) {
      const unit = 1 / size
      tx *= unit
      ty *= unit
      tz *= unit
      if (tx * ux + ty * uy + tz * uz < -0.999 && share < 1) {
        tx += sx * 0.1
        ty += sy * 0.1
        tz += sz * 0.1
      }
      ux = ux * (1 - share) + tx * share
      uy = uy * (1 - share) + ty * share
      uz = uz * (1 - share) + tz * share
      sq = ux * ux + uy * uy + uz * uz
      isUsual &&= sq > 1e-280 && sq < 1e280
      size = Math.sqrt(sq)
      ux /= size
      uy /= size
      uz /= size
      sx = y * uz - z * uy
      sy = z * ux - x * uz
      sz = x * uy - y * ux
    }
    // as `bankEnough`
    sq = wx * wx + wy * wy + wz * wz
    isUsual &&= isUsualSq(sq, wx, wy, wz)
    const wanted = Math.sqrt(sq)
    const sine = (SIDE_FORCE_SHARE * sideForce * data[o + LIFT_LIMIT]!) / wanted
    if (sine < 1) {
      const unit = 1 / wanted
      tx = wx * unit
      ty = wy * unit
      tz = wz * unit
      const cosine = Math.sqrt(1 - sine * sine)
      if (!(ux * tx + uy * ty + uz * tz >= cosine)) {
        along = ux * tx + uy * ty + uz * tz
        sx = ux - along * tx
        sy = uy - along * ty
        sz = uz - along * tz
        sq = sx * sx + sy * sy + sz * sz
        isUsual &&= sq > 1e-280 && sq < 1e280
        size = Math.sqrt(sq)
        sx /= size
        sy /= size
        sz /= size
        ux = tx * cosine + sx * sine
        uy = ty * cosine + sy * sine
        uz = tz * cosine + sz * sine
      }
    }
    data[a + 3] = ux
    data[a + 4] = uy
    data[a + 5] = uz
    // the turn rate of the course
    const lx = data[o + WING_FORCE]!
    const ly = data[o + WING_FORCE + 1]!
    const lz = data[o + WING_FORCE + 2]!
    const k = speed > MIN_TURN_SPEED ? 1 / speed : 0
    data[o + TARGET_SPIN] = ((y * lz - z * ly) * perMass + (y * gz - z * gy)) * k
    data[o + TARGET_SPIN + 1] = ((z * lx - x * lz) * perMass + (z * gx - x * gz)) * k
    data[o + TARGET_SPIN + 2] = ((x * ly - y * lx) * perMass + (x * gy - y * gx)) * k
    if (!isUsual) isLeft[i] = 1
  }
}

/** Writes ATTITUDE into the record at `o`, see `attitudeFrame`. */
function attitudeOf(data: Float64Array, o: number): void {
  const a = o + ATTITUDE
  const ax = data[o + ORIENTATION]!
  const ay = data[o + ORIENTATION + 1]!
  const az = data[o + ORIENTATION + 2]!
  const aw = data[o + ORIENTATION + 3]!
  const bx = data[o + AXES]!
  const by = data[o + AXES + 1]!
  const bz = data[o + AXES + 2]!
  const bw = data[o + AXES + 3]!
  const x = aw * bx + ax * bw + ay * bz - az * by
  const y = aw * by - ax * bz + ay * bw + az * bx
  const z = aw * bz + ax * by - ay * bx + az * bw
  const w = aw * bw - ax * bx - ay * by - az * bz
  data[a] = 1 - 2 * (y * y + z * z)
  data[a + 1] = 2 * (x * y + w * z)
  data[a + 2] = 2 * (x * z - w * y)
  data[a + 3] = 2 * (x * y - w * z)
  data[a + 4] = 1 - 2 * (x * x + z * z)
  data[a + 5] = 2 * (y * z + w * x)
  data[a + 6] = 2 * (x * z + w * y)
  data[a + 7] = 2 * (y * z - w * x)
  data[a + 8] = 1 - 2 * (x * x + y * y)
}

/** Writes TARGET: the nose along the course, and the top axis of ATTITUDE. */
function aimBlock({ count, data, isLeft }: AgentBlock): void {
  for (let i = 0; i < count; i++) if (!writeTarget(data, RECORD * i)) isLeft[i] = 1
}

/**
 * Writes into TARGET the attitude of the model with that nose and top, see `quatFromAxes` and
 * `modelAttitude`. False where they are no axes.
 */
function writeTarget(data: Float64Array, o: number): boolean {
  const nx = data[o + COURSE]!
  const ny = data[o + COURSE + 1]!
  const nz = data[o + COURSE + 2]!
  const ux = data[o + ATTITUDE + 3]!
  const uy = data[o + ATTITUDE + 4]!
  const uz = data[o + ATTITUDE + 5]!
  const sx = ny * uz - nz * uy
  const sy = nz * ux - nx * uz
  const sz = nx * uy - ny * ux
  const trace = nx + uy + sz
  let x = uz - sy
  let y = sx - nz
  let z = ny - ux
  let w = 1 + trace
  if (!(trace > 0)) {
    if (nx >= uy && nx >= sz) {
      w = x
      x = 1 + nx - uy - sz
      y = ny + ux
      z = sx + nz
    } else if (uy >= sz) {
      w = y
      x = ny + ux
      y = 1 + uy - nx - sz
      z = uz + sy
    } else {
      w = z
      x = sx + nz
      y = uz + sy
      z = 1 + sz - nx - uy
    }
  }
  const sq = x * x + y * y + z * z + w * w
  const unit = 1 / Math.sqrt(sq)
  x *= unit
  y *= unit
  z *= unit
  w *= unit
  const ax = data[o + AXES]!
  const ay = data[o + AXES + 1]!
  const az = data[o + AXES + 2]!
  const aw = data[o + AXES + 3]!
  data[o + TARGET] = x * aw - w * ax - y * az + z * ay
  data[o + TARGET + 1] = y * aw - w * ay - z * ax + x * az
  data[o + TARGET + 2] = z * aw - w * az - x * ay + y * ax
  data[o + TARGET + 3] = w * aw + x * ax + y * ay + z * az
  return sq > 1e-280 && sq < 1e280
}
