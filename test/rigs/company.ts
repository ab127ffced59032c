import {
  Interpose,
  LeaderFollow,
  OffsetPursue,
  Orbit,
  seeded,
  Tether,
  SphereShape,
  WallFollow,
  Wander,
  blend,
  type Behavior,
  type Frame,
  type Moving,
  type MovingFrame,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
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

export const WAYS = ['straight', 'circle', 'weave', 'spiral', 'speed-up'] as const
export type WayKind = (typeof WAYS)[number]

export const TASKS = ['interpose', 'orbit', 'follow', 'offset', 'surface', 'tether'] as const
export type Task = (typeof TASKS)[number]

/**
 * A drone; a sluggish drone, with a response time of half a second; a ship with side and retro engines of
 * half the main engine's force.
 */
export type Make = 'drone' | 'sluggish' | 'ship'

/** The exact position and velocity of a target at a time (s). */
export type Way = (time: number) => Moving

/**
 * A target on its trajectory, with its course frame. If it has an attitude, the course frame is that
 * attitude.
 */
export interface Guest extends MovingFrame {
  readonly position: Vec3
  readonly velocity: Vec3
  readonly course: Frame
}

export interface Company {
  readonly task: Task
  readonly kind: WayKind
  readonly seed: number
  readonly make: Make
  readonly agent: Flyer
  readonly responseTime: number
  readonly ways: readonly Way[]
  /** Whether the targets have an attitude. */
  readonly facing: boolean
  readonly behave: (guests: readonly Guest[]) => Behavior
  /** Distance (m) of `position` from the agent's place. */
  readonly off: (position: Vec3Like, guests: readonly Guest[]) => number
  /** Duration of the scene (s). */ readonly limit: number
}

const RADIUS = 0.5

/** Longest scene (s). */
const LIMIT = 20

export function companyOf(task: Task, kind: WayKind, seed: number): Company {
  const random = seeded(7919 * seed + 31 * WAYS.indexOf(kind) + 7 * TASKS.indexOf(task))
  const pace = between(random, 2, 12)
  const first = wayOf(kind, random, times(direction(random), 30), pace)
  const other = WAYS[Math.floor(WAYS.length * random())]!
  const second = wayOf(other, random, times(direction(random), 30), pace * evenly(random, 0.5, 1))
  const ways = task === 'interpose' ? [first, second] : [first]
  const demand = demandOf(ways)
  const make = (['drone', 'sluggish', 'ship'] as const)[seed % 3]!
  const given = taskOf(task, random, demand)
  const maxSpeed = demand.speed * evenly(random, 1.3, 2) + given.speed + between(random, 3, 8)
  // also the weaker engines of a ship can supply the needed force
  const weakest = make === 'ship' ? 0.5 : 1
  const push = ((demand.push + given.push) * evenly(random, 1.5, 3)) / weakest
  const acceleration = push + maxSpeed * between(random, 0.3, 1)
  const mass = between(random, 0.5, 100)
  const away = times(direction(random), 40)
  const swift = times(direction(random), seed % 2 === 0 ? 0 : 0.5 * maxSpeed)
  // with a tether the agent starts within its length
  const { position, velocity } = task === 'tether' ? first(0) : { position: away, velocity: swift }
  return {
    task,
    kind,
    seed,
    make,
    agent: { position, velocity, mass, radius: RADIUS, maxSpeed, maxForce: mass * acceleration },
    responseTime: make === 'sluggish' ? 0.5 : 0.1,
    ways,
    facing: task === 'offset' && seed % 2 === 1,
    limit: LIMIT,
    ...given,
  }
}

interface Demand {
  /** Greatest speed (m/s) and acceleration (m/s²) of the targets. */
  readonly speed: number
  readonly push: number
}

interface Given extends Demand {
  readonly behave: Company['behave']
  readonly off: Company['off']
}

/**
 * The behaviour of a task, and the speed and acceleration that it needs in addition to those of the targets.
 */
function taskOf(task: Task, random: () => number, demand: Demand): Given {
  if (task === 'interpose') {
    const ratio = [0.5, 0, 1, random()][Math.floor(4 * random())]!
    return {
      speed: 0,
      push: 0,
      behave: ([a, b]) => new Interpose({ targets: [a!, b!], ratio }),
      off: (position, [a, b]) => distance(position, plus(times(a!.position, 1 - ratio), b!.position, ratio)),
    }
  }
  if (task === 'orbit') {
    const radius = between(random, 4, 25)
    const speed = between(random, 2, 12)
    const axis = direction(random)
    return {
      speed,
      push: (speed * speed) / radius,
      behave: ([center]) => new Orbit({ target: center!, radius, speed, axis }),
      off: (position, [center]) => {
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
      push: (speed * speed) / (radius + keep),
      behave: ([ball]) =>
        new WallFollow({
          obstacles: [{ shape: new SphereShape(radius), at: ball! }],
          distance: keep,
          speed: speed + demand.speed,
        }),
      off: (position, [ball]) => Math.abs(distance(position, ball!.position) - radius - keep - RADIUS),
    }
  }
  if (task === 'tether') {
    const radius = between(random, 4, 25)
    return {
      speed: 0,
      push: 0,
      behave: ([center]) =>
        blend([{ behavior: new Wander(), weight: 0.3 }, new Tether({ target: center!, radius })]),
      off: (position, [center]) => Math.max(0, distance(position, center!.position) - radius),
    }
  }
  // about the highest turn rate of the course
  const rate = demand.push / demand.speed
  const reach = between(random, 2, 12)
  const swing = { speed: rate * reach, push: rate * rate * reach }
  if (task === 'follow') {
    return {
      ...swing,
      behave: ([leader]) => new LeaderFollow({ target: leader!, distance: reach }),
      off: (position, [leader]) => distance(position, plus(leader!.position, leader!.course.x, -reach)),
    }
  }
  const offset = times(direction(random), reach)
  return {
    ...swing,
    behave: ([leader]) => new OffsetPursue({ target: leader!, offset }),
    off: (position, [leader]) => distance(position, inFrame(leader!, offset)),
  }
}

function inFrame({ position, course: { x, y, z } }: Guest, offset: Vec3Like): Vec3 {
  return plus(plus(plus(position, x, offset.x), y, offset.y), z, offset.z)
}

/** A trajectory of this kind; `pace` (m/s) is its greatest speed. */
export function wayOf(kind: WayKind, random: () => number, start: Vec3, pace: number): Way {
  const heading = direction(random)
  const wings = unit(aside(random, heading))
  if (kind !== 'speed-up') return pathOf(kind, random, start, heading, wings, pace)
  // speeds up from a fifth of its speed, on a wide bend
  const time = between(random, 2, 8)
  const rate = between(random, 0.02, 0.15)
  const first = 0.2 * pace
  const way = (t: number): number => pace * t - (pace - first) * time * -Math.expm1(-t / time)
  const radius = pace / rate
  return (t) => {
    const angle = way(t) / radius
    const speed = pace - (pace - first) * Math.exp(-t / time)
    return {
      position: plus(plus(start, heading, radius * Math.sin(angle)), wings, radius * (1 - Math.cos(angle))),
      velocity: times(plus(times(heading, Math.cos(angle)), wings, Math.sin(angle)), speed),
    }
  }
}

function demandOf(ways: readonly Way[]): Demand {
  let speed = 0
  let push = 0
  for (const way of ways)
    for (let t = 0; t < LIMIT; t += 0.1) {
      speed = Math.max(speed, magnitude(way(t).velocity))
      push = Math.max(push, distance(way(t + 1e-4).velocity, way(t - 1e-4).velocity) / 2e-4)
    }
  return { speed, push }
}
