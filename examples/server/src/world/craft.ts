import {
  AvoidObstacles,
  blend,
  BoxShape,
  Contain,
  Flocking,
  HollowShape,
  Obstacles,
  ReciprocalAvoidance,
  SphereShape,
  Stick,
  Wander,
  within,
  type Behavior,
} from 'three-steering'
import { HALF_HEIGHT, HALF_WIDTH, type Plan, type Rock } from './plan.js'

/** Limits of a craft, SI units. */
export interface Traits {
  readonly radius: number
  readonly mass: number
  readonly maxSpeed: number
  readonly maxForce: number
  readonly maxTorque: number
  readonly priority: number
  /** Bit of the kind, which flocks ask for. */
  readonly group: number
}

/** What flies here. The number of a kind is its place in this list, on all wires. */
export const KINDS = ['player', 'drone', 'freighter'] as const
export type Kind = (typeof KINDS)[number]

export const TRAITS: Readonly<Record<Kind, Traits>> = {
  player: { radius: 1.6, mass: 20, maxSpeed: 18, maxForce: 500, maxTorque: 260, priority: 1, group: 1 },
  drone: { radius: 0.8, mass: 2, maxSpeed: 11, maxForce: 30, maxTorque: 6, priority: 1, group: 2 },
  freighter: { radius: 3.5, mass: 400, maxSpeed: 8, maxForce: 2400, maxTorque: 9000, priority: 2, group: 4 },
}

/** How far (m) drones look for their flock, and all for those that they avoid. */
const FLOCK_DISTANCE = 12
const AVOID_DISTANCE = 26

/** Keys of the three kinds: the kind in the upper bits, so that a client knows it from the key. */
const KIND_SHIFT = 28
export const keyOf = (kind: Kind, number: number): number => (KINDS.indexOf(kind) << KIND_SHIFT) + number
export const kindOf = (key: number): Kind | undefined => KINDS[key >>> KIND_SHIFT]
/** Largest number of one kind. */
export const MAX_NUMBER = 2 ** KIND_SHIFT - 1

/** The axes of a stick, in the order on the wire. */
export const AXES = ['ahead', 'up', 'right', 'roll', 'pitch', 'yaw'] as const

/** Behaviours of one cell. Drones share one, freighters another; each player has one with a stick of its own. */
export class Pilotage {
  private readonly constraints: [AvoidObstacles, Contain, ReciprocalAvoidance]
  private readonly drone: Behavior
  private readonly freighter: Behavior

  constructor(plan: Plan, rocks: readonly Rock[]) {
    const obstacles = new Obstacles(
      rocks.map(({ position, radius }) => ({ shape: new SphereShape(radius), at: position })),
    )
    const walls = new BoxShape({ x: plan.length / 2, y: HALF_HEIGHT, z: HALF_WIDTH })
    this.constraints = [
      new AvoidObstacles({ obstacles }),
      new Contain({ bounds: [{ shape: new HollowShape(walls) }] }),
      new ReciprocalAvoidance({ neighborDistance: AVOID_DISTANCE }),
    ]
    const rule = { neighborDistance: FLOCK_DISTANCE, groups: TRAITS.drone.group }
    const flocking = new Flocking({
      separation: { ...rule, neighborDistance: 5 },
      alignment: rule,
      // the way back to a flock that is far away would need the whole flock, in all cells
      cohesion: { ...rule, emergency: false },
    })
    this.drone = within(this.constraints, blend([flocking, { behavior: new Wander(), weight: 0.4 }]))
    this.freighter = within(this.constraints, new Wander({ distance: 4, jitter: 0.3 }))
  }

  /** The stick is null for a craft that flies by itself. */
  behaviorOf(kind: Kind): { behavior: Behavior; stick: Stick | null } {
    if (kind === 'drone') return { behavior: this.drone, stick: null }
    if (kind === 'freighter') return { behavior: this.freighter, stick: null }
    const stick = new Stick({ turnRate: 1.6 })
    return { behavior: within(this.constraints, stick), stick }
  }
}
