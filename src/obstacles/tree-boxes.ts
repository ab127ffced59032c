import type { Vec3Like } from '../types.js'

/** Boxes in rows of six numbers: lowest x, y, z, highest x, y, z. The arithmetic of the tree. */

/** Square of the distance from a point to the box at `i`, 0 inside, m². */
export function farSq(boxes: Float64Array, i: number, x: number, y: number, z: number): number {
  const dx = Math.max(boxes[i]! - x, 0, x - boxes[i + 3]!)
  const dy = Math.max(boxes[i + 1]! - y, 0, y - boxes[i + 4]!)
  const dz = Math.max(boxes[i + 2]! - z, 0, z - boxes[i + 5]!)
  return dx * dx + dy * dy + dz * dz
}

/**
 * How far at least (m) the box at `i` lies outside of a cone with its apex at `point`, given by sine and cosine of half its opening: that of
 * the ball around the box from the cone's side. Behind the apex it may be less than the truth.
 */
export function asideOf(
  boxes: Float64Array,
  i: number,
  point: Vec3Like,
  axis: Vec3Like,
  sine: number,
  cosine: number,
): number {
  const hx = (boxes[i + 3]! - boxes[i]!) / 2
  const hy = (boxes[i + 4]! - boxes[i + 1]!) / 2
  const hz = (boxes[i + 5]! - boxes[i + 2]!) / 2
  const x = boxes[i]! + hx - point.x
  const y = boxes[i + 1]! + hy - point.y
  const z = boxes[i + 2]! + hz - point.z
  const along = x * axis.x + y * axis.y + z * axis.z
  const across = Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along))
  return across * cosine - along * sine - Math.sqrt(hx * hx + hy * hy + hz * hz)
}

/** Grows the box at `i` to hold the one at `k` of `others`. */
export function enclose(boxes: Float64Array, i: number, others: Float64Array, k: number): void {
  for (let c = 0; c < 3; c++) {
    if (others[k + c]! < boxes[i + c]!) boxes[i + c] = others[k + c]!
    if (others[k + 3 + c]! > boxes[i + 3 + c]!) boxes[i + 3 + c] = others[k + 3 + c]!
  }
}

/** Sorts `order[from … to − 1]` so far that those before `middle` lie lower than those behind, along the axis where they spread most. */
export function halve(
  boxes: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
  middle: number,
): void {
  const axis = widest(boxes, order, from, to)
  let low = from
  let high = to - 1
  // Hoare's selection: the part that holds the middle is split again
  while (low < high) {
    const pivot = center(boxes, order[(low + high) >>> 1]!, axis)
    let i = low
    let j = high
    while (i <= j) {
      while (center(boxes, order[i]!, axis) < pivot) i++
      while (center(boxes, order[j]!, axis) > pivot) j--
      if (i > j) break
      const swapped = order[i]!
      order[i++] = order[j]!
      order[j--] = swapped
    }
    if (middle <= j) high = j
    else if (middle >= i) low = i
    else return
  }
}

/** Axis along which the middles of the boxes lie farthest apart. */
function widest(boxes: Float64Array, order: Int32Array, from: number, to: number): number {
  let axis = 0
  let most = -1
  for (let c = 0; c < 3; c++) {
    let low = Infinity
    let high = -Infinity
    for (let i = from; i < to; i++) {
      const middle = center(boxes, order[i]!, c)
      if (middle < low) low = middle
      if (middle > high) high = middle
    }
    if (high - low <= most) continue
    most = high - low
    axis = c
  }
  return axis
}

/** Twice the middle of a box along an axis. Nobody's box, from ∞ to −∞, counts as in the middle of the world. */
function center(boxes: Float64Array, item: number, axis: number): number {
  const low = boxes[6 * item + axis]!
  return low === Infinity ? 0 : low + boxes[6 * item + 3 + axis]!
}
