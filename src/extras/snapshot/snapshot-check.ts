import * as T from '../../core/engine/agents.js'
import type { Agents, Column } from '../../core/engine/agents.js'
import type { WorldInternals } from '../../core/engine/world-internals.js'
import type { SlotColumns } from './snapshot-agents.js'
import { forged, isBelow } from './snapshot-numbers.js'
import type { ControllerOrFlock } from './snapshot-handles.js'

/** Columns in which all numbers are finite. */
const FINITE: readonly Column[] = [
  'position',
  'velocity',
  'lastOrientation',
  'inertiaFrame',
  'center',
  'lastAngularVelocity',
  'course',
  'previous',
  'gravity',
  'plane',
  'axis',
  'given',
  'wanted',
  'axes',
  'sight',
]

/**
 * Checks the slots of a snapshot. `maxCapacity`: the number of its integers, which is at least that of its
 * slots. `handles`: the number of controllers and flocks. @throws RangeError.
 */
export function requireSlots(
  { capacity, count, handle, id, slot }: SlotColumns,
  maxCapacity: number,
  handles: number,
): void {
  if (!(Number.isInteger(capacity) && count <= capacity && capacity <= maxCapacity))
    throw forged(`it has ${count} agents in ${capacity} slots`)
  const taken = new Set<number>()
  for (let row = 0; row < count; row++) {
    if (!isBelow(slot[row]!, capacity) || taken.has(slot[row]!))
      throw forged(`an agent is in slot ${slot[row]}`)
    if (!isBelow(handle[row]!, handles)) throw forged(`an agent belongs to number ${handle[row]}`)
    taken.add(slot[row]!)
  }
  if (new Set(id).size !== count) throw forged('two agents have the same id')
}

/** Checks a world that has been restored. @throws RangeError when it could not go on. */
export function requireConsistent(
  { clock, roster }: WorldInternals,
  handles: readonly ControllerOrFlock[],
  slots: SlotColumns,
): void {
  const { dt, tick, time } = clock.now
  if (!(dt > 0 && dt < Infinity && Number.isFinite(time) && Number.isInteger(tick) && tick >= 0))
    throw forged(`its time is ${time} after ${tick} steps of ${dt}`)
  if (!(clock.share >= 0 && clock.share < Infinity)) throw forged('a share of a step')
  const { agents } = roster
  requireAgents(agents)
  for (let row = 0; row < slots.count; row++)
    if (agents.slot[row] !== slots.slot[row] || agents.id[row] !== slots.id[row])
      throw forged('the slots of its agents')
  for (const [number, handle] of handles.entries()) requireHandle(agents, handle, number, slots)
}

function requireAgents(agents: Agents): void {
  const { capacity, count, free } = agents
  const places = new Set(free)
  if (
    places.size !== free.length ||
    free.length !== capacity - count ||
    free.some((slot) => !isBelow(slot, capacity))
  )
    throw forged('its free slots')
  for (let row = 0; row < count; row++) {
    const slot = agents.slot[row]!
    if (!isBelow(slot, capacity) || agents.row[slot] !== row || places.has(slot)) throw forged('its slots')
    requireRow(agents, row)
  }
}

/** Checks the numbers of an agent. @throws RangeError for numbers that cannot be. */
export function requireRow(agents: Agents, row: number): void {
  // the numbers of a lost agent may be NaN
  if (agents.lost[row] === 1) return
  for (const name of FINITE)
    for (let k = T.WIDTHS[name] * row; k < T.WIDTHS[name] * (row + 1); k++)
      if (!Number.isFinite(agents[name][k]!)) throw forged(`a number of ${name} is ${agents[name][k]}`)
  const { traits } = agents
  const t = T.TRAITS * row
  for (let k = 0; k < T.TRAITS; k++) if (Number.isNaN(traits[t + k])) throw forged('a limit is NaN')
  for (const k of [T.MASS, T.RADIUS, T.MAX_SPEED, T.RESPONSE_TIME, T.MAX_NEIGHBORS])
    if (!(traits[t + k]! > 0)) throw forged(`a limit is ${traits[t + k]}`)
  for (const k of [T.SPACE_LENGTH, T.SPACE_HEIGHT])
    if (!(traits[t + k]! >= 1 && traits[t + k]! <= 100)) throw forged(`a space is ${traits[t + k]}`)
  if (
    traits[t + T.MASS] === Infinity ||
    traits[t + T.RADIUS] === Infinity ||
    !(traits[t + T.MAX_FORCE]! >= 0 && traits[t + T.MAX_FORCE]! < Infinity)
  )
    throw forged('a limit is not finite')
}

function requireHandle(agents: Agents, handle: ControllerOrFlock, number: number, slots: SlotColumns): void {
  const ownSlots = 'slotRef' in handle ? [handle.slotRef.slot] : handle.slotList
  ownSlots.forEach((slot, member) => {
    const row = isBelow(slot, agents.capacity) ? agents.row[slot]! : -1
    if (row < 0 || slots.handle[row] !== number || agents.member[row] !== member)
      throw forged(`the slots of '${handle.name}'`)
  })
  let found = 0
  for (let row = 0; row < slots.count; row++) if (slots.handle[row] === number) found++
  if (found !== ownSlots.length) throw forged(`'${handle.name}' has ${found} agents`)
}
