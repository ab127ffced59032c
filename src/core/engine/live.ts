import type { QuatLike, Vec3Like } from '../types.js'
import type { Agents } from './agents.js'

/** The method by which Node prints an object; without it, it prints that there are getters. */
const PRINT = Symbol.for('nodejs.util.inspect.custom')

/** Lets `console.log` show the numbers. The method is not enumerable, so copies and comparisons skip it. */
function printable<T extends object>(live: T): T {
  return Object.defineProperty(live, PRINT, { value: () => ({ ...live }) })
}

type SlotRefSource = () => { agents: Agents; slot: number }

/** A read-only vector that shows the present numbers of a column at each read. */
export function liveVec3(
  source: SlotRefSource,
  column: 'position' | 'center' | 'velocity' | 'orientation' | 'angularVelocity' | 'given' | 'wanted',
  width: number,
  offset: number,
): Vec3Like {
  const component = (k: number): number => {
    const { agents, slot } = source()
    return agents[column][width * agents.row[slot]! + offset + k] ?? 0
  }
  return printable({
    get x() {
      return component(0)
    },
    get y() {
      return component(1)
    },
    get z() {
      return component(2)
    },
  })
}

export function liveQuat(source: SlotRefSource): QuatLike {
  const get = (): number => {
    const { agents, slot } = source()
    return agents.orientation[4 * agents.row[slot]! + 3] ?? 0
  }
  const live = liveVec3(source, 'orientation', 4, 0) as QuatLike
  return Object.defineProperty(live, 'w', { enumerable: true, get })
}
