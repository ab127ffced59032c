import {
  AvoidObstacles,
  blend,
  Contain,
  Cruise,
  EvadeGroup,
  Flocking,
  ReciprocalAvoidance,
  Tether,
  within,
  type Agent,
  type Behavior,
  type Obstacles,
  type Vec3,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'
import { HUNTER, type FlockScene } from './flock-scenes.js'

/** The parts of a flock's behaviour. */
export interface FlockContext {
  readonly scene: FlockScene
  /** Null when there are none. */
  readonly obstacles: Obstacles | null
  readonly bounds: Obstacles | null
}

/**
 * Number of nearest neighbours. With seven, a heading spreads too slowly through the flock for it to turn as
 * one in a room.
 */
const nearest = 12

/**
 * The wish of a bird, with one set of parameters for all scenes: flocking with the nearest neighbours, a
 * cruising speed, a weak pull to the centre of the flock, a stronger one to the roost if there is one, and
 * evasion of hunters.
 */
export function flockWish({ roost }: FlockScene): Behavior {
  return blend([
    new Flocking({
      separation: { neighborDistance: 4, weight: 1, maxNeighbors: nearest },
      alignment: { neighborDistance: 12, weight: 3, maxNeighbors: nearest },
      cohesion: { neighborDistance: 12, weight: 0.6, maxNeighbors: nearest },
    }),
    new Cruise({ speedShare: 0.95 }),
    new Tether({ target: middle, radius: 0, fadeWidth: 30, weight: 0.6 }),
    ...(roost === undefined
      ? []
      : [new Tether({ target: roost.center, radius: roost.radius, fadeWidth: roost.width, weight: 1 })]),
    new EvadeGroup({ groups: HUNTER, neighborDistance: 12 }),
  ])
}

/** The wish, constrained by reciprocal avoidance, obstacles and bounds. */
export function flockBehavior({ scene, obstacles, bounds }: FlockContext): Behavior {
  const constraints: Constraint[] = [
    new ReciprocalAvoidance({ neighborDistance: 4, horizon: 2, clearance: 0.4 }),
    // a hunter approaches by 28 m in a second, and does not yield
    ...(scene.hunters.length === 0
      ? []
      : [new ReciprocalAvoidance({ neighborDistance: 20, horizon: 2, clearance: 0.4, groups: HUNTER })]),
  ]
  if (obstacles !== null) constraints.push(new AvoidObstacles({ obstacles, clearance: 0.5 }))
  if (bounds !== null) constraints.push(new Contain({ bounds }))
  return within(constraints, flockWish(scene))
}

/** The centre of the flock's bounding box. */
function middle({ flockCenter }: Agent, out: Vec3): void {
  const { x, y, z } = flockCenter
  out.x = x
  out.y = y
  out.z = z
}
