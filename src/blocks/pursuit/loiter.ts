import type { Agent, Behavior, DebugDraw, SnapshotState, Step, Wrench } from '../../core/types.js'
import { drawCircle } from '../../core/control/draw.js'
import { topSpeed } from '../../core/control/drive.js'
import { Memory } from '../../core/control/memory.js'
import { isGone, pointAt, requirePoint, velocityOf } from '../../core/control/target.js'
import { WithOptions } from '../../core/math/options.js'
import type { AnyTable, FieldsOf, Options, OptionsOf } from '../../core/math/options.js'
import { requireDirection } from '../../core/math/require.js'
import { addScaled, cross, dot, length, load, normalize } from '../../core/math/vec3.js'
import { reject, save, scale, sub, vec3 } from '../../core/math/vec3.js'
import { Circle } from './circle.js'
import { flyField } from './fly-field.js'
import { flyOn } from './run.js'
import { TrackedTarget } from './tracked-target.js'

export interface LoiterOptions extends Options, OptionsOf<typeof Loiter.options> {}
export interface Loiter extends FieldsOf<typeof Loiter.options> {}

/** The agent goes over where the courses of both loops are the same, within an angle of this cosine. */
const SAME_COURSE = 0.5

/** A vector shorter than this gives no direction. */
const MIN_SINE = 1e-3

// Offsets of the numbers that are stored for each agent.
/** Direction from the target to the first loop. */
const SIDE = 0
/** 1 on the first loop, −1 on the second. */
const LOOP = 3
/** 1 once the agent has flown away from the other loop since it came to this one. */
const TURNED = 4
const WIDTH = 5

const fromCenter = vec3()
const relativeVelocity = vec3()
const course = vec3()
const nextCourse = vec3()
const place = vec3()

/**
 * Flies a figure of eight about a point or a moving thing: it crosses the target again and again, in turn
 * from both sides, and turns as often to the left as to the right. An aircraft that cannot stand still waits
 * or watches so. Each loop is flown as by {@link Orbit}; where the course of the loop meets the line to the
 * other one, the agent goes over to that. The line between the loops is across the course on which the agent
 * begins. As a wish within constraints it goes around obstacles and comes back.
 */
export class Loiter extends WithOptions<LoiterOptions> implements Behavior {
  static readonly type: string = 'Loiter'
  static readonly options = {
    /**
     * Where the two loops cross (m): a point, a moving thing, or a function. A function counts as at rest.
     */
    target: { kind: 'point', required: true, check: requirePoint },
    /** Radius of both loops (m, > 0). */
    radius: { kind: 'number', required: true, unit: 'm', above: 0 },
    /**
     * Distance between the centres of the loops, in radii (≥ 2). With 2 they touch; with more, straight lines
     * between them cross at the target, on which wings have time to roll. Default 3.
     */
    length: { kind: 'number', atLeast: 2, default: 3 },
    /**
     * Speed relative to the target (m/s, > 0), limited by the top speed and the force. Default what seven
     * tenths of the force can hold on a loop, √(0.7·a·r).
     */
    speed: { kind: 'number', unit: 'm/s', above: 0 },
    /** Axis of the first loop, which is flown right-handed about it (any length, not 0). Default up. */
    axis: { kind: 'vector', check: requireDirection },
  } as const satisfies AnyTable
  private readonly memory = new Memory(WIDTH)
  private readonly center = new TrackedTarget()
  readonly state: SnapshotState = [this.memory, this.center]
  private readonly circle = new Circle()

  steer(agent: Agent, step: Step, out: Wrench): void {
    if (isGone(agent, step, this, this.target)) return
    const { circle, center } = this
    if (!center.update(agent, step, this.target)) return flyOn(agent, step, topSpeed(agent), out.force)
    sub(fromCenter, agent.position, center.position)
    sub(relativeVelocity, agent.velocity, center.flown)
    const offset = this.recall(agent, step)
    const { data } = this.memory
    if (this.isAtTheLine(agent, step, offset)) {
      data[offset + LOOP] = -data[offset + LOOP]!
      data[offset + TURNED] = 0
      this.fit(agent, step, offset, data[offset + LOOP]!)
    }
    flyField(agent, step, circle, place, relativeVelocity, center.acceleration, out.force)
  }

  /** Draws both loops. */
  trace(agent: Agent, step: Step, draw: DebugDraw): void {
    const { target, circle, center } = this
    pointAt(center.position, target, agent)
    velocityOf(center.velocity, target, agent)
    sub(fromCenter, agent.position, center.position)
    const offset = this.recall(agent, step)
    for (const loop of [1, -1]) {
      this.fit(agent, step, offset, loop)
      load(course, this.memory.data, offset + SIDE)
      drawCircle(draw, 'orbit', addScaled(course, center.position, course, loop * this.half), circle)
    }
  }

  /** Distance from the target to the centre of a loop (m). */
  private get half(): number {
    return (this.length * this.radius) / 2
  }

  /**
   * Where the numbers of the agent are. At first the loops are laid across its course, and it begins with the
   * nearer one. Reads `fromCenter`.
   */
  private recall(agent: Agent, step: Step): number {
    const offset = this.memory.at(agent)
    const { data, fresh } = this.memory
    if (!fresh) return offset
    const axis = normalize(course, this.axis ?? step.up)
    cross(place, axis, agent.course.x)
    // straight along the axis: by the up axis of the course
    if (length(place) < MIN_SINE) reject(place, agent.course.y, axis)
    save(normalize(place, place), data, offset + SIDE)
    data[offset + LOOP] = dot(fromCenter, place) < 0 ? -1 : 1
    data[offset + TURNED] = 0
    return offset
  }

  /** Writes `circle` of a loop, and `place` of the agent relative to its centre. Reads `fromCenter`. */
  private fit(agent: Agent, step: Step, offset: number, loop: number): void {
    const { center, circle, memory, radius, speed } = this
    circle.fit(agent, step, radius, speed, length(center.velocity))
    scale(circle.axis, normalize(circle.axis, this.axis ?? step.up), loop)
    load(place, memory.data, offset + SIDE)
    addScaled(place, fromCenter, place, -loop * this.half)
  }

  /** Fits the present loop. Returns whether its course has come to the line to the other one. */
  private isAtTheLine(agent: Agent, step: Step, offset: number): boolean {
    const { circle, memory } = this
    const { data } = memory
    const loop = data[offset + LOOP]!
    this.fit(agent, step, offset, -loop)
    circle.velocityAt(nextCourse, place)
    this.fit(agent, step, offset, loop)
    circle.velocityAt(course, place)
    const along = dot(course, nextCourse)
    if (along < 0) data[offset + TURNED] = 1
    if (data[offset + TURNED] === 0 || along < SAME_COURSE * length(course) * length(nextCourse)) return false
    return dot(cross(nextCourse, course, nextCourse), circle.axis) <= 0
  }
}
