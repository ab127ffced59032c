import type { Vec3Like } from 'three-steering'

/** Places in a wedge: so far behind and aside of the one before, m. */
const WEDGE = { x: -24, y: 3, z: 26 }

/** Places of a wedge: the first leads, the others to either side behind it. */
export function wedge(place: number): Vec3Like {
  const rank = (place + 1) >> 1
  return { x: rank * WEDGE.x, y: rank * WEDGE.y, z: place % 2 === 0 ? rank * WEDGE.z : -rank * WEDGE.z }
}

/** Places beside a tanker, to either side and staggered. */
export function abeam(place: number): Vec3Like {
  const rank = (place >> 1) + 1
  return { x: -14 * rank, y: 2, z: (place % 2 === 0 ? 1 : -1) * (16 + 20 * rank) }
}
