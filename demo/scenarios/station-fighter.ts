import type { Body, World } from 'cannon-es'
import {
  Strafe,
  type Behavior,
  type Moving,
  type SteeringController,
  type SteeringWorld,
  type Vec3Like,
  type Viewable,
} from 'three-steering'
import { sides, type Boat } from './boats.js'
import { GUARD, makeCraft, RAIDER, type Craft } from './sentry-craft.js'
import { ORIGIN } from './vectors.js'

/** The ships of the player and of its wing, and those of the raiders. */
export const LEADER: Boat = {
  ...GUARD,
  engines: { ahead: 8000, astern: 7000, ...sides(7000), torque: 4200 },
  speed: 31,
  turnRate: 1.7,
}
export const WINGMAN: Boat = { ...LEADER, speed: 32, turnRate: 2 }
export const MARAUDER: Boat = {
  ...RAIDER,
  engines: { ahead: 5400, astern: 4200, ...sides(4200), torque: 3000 },
  speed: 24,
  turnRate: 1.8,
}

/** Muzzle speed relative to the ship (m/s). */
export const MUZZLE = 170

/** Shields regained per second, as a share, and the share above which exhausted shields let it fire again. */
const MENDING = 0.03
const FIT = 0.4

export type Team = 0 | 1

/** A ship with a gun and shields. It knows the one that it fights. */
export class Fighter implements Craft {
  readonly team: Team
  readonly boat: Boat
  readonly body: Body
  readonly pilot: SteeringController
  target: Fighter | null = null
  /** Share of full shields. */
  shield = 1
  /** Whether its gun works: not from the moment when its shields fail until they are mended. */
  armed = true
  /** Time of the next shot (s), and time of the last hit that it took. */
  reload = 0
  hitAt = -Infinity
  /** The ship that hit it last. */
  hitBy: Fighter | null = null
  /** Factor of the harm that its shots do. */
  power = 1
  /** Whether it is in the worlds. */
  present = false

  constructor(
    team: Team,
    boat: Boat,
    name: string,
    behavior: Behavior,
    place: Vec3Like,
    nose: Vec3Like,
    view: Viewable | null,
  ) {
    this.team = team
    this.boat = boat
    const { body, pilot } = makeCraft(boat, name, behavior, place, nose, view)
    this.body = body
    this.pilot = pilot
  }

  enter(world: World, steering: SteeringWorld): void {
    world.addBody(this.body)
    steering.add(this.pilot)
    this.present = true
  }

  leave(world: World, steering: SteeringWorld): void {
    world.removeBody(this.body)
    steering.remove(this.pilot)
    this.present = false
    this.target = null
  }

  mend(dt: number): void {
    this.shield = Math.min(1, this.shield + MENDING * dt)
    if (this.shield > FIT) this.armed = true
  }

  hurt(share: number, by: Fighter, time: number): void {
    this.hitBy = by
    this.hitAt = time
    this.shield = Math.max(0, this.shield - share)
    if (this.shield === 0) this.armed = false
  }
}

/**
 * Attacks the target of a ship in passes: flies by at full speed with the nose on the place where the target
 * will be, turns, and comes again.
 */
export class Hunt {
  readonly behavior: Strafe

  /** The distance of the pass (m) differs between ships that may hunt the same target. */
  constructor(missDistance: number) {
    const still = { position: ORIGIN, velocity: ORIGIN }
    this.behavior = new Strafe({ target: still, missDistance, range: 70, extension: 80, aim: 'nose', projectileSpeed: MUZZLE }) // prettier-ignore
  }

  start({ position, velocity }: Moving): void {
    this.behavior.target = { position, velocity }
  }
}
