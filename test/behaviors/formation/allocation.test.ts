import { expect, it } from 'vitest'
import { Assignment, boxPattern, seeded } from 'three-steering'
import { measureHeap } from '../../support/heap.js'

it('an assignment takes no memory, once as many were met', () => {
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
  // an object per pair would be 400 kB; some boxed numbers come and go with the mood of the compiler
  expect(each).toBeLessThan(4000)
})
