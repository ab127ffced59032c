/**
 * Solves symmetric positive definite systems by Cholesky factorization. Matrices are stored row by row with
 * `stride` numbers per row; only the lower triangle is used.
 */

/** Replaces `matrix` by L, `matrix` = L · Lᵀ. False, and half done, if a pivot is not above `least`. */
export function cholesky(matrix: Float64Array, count: number, stride: number, least: number): boolean {
  for (let i = 0; i < count; i++) {
    const row = i * stride
    for (let j = 0; j <= i; j++) {
      const other = j * stride
      let sum = matrix[row + j]!
      for (let k = 0; k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!
      if (i === j && !(sum > least)) return false
      matrix[row + j] = i === j ? Math.sqrt(sum) : sum / matrix[other + j]!
    }
  }
  return true
}

/** Solves L · x = b. `b` is read, and x written to `out`, from index `offset` on. */
export function solveLower(
  out: Float64Array,
  factor: Float64Array,
  b: Float64Array,
  offset: number,
  count: number,
  stride: number,
): void {
  for (let i = 0; i < count; i++) {
    const row = i * stride
    let sum = b[offset + i]!
    for (let k = 0; k < i; k++) sum -= factor[row + k]! * out[offset + k]!
    out[offset + i] = sum / factor[row + i]!
  }
}

/** Solves Lᵀ · x = b in place. */
export function solveUpper(x: Float64Array, factor: Float64Array, count: number, stride: number): void {
  for (let i = count - 1; i >= 0; i--) {
    let sum = x[i]!
    for (let k = i + 1; k < count; k++) sum -= factor[k * stride + i]! * x[k]!
    x[i] = sum / factor[i * stride + i]!
  }
}
