import { describe, expect, it } from 'vitest'
import { flawOf, flyRow, ROWS, type Row, type RowResult } from '../rigs/docking-table.js'
import { pick, PRINT } from '../support/tier.js'

/**
 * The table of hard dockings on cannon-es. The ordinary run flies one seed of each row, ACCEPTANCE=full or
 * =print forty.
 */
const SEEDS = pick(1, 4, 40)

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!
}

function report(row: Row, results: readonly RowResult[]): void {
  if (!PRINT) return
  const docked = results.filter((each) => each.docked)
  const clean = results.filter((each) => flawOf(each) === '')
  const times = docked.map(({ time }) => time)
  const shares = docked.map(({ time, bound }) => time / bound)
  const figures = [
    `${docked.length} docked`,
    `${clean.length} clean`,
    `fastest contact ${Math.max(...results.map(({ impact }) => impact)).toFixed(1)} m/s`,
    `time ${quantile(times, 0.5).toFixed(0)} / ${quantile(times, 0.95).toFixed(0)} s`,
    `over the bound ${quantile(shares, 0.5).toFixed(2)} / ${quantile(shares, 0.95).toFixed(2)}`,
  ]
  process.stdout.write(`docking table, ${row}, ${results.length} ships: ${figures.join('; ')}\n`)
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
