import { expect, it } from 'vitest'
import { inBuilding, shipTraffic, type AvoidScene } from '../rigs/avoid-scenes.js'

// Among many obstacles the search of a direction asked a list whether it had seen an obstacle before, and the
// list still held obstacles of earlier searches: of other agents, and of other worlds. So the flights of a
// world depended on what else had been flown in the same program.

const STEPS = 90

function placesOf({ agents, world }: AvoidScene): number[] {
  return [...world.agents.position.subarray(0, 3 * agents)]
}

function flown(others: readonly AvoidScene[]): number[] {
  const scene = inBuilding(6)
  for (let i = 0; i < STEPS; i++) {
    scene.step()
    for (const other of others) other.step()
  }
  return placesOf(scene)
}

it('a world flies alike alone, once more, and in turns with other worlds', () => {
  const alone = flown([])
  expect(alone.every(Number.isFinite)).toBe(true)
  expect(flown([])).toEqual(alone)
  expect(flown([inBuilding(3), shipTraffic(40)])).toEqual(alone)
})
