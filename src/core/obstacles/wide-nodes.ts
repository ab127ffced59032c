import type { TreeNodes } from './tree-nodes.js'

// The numbers below are chosen by hand unless they say otherwise.

/** A node with no more boxes than this has no children: fewer make more nodes to test. */
const BUNCH = 8
/** The children of a node are its descendants of this many levels of the binary tree. */
const LEVELS = 4
/** Numbers of a node (m), beginning with the centre of its box. */
export const NODE = 8
/** Offset of the half sizes of its box. */
export const HALF = 3
/** Offset of the radius of the ball around its box. */
export const RADIUS = 6

/** Boxes are larger by this share, so that rounding never puts a box farther than its contents. */
export const ROUNDING = 1e-12

/**
 * The boxes of a binary tree in nodes of up to 2^`LEVELS` children, which lie side by side (Dammertz, Hanika
 * and Keller, Shallow Bounding Volume Hierarchies for Fast SIMD Ray Tracing of Incoherent Rays, 2008). The
 * children of a node are tested without a branch: each is written, and only a match advances the end. At the
 * nodes of a binary tree a processor mispredicts so often that this takes longer than the tests it saves.
 */
export class WideNodes {
  protected nodes = 0
  /** `[8 × nodes]`, see `NODE`. */
  bounds: Float64Array = new Float64Array(0)
  /** `[nodes]`: number of the node in the binary tree. */
  private source = new Int32Array(0)
  /** `[nodes]`: the children of a node; where `isLeaf` is 1, the places of its boxes. `last` is excluded. */
  first: Int32Array = new Int32Array(0)
  last: Int32Array = new Int32Array(0)
  isLeaf: Uint8Array = new Uint8Array(0)
  /** `[> nodes]`: nodes that a query has found; the first one is 0 at its start. */
  open: Int32Array = new Int32Array(1)

  /** Joins the nodes of a binary tree. Their bounds are not copied yet, see `fit`. */
  build(tree: TreeNodes): void {
    const { end, nodes, start } = tree
    this.nodes = 0
    if (nodes === 0) return
    if (this.source.length < nodes) {
      for (const name of ['source', 'first', 'last'] as const) this[name] = new Int32Array(nodes)
      this.isLeaf = new Uint8Array(nodes)
      this.open = new Int32Array(nodes + 1)
      this.bounds = new Float64Array(NODE * nodes)
    }
    this.append(tree, 0, 0)
    for (let w = 0; w < this.nodes; w++) {
      const k = this.source[w]!
      const isLeaf = isBunch(tree, k)
      this.isLeaf[w] = Number(isLeaf)
      this.first[w] = isLeaf ? start[k]! : this.nodes
      if (!isLeaf) this.append(tree, k, LEVELS)
      this.last[w] = isLeaf ? end[k]! : this.nodes
    }
  }

  /** Appends node k of the binary tree, or its descendants `levels` below it. */
  private append(tree: TreeNodes, k: number, levels: number): void {
    if (levels === 0 || isBunch(tree, k)) this.source[this.nodes++] = k
    else {
      this.append(tree, k + 1, levels - 1)
      this.append(tree, tree.after[k + 1]!, levels - 1)
    }
  }

  /** Copies the bounds of the binary tree. */
  fit({ bounds }: TreeNodes): void {
    for (let w = 0; w < this.nodes; w++) {
      const i = 6 * this.source[w]!
      let sq = 0
      for (let c = 0; c < 3; c++) {
        const low = bounds[i + c]!
        const high = bounds[i + 3 + c]!
        const half = (high - low) / 2
        this.bounds[NODE * w + c] = low + half
        this.bounds[NODE * w + HALF + c] = half + ROUNDING * (Math.abs(low) + Math.abs(high))
        sq += half * half
      }
      this.bounds[NODE * w + RADIUS] = Math.sqrt(sq)
    }
  }
}

/** Whether node k of a binary tree needs no children. */
function isBunch({ after, end, start }: TreeNodes, k: number): boolean {
  return after[k] === k + 1 || end[k]! - start[k]! <= BUNCH
}
