import type { QuatLike, Vec3Like } from '../types.js'
import type { Agents } from './agents.js'

type Row = () => { agents: Agents; slot: number }

/** A read-only vector that always shows the present numbers of a column. */
export function liveVec3(
  row: Row,
  column: 'position' | 'velocity' | 'angularVelocity' | 'wrench',
  width: number,
  offset: number,
): Vec3Like {
  const at = (k: number): number => {
    const { agents, slot } = row()
    return agents[column][width * slot + offset + k]!
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

export function liveQuat(row: Row): QuatLike {
  const at = (k: number): number => {
    const { agents, slot } = row()
    return agents.orientation[4 * slot + k]!
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
