/** Arithmetic of the boxes of a tree: rows of six numbers, lowest x, y, z and highest x, y, z. */

/** Squared distance from a point to the box at index `i`, 0 inside, m². */
export function distanceToBoxSq(boxes: Float64Array, i: number, x: number, y: number, z: number): number {
  // comparisons, because `Math.max` takes several times as long
  let dx = boxes[i]! - x
  if (dx < 0 && (dx = x - boxes[i + 3]!) < 0) dx = 0
  let dy = boxes[i + 1]! - y
  if (dy < 0 && (dy = y - boxes[i + 4]!) < 0) dy = 0
  let dz = boxes[i + 2]! - z
  if (dz < 0 && (dz = z - boxes[i + 5]!) < 0) dz = 0
  return dx * dx + dy * dy + dz * dz
}

/** Grows the box at index `i` to contain the box at index `k` of `others`. */
export function enclose(boxes: Float64Array, i: number, others: Float64Array, k: number): void {
  for (let c = 0; c < 3; c++) {
    if (others[k + c]! < boxes[i + c]!) boxes[i + c] = others[k + c]!
    if (others[k + 3 + c]! > boxes[i + 3 + c]!) boxes[i + 3 + c] = others[k + 3 + c]!
  }
}

/**
 * Writes into `out` twice the centres of boxes: `[3 × count]`. An empty box, from ∞ to −∞, counts as centred
 * at the origin of the world.
 */
export function doubledCenters(boxes: Float64Array, count: number, out: Float64Array): void {
  for (let i = 0; i < count; i++)
    for (let c = 0; c < 3; c++) {
      const low = boxes[6 * i + c]!
      out[3 * i + c] = low === Infinity ? 0 : low + boxes[6 * i + 3 + c]!
    }
}

/**
 * Partitions `order[from … to − 1]` so that the boxes before `half` lie lower than those after it, along the
 * axis on which their centres are spread most.
 */
export function partition(
  centers: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
  half: number,
): void {
  const axis = widest(centers, order, from, to)
  let low = from
  let high = to - 1
  // Hoare's selection: the part that contains `half` is partitioned again
  while (low < high) {
    const pivot = centers[3 * order[(low + high) >>> 1]! + axis]!
    let i = low
    let j = high
    while (i <= j) {
      while (centers[3 * order[i]! + axis]! < pivot) i++
      while (centers[3 * order[j]! + axis]! > pivot) j--
      if (i > j) break
      const swapped = order[i]!
      order[i++] = order[j]!
      order[j--] = swapped
    }
    if (half <= j) high = j
    else if (half >= i) low = i
    else return
  }
}

/** Axis along which the centres of the boxes are spread most. */
function widest(centers: Float64Array, order: Int32Array, from: number, to: number): number {
  let lowX = Infinity
  let lowY = Infinity
  let lowZ = Infinity
  let highX = -Infinity
  let highY = -Infinity
  let highZ = -Infinity
  for (let i = from; i < to; i++) {
    const center = 3 * order[i]!
    const x = centers[center]!
    const y = centers[center + 1]!
    const z = centers[center + 2]!
    if (x < lowX) lowX = x
    if (x > highX) highX = x
    if (y < lowY) lowY = y
    if (y > highY) highY = y
    if (z < lowZ) lowZ = z
    if (z > highZ) highZ = z
  }
  const x = highX - lowX
  const y = highY - lowY
  const z = highZ - lowZ
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2
}
