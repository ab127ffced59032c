import type { Agent, Vec3Like } from '../../types.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { copy, length, scale, sub, vec3 } from '../../math/vec3.js'
import type { DirectedPath } from './directed-path.js'

/** A ball that sees past what it touches: its share of the radius. */
const SLIM = 0.9

/** Chords of a segment. */
const CHORDS = 8

const way = vec3()
const from = vec3()
const to = vec3()
const first: { distance: number; obstacle: Obstacle | null } = { distance: 0, obstacle: null }

/** What a ball of `radius` (m) meets first on the straight way from a point to another; null where it meets nothing. */
export function inTheWay(
  obstacles: Obstacles,
  radius: number,
  start: Vec3Like,
  end: Vec3Like,
): Obstacle | null {
  const off = length(sub(way, end, start))
  if (!(off > 0)) return null
  scale(way, way, 1 / off)
  obstacles.sweepInto(start, way, SLIM * radius, off, undefined, first)
  return first.obstacle
}

/** Way (m, at most `limit`) that is clear in a direction. */
export function clearWay(obstacles: Obstacles, agent: Agent, direction: Vec3Like, limit: number): number {
  return Math.min(
    limit,
    obstacles.sweepInto(agent.position, direction, SLIM * agent.radius, limit, undefined, first),
  )
}

/** What a ball of `radius` (m) meets first on the lane from `u` to the next waypoint. */
export function onTheLane(
  obstacles: Obstacles,
  radius: number,
  lane: DirectedPath,
  u: number,
): Obstacle | null {
  const end = lane.nextStation(u)
  lane.pointAt(from, u)
  for (let k = 1; k <= CHORDS; k++) {
    lane.pointAt(to, u + ((end - u) * k) / CHORDS)
    const obstacle = inTheWay(obstacles, radius, from, to)
    if (obstacle !== null) return obstacle
    copy(from, to)
  }
  return null
}
