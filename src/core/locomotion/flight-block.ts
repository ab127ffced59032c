import type { Step, Vec3, Vec3Like } from '../types.js'
import {
  ATTITUDE,
  AXES,
  COMPENSATE_GRAVITY,
  COURSE,
  FLYING,
  GIVEN,
  GRAVITY,
  hasRoot,
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
import { capThrust } from '../control/thrust.js'
import { modelAttitude } from '../control/turn.js'
import { turnBlock } from '../control/turn-block.js'
import { loadQuat, quat, quatFromAxes, saveQuat } from '../math/quat.js'
import { smoothstep } from '../math/scalar.js'
import {
  addScaled,
  copy,
  dot,
  isZero,
  length,
  load,
  normalize,
  perpendicular,
  reject,
  save,
  scale,
  set,
  vec3,
} from '../math/vec3.js'

/**
 * Up to this share of `maxSpeed` (or of the speed gained in one second) a vehicle hovers, from `FLIGHT_SHARE`
 * on it flies along its course. Chosen by hand.
 */
const HOVER_SHARE = 0.05
const FLIGHT_SHARE = 0.2

/**
 * A nose within this sine of straight up or down is not levelled, because it has no horizontal direction.
 * Chosen by hand.
 */
const VERTICAL_SINE = 0.05

/** Share of the side force that a bank relies on. Chosen by hand. */
const SIDE_FORCE_SHARE = 0.8

/**
 * Least part across of a wanted force astern, below this multiple of the least speed; see `turningForce`. A
 * turn grows from so little within a second. Chosen by hand.
 */
const ASTERN_SHARE = 0.01
const SLOWEST_SHARE = 1.05

/** The options of a `Flight`. */
interface Wings {
  readonly minSpeed: number
  readonly thrust: number | undefined
  readonly brake: number | undefined
  readonly lift: number | undefined
  readonly sideForce: number
  readonly bankWeight: number
}

/** What the direction of flight depends on, see `Agent`. */
interface Flyer {
  readonly course: { readonly x: Vec3Like }
  readonly attitude: { readonly x: Vec3Like }
  readonly gravity: Vec3Like
  readonly speed: number
  readonly mass: number
  readonly maxForce: number
  readonly maxSpeed: number
}

const level = vec3()
const across = vec3()
const wanted = vec3()
const direction = vec3()
const axes = quat()
const orientation = quat()
/** The agent of one record, for what is computed with vectors because it is rare. */
const flyer = {
  course: { x: vec3() },
  attitude: { x: vec3() },
  gravity: vec3(),
  velocity: vec3(),
  speed: 0.5,
  mass: 0.5,
  maxForce: 0.5,
  maxSpeed: 0.5,
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

/** 0 for an agent that hovers, 1 for one that flies along its course. */
function flyingShare({ maxForce, maxSpeed, mass, speed }: Flyer): number {
  // `maxSpeed`, or the speed gained in one second (m/s)
  const gained = maxForce / mass
  const top = gained < maxSpeed ? gained : maxSpeed
  return speed >= FLIGHT_SHARE * top ? 1 : smoothstep(speed, HOVER_SHARE * top, FLIGHT_SHARE * top)
}

/**
 * Writes the direction of flight: the course. An agent that hovers has no course; its direction is its nose,
 * levelled if there is gravity. Returns the share of flight.
 */
export function flightDirection(out: Vec3, agent: Flyer): number {
  const flying = flyingShare(agent)
  copy(out, agent.course.x)
  // the usual case first
  if (flying === 1) return flying
  const { x: nose } = agent.attitude
  const weight = length(agent.gravity)
  scale(level, agent.gravity, weight > 0 ? 1 / weight : 0)
  reject(level, nose, level)
  if (length(level) < VERTICAL_SINE) copy(level, nose)
  normalize(level, level)
  scale(out, out, flying)
  addScaled(out, out, level, 1 - flying)
  // the two directions are opposite and cancel each other
  if (length(out) < 1e-3) copy(out, level)
  normalize(out, out)
  return flying
}

/**
 * Writes ATTITUDE; the direction of flight into the first three numbers of COURSE, and its share into FLYING;
 * and into LIFT the force (N) of which the wings give the part across.
 */
export function headBlock({ minSpeed }: Wings, { count, data }: AgentBlock): void {
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    attitudeOf(data, o)
    const speed = data[o + SPEED]!
    const maxSpeed = data[o + MAX_SPEED]!
    const gained = data[o + MAX_FORCE]! / data[o + MASS]!
    data[o + FLYING] = 1
    if (!(speed >= FLIGHT_SHARE * (gained < maxSpeed ? gained : maxSpeed))) hover(data, o)
    for (let k = 0; k < 3; k++) data[o + LIFT + k] = data[o + WANTED + k]!
    if (speed < SLOWEST_SHARE * minSpeed) turningForce(data, o)
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

/** The direction of flight of an agent that does not quite fly along its course. */
function hover(data: Float64Array, o: number): void {
  loadFlyer(data, o)
  load(flyer.course.x, data, o + COURSE)
  load(flyer.attitude.x, data, o + ATTITUDE)
  load(flyer.gravity, data, o + GRAVITY)
  data[o + FLYING] = flightDirection(direction, flyer)
  save(direction, data, o + COURSE)
}

function loadFlyer(data: Float64Array, o: number): void {
  flyer.speed = data[o + SPEED]!
  flyer.mass = data[o + MASS]!
  flyer.maxForce = data[o + MAX_FORCE]!
  flyer.maxSpeed = data[o + MAX_SPEED]!
}

/**
 * At the least speed, a force exactly astern needs a part across: straight astern has no side, and the
 * vehicle, which can neither stop nor fly astern, would fly on until rounding decides.
 */
function turningForce(data: Float64Array, o: number): void {
  load(direction, data, o + COURSE)
  load(wanted, data, o + WANTED)
  const least = -ASTERN_SHARE * dot(wanted, direction)
  if (!(least > 0)) return
  reject(across, wanted, direction)
  if (length(across) >= least) return
  if (isZero(across)) reject(across, load(across, data, o + ATTITUDE + 6), direction)
  normalize(across, across)
  save(addScaled(wanted, wanted, across, least), data, o + LIFT)
}

/** Replaces LIFT by the force wanted of the wings. WING_FORCE: what they give in their attitude. */
export function wingBlock(wings: Wings, { count, data }: AgentBlock): void {
  const { sideForce } = wings
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    const mass = data[o + MASS]!
    const x = data[o + COURSE]!
    const y = data[o + COURSE + 1]!
    const z = data[o + COURSE + 2]!
    const lift = availableLift(wings, data[o + SPEED]!, data[o + MAX_FORCE]!)
    const side = sideForce * lift
    // the wanted force across the course, without that of gravity
    let wx = data[o + LIFT]! + data[o + GRAVITY]! * -mass
    let wy = data[o + LIFT + 1]! + data[o + GRAVITY + 1]! * -mass
    let wz = data[o + LIFT + 2]! + data[o + GRAVITY + 2]! * -mass
    let along = wx * x + wy * y + wz * z
    wx -= along * x
    wy -= along * y
    wz -= along * z
    const sq = wx * wx + wy * wy + wz * wz
    const size = hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(wx, wy, wz)
    const share = size > lift ? lift / size : 1
    wx *= share
    wy *= share
    wz *= share
    data[o + LIFT] = wx
    data[o + LIFT + 1] = wy
    data[o + LIFT + 2] = wz
    data[o + LIFT_LIMIT] = lift
    const a = o + ATTITUDE
    const ux = data[a + 3]!
    const uy = data[a + 4]!
    const uz = data[a + 5]!
    const sx = data[a + 6]!
    const sy = data[a + 7]!
    const sz = data[a + 8]!
    along = data[a]! * x + data[a + 1]! * y + data[a + 2]! * z
    const alignment = along > 0 ? along : 0
    const up = wx * ux + wy * uy + wz * uz
    const right = wx * sx + wy * sy + wz * sz
    // where the body cannot give its part, the wings give less of theirs until they have rolled: else the sum
    // has another direction, which may be that of a wall
    const beside = Math.abs(right)
    const rolled = 1 / (1 + (beside / up) ** 2)
    const whole = beside > side ? Math.max(side / beside, rolled) : 1
    const byWings = alignment * whole * (up < -lift ? -lift : up > lift ? lift : up)
    const bySide = alignment * (right < -side ? -side : right > side ? side : right)
    const ox = ux * byWings + sx * bySide
    const oy = uy * byWings + sy * bySide
    const oz = uz * byWings + sz * bySide
    along = ox * x + oy * y + oz * z
    data[o + WING_FORCE] = ox - along * x
    data[o + WING_FORCE + 1] = oy - along * y
    data[o + WING_FORCE + 2] = oz - along * z
  }
}

/** Writes GIVEN: the force of the wings, and thrust along the nose or drag along the direction of flight. */
export function thrustBlock(
  { brake, minSpeed, thrust }: Wings,
  { count, data }: AgentBlock,
  step: Step,
): void {
  const { dt } = step
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
    const asked = data[o + WANTED]! * x + data[o + WANTED + 1]! * y + data[o + WANTED + 2]! * z
    const forMinSpeed = speed < minSpeed ? (mass * (minSpeed - speed)) / data[o + SERVO_TIME]! : -Infinity
    const least = -(brake === undefined ? most / 2 : ownBrake)
    const greatest = thrust === undefined ? most : ownThrust
    let push = Math.max(asked + weight, forMinSpeed)
    push = push < least ? least : push > greatest ? greatest : push
    let ox = data[o + WING_FORCE]! + (push > 0 ? data[o + ATTITUDE]! : x) * push
    let oy = data[o + WING_FORCE + 1]! + (push > 0 ? data[o + ATTITUDE + 1]! : y) * push
    let oz = data[o + WING_FORCE + 2]! + (push > 0 ? data[o + ATTITUDE + 2]! : z) * push
    // The part along the velocity is reduced so that the speed does not rise above `maxSpeed`. The lift of a
    // turn at full speed remains, except for the small amount by which one step of it would raise the speed.
    const limit = maxSpeed > speed ? maxSpeed : speed
    const k = dt / mass
    const vx = data[o + VELOCITY]!
    const vy = data[o + VELOCITY + 1]!
    const vz = data[o + VELOCITY + 2]!
    const nx = vx + ox * k
    const ny = vy + oy * k
    const nz = vz + oz * k
    let nearlyRests = false
    const sq = nx * nx + ny * ny + nz * nz
    if (limit < Infinity && (hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(nx, ny, nz)) > limit) {
      const forward = (ox * vx + oy * vy + oz * vz) / speed
      const acrossSq = ox * ox + oy * oy + oz * oz - forward * forward
      const aside = acrossSq > 0 ? Math.sqrt(acrossSq) * k : 0
      const room = limit * limit - aside * aside
      const allowed = ((room > 0 ? Math.sqrt(room) : 0) - speed) / k
      nearlyRests = !(speed > 0 && aside < limit)
      if (!nearlyRests) {
        const share = (allowed - forward) / speed
        ox += vx * share
        oy += vy * share
        oz += vz * share
      }
    }
    data[o + GIVEN] = ox
    data[o + GIVEN + 1] = oy
    data[o + GIVEN + 2] = oz
    if (nearlyRests) capWhole(data, o, step)
  }
}

/** Caps GIVEN where one step of the thrust of an agent nearly at rest would exceed the whole speed. */
function capWhole(data: Float64Array, o: number, step: Step): void {
  loadFlyer(data, o)
  load(flyer.velocity, data, o + VELOCITY)
  save(capThrust(flyer, step, load(wanted, data, o + GIVEN), false), data, o + GIVEN)
}

/**
 * Writes TORQUE, not limited yet: it turns the nose to the direction of flight, and the up axis towards LIFT.
 * The turn rate of the course, by WING_FORCE and gravity, is fed forward.
 */
export function bankBlock(wings: Wings, block: AgentBlock, step: Step): void {
  rollBlock(wings, block, step)
  aimBlock(block)
  turnBlock(block, step)
}

/** Writes the wanted top axis into ATTITUDE: the wings banked to LIFT; and TARGET_SPIN. */
function rollBlock({ bankWeight, sideForce }: Wings, { count, data }: AgentBlock, { up }: Step): void {
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
    let sq = gx * gx + gy * gy + gz * gz
    const missing = bankWeight - (hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(gx, gy, gz))
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
    sq = ux * ux + uy * uy + uz * uz
    let size = hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(ux, uy, uz)
    if (size > 0) {
      ux /= size
      uy /= size
      uz /= size
    } else {
      perpendicular(across, set(direction, x, y, z))
      ux = across.x
      uy = across.y
      uz = across.z
    }
    // as `leanTowards`
    sq = tx * tx + ty * ty + tz * tz
    const whole = Math.max(hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(tx, ty, tz), bankWeight)
    along = tx * x + ty * y + tz * z
    tx -= along * x
    ty -= along * y
    tz -= along * z
    sq = tx * tx + ty * ty + tz * tz
    size = hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(tx, ty, tz)
    const share = smoothstep(size / whole, FADE_START, FADE_END)
    const rests = speed <= SLOW_SHARE * Math.min(data[o + MAX_SPEED]!, most / mass)
    if (share > 0 && !(rests && share < 1)) {
      const unit = 1 / size
      tx *= unit
      ty *= unit
      tz *= unit
      if (tx * ux + ty * uy + tz * uz < -0.999 && share < 1) {
        tx += (y * uz - z * uy) * 0.1
        ty += (z * ux - x * uz) * 0.1
        tz += (x * uy - y * ux) * 0.1
      }
      ux = ux * (1 - share) + tx * share
      uy = uy * (1 - share) + ty * share
      uz = uz * (1 - share) + tz * share
      sq = ux * ux + uy * uy + uz * uz
      size = hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(ux, uy, uz)
      ux /= size
      uy /= size
      uz /= size
    }
    // further, until the side force can supply the part of LIFT that the lift does not have
    sq = wx * wx + wy * wy + wz * wz
    const lift = hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(wx, wy, wz)
    const sine = (SIDE_FORCE_SHARE * sideForce * data[o + LIFT_LIMIT]!) / lift
    if (sine < 1) {
      const unit = 1 / lift
      tx = wx * unit
      ty = wy * unit
      tz = wz * unit
      const cosine = Math.sqrt(1 - sine * sine)
      along = ux * tx + uy * ty + uz * tz
      if (!(along >= cosine)) {
        ux -= along * tx
        uy -= along * ty
        uz -= along * tz
        sq = ux * ux + uy * uy + uz * uz
        size = hasRoot(sq) ? Math.sqrt(sq) : 1 * Math.hypot(ux, uy, uz)
        // exactly upside down: it rolls over the starboard wing
        ux = size > 0 ? ux / size : y * tz - z * ty
        uy = size > 0 ? uy / size : z * tx - x * tz
        uz = size > 0 ? uz / size : x * ty - y * tx
        ux = tx * cosine + ux * sine
        uy = ty * cosine + uy * sine
        uz = tz * cosine + uz * sine
      }
    }
    data[a + 3] = ux
    data[a + 4] = uy
    data[a + 5] = uz
    // the turn rate of the course
    const lx = data[o + WING_FORCE]!
    const ly = data[o + WING_FORCE + 1]!
    const lz = data[o + WING_FORCE + 2]!
    const k = speed > 0 ? data[o + FLYING]! / speed : 0
    data[o + TARGET_SPIN] = ((y * lz - z * ly) * perMass + (y * gz - z * gy)) * k
    data[o + TARGET_SPIN + 1] = ((z * lx - x * lz) * perMass + (z * gx - x * gz)) * k
    data[o + TARGET_SPIN + 2] = ((x * ly - y * lx) * perMass + (x * gy - y * gx)) * k
  }
}

/** Writes TARGET: the attitude with the nose along the flight, and the top axis of ATTITUDE. */
function aimBlock({ count, data }: AgentBlock): void {
  for (let i = 0; i < count; i++) {
    const o = RECORD * i
    load(direction, data, o + COURSE)
    load(across, data, o + ATTITUDE + 3)
    quatFromAxes(orientation, direction, across)
    saveQuat(modelAttitude(orientation, orientation, loadQuat(axes, data, o + AXES)), data, o + TARGET)
  }
}
