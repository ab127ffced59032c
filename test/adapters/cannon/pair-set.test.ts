import { expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { PairSet } from '../../../src/extras/cannon/pair-set.js'

const IDS = 20

it('PairSet contains the pairs that were added and not deleted, in either order', () => {
  const random = seeded(16)
  const whole = (below: number): number => Math.floor(random() * below)
  const set = new PairSet()
  let expected: [larger: number, smaller: number][] = []
  for (let i = 0; i < 4000; i++) {
    const deed = random()
    if (deed < 0.5) {
      const [a, b] = [whole(IDS), whole(IDS)]
      set.add(a, b)
      expected = expected.filter(([x, y]) => x !== Math.max(a, b) || y !== Math.min(a, b))
      expected.push([Math.max(a, b), Math.min(a, b)])
    } else if (deed < 0.99 && expected.length > 0) {
      const [[a, b]] = expected.splice(whole(expected.length), 1) as [[number, number]]
      if (i % 2 === 0) set.delete(a, b)
      else set.delete(b, a)
    } else if (deed < 0.998) {
      const id = whole(IDS)
      set.deleteAllOf(id)
      expected = expected.filter((pair) => !pair.includes(id))
    } else {
      set.clear()
      expected = []
    }
    if (i % 20 > 0) continue
    const found: [number, number][] = []
    for (let a = 0; a < IDS; a++) for (let b = 0; b <= a; b++) if (set.has(b, a)) found.push([a, b])
    expect(found).toEqual(expected.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]))
  }
})
