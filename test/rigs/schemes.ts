import {
  AvoidObstacles,
  blend,
  Contain,
  contextMap,
  dither,
  priority,
  ReciprocalAvoidance,
  smooth,
  truncatedSum,
  within,
  type Agent,
  type Behavior,
  type Step,
  type Wrench,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'
import { ArriveActuator, BallConstraint, pipeline, PlaceTargeter } from 'three-steering/classic'
import { constraintsOf, neighborDistanceOf, type PilotContext } from './course-behavior.js'
import type { Course } from './course.js'
import { flockWish, type FlockContext } from './flock-behavior.js'
import type { FlockScene } from './flock-scenes.js'
import { flyCourse } from './fly-course.js'
import { flyFlock } from './fly-flock.js'
import { magnitude } from '../../demo/scenarios/metrics.js'

/** Every combination scheme with the same parts, on scenes with two or more constraints. */

type Combine = (concerns: readonly Constraint[], wish: Behavior) => Behavior

const weighted = (
  concerns: readonly Constraint[],
  wish: Behavior,
): { behavior: Behavior; weight: number }[] => [
  ...concerns.map((behavior) => ({ behavior, weight: 2 })),
  { behavior: wish, weight: 1 },
]

const chances = (
  concerns: readonly Constraint[],
  wish: Behavior,
): { behavior: Behavior; probability: number }[] => [
  ...concerns.map((behavior) => ({ behavior, probability: 0.9 })),
  { behavior: wish, probability: 1 },
]

/**
 * The first two and the truncated sum are those of Green and of the paper, with constraints at twice the
 * weight; probabilities are those of the course deck. Below each scheme is its published remedy against
 * judder.
 */
export const SCHEMES: Readonly<Record<string, Combine>> = {
  'weighted sum': (concerns, wish) => blend(weighted(concerns, wish)),
  'weighted average': (concerns, wish) =>
    blend(weighted(concerns, wish), { truncate: 'parts', average: true }),
  priority: (concerns, wish) => priority([...concerns, wish]),
  'priority, smoothed 0.2 s': (concerns, wish) => smooth(priority([...concerns, wish]), { time: 0.2 }),
  groups: (concerns, wish) => priority([blend(concerns), wish]),
  dither: (concerns, wish) => dither(chances(concerns, wish)),
  'dither, 0.2 s': (concerns, wish) => dither(chances(concerns, wish), { period: 0.2 }),
  'truncated sum': (concerns, wish) => truncatedSum(weighted(concerns, wish)),
  'truncated sum, smoothed 0.04 s': (concerns, wish) =>
    smooth(truncatedSum(weighted(concerns, wish)), { time: 0.04 }),
  'truncated sum, projected': (concerns, wish) => truncatedSum(weighted(concerns, wish), { project: true }),
  'context map': (danger, wish) => contextMap({ interest: [wish], danger }),
  within: (concerns, wish) => within(concerns, wish),
}

/** The results of a scheme on a scene. */
export interface SchemeFigures {
  /** Number of contacts with obstacles and walls and of exits from the bounds. */
  readonly hits: number
  /** Number of contacts between agents, and their depth over the smaller radius. */
  readonly touches: number
  readonly depth: number
  /**
   * Share of the task done, 0 to 1. With goals: the share of pilots at rest at their goals in the end. In
   * rooms: the share of the room's cells visited. For a flock: its polarisation, the length of the mean
   * flight direction.
   */
  readonly done: number
  /**
   * TR of the pilots that arrive; in rooms and for flocks full speed over mean speed. NaN when no pilot
   * arrives.
   */
  readonly ratio: number
  /** J (1/s). */
  readonly jitter: number
  /** Mean wanted force over `maxForce`. */
  readonly effort: number
  /** Number of flocks in the end; 1 in other scenes. */
  readonly parts: number
  /** Number of flights that exceeded their force or speed, which do not count. */
  readonly voids: number
}

/** Measures the force that the whole behaviour of an agent asks for. */
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

/**
 * Flies a scene with a scheme, one of `SCHEMES` or 'pipeline', which is for pilots with goals among spheres.
 * Deterministic.
 */
export function flyScheme(scheme: string, scene: Course | FlockScene, dt = 1 / 60): SchemeFigures {
  return 'starts' in scene ? flyBirds(scheme, scene, dt) : flyPilots(scheme, scene, dt)
}

function flyPilots(scheme: string, course: Course, dt: number): SchemeFigures {
  const meters: Meter[] = []
  const { flights, encounters, coverage } = flyCourse(course, {
    dt,
    meet: course.pilots.length > 1,
    makeBehavior: (given) => {
      if (given.pilot.blind === true) return given.task
      const meter = new Meter(
        scheme === 'pipeline' ? pipelineOf(given) : SCHEMES[scheme]!(constraintsOf(given), given.task),
      )
      meters.push(meter)
      return meter
    },
  })
  const own = flights.filter(({ pilot }) => pilot.blind !== true)
  const bound = own.filter(({ pilot }) => pilot.goal !== null)
  const there = bound.filter(({ arrival }) => Number.isFinite(arrival))
  const strolls = bound.length === 0
  return {
    hits: own.reduce((sum, { contacts, exits }) => sum + contacts + exits, 0),
    touches: encounters?.contacts ?? 0,
    depth: encounters?.depth ?? 0,
    done: strolls ? coverage : there.length / bound.length,
    ratio: strolls ? 1 / mean(own.map(({ meanSpeed }) => meanSpeed)) : mean(there.map(({ ratio }) => ratio)),
    jitter: mean(own.map(({ jitter }) => jitter)),
    effort: mean(meters.map(({ sum, steps }) => sum / steps)),
    parts: 1,
    voids: own.filter((flight) => flight.void).length,
  }
}

function flyBirds(scheme: string, scene: FlockScene, dt: number): SchemeFigures {
  let meter: Meter | null = null
  const result = flyFlock(scene, {
    dt,
    makeBehavior: (given) => (meter = new Meter(SCHEMES[scheme]!(flockConcerns(given), flockWish(scene)))),
  })
  const { sum, steps } = meter!
  return {
    hits: result.hits,
    touches: result.contacts,
    depth: Math.max(0, -result.gap),
    done: result.mean.order,
    ratio: 1 / result.mean.speed,
    jitter: result.jitter,
    effort: sum / steps,
    parts: result.samples.at(-1)!.parts,
    voids: result.void ? 1 : 0,
  }
}

/** The constraints of a flock, with the same options as those of pilots. */
function flockConcerns({ scene, obstacles, bounds }: FlockContext): Constraint[] {
  const concerns: Constraint[] = []
  if (bounds !== null) concerns.push(new Contain({ bounds }))
  if (obstacles !== null) concerns.push(new AvoidObstacles({ obstacles }))
  concerns.push(new ReciprocalAvoidance({ neighborDistance: neighborDistanceOf(scene.traits) }))
  return concerns
}

/** The pipeline supports only spheres and goals. */
function pipelineOf({ course, pilot, task }: PilotContext): Behavior {
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

/**
 * Combines several runs: sums of contacts, the deepest contact, the greatest number of flocks, and means.
 * Pilots that never arrive have no TR.
 */
export function summary(runs: readonly SchemeFigures[]): SchemeFigures {
  const sum = (key: keyof SchemeFigures): number => runs.reduce((total, run) => total + run[key], 0)
  const most = (key: keyof SchemeFigures): number => Math.max(...runs.map((run) => run[key]))
  const average = (key: keyof SchemeFigures): number => mean(runs.map((run) => run[key]))
  return {
    hits: sum('hits'),
    touches: sum('touches'),
    depth: most('depth'),
    done: average('done'),
    ratio: mean(runs.map(({ ratio }) => ratio).filter((ratio) => !Number.isNaN(ratio))),
    jitter: average('jitter'),
    effort: average('effort'),
    parts: most('parts'),
    voids: sum('voids'),
  }
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, each) => sum + each, 0) / list.length
}
