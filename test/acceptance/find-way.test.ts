import { beforeAll, describe, expect, it } from 'vitest'
import {
  AvoidObstacles,
  FollowPath,
  Obstacles,
  within,
  type Behavior,
  type Path,
  type Vec3Like,
} from 'three-steering'
import { solidOf } from '../rigs/bodies.js'
import { clearance, type Course } from '../rigs/course.js'
import type { PilotContext } from '../rigs/course-behavior.js'
import { deviations, flyCourse, type CourseOptions, type CourseResult } from '../rigs/fly-course.js'
import { MAZES, type Maze, type MazeKind } from '../rigs/mazes.js'
import { distance } from '../../demo/scenarios/metrics.js'
import { smoothWay } from '../../demo/snippets/find-way.js'
import { contacts, flaws, jitterOf, late, mean, part, report, voids } from './courses-kit.js'
import { ALL } from '../support/tier.js'

/** The recipe of the guide: a route that is found, rounded and flown at speed. */

interface Found {
  readonly course: Course
  readonly path: Path
  /** Length of the shortest path on the same grid (m), by an independent search. */
  readonly grid: number
}

function find(maze: Maze): Found {
  const { course } = maze
  const [pilot] = course.pilots
  const { goal, radius, start } = pilot!
  const way = smoothWay(new Obstacles(course.blocks.map(solidOf)), start, goal!, radius)
  if (way === null) throw new Error(`${course.name} ${course.seed}: no path`)
  const pilots = [{ ...pilot!, shortest: way.length }]
  return { course: { ...course, pilots }, path: way, grid: shortestOnGrid(maze) }
}

/**
 * Length of the shortest path over the free cells of the grid (m), with 26 neighbours, by relaxation until
 * nothing changes (Bellman 1958, Ford 1956).
 */
function shortestOnGrid({ cell, course, max, min }: Maze): number {
  const [{ goal, radius, start }] = course.pilots as [Course['pilots'][number]]
  const size = (['x', 'y', 'z'] as const).map((k) => Math.floor((max[k] - min[k]) / cell) + 1)
  const [nx, ny, nz] = size as [number, number, number]
  const at = (i: number): Vec3Like => ({
    x: min.x + cell * (i % nx),
    y: min.y + cell * (Math.floor(i / nx) % ny),
    z: min.z + cell * Math.floor(i / nx / ny),
  })
  const far = new Float64Array(nx * ny * nz).fill(Infinity)
  const free = far.map((_, i) => (clearance(course.blocks, at(i)) > 1.5 * radius ? 1 : 0))
  const nearest = (place: Vec3Like): number =>
    free.reduce((best, open, i) => {
      if (open === 0 || distance(at(i), place) >= distance(at(best), place)) return best
      return i
    }, free.indexOf(1))
  const queue = [nearest(start)]
  far[queue[0]!] = 0
  for (const i of queue) {
    const [x, y, z] = [i % nx, Math.floor(i / nx) % ny, Math.floor(i / nx / ny)]
    for (let a = Math.max(0, x - 1); a <= Math.min(nx - 1, x + 1); a++)
      for (let b = Math.max(0, y - 1); b <= Math.min(ny - 1, y + 1); b++)
        for (let c = Math.max(0, z - 1); c <= Math.min(nz - 1, z + 1); c++) {
          const k = a + nx * (b + ny * c)
          const length = far[i]! + cell * Math.hypot(a - x, b - y, c - z)
          if (free[k] === 0 || !(length < far[k]! - 1e-9)) continue
          far[k] = length
          queue.push(k)
        }
  }
  const [first, last] = [nearest(start), nearest(goal!)]
  return far[last]! + distance(at(first), start) + distance(at(last), goal!)
}

/** Follows the path, and avoids obstacles. */
function follow(path: Path): (given: PilotContext) => Behavior {
  return ({ obstacles }) => within([new AvoidObstacles({ obstacles })], new FollowPath({ path }))
}

function fly(found: readonly Found[], options: CourseOptions = {}): CourseResult[] {
  return found.map(({ course, path }) => flyCourse(course, { makeBehavior: follow(path), ...options }))
}

/** Time over that of a straight flight of the same length. Corners are slow, and sharp corners slower. */
const RATIO = 2.6

describe.each(Object.keys(MAZES) as MazeKind[])(`${part(12)} seeds of %s`, (kind) => {
  let found: Found[] = []
  let results: CourseResult[] = []

  beforeAll(() => {
    found = Array.from({ length: part(12) }, (_, seed) => find(MAZES[kind](seed)))
    results = fly(found)
    report(kind, results)
  }, 120_000)

  it('have a smooth path with enough clearance that ends at the goal', () => {
    for (const { course, path } of found) {
      const [{ goal, radius, start }] = course.pilots as [Course['pilots'][number]]
      const spot = { x: 0, y: 0, z: 0 }
      expect(distance(path.pointAt(spot, 0), start)).toBeLessThan(1e-9)
      expect(distance(path.pointAt(spot, path.length), goal!)).toBeLessThan(1e-9)
      for (let s = 0; s < path.length; s += 0.1)
        expect(clearance(course.blocks, path.pointAt(spot, s))).toBeGreaterThan(1.2 * radius)
      for (let i = 0; i < path.line.count; i++) expect(path.cornerOf(i)).toBe(0)
    }
  })

  it('are flown to the goal without a contact, on a path no longer than the shortest on the grid', () => {
    expect(voids(results)).toEqual([])
    expect(contacts(results)).toEqual([])
    expect(late(results, RATIO)).toEqual([])
    const long = flaws(results, ({ length }, { course: { seed } }) => {
      const { grid } = found[seed]!
      return !(length < grid) && `${length.toFixed(1)} m, on the grid ${grid.toFixed(1)} m`
    })
    expect(long).toEqual([])
  })

  it.runIf(ALL)(
    'are flown the same at 1/30 and 1/240 s',
    () => {
      const some = found.slice(0, part(6))
      const [coarse, fine] = [30, 240].map((rate) => fly(some, { dt: 1 / rate, record: true }))
      for (const flown of [coarse!, fine!]) {
        expect(voids(flown)).toEqual([])
        expect(contacts(flown)).toEqual([])
        expect(late(flown, RATIO)).toEqual([])
      }
      for (const [i, one] of coarse!.entries())
        for (const apart of deviations(one, fine![i]!)) expect(apart).toBeLessThan(0.01)
      expect(mean(fine!.map(jitterOf))).toBeLessThanOrEqual(1.5 * mean(coarse!.map(jitterOf)) + 0.2)
    },
    60_000,
  )

  it('are flown by bodies of cannon-es as well', () => {
    const flown = fly(found.slice(0, part(6)), { bodies: 'cannon' })
    expect(voids(flown)).toEqual([])
    expect(contacts(flown)).toEqual([])
    expect(late(flown, RATIO)).toEqual([])
  }, 60_000)
})

it('no path is found where none exists', () => {
  const shell = new Obstacles(MAZES.rooms(0).course.blocks.slice(-6).map(solidOf))
  const middle = { x: 0, y: 0, z: 0 }
  expect(smoothWay(shell, middle, { x: 29, y: 0, z: 0 }, 1)).toBeNull()
  expect(smoothWay(shell, middle, { x: 15, y: 3, z: 0 }, 1)?.length).toBeCloseTo(Math.hypot(15, 3), 9)
})
