import { expect, it } from 'vitest'
import { SteeringWorld } from 'three-steering'
import { show } from 'three-steering/debug'

// What it shows is tested in test/browser/guides.test.ts, and by each block of the pages in
// scripts/consumers.mjs.

it('`show` refuses what is no world and what is no obstacle, and does nothing where there is no page', () => {
  const world = new SteeringWorld()
  expect(() => show(null as never)).toThrow('show: got null, must be a SteeringWorld')
  expect(() => show(world, 7 as never)).toThrow(TypeError)
  expect(() => show(world, { obstacles: [{} as never] })).toThrow(TypeError)
  const end = show(world, {
    frame: () => {
      throw new Error('there is no picture')
    },
  })
  expect(end()).toBeUndefined()
})
