import { type Vec3, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import type { Course, Pilot } from './course.js'
import { arrivals, traits } from './courses.js'
import {
  anyTurn,
  between,
  direction,
  evenly,
  ORIGIN,
  plus,
  times,
  turned,
  vec,
  type Random,
} from '../../demo/scenarios/vectors.js'
import { corridorWalls, wallAround } from './walls.js'

/** Crowds between walls, with both to avoid. Equal seeds give equal scenes. */

/** Places of a rank across a corridor, in half widths. */
const LANES = [-0.45, 0.45].flatMap((a) => [-0.45, 0.45].map((b) => [a, b] as const))

/**
 * A stream of pilots, four abreast, through a square corridor with a corner. All pass the same point in the
 * corner, where the width just suffices for the turn. About every second rank changes sides on the way. The
 * goals lie in order behind the other end.
 */
export function corridorStream(seed: number, ranks = 4): Course {
  const random = seeded(seed)
  const radius = between(random, 0.3, 1.5)
  const half = radius * between(random, 4, 6)
  const each = traits(random, 2 * half, radius)
  const [first, second] = [between(random, 25, 45), between(random, 25, 45)]
  const gap = 5 * radius
  const turn = anyTurn(random)
  const inner = vec(first - half + radius, half - radius, 0)
  const pilots: Pilot[] = []
  for (let rank = 0; rank < ranks; rank++) {
    const side = random() < 0.5 ? -1 : 1
    for (const [a, b] of LANES) {
      const start = plus(vec(-half - gap * (rank + 1), half * a, half * b), wobble(random, radius))
      const goal = vec(first - half * a, second + half + gap * (ranks - rank), side * half * b)
      // around the edge of the inner corner, which is along z
      const planar = apart(start, inner) + apart(goal, inner)
      pilots.push({
        ...each,
        start: turned(turn, start),
        goal: turned(turn, goal),
        route: [turned(turn, vec(first, 0, 0))],
        near: half,
        shortest: Math.hypot(planar, goal.z - start.z),
      })
    }
  }
  const blocks = corridorWalls(half, first, second, turn)
  return arrivals('corridor stream', seed, pilots, blocks, { task: 'route' })
}

/**
 * A crowd before a wall with one door. All want to pass it at once, and have their goals behind it opposite
 * their starts.
 */
export function doorway(seed: number, count = 24): Course {
  const random = seeded(seed)
  const radius = between(random, 0.3, 0.7)
  const maxSpeed = evenly(random, 3, 6)
  const mass = between(random, 0.5, 100)
  const maxForce = (mass * maxSpeed) / evenly(random, 0.5, 1.2)
  const half = radius * evenly(random, 4, 6)
  const thick = radius * evenly(random, 0.5, 3)
  const turn = anyTurn(random)
  const pilots = Array.from({ length: count }, (_, k): Pilot => {
    // in a sunflower pattern, on a bowl that is open towards the door
    const rim = 2.7 * radius * Math.sqrt(k + 0.6)
    const angle = k * Math.PI * (3 - Math.sqrt(5))
    const off = thick + 22 * radius - (0.02 * rim * rim) / radius
    const seat = plus(vec(rim * Math.cos(angle), -off, rim * Math.sin(angle)), wobble(random, radius))
    const [start, goal] = [seat, vec(seat.x, -seat.y, seat.z)]
    return {
      radius,
      maxSpeed,
      mass,
      maxForce,
      start: turned(turn, start),
      velocity: ORIGIN,
      goal: turned(turn, goal),
      route: [-1, 1].map((side) => turned(turn, vec(0, side * (thick + 1.5 * half), 0))),
      near: half,
    }
  })
  const blocks = wallAround(half, 60 * radius, thick, turn)
  return { ...arrivals('doorway', seed, pilots, blocks, { task: 'route' }), limit: 60 }
}

function wobble(random: Random, radius: number): Vec3 {
  return times(direction(random), 0.15 * radius)
}

/** Distance in the plane across z (m). */
function apart(a: Vec3Like, b: Vec3Like): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
