import type { Waypoint } from '../../core/types.js'
import { requireDirection, requireFinite, requireVector, requireList } from '../../core/math/require.js'

/** A disc to be passed: its centre (m), its normal, in whose direction it is passed, its radius (m, ≥ 0). */
export interface Gate extends Waypoint {
  readonly radius: number
}

/** @throws TypeError / RangeError naming the gate and the wrong property. */
export function requireGates(what: string, gates: readonly Gate[], least = 1): readonly Gate[] {
  requireList(what, gates, 'gates')
  if (gates.length < least) throw new RangeError(`${what}: got length ${gates.length}, must be ≥ ${least}`)
  gates.forEach((gate: Gate | null | undefined, i) => {
    const { position, heading, radius } = gate ?? ({} as Gate)
    requireVector(`${what}[${i}].position`, position)
    requireDirection(`${what}[${i}].heading`, heading)
    requireFinite(`${what}[${i}].radius`, radius, 0, false)
  })
  return gates
}
