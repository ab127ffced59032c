import { type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import type { Block, Course, Craft, Pilot } from './course.js'
import { distance } from '../../demo/scenarios/metrics.js'
import {
  anyTurn,
  aside,
  between,
  direction,
  evenly,
  ORIGIN,
  outer,
  plus,
  spread,
  times,
  turned,
  vec,
  type Random,
} from '../../demo/scenarios/vectors.js'

/** Test scenes in which agents cross each other's paths. A seed determines a scene. */

/** A craft with a radius of 0.3 to 1 m and a top speed of 5 to 15 m/s, reached in 0.7 to 2 s. */
function craft(random: Random): Craft {
  const radius = between(random, 0.3, 1)
  const maxSpeed = between(random, 5, 15)
  const mass = between(random, 0.5, 100)
  return { radius, mass, maxSpeed, maxForce: (mass * maxSpeed) / evenly(random, 0.7, 2) }
}

function fly(each: Craft, start: Vec3Like, goal: Vec3Like): Pilot {
  return { ...each, start, goal, velocity: ORIGIN }
}

function makeCourse(
  name: string,
  seed: number,
  pilots: readonly Pilot[],
  limit?: number,
  blocks: readonly Block[] = [],
): Course {
  const times = pilots.map(({ goal, start, maxSpeed, maxForce, mass }) =>
    goal === null ? 0 : (2.5 * distance(goal, start)) / maxSpeed + (4 * maxSpeed * mass) / maxForce + 4,
  )
  return { name, seed, task: 'arrive', pilots, blocks, bounds: [], limit: limit ?? Math.max(...times) }
}

/** Agents on a sphere, each with the opposite point as its goal. */
export function antipodes(seed: number, count = 100): Course {
  const random = seeded(seed)
  const each = craft(random)
  // same spacing in radii at every number
  const size = 2.3 * each.radius * Math.sqrt(count) * evenly(random, 1, 1.4)
  const pilots = spread(count, random).map((u) => fly(each, times(u, size), times(u, -size)))
  return makeCourse('antipodes', seed, pilots)
}

/** Streams of agents that cross in the middle, each a column of ranks. */
export function crossing(seed: number, streams = 3): Course {
  const random = seeded(seed)
  const pilots: Pilot[] = []
  const each = craft(random)
  const { radius } = each
  const gap = 5 * radius
  const turn = anyTurn(random)
  const axes = [vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)].slice(0, streams).map((axis) => turned(turn, axis))
  for (const axis of axes) {
    const a = aside(random, axis)
    const b = outer(axis, a)
    const far = 30 * radius
    for (let k = 0; k < 4; k++)
      for (let i = -1; i <= 1; i++)
        for (let j = -1; j <= 1; j++) {
          const wobble = times(direction(random), 0.6 * radius)
          const lane = plus(plus(wobble, a, i * gap), b, j * gap)
          pilots.push(fly(each, plus(lane, axis, -far - k * gap), plus(lane, axis, far + (3 - k) * gap)))
        }
  }
  return makeCourse('crossing', seed, pilots)
}

/** Two agents exactly head on. */
export function headOn(seed: number): Course {
  const random = seeded(seed)
  const each = craft(random)
  const axis = times(DIRECTIONS[seed % DIRECTIONS.length]!, evenly(random, 15, 40) * each.radius)
  const middle = times(direction(random), 10)
  const [a, b] = [plus(middle, axis), plus(middle, axis, -1)]
  return makeCourse('headOn', seed, [fly(each, a, b), fly(each, b, a)])
}

/** A ring of exactly spaced agents that swap places with those opposite. */
export function ring(seed: number): Course {
  const random = seeded(seed)
  const each = craft(random)
  const count = 3 + (seed % 10)
  const axis = DIRECTIONS[seed % DIRECTIONS.length]!
  const a = aside(random, axis)
  const b = outer(axis, a)
  const size = Math.max(12, count * 1.5) * each.radius
  const pilots = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count
    const rim = plus(times(a, size * Math.cos(angle)), b, size * Math.sin(angle))
    return fly(each, rim, times(rim, -1))
  })
  return makeCourse('ring', seed, pilots)
}

/** Agents that cross traffic that does not give way. */
export function blind(seed: number): Course {
  const random = seeded(seed)
  const each = craft(random)
  const { radius, maxSpeed } = each
  const pilots: Pilot[] = []
  const turn = anyTurn(random)
  const place = (x: number, y: number, z: number): Vec3Like => turned(turn, times(vec(x, y, z), radius))
  for (let i = 0; i < 8; i++) {
    const y = evenly(random, -12, 12)
    const z = evenly(random, -12, 12)
    pilots.push(
      fly(each, place(-30 - 6 * (i % 4), y + 8 * i - 28, z), place(30 + 6 * (i % 4), y + 8 * i - 28, z)),
    )
  }
  for (let i = 0; i < 40; i++) {
    const along = turned(turn, plus(vec(0, 0, random() < 0.5 ? 1 : -1), direction(random), 0.5))
    const speed = maxSpeed * evenly(random, 0.2, 0.7)
    const velocity = times(along, speed / Math.hypot(along.x, along.y, along.z))
    // passes through the middle of the traffic at some time
    const through = place(evenly(random, -25, 25), evenly(random, -40, 40), evenly(random, -14, 14))
    const start = plus(through, velocity, -evenly(random, 1, 8))
    if (
      pilots.some(({ start: other, blind: is }) => distance(other, start) < (is === true ? 0 : 12 * radius))
    )
      continue
    pilots.push({
      ...each,
      radius: radius * evenly(random, 0.7, 2),
      start,
      goal: null,
      velocity,
      blind: true,
    })
  }
  return makeCourse('blind', seed, pilots)
}

const DIRECTIONS: readonly Vec3Like[] = [
  vec(1, 0, 0),
  vec(0, 1, 0),
  vec(0, 0, 1),
  vec(-1, 0, 0),
  vec(0, -1, 0),
  times(vec(1, 1, 1), 1 / Math.sqrt(3)),
  times(vec(-1, 2, 2), 1 / 3),
]

export const TRAFFIC = { antipodes, crossing, headOn, ring, blind }
