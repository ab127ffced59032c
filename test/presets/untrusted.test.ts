import { describe, expect, it } from 'vitest'
import { SteeringController, SteeringWorld } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { loadPreset, savePreset } from 'three-steering/presets'
import { randomScene } from '../laws/kit.js'
import { FULL } from './full.js'
import { referencesOf } from './kit.js'
import { ALL, FULL as FULL_RUN } from '../support/tier.js'

// Presets of unknown origin: any content is loaded or refused quickly, by a RangeError or a TypeError, and a
// loaded tree stops no world.

const NUMBERS = [
  0,
  -1,
  0.5,
  3,
  1e4,
  2 ** 31,
  1e9,
  1e15,
  1e308,
  -1e308,
  5e-324,
  'NaN',
  'Infinity',
  '-0',
  'x',
  null,
  [],
  {},
  true,
]
const TEXTS = ['', 'Seek', 'Blend', 'constructor', '__proto__', 'toString', 'x'.repeat(1000), 7, null, {}, []]

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Paths to all numbers and strings. */
function leaves(data: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof data === 'number' || typeof data === 'string') return [path]
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([key, each]) => leaves(each, [...path, key]))
}

function put(data: Json, path: readonly (string | number)[], value: unknown): void {
  let at = data as Record<string, Json>
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, Json>
  at[path.at(-1)!] = value as Json
}

const get = (data: Json, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], data)

/**
 * Loads a preset and makes two steps with it. Returns the message of a refusal, or ''; any other error is
 * thrown.
 */
function attempt(preset: unknown, references: Record<string, object>): string {
  const world = new SteeringWorld()
  world.addEventListener('fault', () => undefined)
  try {
    const behavior = loadPreset(preset, { references })
    world.add(new SteeringController(null, { behavior, maxSpeed: 9, maxForce: 20 }))
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return error.message
    throw error
  }
  world.step(1 / 60)
  world.step(1 / 60)
  world.dispose()
  return ''
}

describe.each(Object.keys(FULL))('%s', (name) => {
  it('with any other number or string is refused or flies', () => {
    const scene = randomScene(3)
    const behavior = FULL[name]!(scene)
    const references = referencesOf(scene, behavior)
    const text = JSON.stringify(savePreset(behavior, { references }))
    const random = seeded(91)
    const all = leaves(JSON.parse(text) as Json)
    for (const path of all.filter(() => ALL || random() < 0.5)) {
      const kinds = typeof get(JSON.parse(text) as Json, path) === 'number' ? NUMBERS : TEXTS
      const picks = FULL_RUN ? kinds : [kinds[Math.floor(random() * kinds.length)]]
      for (const value of picks) {
        const preset = JSON.parse(text) as Json
        put(preset, path, value)
        const began = performance.now()
        const said = attempt(preset, references)
        // generous: a stall takes minutes
        expect(performance.now() - began, `${path.join('.')} = ${String(value)}: ${said}`).toBeLessThan(3000)
      }
    }
  })
})

const seek = { type: 'Seek', target: { x: 0, y: 0, z: 9 } }
const preset = (root: unknown): unknown => ({ type: 'steering-preset', version: 1, root })

it('parts shared within shared parts, two in each of 60 levels, are refused at once', () => {
  let node: object = { ...seek, id: 0 }
  for (let i = 1; i <= 60; i++) node = { type: 'Blend', id: i, parts: [node, { same: i - 1 }] }
  expect(JSON.stringify(node).length).toBeLessThan(4000)
  expect(() => loadPreset(preset(node))).toThrow(/got more than 20000 parts/)
})

it('a part with many uses is visited once in a step, not once per use', () => {
  let looked = 0
  const part = { steer: () => undefined, refresh: () => void looked++ }
  let node: { children: object[]; steer: () => void } = { children: [part], steer: () => undefined }
  for (let i = 0; i < 40; i++) node = { children: [node, node], steer: () => undefined }
  const world = new SteeringWorld()
  world.add(new SteeringController(null, { behavior: node as never, maxSpeed: 1, maxForce: 1 }))
  world.step(1 / 60)
  expect(looked).toBe(1)
})

it.each([1000, 100_000])(
  '%i levels of parts are refused by a RangeError, without a stack overflow',
  (depth) => {
    let node: object = seek
    for (let i = 0; i < depth; i++) node = { type: 'Blend', parts: [node] }
    expect(() => loadPreset(preset(node))).toThrow(/more than 300 levels deep/)
  },
)

it('a tree of the greatest allowed depth is loaded', () => {
  let node: object = seek
  for (let i = 0; i < 90; i++) node = { type: 'Blend', parts: [node] }
  expect(attempt(preset(node), {})).toBe('')
})
