import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as core from 'three-steering'
import * as docking from 'three-steering/docking'
import * as flow from 'three-steering/flow'
import * as formation from 'three-steering/formation'
import * as kit from '../obstacles/kit.js'

/** Names of the exported classes that have a method. */
function classesWith(exported: object, method: string): string[] {
  return Object.entries(exported)
    .filter(([, value]) => typeof value === 'function' && method in ((value.prototype ?? {}) as object))
    .map(([name]) => name)
}

it('docs/behaviors.md names every behaviour that is exported', () => {
  const page = readFileSync(new URL('../../docs/behaviors.md', import.meta.url), 'utf8')
  const behaviors = [core, docking, flow, formation].flatMap((entry) => classesWith(entry, 'steer'))
  expect(behaviors.length).toBeGreaterThan(40)
  expect(behaviors.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

it('the kit of obstacles has every shape that is exported', () => {
  const shapes = classesWith(core, 'sweep').filter((name) => name.endsWith('Shape'))
  expect(shapes.length).toBeGreaterThan(5)
  const known = Object.values(kit.all).map((each) => fc.sample(each, 1)[0]!.shape)
  expect(shapes.filter((name) => !known.some((shape) => shape.constructor.name === name))).toEqual([])
})
