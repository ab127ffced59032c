import { expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { Assignment, boxPattern } from 'three-steering/formation'
import { measureHeap } from '../../support/heap.js'

it('an assignment does not allocate after an equally large one', () => {
  const random = seeded(11)
  const kept = new Assignment()
  const at = (): number => 40 * random() - 20
  const members = Array.from({ length: 100 }, (_, key) => ({ key, position: { x: at(), y: at(), z: at() } }))
  const slots = boxPattern(95, 4)
  const solve = (): void => {
    kept.forget()
    kept.solve(members, slots)
  }
  for (let i = 0; i < 150; i++) solve()
  const each = measureHeap(solve, 100).allocated
  if (process.env['ALLOCATION'] === 'print') process.stdout.write(`${each.toFixed(0)} B per assignment\n`)
  // an object per pair would be 400 kB; a few boxed numbers depend on what the compiler inlines
  expect(each).toBeLessThan(4000)
})
