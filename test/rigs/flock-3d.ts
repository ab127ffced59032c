import { Flocking, Hover, SteeringWorld, type Flock, type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { addFlock } from '../support/flock.js'

/**
 * FLOCK-3D, the workload of the benchmark: birds in a periodic cube, three rules with one radius, unit
 * forces. The size of the cube gives k neighbours on average at the start.
 */
export const FLOCK_3D = {
  radius: 9,
  fieldOfView: 1.5 * Math.PI,
  maxSpeed: 9,
  maxForce: 27,
  startSpeed: 2.7,
  /** Common velocity of FLOCK-3D-FLOW, m/s: about 6.5 m/s. */
  flowSpeed: 7,
  flow: { x: 0.85, y: 0.3, z: 0.2 },
  separation: 12,
  alignment: 8,
  cohesion: 8,
  dt: 1 / 60,
} as const

/** Side of the cube (m) in which each of `count` agents has `k` neighbours on average. */
export function flockSide(count: number, k: number): number {
  const { radius } = FLOCK_3D
  // share of pairs nearer than r in a unit cube (distribution of the distance of two random points)
  const share = (r: number): number => {
    const near = Math.min(1, r)
    return ((4 * Math.PI) / 3) * near ** 3 - 1.5 * Math.PI * near ** 4 + (8 / 5) * near ** 5 - near ** 6 / 6
  }
  let low: number = radius
  let high = 1e5
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2
    if ((count - 1) * share(radius / middle) > k) low = middle
    else high = middle
  }
  return low
}

/**
 * Calls `place` with the start of each agent, the same for every implementation. The objects are reused. With
 * `flow` (FLOCK-3D-FLOW) the flock is on its way: a third of the usual start velocity is added to a common
 * one. Else it stands nearly still after a second.
 */
export function flockStart(
  count: number,
  side: number,
  place: (i: number, position: Vec3, velocity: Vec3) => void,
  flow = false,
): void {
  const random = seeded(12345)
  const position = { x: 0, y: 0, z: 0 }
  const velocity = { x: 0, y: 0, z: 0 }
  for (let i = 0; i < count; i++) {
    position.x = random() * side
    position.y = random() * side
    position.z = random() * side
    const y = 2 * random() - 1
    const angle = 2 * Math.PI * random()
    const rim = Math.sqrt(1 - y * y)
    velocity.x = FLOCK_3D.startSpeed * rim * Math.cos(angle)
    velocity.y = FLOCK_3D.startSpeed * y
    velocity.z = FLOCK_3D.startSpeed * rim * Math.sin(angle)
    if (flow)
      for (const axis of ['x', 'y', 'z'] as const)
        velocity[axis] = velocity[axis] / 3 + FLOCK_3D.flowSpeed * FLOCK_3D.flow[axis]
    place(i, position, velocity)
  }
}

/** The workload with the public API. */
export function flock3d(
  count: number,
  k: number,
  flow = false,
): { world: SteeringWorld; flock: Flock; side: number } {
  const { radius, maxSpeed, maxForce, fieldOfView } = FLOCK_3D
  const side = flockSide(count, k)
  const world = new SteeringWorld({ wrap: { min: { x: 0, y: 0, z: 0 }, max: { x: side, y: side, z: side } } })
  const rule = (force: number): { neighborDistance: number; weight: number; response: 'unit' } => ({
    neighborDistance: radius,
    weight: force / maxForce,
    response: 'unit',
  })
  const starts: { position: Vec3; velocity: Vec3 }[] = []
  flockStart(
    count,
    side,
    (_, position, velocity) => starts.push({ position: { ...position }, velocity: { ...velocity } }),
    flow,
  )
  const flock = addFlock(world, {
    count,
    maxSpeed,
    maxForce,
    fieldOfView,
    locomotion: new Hover({ attitude: null }),
    behavior: new Flocking({
      separation: rule(FLOCK_3D.separation),
      alignment: rule(FLOCK_3D.alignment),
      cohesion: { ...rule(FLOCK_3D.cohesion), emergency: false },
    }),
    spawn: (i, { position, velocity }) => {
      Object.assign(position, starts[i]!.position)
      Object.assign(velocity, starts[i]!.velocity)
    },
  })
  return { world, flock, side }
}
