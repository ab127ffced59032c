import { grown } from './grown.js'

/** Numbers of nodes by a length, the least first. A node may be in it more than once. */
export class Heap {
  private count = 0
  private nodes: Int32Array = new Int32Array(64)
  private lengths: Float64Array = new Float64Array(64)

  clear(): void {
    this.count = 0
  }

  push(node: number, length: number): void {
    if (this.count === this.nodes.length) {
      this.nodes = grown(this.nodes, 2 * this.count)
      this.lengths = grown(this.lengths, 2 * this.count)
    }
    const { lengths, nodes } = this
    let i = this.count++
    while (i > 0) {
      const up = (i - 1) >> 1
      if (lengths[up]! <= length) break
      nodes[i] = nodes[up]!
      lengths[i] = lengths[up]!
      i = up
    }
    nodes[i] = node
    lengths[i] = length
  }

  /** Takes the node with the least length; −1 for none. */
  pop(): number {
    const { lengths, nodes } = this
    if (this.count === 0) return -1
    const first = nodes[0]!
    const count = --this.count
    const node = nodes[count]!
    const length = lengths[count]!
    let i = 0
    for (let child = 1; child < count; child = 2 * i + 1) {
      if (child + 1 < count && lengths[child + 1]! < lengths[child]!) child++
      if (lengths[child]! >= length) break
      nodes[i] = nodes[child]!
      lengths[i] = lengths[child]!
      i = child
    }
    nodes[i] = node
    lengths[i] = length
    return first
  }
}

/** A well mixed hash of whole numbers, 32 bits (Teschner et al. 2003). */
export function hashOf(i: number, j: number, k: number, l: number): number {
  let hash = Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791) ^ l
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
