import { Vec3, type Body } from 'cannon-es'
import { SteeringController, Thrusters, type Behavior, type Vec3Like, type Viewable } from 'three-steering'
import { cannonBody } from 'three-steering/cannon'
import { buildBoat, lookAlong, SHUTTLE, sides, type Boat } from './boats.js'

/** A shuttle with stronger engines. */
export const GUARD: Boat = {
  ...SHUTTLE,
  engines: { ahead: 4600, astern: 3400, ...sides(3400), torque: 2600 },
  speed: 18,
  turnRate: 1.5,
}

/** A fighter of a little under half the model's size, slightly slower than a guard. */
export const RAIDER: Boat = {
  ...SHUTTLE,
  model: 'fighter',
  scale: 0.44,
  mass: 420,
  engines: { ahead: 3900, astern: 2700, ...sides(2700), torque: 2200 },
  speed: 16,
  turnRate: 1.6,
  nose: 3.4,
  radius: 3.7,
  hull: [
    [0, 0.1, 0, 1.2, 0.9, 6.4],
    [0, 0, -0.6, 4.2, 0.3, 2.2],
  ],
  mounts: [],
}

/** Range of sight, and of guns (m). */
export const SIGHT = 92
export const RANGE = 42

/** A gun: interval between shots (s), share of shots that hit, and damage of a hit (share of full health). */
export interface Gun {
  readonly every: number
  readonly aim: number
  readonly harm: number
}

export const GUARD_GUN: Gun = { every: 0.45, aim: 0.8, harm: 0.075 }
export const RAIDER_GUN: Gun = { every: 0.9, aim: 0.5, harm: 0.045 }

/** A body and its controller. */
export interface Craft {
  readonly body: Body
  readonly pilot: SteeringController
}

/** Makes a craft at a place, at rest, with its nose along a direction. */
export function makeCraft(
  boat: Boat,
  name: string,
  behavior: Behavior,
  place: Vec3Like,
  nose: Vec3Like,
  view: Viewable | null,
): Craft {
  const body = buildBoat(boat)
  body.position.set(place.x, place.y, place.z)
  lookAlong(body, new Vec3(nose.x, nose.y, nose.z).unit())
  const { torque, ...limits } = boat.engines
  const pilot = new SteeringController(view, {
    name,
    body: cannonBody(body),
    behavior,
    locomotion: new Thrusters({ ...limits, attitude: { roll: 'bank' } }),
    maxSpeed: boat.speed,
    maxForce: limits.ahead,
    maxTorque: torque,
    maxTurnRate: boat.turnRate,
    responseTime: 0.4,
    radius: boat.radius,
  })
  return { body, pilot }
}
