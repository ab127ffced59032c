import type { Vec3Like } from 'three-steering'

/** Offset of each rank of a wedge from the rank before (m). */
const WEDGE = { x: -24, y: 3, z: 26 }

/** Slots of a wedge: the first leads, the others follow on both sides. */
export function wedge(place: number): Vec3Like {
  const rank = (place + 1) >> 1
  return { x: rank * WEDGE.x, y: rank * WEDGE.y, z: place % 2 === 0 ? rank * WEDGE.z : -rank * WEDGE.z }
}

/** Slots beside a tanker, staggered on both sides. */
export function abeam(place: number): Vec3Like {
  const rank = (place >> 1) + 1
  return { x: -14 * rank, y: 2, z: (place % 2 === 0 ? 1 : -1) * (16 + 20 * rank) }
}
