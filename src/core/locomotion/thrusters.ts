import type { Agent, Locomotion, Push, Step, Vec3, Vec3Like, Wrench } from '../types.js'
import { noseAttitude } from '../control/nose.js'
import { capThrust } from '../control/thrust.js'
import { limitTorque, modelAttitude, turnTime, turnTo } from '../control/turn.js'
import { TORQUE_SHARE } from '../control/turn-block.js'
import { shareWithin } from '../math/ball.js'
import { vectorToLocal, vectorToWorld } from '../math/frame.js'
import { multiply, quat, quatBetween, quatFromAxes, unrotate } from '../math/quat.js'
import { requireChoice, requireObject, requireVector, unchecked } from '../math/require.js'
import { arccos, clamp, smoothstep } from '../math/scalar.js'
import {
  addScaled,
  copy,
  cross,
  distance,
  dot,
  isZero,
  length,
  normalize,
  reject,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../math/vec3.js'
import { asksTurn, Attitude, type AttitudeOptions } from './attitude.js'
import { feedForward, NOMINAL_STEP } from './limits.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../math/options.js'
import { ATTITUDE } from './attitude.js'

/** Directions of thrust in the attitude frame: ahead, up, starboard. */
const DIRECTIONS = {
  ahead: vec3(1, 0, 0),
  astern: vec3(-1, 0, 0),
  up: vec3(0, 1, 0),
  down: vec3(0, -1, 0),
  port: vec3(0, 0, -1),
  starboard: vec3(0, 0, 1),
} as const

type Engine = keyof typeof DIRECTIONS
const ENGINES = Object.keys(DIRECTIONS) as Engine[]
type Thrusts = Readonly<Record<Engine, number>>
type Mounts = Partial<Record<Engine, Vec3Like>>

/** Greatest thrust (N, ≥ 0) in each direction of the attitude frame. A weak `astern` is normal. */
export interface ThrustersOptions extends Options, OptionsOf<typeof Thrusters.options> {}

/** The error of a share of the speed is 2 to the minus this. */
const BISECTIONS = 40

const local = vec3()
const cost = vec3()
const velocity = vec3()
const wanted = vec3()
/** Force (N, world axes) that is needed in all. */
const needed = vec3()
/** Local force (N) that stops the agent in one step. */
const stopping = vec3()
const reverse = vec3()
const nose = vec3()
const target = quat()
const arm = vec3()
const axis = vec3()
const turn = vec3()
const steering = quat()
/** Local direction of the engine that is turned to the force, and the share by which it is open. */
const opened = vec3()
let opening = 1
const effort = vec3()
/** Torque (N·m) that is wanted, in the attitude frame. */
const turning = vec3()
const none: Vec3Like = vec3()
/** Torque (N·m) of each engine for each newton of its thrust, in the attitude frame. */
const levers: Readonly<Record<Engine, Vec3>> = perEngine(vec3)
/** Thrust (N) of each engine that the vehicle can hold against. */
const held: Record<Engine, number> = perEngine(() => 0.5)

// The numbers below are chosen by hand unless they say otherwise.

/** Lateral engines with less than this share of the main engine are too weak to fly curves with. */
const WEAK_LATERAL = 0.4

/** The nose points fully along the force if the lateral engines lack this share of the main engine. */
const FULL_TURN = 0.15

/**
 * A ship without any brake gains a little speed in each step of a turn. It may exceed `maxSpeed` by this
 * share.
 */
const NO_BRAKE_TOLERANCE = 0.005

/** A ship with an engine below this share of its strongest turns a strong one to where it needs force. */
const WEAK = 0.15
/** Engines of at least this share of the strongest one are strong. Larger: fewer may be turned there. */
const STRONG = 0.4

/** Force below this share of the strongest engine is not worth a turn. */
const MIN_TURN_FORCE = 0.005

/** Above this cosine of the angle between nose and course, a ship with enough force flies nose ahead. */
const NOSE_AHEAD = 0.7

/** It does so only above this share of its top speed. */
const SLOW = 0.2

/** Share of the strongest engine that may be missing for it: a turn at full speed needs a little to brake. */
const CURVE_BRAKE = 0.05

/** An engine within this angle (rad) of a direction pushes there. */
const ALIGNED = 0.2

/** The engine begins to open at this cosine of the angle between it and the force. Smaller: earlier. */
const OPENS_AT = 0.85
/** It is fully open from this cosine on. */
const OPEN_AT = 0.95

/** Stands for the thrust (N) of a main engine that has none. */
const TINY = 1e-300

/**
 * A torque counts as held up to this share above `maxTorque`, and an engine as mounted on a line through the
 * centre of mass up to this share of its distance: far above what rounding adds.
 */
const ROUNDING = 1e-12

/**
 * Gives the agent one engine for each direction of its own frame, as a space ship has. Its force depends on
 * its attitude. Engines act through the centre of mass unless they have `mounts` off it. The torque of these
 * counts: the vehicle holds against it by its own torque, so that both together are what is wanted.
 * A ship with an engine of less than 15 % of its strongest one, and `facing: 'thrust'`, turns a strong engine
 * to where it needs force, to brake as well, and holds its attitude meanwhile (its `roll` does not count).
 * Turning goes before thrust: an engine fires no stronger than `maxTorque` allows beside the torque that is
 * wanted, and not at all in a vehicle without torque.
 */
export class Thrusters implements Locomotion {
  static readonly type: string = 'Thrusters'
  static readonly options = {
    /** Main engine: thrust ahead (N, ≥ 0). */
    ahead: { kind: 'number', required: true, unit: 'N', atLeast: 0, infinite: true },
    /** Retro engine: thrust astern (N, ≥ 0). Default half of `ahead`. */
    astern: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** N, ≥ 0. Default a quarter of `ahead`. */
    up: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** N, ≥ 0. Default a quarter of `ahead`. */
    down: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** N, ≥ 0. Default a quarter of `ahead`. */
    port: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** N, ≥ 0. Default a quarter of `ahead`. */
    starboard: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /**
     * Places of engines in the axes of the model, m, as seen from its origin. The thrust of an engine off the
     * centre of mass turns the vehicle, and the vehicle holds against it by its own torque, up to
     * `maxTorque`. Default: an engine without a place acts through the centre of mass.
     */
    mounts: {
      kind: {
        ahead: 'vector',
        astern: 'vector',
        up: 'vector',
        down: 'vector',
        port: 'vector',
        starboard: 'vector',
      },
      unit: 'm',
      check: requireMounts,
    },
    /** How the vehicle turns. Default: nose along the velocity to come (`facing: 'thrust'`), banking. */
    attitude: { kind: 'options', options: ATTITUDE, check: unchecked<AttitudeOptions> },
  } as const satisfies AnyTable

  ahead: number
  astern: number
  up: number
  down: number
  port: number
  starboard: number
  mounts: Mounts | undefined
  readonly attitude: Attitude

  /**
   * @throws RangeError when a limit is negative or not a number, or a mount is that of no engine or not
   * finite; TypeError when a mount is no vector.
   */
  constructor(options: ThrustersOptions) {
    const { ahead, attitude, mounts, ...sides } = readOptions('Thrusters', Thrusters.options, options)
    this.ahead = ahead
    this.astern = sides.astern ?? ahead / 2
    this.up = sides.up ?? ahead / 4
    this.down = sides.down ?? ahead / 4
    this.port = sides.port ?? ahead / 4
    this.starboard = sides.starboard ?? ahead / 4
    this.mounts = mounts
    this.attitude = new Attitude({ facing: 'thrust', ...attitude })
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { force } = out
    const { attitude } = agent
    const engines = this.enginesOf(agent)
    const turns = !asksTurn(demand) && this.turnsEngine(agent, engines, demand.force, step, out)
    if (!turns) this.attitude.actuate(agent, demand, step, demand.force, out)
    // compensation of gravity and damping comes first, and the demand gets the rest on each axis
    writeCost(engines, cost, agent, step.dt)
    capThrust(agent, step, copy(force, demand.force), false)
    vectorToLocal(local, attitude, force)
    vectorToLocal(velocity, attitude, agent.velocity)
    if (turns && opening < 1) addScaled(local, local, opened, (opening - 1) * Math.max(0, dot(local, opened)))
    // a turn at full speed needs a little braking force, which may be more than there is
    const brake = forceBesides(engines, cost, scale(reverse, velocity, -1))
    clampToSpeed(engines, agent, velocity, step.dt, cost, brake > 0 ? 0 : NO_BRAKE_TOLERANCE, local)
    let share = Math.min(1, shareWithin(cost, local, agent.maxForce))
    if (engines !== this) {
      vectorToLocal(turning, attitude, out.torque)
      scale(cost, cost, heldShare(agent, none, cost))
      share = heldShare(agent, cost, scale(local, local, share))
    }
    addScaled(local, cost, local, share)
    vectorToWorld(force, attitude, local)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    const engines = this.enginesOf(agent)
    vectorToLocal(local, agent.attitude, set(local, x, y, z))
    writeCost(engines, cost, agent, NOMINAL_STEP)
    if (engines !== this) {
      set(turning, 0, 0, 0)
      scale(cost, cost, heldShare(agent, none, cost))
    }
    const most = Math.min(shareWithin(cost, local, agent.maxForce), forceBesides(engines, cost, local))
    return engines === this || !(most > 0) ? most : most * heldShare(agent, cost, scale(local, local, most))
  }

  pushAlong(agent: Agent, x: number, y: number, z: number, out: Push): void {
    const engines = this.enginesOf(agent)
    const most = strongest(engines)
    out.turns = this.lacks(engines)
    if (!out.turns || out.force >= WEAK * Math.min(most, agent.maxForce)) return
    const name = nearestEngine(engines, most, vectorToLocal(local, agent.attitude, set(local, x, y, z)))
    const angle = arccos(dot(DIRECTIONS[name], local))
    turnOfEngine(turn, name, local)
    normalize(axis, vectorToWorld(axis, agent.attitude, turn))
    const time = angle > ALIGNED ? flownTurnTime(agent, axis, angle - ALIGNED) : 0
    if (!(time < Infinity)) return
    feedForward(cost, agent, NOMINAL_STEP)
    const limit = Math.min(agent.maxForce, engines[name])
    const force = length(cost) < limit ? shareWithin(cost, set(local, x, y, z), limit) : 0
    if (!(force > out.force)) return
    out.force = force
    out.turnTime = time
  }

  /** If the lateral engines are too weak, the ship must turn first and use its main engine. */
  forceTurnTime(agent: Agent): number {
    const engines = this.enginesOf(agent)
    if (lateralShare(engines) >= WEAK_LATERAL && !this.lacks(engines)) return 0
    const time = turnTime(agent, agent.attitude.y, Math.PI / 2)
    return time < Infinity ? time : 0
  }

  /** Turns the nose from the course towards the force, the more the lateral engines lack. */
  turnForForce(agent: Agent, force: Vec3Like, step: Step, out: Wrench): void {
    const { course } = agent
    const engines = this.enginesOf(agent)
    const brakesAhead = Math.min(engines.ahead, 2 * engines.astern) >= STRONG * strongest(engines)
    if (!brakesAhead && this.turnsEngine(agent, engines, force, step, out)) return
    reject(local, force, course.x)
    const ahead = Math.max(engines.ahead, TINY)
    const missing = length(local) - lateralShare(engines) * ahead
    const share = smoothstep(missing / ahead, 0, FULL_TURN)
    scale(nose, course.x, 1 - share)
    addScaled(nose, nose, force, share / Math.max(length(force), 1e-9))
    if (isZero(normalize(nose, nose))) copy(nose, course.x)
    noseAttitude(target, agent, nose, 'free', step, force, 0)
    turnTo(agent, target, step, out)
  }

  /** Whether it turns a strong engine to where another one is too weak. */
  private lacks(engines: Thrusts): boolean {
    const { ahead, astern, up, down, port, starboard } = engines
    const least = Math.min(ahead, astern, up, down, port, starboard)
    return this.attitude.facing === 'thrust' && least < WEAK * strongest(engines)
  }

  /**
   * Turns a ship that lacks engines so that a strong one gives `demand` (N), by the least turn, where the
   * others cannot; where they can, it holds its attitude: to turn to the course would be a turn more.
   * @returns false for a ship that flies nose ahead and lacks no engine for this force.
   */
  private turnsEngine(agent: Agent, engines: Thrusts, demand: Vec3Like, step: Step, out: Wrench): boolean {
    if (!this.lacks(engines)) return false
    const { attitude } = agent
    const most = strongest(engines)
    capThrust(agent, step, copy(needed, demand), false)
    addScaled(needed, needed, feedForward(cost, agent, step.dt), 1)
    if (sufficesAhead(agent, engines, most)) return false
    truncate(local, vectorToLocal(local, attitude, needed), most)
    clampBesides(engines, none, copy(wanted, local))
    opening = 1
    if (distance(wanted, local) > MIN_TURN_FORCE * most) {
      const name = nearestEngine(engines, most, normalize(local, local))
      opening = smoothstep(dot(DIRECTIONS[name], local), OPENS_AT, OPEN_AT)
      copy(opened, DIRECTIONS[name])
      turnOfEngine(turn, name, local)
      quatBetween(target, DIRECTIONS[name], local)
      multiply(target, quatFromAxes(steering, attitude.x, attitude.y), target)
      turnTo(agent, modelAttitude(target, target, agent.axes), step, out)
    } else turnTo(agent, agent.orientation, step, out)
    limitTorque(agent, step.dt, out.torque)
    return true
  }

  /**
   * The thrusts of the engines (N), no stronger than the agent can hold against. Writes `levers`, if there
   * are mounts.
   */
  private enginesOf({ axes, center, maxTorque }: Agent): Thrusts {
    const { mounts } = this
    if (mounts === undefined) return this
    for (const name of ENGINES) {
      const lever = levers[name]
      const mount = mounts[name]
      set(lever, 0, 0, 0)
      if (mount !== undefined) {
        cross(lever, unrotate(arm, axes, sub(arm, mount, center)), DIRECTIONS[name])
        // of an engine whose thrust passes through the centre of mass, only rounding is left
        if (length(lever) <= ROUNDING * (length(mount) + length(center))) set(lever, 0, 0, 0)
      }
      const size = length(lever)
      held[name] = size > 0 ? Math.min(this[name], maxTorque / size) : this[name]
    }
    return held
  }
}

/**
 * Whether a ship that flies nearly nose ahead could give the force in `needed` (N) with its nose on its
 * course: then it flies its curve as any other ship.
 */
function sufficesAhead(agent: Agent, engines: Thrusts, most: number): boolean {
  const { attitude, course, maxSpeed, speed } = agent
  if (dot(attitude.x, course.x) < NOSE_AHEAD || speed < SLOW * maxSpeed) return false
  const along = dot(needed, course.x)
  const aside = length(reject(local, needed, course.x))
  vectorToLocal(local, attitude, local)
  local.x = 0
  scale(local, normalize(local, local), aside)
  local.x = along
  truncate(local, local, most)
  clampBesides(engines, none, copy(wanted, local))
  // a turn at full speed needs a little braking force
  return distance(wanted, local) <= CURVE_BRAKE * most
}

/** Time (s) of a turn by `angle` (rad) as `turnTo` flies it: with a part of the torque, and its lag. */
function flownTurnTime(agent: Agent, about: Vec3Like, angle: number): number {
  return turnTime(agent, about, angle) / Math.sqrt(TORQUE_SHARE) + agent.responseTime
}

/** Thrust (N) of the strongest engine. */
function strongest({ ahead, astern, up, down, port, starboard }: Thrusts): number {
  return Math.max(ahead, astern, up, down, port, starboard)
}

/** The strong engine that is nearest to a local unit direction. */
function nearestEngine(engines: Thrusts, most: number, direction: Vec3Like): Engine {
  let nearest: Engine = 'ahead'
  let best = -Infinity
  for (const name of ENGINES) {
    const cosine = engines[name] >= STRONG * most ? dot(DIRECTIONS[name], direction) : -Infinity
    if (!(cosine > best)) continue
    best = cosine
    nearest = name
  }
  return nearest
}

/**
 * Writes the local axis, of any length, about which an engine turns to a local unit direction. Straight
 * astern has no axis: the ship then yaws.
 */
function turnOfEngine(out: Vec3, name: Engine, direction: Vec3): void {
  const from = DIRECTIONS[name]
  if (dot(from, direction) < -0.999) {
    addScaled(direction, direction, from.x === 0 ? DIRECTIONS.ahead : DIRECTIONS.starboard, 0.05)
    normalize(direction, direction)
  }
  cross(out, from, direction)
}

/** Thrust of the weakest lateral engine, as a share of that of the main engine. */
function lateralShare({ ahead, down, port, starboard, up }: Thrusts): number {
  return Math.min(up, down, port, starboard) / Math.max(ahead, TINY)
}

/** Greatest force (N) along a local unit direction, in addition to the local force `used`. */
function forceBesides(engines: Thrusts, used: Readonly<Vec3>, { x, y, z }: Readonly<Vec3>): number {
  return Math.min(
    axisForceBesides(used.x, x, engines.ahead, engines.astern),
    axisForceBesides(used.y, y, engines.up, engines.down),
    axisForceBesides(used.z, z, engines.starboard, engines.port),
  )
}

/** Writes the local force (N) that compensates gravity and damping, as far as the engines can give it. */
function writeCost(engines: Thrusts, out: Vec3, agent: Agent, dt: number): void {
  const { ahead, astern, up, down, port, starboard } = engines
  const { x, y, z } = vectorToLocal(out, agent.attitude, feedForward(out, agent, dt))
  set(out, clamp(x, -astern, ahead), clamp(y, -down, up), clamp(z, -port, starboard))
  truncate(out, out, agent.maxForce)
}

/**
 * Replaces a local force by the nearest one that the engines can give in addition to the local force `used`
 * and that does not raise the speed above (1 + `tolerance`) · `maxSpeed`. `present` is the velocity in local
 * axes. The nearest force is the one that leads to a share of the wanted velocity,
 * clamped axis by axis; bisection finds the share. (Clamping the axes and braking along the course by
 * turns converges slowly while the nose is off the course.)
 */
function clampToSpeed(
  engines: Thrusts,
  agent: Agent,
  present: Vec3Like,
  dt: number,
  used: Readonly<Vec3>,
  tolerance: number,
  force: Vec3,
): void {
  const { maxSpeed, speed } = agent
  const limit = Math.max(maxSpeed * (1 + tolerance), speed)
  const k = dt / agent.mass
  copy(wanted, force)
  clampBesides(engines, used, force)
  if (limit === Infinity || !(k > 1e-300) || isZero(force)) return
  if (isWithinSpeed(present, force, k, limit)) return
  scale(stopping, present, -1 / k)
  let low = 0
  let high = 1
  for (let round = 0; round < BISECTIONS; round++) {
    const share = (low + high) / 2
    addScaled(force, scale(force, wanted, share), stopping, 1 - share)
    clampBesides(engines, used, force)
    if (isWithinSpeed(present, force, k, limit)) low = share
    else high = share
  }
  addScaled(force, scale(force, wanted, low), stopping, 1 - low)
  clampBesides(engines, used, force)
}

/** Clamps a local force to what the engines can give in addition to the local force `used`. */
function clampBesides(engines: Thrusts, used: Readonly<Vec3>, force: Vec3): void {
  const { ahead, astern, up, down, port, starboard } = engines
  force.x = clamp(force.x, -astern - used.x, ahead - used.x)
  force.y = clamp(force.y, -down - used.y, up - used.y)
  force.z = clamp(force.z, -port - used.z, starboard - used.z)
}

/**
 * A share (0 … 1) of the local force `part`, in addition to the local force `used`, whose torque the agent
 * can hold against while it turns by the scratch torque `turning`; the largest one, if it can with all
 * smaller ones. Reads `levers`.
 */
function heldShare({ maxTorque }: Agent, used: Vec3Like, part: Vec3Like): number {
  if (isHeld(maxTorque, used, part, 1)) return 1
  let low = 0
  let high = 1
  for (let round = 0; round < BISECTIONS; round++) {
    const share = (low + high) / 2
    if (isHeld(maxTorque, used, part, share)) low = share
    else high = share
  }
  return low
}

function isHeld(maxTorque: number, used: Vec3Like, part: Vec3Like, share: number): boolean {
  const { x, y, z } = addScaled(effort, used, part, share)
  scale(effort, x > 0 ? levers.ahead : levers.astern, Math.abs(x))
  addScaled(effort, effort, y > 0 ? levers.up : levers.down, Math.abs(y))
  addScaled(effort, effort, z > 0 ? levers.starboard : levers.port, Math.abs(z))
  return length(sub(effort, turning, effort)) <= maxTorque * (1 + ROUNDING)
}

function perEngine<T>(make: () => T): Record<Engine, T> {
  const [ahead, astern, up, down, port, starboard] = [make(), make(), make(), make(), make(), make()]
  return { ahead, astern, up, down, port, starboard }
}

/** @throws TypeError when a mount is no vector, RangeError when it is not finite or that of no engine. */
function requireMounts(what: string, mounts: Mounts): Mounts {
  for (const [name, place] of Object.entries(requireObject(what, mounts))) {
    requireChoice(`${what}: engine`, name, ENGINES)
    if (place !== undefined) requireVector(`${what}.${name}`, place)
  }
  return mounts
}

/**
 * Whether a local force does not raise the speed, `present`, above `limit` (m/s). `k`: change of velocity
 * (m/s) per N.
 */
function isWithinSpeed(present: Vec3Like, { x, y, z }: Vec3Like, k: number, limit: number): boolean {
  // as shares of the limit: their squares do not overflow
  const sx = (present.x + k * x) / limit
  const sy = (present.y + k * y) / limit
  const sz = (present.z + k * z) / limit
  return sx * sx + sy * sy + sz * sz <= 1
}

/**
 * Greatest force along a direction with component `d` on an axis with limits `plus` and `minus`, of which
 * `used` is taken.
 */
function axisForceBesides(used: number, d: number, plus: number, minus: number): number {
  if (Math.abs(d) < 1e-9) return Infinity
  return d > 0 ? (plus - used) / d : (minus + used) / -d
}
