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
import type { Course, Craft, Form, Pilot } from '../../demo/scenarios/course.js'
import { distance } from '../../demo/scenarios/metrics.js'

/** What a pilot's behaviour is made of. */
export interface Given {
  readonly course: Course
  readonly pilot: Pilot
  /** Its task, without a thought for obstacles. */
  readonly task: Behavior
  readonly obstacles: Obstacles
  /** Null where there are none. */
  readonly bounds: Obstacles | null
}

/** The floor: flies to its goal as if nothing stood in the way. */
export function careless({ task }: Given): Behavior {
  return task
}

/** Avoids obstacles and stays inside the bounds, with everything at its default. */
export function careful({ task, obstacles, bounds }: Given): Behavior {
  const constraints: Constraint[] = []
  if (obstacles.size > 0) constraints.push(new AvoidObstacles({ obstacles }))
  if (bounds !== null) constraints.push(new Contain({ bounds }))
  return within(constraints, task)
}

/** As far as two pilots fly while both stop, three times over, and some radii. */
export function lookOut({ maxForce, maxSpeed, mass, radius }: Craft): number {
  return (3 * maxSpeed * maxSpeed * mass) / maxForce + 12 * radius
}

/** What a pilot has to mind: walls, obstacles and the others, as far as there are any. Numbers of its own, and no scene's. */
export function concernsOf({ obstacles, bounds, pilot, course }: Given): Constraint[] {
  const concerns: Constraint[] = []
  if (bounds !== null) concerns.push(new Contain({ bounds }))
  if (obstacles.size > 0) concerns.push(new AvoidObstacles({ obstacles }))
  if (course.pilots.length > 1) concerns.push(new ReciprocalAvoidance({ neighborDistance: lookOut(pilot) }))
  return concerns
}

/** Avoids the others as well. */
export function courteous(given: Given): Behavior {
  return given.pilot.blind === true ? given.task : within(concernsOf(given), given.task)
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

/** What keeps inside of a form: the form hollow, or a half-space as it is. */
export function wallOf(form: Form): Shape {
  return form.kind === 'halfSpace' ? shapeOf(form) : new HollowShape(shapeOf(form))
}

interface Errand {
  readonly course: Course
  readonly pilot: Pilot
  readonly obstacles: Obstacles
  /** Live: whom to hide from. */
  readonly seeker: Moving | null
}

/** What the pilot wants, without a thought for obstacles. */
export function taskOf({ course: { task }, pilot, obstacles, seeker }: Errand): Behavior {
  const { goal, route = [], radius, near = 3 * radius } = pilot
  if (pilot.blind === true) return new Idle()
  if (task === 'hide' && seeker !== null) return new Hide({ target: seeker, obstacles })
  if (task === 'wander' || goal === null) return new Wander()
  if (task === 'arrive' || route.length === 0) return new Arrive({ target: goal })
  return new FollowRoute([...route, goal], near, task === 'stops')
}

/** Wants nothing. */
class Idle implements Behavior {
  steer(): void {}
}

/** Seeks, or arrives at, the points of a route in turn and comes to rest at the last. For one agent. */
export class FollowRoute implements Behavior {
  readonly children: readonly Behavior[]
  #next = 0
  readonly #points: readonly Vec3Like[]
  readonly #near: number
  readonly #stops: boolean
  readonly #seek: Seek
  readonly #arrive: Arrive

  /** @param near A point counts as passed within this distance, m. */
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
