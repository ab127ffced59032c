import type {
  Agent,
  Locomotion,
  ObstacleQuery,
  RollingVehicle,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
  VelocityLimits,
  Wish,
  Wrench,
} from '../../core/types.js'
import { servoTime, topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { limitTorque, modelAttitude, torqueFor, turnAcceleration, turnTo } from '../../core/control/turn.js'
import { clearWish, makeWish } from '../../core/control/wish.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { quat, quatFromAxes } from '../../core/math/quat.js'
import { clamp } from '../../core/math/scalar.js'
import {
  addScaled,
  copy,
  distance,
  dot,
  isZero,
  length,
  reject,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../core/math/vec3.js'
import { clearWrench, zeroWrench } from '../../core/math/wrench.js'
import { CURVE_SHARE, DrivePlan, standingSpeed, widestAngle } from './drive-plan.js'
import { brakingPower, search } from './drive-ways.js'
import { makeGroundFrame, standUpright } from '../../core/locomotion/ground-frame.js'
import { feedForward } from '../../core/locomotion/limits.js'
import { Standing } from '../../core/locomotion/standing.js'

export interface WheelsOptions extends Options, OptionsOf<typeof Wheels.options> {}
export interface Wheels extends FieldsOf<typeof Wheels.options> {}

// The numbers below are chosen by hand.

/** Share of the grip that the steering uses at most: it also changes the yaw. */
const SLIP_SHARE = 0.95
/** While its wheels turn it rolls no more than this share of its wheelbase. Chosen by hand. */
const WAITING_SHARE = 0.08
/** Share of its power to brake that it counts on before obstacles. Larger: it brakes later. */
const BRAKING_SHARE = 0.8
/** The same when it brakes and looks for a curve on which it stops. */
const STOPPING_SHARE = 0.9
/** The way to stop is tested in pieces of this share of the wheelbase. Smaller: closer to its curve. */
const BRAKING_PIECE = 0.4
/** A way of more pieces counts as blocked. */
const MOST_PIECES = 32
/** Twice the way to stop, as a share of its least radius, below which its curve does not matter. */
const SHORT = 0.6
/** Where it would not stop on its curve, so many others to each side are tried. */
const STOPPING_CURVES = 3
/** Without a `plane` it is righted by at most this angular acceleration (rad/s²): the ground is stronger. */
const RIGHTING = 2
/** The ground is level where it takes no more than this share of its grip to hold the vehicle. */
const LEVEL_SHARE = 1e-4
/** Its wheels touch the ground up to this angle from upright (cosine). */
const UPRIGHT_COSINE = 0.5

const ground = makeGroundFrame()
const righted = makeGroundFrame()
const inSpace = vec3()
const { up, nose, side } = ground
const level = vec3()
const wanted = vec3()
const place = vec3()
const next = vec3()
const cost = vec3()
const direction = vec3()
const turning = vec3()
const steering = quat()
const target = quat()
const upright: Wrench = zeroWrench()

/**
 * Moves a car or cart: it rolls along its nose, ahead or astern, turns only while it rolls, on curves no
 * tighter than its steering allows, and never slips sideways unless it is pushed harder than its tyres hold
 * (the bicycle model; its centre moves as the middle of the rear axle). It steers towards the velocity that
 * behaviours want. Where a goal lies inside its turning circle it backs up first; to a goal near behind, or
 * out of a dead end, it drives astern. Where its curve to a goal is blocked by obstacles at rest, where it
 * stands at one, or where it cannot back up, it searches a way over its own curves, ahead and astern
 * (`WaySearch`: at most one search a step), and drives that to its end. It
 * brakes when the curve on which it would stop is blocked by an obstacle at rest, and steers to where it
 * stops before it. Where nothing is asked of it, it brakes and stands. A wanted torque is ignored.
 *
 * Its ground is the agent's `plane`, if it has one. Else it is that on which its wheels stand, also on
 * slopes: it is the `plane` of the agent in this step, so that it evades to the sides only. It then rights
 * itself gently, and gets no force while it lies on its side or roof. With `compensateGravity` it holds
 * slopes. The floor of a physics engine must be without friction for its body: the tyres are simulated here.
 */
export class Wheels extends WithOptions<WheelsOptions> implements Locomotion, RollingVehicle {
  static readonly type: string = 'Wheels'
  static readonly options = {
    /** Distance (m, > 0) between the axles. The least turn radius is `wheelbase` / tan(`maxSteer`). */
    wheelbase: { kind: 'number', required: true, unit: 'm', above: 0 },
    /** Greatest angle (rad) of the front wheels, in (0, 1.5]. Default 0.6. */
    maxSteer: { kind: 'number', unit: 'rad', above: 0, atMost: 1.5, default: 0.6 },
    /** Rate (rad/s, > 0) at which the front wheels turn. Default 1.2. */
    steerRate: { kind: 'number', unit: 'rad/s', above: 0, infinite: true, default: 1.2 },
    /**
     * Greatest acceleration (m/s², > 0) that the tyres hold, in all directions together: friction times g.
     * Beyond it the vehicle slips. Default 8, dry asphalt.
     */
    grip: { kind: 'number', unit: 'm/s²', above: 0, infinite: true, default: 8 },
    /** Greatest force of the engine (N, ≥ 0). Default the agent's `maxForce`. */
    thrust: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /** Greatest force of the brakes (N, ≥ 0). Default the agent's `maxForce`. */
    brake: { kind: 'number', unit: 'N', atLeast: 0, infinite: true },
    /**
     * Greatest speed astern, as a share of the top speed, in [0, 1]; 0: it never goes astern. Default 0.3. It
     * goes astern to a place near behind it, in three-point turns, and where a wanted velocity astern is no
     * faster than this.
     */
    astern: { kind: 'number', atLeast: 0, atMost: 1, default: 0.3 },
    /** Steepest slope (rad) that it drives up, in (0, π/2): a steeper one is an obstacle. Default 45°. */
    maxSlope: { kind: 'number', unit: 'rad', above: 0, atMost: 1.57, default: 0.7853981633974483 },
    /**
     * Height (m, ≥ 0) of the highest kerb that its wheels roll over: a higher one is an obstacle. Default a
     * twentieth of its radius.
     */
    stepHeight: { kind: 'number', unit: 'm', atLeast: 0 },
  } as const satisfies AnyTable

  private readonly plan = new DrivePlan(this, ground)
  /** The angles of the front wheels (rad, + to starboard). */
  private readonly steer = new Memory(1)
  readonly standsIdle: boolean = true
  private readonly standing = new Standing()
  readonly state: SnapshotState = [this.steer, this.plan, this.standing]
  private readonly wish: Wish = makeWish()
  /** Whether the ground is known by the attitude of the wheels only. */
  private isOnWheels = false
  /** Whether the wanted velocity is one that the vehicle can have, as `within` made it. */
  private isManeuver = false
  /** The obstacles at rest, of the agent that is asked now. */
  private map: ObstacleQuery | null = null

  /** Least radius of its curves, m. */
  get turnRadius(): number {
    return this.wheelbase / Math.tan(this.maxSteer)
  }

  /** Angle (rad) of the front wheels of an agent, positive to starboard. */
  steerOf(agent: Agent): number {
    const at = this.steer.find(agent)
    return at < 0 ? 0 : this.steer.data[at]!
  }

  beginWish({ attitude }: Agent, plane: Vec3): Wish {
    const { wish } = this
    this.isOnWheels = isZero(plane)
    if (this.isOnWheels) copy(plane, attitude.y)
    clearWish(wish)
    wish.map = null
    wish.vehicle = this
    wish.ways = search
    wish.turnRadius = this.turnRadius
    this.isManeuver = false
    this.map = null
    return wish
  }

  actuate(agent: Agent, demand: Readonly<Wrench>, step: Step, out: Wrench): void {
    const { force, torque } = out
    const { mass } = agent
    const { dt } = step
    standUpright(ground, agent.attitude, agent.plane, step.up)
    if (this.isOnWheels && dot(agent.attitude.y, step.up) < UPRIGHT_COSINE) {
      this.yaw(agent, step, dot(agent.angularVelocity, up), torque)
      return
    }
    const time = servoTime(agent, step)
    reject(level, agent.velocity, up)
    addScaled(wanted, agent.velocity, demand.force, time / mass)
    reject(wanted, wanted, up)
    const stands = this.standing.isAsked(agent, demand, wanted)
    if (!this.isManeuver) {
      const { aim, map } = this.wish
      if (aim === 0) this.leads(agent, step, wanted, this.goal(), map)
      this.maneuver(agent, step, wanted, this.goal(), aim, map, null)
    }
    const pace = dot(level, nose)
    const ahead = dot(wanted, nose)
    const gear = this.plan.gearOf(agent, ahead)
    const wish = this.wantedAngle(agent, pace, gear, time)
    const isHeld = !(this.speedAtContact(agent, pace, wish, BRAKING_SHARE, step) === 0)
    const aim = isHeld ? this.angleToStop(agent, pace, wish, step) : wish
    const at = this.steer.at(agent)
    const missing = aim - this.steer.data[at]!
    const steer = (this.steer.data[at] = this.turned(this.steer.data[at]!, aim, dt))
    // along the nose
    const top = gear < 0 ? this.astern * topSpeed(agent) : topSpeed(agent)
    const free = Math.max(
      Math.abs(pace),
      (WAITING_SHARE * this.wheelbase * this.steerRate) / Math.max(Math.abs(missing), 1e-9),
    )
    let speed = clamp(ahead, -Math.min(top, free), Math.min(top, free))
    if (isHeld && speed * pace > 0) {
      speed = 0
      this.plan.hold(agent)
    }
    const curve = this.curveAt(agent, steer, pace)
    truncate(cost, reject(cost, feedForward(cost, agent, dt), up), agent.maxForce)
    const across = Math.min(1, (pace * pace * Math.abs(curve)) / this.grip)
    const held = this.grip * mass * Math.sqrt(1 - across * across)
    const along = stands
      ? this.park(agent, step, pace, held)
      : this.limitThrust(agent, pace, (mass * (speed - pace)) / time + dot(cost, nose), dt) - dot(cost, nose)
    if (stands && this.isOnWheels && length(cost) < LEVEL_SHARE * held && this.standing.rests(agent, level))
      return
    const longitudinal = clamp(along, -held, held)
    const after = pace + (longitudinal * dt) / mass
    this.yaw(agent, step, -after * curve, torque)
    // to the side: what keeps it on the line of its nose, as far as the tyres hold
    turnAcceleration(turning, agent, torque)
    const angle = (dot(agent.angularVelocity, up) + dot(turning, up) * dt) * dt
    scale(direction, nose, Math.cos(angle))
    addScaled(direction, direction, side, -Math.sin(angle))
    scale(force, sub(force, scale(force, direction, after), level), mass / dt)
    const lateral = dot(force, side)
    const grip = this.grip * mass
    addScaled(force, force, nose, dot(cost, nose))
    addScaled(force, force, side, clamp(lateral - mass * dot(agent.gravity, side), -grip, grip) - lateral)
    reject(force, force, up)
  }

  forceAlong(agent: Agent, x: number, y: number, z: number): number {
    set(direction, x, y, z)
    const { attitude, mass, velocity } = agent
    const along = dot(direction, attitude.x)
    const across = Math.abs(dot(direction, attitude.z))
    const brakes = along * dot(velocity, attitude.x) < 0
    const main = Math.min(agent.maxForce, (brakes ? this.brake : this.thrust) ?? agent.maxForce)
    const held = Math.min(main, this.grip * mass)
    const lateral = CURVE_SHARE * this.grip * mass
    // on the curve to a goal beside its nose only the brakes slow it down
    return Math.abs(along) * held + across * (brakes ? Math.min(lateral, held) : lateral)
  }

  /** Half of the time that the wheels need from straight ahead to one side. */
  forceLag(): number {
    return this.maxSteer / this.steerRate / 2
  }

  hold(agent: Agent): void {
    this.plan.hold(agent)
  }

  leads(
    agent: Agent,
    step: Step,
    velocity: Vec3Like,
    goal: Vec3Like | null,
    map: ObstacleQuery | null,
  ): boolean {
    standUpright(ground, agent.attitude, agent.plane, step.up)
    return this.plan.leads(agent, step, velocity, goal, this.wish.passes, map)
  }

  maneuver(
    agent: Agent,
    step: Step,
    velocity: Vec3,
    goal: Vec3Like | null,
    aim: number,
    map: ObstacleQuery | null,
    limits: VelocityLimits | null,
  ): void {
    this.isManeuver = true
    this.map = map
    standUpright(ground, agent.attitude, agent.plane, step.up)
    this.plan.make(agent, step, velocity, goal, aim, map, limits)
    if (limits === null) return
    const gear = this.plan.gearOf(agent, 0)
    const widest = widestAngle(this, agent, step, Math.max(length(velocity), agent.speed))
    for (let hand = -1; hand <= 1; hand += 2) {
      scale(direction, nose, gear * Math.sin(widest))
      limits.addHalfSpace(addScaled(direction, direction, side, hand * Math.cos(widest)), 0)
    }
  }

  /** The goal of the wish, if it is a place. */
  private goal(): Vec3Like | null {
    return this.wish.hasGoalPoint ? this.wish.goal : null
  }

  /** The angle of the front wheels on the curve towards the wanted velocity. Reads `wanted`. */
  private wantedAngle(agent: Agent, pace: number, gear: number, time: number): number {
    const at = this.steer.at(agent)
    const steer = this.steer.data[at]!
    const ahead = gear * dot(wanted, nose)
    if (!(ahead > 0) && isZero(wanted)) return steer
    // it keeps its curve while it brakes for the other gear
    if (pace * gear < -standingSpeed(this)) return steer
    const psi = Math.atan2(gear * dot(wanted, side), Math.max(ahead, 0))
    // constraints have changed the velocity, or not
    const curve =
      distance(wanted, this.plan.velocity) < 1e-6 * (1 + ahead)
        ? this.plan.curve
        : (gear * psi) / (time * Math.max(Math.abs(pace), ahead, standingSpeed(this)))
    return clamp(Math.atan(this.wheelbase * curve), -this.maxSteer, this.maxSteer)
  }

  /** The angle of the front wheels when they have turned from `angle` to `wish` for a time (s). */
  private turned(angle: number, wish: number, time: number): number {
    const most = this.steerRate * time
    return angle + clamp(wish - angle, -most, most)
  }

  /**
   * The angle of the wheels with which it stops before obstacles at rest, or touches them most slowly: the
   * wanted one if that will do, else the nearest of some.
   */
  private angleToStop(agent: Agent, pace: number, wish: number, step: Step): number {
    // where it stops at once, another curve leads to the same place
    if (pace * pace < SHORT * this.turnRadius * brakingPower(this, agent)) return wish
    let least = this.speedAtContact(agent, pace, wish, STOPPING_SHARE, step)
    if (least === 0) return wish
    let best = wish
    const widest = Math.min(1 / this.turnRadius, this.mostCurve(agent, pace))
    for (let k = -STOPPING_CURVES; k <= STOPPING_CURVES; k++) {
      const angle = Math.atan((this.wheelbase * widest * k) / STOPPING_CURVES)
      const speed = this.speedAtContact(agent, pace, angle, STOPPING_SHARE, step)
      if (speed > least || (speed === least && Math.abs(angle - wish) >= Math.abs(best - wish))) continue
      least = speed
      best = angle
    }
    return best
  }

  /**
   * The speed (m/s) at which it would touch an obstacle at rest if it turned its wheels to this angle and
   * braked with this share of its power; 0 if it would stop before.
   */
  private speedAtContact(agent: Agent, pace: number, wish: number, share: number, step: Step): number {
    const { map } = this
    let speed = Math.abs(pace)
    const standing = standingSpeed(this)
    if (map === null || !(speed > standing)) return 0
    const { grip } = this
    const brake = brakingPower(this, agent)
    const time = servoTime(agent, step)
    const gear = pace < 0 ? -1 : 1
    const piece = BRAKING_PIECE * this.wheelbase
    let angle = this.turned(this.steerOf(agent), wish, step.dt)
    let heading = 0
    // it rolls on for one more step
    copy(place, agent.position)
    addScaled(place, place, nose, pace * step.dt)
    for (let k = 0; speed > standing; k++) {
      if (k === MOST_PIECES) return speed
      const across = Math.min(1, (speed * speed * Math.abs(this.curveAt(agent, angle, speed))) / grip)
      const power = share * Math.min(brake, grip * Math.sqrt(1 - across * across))
      // no farther than it needs to stop; the servo brakes the more gently the slower it is
      const size = Math.min(piece, (speed * speed) / (2 * power) + speed * time)
      angle = this.turned(angle, wish, size / speed)
      heading += this.curveAt(agent, angle, speed) * gear * size
      addScaled(next, place, nose, gear * size * Math.cos(heading))
      addScaled(next, next, side, gear * size * Math.sin(heading))
      if (!map.isPathFree(place, next, 0)) return speed
      copy(place, next)
      speed = Math.sqrt(Math.max(0, speed * speed - 2 * power * size))
    }
    return 0
  }

  /** Curvature (1/m, + to starboard) with this angle of the wheels, as far as the tyres hold. */
  private curveAt(agent: Agent, steer: number, pace: number): number {
    const most = this.mostCurve(agent, pace)
    return clamp(Math.tan(steer) / this.wheelbase, -most, most)
  }

  /** The tightest curve (1/m) that the tyres hold at this speed. */
  private mostCurve(agent: Agent, pace: number): number {
    const fast = Math.abs(pace)
    return Math.min((SLIP_SHARE * this.grip) / (fast * fast), agent.maxTurnRate / fast)
  }

  /** Returns the force (N) along the nose with which its brakes stop it and hold it. */
  private park(agent: Agent, step: Step, pace: number, held: number): number {
    const most = Math.min(agent.maxForce, this.brake ?? agent.maxForce, held)
    scale(direction, nose, pace)
    return dot(this.standing.brake(agent, step, direction, topSpeed(agent), most, turning), nose)
  }

  /** Limits a force along the nose to that of the engine and the brakes, and to the top speed. */
  private limitThrust(agent: Agent, pace: number, force: number, dt: number): number {
    const { mass, maxForce } = agent
    const brakes = force * pace < 0
    const thrust = Math.min(maxForce, this.thrust ?? maxForce)
    const most = brakes ? Math.min(maxForce, this.brake ?? maxForce) : thrust
    const limited = clamp(force, -most, most)
    const stop = brakes ? (mass * Math.abs(pace)) / dt : Infinity
    if (!(Math.abs(limited) > stop)) return limited
    // brakes only stop: the engine has the rest of the step
    return Math.sign(force) * (stop + Math.min(Math.abs(limited) - stop, thrust * (1 - stop / most)))
  }

  /** Writes the torque that gives it this yaw rate (rad/s, about `up`), and keeps it upright. */
  private yaw(agent: Agent, step: Step, rate: number, torque: Vec3): void {
    const spin = dot(agent.angularVelocity, up)
    clearWrench(upright)
    scale(turning, up, spin)
    standUpright(righted, agent.attitude, this.isOnWheels ? inSpace : agent.plane, step.up)
    const attitude = quatFromAxes(steering, righted.nose, righted.up)
    turnTo(agent, modelAttitude(target, attitude, agent.axes), step, upright, turning)
    if (this.isOnWheels) {
      reject(upright.torque, upright.torque, up)
      const most = length(torqueFor(turning, agent, scale(turning, side, RIGHTING)))
      truncate(upright.torque, upright.torque, most)
    }
    torqueFor(torque, agent, scale(turning, up, (rate - spin) / step.dt))
    addScaled(torque, torque, upright.torque, 1)
    limitTorque(agent, step.dt, torque)
  }
}
