import type { Agent, Step, Vec3Like } from '../../types.js'
import type { VelocityConstraints } from '../../solver/constraint.js'
import { servoTime } from '../../control/drive.js'
import type { Obstacle } from '../../obstacles/obstacle.js'
import type { Shape } from '../../obstacles/shape.js'
import { rotate, unrotate } from '../../math/quat.js'
import {
  addScaled,
  dot,
  isZero,
  length,
  normalize,
  scale,
  set,
  sub,
  truncate,
  vec3,
} from '../../math/vec3.js'
import { brakingRange, capPlane, measure } from './plane-cap.js'
import type { Obstacles } from '../../obstacles/obstacles.js'
import { gather, type Spared } from './surroundings.js'

type Cavity = NonNullable<Shape['cavity']>

/** Walls followed by sliding: the three of a corner. */
const SLIDES = 3

/** Slides slower than this share of the speed hit nothing in time. */
const SLIDE_SHARE = 1e-6

/** At a hit the surface is looked up this share of the ball farther on: of two walls as near, that ahead is meant. */
const NUDGE = 0.02

/** Tangent planes of a room between the nearest one and that across the way. */
const BENDS = 4

/** Across these directions a room is always measured. */
const AXES: readonly Vec3Like[] = [-1, 1].flatMap((k) => [vec3(k, 0, 0), vec3(0, k, 0), vec3(0, 0, k)])

/** Halvings of the way to the point of closest approach. */
const HALVINGS = 10

const near = vec3()
const normal = vec3()
const drift = vec3()
const heading = vec3()
const place = vec3()
const touched = vec3()
const bent = vec3()

/**
 * Limits the speed of the agent towards a wall to what it can still brake before its ball, grown by `skin` (m), touches, see `capPlane`,
 * relative to the wall's own motion at that place. These tangent planes of the wall are told to `limits`:
 * - that of the nearest point; but where the agent's way passes a convex corner there, that of closest approach on the way, so that
 *   nobody brakes for what is only beside the way;
 * - those where the velocity that the agent will have after this step hits, and where it would slide on to from there, so that the edges
 *   and corners of rooms are met with all their walls;
 * - of a hollow shape, which lies inside of all its tangent planes, those of all flat walls, or the six across its axes and some between
 *   the nearest wall and the way ahead: along a curved wall nobody is faster than the curve allows.
 *
 * Source: the walls of Green, Steering Behaviours, "Avoid Walls and Containment", with the cap in place of his force on a predicted point,
 * whose look-ahead shrinks with the speed.
 */
export function capAgainst(
  agent: Agent,
  step: Step,
  obstacle: Obstacle,
  skin: number,
  limits: VelocityConstraints,
): void {
  const { position } = agent
  const margin = agent.radius + skin
  measure(agent)
  const { cavity } = obstacle.shape
  if (cavity !== undefined && capFaces(agent, step, obstacle, cavity, margin, limits)) return
  const away = obstacle.distance(position, near)
  obstacle.velocityAt(drift, addScaled(touched, position, near, -away))
  const speed = headFor(agent, step, drift, limits.wantedVelocity)
  // at rest, and inside, only the nearest point counts
  if (!(speed > 0 && away > 0)) {
    capPlane(agent, step, near, away - margin, drift, limits)
    return
  }
  // a ball that touches already is swept as one that just does not, so that the wall it slides along hides no other
  const ball = Math.min(margin, 0.999 * away)
  const range = brakingRange(agent, step, speed)
  const steepness = -dot(heading, near)
  const flat = steepness > 1e-9 ? (away - ball) / steepness : Infinity
  const hit = range > 0 ? obstacle.sweep(position, heading, ball, range) : Infinity
  if (flat < range && hit > 1.001 * flat) passBy(agent, step, obstacle, margin, Math.min(hit, range), limits)
  else capPlane(agent, step, near, away - margin, drift, limits)
  if (cavity !== undefined) capAhead(agent, step, obstacle, cavity, margin, limits)
  if (hit < Infinity) slideOn(agent, step, obstacle, ball, margin, hit, range, limits)
}

/** Writes into `heading` where the agent goes, relative to `wall`, when this step has brought it nearer to `wanted`. Returns its speed, m/s. */
function headFor(agent: Agent, step: Step, wall: Vec3Like, wanted: Vec3Like): number {
  const time = servoTime(agent, step)
  truncate(heading, sub(heading, wanted, agent.velocity), (agent.maxForce / agent.mass) * time)
  addScaled(heading, agent.velocity, heading, step.dt / time)
  const speed = length(sub(heading, heading, wall))
  if (!(speed < Infinity)) return 0
  normalize(heading, heading)
  return speed
}

/** The walls of a room across its own axes; of one with flat walls all of them, which is true, and then there is no more to do. */
function capFaces(
  agent: Agent,
  step: Step,
  obstacle: Obstacle,
  cavity: Cavity,
  margin: number,
  limits: VelocityConstraints,
): boolean {
  const { faceNormals } = cavity
  if (faceNormals === undefined) {
    for (let i = 0; i < 6; i++) capAcross(agent, step, obstacle, cavity, AXES[i]!, margin, limits)
    return false
  }
  for (let i = 0; i < faceNormals.length; i += 3) {
    set(bent, faceNormals[i]!, faceNormals[i + 1]!, faceNormals[i + 2]!)
    capAcross(agent, step, obstacle, cavity, bent, margin, limits)
  }
  return true
}

/** Tangent planes between that of the nearest wall and that across the way: a curved wall comes nearer ahead. Needs `heading` and `near`. */
function capAhead(
  agent: Agent,
  step: Step,
  obstacle: Obstacle,
  cavity: Cavity,
  margin: number,
  limits: VelocityConstraints,
): void {
  for (let i = 1; i <= BENDS; i++) {
    const k = i / BENDS
    scale(bent, near, k - 1)
    addScaled(bent, bent, heading, k)
    unrotate(bent, obstacle.quaternion, bent)
    if (!isZero(normalize(bent, bent))) capAcross(agent, step, obstacle, cavity, bent, margin, limits)
  }
}

/** The tangent plane of a room across `direction`, unit, in the room's own axes. */
function capAcross(
  agent: Agent,
  step: Step,
  obstacle: Obstacle,
  cavity: Cavity,
  direction: Vec3Like,
  margin: number,
  limits: VelocityConstraints,
): void {
  const reach = cavity.support(direction)
  rotate(normal, obstacle.quaternion, direction)
  scale(normal, normal, -1)
  const gap = reach + dot(sub(place, agent.position, obstacle.position), normal)
  obstacle.velocityAt(drift, addScaled(touched, agent.position, normal, -gap))
  capPlane(agent, step, normal, gap - margin, drift, limits)
}

/** Tangent planes where the way ends, one after the other. Needs `heading`. */
function slideOn(
  agent: Agent,
  step: Step,
  obstacle: Obstacle,
  ball: number,
  margin: number,
  first: number,
  range: number,
  limits: VelocityConstraints,
): void {
  const { position } = agent
  let hit = first
  for (let i = 0; ;) {
    addScaled(place, position, heading, hit + NUDGE * ball)
    touchAndCap(agent, step, obstacle, margin, limits)
    if (++i === SLIDES) return
    // on along the wall, from here: the room is the same
    addScaled(heading, heading, normal, -dot(heading, normal))
    if (!(length(heading) > SLIDE_SHARE)) return
    normalize(heading, heading)
    hit = obstacle.sweep(position, heading, ball, range)
    if (hit === Infinity) return
  }
}

/**
 * Tangent plane at the point of closest approach within `end` (m) of the way, found by halving: for a convex body each plane on
 * the way is as safe, only less parallel to it. Needs `heading`.
 */
function passBy(
  agent: Agent,
  step: Step,
  obstacle: Obstacle,
  margin: number,
  end: number,
  limits: VelocityConstraints,
): void {
  const { position } = agent
  let low = 0
  let high = end
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    obstacle.distance(addScaled(place, position, heading, middle), normal)
    if (dot(heading, normal) < 0) low = middle
    else high = middle
  }
  addScaled(place, position, heading, low)
  touchAndCap(agent, step, obstacle, margin, limits)
}

/** Tangent plane at the point of the surface nearest to `place`. Leaves its normal in `normal`. */
function touchAndCap(
  agent: Agent,
  step: Step,
  obstacle: Obstacle,
  margin: number,
  limits: VelocityConstraints,
): void {
  const away = obstacle.distance(place, normal)
  obstacle.velocityAt(drift, addScaled(touched, place, normal, -away))
  const gap = dot(sub(place, agent.position, touched), normal) - margin
  capPlane(agent, step, normal, gap, drift, limits)
}

/** Share of the agent's radius that is kept between its ball and walls by default. */
const DEFAULT_CLEARANCE = 0.02

/** Distance (m) that is kept between an agent's ball and walls: the one it was given, else a share of its radius. */
export function wallClearance({ radius }: Agent, given: number | undefined): number {
  return given ?? DEFAULT_CLEARANCE * radius
}

/**
 * Caps the speed towards all walls that are near and not spared, and tells of them. `clearance` (m) is kept between them and the agent's ball,
 * by default 2 % of its radius; `found` is scratch of the caller.
 */
export function capWalls(
  agent: Agent,
  step: Step,
  walls: Obstacles,
  spared: Spared | undefined,
  clearance: number | undefined,
  found: Obstacle[],
  limits: VelocityConstraints,
): void {
  walls.refreshFor(step)
  const room = wallClearance(agent, clearance)
  const speed = Math.max(agent.speed, length(limits.wantedVelocity)) + walls.fastest
  const range = brakingRange(agent, step, speed) + agent.radius + room
  const count = gather(walls, agent, range, spared, found)
  for (let i = 0; i < count; i++) {
    const wall = found[i]!
    capAgainst(agent, step, wall, room, limits)
    // where a moving wall will be when an obstacle is passed is another matter
    if (isZero(wall.velocity)) limits.addWall(wall, range, agent.radius + room)
  }
}
