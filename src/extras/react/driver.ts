import type { Body, World } from 'cannon-es'
import type { SteeringWorld } from '../../core/engine/world.js'
import type { SteeringBody } from '../../core/types.js'
import { attachToCannon, cannonBody } from '../cannon/cannon.js'
import { rapierDoor, type RapierDoor } from '../rapier/door.js'
import type { RapierBody, RapierWorld } from '../rapier/types.js'

/** Connects the world of a `<Steering>` to a physics engine: `cannonDriver`, `rapierDriver`, or your own. */
export interface SteeringDriver {
  /** Lets the engine make the steps of the world. Returns the function that ends this. */
  attach(steering: SteeringWorld): () => void
  /**
   * Makes the steps that are due in a frame of `seconds`, and presents the views. Absent where other code
   * steps the engine: `<Steering>` then only presents.
   */
  advance?(steering: SteeringWorld, seconds: number): void
  /**
   * Makes the `SteeringBody` of a body of the engine, for the option `body`. Absent: `body` must be a
   * `SteeringBody`.
   */
  body?(engineBody: object): SteeringBody
}

export interface DriverOptions {
  /** Whether `<Steering>` steps the engine in each frame. False: other code steps it. Default true. */
  steps?: boolean
}

/** Lets a world of cannon-es make the steps, each of `fixedStep` seconds. */
export function cannonDriver(world: World, { steps = true }: DriverOptions = {}): SteeringDriver {
  const driver: SteeringDriver = {
    attach: (steering) => attachToCannon(steering, world),
    body: (engineBody) => cannonBody(engineBody as Body),
  }
  if (steps)
    driver.advance = (steering, seconds) => {
      world.step(steering.fixedStep, seconds, steering.maxSteps)
      steering.present()
    }
  return driver
}

/** A driver for Rapier. */
export interface RapierDriver extends SteeringDriver {
  /** The door of the present world, for `door.frame(body)` and characters; null while there is none. */
  readonly door: RapierDoor | null
  /** To be called before and after each step of Rapier where other code makes them. */
  beforeStep(this: void): void
  afterStep(this: void): void
}

/**
 * Lets a world of Rapier make the steps. `@react-three/rapier` steps Rapier itself: pass `steps: false`, and
 * call `useBeforePhysicsStep(driver.beforeStep)` and `useAfterPhysicsStep(driver.afterStep)`.
 */
export function rapierDriver(world: RapierWorld, { steps = true }: DriverOptions = {}): RapierDriver {
  let door: RapierDoor | null = null
  const driver: RapierDriver = {
    get door() {
      return door
    },
    attach(steering) {
      const made = (door = rapierDoor(steering, world))
      return () => {
        made.detach()
        if (door === made) door = null
      }
    },
    body(engineBody) {
      if (door === null) throw new Error('rapierDriver: body() was called while no world is attached')
      return door.body(engineBody as RapierBody)
    },
    beforeStep: () => door?.beforeStep(),
    afterStep: () => door?.afterStep(),
  }
  if (steps) driver.advance = (_steering, seconds) => void door?.advance(seconds)
  return driver
}
