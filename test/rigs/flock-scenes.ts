import { type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import type { Block } from './course.js'
import {
  aside,
  direction,
  evenly,
  outer,
  plus,
  times,
  turnFromY,
  vec,
  type Random,
} from '../../demo/scenarios/vectors.js'

/** Scenes for flocks as data: birds, obstacles and duration. SI units, world axes. */
export interface FlockScene {
  readonly name: string
  readonly seed: number
  /** Traits of every bird. */
  readonly traits: {
    readonly radius: number
    readonly mass: number
    readonly maxSpeed: number
    readonly maxForce: number
  }
  readonly starts: readonly Start[]
  /** Obstacles, and the bounds to stay inside. */
  readonly blocks: readonly Block[]
  readonly bounds: readonly Block[]
  /** Hunters, which fly straight on and do not yield. */
  readonly hunters: readonly (Start & { readonly radius: number })[]
  /** The roost: birds are free within `radius` (m), and are pulled back increasingly over `width` (m). */
  readonly roost?: { readonly center: Vec3Like; readonly radius: number; readonly width: number }
  /** Birds nearer to each other than this are in one flock (m): ten radii. */
  readonly link: number
  /** Start of the measured time (s), which lasts to the end. */
  readonly from: number
  readonly limit: number
}

export interface Start {
  readonly position: Vec3Like
  readonly velocity: Vec3Like
}

/** Group bit mask of hunters. */
export const HUNTER = 2

export const FLOCK_SCENES = { freeFlock, boxFlock, splitFlock, huntedFlock } as const

export type FlockKind = keyof typeof FLOCK_SCENES

const BIRD = { radius: 0.5, mass: 1, maxSpeed: 10, maxForce: 20 } as const

const NOTHING = { blocks: [], bounds: [], hunters: [], traits: BIRD, link: 10 * BIRD.radius } as const

/** A loose cloud in the open with random headings. */
function freeFlock(seed: number, count = 200): FlockScene {
  const random = seeded(seed)
  const starts = cloud(random, count, 16 * Math.cbrt(count / 200), () => times(direction(random), 5))
  return { ...NOTHING, name: 'freeFlock', seed, starts, from: 30, limit: 60 }
}

/** A flock in a box with spheres and pillars. */
function boxFlock(seed: number, count = 120): FlockScene {
  const random = seeded(1000 + seed)
  const half = vec(60, 40, 60)
  const bound: Block = { form: { kind: 'box', half }, at: vec(0, 0, 0) }
  const blocks: Block[] = []
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((z) => [vec(x, 0, z)]))
  for (const { x, z } of corners)
    blocks.push({
      form: { kind: 'capsule', radius: 4, length: 2 * half.y },
      at: vec(30 * x + evenly(random, -8, 8), 0, 30 * z + evenly(random, -8, 8)),
    })
  for (let i = 0; i < 4; i++)
    blocks.push({
      form: { kind: 'sphere', radius: evenly(random, 3, 6) },
      at: times(direction(random), 30),
    })
  const starts = cloud(random, count, 12, () => times(direction(random), 5))
  const roost = { center: vec(0, 0, 0), radius: 15, width: 20 }
  return { ...NOTHING, name: 'boxFlock', seed, blocks, bounds: [bound], roost, starts, from: 20, limit: 45 }
}

/** An aligned flock that meets a row of pillars with gaps narrower than the flock. */
function splitFlock(seed: number, count = 120): FlockScene {
  const random = seeded(2000 + seed)
  const ahead = direction(random)
  const up = aside(random, ahead)
  const across = outer(ahead, up)
  const form = { kind: 'capsule', radius: 1.5, length: 160 } as const
  const turn = turnFromY(up)
  const shift = evenly(random, -3, 3)
  const blocks = Array.from({ length: 21 }, (_, i): Block => {
    return { form, turn, at: plus(times(ahead, 60), across, shift + 6 * (i - 10)) }
  })
  const starts = cloud(random, count, 12, () => times(ahead, 8))
  return { ...NOTHING, name: 'splitFlock', seed, blocks, starts, from: 30, limit: 42 }
}

/** An aligned flock, with a fast hunter through its centre and another one from another side. */
function huntedFlock(seed: number, count = 120): FlockScene {
  const random = seeded(3000 + seed)
  const ahead = direction(random)
  const starts = cloud(random, count, 12, () => times(ahead, 8))
  const hunters = [8, 15].map((time) => {
    const velocity = times(direction(random), 18)
    const meeting = times(ahead, 9.5 * time)
    return { position: plus(meeting, velocity, -time), velocity, radius: 1 }
  })
  return { ...NOTHING, name: 'huntedFlock', seed, starts, hunters, from: 25, limit: 35 }
}

/**
 * Uniform places in a sphere, at least five radii apart, so that two birds that approach each other at 5 m/s
 * can still stop.
 */
function cloud(random: Random, count: number, radius: number, velocity: () => Vec3Like): Start[] {
  const starts: Start[] = []
  while (starts.length < count) {
    const position = times(direction(random), radius * Math.cbrt(random()))
    const free = starts.every(
      ({ position: { x, y, z } }) =>
        Math.hypot(x - position.x, y - position.y, z - position.z) > 5 * BIRD.radius,
    )
    if (free) starts.push({ position, velocity: velocity() })
  }
  return starts
}
