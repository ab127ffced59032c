import { expect, it } from 'vitest'
import { SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'

// What it shows is tested in test/browser/guides.test.ts, and by each block of the pages in
// scripts/consumers.mjs.

it('`show` refuses what is no world and what is no obstacle, and does nothing where there is no page', () => {
  const world = new SteeringWorld()
  expect(() => show(null as never)).toThrow('show: got null, must be a SteeringWorld')
  for (const options of [7, null]) expect(() => show(world, options as never)).toThrow('show.options')
  expect(() => show(world, { size: 0 })).toThrow('show.size')
  expect(() => show(world, { frame: 1 as never })).toThrow('show.frame')
  expect(() => show(world, { center: { x: NaN, y: 0, z: 0 } })).toThrow('show.center')
  expect(() => show(world, { obstacles: [{} as never] })).toThrow(TypeError)
  const end = show(world, {
    frame: () => {
      throw new Error('there is no picture')
    },
  })
  expect(end()).toBeUndefined()
})
