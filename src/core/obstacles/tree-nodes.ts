import { grown } from '../math/grown.js'
import { enclose, partition, doubledCenters } from './tree-boxes.js'

/** Maximum of boxes in a leaf. Fewer: more nodes to visit; more: more boxes to test. Chosen by hand. */
const LEAF = 4

/**
 * A bounding volume hierarchy of boxes. Each split halves its boxes by their centres along the axis on which
 * those are spread most. Nodes are stored in depth-first order, children after parents: node k has its first
 * child at k + 1, and `after[k]` is the node that follows its whole branch.
 */
export class TreeNodes {
  nodes = 0
  /** `[count]`: numbers of the boxes, leaf by leaf. */
  order: Int32Array = new Int32Array(0)
  /** `[6 × nodes]`: lowest x, y, z, highest x, y, z. */
  bounds: Float64Array = new Float64Array(0)
  /** `[nodes]` */
  after: Int32Array = new Int32Array(0)
  /**
   * `[nodes]`: start and end of the boxes of a node in `order`. A node k is a leaf if `after[k]` is k + 1.
   */
  start: Int32Array = new Int32Array(0)
  end: Int32Array = new Int32Array(0)
  /** `[3 × count]`, see `doubledCenters`. */
  private centers: Float64Array = new Float64Array(0)

  /** Grows the arrays for `count` boxes and as many nodes. */
  reserve(count: number): void {
    if (count <= this.order.length) return
    const capacity = count + (count >> 1) + 1
    this.order = grown(this.order, capacity)
    this.bounds = grown(this.bounds, 6 * capacity)
    this.after = grown(this.after, capacity)
    this.start = grown(this.start, capacity)
    this.end = grown(this.end, capacity)
  }

  /** Splits the first `count` boxes. The bounds of the nodes are not computed yet, see `fit`. */
  build(boxes: Float64Array, count: number): void {
    this.nodes = 0
    this.reserve(count)
    if (this.centers.length < 3 * count) this.centers = new Float64Array(3 * this.order.length)
    doubledCenters(boxes, count, this.centers)
    for (let i = 0; i < count; i++) this.order[i] = i
    if (count > 0) this.split(0, count)
  }

  /** Creates the branch over `order[from … to − 1]`. */
  private split(from: number, to: number): void {
    const node = this.nodes++
    this.start[node] = from
    this.end[node] = to
    if (to - from > LEAF) {
      const middle = (from + to) >>> 1
      partition(this.centers, this.order, from, to, middle)
      this.split(from, middle)
      this.split(middle, to)
    }
    this.after[node] = this.nodes
  }

  /**
   * Fits the bounds of the nodes to their boxes, from the last node to the first: children before parents.
   * @returns the sum of the three sizes of all nodes, m.
   */
  fit(boxes: Float64Array): number {
    const { bounds, order, after, start, end } = this
    let cost = 0
    for (let k = this.nodes - 1; k >= 0; k--) {
      const i = 6 * k
      for (let c = 0; c < 3; c++) {
        bounds[i + c] = Infinity
        bounds[i + 3 + c] = -Infinity
      }
      if (after[k]! > k + 1) {
        enclose(bounds, i, bounds, i + 6)
        enclose(bounds, i, bounds, 6 * after[k + 1]!)
      } else for (let j = start[k]!; j < end[k]!; j++) enclose(bounds, i, boxes, 6 * order[j]!)
      const sx = bounds[i + 3]! - bounds[i]!
      const sy = bounds[i + 4]! - bounds[i + 1]!
      const sz = bounds[i + 5]! - bounds[i + 2]!
      const sizeSum = sx + sy + sz
      if (sizeSum > 0) cost += sizeSum
    }
    return cost
  }
}
