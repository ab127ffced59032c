import { describe, expect, it } from 'vitest'
import { flawOf, flyRow, ROWS } from '../rigs/docking-table.js'
import { pick, report } from '../support/tier.js'

/**
 * The table of hard dockings on cannon-es. The ordinary run flies one seed of each row, ACCEPTANCE=full or
 * =print forty.
 */
const SEEDS = pick(1, 4, 40)

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!
}

describe('hard dockings', () => {
  it.each(ROWS)(
    'all ships dock softly, without a contact before: %s',
    (row) => {
      const results = Array.from({ length: SEEDS }, (_, i) => flyRow(row, i + 1)).flat()
      report(row, results)
      const flaws = results.map((each) => `seed ${each.seed}: ${flawOf(each)}`)
      expect(flaws.filter((each) => !each.endsWith(': '))).toEqual([])
      if (row !== 'drift') return
      const shares = results.map(({ time, bound }) => time / bound)
      expect(quantile(shares, 0.5)).toBeLessThan(1.68)
      expect(quantile(shares, 0.95)).toBeLessThan(2.5)
    },
    600_000,
  )
})
