import type {
  Agent,
  Behavior,
  DebugDraw,
  SnapshotState,
  Step,
  Vec3,
  Vec3Like,
  Wrench,
} from '../../core/types.js'
import { drawCircle } from '../../core/control/draw.js'
import { topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { requireDirection } from '../../core/math/require.js'
import { copy, cross, length, load, normalize } from '../../core/math/vec3.js'
import { save, sub, vec3 } from '../../core/math/vec3.js'
import { Circle } from './circle.js'
import { flyField } from './fly-field.js'
import { TrackedTarget } from './tracked-target.js'
import { flyOn } from './run.js'
import { isGone, pointAt, requirePoint, velocityOf } from '../../core/control/target.js'
import { readOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'

export interface OrbitOptions extends Options, OptionsOf<typeof Orbit.options> {}
export interface Orbit extends FieldsOf<typeof Orbit.options> {}

/** Below this sine of the angle between velocity and direction to the centre, the two define no plane. */
const MIN_SINE = 1e-3

const fromCenter = vec3()
const relativeVelocity = vec3()
const velocityBefore = vec3()
const velocityAfter = vec3()

/**
 * Circles a point or a moving thing at a distance. The agent joins the circle on a tangent, from outside,
 * inside, above or the centre itself, and stays on it without lag. Over a step the velocity turns with the
 * tangent, which is the centripetal force; the acceleration of the centre is fed forward as well. (Green's
 * moth, Seek and Flee, circles by overshooting; Polarith's Orbit is a field without a model of the vehicle.)
 * As a wish within constraints it goes around obstacles and comes back.
 */
export class Orbit implements Behavior {
  static readonly type: string = 'Orbit'
  static readonly options = {
    /** The centre (m): a point, a moving thing, or a function. A function counts as at rest. */
    target: { kind: 'point', required: true, check: requirePoint },
    /** Distance to keep from the centre (m, > 0). */
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    /**
     * Speed on the circle relative to the centre (m/s, > 0), limited by the top speed and the force. Default
     * what seven tenths of the force can hold on the circle, √(0.7·a·r).
     */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
    /**
     * Axis of the circle; the direction of flight is right-handed about it (any length, not 0). Default none:
     * the plane of the agent's motion when it first orbits.
     */
    axis: { kind: 'vector', check: requireDirection },
    /**
     * Keeps only the distance: the plane is that of the present motion, and other forces may change it. Not
     * with `axis`. Default false.
     */
    sphere: { kind: 'boolean', default: false },
  } as const satisfies AnyTable
  /** Axis found when the agent first orbited. */
  private readonly memory = new Memory(3)
  private readonly center = new TrackedTarget()
  readonly state: SnapshotState = [this.memory, this.center]
  private readonly circle = new Circle()

  /** @throws TypeError / RangeError naming the option. */
  constructor(options: OrbitOptions) {
    Object.assign(this, readOptions('Orbit', Orbit.options, options))
    if (this.sphere && this.axis !== undefined)
      throw new RangeError('Orbit.sphere: got true with an axis, must be false: a sphere has none')
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { circle, center } = this
    if (!center.update(agent, step, this.target)) return flyOn(agent, step, topSpeed(agent), out.force)
    sub(fromCenter, agent.position, center.position)
    sub(relativeVelocity, agent.velocity, center.flown)
    this.updateCircle(agent, step, fromCenter, relativeVelocity)
    flyField(agent, step, circle, fromCenter, relativeVelocity, center.acceleration, out.force)
  }

  /** Draws the circle, and the line to its centre. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const { target, circle, center } = this
    pointAt(center.position, target, agent)
    velocityOf(center.velocity, target, agent)
    sub(fromCenter, agent.position, center.position)
    sub(relativeVelocity, agent.velocity, center.velocity)
    this.updateCircle(agent, step, fromCenter, relativeVelocity)
    drawCircle(draw, 'orbit', center.position, circle)
    draw.line('orbit', agent.position, center.position)
  }

  /** Writes the present circle of this agent, which is at `offset` (m) and `drift` (m/s) from the centre. */
  private updateCircle(agent: Agent, step: Step, offset: Vec3Like, drift: Vec3Like): void {
    const { circle, center, radius, speed } = this
    circle.fit(agent, step, radius, speed, length(center.velocity))
    this.axisInto(circle.axis, agent, offset, drift)
  }

  private axisInto(out: Vec3, agent: Agent, offset: Vec3Like, drift: Vec3Like): void {
    if (this.axis !== undefined) {
      normalize(out, this.axis)
      return
    }
    const memoryOffset = this.memory.at(agent)
    const { data, fresh } = this.memory
    if (!fresh && !this.sphere) {
      load(out, data, memoryOffset)
      return
    }
    normalize(velocityBefore, offset)
    normalize(velocityAfter, drift)
    cross(out, velocityBefore, velocityAfter)
    // At rest, or flying straight at the centre or away from it: by the course, then by its up axis.
    if (length(out) < MIN_SINE) cross(out, velocityBefore, agent.course.x)
    if (length(out) < MIN_SINE) cross(out, velocityBefore, agent.course.z)
    if (length(out) < MIN_SINE) copy(out, agent.course.y)
    normalize(out, out)
    save(out, data, memoryOffset)
  }
}
