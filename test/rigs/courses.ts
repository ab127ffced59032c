import { type QuatLike, type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  clearance,
  distanceTo,
  sees,
  type Block,
  type Course,
  type Craft,
  type Form,
  type Pilot,
} from './course.js'
import { distance, magnitude } from '../../demo/scenarios/metrics.js'
import {
  anyTurn,
  aside,
  between,
  direction,
  evenly,
  minus,
  outer,
  plus,
  times,
  turned,
  turnFromY,
  unit,
  vec,
  ORIGIN,
  type Random,
} from '../../demo/scenarios/vectors.js'
import { corridorWalls, wallAround } from './walls.js'

/**
 * Scenes with obstacles, by kind. Equal seeds give equal scenes. Sizes, speeds and forces differ widely, and
 * one set of parameters must fit all.
 */

export type Traits = Craft & Pick<Pilot, 'velocity'>

/**
 * Random traits: 5 to 25 m/s, 5 to 30 m/s², radius 0.3 to 1.5 m, 0.2 to 500 kg. The turn radius at full speed
 * is at most `widest` (m); the stopping distance is half of it.
 * @param radius Default 0.3 to 1.5 m.
 */
export function traits(random: Random, widest: number, radius = between(random, 0.3, 1.5)): Traits {
  const acceleration = between(random, 5, 30)
  const maxSpeed = Math.min(between(random, 5, 25), Math.sqrt(widest * acceleration))
  const mass = between(random, 0.2, 500)
  return { radius, mass, maxSpeed, maxForce: mass * acceleration, velocity: ORIGIN }
}

/** Time (s) for a distance of `length` (m) at half of full speed, with starting and stopping. */
function timeFor({ maxSpeed, maxForce, mass }: Pilot, length: number): number {
  return (2 * length) / maxSpeed + (4 * maxSpeed * mass) / maxForce + 4
}

export function arrivals(
  name: string,
  seed: number,
  pilots: readonly Pilot[],
  blocks: readonly Block[],
  more: Partial<Course> = {},
): Course {
  const times = pilots.map((pilot) => timeFor(pilot, pilot.shortest ?? distance(pilot.goal!, pilot.start)))
  return { name, seed, task: 'arrive', pilots, blocks, bounds: [], limit: Math.max(...times), ...more }
}

const UPRIGHT: QuatLike = { x: 0, y: 0, z: 0, w: 1 }

const AXES: readonly Vec3Like[] = [
  vec(0, 1, 0),
  vec(0, -1, 0),
  vec(1, 0, 0),
  vec(-1, 0, 0),
  vec(0, 0, 1),
  vec(0, 0, -1),
]

/** A direction: the coordinate axes for the first seeds, then random. */
function axisFor(seed: number, random: Random): Vec3Like {
  return AXES[seed] ?? direction(random)
}

/** A start velocity: rest, or a speed along the line that can be braked within `room` (m). */
function rolling(random: Random, pilot: Traits, ahead: Vec3Like, room: number): Vec3Like {
  if (random() < 0.5) return ORIGIN
  const brakable = Math.sqrt((pilot.maxForce / pilot.mass) * room)
  return times(ahead, random() * Math.min(pilot.maxSpeed, brakable))
}

/** One sphere ahead, beside the line, but in the way. */
function offLine(seed: number): Course {
  const random = seeded(seed)
  const body = traits(random, 40)
  const length = between(random, 40, 150)
  const ahead = direction(random)
  const radius = between(random, 1, length / 10)
  const middle = length * evenly(random, 0.35, 0.65)
  const side = (radius + body.radius) * evenly(random, 0.1, 0.95)
  const start = times(direction(random), 20)
  const at = plus(plus(start, ahead, middle), aside(random, ahead), side)
  const velocity = rolling(random, body, ahead, middle - radius - body.radius)
  const pilot = { ...body, start, velocity, goal: plus(start, ahead, length) }
  return arrivals('off the line', seed, [pilot], [{ form: { kind: 'sphere', radius }, at }])
}

/** One sphere exactly ahead, on the coordinate axes first. Every second seed is away from the origin. */
function deadCentre(seed: number): Course {
  const random = seeded(seed)
  const ahead = axisFor(seed, random)
  const body = traits(random, 40)
  const length = between(random, 40, 150)
  const radius = between(random, 1, length / 10)
  const at = seed % 2 === 0 ? ORIGIN : times(direction(random), 50)
  const before = length * evenly(random, 0.35, 0.65)
  const velocity = rolling(random, body, ahead, before - radius - body.radius)
  const start = plus(at, ahead, -before)
  const pilot = { ...body, start, velocity, goal: plus(at, ahead, length - before) }
  return arrivals('dead centre', seed, [pilot], [{ form: { kind: 'sphere', radius }, at }])
}

/**
 * Length (m) of the shortest path around a sphere, for a start and a goal at `before` and `behind` (m) from
 * its centre.
 */
function wayRound(reach: number, before: number, behind: number): number {
  const tangent = (d: number): number => Math.sqrt(d * d - reach * reach)
  const arc = Math.PI - Math.acos(reach / before) - Math.acos(reach / behind)
  return tangent(before) + tangent(behind) + reach * arc
}

/**
 * One sphere exactly ahead, `scale` times as large as the pilot. TR is relative to the shortest path around
 * it.
 */
function larger(scale: number): (seed: number) => Course {
  return (seed) => {
    const random = seeded(seed)
    const ahead = axisFor(seed, random)
    const body = traits(random, 40, scale > 300 ? between(random, 0.3, 0.8) : between(random, 0.3, 1.5))
    const radius = scale * body.radius
    const reach = radius + body.radius
    const before = reach + between(random, 0.5, 1.5) * Math.max(30, radius)
    const behind = reach + between(random, 0.5, 1.5) * Math.max(30, radius)
    const pilot = {
      ...body,
      maxSpeed: scale > 300 ? Math.max(body.maxSpeed, 15) : body.maxSpeed,
      start: times(ahead, -before),
      goal: times(ahead, behind),
      shortest: wayRound(reach, before, behind),
    }
    return arrivals(
      `dead centre, ${scale} x`,
      seed,
      [pilot],
      [{ form: { kind: 'sphere', radius }, at: ORIGIN }],
    )
  }
}

/** A keep-out sphere exactly between start and goal, both near its surface. */
function keepOut(seed: number): Course {
  const random = seeded(seed)
  const ahead = axisFor(seed, random)
  const body = traits(random, 30)
  const radius = between(random, 6, 20)
  const reach = radius + body.radius
  const before = reach + between(random, 15, 40)
  const behind = reach + between(random, 5, 40)
  const pilot = {
    ...body,
    start: times(ahead, -before),
    goal: times(ahead, behind),
    shortest: wayRound(reach, before, behind),
  }
  return arrivals('keep-out sphere', seed, [pilot], [{ form: { kind: 'sphere', radius }, at: ORIGIN }])
}

/** Overlapping spheres in a clump, around the middle of the line. */
function clump(seed: number): Course {
  const random = seeded(seed)
  const ahead = axisFor(seed, random)
  const body = traits(random, 40)
  const length = between(random, 60, 150)
  const count = 6 + Math.floor(9 * random())
  const size = between(random, 1.5, length / 30)
  const blocks: Block[] = [{ form: { kind: 'sphere', radius: size }, at: ORIGIN }]
  while (blocks.length < count) {
    // each touches an earlier one
    const from = blocks[Math.floor(blocks.length * random())]!
    const at = plus(from.at, direction(random), size * evenly(random, 0.6, 1.5))
    if (magnitude(at) < 3 * size)
      blocks.push({ form: { kind: 'sphere', radius: size * evenly(random, 0.7, 1.3) }, at })
  }
  const off = times(aside(random, ahead), random() * size)
  const start = plus(off, ahead, -0.5 * length)
  const velocity = rolling(random, body, ahead, length / 2 - 4.5 * size - body.radius)
  const pilot = { ...body, start, velocity, goal: plus(off, ahead, length / 2) }
  return arrivals('clump', seed, [pilot], blocks)
}

/** A bowl of spheres, open towards the pilots: one flies along its axis, others beside it. */
function bowl(seed: number): Course {
  const random = seeded(seed)
  const ahead = axisFor(seed, random)
  const size = between(random, 6, 14)
  const ball = size * evenly(random, 0.22, 0.3)
  const blocks: Block[] = []
  const turn = turnFromY(ahead)
  const count = 60
  for (let i = 0; i < count; i++) {
    // a spiral with equal areas on the far half
    const height = (i + 0.5) / count
    const angle = i * Math.PI * (3 - Math.sqrt(5))
    const rim = Math.sqrt(1 - height * height)
    const at = turned(turn, vec(size * rim * Math.cos(angle), size * height, size * rim * Math.sin(angle)))
    blocks.push({ form: { kind: 'sphere', radius: ball }, at })
  }
  const pilotAt = (share: number): Pilot => {
    const body = traits(random, 30, between(random, 0.3, size / 8))
    const off = times(aside(random, ahead), share * size)
    const before = size * evenly(random, 4, 6)
    const start = plus(off, ahead, -before)
    const velocity = rolling(random, body, ahead, before - size)
    return { ...body, start, velocity, goal: plus(off, ahead, size * evenly(random, 3, 5)) }
  }
  return arrivals('bowl', seed, [0, 0.3, 0.6].map(pilotAt), blocks)
}

/** A moving sphere, exactly head-on or from the side on a collision course. It does not yield. */
function oncoming(seed: number): Course {
  const random = seeded(seed)
  const ahead = axisFor(seed, random)
  const body = traits(random, 30)
  const length = between(random, 60, 150)
  const radius = between(random, 1, 6)
  const speed = body.maxSpeed * evenly(random, 0.1, 0.7)
  // about the place and the time of the collision
  const middle = times(ahead, length * evenly(random, 0.35, 0.6))
  const time = magnitude(middle) / body.maxSpeed + body.maxSpeed / (body.maxForce / body.mass) / 2
  const way = seed % 2 === 0 ? times(ahead, -1) : direction(random)
  const velocity = times(way, speed)
  const at = plus(middle, velocity, -time)
  const pilot = { ...body, start: ORIGIN, goal: times(ahead, length) }
  const block: Block = { form: { kind: 'sphere', radius }, at, velocity }
  return arrivals('oncoming sphere', seed, [pilot], [block])
}

interface FieldOptions {
  readonly name: string
  readonly spheres: number
  readonly pilots: number
  /** Half of the field on its long axis (m); the other axes are `slim` times that. */
  readonly half: readonly [number, number]
  readonly slim: number
  readonly moving: boolean
}

/** A field of spheres, crossed from all sides. */
function field({ name, spheres, pilots: count, half, slim, moving }: FieldOptions): (seed: number) => Course {
  return (seed) => {
    const random = seeded(seed)
    const reach = between(random, half[0], half[1])
    const turn = anyTurn(random)
    const inside = (): Vec3 =>
      turned(
        turn,
        vec(
          reach * evenly(random, -1, 1),
          slim * reach * evenly(random, -1, 1),
          slim * reach * evenly(random, -1, 1),
        ),
      )
    const pilots: Pilot[] = Array.from({ length: count }, () => {
      const body = traits(random, 25)
      // from end to end, with both ends outside the field
      const across = (k: number): Vec3 =>
        vec(
          k * (reach + 12),
          slim * reach * evenly(random, -0.8, 0.8),
          slim * reach * evenly(random, -0.8, 0.8),
        )
      const way = random() < 0.5 ? 1 : -1
      return { ...body, start: turned(turn, across(-way)), goal: turned(turn, across(way)) }
    })
    const blocks: Block[] = []
    while (blocks.length < spheres) {
      const at = inside()
      const block = { form: { kind: 'sphere', radius: between(random, 1, 4.5) } as const, at }
      const open = pilots.every(
        ({ start, goal, radius }) =>
          distanceTo(block, start) > 4 * radius + 2 && distanceTo(block, goal!) > 4 * radius + 2,
      )
      if (!open) continue
      // most drift slowly, one in eight is about as fast as the slowest pilots
      const speed = random() < 0.125 ? evenly(random, 2, 4) : evenly(random, 0.1, 0.6)
      blocks.push(moving ? { ...block, velocity: times(direction(random), speed) } : block)
    }
    return arrivals(name, seed, pilots, blocks)
  }
}

/** Flight along and over a sphere far larger than any search radius, with small spheres nearby. */
function huge(seed: number): Course {
  const random = seeded(seed)
  const radius = between(random, 200, 600)
  const up = direction(random)
  const centre = times(up, -radius)
  const blocks: Block[] = [{ form: { kind: 'sphere', radius }, at: centre }]
  const pilots = Array.from({ length: 3 }, (): Pilot => {
    const body = traits(random, 30)
    const side = aside(random, up)
    const angle = between(random, 80, 200) / 2 / radius
    const at = (sign: number): Vec3 =>
      plus(
        centre,
        plus(times(up, Math.cos(angle)), side, sign * Math.sin(angle)),
        radius + 3 * body.radius + between(random, 1, 8),
      )
    return { ...body, start: at(-1), goal: at(1) }
  })
  for (let i = 0; i < 40; i++) {
    const { start, goal } = pilots[i % 3]!
    const spot = plus(start, minus(goal!, start), evenly(random, 0.15, 0.85))
    const out = unit(minus(plus(spot, direction(random), 12), centre))
    const at = plus(centre, out, radius + evenly(random, 0, 8))
    const block = { form: { kind: 'sphere', radius: between(random, 0.8, 3) } as const, at }
    if (
      pilots.every(
        ({ start, goal, radius }) =>
          distanceTo(block, start) > 3 * radius + 1 && distanceTo(block, goal!) > 3 * radius + 1,
      )
    )
      blocks.push(block)
  }
  return arrivals('huge with small ones', seed, pilots, blocks)
}

/**
 * Starts inside one or several blocks, every second time exactly at the centre of one, and flies on to a
 * goal. Spheres, or with `solid` boxes, capsules and cylinders.
 */
function inside(seed: number, solid = false): Course {
  const random = seeded(seed)
  const count = 1 + (seed % 4)
  const body = traits(random, 40)
  const blocks: Block[] = Array.from({ length: count }, (_, i) => {
    const radius = evenly(random, 2, 5)
    const off = i === 0 && random() < 0.5 ? 0 : random() * 0.8 * radius
    const at = times(direction(random), off)
    if (!solid) return { form: { kind: 'sphere', radius }, at }
    return { form: someForm(random, radius), at, turn: seed < 6 ? UPRIGHT : anyTurn(random) }
  })
  // a flat solid may lie beside the start
  if (clearance(blocks, ORIGIN) >= 0) blocks[0] = { ...blocks[0]!, at: ORIGIN }
  const goal = times(axisFor(seed, random), between(random, 40, 100))
  const course = arrivals('start inside', seed, [{ ...body, start: ORIGIN, goal }], blocks)
  return { ...course, limit: course.limit + 6 }
}

/**
 * A square corridor with a corner; every second seed brakes for it. The next goal is given in the corner, or
 * with `early` while a wall is still between.
 */
function corridor(seed: number, early = false): Course {
  const random = seeded(seed)
  const body = traits(random, 12)
  const half = body.radius * between(random, 3, 6)
  const [first, second] = [between(random, 25, 60), between(random, 25, 60)]
  const turn = seed < 6 ? UPRIGHT : anyTurn(random)
  // down x, then up y; the corner is around (first, 0, 0)
  const blocks = corridorWalls(half, first, second, turn)
  // the shortest path turns at the inner corner
  const inner = vec(first - half + body.radius, half - body.radius, 0)
  const shortest = Math.hypot(inner.x, inner.y) + Math.hypot(first - inner.x, second - inner.y)
  const pilot: Pilot = {
    ...body,
    start: ORIGIN,
    route: [turned(turn, vec(first, 0, 0))],
    near: early ? 1.5 * half : 0.8 * half,
    goal: turned(turn, vec(first, second, 0)),
    shortest,
  }
  return arrivals('corridor', seed, [pilot], blocks, { task: seed % 2 === 0 ? 'route' : 'stops' })
}

/** A wall of four boxes around a window of four radii, straight ahead or aside. */
function windowed(seed: number): Course {
  const random = seeded(seed)
  const ahead = axisFor(seed, random)
  const body = traits(random, 20)
  const half = 2 * body.radius
  const reach = evenly(random, 20, 40)
  const thick = evenly(random, 0.5, 3)
  const turn = turnFromY(ahead)
  const blocks = wallAround(half, reach, thick, turn)
  const before = evenly(random, 20, 60)
  // every second one flies at the centre of the window, the rest at the wall beside it
  const off = times(aside(random, ahead), seed % 2 === 0 ? 0 : evenly(random, 2, 6) * body.radius)
  const start = plus(off, ahead, -before)
  const goal = plus(off, ahead, evenly(random, 20, 60))
  return arrivals('window in a wall', seed, [{ ...body, start, goal }], blocks)
}

/** Any of the solid forms, of about `size` (m). */
function someForm(random: Random, size: number): Form {
  const stretch = (): number => size * evenly(random, 0.3, 1.5)
  switch (Math.floor(3 * random())) {
    case 0:
      return { kind: 'box', half: vec(stretch(), stretch(), stretch()) }
    case 1:
      return { kind: 'capsule', radius: stretch() / 2, length: 2 * stretch() }
    default:
      return { kind: 'cylinder', radius: stretch(), height: 2 * stretch() }
  }
}

/**
 * One box, capsule or cylinder with a random turn, on the line or beside it. The first ones are axis-aligned.
 */
function solid(seed: number): Course {
  const random = seeded(seed)
  const ahead = axisFor(seed, random)
  const body = traits(random, 30)
  const length = between(random, 50, 150)
  const size = between(random, 1.5, length / 12)
  const block: Block = {
    form: someForm(random, size),
    at: random() < 0.5 ? ORIGIN : times(aside(random, ahead), random() * size),
    turn: seed < 6 ? UPRIGHT : anyTurn(random),
  }
  const before = length * evenly(random, 0.4, 0.6)
  const velocity = rolling(random, body, ahead, before - 3 * size - body.radius)
  const pilot = { ...body, start: times(ahead, -before), velocity, goal: times(ahead, length - before) }
  return arrivals('solid', seed, [pilot], [block])
}

/** A goal 1.5 radii from a sphere, a box or a wall: in front of it, beside it or behind it. */
function nearby(seed: number): Course {
  const random = seeded(seed)
  const body = traits(random, 40)
  const away = direction(random)
  const room = 1.5 * body.radius
  const kind = seed % 3
  const radius = between(random, 2, 12)
  const thick = 1.5
  // the goal is the origin; the obstacle lies along −away
  const block: Block =
    kind === 0
      ? { form: { kind: 'sphere', radius }, at: times(away, -radius - room) }
      : {
          form: {
            kind: 'box',
            half: kind === 1 ? vec(radius, radius, evenly(random, 2, 8)) : vec(18, thick, 18),
          },
          at: times(away, -(kind === 1 ? radius : thick) - room),
          turn: turnFromY(away),
        }
  const from = direction(random)
  const start = times(from, between(random, 40, 100))
  const pilot: Pilot = { ...body, start, goal: ORIGIN }
  return arrivals('goal near an obstacle', seed, [pilot], [block])
}

/** Patrol points on a wavy ring. */
function around(random: Random, reach: number): Vec3[] {
  const axis = direction(random)
  const one = aside(random, axis)
  const two = outer(axis, one)
  return Array.from({ length: 8 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 8
    const side = plus(times(one, Math.cos(angle)), two, Math.sin(angle))
    return plus(times(side, reach), axis, 0.3 * reach * evenly(random, -1, 1))
  })
}

/** Patrol points between the blocks, with free lines from each to the next and from the last to the first. */
function among(random: Random, reach: number, blocks: readonly Block[]): Vec3[] {
  const posts: Vec3[] = []
  const grown = blocks.map(({ form, at }) => ({ form: { ...form, radius: 1 + radiusOf(form) }, at }) as Block)
  while (posts.length < 7) {
    const post = times(direction(random), reach * Math.cbrt(random()))
    if (!sees(grown, posts.at(-1) ?? post, post)) continue
    if (posts.length < 6 || sees(grown, post, posts[0]!)) posts.push(post)
  }
  return posts
}

function radiusOf(form: Form): number {
  return form.kind === 'sphere' ? form.radius : 0
}

/** Pilots that hide among spheres from a seeker that flies around them all, or between them. */
function hide(seed: number): Course {
  const random = seeded(seed)
  const reach = between(random, 20, 40)
  const blocks: Block[] = []
  while (blocks.length < 16) {
    const radius = between(random, 2, 5)
    const at = times(direction(random), reach * Math.cbrt(random()))
    if (clearance(blocks, at) > radius + 5) blocks.push({ form: { kind: 'sphere', radius }, at })
  }
  const posts = seed % 2 === 0 ? around(random, 1.6 * reach) : among(random, reach, blocks)
  const speed = between(random, 2, 5)
  const pilots = Array.from({ length: 3 }, (): Pilot => {
    const body = traits(random, 20, between(random, 0.3, 1))
    for (;;) {
      const start = times(direction(random), reach * random())
      if (clearance(blocks, start) > 3 * body.radius)
        return { ...body, maxSpeed: Math.max(body.maxSpeed, 2.5 * speed), start, goal: null }
    }
  })
  return { name: 'hide', seed, task: 'hide', pilots, blocks, bounds: [], limit: 60, patrol: { posts, speed } }
}

interface CageOptions {
  readonly name: string
  readonly form: (random: Random, size: number) => Form
  /** Number of spheres inside. Some touch the walls. */
  readonly spheres: number
  /** Whether the walls are six half-spaces instead of a hollow box. */
  readonly planes?: boolean
}

/** Wandering at full speed in a closed room. */
function cage({ name, form, spheres, planes = false }: CageOptions): (seed: number) => Course {
  return (seed) => {
    const random = seeded(seed)
    const size = between(random, 15, 40)
    const at = times(direction(random), 30)
    const turn = seed === 0 ? UPRIGHT : anyTurn(random)
    const bound: Block = { form: form(random, size), at, turn }
    const bounds = planes && bound.form.kind === 'box' ? planesOf(bound, bound.form.half) : [bound]
    const anywhere = (room: number): Vec3 => {
      for (;;) {
        const spot = plus(
          at,
          vec(evenly(random, -1, 1), evenly(random, -1, 1), evenly(random, -1, 1)),
          3 * size,
        )
        if (distanceTo(bound, spot) < -room) return spot
      }
    }
    const blocks: Block[] = []
    for (let i = 0; i < spheres; i++)
      blocks.push({ form: { kind: 'sphere', radius: size * evenly(random, 0.06, 0.14) }, at: anywhere(0) })
    const pilots = Array.from({ length: 6 }, (): Pilot => {
      const body = traits(random, 0.5 * size)
      for (;;) {
        const start = anywhere(2 * body.radius)
        if (clearance(blocks, start) < 2 * body.radius) continue
        const room = Math.min(clearance(blocks, start), -distanceTo(bound, start)) - body.radius
        return { ...body, start, velocity: rolling(random, body, direction(random), room), goal: null }
      }
    })
    return { name, seed, task: 'wander', pilots, blocks, bounds, limit: 60 }
  }
}

/** The walls of a box as half-spaces that are solid outside. */
function planesOf({ at, turn }: Block, { x, y, z }: Vec3Like): Block[] {
  const walls = [vec(x, 0, 0), vec(-x, 0, 0), vec(0, y, 0), vec(0, -y, 0), vec(0, 0, z), vec(0, 0, -z)]
  return walls.map((wall) => {
    const out = turned(turn!, wall)
    return { form: { kind: 'halfSpace' }, at: plus(at, out), turn: turnFromY(unit(times(out, -1))) }
  })
}

const boxForm = (random: Random, size: number): Form => ({
  kind: 'box',
  half: vec(size, size * evenly(random, 0.6, 1), size * evenly(random, 0.6, 1)),
})

/** Every kind of scene: name → seed → course. */
export const COURSES = {
  offLine,
  deadCentre,
  ten: larger(10),
  hundred: larger(100),
  thousand: larger(1000),
  keepOut,
  clump,
  bowl,
  field: field({ name: 'field', spheres: 400, pilots: 20, half: [55, 70], slim: 0.45, moving: false }),
  drift: field({
    name: 'drifting field',
    spheres: 400,
    pilots: 20,
    half: [55, 70],
    slim: 0.45,
    moving: true,
  }),
  smallField: field({
    name: 'small field',
    spheres: 90,
    pilots: 2,
    half: [25, 40],
    slim: 0.5,
    moving: false,
  }),
  huge,
  oncoming,
  inside: (seed: number) => inside(seed),
  insideSolid: (seed: number) => inside(seed, true),
  corridor: (seed: number) => corridor(seed),
  earlyCorridor: (seed: number) => corridor(seed, true),
  windowed,
  solid,
  nearby,
  box: cage({ name: 'box', form: boxForm, spheres: 0 }),
  planes: cage({ name: 'half-spaces', form: boxForm, spheres: 0, planes: true }),
  ball: cage({ name: 'ball', form: (_, size) => ({ kind: 'sphere', radius: size }), spheres: 0 }),
  capsule: cage({
    name: 'capsule',
    form: (random, size) => ({ kind: 'capsule', radius: 0.7 * size, length: size * evenly(random, 0.5, 2) }),
    spheres: 0,
  }),
  tube: cage({
    name: 'tube',
    form: (random, size) => ({ kind: 'cylinder', radius: 0.7 * size, height: size * evenly(random, 1.5, 4) }),
    spheres: 0,
  }),
  boxAndSpheres: cage({ name: 'box with spheres', form: boxForm, spheres: 24 }),
  hide,
} satisfies Record<string, (seed: number) => Course>

export type CourseKind = keyof typeof COURSES
