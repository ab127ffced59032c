import {
  ArriveActuator,
  AvoidObstacles,
  BallConstraint,
  blend,
  Contain,
  contextMap,
  dither,
  pipeline,
  PlaceTargeter,
  priority,
  ReciprocalAvoidance,
  truncatedSum,
  within,
  type Agent,
  type Behavior,
  type Constraint,
  type Step,
  type Wrench,
} from 'three-steering'
import type { Given } from './course-behavior.js'
import type { Course } from './course.js'
import { COURSES } from './courses.js'
import { flyCourse } from './fly-course.js'
import { magnitude } from './metrics.js'
import { TRAFFIC } from './traffic.js'

/** Every combination scheme with the same parts, on scenes with two concerns or more: what each makes of them. */

type Combine = (concerns: readonly Constraint[], given: Given) => Behavior

const weighted = (
  concerns: readonly Constraint[],
  task: Behavior,
): { behavior: Behavior; weight: number }[] => [
  ...concerns.map((behavior) => ({ behavior, weight: 2 })),
  { behavior: task, weight: 1 },
]

const chances = (
  concerns: readonly Constraint[],
  task: Behavior,
): { behavior: Behavior; probability: number }[] => [
  ...concerns.map((behavior) => ({ behavior, probability: 0.9 })),
  { behavior: task, probability: 1 },
]

/** The first two and the truncated sum are Green's and the paper's with concerns at twice the weight; chances are those of the course deck. */
export const SCHEMES: Readonly<Record<string, Combine>> = {
  'weighted sum': (concerns, { task }) => blend(weighted(concerns, task)),
  'weighted average': (concerns, { task }) =>
    blend(weighted(concerns, task), { truncate: 'parts', average: true }),
  priority: (concerns, { task }) => priority([...concerns, task]),
  groups: (concerns, { task }) => priority([blend(concerns), task]),
  dither: (concerns, { task }) => dither(chances(concerns, task)),
  'dither, 0.2 s': (concerns, { task }) => dither(chances(concerns, task), { period: 0.2 }),
  'truncated sum': (concerns, { task }) => truncatedSum(weighted(concerns, task)),
  'context map': (danger, { task }) => contextMap({ interest: [task], danger }),
  within: (concerns, { task }) => within(concerns, task),
}

/** The pipeline knows balls only, and goals. */
export const PIPELINE: Combine = (_concerns, { course, pilot, task }) => {
  if (pilot.goal === null) return task
  const balls = course.blocks.flatMap(({ at, form }) =>
    form.kind === 'sphere'
      ? [new BallConstraint({ center: at, radius: form.radius, margin: 0.1 * pilot.radius })]
      : [],
  )
  return pipeline({
    targeters: [new PlaceTargeter(pilot.goal)],
    constraints: balls,
    actuator: new ArriveActuator(),
  })
}

/** Scenes: name → seed → course. */
export const SCHEME_SCENES: Readonly<Record<string, (seed: number) => Course>> = {
  'keep-out sphere': COURSES.keepOut,
  clump: COURSES.clump,
  corridor: COURSES.corridor,
  'small field': COURSES.smallField,
  'box with spheres': COURSES.boxAndSpheres,
  'head on': TRAFFIC.headOn,
  ring: TRAFFIC.ring,
  'two streams': (seed) => TRAFFIC.crossing(seed, 2),
}

/** What a scheme made of some seeds of a scene. */
export interface SchemeFigures {
  /** With obstacles, walls and each other, in all. */
  readonly contacts: number
  /** Share of the pilots with a goal that rest at it in the end. NaN without goals. */
  readonly arrived: number
  /** Means: TR of those that arrive, J (1/s), and the force used over `maxForce`. */
  readonly ratio: number
  readonly jitter: number
  readonly effort: number
}

/** Hears what the whole behaviour of a pilot asks for. */
class Meter implements Behavior {
  readonly children: readonly Behavior[]
  sum = 0
  steps = 0
  readonly #inner: Behavior

  constructor(inner: Behavior) {
    this.#inner = inner
    this.children = [inner]
  }

  steer(agent: Agent, step: Step, out: Wrench): void {
    this.#inner.steer(agent, step, out)
    this.sum += Math.min(1, magnitude(out.force) / agent.maxForce)
    this.steps++
  }
}

function concernsOf({ obstacles, bounds, pilot, course }: Given): Constraint[] {
  const { maxForce, maxSpeed, mass, radius } = pilot
  const concerns: Constraint[] = []
  if (bounds !== null) concerns.push(new Contain({ bounds }))
  if (obstacles.size > 0) concerns.push(new AvoidObstacles({ obstacles }))
  // as far as two pilots fly while both stop, three times over, and some radii
  const look = (3 * maxSpeed * maxSpeed * mass) / maxForce + 12 * radius
  if (course.pilots.length > 1) concerns.push(new ReciprocalAvoidance({ radius: look }))
  return concerns
}

/** Flies `count` seeds of a scene. The same arguments give the same figures. */
export function flyScheme(
  combine: Combine,
  scene: (seed: number) => Course,
  count: number,
  dt = 1 / 60,
): SchemeFigures {
  const meters: Meter[] = []
  let touches = 0
  const flights = Array.from({ length: count }, (_, seed) => {
    const course = scene(seed)
    const result = flyCourse(course, {
      dt,
      meet: course.pilots.length > 1,
      makeBehavior: (given) => {
        const meter = new Meter(combine(concernsOf(given), given))
        meters.push(meter)
        return meter
      },
    })
    touches += result.encounters?.contacts ?? 0
    return result.flights
  }).flat()
  const bound = flights.filter(({ pilot }) => pilot.goal !== null)
  const there = bound.filter(({ arrival }) => Number.isFinite(arrival))
  return {
    contacts: flights.reduce((sum, { contacts, exits }) => sum + contacts + exits, touches),
    arrived: there.length / bound.length,
    ratio: mean(there.map(({ ratio }) => ratio)),
    jitter: mean(flights.map(({ jitter }) => jitter)),
    effort: mean(meters.map(({ sum, steps }) => sum / steps)),
  }
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, each) => sum + each, 0) / list.length
}
