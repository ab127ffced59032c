import type { Step, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { Obstacles } from '../obstacles/obstacles.js'
import { show } from '../math/show.js'
import { typeName } from '../math/type-name.js'
import { addScaled, copy, dot, isFiniteVec, length, scale, set, vec3 } from '../math/vec3.js'
import type { Agents } from './agents.js'
import type { Blame } from './faults.js'

/** Walls one after the other that a step may slide along: the three of a corner. */
const SLIDES = 3

/** Relative to the numbers at hand: who is stopped is kept so far off the surface, so that rounding does not add up, nor hides the next wall. */
const HAIR = 1e-8

const start = vec3()
const way = vec3()
const heading = vec3()
const normal = vec3()
const velocity = vec3()
const drift = vec3()
const inside: Obstacle[] = []

/** Obstacles that a guard leaves out, because they throw or give what is not finite. */
const broken = new WeakSet<Obstacle>()
const damaged = new WeakSet<Obstacles>()
const isBroken = (obstacle: Obstacle): boolean => broken.has(obstacle)

const hit: { distance: number; obstacle: Obstacle | null } = { distance: 0, obstacle: null }

/** @throws TypeError for what is no set of obstacles. */
export function requireGuard(what: string, value: Obstacles): Obstacles {
  if (typeof value?.sweepInto !== 'function')
    throw new TypeError(`${what}: got ${String(value)}, must be a set of Obstacles`)
  return value
}

/**
 * The non-penetration constraint of Green's integrator (Steering Behaviours, "Separation": "the centre point of a vehicle must never
 * cross a wall boundary"): the step that `row` has just made from `from` ends where its centre would enter a solid, and goes on along
 * the surface; the velocity loses what points into it. Green drops the whole step ("just don't update their position"), which sticks.
 * A wall that moves pushes the agent out. Who is inside already may leave, but not go deeper; he is not moved.
 */
export function holdOutside(
  agents: Agents,
  row: number,
  from: Vec3Like,
  step: Step,
  guard: Obstacles,
  blame: Blame,
): void {
  if (tryToHold(agents, row, from, step, guard)) return
  damaged.add(guard)
  dropBroken(guard, from, blame)
  // without those that are broken; if that does not help, the step stays as it was made
  if (!tryToHold(agents, row, from, step, guard)) blame(-1, 'guard', 'threw', 'cannot be asked')
}

/** False, and nothing done, where an obstacle throws, or gives what is not finite. */
function tryToHold(agents: Agents, row: number, from: Vec3Like, step: Step, guard: Obstacles): boolean {
  try {
    hold(agents, row, from, step, guard)
  } catch {
    return false
  }
  if (!isFiniteVec(start) || !isFiniteVec(velocity)) return false
  const at = 3 * row
  agents.position[at] = start.x
  agents.position[at + 1] = start.y
  agents.position[at + 2] = start.z
  agents.velocity[at] = velocity.x
  agents.velocity[at + 1] = velocity.y
  agents.velocity[at + 2] = velocity.z
  return true
}

/** Finds the obstacles of a guard that cannot be asked at `from`, and leaves them out from here on. */
function dropBroken(guard: Obstacles, from: Vec3Like, blame: Blame): void {
  for (const obstacle of guard) {
    if (isBroken(obstacle)) continue
    try {
      const off = obstacle.distance(from, normal)
      guard.sweepInto(from, { x: 1, y: 0, z: 0 }, 0, 1, (each) => each !== obstacle, hit)
      if (!Number.isNaN(off + hit.distance) && isFiniteVec(normal)) continue
      blame(
        -1,
        typeName(obstacle.shape),
        'not finite',
        'in the guard: gave a distance that is not a number; left out',
      )
    } catch (error) {
      blame(-1, typeName(obstacle.shape), 'threw', `in the guard: threw ${show(error)}; left out`)
    }
    broken.add(obstacle)
  }
}

/** Writes where the step ends into `start`, and `velocity`. */
function hold(agents: Agents, row: number, from: Vec3Like, step: Step, guard: Obstacles): void {
  const { position } = agents
  const at = 3 * row
  copy(start, from)
  set(way, position[at]! - start.x, position[at + 1]! - start.y, position[at + 2]! - start.z)
  set(velocity, agents.velocity[at]!, agents.velocity[at + 1]!, agents.velocity[at + 2]!)
  // whoever asks who is near asks the broken ones as well
  if (guard.fastest > 0 && !damaged.has(guard)) giveWay(guard, step)
  for (let i = 0; i <= SLIDES; i++) {
    const left = length(way)
    if (!(left > 0)) break
    scale(heading, way, 1 / left)
    guard.sweepInto(start, heading, 0, left, isBroken, hit)
    const { obstacle } = hit
    if (obstacle === null) {
      addScaled(start, start, way, 1)
      break
    }
    addScaled(start, start, heading, hit.distance)
    obstacle.distance(start, normal)
    addScaled(start, start, normal, HAIR * sizeOf(start))
    // where the last wall leads into yet another one the way ends
    if (i === SLIDES) break
    addScaled(way, way, heading, -hit.distance)
    loseInto(way, normal, 0)
    loseInto(velocity, normal, dot(obstacle.velocityAt(drift, start), normal))
  }
}

/** Moves `start` out of what has come over it, as far as that has come in this step. */
function giveWay(guard: Obstacles, { dt }: Step): void {
  const count = guard.near(start, 0, inside)
  for (let i = 0; i < count; i++) {
    const obstacle = inside[i]!
    const depth = -obstacle.distance(start, normal)
    const speed = dot(obstacle.velocityAt(drift, start), normal)
    if (!(speed > 0 && depth > 0)) continue
    addScaled(start, start, normal, Math.min(depth, speed * dt))
    loseInto(velocity, normal, speed)
  }
}

function sizeOf({ x, y, z }: Vec3Like): number {
  return 1 + Math.abs(x) + Math.abs(y) + Math.abs(z)
}

/** Takes from `v` what is below `least` along the unit normal. */
function loseInto(v: Vec3, n: Vec3Like, least: number): void {
  const missing = least - dot(v, n)
  if (missing > 0) addScaled(v, v, n, missing)
}
