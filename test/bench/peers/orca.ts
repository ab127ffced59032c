/**
 * Optimal reciprocal collision avoidance in the plane, as published (van den Berg, Guy, Lin and Manocha 2011,
 * "Reciprocal n-body collision avoidance", sections 3 to 5), as a yardstick. An agent is a disc that takes
 * any velocity at once; a wall is a convex polygon or a line.
 */

export interface Point {
  readonly x: number
  readonly z: number
}

export interface OrcaAgent {
  x: number
  z: number
  /** Velocity (m/s). */
  vx: number
  vz: number
  /** Velocity that it would have alone (m/s). */
  wantedX: number
  wantedZ: number
  readonly radius: number
  readonly maxSpeed: number
}

export interface OrcaOptions {
  /** Time for which a velocity must be free of contacts with agents, and with walls (s). */
  readonly horizon: number
  readonly wallHorizon: number
  /** The nearest so many agents within this distance (m) count. */
  readonly neighbors: number
  readonly neighborDistance: number
}

/** Velocities v with v · n ≥ h. */
interface HalfPlane {
  readonly nx: number
  readonly nz: number
  readonly h: number
}

interface Velocity {
  x: number
  z: number
}

const EPSILON = 1e-9

/**
 * Moves all agents by one step of dt (s). As published, an agent has its new velocity at once; with
 * `maxAcceleration` (m/s²) it approaches it.
 */
export function stepOrca(
  agents: readonly OrcaAgent[],
  walls: readonly (readonly Point[])[],
  options: OrcaOptions,
  dt: number,
  maxAcceleration = Infinity,
): void {
  const next = agents.map((agent) => newVelocity(agent, agents, walls, options, dt))
  for (const [i, agent] of agents.entries()) {
    const { x, z } = next[i]!
    const change = Math.hypot(x - agent.vx, z - agent.vz)
    const share = Math.min(1, (maxAcceleration * dt) / Math.max(change, EPSILON))
    agent.vx += share * (x - agent.vx)
    agent.vz += share * (z - agent.vz)
    agent.x += agent.vx * dt
    agent.z += agent.vz * dt
  }
}

function newVelocity(
  agent: OrcaAgent,
  agents: readonly OrcaAgent[],
  walls: readonly (readonly Point[])[],
  options: OrcaOptions,
  dt: number,
): Velocity {
  const reach = agent.radius + options.wallHorizon * agent.maxSpeed
  const planes: HalfPlane[] = []
  const seen = walls
    .map((wall) => wall.map(({ x, z }) => ({ x: x - agent.x, z: z - agent.z })))
    .map((wall) => ({ wall, distance: distanceTo(wall) }))
    .filter(({ distance }) => distance < reach)
    .sort((a, b) => a.distance - b.distance)
  for (const { wall } of seen) {
    const tangent = nearestTangent(wall, agent.radius, options.wallHorizon, { x: agent.vx, z: agent.vz })
    // the wall does not yield
    planes.push({ nx: tangent.nx, nz: tangent.nz, h: tangent.h })
  }
  const hard = planes.length
  const near = agents
    .filter((other) => other !== agent)
    .map((other) => ({ other, distance: Math.hypot(other.x - agent.x, other.z - agent.z) }))
    .filter(({ distance }) => distance < options.neighborDistance)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, options.neighbors)
  for (const { other } of near) {
    const place = { x: other.x - agent.x, z: other.z - agent.z }
    const relative = { x: agent.vx - other.vx, z: agent.vz - other.vz }
    const radius = agent.radius + other.radius
    const touching = Math.hypot(place.x, place.z) <= radius
    const { nx, nz, h } = touching
      ? leaveWithin(place, radius, dt, relative)
      : nearestTangent([place], radius, options.horizon, relative)
    // each of the two makes half of the change
    const change = h - (relative.x * nx + relative.z * nz)
    planes.push({ nx, nz, h: agent.vx * nx + agent.vz * nz + change / 2 })
  }
  return solve(planes, hard, agent.maxSpeed, { x: agent.wantedX, z: agent.wantedZ })
}

/** Distance of the origin from a convex polygon, 0 inside (m). */
export function distanceTo(corners: readonly Point[]): number {
  if (corners.length > 2 && containsOrigin(corners)) return 0
  return Math.min(...corners.map((a, i) => length(nearestOnEdge(a, corners[(i + 1) % corners.length]!))))
}

function containsOrigin(corners: readonly Point[]): boolean {
  const sides = corners.map((a, i) => {
    const b = corners[(i + 1) % corners.length]!
    return a.x * b.z - a.z * b.x
  })
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0)
}

function nearestOnEdge(a: Point, b: Point): Point {
  const [ex, ez] = [b.x - a.x, b.z - a.z]
  const square = ex * ex + ez * ez
  const t = square > 0 ? Math.min(1, Math.max(0, -(a.x * ex + a.z * ez) / square)) : 0
  return { x: a.x + t * ex, z: a.z + t * ez }
}

function length({ x, z }: Point): number {
  return Math.hypot(x, z)
}

/** Velocities that end a contact of two discs within one step. */
function leaveWithin(place: Point, radius: number, dt: number, relative: Point): HalfPlane {
  const [wx, wz] = [relative.x - place.x / dt, relative.z - place.z / dt]
  const size = Math.hypot(wx, wz)
  const [nx, nz] = size > EPSILON ? [wx / size, wz / size] : [1, 0]
  return { nx, nz, h: (place.x * nx + place.z * nz + radius) / dt }
}

/**
 * The velocity obstacle of the polygon `corners`, grown by `radius`, for the time `horizon`, is convex. Gives
 * the half-plane that touches it at the point of its boundary nearest to `velocity`, and lies outside. Among
 * all tangents it is the one from which the velocity is farthest outside, or least inside. It meets a corner
 * at its round, an edge, or one of the two sides of the cone.
 */
function nearestTangent(
  corners: readonly Point[],
  radius: number,
  horizon: number,
  velocity: Point,
): HalfPlane {
  let nearest = corners[0]!
  for (const [i, a] of corners.entries()) {
    const point = nearestOnEdge(a, corners[(i + 1) % corners.length]!)
    if (length(point) < length(nearest)) nearest = point
  }
  const distance = length(nearest)
  if (distance <= radius) {
    // in contact: it must not come nearer
    const [nx, nz] = distance > EPSILON ? [-nearest.x / distance, -nearest.z / distance] : [1, 0]
    return { nx, nz, h: 0 }
  }
  const [left, right] = coneSides(corners, radius, nearest)
  const best = { nx: 0, nz: 0, h: 0, outside: -Infinity }
  const consider = (nx: number, nz: number): void => {
    const size = Math.hypot(nx, nz)
    if (size < EPSILON) return
    nx /= size
    nz /= size
    // a tangent that cuts the cone is none
    if (nx * left.x + nz * left.z > EPSILON || nx * right.x + nz * right.z > EPSILON) return
    let h = -Infinity
    for (const { x, z } of corners) h = Math.max(h, (x * nx + z * nz + radius) / horizon)
    const outside = velocity.x * nx + velocity.z * nz - h
    if (outside > best.outside) Object.assign(best, { nx, nz, h, outside })
  }
  consider(-left.z, left.x)
  consider(right.z, -right.x)
  for (const [i, a] of corners.entries()) {
    const b = corners[(i + 1) % corners.length]!
    consider(velocity.x - a.x / horizon, velocity.z - a.z / horizon)
    consider(b.z - a.z, a.x - b.x)
    consider(a.z - b.z, b.x - a.x)
  }
  return best
}

/** Directions of the two sides of the cone from the origin around the grown polygon. */
function coneSides(corners: readonly Point[], radius: number, toward: Point): [Point, Point] {
  let [most, least] = [-Infinity, Infinity]
  for (const corner of corners) {
    const angle = Math.atan2(
      toward.x * corner.z - toward.z * corner.x,
      toward.x * corner.x + toward.z * corner.z,
    )
    const half = Math.asin(Math.min(1, radius / length(corner)))
    most = Math.max(most, angle + half)
    least = Math.min(least, angle - half)
  }
  const ahead = Math.atan2(toward.z, toward.x)
  const at = (angle: number): Point => ({ x: Math.cos(ahead + angle), z: Math.sin(ahead + angle) })
  return [at(most), at(least)]
}

/**
 * The allowed velocity nearest to the wanted one. Where none is allowed, the one that violates the planes of
 * agents least; the first `hard` planes, those of walls, are kept.
 */
function solve(planes: readonly HalfPlane[], hard: number, maxSpeed: number, wanted: Velocity): Velocity {
  const speed = length(wanted)
  const share = speed > maxSpeed ? maxSpeed / speed : 1
  const velocity = { x: wanted.x * share, z: wanted.z * share }
  const failed = nearestAllowed(planes, maxSpeed, wanted, false, velocity)
  if (failed < planes.length) violateLeast(planes, hard, Math.max(failed, hard), maxSpeed, velocity)
  return velocity
}

/**
 * Adds the planes one by one. Returns how many can be met together. `aim` is the wanted velocity, or, with
 * `asDirection`, a direction in which the velocity shall be as far as it can.
 */
function nearestAllowed(
  planes: readonly HalfPlane[],
  maxSpeed: number,
  aim: Velocity,
  asDirection: boolean,
  velocity: Velocity,
): number {
  for (const [i, plane] of planes.entries()) {
    if (velocity.x * plane.nx + velocity.z * plane.nz >= plane.h - EPSILON) continue
    if (!onEdgeOf(plane, planes.slice(0, i), maxSpeed, aim, asDirection, velocity)) return i
  }
  return planes.length
}

/** Finds the best velocity on the edge of a plane, inside the earlier planes. Returns whether it exists. */
function onEdgeOf(
  { nx, nz, h }: HalfPlane,
  earlier: readonly HalfPlane[],
  maxSpeed: number,
  aim: Velocity,
  asDirection: boolean,
  velocity: Velocity,
): boolean {
  const square = maxSpeed * maxSpeed - h * h
  if (square < 0) return false
  // the edge is the line (h·n + t·d), d = (−nz, nx)
  let high = Math.sqrt(square)
  let low = -high
  for (const other of earlier) {
    const slope = -nz * other.nx + nx * other.nz
    const missing = other.h - h * (nx * other.nx + nz * other.nz)
    if (Math.abs(slope) < EPSILON) {
      if (missing > EPSILON) return false
    } else if (slope > 0) low = Math.max(low, missing / slope)
    else high = Math.min(high, missing / slope)
    if (low > high) return false
  }
  const along = -nz * aim.x + nx * aim.z
  const t = asDirection ? (along > 0 ? high : low) : Math.min(high, Math.max(low, along))
  velocity.x = h * nx - t * nz
  velocity.z = h * nz + t * nx
  return true
}

/** Makes the greatest violation of planes from `first` on least, while the hard ones are met. */
function violateLeast(
  planes: readonly HalfPlane[],
  hard: number,
  first: number,
  maxSpeed: number,
  velocity: Velocity,
): void {
  let violation = 0
  for (let i = first; i < planes.length; i++) {
    const { nx, nz, h } = planes[i]!
    if (h - (velocity.x * nx + velocity.z * nz) <= violation + EPSILON) continue
    // where no earlier plane is violated more than this one
    const shared = planes.slice(0, hard)
    for (const other of planes.slice(hard, i)) {
      const [mx, mz] = [other.nx - nx, other.nz - nz]
      const size = Math.hypot(mx, mz)
      if (size > 1e-6) shared.push({ nx: mx / size, nz: mz / size, h: (other.h - h) / size })
    }
    const best = { x: nx * maxSpeed, z: nz * maxSpeed }
    if (nearestAllowed(shared, maxSpeed, { x: nx, z: nz }, true, best) === shared.length) {
      velocity.x = best.x
      velocity.z = best.z
    }
    violation = h - (velocity.x * nx + velocity.z * nz)
  }
}
