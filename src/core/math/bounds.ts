/** Bounding boxes of points in columns, `[6]`: lowest x, y, z, highest x, y, z. */

/** Makes a box that contains nothing. */
export function emptyBounds(box: Float64Array): Float64Array {
  return box.fill(Infinity, 0, 3).fill(-Infinity, 3)
}

/** Grows a box to contain the point at index `at` of a column. */
export function includePoint(box: Float64Array, column: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    const p = column[at + k]!
    if (p < box[k]!) box[k] = p
    if (p > box[k + 3]!) box[k + 3] = p
  }
}
