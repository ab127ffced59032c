import type { Vec3, Vec3Like } from 'three-steering'
import type { Gate } from 'three-steering/racing'
import { seeded } from 'three-steering/authoring'
import { distance } from '../../demo/scenarios/metrics.js'
import {
  anyTurn,
  between,
  direction,
  evenly,
  minus,
  plus,
  times,
  turned,
  unit,
  vec,
  type Random,
} from '../../demo/scenarios/vectors.js'

/**
 * Courses through gates on closed paths with knots and crossings. Equal seeds give equal courses. SI units,
 * world axes.
 */
export interface GateCourse {
  readonly name: string
  readonly seed: number
  /** The gates in order. After the last one the first is passed again. */
  readonly gates: readonly Gate[]
  readonly start: Vec3Like
  readonly velocity: Vec3Like
  readonly radius: number
  readonly mass: number
  readonly maxSpeed: number
  readonly maxForce: number
}

export const GATE_COUNT = 10

/** A closed curve, for angles of 0 … 2π. */
type Shape = (random: Random) => (angle: number) => Vec3

const SHAPES = {
  trefoil: () => (a) =>
    vec(Math.sin(a) + 2 * Math.sin(2 * a), Math.cos(a) - 2 * Math.cos(2 * a), -1.5 * Math.sin(3 * a)),
  // flat or saddle-shaped, always with a crossing at the centre
  eight: (random) => {
    const rise = random() < 0.5 ? 0 : evenly(random, 0.2, 0.6)
    return (a) => vec(2 * Math.sin(a), rise * Math.sin(a) * Math.sin(a), Math.sin(2 * a))
  },
  // a few low waves on each axis
  knot: (random) => {
    const waves = [1, 2, 3].map((k) => ({
      sine: times(direction(random), 1 / k),
      cosine: times(direction(random), 1 / k),
    }))
    return (a) =>
      waves.reduce(
        (sum, { sine, cosine }, i) =>
          plus(plus(sum, sine, Math.sin((i + 1) * a)), cosine, Math.cos((i + 1) * a)),
        vec(0, 0, 0),
      )
  },
  // two vertical loops on a circle
  loops: (random) => {
    const size = evenly(random, 0.4, 0.6)
    return (a) => {
      const reach = 1 + size * Math.cos(2 * a)
      return vec(reach * Math.cos(a), size * Math.sin(2 * a), reach * Math.sin(a))
    }
  },
  // a rounded star in a plane, with five crossings
  star: (random) => {
    const depth = evenly(random, 0.3, 0.5)
    return (a) => times(vec(Math.cos(2 * a), 0, Math.sin(2 * a)), 1 + depth * Math.cos(5 * a))
  },
} satisfies Record<string, Shape>

export type GateCourseKind = keyof typeof SHAPES

export const GATE_COURSES = Object.keys(SHAPES) as GateCourseKind[]

/** Number of points by which a curve is measured. */
const FINE = 2000

/** Greatest radius of gates (spacings), and their distance from other parts of the curve (gate radii). */
const WIDEST = 0.22
const ROOM = 3.5

/**
 * The course of a seed. Numbers differ widely: at full speed the turn radius is a tenth to half of the
 * distance between gates.
 */
export function gateCourse(kind: GateCourseKind, seed: number): GateCourse {
  const random = seeded(seed)
  const { way, places, room } = roomiest(kind, random)
  const spacing = between(random, 20, 60)
  const scale = spacing / (way.length / GATE_COUNT)
  const radius = spacing * Math.min(WIDEST, room / ROOM) * evenly(random, 0.6, 1)
  const maxSpeed = between(random, 8, 25)
  const turn = spacing * between(random, 0.1, 0.5)
  const mass = between(random, 0.5, 100)
  const before = way.at(places[0]!.share - 0.5 / GATE_COUNT)
  return {
    name: kind,
    seed,
    gates: places.map(({ point, tangent }) => ({
      position: times(point, scale),
      heading: tangent,
      radius,
    })),
    start: times(before.point, scale),
    velocity: times(before.tangent, random() < 0.5 ? 0 : random() * maxSpeed),
    radius: radius * evenly(random, 0.1, 0.3),
    mass,
    maxSpeed,
    maxForce: (mass * maxSpeed * maxSpeed) / turn,
  }
}

/** All stops as gates: the start with zero size, the gates, and the first gate again. */
export function stopsOf({ gates, start }: GateCourse): Gate[] {
  const heading = minus(gates[0]!.position, start)
  return [{ position: start, heading, radius: 0 }, ...gates, gates[0]!]
}

/** Reference time (s): on straight lines from centre to centre, accelerating to top speed. */
export function straightTime(course: GateCourse): number {
  const { velocity, mass, maxSpeed, maxForce } = course
  const stops = stopsOf(course)
  const length = stops
    .slice(1)
    .reduce((sum, { position }, i) => sum + distance(stops[i]!.position, position), 0)
  const speed = Math.hypot(velocity.x, velocity.y, velocity.z)
  const acceleration = maxForce / mass
  const time = (maxSpeed - speed) / acceleration
  return time + (length - ((maxSpeed + speed) / 2) * time) / maxSpeed
}

interface Place {
  readonly share: number
  readonly point: Vec3
  readonly tangent: Vec3
}

interface Way {
  readonly length: number
  /** The place at a share of the length. The share may be any number, because the curve is closed. */
  at(share: number): Place
  readonly points: readonly Vec3[]
}

function measured(shape: (angle: number) => Vec3, turn: ReturnType<typeof anyTurn>): Way {
  const points = Array.from({ length: FINE }, (_, i) => turned(turn, shape((2 * Math.PI * i) / FINE)))
  const sums = [0]
  for (let i = 0; i < FINE; i++) sums.push(sums[i]! + distance(points[i]!, points[(i + 1) % FINE]!))
  const length = sums[FINE]!
  const at = (share: number): Place => {
    const whole = share - Math.floor(share)
    const way = whole * length
    let i = Math.min(FINE - 1, Math.floor(whole * FINE))
    while (i > 0 && sums[i]! > way) i--
    while (i < FINE - 1 && sums[i + 1]! <= way) i++
    const step = minus(points[(i + 1) % FINE]!, points[i]!)
    const point = plus(points[i]!, step, (way - sums[i]!) / (sums[i + 1]! - sums[i]!))
    return { share: whole, point, tangent: unit(step) }
  }
  return { length, at, points }
}

/**
 * Of several random curves with gates, the one with the greatest clearance of the gates to other parts of the
 * curve (spacings).
 */
function roomiest(kind: GateCourseKind, random: Random): { way: Way; places: Place[]; room: number } {
  let best: { way: Way; places: Place[]; room: number } | null = null
  for (let k = 0; k < 24; k++) {
    const way = measured(SHAPES[kind](random), anyTurn(random))
    const first = random()
    const places = Array.from({ length: GATE_COUNT }, (_, i) =>
      way.at(first + (i + evenly(random, -0.12, 0.12)) / GATE_COUNT),
    )
    const room = Math.min(...places.map((place) => roomAt(way, place)))
    if (best === null || room > best.room) best = { way, places, room }
    if (room > ROOM * WIDEST) break
  }
  return best!
}

function roomAt(way: Way, { share, point }: Place): number {
  let least = Infinity
  for (let i = 0; i < FINE; i += 10) {
    const apart = Math.abs(i / FINE - share)
    // measured by index, which is nearly by length: the curve next to the gate does not count
    if (Math.min(apart, 1 - apart) > 0.7 / GATE_COUNT)
      least = Math.min(least, distance(way.points[i]!, point))
  }
  return least / (way.length / GATE_COUNT)
}
