import { seeded } from 'three-steering/authoring'
import { evenly, type Random } from '../../demo/scenarios/vectors.js'

/** The classic scenes of crowds on the ground. Equal seeds give equal scenes. */

export const RADIUS = 0.3
export const MAX_SPEED = 1.4

/** A wall from (x0, z0) to (x1, z1), m. */
export interface Wall {
  readonly x0: number
  readonly z0: number
  readonly x1: number
  readonly z1: number
}

export interface Point {
  readonly x: number
  readonly z: number
}

export interface WalkerPlan {
  readonly start: Point
  /** Waypoints, the last one is the goal. */
  readonly route: readonly Point[]
}

export interface WalkerScene {
  readonly walkers: readonly WalkerPlan[]
  readonly walls: readonly Wall[]
}

/** Walkers are put this far (m) from their seats. */
const WOBBLE = 0.12

export const WALKER_SCENES: Record<string, (seed: number) => WalkerScene> = {
  hallway,
  crossing,
  'concentric circles': circles,
  bottleneck,
  office,
}

/** Two streams of 15, three abreast, in a hallway of 5 m. */
function hallway(seed: number): WalkerScene {
  const random = seeded(seed)
  const along = stream(random, 3, 5)
  const walkers = [...along, ...along.map((plan) => turned(plan, Math.PI))].map((plan) =>
    wobbled(random, plan),
  )
  return { walkers, walls: [box(-25, 2.5, 25, 3.5), box(-25, -3.5, 25, -2.5)] }
}

/** Two streams of 15 at right angles, in hallways of 5 m that cross. */
function crossing(seed: number): WalkerScene {
  const random = seeded(seed)
  const along = stream(random, 3, 5)
  const walkers = [...along, ...along.map((plan) => turned(plan, Math.PI / 2))].map((plan) =>
    wobbled(random, plan),
  )
  const walls = [-1, 1].flatMap((i) =>
    [-1, 1].map((j) =>
      box(
        Math.min(i * 2.5, i * 25),
        Math.min(j * 2.5, j * 25),
        Math.max(i * 2.5, i * 25),
        Math.max(j * 2.5, j * 25),
      ),
    ),
  )
  return { walkers, walls }
}

/** A ring of 10 and one of 20 around it. Each walker goes to the place opposite its own. */
function circles(seed: number): WalkerScene {
  const random = seeded(seed)
  const ring = (count: number, radius: number): WalkerPlan[] =>
    Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count
      const start = { x: radius * Math.cos(angle), z: radius * Math.sin(angle) }
      return wobbled(random, { start, route: [{ x: -start.x, z: -start.z }] })
    })
  return { walkers: [...ring(10, 5), ...ring(20, 9)], walls: [] }
}

/** 20 walkers before a wall with a door of 1.5 m. */
function bottleneck(seed: number): WalkerScene {
  const random = seeded(seed)
  const door = 0.75
  const walkers = Array.from({ length: 20 }, (_, i) => {
    const start = { x: -3 - (i % 4), z: 1.2 * (Math.floor(i / 4) - 2) }
    const goal = { x: start.x + 12, z: start.z }
    return wobbled(random, { start, route: [{ x: -0.3, z: 0 }, { x: 0.3, z: 0 }, goal] })
  })
  return { walkers, walls: [box(-0.2, door, 0.2, 12), box(-0.2, -12, 0.2, -door)] }
}

const ROOM = 6
const CORRIDOR = 1.5
const DOOR = 0.75
const THICK = 0.1

/**
 * Eight rooms, four on each side of a corridor of 3 m, with doors of 1.5 m. The three walkers of each room go
 * to three other rooms.
 */
function office(seed: number): WalkerScene {
  const random = seeded(seed)
  const room = (k: number) => ({ x: ROOM * ((k % 4) - 1.5), side: k < 4 ? 1 : -1 })
  const seat = (k: number, j: number): Point => {
    const { x, side } = room(k)
    return { x: x + 1.5 * (j - 1), z: side * (CORRIDOR + 4) }
  }
  const through = (k: number): Point[] => {
    const { x, side } = room(k)
    return [0.5, -0.5].map((deep) => ({ x, z: side * (CORRIDOR + deep) }))
  }
  const walkers = Array.from({ length: 24 }, (_, i) => {
    const [from, j] = [i % 8, Math.floor(i / 8)]
    const to = (from + [3, 4, 6][j]!) % 8
    const route = [...through(from), ...through(to).reverse(), seat(to, j)]
    return wobbled(random, { start: seat(from, j), route })
  })
  const walls: Wall[] = []
  const [end, back] = [2 * ROOM, CORRIDOR + ROOM]
  for (const side of [-1, 1]) {
    const across = (x0: number, x1: number, z: number) =>
      walls.push(box(x0, side * z - THICK, x1, side * z + THICK))
    across(-end, end, back)
    walls.push(box(side * end - THICK, -back, side * end + THICK, back))
    for (let k = 0; k < 4; k++) {
      const x = ROOM * (k - 1.5)
      across(x - ROOM / 2, x - DOOR, CORRIDOR)
      across(x + DOOR, x + ROOM / 2, CORRIDOR)
      const [z0, z1] = [side * CORRIDOR, side * back]
      const wall = x + ROOM / 2
      if (k < 3) walls.push(box(wall - THICK, Math.min(z0, z1), wall + THICK, Math.max(z0, z1)))
    }
  }
  return { walkers, walls }
}

/** A block of `lanes` by `ranks` walkers who go 30 m along x, through the origin. */
function stream(random: Random, lanes: number, ranks: number): WalkerPlan[] {
  const shift = evenly(random, -0.4, 0.4)
  return Array.from({ length: lanes * ranks }, (_, i) => {
    const start = { x: -10 - 1.2 * Math.floor(i / lanes), z: 1.2 * ((i % lanes) - (lanes - 1) / 2) + shift }
    const { z } = start
    return {
      start,
      route: [
        { x: 0, z },
        { x: 4, z },
        { x: start.x + 30, z },
      ],
    }
  })
}

function box(x0: number, z0: number, x1: number, z1: number): Wall {
  return { x0, z0, x1, z1 }
}

function turned({ start, route }: WalkerPlan, angle: number): WalkerPlan {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const turn = ({ x, z }: Point): Point => ({ x: c * x - s * z, z: s * x + c * z })
  return { start: turn(start), route: route.map(turn) }
}

function wobbled(random: Random, { start, route }: WalkerPlan): WalkerPlan {
  const wobble = () => evenly(random, -WOBBLE, WOBBLE)
  return { start: { x: start.x + wobble(), z: start.z + wobble() }, route }
}

/** Distance of a place from a wall (m), 0 inside. */
export function wallDistance({ x0, z0, x1, z1 }: Wall, { x, z }: Point): number {
  return Math.hypot(Math.max(x0 - x, x - x1, 0), Math.max(z0 - z, z - z1, 0))
}

/** Whether a walker of RADIUS can go straight from one place to another, apart from other walkers. */
export function isFree(walls: readonly Wall[], from: Point, to: Point): boolean {
  // the disc touches a wall where the line passes the wall grown by its radius, less a little
  const grow = 0.95 * RADIUS
  return !walls.some(({ x0, z0, x1, z1 }) => {
    let [enter, leave] = [0, 1]
    for (const [at, by, low, high] of [
      [from.x, to.x - from.x, x0 - grow, x1 + grow],
      [from.z, to.z - from.z, z0 - grow, z1 + grow],
    ] as const) {
      if (by === 0) {
        if (at <= low || at >= high) return false
      } else {
        enter = Math.max(enter, Math.min((low - at) / by, (high - at) / by))
        leave = Math.min(leave, Math.max((low - at) / by, (high - at) / by))
      }
    }
    return enter < leave
  })
}
