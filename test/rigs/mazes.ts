import { type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { clearance, type Block, type Course, type Pilot } from './course.js'
import {
  between,
  direction,
  evenly,
  plus,
  times,
  turned,
  turnFromY,
  vec,
  ORIGIN,
  type Random,
} from '../../demo/scenarios/vectors.js'

/** Scenes that local steering cannot solve: a path must be found first. Equal seeds give equal scenes. */

export interface Maze {
  readonly course: Course
  /** Bounds of the path search (m), and its cell size (m): gaps are wider than the pilot by two cells. */
  readonly min: Vec3Like
  readonly max: Vec3Like
  readonly cell: number
}

function traits(random: Random): Omit<Pilot, 'start' | 'goal'> {
  const acceleration = between(random, 6, 30)
  const mass = between(random, 0.5, 100)
  const maxSpeed = between(random, 6, 20)
  return { radius: 1, mass, maxSpeed, maxForce: mass * acceleration, velocity: ORIGIN }
}

function mazeOf(
  name: string,
  seed: number,
  pilot: Pilot,
  blocks: Block[],
  half: Vec3Like,
  cell: number,
): Maze {
  const { x, y, z } = half
  const limit = 20 + (4 * (x + y + z)) / pilot.maxSpeed + (12 * pilot.maxSpeed * pilot.mass) / pilot.maxForce
  const course: Course = { name, seed, task: 'arrive', pilots: [pilot], blocks, bounds: [], limit }
  return { course, min: times(half, -1), max: half, cell }
}

/** Side of a room, thickness of a wall and width of a door (m). */
const ROOM = 14
const WALL = 0.5
const DOOR = 6

/**
 * Rooms on three floors, joined by doors in walls and ceilings. There is a path to each room, and rarely two.
 */
export function rooms(seed: number): Maze {
  const random = seeded(seed)
  const counts = [3, 3, 3] as const
  const [nx, ny, nz] = counts
  const number = (x: number, y: number, z: number): number => x + nx * (y + ny * z)
  const joined = Array.from({ length: nx * ny * nz }, (_, i) => i)
  const root = (i: number): number => (joined[i] === i ? i : root(joined[i]!))
  const half = times(vec(nx, ny, nz), ROOM / 2)
  const middle = (x: number, y: number, z: number): Vec3 =>
    plus(times(vec(x + 0.5, y + 0.5, z + 0.5), ROOM), half, -1)
  const blocks: Block[] = []
  const box = (at: Vec3Like, size: Vec3Like): void =>
    void blocks.push({ form: { kind: 'box', half: times(size, 0.5) }, at })
  const walls: { a: number; b: number; at: Vec3; axis: 0 | 1 | 2 }[] = []
  for (let x = 0; x < nx; x++)
    for (let y = 0; y < ny; y++)
      for (let z = 0; z < nz; z++)
        for (const axis of [0, 1, 2] as const) {
          const step = [0, 1, 2].map((k) => (k === axis ? 1 : 0)) as [number, number, number]
          const next = [x + step[0], y + step[1], z + step[2]] as const
          if (next[axis] === counts[axis]) continue
          const at = plus(middle(x, y, z), vec(...step), ROOM / 2)
          walls.push({ a: number(x, y, z), b: number(...next), at, axis })
        }
  // in random order, with a few more doors than needed
  const order = walls.map((wall) => ({ wall, key: random() })).toSorted((p, q) => p.key - q.key)
  for (const { wall } of order) {
    const { a, b, at, axis } = wall
    const open = root(a) !== root(b) || random() < 0.1
    joined[root(a)] = root(b)
    const size = ROOM + WALL
    // the two axes of the wall
    const [u, v] = ([0, 1, 2] as const).filter((k) => k !== axis) as [0 | 1 | 2, 0 | 1 | 2]
    const panel = (u0: number, u1: number, v0: number, v1: number): void => {
      const [centre, extent]: [number[], number[]] = [
        [0, 0, 0],
        [WALL, WALL, WALL],
      ]
      centre[u] = (u0 + u1) / 2
      centre[v] = (v0 + v1) / 2
      extent[u] = u1 - u0
      extent[v] = v1 - v0
      box(plus(at, vec(centre[0]!, centre[1]!, centre[2]!)), vec(extent[0]!, extent[1]!, extent[2]!))
    }
    const h = size / 2
    if (!open) panel(-h, h, -h, h)
    else {
      const room = (ROOM - DOOR) / 2 - 1
      const [du, dv] = [evenly(random, -room, room), evenly(random, -room, room)]
      panel(-h, du - DOOR / 2, -h, h)
      panel(du + DOOR / 2, h, -h, h)
      panel(du - DOOR / 2, du + DOOR / 2, -h, dv - DOOR / 2)
      panel(du - DOOR / 2, du + DOOR / 2, dv + DOOR / 2, h)
    }
  }
  // the outer walls are closed
  const shell = plus(half, vec(WALL, WALL, WALL))
  for (const side of [-1, 1]) {
    box(vec(side * (half.x + WALL / 2), 0, 0), vec(WALL, 2 * shell.y, 2 * shell.z))
    box(vec(0, side * (half.y + WALL / 2), 0), vec(2 * shell.x, WALL, 2 * shell.z))
    box(vec(0, 0, side * (half.z + WALL / 2)), vec(2 * shell.x, 2 * shell.y, WALL))
  }
  const inside = (x: number, y: number, z: number): Vec3 => plus(middle(x, y, z), times(direction(random), 3))
  const pilot = { ...traits(random), start: inside(0, 0, 0), goal: inside(nx - 1, ny - 1, nz - 1) }
  return mazeOf('rooms', seed, pilot, blocks, half, 1.75)
}

/**
 * A field of asteroids with pockets: the pilot starts in a bowl that is open away from the goal, and the goal
 * lies in another bowl.
 */
export function pockets(seed: number): Maze {
  const random = seeded(seed)
  const half = vec(42, 20, 20)
  const blocks: Block[] = []
  const bowl = (at: Vec3, open: Vec3): void => {
    const size = evenly(random, 8, 11)
    const turn = turnFromY(times(open, -1))
    const count = 90
    for (let i = 0; i < count; i++) {
      // a spiral with equal areas on the closed part
      const height = 1 - 1.5 * ((i + 0.5) / count)
      const angle = i * Math.PI * (3 - Math.sqrt(5))
      const rim = Math.sqrt(1 - height * height)
      const spot = turned(
        turn,
        vec(size * rim * Math.cos(angle), size * height, size * rim * Math.sin(angle)),
      )
      blocks.push({ form: { kind: 'sphere', radius: 0.24 * size }, at: plus(at, spot) })
    }
  }
  const start = vec(-28, evenly(random, -8, 8), evenly(random, -8, 8))
  const goal = vec(28, evenly(random, -8, 8), evenly(random, -8, 8))
  bowl(start, vec(-1, 0, 0))
  bowl(goal, vec(1, 0, 0))
  const bowls = blocks.length
  while (blocks.length < bowls + 40) {
    const at = vec(
      half.x * evenly(random, -0.9, 0.9),
      half.y * evenly(random, -1, 1),
      half.z * evenly(random, -1, 1),
    )
    const radius = between(random, 1.5, 5)
    // rocks must not close the pockets
    if (
      Math.min(
        clearance([{ form: { kind: 'sphere', radius }, at }], start),
        clearance([{ form: { kind: 'sphere', radius }, at }], goal),
      ) < 22
    )
      continue
    blocks.push({ form: { kind: 'sphere', radius }, at })
  }
  const pilot = { ...traits(random), start, goal }
  return mazeOf('pockets', seed, pilot, blocks, half, 2.5)
}

export const MAZES = { rooms, pockets }
export type MazeKind = keyof typeof MAZES
