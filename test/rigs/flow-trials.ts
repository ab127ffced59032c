import { Obstacles, Path, type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  FlowAround,
  FlowField,
  FlowSum,
  PathFlow,
  VortexFlow,
  WindFlow,
  type FlowSource,
} from 'three-steering/flow'
import { solidOf } from './bodies.js'
import type { Block } from './course.js'
import {
  anyTurn,
  aside,
  between,
  direction,
  evenly,
  inner,
  minus,
  ORIGIN,
  plus,
  times,
  turned,
  vec,
  type Random,
} from '../../demo/scenarios/vectors.js'

/**
 * Scenes of following a flow field. Equal seeds give equal scenes. Size, speed, force and mass differ widely.
 */

export interface FlowPilot {
  readonly start: Vec3Like
  readonly velocity: Vec3Like
  readonly radius: number
  readonly mass: number
  readonly maxSpeed: number
  readonly maxForce: number
}

export interface FlowTrial {
  readonly name: string
  readonly seed: number
  readonly flow: FlowSource
  readonly pilots: readonly FlowPilot[]
  readonly blocks: readonly Block[]
  /** Duration (s). */ readonly limit: number
}

/** Pilots of a trial. Every second one starts at rest, the others with any velocity. */
const PILOTS = 4

interface Terms {
  /** Greatest speed of the flow (m/s), and radius of its tightest bend (m). */
  readonly speed: number
  readonly bend: number
  readonly startAt: (random: Random, index: number) => Vec3
  readonly radius?: number
}

/**
 * Pilots of 0.2 to 500 kg. The tightest bend needs a quarter to three quarters of their force, and their top
 * speed is 10 to 50 % above the flow.
 */
function pilotsFor(random: Random, { speed, bend, startAt, radius }: Terms): FlowPilot[] {
  return Array.from({ length: PILOTS }, (_, index) => {
    const mass = between(random, 0.2, 500)
    const maxSpeed = speed * evenly(random, 1.1, 1.5)
    const acceleration = (speed * speed) / bend / evenly(random, 0.25, 0.75)
    return {
      start: startAt(random, index),
      velocity: index % 2 === 0 ? ORIGIN : times(direction(random), random() * speed),
      radius: radius ?? between(random, 0.3, 1),
      mass,
      maxSpeed,
      maxForce: mass * acceleration,
    }
  })
}

/** The flow sampled on a grid for every second seed. */
function maybeGrid(seed: number, flow: FlowSource, half: number, nodes: number): FlowSource {
  if (seed % 2 === 0) return flow
  const size = vec(nodes, nodes, nodes)
  return new FlowField({ min: vec(-half, -half, -half), max: vec(half, half, half), size }).paint(flow)
}

/** A rising vortex around a tilted axis, like a thermal. */
function vortex(seed: number): FlowTrial {
  const random = seeded(seed)
  const radius = between(random, 10, 60)
  const speed = between(random, 3, 12)
  const axis = direction(random)
  const flow = new VortexFlow({ center: ORIGIN, axis, radius, speed, climb: 0.2 * speed })
  const startAt = (): Vec3 =>
    plus(times(aside(random, axis), radius * evenly(random, 0.4, 1.5)), axis, -0.5 * radius)
  const pilots = pilotsFor(random, { speed, bend: radius / 2, startAt })
  return {
    name: 'vortex',
    seed,
    flow: maybeGrid(seed, flow, 4 * radius, 49),
    pilots,
    blocks: [],
    limit: 20,
  }
}

/** A wind that gets stronger with height, and turns with height and time. */
function shear(seed: number): FlowTrial {
  const random = seeded(seed)
  const speed = between(random, 3, 12)
  const turn = anyTurn(random)
  const height = between(random, 30, 100)
  const period = between(random, 15, 40)
  const wind = (point: Vec3Like, time: number, out: Vec3): void => {
    const up = inner(point, turned(turn, vec(0, 1, 0)))
    const share = 0.55 + 0.35 * Math.tanh(up / height)
    const angle = up / height + 0.5 * Math.sin((2 * Math.PI * time) / period)
    const { x, y, z } = turned(turn, vec(Math.cos(angle), 0.3 * Math.sin(0.7 * time), Math.sin(angle)))
    Object.assign(out, { x: speed * share * x, y: speed * share * y, z: speed * share * z })
  }
  const startAt = (): Vec3 => times(direction(random), height * random())
  const pilots = pilotsFor(random, { speed: 1.05 * speed, bend: (speed * period) / 4, startAt })
  return { name: 'wind with shear', seed, flow: wind, pilots, blocks: [], limit: 20 }
}

/** A river along a knotted path. */
function river(seed: number): FlowTrial {
  const random = seeded(seed)
  const size = between(random, 12, 40)
  const speed = between(random, 3, 12)
  const turn = anyTurn(random)
  const points = Array.from({ length: 24 }, (_, i) => {
    const t = (2 * Math.PI * i) / 24
    const out = 2 + Math.cos(3 * t)
    return turned(turn, times(vec(out * Math.cos(2 * t), 1.2 * Math.sin(3 * t), out * Math.sin(2 * t)), size))
  })
  const path = new Path({ points, ends: 'closed', curve: 'arcs', radius: 0.8 * size, tube: 0.3 * size })
  const flow = new PathFlow({ path, speed })
  const startAt = (_random: Random, index: number): Vec3 => {
    const s = random() * path.length
    const at = path.pointAt(vec(0, 0, 0), s)
    return plus(at, aside(random, path.tangentAt(vec(0, 0, 0), s)), size * 0.3 * (index % 2) * 1.3)
  }
  const pilots = pilotsFor(random, { speed, bend: 0.7 * size, startAt })
  return {
    name: 'river along a knot',
    seed,
    flow: maybeGrid(1, flow, 3.6 * size, 33),
    pilots,
    blocks: [],
    limit: 20,
  }
}

/** A wind with a vortex, around spheres and boxes. */
function rocks(seed: number): FlowTrial {
  const random = seeded(seed)
  const speed = between(random, 3, 12)
  const ahead = direction(random)
  const length = 16 * speed
  const blocks: Block[] = Array.from({ length: 12 }, (_, i) => {
    const at = plus(times(ahead, ((i + 1) / 13) * length), aside(random, ahead), 12 * random())
    const radius = between(random, 2, 6)
    if (i % 3 > 0) return { form: { kind: 'sphere', radius }, at }
    return {
      form: { kind: 'box', half: vec(radius, 0.7 * radius, 0.8 * radius) },
      at,
      turn: anyTurn(random),
    }
  })
  const wind = new FlowSum([
    new WindFlow({ velocity: times(ahead, 0.8 * speed) }),
    new VortexFlow({
      center: times(ahead, length / 2),
      axis: aside(random, ahead),
      radius: length / 2,
      speed: 0.1 * speed,
    }),
  ])
  const flow = new FlowAround({
    flow: wind,
    obstacles: new Obstacles(blocks.map(solidOf)),
    range: 14,
    clearance: 1,
  })
  const startAt = (): Vec3 => plus(times(ahead, -12), aside(random, ahead), 8 * random())
  const pilots = pilotsFor(random, { speed: 1.2 * speed, bend: 4, radius: 0.5, startAt })
  return { name: 'through obstacles', seed, flow, pilots, blocks, limit: 18 }
}

export const FLOW_TRIALS = { vortex, shear, river, rocks } as const

export type FlowKind = keyof typeof FLOW_TRIALS

/** Length of the difference of two velocities over the length of the second. */
export function relativeError(velocity: Vec3Like, flow: Vec3Like): number {
  const off = minus(velocity, flow)
  return Math.hypot(off.x, off.y, off.z) / Math.hypot(flow.x, flow.y, flow.z)
}
