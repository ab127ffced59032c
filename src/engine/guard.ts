import type { Step, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { Obstacles } from '../obstacles/obstacles.js'
import { show } from '../math/show.js'
import { typeName } from '../math/type-name.js'
import { addScaled, copy, dot, isFiniteVec, length, scale, set, vec3 } from '../math/vec3.js'
import type { Agents } from './agents.js'
import type { ReportFault } from './faults.js'

/** Number of walls that one step may slide along: the three walls of a corner. */
const MAX_SLIDES = 3

/**
 * A stopped centre is kept off the surface by this share of the size of its coordinates, so that rounding
 * neither adds up nor hides the next wall.
 */
const SURFACE_GAP = 1e-8

const center = vec3()
const displacement = vec3()
const direction = vec3()
const normal = vec3()
const velocity = vec3()
const obstacleVelocity = vec3()
const overlapping: Obstacle[] = []

/**
 * Obstacles that a guard leaves out, because they throw or give values that are not finite; and guards that
 * contain some.
 */
const brokenObstacles = new WeakSet<Obstacle>()
const damagedGuards = new WeakSet<Obstacles>()
const isBroken = (obstacle: Obstacle): boolean => brokenObstacles.has(obstacle)

const hit: { distance: number; obstacle: Obstacle | null } = { distance: 0, obstacle: null }

/** @throws TypeError for a value that is not a set of obstacles. */
export function requireGuard(what: string, value: Obstacles): Obstacles {
  if (typeof value?.sweepInto !== 'function')
    throw new TypeError(`${what}: got ${String(value)}, must be a set of Obstacles`)
  return value
}

/**
 * The non-penetration constraint of Green's integrator (Steering Behaviours, "Separation": "the centre point
 * of a vehicle must never cross a wall boundary"). The step that the agent in `row` has just made from `from`
 * ends where its centre would enter a solid, and continues along the surface; the velocity loses its
 * component into the surface. Departure: Green drops the whole step ("just don't update their position"), so
 * agents stick to walls. A moving wall pushes the agent out. An agent that is inside already may leave, but
 * not go deeper; it is not moved.
 */
export function holdOutside(
  agents: Agents,
  row: number,
  from: Vec3Like,
  step: Step,
  guard: Obstacles,
  report: ReportFault,
): void {
  if (tryToHold(agents, row, from, step, guard)) return
  damagedGuards.add(guard)
  dropBroken(guard, from, report)
  // again, without the broken obstacles; when that fails as well, the step stays as it was made
  if (!tryToHold(agents, row, from, step, guard))
    report(-1, 'guard', 'threw', 'fails, also without its broken obstacles')
}

/** False, and nothing is changed, when an obstacle throws or gives values that are not finite. */
function tryToHold(agents: Agents, row: number, from: Vec3Like, step: Step, guard: Obstacles): boolean {
  try {
    hold(agents, row, from, step, guard)
  } catch {
    return false
  }
  if (!isFiniteVec(center) || !isFiniteVec(velocity)) return false
  const offset = 3 * row
  agents.position[offset] = center.x
  agents.position[offset + 1] = center.y
  agents.position[offset + 2] = center.z
  agents.velocity[offset] = velocity.x
  agents.velocity[offset + 1] = velocity.y
  agents.velocity[offset + 2] = velocity.z
  return true
}

/** Finds the obstacles of a guard that fail at `from`, reports them, and leaves them out from then on. */
function dropBroken(guard: Obstacles, from: Vec3Like, report: ReportFault): void {
  for (const obstacle of guard) {
    if (isBroken(obstacle)) continue
    try {
      const distance = obstacle.distance(from, normal)
      guard.sweepInto(from, { x: 1, y: 0, z: 0 }, 0, 1, (each) => each !== obstacle, hit)
      if (!Number.isNaN(distance + hit.distance) && isFiniteVec(normal)) continue
      report(
        -1,
        typeName(obstacle.shape),
        'not finite',
        'in the guard: gave a distance that is not a number; left out',
      )
    } catch (error) {
      report(-1, typeName(obstacle.shape), 'threw', `in the guard: threw ${show(error)}; left out`)
    }
    brokenObstacles.add(obstacle)
  }
}

/** Writes the end of the step into `center`, and the velocity there into `velocity`. */
function hold(agents: Agents, row: number, from: Vec3Like, step: Step, guard: Obstacles): void {
  const { position } = agents
  const offset = 3 * row
  copy(center, from)
  set(
    displacement,
    position[offset]! - center.x,
    position[offset + 1]! - center.y,
    position[offset + 2]! - center.z,
  )
  set(velocity, agents.velocity[offset]!, agents.velocity[offset + 1]!, agents.velocity[offset + 2]!)
  // `near` would call the broken obstacles as well
  if (guard.fastest > 0 && !damagedGuards.has(guard)) escapeMoving(guard, step)
  for (let i = 0; i <= MAX_SLIDES; i++) {
    const remaining = length(displacement)
    if (!(remaining > 0)) break
    scale(direction, displacement, 1 / remaining)
    guard.sweepInto(center, direction, 0, remaining, isBroken, hit)
    const { obstacle } = hit
    if (obstacle === null) {
      addScaled(center, center, displacement, 1)
      break
    }
    addScaled(center, center, direction, hit.distance)
    obstacle.distance(center, normal)
    addScaled(center, center, normal, SURFACE_GAP * magnitude(center))
    // where the last wall leads into yet another one, the step ends
    if (i === MAX_SLIDES) break
    addScaled(displacement, displacement, direction, -hit.distance)
    raiseComponent(displacement, normal, 0)
    raiseComponent(velocity, normal, dot(obstacle.velocityAt(obstacleVelocity, center), normal))
  }
}

/**
 * Moves `center` out of moving obstacles that have covered it, at most as far as they have moved in this
 * step.
 */
function escapeMoving(guard: Obstacles, { dt }: Step): void {
  const count = guard.near(center, 0, overlapping)
  for (let i = 0; i < count; i++) {
    const obstacle = overlapping[i]!
    const depth = -obstacle.distance(center, normal)
    const speed = dot(obstacle.velocityAt(obstacleVelocity, center), normal)
    if (!(speed > 0 && depth > 0)) continue
    addScaled(center, center, normal, Math.min(depth, speed * dt))
    raiseComponent(velocity, normal, speed)
  }
}

function magnitude({ x, y, z }: Vec3Like): number {
  return 1 + Math.abs(x) + Math.abs(y) + Math.abs(z)
}

/** Raises the component of `v` along the unit normal `n` to at least `least`. */
function raiseComponent(v: Vec3, n: Vec3Like, least: number): void {
  const missing = least - dot(v, n)
  if (missing > 0) addScaled(v, v, n, missing)
}
