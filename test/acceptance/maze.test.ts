import { describe, expect, it } from 'vitest'
import {
  AvoidWalls,
  BoxShape,
  FollowPath,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  SteeringController,
  SteeringWorld,
  within,
  type Obstacle,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import type { PathTechnique } from 'three-steering/authoring'
import { seeded } from 'three-steering/authoring'
import { FULL, pick } from '../support/tier.js'

const SEEDS = FULL ? [1, 2, 3, 4, 5, 6, 7, 8] : [1]

/** Rooms on a square grid, with a door between neighbours. Sizes in m. */
const ROOMS = 4
const SIZE = 12
const HIGH = 6
const WIDE = 4
const THICK = 1
const LAST = ROOMS * ROOMS - 1
const SHUT = 7
const AGENTS = pick(8, 20)

interface Door {
  readonly rooms: readonly [number, number]
  readonly at: Vec3
}

const v = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z })
const centerOf = (room: number): Vec3 => v((room % ROOMS) * SIZE, 0, Math.floor(room / ROOMS) * SIZE)
const roomAt = ({ x, z }: Vec3Like): number => Math.round(x / SIZE) + ROOMS * Math.round(z / SIZE)

/** The rooms. Some doors are shut, but every room has a path to the last room. */
class Maze {
  readonly obstacles = new Obstacles()
  readonly doors: Door[] = []
  /** The obstacles in the shut doors. */
  readonly shut = new Map<Obstacle, Door>()

  constructor(random: () => number) {
    const middle = ((ROOMS - 1) * SIZE) / 2
    const span = ROOMS * SIZE
    for (const side of [-1, 1]) {
      this.box(v(middle, (side * (HIGH + THICK)) / 2, middle), v(span + 2, THICK, span + 2))
      this.box(v(middle + (side * span) / 2, 0, middle), v(THICK, HIGH, span))
      this.box(v(middle, 0, middle + (side * span) / 2), v(span, HIGH, THICK))
    }
    for (let room = 0; room <= LAST; room++) {
      if (room % ROOMS < ROOMS - 1) this.wall(room, room + 1)
      if (room + ROOMS <= LAST) this.wall(room, room + ROOMS)
    }
    const shut = new Set<Door>()
    while (shut.size < SHUT) {
      const door = this.doors[Math.floor(random() * this.doors.length)]!
      if (shut.has(door)) continue
      shut.add(door)
      if (this.doors.some(({ rooms }) => rooms.some((room) => this.plan(room, shut) === null)))
        shut.delete(door)
    }
    for (const door of shut) this.shut.set(this.box(door.at, sizeOf(door, WIDE)), door)
  }

  /**
   * Rooms on the shortest path to the last room, not through the doors of `shut`; null when there is none.
   */
  plan(from: number, shut: ReadonlySet<Door>): number[] | null {
    const before = new Map<number, number>([[from, -1]])
    for (const room of before.keys())
      for (const door of this.doors) {
        if (shut.has(door) || !door.rooms.includes(room)) continue
        const other = door.rooms[0] === room ? door.rooms[1] : door.rooms[0]
        if (!before.has(other)) before.set(other, room)
      }
    if (!before.has(LAST)) return null
    const way: number[] = []
    for (let room = LAST; room !== -1; room = before.get(room)!) way.unshift(room)
    return way
  }

  /** A path through the centres of doors and rooms. */
  path(start: Vec3Like, rooms: readonly number[], end: Vec3Like): Path {
    const points = [{ ...start }]
    for (let i = 1; i < rooms.length; i++) {
      const pair = [rooms[i - 1]!, rooms[i]!]
      points.push(this.doors.find((door) => pair.every((room) => door.rooms.includes(room)))!.at)
      if (i < rooms.length - 1) points.push(centerOf(rooms[i]!))
    }
    return new Path({ points: [...points, end], curve: 'polyline' })
  }

  private wall(a: number, b: number): void {
    const [from, to] = [centerOf(a), centerOf(b)]
    const door: Door = { rooms: [a, b], at: v((from.x + to.x) / 2, 0, (from.z + to.z) / 2) }
    this.doors.push(door)
    for (const side of [-1, 1]) {
      const off = (side * (SIZE + WIDE)) / 4
      const at = b === a + 1 ? v(door.at.x, 0, door.at.z + off) : v(door.at.x + off, 0, door.at.z)
      this.box(at, sizeOf(door, (SIZE - WIDE) / 2))
    }
  }

  private box(at: Vec3, { x, y, z }: Vec3): Obstacle {
    return this.obstacles.add({ shape: new BoxShape(v(x / 2, y / 2, z / 2)), at })
  }
}

function sizeOf({ rooms: [a, b] }: Door, width: number): Vec3 {
  return b === a + 1 ? v(THICK, HIGH, width) : v(width, HIGH, THICK)
}

interface Result {
  readonly arrived: number
  readonly asked: number
  /** m. */
  readonly deepest: number
  readonly faults: readonly unknown[]
}

/** Flies agents that assume all doors to be open. */
function fly(technique: PathTechnique, seed: number, dt: number): Result {
  const random = seeded(seed)
  const maze = new Maze(random)
  const { obstacles } = maze
  const world = new SteeringWorld({ seed })
  const faults: unknown[] = []
  world.addEventListener('fault', (fault) => faults.push(fault))
  const ships: SteeringController[] = []
  const arrived = new Set<number>()
  let asked = 0
  for (let i = 0; i < AGENTS; i++) {
    const room = Math.floor(random() * (LAST - 3))
    const { x, z } = centerOf(room)
    const start = v(x + 3 * (i % 4) - 4.5, (i % 3) * 1.4 - 1.4, z + 2 * Math.floor(i / 4) - 4)
    const goal = centerOf(LAST)
    const end = v(goal.x + 2 * (i % 5) - 4, 1.3 * Math.floor(i / 5) - 2, goal.z + (i % 2))
    const known = new Set<Door>()
    const mind = new FollowPath({
      path: maze.path(start, maze.plan(room, known)!, end),
      technique,
      obstacles,
      pilot: {
        escape: true,
        renavigate: ({ position }, { obstacle }) => {
          asked++
          const door = obstacle === null ? undefined : maze.shut.get(obstacle)
          if (door === undefined) return null
          known.add(door)
          return maze.path(position, maze.plan(roomAt(position), known)!, end)
        },
      },
    })
    const ship = new SteeringController(null, {
      position: start,
      radius: 0.4,
      maxSpeed: 6,
      maxForce: 24,
      maxTorque: 5,
      behavior: within(
        [new AvoidWalls({ obstacles }), new ReciprocalAvoidance({ neighborDistance: 5 })],
        mind,
      ),
    })
    ship.addEventListener('arrive', () => arrived.add(i))
    ships.push(ship)
    world.add(ship)
  }
  let deepest = 0
  while (world.time < 120 && arrived.size < AGENTS) {
    world.step(dt)
    for (const { position, radius } of ships)
      deepest = Math.max(deepest, radius - obstacles.distance(position, v()))
  }
  return { arrived: arrived.size, asked, deepest, faults }
}

describe.each(['reprojection', 'dog-on-a-string', 'grappling-hooks'] as const)(
  `${AGENTS} agents in a maze of rooms with unknown closed doors, by %s`,
  (technique) => {
    it.each(SEEDS)(
      'replan and all arrive without a contact: seed %i',
      (seed) => {
        for (const dt of FULL ? [1 / 30, 1 / 60, 1 / 240] : [1 / 30]) {
          const { arrived, asked, deepest, faults } = fly(technique, seed, dt)
          expect(arrived).toBe(AGENTS)
          // the scene is not empty: shut doors were met (in the maze of seed 8 only two are on any path)
          expect(asked).toBeGreaterThan(1)
          expect(deepest).toBeLessThan(1e-6)
          expect(faults).toEqual([])
        }
      },
      FULL ? 600_000 : 60_000,
    )
  },
)
