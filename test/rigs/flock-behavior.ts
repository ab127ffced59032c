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

/** What a flock's behaviour is made of. */
export interface FlockGiven {
  readonly scene: FlockScene
  /** Null where there are none. */
  readonly obstacles: Obstacles | null
  readonly bounds: Obstacles | null
}

/** The dozen nearest: with seven, the heading of one end of a flock takes too long to the other to turn as one in a room. */
const nearest = 12

/**
 * What a bird wants, one set for all scenes: the nearest neighbours, a cruising speed, a weak pull to the middle of all, a stronger one to
 * the roost where there is one, and fear of hunters.
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

/** That, within velocity obstacles. */
export function flockBehavior({ scene, obstacles, bounds }: FlockGiven): Behavior {
  const constraints: Constraint[] = [
    new ReciprocalAvoidance({ neighborDistance: 4, horizon: 2, clearance: 0.4 }),
    // a hunter closes 28 m in a second, and yields to nobody
    ...(scene.hunters.length === 0
      ? []
      : [new ReciprocalAvoidance({ neighborDistance: 20, horizon: 2, clearance: 0.4, groups: HUNTER })]),
  ]
  if (obstacles !== null) constraints.push(new AvoidObstacles({ obstacles, clearance: 0.5 }))
  if (bounds !== null) constraints.push(new Contain({ bounds }))
  return within(constraints, flockWish(scene))
}

/** The middle of the flock's bounding box. */
function middle({ flockCenter }: Agent, out: Vec3): void {
  const { x, y, z } = flockCenter
  out.x = x
  out.y = y
  out.z = z
}
