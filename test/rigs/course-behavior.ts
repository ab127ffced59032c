import {
  Arrive,
  AvoidObstacles,
  BoxShape,
  CapsuleShape,
  Contain,
  CylinderShape,
  HalfSpaceShape,
  Hide,
  ReciprocalAvoidance,
  HollowShape,
  Seek,
  SphereShape,
  Wander,
  within,
  type Agent,
  type Behavior,
  type Moving,
  type Obstacles,
  type Shape,
  type Step,
  type Vec3,
  type Vec3Like,
  type Wrench,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'
import type { Course, Craft, Form, Pilot } from './course.js'
import { distance } from '../../demo/scenarios/metrics.js'

/** The parts of a pilot's behaviour. */
export interface PilotContext {
  readonly course: Course
  readonly pilot: Pilot
  /** The task, without avoidance. */
  readonly task: Behavior
  readonly obstacles: Obstacles
  /** Null when there are none. */
  readonly bounds: Obstacles | null
}

/** Avoids obstacles and stays inside the bounds, with all options at their defaults. */
export function avoidingObstacles({ task, obstacles, bounds }: PilotContext): Behavior {
  const constraints: Constraint[] = []
  if (obstacles.size > 0) constraints.push(new AvoidObstacles({ obstacles }))
  if (bounds !== null) constraints.push(new Contain({ bounds }))
  return within(constraints, task)
}

/** Neighbour distance (m): three times the distance that two pilots need to stop, plus some radii. */
export function neighborDistanceOf({ maxForce, maxSpeed, mass, radius }: Craft): number {
  return (3 * maxSpeed * maxSpeed * mass) / maxForce + 12 * radius
}

/**
 * The constraints of a pilot: walls, obstacles and other pilots, if there are any. Options depend on the
 * pilot, not on the scene.
 */
export function constraintsOf({ obstacles, bounds, pilot, course }: PilotContext): Constraint[] {
  const concerns: Constraint[] = []
  if (bounds !== null) concerns.push(new Contain({ bounds }))
  if (obstacles.size > 0) concerns.push(new AvoidObstacles({ obstacles }))
  if (course.pilots.length > 1)
    concerns.push(new ReciprocalAvoidance({ neighborDistance: neighborDistanceOf(pilot) }))
  return concerns
}

/** Avoids obstacles, bounds and other pilots. */
export function avoidingAll(given: PilotContext): Behavior {
  return given.pilot.blind === true ? given.task : within(constraintsOf(given), given.task)
}

export function shapeOf(form: Form): Shape {
  switch (form.kind) {
    case 'sphere':
      return new SphereShape(form.radius)
    case 'box':
      return new BoxShape(form.half)
    case 'capsule':
      return new CapsuleShape(form.radius, form.length)
    case 'cylinder':
      return new CylinderShape(form.radius, form.height)
    default:
      return new HalfSpaceShape()
  }
}

/** The wall around the inside of a form: the hollow form, or a half-space unchanged. */
export function wallOf(form: Form): Shape {
  return form.kind === 'halfSpace' ? shapeOf(form) : new HollowShape(shapeOf(form))
}

interface TaskContext {
  readonly course: Course
  readonly pilot: Pilot
  readonly obstacles: Obstacles
  /** The agent to hide from (live). */
  readonly seeker: Moving | null
}

/** The behaviour of the pilot's task, without avoidance. */
export function taskOf({ course: { task }, pilot, obstacles, seeker }: TaskContext): Behavior {
  const { goal, route = [], radius, near = 3 * radius } = pilot
  if (pilot.blind === true) return new Idle()
  if (task === 'hide' && seeker !== null) return new Hide({ target: seeker, obstacles })
  if (task === 'wander' || goal === null) return new Wander()
  if (task === 'arrive' || route.length === 0) return new Arrive({ target: goal })
  return new FollowRoute([...route, goal], near, task === 'stops')
}

/** Asks for nothing. */
class Idle implements Behavior {
  steer(): void {}
}

/** Seeks or arrives at the points of a route in turn, and comes to rest at the last one. For one agent. */
export class FollowRoute implements Behavior {
  readonly children: readonly Behavior[]
  #next = 0
  readonly #points: readonly Vec3Like[]
  readonly #near: number
  readonly #stops: boolean
  readonly #seek: Seek
  readonly #arrive: Arrive

  /** @param near A point counts as passed within this distance (m). */
  constructor(points: readonly Vec3Like[], near: number, stops: boolean) {
    this.#points = points
    this.#near = near
    this.#stops = stops
    const target = (_agent: Agent, out: Vec3): void => {
      const { x, y, z } = this.#points[this.#next]!
      out.x = x
      out.y = y
      out.z = z
    }
    this.#seek = new Seek({ target })
    this.#arrive = new Arrive({ target })
    this.children = [this.#seek, this.#arrive]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    const last = this.#points.length - 1
    if (this.#next < last && distance(agent.position, this.#points[this.#next]!) < this.#near) this.#next++
    if (this.#next < last && !this.#stops) this.#seek.steer(agent, step, out)
    else this.#arrive.steer(agent, step, out)
  }
}
