import type { Planner, Vec3 } from '../types.js'
import type { Clock } from './clock.js'
import type { EventQueue } from './event-queue.js'
import type { Roster } from './roster.js'
import type { Thinker } from './thinker.js'
import type { WorldSettings } from './world-options.js'
import { show } from '../math/show.js'

/**
 * The parts of a world, for `snapshot/` and `explain/`: their functions are given a world, so that the
 * engine does not import them.
 */
export interface WorldInternals {
  readonly clock: Clock
  readonly events: EventQueue
  readonly gravity: Vec3
  readonly planners: ReadonlySet<Planner>
  readonly roster: Roster
  readonly settings: WorldSettings
  readonly thinker: Thinker
}

/** The parts of `world`. @throws TypeError when it is not a SteeringWorld, Error after its dispose. */
export function internalsOf(caller: string, world: { readonly internals: WorldInternals }): WorldInternals {
  // not by `instanceof`: two copies of the package may be loaded
  const { internals } = world ?? {}
  if (internals === undefined)
    throw new TypeError(`${caller}: world: got ${show(world)}, must be a SteeringWorld`)
  return internals
}
