import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Memory } from 'three-steering/authoring'
import { law } from '../support/law.js'

const WIDTH = 3

law(
  'a memory gives each agent its own numbers, 0 at first, in whatever order they ask',
  [fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 2 })), { maxLength: 80 })],
  (visits) => {
    const memory = new Memory(WIDTH)
    const counts = new Map<string, number>()
    const owners = new Map<number, number>()
    for (const [slot, generation] of visits) {
      const agent = { id: 1, slot, generation }
      const isFresh = owners.get(slot) !== generation
      // an agent that comes back into its slot after another one is a new one
      if (isFresh) counts.set(`${slot}, ${generation}`, 0)
      owners.set(slot, generation)
      expect(memory.find(agent) < 0).toBe(isFresh)
      const at = memory.at(agent)
      expect(memory.fresh).toBe(isFresh)
      expect(memory.find(agent)).toBe(at)
      const count = counts.get(`${slot}, ${generation}`)!
      expect([...memory.data.subarray(at, at + WIDTH)]).toEqual([count, 2 * count, 3 * count])
      counts.set(`${slot}, ${generation}`, count + 1)
      for (let k = 0; k < WIDTH; k++) memory.data[at + k]! += k + 1
    }
    for (const [slot, generation] of owners) {
      const at = memory.find({ id: 1, slot, generation })
      expect(memory.data[at]).toBe(counts.get(`${slot}, ${generation}`))
    }
  },
)

it('a memory of one agent stores no more than its numbers, in whatever slot it is', () => {
  for (const slot of [0, 1, 7, 5000]) {
    const memory = new Memory(WIDTH)
    memory.at({ id: 1, slot, generation: 1 })
    expect(memory.data.length).toBe(WIDTH)
  }
})

it.each(['up', 'down'])(
  'a memory of many agents is made longer a few times only, in slots that go %s',
  (way) => {
    const memory = new Memory(WIDTH)
    const arrays = new Set<Float64Array>()
    for (let i = 0; i < 5000; i++) {
      memory.at({ id: 1, slot: way === 'up' ? i : 4999 - i, generation: 1 })
      arrays.add(memory.data)
    }
    expect(arrays.size).toBeLessThan(20)
    expect(memory.data.length).toBeLessThanOrEqual(2 * 5000 * WIDTH)
  },
)
