import type { SteeringWorld } from '../../core/engine/world.js'
import { refuse, requireFinite, requireWhole } from '../../core/math/require.js'
import { idleInternals } from '../snapshot/snapshot.js'

/**
 * Sets the clock of a world that has made no step yet to that of a running world, so that agents of both
 * see the same time, and draw the same random numbers.
 * @param running Time (s, finite, ≥ 0) and number of steps (whole, ≥ 0) of that world, which may be the
 * world itself.
 * @throws Error inside a step, after dispose, or after the first step. TypeError / RangeError naming the
 * value.
 */
export function joinClock(
  world: SteeringWorld,
  running: { readonly time: number; readonly tick: number },
): void {
  const { clock } = idleInternals('joinClock', world)
  if (typeof running !== 'object' || running === null)
    refuse('joinClock', running, 'must have a time and a tick')
  const { time, tick } = running
  requireFinite('joinClock: time', time, 0, false)
  requireWhole('joinClock: tick', tick, 0, Number.MAX_SAFE_INTEGER)
  if (clock.now.tick > 0) throw new Error('joinClock: this world has made steps; join before its first one')
  clock.now.time = time
  clock.now.tick = tick
}
