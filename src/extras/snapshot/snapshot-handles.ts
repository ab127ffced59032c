import type { Archive } from '../../core/types.js'
import { TRAITS } from '../../core/engine/agents.js'
import type { Clock } from '../../core/engine/clock.js'
import type { SteeringController } from '../../core/engine/controller.js'
import type { Flock } from '../../core/engine/flock.js'
import type { Roster } from '../../core/engine/roster.js'
import { grown } from '../../core/math/grown.js'
import { requireLength } from './snapshot-numbers.js'

/** Where agents come from: a controller stands for one, a flock for many. */
export type ControllerOrFlock = SteeringController | Flock

/** Simulated time. Restoring makes a new step, so what was computed "in this step" is computed again. */
export function serializeClock(archive: Archive, clock: Clock): void {
  if (archive.restoring) {
    // oxlint-disable-next-line typescript/unbound-method -- it is bound to the clock's world
    const { dt, time, tick, up, emit } = clock.now
    // of the same hidden class as that of `Clock`: a spread would have another one
    clock.now = { dt, time, tick, up, emit }
  }
  const { now } = clock
  for (const name of ['dt', 'time', 'tick'] as const) now[name] = archive.number(now[name])
  clock.accumulator = archive.number(clock.accumulator)
}

/** The next id, the slots of controllers, and the flocks. The table of agents must be restored before. */
export function serializeRoster(
  archive: Archive,
  roster: Roster,
  handles: readonly ControllerOrFlock[],
): void {
  const { agents } = roster
  archive.vector(roster.gravity)
  roster.nextId = archive.number(roster.nextId)
  for (const handle of handles)
    if ('slotRef' in handle) {
      handle.slotRef = { agents, slot: archive.number(handle.slotRef.slot) }
      roster.slotOf.set(handle, handle.slotRef.slot)
    } else {
      agents.hasSpaces ||= handle.model.hasSpaces
      serializeFlock(archive, handle)
    }
}

/** The slots of the members, and the limits that new members get. */
function serializeFlock(archive: Archive, flock: Flock): void {
  const { changed, model } = flock
  flock.count = requireLength('the size of a flock', archive.number(flock.count))
  flock.born = archive.number(flock.born)
  if (flock.slots.length < flock.count) flock.slots = grown(flock.slots, flock.count)
  archive.integers(flock.slots, 0, flock.count)
  archive.numbers(model.traits, 0, TRAITS)
  for (let offset = 0; offset < TRAITS; offset++)
    if (archive.boolean(changed.has(offset))) changed.set(offset, model.traits[offset]!)
    else changed.delete(offset)
}
