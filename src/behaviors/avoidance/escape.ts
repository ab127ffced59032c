import type { Agent, Vec3, Vec3Like } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { vectorToWorld } from '../../math/frame.js'
import { topSpeed } from '../../control/drive.js'
import {
  add,
  addScaled,
  copy,
  cross,
  distance,
  dot,
  isZero,
  normalize,
  scale,
  set,
  sub,
  vec3,
} from '../../math/vec3.js'

/** A way must be better by this share to be preferred to one tried before: rounding decides nothing. */
const BETTER = 1e-6

/**
 * Cost of a metre flown inside an obstacle, in metres outside (dimensionless). The whole way is then at most this factor longer than the best one.
 * An agent whose goal lies along the inside of a surface comes up at an angle whose cosine is the inverse of this factor.
 */
const INSIDE = 1.1

/**
 * An agent whose ball lies only partly inside leaves by a way that is at most this factor longer than the shortest one: back to the side from which
 * it came, at a slant towards the goal.
 */
const ASLANT = 2

/** What is left of the way counts so many times where it leads back through what was left: half round a ball. */
const ROUND = Math.PI / 2

/** Overlaps shorter than this share of the way are rounding. */
const TOUCH = 1e-9

/** Angles (rad) by which the best way is bent in search of a better one. */
const BENDS: readonly number[] = [0.35, 0.18, 0.09, 0.045]

/** The 26 directions to the neighbours of a cell, in a course frame: the axes first, ahead of all. */
const FAN: readonly Vec3Like[] = fan()

const direction = vec3()
const normal = vec3()
const sum = vec3()
const best = vec3()
const place = vec3()
const side = vec3()
const other = vec3()

const onward = vec3()

/** Of the search that is going on. */
let least = Infinity
let way = Infinity
let longest = Infinity
let target: Vec3Like | null = null

/**
 * Writes the unit direction in which the agent leaves when a ball of `radius` (m) around it overlaps obstacles: of all of
 * them, each way is followed through until no obstacle holds the ball, so a merged clump is one body. Without a `goal` (m) that is the way that is clear
 * soonest. With one, the time to the outside and the time from there to the goal count together, but only an agent that is so deep inside that the whole
 * ball is looks at long ways. Times are from the
 * present velocity with the force there is, so that a way once taken is kept without being remembered. Tried are 26 directions
 * of the course frame, the surface normals and their sum, the one to the goal, and the neighbourhood of the best. At the exact centre of a ball, where
 * pushing away from the centre fails (Green leaves this case out), the way ahead is taken.
 * @returns the distance to be clear, m; 0, and `out` untouched, when nothing overlaps; Infinity when no way leads out.
 */
export function escapeDirection(
  agent: Agent,
  obstacles: readonly Obstacle[],
  count: number,
  radius: number,
  out: Vec3,
  goal: Vec3Like | null = null,
): number {
  const { position } = agent
  let holders = 0
  let deepest = Infinity
  set(sum, 0, 0, 0)
  for (let i = 0; i < count; i++) {
    const off = obstacles[i]!.distance(position, normal)
    if (off >= radius) continue
    holders++
    deepest = Math.min(deepest, off)
    add(sum, sum, normal)
  }
  if (holders === 0) return 0
  target = goal
  longest = goal === null || deepest < -radius ? Infinity : ASLANT * (radius - deepest)
  searchWays(agent, obstacles, count, radius, holders)
  if (least === Infinity && longest < Infinity) {
    target = null
    longest = Infinity
    searchWays(agent, obstacles, count, radius, holders)
  }
  copy(out, best)
  return way
}

/** Tries all ways. Needs `sum`, of the normals. */
function searchWays(
  agent: Agent,
  obstacles: readonly Obstacle[],
  count: number,
  radius: number,
  holders: number,
): void {
  const { course, position } = agent
  least = way = Infinity
  if (isZero(normalize(best, sum))) copy(best, course.x)
  for (let i = 0; i < FAN.length; i++)
    attempt(agent, obstacles, count, radius, vectorToWorld(direction, course, FAN[i]!))
  for (let i = 0; i < count; i++)
    if (obstacles[i]!.distance(position, normal) < radius)
      attempt(agent, obstacles, count, radius, copy(direction, normal))
  if (holders > 1 && !isZero(normalize(direction, sum))) attempt(agent, obstacles, count, radius, direction)
  if (target !== null && !isZero(normalize(direction, sub(direction, target, position))))
    attempt(agent, obstacles, count, radius, direction)
  if (least < Infinity)
    for (let i = 0; i < BENDS.length; i++) refine(agent, obstacles, count, radius, BENDS[i]!)
}

/** Bends the best way to four sides. */
function refine(
  agent: Agent,
  obstacles: readonly Obstacle[],
  count: number,
  radius: number,
  bend: number,
): void {
  const { y, z } = agent.course
  cross(side, best, Math.abs(dot(best, y)) < 0.9 ? y : z)
  normalize(side, side)
  cross(other, best, side)
  const middle = copy(sum, best)
  for (let i = 0; i < 4; i++) {
    const towards = i < 2 ? side : other
    addScaled(direction, middle, towards, i % 2 === 0 ? bend : -bend)
    attempt(agent, obstacles, count, radius, normalize(direction, direction))
  }
}

/** The way (m) that counts when `length` of it leads out along a direction: that, or the whole way to the goal. */
function whole(
  { position }: Agent,
  obstacles: readonly Obstacle[],
  count: number,
  length: number,
  along: Vec3Like,
): number {
  if (target === null) return length
  addScaled(place, position, along, length)
  const left = distance(target, place)
  if (!(left > 0)) return INSIDE * length
  scale(onward, sub(onward, target, place), 1 / left)
  let share = 1
  for (let i = 0; i < count && share === 1; i++)
    if (obstacles[i]!.sweep(place, onward, 0, left) < left) share = ROUND
  return INSIDE * length + share * left
}

/** SnapshotState `along` when it leads out sooner than the best so far. */
function attempt(
  agent: Agent,
  obstacles: readonly Obstacle[],
  count: number,
  radius: number,
  along: Vec3Like,
): void {
  const length = clearance(agent.position, obstacles, count, radius, along)
  if (!(length < Infinity && length <= longest)) return
  const time = timeFor(agent, whole(agent, obstacles, count, length, along), along)
  if (!(time < least * (1 - BETTER)) && least < Infinity) return
  least = time
  way = length
  copy(best, along)
}

/** Way (m) along a unit direction until no obstacle holds the ball; Infinity where it leads nowhere. */
export function clearance(
  from: Vec3Like,
  obstacles: readonly Obstacle[],
  count: number,
  radius: number,
  along: Vec3Like,
): number {
  let total = 0
  // each round leaves at least one obstacle; one is entered again only when it is not convex
  for (let round = 0; round < 2 * count + 2; round++) {
    const before = total
    for (let i = 0; i < count; i++) {
      addScaled(place, from, along, total)
      const more = obstacles[i]!.leave(place, along, radius)
      if (!(more < Infinity)) return Infinity
      total += more
    }
    if (total - before <= TOUCH * total) return total
  }
  return Infinity
}

/** Time (s) for a way from the present velocity, with all the force there is, up to full speed; the way itself where there is no force. */
function timeFor(agent: Agent, length: number, along: Vec3Like): number {
  const power = agent.forceAlong(along.x, along.y, along.z) / agent.mass
  if (!(power > 0)) return length
  const speed = dot(agent.velocity, along)
  const last = Math.sqrt(speed * speed + 2 * power * length)
  const top = Math.max(speed, topSpeed(agent))
  let time = speed > 0 ? (2 * length) / (speed + last) : (last - speed) / power
  // what is left when full speed is reached
  if (last > top)
    time = (top - speed) / power + (length - ((top - speed) * (top + speed)) / (2 * power)) / top
  return Number.isNaN(time) ? length : time
}

function fan(): Vec3Like[] {
  const found: Vec3Like[] = []
  for (let size = 1; size <= 3; size++)
    for (let x = 1; x >= -1; x--)
      for (let y = 1; y >= -1; y--)
        for (let z = 1; z >= -1; z--)
          if (Math.abs(x) + Math.abs(y) + Math.abs(z) === size) {
            const unit = vec3(x, y, z)
            found.push(scale(unit, unit, 1 / Math.sqrt(size)))
          }
  return found
}
