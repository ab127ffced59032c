/** Symmetric positive definite systems by Cholesky's factors. Matrices are row by row, `wide` numbers to a row, lower triangle. */

/** Puts the factor L of `matrix` = L · Lᵀ in its place. False, and half done, when a pivot is not above `least`. */
export function cholesky(matrix: Float64Array, count: number, wide: number, least: number): boolean {
  for (let i = 0; i < count; i++) {
    const row = i * wide
    for (let j = 0; j <= i; j++) {
      const other = j * wide
      let sum = matrix[row + j]!
      for (let k = 0; k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!
      if (i === j && !(sum > least)) return false
      matrix[row + j] = i === j ? Math.sqrt(sum) : sum / matrix[other + j]!
    }
  }
  return true
}

/** Solves L · x = b into `out`, both from `at` on. */
export function solveLower(
  out: Float64Array,
  factor: Float64Array,
  b: Float64Array,
  at: number,
  count: number,
  wide: number,
): void {
  for (let i = 0; i < count; i++) {
    const row = i * wide
    let sum = b[at + i]!
    for (let k = 0; k < i; k++) sum -= factor[row + k]! * out[at + k]!
    out[at + i] = sum / factor[row + i]!
  }
}

/** Solves Lᵀ · x = b in place. */
export function solveUpper(x: Float64Array, factor: Float64Array, count: number, wide: number): void {
  for (let i = count - 1; i >= 0; i--) {
    let sum = x[i]!
    for (let k = i + 1; k < count; k++) sum -= factor[k * wide + i]! * x[k]!
    x[i] = sum / factor[i * wide + i]!
  }
}
