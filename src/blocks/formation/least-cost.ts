import { grown } from '../../core/math/grown.js'

/**
 * Solves the linear assignment problem: each row gets a column of its own, with the least sum of costs.
 * Shortest augmenting paths with dual prices after R. Jonker and A. Volgenant, "A shortest augmenting path
 * algorithm for dense and sparse linear assignment problems" (1987), and for more columns than rows after
 * D. F. Crouse, "On implementing 2D rectangular assignment algorithms" (2016), without the starting steps
 * of the former, which gain little where costs are distances of places. O(rows² · columns). The arrays are
 * reused and grow to the largest problem solved so far.
 */
export class LeastCost {
  /** `[≥ rows · columns]`, row by row; finite. Fill it after {@link prepare}. */
  cost: Float64Array = new Float64Array(0)
  /** `[≥ rows]`, column of each row. */
  columnOf: Int32Array = new Int32Array(0)
  private rowOf = new Int32Array(0)
  /** Dual price of each column, ≤ 0; it is subtracted from the costs of the column. */
  private columnPrice = new Float64Array(0)
  /** The search: length of the path to a column, the row before it, and the columns not reached yet. */
  private pathLength = new Float64Array(0)
  private rowBefore = new Int32Array(0)
  private unreached = new Int32Array(0)

  /** Makes the arrays large enough for a problem of `rows` ≤ `columns`. */
  prepare(rows: number, columns: number): void {
    if (this.cost.length < rows * columns) this.cost = new Float64Array(rows * columns)
    if (this.columnOf.length < rows) this.columnOf = grown(this.columnOf, rows)
    if (this.rowOf.length >= columns) return
    this.rowOf = grown(this.rowOf, columns)
    this.columnPrice = grown(this.columnPrice, columns)
    this.pathLength = grown(this.pathLength, columns)
    this.rowBefore = grown(this.rowBefore, columns)
    this.unreached = grown(this.unreached, columns)
  }

  /** Fills `columnOf`. If several solutions have the same sum, the order of rows and columns decides. */
  solve(rows: number, columns: number): void {
    this.columnOf.fill(-1, 0, rows)
    this.rowOf.fill(-1, 0, columns)
    this.columnPrice.fill(0, 0, columns)
    for (let row = 0; row < rows; row++) this.augment(row, columns)
  }

  /**
   * Gives `row` a column, and moves other rows to other columns along the path that costs least (Dijkstra on
   * costs minus prices, which are not negative).
   */
  private augment(row: number, columns: number): void {
    const { columnPrice, pathLength, rowOf, unreached } = this
    for (let j = 0; j < columns; j++) {
      pathLength[j] = Infinity
      unreached[j] = j
    }
    let count = columns
    let owner = row
    let reached = -1
    while (owner >= 0) {
      const nearest = this.relax(owner, reached, columns, count)
      reached = unreached[nearest]!
      unreached[nearest] = unreached[--count]!
      unreached[count] = reached
      owner = rowOf[reached]!
    }
    const length = pathLength[reached]!
    for (let k = count; k < columns; k++) columnPrice[unreached[k]!]! += pathLength[unreached[k]!]! - length
    this.swapAlong(row, reached)
  }

  /**
   * Shortens the paths to the columns that are not reached yet by those through `row`, the owner of `column`
   * (−1: the start of the path).
   *
   * @returns the index in `unreached` of the nearest of these columns; among equally near ones, of the
   * first free one.
   */
  private relax(row: number, column: number, columns: number, count: number): number {
    const { columnPrice, cost, pathLength, rowBefore, rowOf, unreached } = this
    const start = row * columns
    // computed here, because a number with a fraction is boxed when it is passed as an argument
    const base = column < 0 ? 0 : cost[start + column]! - columnPrice[column]! - pathLength[column]!
    let best = 0
    let least = Infinity
    for (let k = 0; k < count; k++) {
      const j = unreached[k]!
      const throughRow = cost[start + j]! - columnPrice[j]! - base
      let length = pathLength[j]!
      if (throughRow < length) {
        pathLength[j] = length = throughRow
        rowBefore[j] = row
      }
      if (length > least || (length === least && (rowOf[j]! >= 0 || rowOf[unreached[best]!]! < 0))) continue
      least = length
      best = k
    }
    return best
  }

  /** Assigns the columns anew along the path that ends at column `end`. */
  private swapAlong(row: number, end: number): void {
    const { columnOf, rowBefore, rowOf } = this
    let j = end
    for (let i = -1; i !== row;) {
      i = rowBefore[j]!
      rowOf[j] = i
      const previous = columnOf[i]!
      columnOf[i] = j
      j = previous
    }
  }
}
