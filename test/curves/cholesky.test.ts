import { describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { cholesky, solveLower, solveUpper } from '../../src/blocks/curves/cholesky.js'

const WIDE = 4

/** A · Aᵀ of a random A with three rows, stored with four numbers per row. */
function positiveDefinite(seed: number): { matrix: Float64Array; at: (i: number, j: number) => number } {
  const random = seeded(seed)
  const a = Array.from({ length: 3 }, () => Array.from({ length: 3 }, () => 2 * random() - 1))
  const at = (i: number, j: number): number =>
    a[i]!.reduce((sum, value, k) => sum + value * a[j]![k]!, i === j ? 0.1 : 0)
  const matrix = new Float64Array(3 * WIDE)
  for (let i = 0; i < 3; i++) for (let j = 0; j <= i; j++) matrix[WIDE * i + j] = at(i, j)
  return { matrix, at }
}

describe('cholesky', () => {
  it('solves a positive definite system', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const { matrix, at } = positiveDefinite(seed)
      const b = new Float64Array([1, -2, 0.5])
      const x = new Float64Array(3)
      expect(cholesky(matrix, 3, WIDE, 0)).toBe(true)
      solveLower(x, matrix, b, 0, 3, WIDE)
      solveUpper(x, matrix, 3, WIDE)
      for (let i = 0; i < 3; i++)
        expect(at(i, 0) * x[0]! + at(i, 1) * x[1]! + at(i, 2) * x[2]!).toBeCloseTo(b[i]!, 9)
    }
  })

  it('refuses a matrix with a pivot that is not above `least`', () => {
    const diagonal = (pivot: number): Float64Array =>
      new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, pivot, 0])
    expect(cholesky(diagonal(0.011), 3, WIDE, 0.01)).toBe(true)
    for (const pivot of [0.01, 0.009, 0, -1, NaN])
      expect(cholesky(diagonal(pivot), 3, WIDE, 0.01)).toBe(false)
  })
})
