import {
  Interpose,
  LeaderFollow,
  OffsetPursue,
  Orbit,
  Tether,
  SphereShape,
  WallFollow,
  Wander,
  blend,
  type Behavior,
  type Moving,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import { type Frame, type MovingFrame, seeded } from 'three-steering/authoring'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import { pathOf, type Flyer } from './pursuit.js'
import {
  aside,
  between,
  direction,
  evenly,
  inner,
  minus,
  plus,
  times,
  unit,
} from '../../demo/scenarios/vectors.js'

/**
 * Scenes in which an agent keeps a place relative to one or two moving targets. Equal seeds give equal
 * scenes.
 */

export const TRAJECTORIES = ['straight', 'circle', 'weave', 'spiral', 'speed-up'] as const
export type TrajectoryKind = (typeof TRAJECTORIES)[number]

export const TASKS = ['interpose', 'orbit', 'follow', 'offset', 'surface', 'tether'] as const
export type Task = (typeof TASKS)[number]

/**
 * A drone; a sluggish drone, with a response time of half a second; a ship with side and retro engines of
 * half the main engine's force.
 */
export type Make = 'drone' | 'sluggish' | 'ship'

/** The exact position and velocity of a target at a time (s). */
export type Trajectory = (time: number) => Moving

/**
 * A target on its trajectory, with its course frame. If it has an attitude, the course frame is that
 * attitude.
 */
export interface SceneTarget extends MovingFrame {
  readonly position: Vec3
  readonly velocity: Vec3
  readonly course: Frame
}

export interface PlaceScene {
  readonly task: Task
  readonly kind: TrajectoryKind
  readonly seed: number
  readonly make: Make
  readonly agent: Flyer
  readonly responseTime: number
  readonly trajectories: readonly Trajectory[]
  /** Whether the targets have an attitude. */
  readonly facing: boolean
  readonly behave: (targets: readonly SceneTarget[]) => Behavior
  /** Distance (m) of `position` from the agent's place. */
  readonly errorAt: (position: Vec3Like, targets: readonly SceneTarget[]) => number
  /** Duration of the scene (s). */ readonly limit: number
}

const RADIUS = 0.5

/** Longest scene (s). */
const LIMIT = 20

export function placeSceneOf(task: Task, kind: TrajectoryKind, seed: number): PlaceScene {
  const random = seeded(7919 * seed + 31 * TRAJECTORIES.indexOf(kind) + 7 * TASKS.indexOf(task))
  const pace = between(random, 2, 12)
  const first = trajectoryOf(kind, random, times(direction(random), 30), pace)
  const other = TRAJECTORIES[Math.floor(TRAJECTORIES.length * random())]!
  const second = trajectoryOf(other, random, times(direction(random), 30), pace * evenly(random, 0.5, 1))
  const trajectories = task === 'interpose' ? [first, second] : [first]
  const demand = demandOf(trajectories)
  const make = (['drone', 'sluggish', 'ship'] as const)[seed % 3]!
  const given = taskOf(task, random, demand)
  const maxSpeed = demand.speed * evenly(random, 1.3, 2) + given.speed + between(random, 3, 8)
  // also the weaker engines of a ship can supply the needed force
  const weakest = make === 'ship' ? 0.5 : 1
  const trackingAcceleration = ((demand.acceleration + given.acceleration) * evenly(random, 1.5, 3)) / weakest
  const acceleration = trackingAcceleration + maxSpeed * between(random, 0.3, 1)
  const mass = between(random, 0.5, 100)
  const startPosition = times(direction(random), 40)
  const startVelocity = times(direction(random), seed % 2 === 0 ? 0 : 0.5 * maxSpeed)
  // with a tether the agent starts within its length
  const { position, velocity } =
    task === 'tether' ? first(0) : { position: startPosition, velocity: startVelocity }
  return {
    task,
    kind,
    seed,
    make,
    agent: { position, velocity, mass, radius: RADIUS, maxSpeed, maxForce: mass * acceleration },
    responseTime: make === 'sluggish' ? 0.5 : 0.1,
    trajectories,
    facing: task === 'offset' && seed % 2 === 1,
    limit: LIMIT,
    ...given,
  }
}

interface Demand {
  /** Greatest speed (m/s) and acceleration (m/s²) of the targets. */
  readonly speed: number
  readonly acceleration: number
}

interface Given extends Demand {
  readonly behave: PlaceScene['behave']
  readonly errorAt: PlaceScene['errorAt']
}

/**
 * The behaviour of a task, and the speed and acceleration that it needs in addition to those of the targets.
 */
function taskOf(task: Task, random: () => number, demand: Demand): Given {
  if (task === 'interpose') {
    const ratio = [0.5, 0, 1, random()][Math.floor(4 * random())]!
    return {
      speed: 0,
      acceleration: 0,
      behave: ([a, b]) => new Interpose({ targets: [a!, b!], ratio }),
      errorAt: (position, [a, b]) =>
        distance(position, plus(times(a!.position, 1 - ratio), b!.position, ratio)),
    }
  }
  if (task === 'orbit') {
    const radius = between(random, 4, 25)
    const speed = between(random, 2, 12)
    const axis = direction(random)
    return {
      speed,
      acceleration: (speed * speed) / radius,
      behave: ([center]) => new Orbit({ target: center!, radius, speed, axis }),
      errorAt: (position, [center]) => {
        const arm = minus(position, center!.position)
        const height = inner(arm, axis)
        return Math.hypot(height, magnitude(plus(arm, axis, -height)) - radius)
      },
    }
  }
  if (task === 'surface') {
    const radius = between(random, 4, 25)
    const keep = between(random, 1, 4)
    const speed = between(random, 2, 8)
    return {
      speed,
      acceleration: (speed * speed) / (radius + keep),
      behave: ([ball]) =>
        new WallFollow({
          obstacles: [{ shape: new SphereShape(radius), at: ball! }],
          distance: keep,
          speed: speed + demand.speed,
        }),
      errorAt: (position, [ball]) => Math.abs(distance(position, ball!.position) - radius - keep - RADIUS),
    }
  }
  if (task === 'tether') {
    const radius = between(random, 4, 25)
    return {
      speed: 0,
      acceleration: 0,
      behave: ([center]) =>
        blend([{ behavior: new Wander(), weight: 0.3 }, new Tether({ target: center!, radius })]),
      errorAt: (position, [center]) => Math.max(0, distance(position, center!.position) - radius),
    }
  }
  // about the highest turn rate of the course
  const rate = demand.acceleration / demand.speed
  const reach = between(random, 2, 12)
  const swing = { speed: rate * reach, acceleration: rate * rate * reach }
  if (task === 'follow') {
    return {
      ...swing,
      behave: ([leader]) => new LeaderFollow({ target: leader!, distance: reach }),
      errorAt: (position, [leader]) => distance(position, plus(leader!.position, leader!.course.x, -reach)),
    }
  }
  const offset = times(direction(random), reach)
  return {
    ...swing,
    behave: ([leader]) => new OffsetPursue({ target: leader!, offset }),
    errorAt: (position, [leader]) => distance(position, inFrame(leader!, offset)),
  }
}

function inFrame({ position, course: { x, y, z } }: SceneTarget, offset: Vec3Like): Vec3 {
  return plus(plus(plus(position, x, offset.x), y, offset.y), z, offset.z)
}

/** A trajectory of this kind; `pace` (m/s) is its greatest speed. */
export function trajectoryOf(
  kind: TrajectoryKind,
  random: () => number,
  start: Vec3,
  pace: number,
): Trajectory {
  const heading = direction(random)
  const wings = unit(aside(random, heading))
  if (kind !== 'speed-up') return pathOf(kind, random, start, heading, wings, pace)
  // speeds up from a fifth of its speed, on a wide bend
  const time = between(random, 2, 8)
  const rate = between(random, 0.02, 0.15)
  const first = 0.2 * pace
  const distanceAt = (t: number): number => pace * t - (pace - first) * time * -Math.expm1(-t / time)
  const radius = pace / rate
  return (t) => {
    const angle = distanceAt(t) / radius
    const speed = pace - (pace - first) * Math.exp(-t / time)
    return {
      position: plus(plus(start, heading, radius * Math.sin(angle)), wings, radius * (1 - Math.cos(angle))),
      velocity: times(plus(times(heading, Math.cos(angle)), wings, Math.sin(angle)), speed),
    }
  }
}

function demandOf(trajectories: readonly Trajectory[]): Demand {
  let speed = 0
  let acceleration = 0
  for (const trajectory of trajectories)
    for (let t = 0; t < LIMIT; t += 0.1) {
      speed = Math.max(speed, magnitude(trajectory(t).velocity))
      acceleration = Math.max(
        acceleration,
        distance(trajectory(t + 1e-4).velocity, trajectory(t - 1e-4).velocity) / 2e-4,
      )
    }
  return { speed, acceleration }
}
