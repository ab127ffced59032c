import {
  blend,
  Cruise,
  Flock,
  Flocking,
  Hover,
  ReciprocalAvoidance,
  Tether,
  Wander,
  within,
  type Behavior,
  type Evade,
  type SteeringWorld,
  type Vec3,
  type Viewable,
} from 'three-steering'
import type { Constraint } from 'three-steering/authoring'
import { magnitude } from './metrics.js'
import { KINDS, type Kind } from './reef-kinds.js'
import { ORIGIN } from './vectors.js'

/** Group bits. The sharks have the first one. */
const groupOf = (kind: number): number => 2 << kind
/** Other fish within this distance are avoided (m). */
export const NEIGHBOR_DISTANCE = 4

/** Makes fish swim nearly level. Any object with `steer` is a behaviour. */
const LEVEL: Behavior = {
  steer({ velocity, maxForce, maxSpeed }, _step, out) {
    out.force.y -= (1.3 * maxForce * velocity.y) / maxSpeed
  },
}

export interface SchoolOptions {
  readonly count: number
  readonly view: Viewable | undefined
  readonly home: Vec3
  readonly walls: readonly Constraint[]
  readonly threats: readonly Evade[]
  place(position: Vec3, velocity: Vec3, kind: Kind, home: Vec3): void
}

/** One school: fish of a kind, and the moving point around which they school. */
export class School {
  readonly kind: Kind
  readonly flock: Flock
  readonly flocking: Flocking
  readonly others: ReciprocalAvoidance
  /** Point around which the school swims (m). */
  readonly home: Vec3

  // #region code
  constructor(steering: SteeringWorld, index: number, options: SchoolOptions) {
    const kind = KINDS[index]!
    this.kind = kind
    this.home = options.home
    const groups = groupOf(index)
    this.flocking = new Flocking({
      separation: { neighborDistance: kind.apart, weight: 1.2, groups },
      alignment: { neighborDistance: kind.along, weight: 0.45, groups },
      cohesion: { neighborDistance: kind.together, weight: 0.3, groups, emergency: false },
    })
    const wish = blend([
      this.flocking,
      { behavior: new Cruise({ speedShare: kind.cruise / kind.burst }), weight: 0.35 },
      { behavior: new Wander({ jitter: 1.4, speedShare: kind.cruise / kind.burst }), weight: 0.12 },
      new Tether({ target: this.home, radius: 2.2, fadeWidth: 7, weight: 0.6 }),
      LEVEL,
      ...options.threats,
    ])
    this.others = new ReciprocalAvoidance({
      neighborDistance: NEIGHBOR_DISTANCE,
      horizon: 1.5,
      clearance: kind.radius,
    })
    this.flock = new Flock({
      name: kind.name,
      count: options.count,
      ...(options.view ? { view: options.view } : {}),
      behavior: within([this.others, ...options.walls], wish),
      locomotion: new Hover({ attitude: { roll: 'bank', bankWeight: 5 } }),
      maxSpeed: kind.burst,
      maxForce: kind.force,
      maxTurnRate: 4,
      responseTime: 0.1,
      radius: kind.radius,
      group: groups,
      maxNeighbors: 24,
      spawn: (_, { position, velocity }) => options.place(position, velocity, kind, this.home),
    })
    steering.add(this.flock)
  }
  // #endregion

  /** Length of the mean direction of the fish, in [0, 1]. */
  polarisation(): number {
    const sum = { ...ORIGIN }
    const velocity = { ...ORIGIN }
    for (let index = 0; index < this.flock.size; index++) {
      this.flock.velocity(index, velocity)
      const speed = magnitude(velocity) || 1
      sum.x += velocity.x / speed
      sum.y += velocity.y / speed
      sum.z += velocity.z / speed
    }
    return magnitude(sum) / Math.max(1, this.flock.size)
  }
}

/** Writes the point that a school follows: around the reef, with varying radius and height. */
export function homeOf({ round, cruise }: Kind, time: number, out: Vec3): void {
  const { start, sense } = round
  const far = round.out + 3 * Math.sin(0.11 * time + 2 * start)
  const angle = start + (sense * 0.8 * cruise * time) / round.out
  out.x = far * Math.cos(angle)
  out.y = round.up + 1.4 * Math.sin(0.23 * time + start)
  out.z = far * Math.sin(angle)
}
