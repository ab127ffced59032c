import { describe, expect, it } from 'vitest'
import type { SteeringWorld } from 'three-steering'
import type { Archive } from 'three-steering/authoring'
import { slotTableOf, statesOf } from '../../src/core/engine/states.js'
import { BEHAVIORS, bitsOf } from './kit.js'
import { playOf, run } from './play.js'
import { pick } from '../support/tier.js'

const BY = { x: -10007, y: 4001, z: 7013 }

/** All numbers that behaviours and locomotions remember. */
function remembered({ internals }: SteeringWorld): number[] {
  const numbers: number[] = []
  const keep = (...values: number[]): void => void numbers.push(...values)
  const { bindings, agents } = internals.roster
  const archive: Archive = {
    restoring: false,
    agents: slotTableOf(agents),
    number: (value) => (keep(value), value),
    boolean: (value) => (keep(Number(value)), value),
    string: (value) => value,
    agentId: (id) => id,
    vector: ({ x, y, z }) => keep(x, y, z),
    place: ({ x, y, z }) => keep(x, y, z),
    quaternion: ({ x, y, z, w }) => keep(x, y, z, w),
    numbers: (column, from, to) => keep(...column.subarray(from, to)),
    integers: (column, from, to) => keep(...column.subarray(from, to)),
    reference: (value) => value,
  }
  const trees = [...bindings.list]
  const behaviors = trees.map(({ behavior }) => behavior)
  for (const { state } of statesOf(
    behaviors,
    trees.map(({ locomotion }) => locomotion),
  ))
    state.serialize(archive)
  return numbers
}

/**
 * Whether a number differs by a coordinate of the vector: a place was left, or something else was moved.
 * Rounding, and ties that it decides, make other differences. A place that is not set yet may be moved.
 */
function isLeft(shifted: number, there: number): boolean {
  const by = Object.values(BY).find((each) => Math.abs(Math.abs(shifted - there) - Math.abs(each)) < 1)
  return by !== undefined && !(there === 0 && shifted === by)
}

/** The user's objects need no moving, because the second scene was made in the other place. */
describe.each(Object.keys(BEHAVIORS))('%s', (name) => {
  it('in a world that is shifted remembers what it would remember had it flown there', () => {
    for (let seed = name.length; seed < pick(100, 500, 2000); seed += 100)
      for (const steps of pick([2, 30], [2, 30, 100], [2, 30, 100, 300])) {
        const [shifted, there] = [playOf(name, seed), playOf(name, seed, BY)]
        run(shifted, steps)
        run(there, steps)
        shifted.world.shift(BY)
        const one = bitsOf(shifted.pilots).concat(remembered(shifted.world))
        const other = bitsOf(there.pilots).concat(remembered(there.world))
        // a tie, such as a neighbour exactly at the distance that is seen, may give an agent a memory or none
        if (one.length !== other.length) continue
        expect(one.findIndex((value, i) => isLeft(value, other[i]!))).toBe(-1)
      }
  })
})
