import type { Step, Vec3, Vec3Like } from '../types.js'
import type { Obstacle } from '../obstacles/obstacle.js'
import type { Obstacles } from '../obstacles/obstacles.js'
import { show } from '../math/show.js'
import { typeName } from '../math/type-name.js'
import { addScaled, copy, dot, isFiniteVec, length, scale, set, vec3 } from '../math/vec3.js'
import type { Agents } from './agents.js'
import type { ReportFault } from './faults.js'

/** Walls one after the other that a step may slide along: the three of a corner. */
const MAX_SLIDES = 3

/** Relative to the numbers at hand: who is stopped is kept so far off the surface, so that rounding does not add up, nor hides the next wall. */
const SURFACE_GAP = 1e-8

const center = vec3()
const displacement = vec3()
const direction = vec3()
const normal = vec3()
const velocity = vec3()
const obstacleVelocity = vec3()
const overlapping: Obstacle[] = []

/** Obstacles that a guard leaves out, because they throw or give what is not finite. */
const brokenObstacles = new WeakSet<Obstacle>()
const damagedGuards = new WeakSet<Obstacles>()
const isBroken = (obstacle: Obstacle): boolean => brokenObstacles.has(obstacle)

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
  report: ReportFault,
): void {
  if (tryToHold(agents, row, from, step, guard)) return
  damagedGuards.add(guard)
  dropBroken(guard, from, report)
  // without those that are broken; if that does not help, the step stays as it was made
  if (!tryToHold(agents, row, from, step, guard)) report(-1, 'guard', 'threw', 'cannot be asked')
}

/** False, and nothing done, where an obstacle throws, or gives what is not finite. */
function tryToHold(agents: Agents, row: number, from: Vec3Like, step: Step, guard: Obstacles): boolean {
  try {
    hold(agents, row, from, step, guard)
  } catch {
    return false
  }
  if (!isFiniteVec(center) || !isFiniteVec(velocity)) return false
  const at = 3 * row
  agents.position[at] = center.x
  agents.position[at + 1] = center.y
  agents.position[at + 2] = center.z
  agents.velocity[at] = velocity.x
  agents.velocity[at + 1] = velocity.y
  agents.velocity[at + 2] = velocity.z
  return true
}

/** Finds the obstacles of a guard that cannot be asked at `from`, and leaves them out from here on. */
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

/** Writes where the step ends into `start`, and `velocity`. */
function hold(agents: Agents, row: number, from: Vec3Like, step: Step, guard: Obstacles): void {
  const { position } = agents
  const at = 3 * row
  copy(center, from)
  set(displacement, position[at]! - center.x, position[at + 1]! - center.y, position[at + 2]! - center.z)
  set(velocity, agents.velocity[at]!, agents.velocity[at + 1]!, agents.velocity[at + 2]!)
  // whoever asks who is near asks the broken ones as well
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
    // where the last wall leads into yet another one the way ends
    if (i === MAX_SLIDES) break
    addScaled(displacement, displacement, direction, -hit.distance)
    raiseComponent(displacement, normal, 0)
    raiseComponent(velocity, normal, dot(obstacle.velocityAt(obstacleVelocity, center), normal))
  }
}

/** Moves `start` out of what has come over it, as far as that has come in this step. */
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

/** Takes from `v` what is below `least` along the unit normal. */
function raiseComponent(v: Vec3, n: Vec3Like, least: number): void {
  const missing = least - dot(v, n)
  if (missing > 0) addScaled(v, v, n, missing)
}
