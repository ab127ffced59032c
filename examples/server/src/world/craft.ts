import {
  AvoidObstacles,
  blend,
  BoxShape,
  Contain,
  Flocking,
  FollowPath,
  HollowShape,
  Obstacles,
  Path,
  ReciprocalAvoidance,
  SphereShape,
  Stick,
  Tether,
  Wander,
  within,
  type Behavior,
  type Shape,
  type Vec3Like,
} from 'three-steering'
import { Formation, KeepSlot, wedgePattern } from 'three-steering/formation'
import { WING_PLACE, YARD, type Plan, type Rock } from './plan.js'
import { Yard } from './yard.js'

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
export const KINDS = ['player', 'drone', 'freighter', 'escort', 'shuttle', 'station'] as const
export type Kind = (typeof KINDS)[number]

export const TRAITS: Readonly<Record<Kind, Traits>> = {
  player: { radius: 1.6, mass: 20, maxSpeed: 18, maxForce: 500, maxTorque: 260, priority: 1, group: 1 },
  drone: { radius: 0.8, mass: 2, maxSpeed: 11, maxForce: 30, maxTorque: 6, priority: 1, group: 2 },
  freighter: { radius: 3.5, mass: 400, maxSpeed: 8, maxForce: 2400, maxTorque: 9000, priority: 2, group: 4 },
  escort: { radius: 1.2, mass: 6, maxSpeed: 13, maxForce: 120, maxTorque: 40, priority: 4, group: 8 },
  shuttle: { radius: 1.2, mass: 6, maxSpeed: 9, maxForce: 120, maxTorque: 40, priority: 3, group: 16 },
  station: { radius: 5, mass: 3e4, maxSpeed: 1.2, maxForce: 6000, maxTorque: 2000, priority: 5, group: 32 },
}

/** Whether a kind avoids nobody: its behaviours have no `ReciprocalAvoidance`. Ghosts are told. */
export const isDeaf = (kind: Kind): boolean => kind === 'escort' || kind === 'station'

/** How far (m) drones look for their flock, and all for those that they avoid. */
const FLOCK_DISTANCE = 12
const AVOID_DISTANCE = 26

/** Keys of the kinds: the kind in the upper bits, so that a client knows it from the key. */
const KIND_SHIFT = 28
export const keyOf = (kind: Kind, number: number): number => (KINDS.indexOf(kind) << KIND_SHIFT) + number
export const kindOf = (key: number): Kind | undefined => KINDS[key >>> KIND_SHIFT]
/** Largest number of one kind. */
export const MAX_NUMBER = 2 ** KIND_SHIFT - 1

/** The station of the world. */
export const STATION = keyOf('station', 1)
/** Shuttles that dock there, and escorts of a wing. */
const SHUTTLES = 4
const WING = 5

/** The key of the first of those crafts that go over a border together: all of a wing, else one alone. */
export function unitOf(key: number): number {
  if (kindOf(key) !== 'escort') return key
  return key - (((key & MAX_NUMBER) - 1) % WING)
}

/** How many crafts a unit has. */
export const sizeOf = (unit: number): number => (kindOf(unit) === 'escort' ? WING : 1)

/** Crafts that begin at places of their own: the station, its shuttles, and a wing. */
export function namedCrafts({ size }: Plan): { key: number; position: Vec3Like }[] {
  const shuttles = Array.from({ length: SHUTTLES }, (_, i) => ({
    key: keyOf('shuttle', 1 + i),
    position: { x: 14 * (i % 2 === 0 ? 1 : -1), y: 6 * (i - 1.5), z: 16 - 4 * i },
  }))
  const wing = Array.from({ length: WING }, (_, i) => ({
    key: keyOf('escort', 1 + i),
    position: {
      x: WING_PLACE.x - size.x / 2 - 4 * i,
      y: WING_PLACE.y,
      z: WING_PLACE.z + 4 * (i % 2),
    },
  }))
  return [{ key: STATION, position: { x: 0, y: 0, z: 0 } }, ...shuttles, ...wing]
}

/** The axes of a stick, in the order on the wire. */
export const AXES = ['ahead', 'up', 'right', 'roll', 'pitch', 'yaw'] as const

/** Behaviours of one cell. All of a kind share one; each player has one with a stick of its own. */
export class Pilotage {
  readonly yard: Yard = new Yard(TRAITS.station.radius)
  private readonly constraints: [AvoidObstacles, Contain, ReciprocalAvoidance]
  private readonly shared: Readonly<Record<Exclude<Kind, 'player'>, Behavior>>

  constructor(plan: Plan, rocks: readonly Rock[]) {
    const obstacles = new Obstacles(
      rocks.map(({ position, radius }) => ({ shape: new SphereShape(radius), at: position })),
    )
    const avoid = new AvoidObstacles({ obstacles })
    const contain = containIn(new BoxShape({ x: plan.size.x / 2, y: plan.size.y / 2, z: plan.size.z / 2 }))
    const reciprocal = new ReciprocalAvoidance({ neighborDistance: AVOID_DISTANCE })
    this.constraints = [avoid, contain, reciprocal]
    const rule = { neighborDistance: FLOCK_DISTANCE, groups: TRAITS.drone.group }
    const flocking = new Flocking({
      separation: { ...rule, neighborDistance: 5 },
      alignment: rule,
      // the way back to a flock that is far away would need the whole flock, in all cells
      cohesion: { ...rule, emergency: false },
    })
    const stay = containIn(new BoxShape({ x: YARD, y: YARD, z: YARD }))
    const wander = blend([new Wander(), { behavior: new Tether({ target: ORIGIN, radius: 6 }), weight: 2 }])
    this.shared = {
      drone: within(this.constraints, blend([flocking, { behavior: new Wander(), weight: 0.4 }])),
      freighter: within(this.constraints, new Wander({ distance: 4, jitter: 0.3 })),
      // a wing looks at nobody, so it needs no ghosts that are far beyond the border; the others give way
      escort: within([avoid, contain], this.wingOf(plan)),
      shuttle: within([avoid, stay, reciprocal], this.yard.shiftOf(new Wander())),
      station: wander,
    }
  }

  /** The stick is null for a craft that flies by itself. */
  behaviorOf(kind: Kind): { behavior: Behavior; stick: Stick | null } {
    if (kind !== 'player') return { behavior: this.shared[kind], stick: null }
    const stick = new Stick({ turnRate: 1.6 })
    return { behavior: within(this.constraints, stick), stick }
  }

  /** A wing that flies from end to end of the world and back. */
  private wingOf({ size }: Plan): Behavior {
    const formation = new Formation({ pattern: wedgePattern, spacing: 5, frame: 'course' })
    const { x, y, z } = WING_PLACE
    const end = size.x / 2 - x
    const points = [
      { x: -end, y, z },
      { x: end, y, z },
      { x: end, y: -y, z: -z },
      { x: -end, y: -y, z: -z },
    ]
    const leadBehavior = new FollowPath({ path: new Path({ points, ends: 'closed' }), speed: 9 })
    return new KeepSlot({ formation, leadBehavior })
  }
}

const ORIGIN = { x: 0, y: 0, z: 0 }

const containIn = (box: Shape): Contain => new Contain({ bounds: [{ shape: new HollowShape(box) }] })
