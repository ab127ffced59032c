import type { QuatLike, Vec3Like } from '../types.js'
import type { Agents } from './agents.js'

type SlotRefSource = () => { agents: Agents; slot: number }

/** A read-only vector that shows the present numbers of a column at each read. */
export function liveVec3(
  source: SlotRefSource,
  column: 'position' | 'center' | 'velocity' | 'angularVelocity' | 'given' | 'wanted',
  width: number,
  offset: number,
): Vec3Like {
  const component = (k: number): number => {
    const { agents, slot } = source()
    return agents[column][width * agents.row[slot]! + offset + k] ?? 0
  }
  return {
    get x() {
      return component(0)
    },
    get y() {
      return component(1)
    },
    get z() {
      return component(2)
    },
  }
}

export function liveQuat(source: SlotRefSource): QuatLike {
  const component = (k: number): number => {
    const { agents, slot } = source()
    return agents.orientation[4 * agents.row[slot]! + k] ?? 0
  }
  return {
    get x() {
      return component(0)
    },
    get y() {
      return component(1)
    },
    get z() {
      return component(2)
    },
    get w() {
      return component(3)
    },
  }
}
