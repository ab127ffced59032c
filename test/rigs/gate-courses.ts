import { type Gate, type Vec3, type Vec3Like } from 'three-steering'
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

/** Courses through gates on closed ways that knot and cross themselves; a seed is a course. SI units, world axes. */
export interface GateCourse {
  readonly name: string
  readonly seed: number
  /** Passed in order, and then the first once more. */
  readonly gates: readonly Gate[]
  readonly start: Vec3Like
  readonly velocity: Vec3Like
  readonly radius: number
  readonly mass: number
  readonly maxSpeed: number
  readonly maxForce: number
}

export const GATE_COUNT = 10

/** A closed way, for angles of 0 … 2π. */
type Shape = (random: Random) => (angle: number) => Vec3

const SHAPES = {
  trefoil: () => (a) =>
    vec(Math.sin(a) + 2 * Math.sin(2 * a), Math.cos(a) - 2 * Math.cos(2 * a), -1.5 * Math.sin(3 * a)),
  // flat or saddled, always with a crossing in the middle
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
  // two vertical loops on a round
  loops: (random) => {
    const size = evenly(random, 0.4, 0.6)
    return (a) => {
      const reach = 1 + size * Math.cos(2 * a)
      return vec(reach * Math.cos(a), size * Math.sin(2 * a), reach * Math.sin(a))
    }
  },
  // a round star in a plane, which crosses itself five times
  star: (random) => {
    const depth = evenly(random, 0.3, 0.5)
    return (a) => times(vec(Math.cos(2 * a), 0, Math.sin(2 * a)), 1 + depth * Math.cos(5 * a))
  },
} satisfies Record<string, Shape>

export type GateCourseKind = keyof typeof SHAPES

export const GATE_COURSES = Object.keys(SHAPES) as GateCourseKind[]

/** Points by which a way is measured. */
const FINE = 2000

/** Gates are at most so large, in spacings, and so many of their radii away from other parts of the way. */
const WIDEST = 0.22
const ROOM = 3.5

/** Numbers differ widely: at full speed the tightest turn is a tenth to half of the way from gate to gate. */
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

/** What is passed, as gates: a start that is no wider than a point, the gates, and the first once more. */
export function stopsOf({ gates, start }: GateCourse): Gate[] {
  const heading = minus(gates[0]!.position, start)
  return [{ position: start, heading, radius: 0 }, ...gates, gates[0]!]
}

/** Time (s) of the yardstick: from middle to middle in straight lines, at top speed as soon as that is reached. */
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
  /** The place at a share of the length; any number, it goes round. */
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

/** Of some ways of this kind, with gates placed somewhere, that where they have most room, in spacings, to other parts of the way. */
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
    // measured by index, which is nearly by length: the way next to the gate does not count
    if (Math.min(apart, 1 - apart) > 0.7 / GATE_COUNT)
      least = Math.min(least, distance(way.points[i]!, point))
  }
  return least / (way.length / GATE_COUNT)
}
