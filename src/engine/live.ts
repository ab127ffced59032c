import type { QuatLike, Vec3Like } from '../types.js'
import type { Agents } from './agents.js'

type Seat = () => { agents: Agents; slot: number }

/** A read-only vector that always shows the present numbers of a column. */
export function liveVec3(
  seat: Seat,
  column: 'position' | 'velocity' | 'angularVelocity' | 'given' | 'wanted',
  width: number,
  offset: number,
): Vec3Like {
  const at = (k: number): number => {
    const { agents, slot } = seat()
    return agents[column][width * agents.row[slot]! + offset + k] ?? 0
  }
  return {
    get x() {
      return at(0)
    },
    get y() {
      return at(1)
    },
    get z() {
      return at(2)
    },
  }
}

export function liveQuat(seat: Seat): QuatLike {
  const at = (k: number): number => {
    const { agents, slot } = seat()
    return agents.orientation[4 * agents.row[slot]! + k] ?? 0
  }
  return {
    get x() {
      return at(0)
    },
    get y() {
      return at(1)
    },
    get z() {
      return at(2)
    },
    get w() {
      return at(3)
    },
  }
}
