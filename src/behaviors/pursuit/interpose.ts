import type {
  Agent,
  Behavior,
  DebugDraw,
  SnapshotState,
  PointSource,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../types.js'
import { topSpeed } from '../../control/drive.js'
import { BRAKE_SHARE } from '../../control/profile.js'
import { requireNumber } from '../../math/require.js'
import { smoothstep } from '../../math/scalar.js'
import { addScaled, distance, isFiniteVec, scale, set, sub, vec3 } from '../../math/vec3.js'
import { arriveAt } from '../../control/arrive-at.js'
import { TrackedTarget } from './tracked-target.js'
import { closingIn, flyOn } from './run.js'
import { pointAt, requirePoint } from '../../control/target.js'

export interface InterposeOptions {
  /** The two to come between, m: points, things that move, or functions, whose motion it finds zero. */
  targets: readonly [PointSource, PointSource]
  /** Where on the line between them, in [0, 1], dimensionless: 0 at the first, 1 at the second. Default 0.5. */
  ratio?: number
}

/** The place is looked for where it will be on arrival in so many rounds, in no more than this time, s. */
const ROUNDS = 4
const LONGEST = 10

/** Farther off than the second time (s) it flies to the meeting place; nearer than the first it keeps company, which no wrong guess disturbs. */
const COMPANY = 1
const MEETING = 3

const place = vec3()
const velocity = vec3()
const acceleration = vec3()
const other = vec3()
const way = vec3()
const far = vec3()

/**
 * Comes between two, and stays there (Green, Interpose and Hide; Reynolds 1999; course deck IMGD 4000, Interpose). Both are predicted to the
 * time of arrival. Green's and the deck's prediction is a straight line, and a time of arrival by distance / speed; here the turns, weaves and
 * spirals of both are learnt from their velocity, braking takes its time, and velocity and acceleration of the place are fed
 * forward: it does not lag behind two that turn.
 */
export class Interpose implements Behavior {
  static readonly type: string = 'Interpose'
  targets: readonly [PointSource, PointSource]
  ratio: number
  private readonly first = new TrackedTarget()
  private readonly second = new TrackedTarget()
  readonly state: SnapshotState = [this.first, this.second]

  /** @throws TypeError / RangeError naming the option. */
  constructor({ targets, ratio = 0.5 }: InterposeOptions) {
    if (!Array.isArray(targets) || targets.length !== 2)
      throw new TypeError(`Interpose.targets: got ${String(targets)}, must be an array of two`)
    requirePoint('Interpose.targets[0]', targets[0])
    requirePoint('Interpose.targets[1]', targets[1])
    this.targets = targets
    this.ratio = requireNumber('Interpose.ratio', ratio, 0, false, 1)
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const top = topSpeed(agent)
    const { targets, first, ratio, second } = this
    if (!first.update(agent, step, targets[0]) || !second.update(agent, step, targets[1]))
      return flyOn(agent, step, top, out.force)
    mix(place, first.position, second.position, ratio)
    mix(velocity, first.flown, second.flown, ratio)
    mix(acceleration, first.acceleration, second.acceleration, ratio)
    const time = this.arrival(agent, top)
    if (time > COMPANY) {
      // flies at where they will meet: as if the place went there straight
      const share = smoothstep(time, COMPANY, MEETING)
      sub(way, scale(way, sub(way, this.at(far, time), place), 1 / time), velocity)
      scale(acceleration, acceleration, 1 - share)
      addScaled(acceleration, acceleration, way, share / time)
      addScaled(velocity, velocity, way, share)
    }
    if (!isFiniteVec(acceleration)) set(acceleration, 0, 0, 0)
    if (!isFiniteVec(velocity)) set(velocity, 0, 0, 0)
    const closing = closingIn(sub(way, place, agent.position), velocity, top)
    arriveAt(agent, step, place, velocity, acceleration, closing, out.force)
  }

  /** Draws the line between the two, and the way to the place. */
  trace(agent: Agent, _step: Step, draw: DebugDraw): void {
    const [first, second] = this.targets
    pointAt(place, first, agent)
    pointAt(far, second, agent)
    draw.line('between', place, far)
    draw.line('interpose', agent.position, mix(place, place, far, this.ratio))
  }

  /** Where the place will be in `time` seconds, m. Writes `other`. */
  private at(out: Vec3, time: number): Vec3 {
    return mix(out, this.first.at(out, time), this.second.at(other, time), this.ratio)
  }

  /** Time (s) until the agent, at `top` speed and then braking, is there. */
  private arrival(agent: Agent, top: number): number {
    const brake = (BRAKE_SHARE * agent.maxForce) / agent.mass
    let time = 0
    for (let i = 0; i < ROUNDS; i++) {
      const room = distance(this.at(far, time), agent.position)
      const slowing = (top * top) / (2 * brake)
      const taken = room < slowing ? Math.sqrt((2 * room) / brake) : room / top + top / (2 * brake)
      time = taken < LONGEST ? taken : LONGEST
    }
    return time
  }
}

/** Writes what lies at `ratio` between `a` and `b`. `out` may be `a`. */
function mix(out: Vec3, a: Vec3Like, b: Vec3Like, ratio: number): Vec3 {
  return addScaled(out, scale(out, a, 1 - ratio), b, ratio)
}
