import { grown } from '../../math/grown.js'

/** Measured with up to 400 rows: fewer leave more to the search for ways, more bid against each other for pennies. */
const MOST_TRIES = 8

/**
 * The least sum of costs with which each row gets a column of its own: shortest augmenting paths with dual prices after R. Jonker and
 * A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment problems" (1987), for more columns than
 * rows as in D. F. Crouse, "On implementing 2D rectangular assignment algorithms" (2016). O(rows² · columns). Departures: of the
 * starts of the former, the column reduction only of square problems, since the price of a free column must be 0; no reduction transfer.
 * Arrays are kept and grow to the largest problem met.
 */
export class LeastCost {
  /** `[≥ rows · columns]`, row by row; finite. To be filled after {@link prepare}. */
  cost: Float64Array<ArrayBuffer> = new Float64Array(0)
  /** `[≥ rows]`, column of each row. */
  columnOf: Int32Array<ArrayBuffer> = new Int32Array(0)
  private rowOf = new Int32Array(0)
  /** What a column takes off its costs, ≤ 0; what a row then pays least is its own price. */
  private columnPrice = new Float64Array(0)
  /** Of the search for a path: length to a column, the row before it, and the columns not reached yet. */
  private way = new Float64Array(0)
  private before = new Int32Array(0)
  private left = new Int32Array(0)
  private free = new Int32Array(0)

  /** Room for a problem of `rows` ≤ `columns`. */
  prepare(rows: number, columns: number): void {
    if (this.cost.length < rows * columns) this.cost = new Float64Array(rows * columns)
    if (this.columnOf.length < rows) {
      this.columnOf = grown(this.columnOf, rows)
      this.free = grown(this.free, rows)
    }
    if (this.rowOf.length >= columns) return
    this.rowOf = grown(this.rowOf, columns)
    this.columnPrice = grown(this.columnPrice, columns)
    this.way = grown(this.way, columns)
    this.before = grown(this.before, columns)
    this.left = grown(this.left, columns)
  }

  /** Fills `columnOf`. Equal sums are decided by the order of rows and columns alone. */
  solve(rows: number, columns: number): void {
    this.columnOf.fill(-1, 0, rows)
    this.rowOf.fill(-1, 0, columns)
    this.columnPrice.fill(0, 0, columns)
    // a column that stays free must have no price, but of as many columns as rows none does
    if (rows === columns) this.priceColumns(rows)
    const unmatched = this.bid(rows, columns)
    for (let k = 0; k < unmatched; k++) this.augment(this.free[k]!, columns)
  }

  /** Column reduction: the least cost of each. */
  private priceColumns(count: number): void {
    const { columnPrice, cost } = this
    columnPrice.fill(Infinity, 0, count)
    for (let i = 0; i < count; i++)
      for (let j = 0; j < count; j++) columnPrice[j] = Math.min(columnPrice[j]!, cost[i * count + j]!)
  }

  /**
   * Each row takes its cheapest column and pays as much more for it as the next one would cost it; who is outbid tries again. Each row gets
   * a bounded number of tries, for bids may grow by ever less. @returns how many rows, listed in `free`, are left without a column.
   */
  private bid(rows: number, columns: number): number {
    const { columnOf, columnPrice, cost, free, rowOf } = this
    let unmatched = 0
    for (let first = 0; first < rows; first++) {
      let i = first
      for (let tries = 0; i >= 0 && tries < MOST_TRIES; tries++) {
        let least = Infinity
        let next = Infinity
        let best = -1
        const row = i * columns
        for (let j = 0; j < columns; j++) {
          const price = cost[row + j]! - columnPrice[j]!
          if (price >= next) continue
          if (price < least) {
            next = least
            least = price
            best = j
          } else next = price
        }
        const owner = rowOf[best]!
        // a bid of nothing takes only what is free
        if (owner >= 0 && !(next > least)) break
        if (next < Infinity && owner >= 0) columnPrice[best]! -= next - least
        rowOf[best] = i
        columnOf[i] = best
        if (owner >= 0) columnOf[owner] = -1
        i = owner
      }
    }
    for (let i = 0; i < rows; i++) if (columnOf[i] === -1) free[unmatched++] = i
    return unmatched
  }

  /** Gives `row` a column and others another one, along the way that costs least (Dijkstra on costs less prices, none of them negative). */
  private augment(row: number, columns: number): void {
    const { columnPrice, left, rowOf, way } = this
    for (let j = 0; j < columns; j++) {
      way[j] = Infinity
      left[j] = j
    }
    let count = columns
    let owner = row
    let reached = -1
    while (owner >= 0) {
      const at = this.relax(owner, reached, columns, count)
      reached = left[at]!
      left[at] = left[--count]!
      left[count] = reached
      owner = rowOf[reached]!
    }
    const length = way[reached]!
    for (let k = count; k < columns; k++) columnPrice[left[k]!]! += way[left[k]!]! - length
    this.swapAlong(row, reached)
  }

  /**
   * Shortens the ways to the columns not reached yet by those over `row`, the owner of `column` (−1: where the way starts).
   *
   * @returns where in their list the nearest is; of equal ones one that is free.
   */
  private relax(row: number, column: number, columns: number, count: number): number {
    const { before, columnPrice, cost, left, rowOf, way } = this
    const start = row * columns
    // found here, because a number with a fraction is boxed when it is handed over
    const base = column < 0 ? 0 : cost[start + column]! - columnPrice[column]! - way[column]!
    let best = 0
    let least = Infinity
    for (let k = 0; k < count; k++) {
      const j = left[k]!
      const over = cost[start + j]! - columnPrice[j]! - base
      let length = way[j]!
      if (over < length) {
        way[j] = length = over
        before[j] = row
      }
      if (length > least || (length === least && rowOf[j]! >= 0)) continue
      least = length
      best = k
    }
    return best
  }

  private swapAlong(row: number, end: number): void {
    const { before, columnOf, rowOf } = this
    let j = end
    for (let i = -1; i !== row;) {
      i = before[j]!
      rowOf[j] = i
      const given = columnOf[i]!
      columnOf[i] = j
      j = given
    }
  }
}
