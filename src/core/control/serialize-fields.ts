import type { Archive, Quat, Serializable, Vec3 } from '../types.js'

/** What saves all its fields that are data, see `serializeFields`. */
export abstract class Saved implements Serializable {
  serialize(archive: Archive): void {
    serializeFields(archive, this)
  }
}

/**
 * Saves or restores all fields of an object that are data: numbers, booleans, texts, vectors, quaternions and
 * frames. So none is forgotten. What is frozen is constant and left out. Columns, lists and other objects the
 * class saves by itself. Each of its fields must have a value of its type from the start. A vector whose name
 * ends in `position` is a point of the world, see `Archive.place`.
 *
 * @param apart Names of data that is no state: what the user has set, identity, scratch.
 */
export function serializeFields(archive: Archive, state: object, apart: readonly string[] = []): void {
  const fields = state as Record<string, unknown>
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (apart.includes(name)) continue
    if (typeof value === 'number') fields[name] = archive.number(value)
    else if (typeof value === 'boolean') fields[name] = archive.boolean(value)
    else if (typeof value === 'string') fields[name] = archive.string(value)
    else if (/position$/i.test(name)) archive.place(value as Vec3)
    else if (!(value instanceof Object && 'x' in value) || Object.isFrozen(value)) continue
    else if ('w' in value) archive.quaternion(value as Quat)
    else if (typeof value.x === 'number') archive.vector(value as Vec3)
    else serializeFields(archive, value)
  }
}
