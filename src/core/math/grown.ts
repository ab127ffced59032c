type Column = Float64Array | Int32Array | Uint32Array | Uint8Array

/** A copy of a typed array with a greater length, padded with zeros. */
export function grown<T extends Column>(column: T, length: number): T {
  const longer = new (column.constructor as new (n: number) => T)(length)
  longer.set(column)
  return longer
}
