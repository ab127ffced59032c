import type * as CANNON from 'cannon-es'
import { Obstacles, SteeringController, SteeringWorld, type Behavior, type Vec3Like } from 'three-steering'
import { addBall, boundOf, makePhysics, solidOf } from './bodies.js'
import { avoidingObstacles, taskOf, type PilotContext } from './course-behavior.js'
import { patrolAt, placeOf, type Course, type Pilot } from './course.js'
import { Cells, FlightRecorder, type Flight } from './flight.js'
import { Encounters } from './encounters.js'
import { distance } from '../../demo/scenarios/metrics.js'

export interface CourseOptions {
  /** Step (s). Default 1/60. */
  readonly dt?: number
  /**
   * Whether cannon-es moves the pilots, as spheres without collision response: contacts are measured, but
   * have no effect. Default 'none'.
   */
  readonly bodies?: 'none' | 'cannon'
  /** The behaviour of a pilot. Default `careful`. */
  readonly makeBehavior?: (given: PilotContext) => Behavior
  /** Whether to record the positions of all pilots. Default false. */
  readonly record?: boolean
  /** Whether contacts between pilots are counted. Those of two blind pilots are not. */
  readonly meet?: boolean
}

export interface CourseResult {
  readonly course: Course
  readonly dt: number
  readonly flights: readonly Flight[]
  /** Contacts between pilots, if requested. */
  readonly encounters: Encounters | null
  /** Share of the cells of the bounds that were visited, see {@link Cells}. NaN without bounds. */
  readonly coverage: number
  /** Positions `[sample][3 × pilots]`, every 1/30 s, if requested. */
  readonly track: readonly Float64Array[]
}

/** Flies a course and measures it. Deterministic. */
export function flyCourse(course: Course, options: CourseOptions = {}): CourseResult {
  const {
    dt = 1 / 60,
    bodies = 'none',
    makeBehavior = avoidingObstacles,
    record = false,
    meet = false,
  } = options
  const { pilots, blocks, patrol } = course
  const movers = blocks.map(({ at, velocity = { x: 0, y: 0, z: 0 } }) => ({ position: at, velocity }))
  const obstacles = new Obstacles(
    blocks.map((block, i) =>
      block.velocity === undefined ? solidOf(block) : { ...solidOf(block), at: movers[i]! },
    ),
  )
  const bounds = course.bounds.length === 0 ? null : new Obstacles(course.bounds.map(boundOf))
  const seeker = patrol === undefined ? null : patrolAt(patrol, 0)
  const world = new SteeringWorld({ seed: course.seed })
  const physics = makePhysics(world, bodies)
  const controllers = pilots.map((pilot) =>
    controllerOf(
      pilot,
      makeBehavior({ course, pilot, task: taskOf({ course, pilot, obstacles, seeker }), obstacles, bounds }),
      physics,
    ),
  )
  for (const each of controllers) world.add(each)
  const recorders = pilots.map((pilot) => new FlightRecorder(pilot, course, dt))
  const cells = new Cells(course)
  const encounters = meet ? new Encounters(pilots) : null
  const track: Float64Array[] = []
  const steps = Math.round(course.limit / dt)
  const every = Math.max(1, Math.round(1 / 30 / dt))
  for (let i = 1; i <= steps && recorders.some(({ done }) => !done); i++) {
    for (const [k, block] of blocks.entries()) movers[k]!.position = placeOf(block, (i - 1) * dt)
    if (seeker !== null && patrol !== undefined) Object.assign(seeker, patrolAt(patrol, (i - 1) * dt))
    if (physics === null) world.step(dt)
    else physics.step(dt)
    for (const [k, each] of controllers.entries()) {
      // cannon moves its bodies after the steering has read them
      const { position, velocity } = physics?.bodies[k] ?? each
      recorders[k]!.update(position, velocity, i * dt)
      cells.visit(position)
    }
    encounters?.update(physics?.bodies ?? controllers)
    if (record && i % every === 0)
      track.push(
        Float64Array.from((physics?.bodies ?? controllers).flatMap(({ position: { x, y, z } }) => [x, y, z])),
      )
  }
  world.dispose()
  return {
    course,
    dt,
    flights: recorders.map((each) => each.result()),
    encounters,
    coverage: cells.share,
    track,
  }
}

/** Mean distance between the pilots of two recorded flights, each over the length of its path. */
export function deviations(one: CourseResult, other: CourseResult): number[] {
  return one.flights.map(({ length }, k) => {
    const samples = Math.min(one.track.length, other.track.length)
    let sum = 0
    for (let i = 0; i < samples; i++) sum += distance(pointOf(one.track[i]!, k), pointOf(other.track[i]!, k))
    return sum / samples / length
  })
}

function pointOf(sample: Float64Array, k: number): Vec3Like {
  return { x: sample[3 * k]!, y: sample[3 * k + 1]!, z: sample[3 * k + 2]! }
}

function controllerOf(pilot: Pilot, behavior: Behavior, physics: CANNON.World | null): SteeringController {
  const { start: position, velocity, radius, mass, maxSpeed, maxForce } = pilot
  const priority = pilot.blind === true ? Infinity : 1
  const traits = { behavior, radius, mass, maxSpeed, maxForce, priority }
  if (physics === null) return new SteeringController(null, { ...traits, position, velocity })
  const body = addBall(physics, { mass, radius, position, velocity })
  return new SteeringController(null, { ...traits, body })
}
