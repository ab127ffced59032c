import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as core from 'three-steering'
import * as docking from 'three-steering/docking'
import * as flow from 'three-steering/flow'
import * as formation from 'three-steering/formation'
import * as pipeline from 'three-steering/classic'
import * as racing from 'three-steering/racing'
import { Flock, Obstacle, type SteeringController, type Vec3Like } from 'three-steering'
import { BEHAVIORS, fileOf, SCHEMES } from '../../site/pages.js'
import type { Group, Scene } from '../../site/scene.js'
import { programOf } from '../../site/program.mjs'
import { pick } from '../support/tier.js'

// The pages of behaviours and schemes, and the scenes that they show.

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const behaviors = Object.values(BEHAVIORS).flat()

/** Classes of the combination schemes; their pages have the names of the functions that make them. */
const isScheme = (name: string): boolean =>
  SCHEMES.some((scheme) => `${scheme[0]!.toUpperCase()}${scheme.slice(1)}` === name)

/** Every exported class with a method `steer`. */
const exported = [core, docking, flow, formation, pipeline, racing]
  .flatMap((entry) => Object.entries(entry))
  .filter(
    ([, value]) =>
      typeof (Object(value) as { prototype?: { steer?: unknown } }).prototype?.steer === 'function',
  )
  .map(([name]) => name)

describe('the pages', () => {
  it('have one for each exported behaviour, and no other', () => {
    expect(exported.filter((name) => !isScheme(name)).sort()).toEqual([...behaviors].sort())
  })

  it('have one for each scheme of the guide', () => {
    const rows = read('docs/guides/combining.md').matchAll(/^\| \[`(\w+)\(/gm)
    expect([...rows].map(([, name]) => name!).sort()).toEqual([...SCHEMES].sort())
  })

  it.each([
    ['behaviors', behaviors],
    ['schemes', SCHEMES],
  ])('of %s are all in the sidebar', (folder, names) => {
    const files = readdirSync(new URL(`docs/${folder}/`, root)).sort()
    expect(files).toEqual(names.map((name) => `${fileOf(name)}.md`).sort())
  })

  it.each([...behaviors.map((name) => ['behaviors', name]), ...SCHEMES.map((name) => ['schemes', name])])(
    'of %s: %s shows a scene that uses it, and has its options',
    (folder, name) => {
      const page = read(`docs/${folder}/${fileOf(name)}.md`)
      expect(page).toMatch(new RegExp(`^# ${name}\n`))
      expect(page).toContain('## When to use it')
      expect(page).toContain('## When not')
      expect(page).toContain('## Options')
      const scene = /\n\[The code of the picture\]\(\.\.\/\.\.\/(site\/scenes\/[\w-]+\.ts)\)\n/.exec(
        page,
      )?.[1]
      expect(read(scene!)).toMatch(new RegExp(folder === 'schemes' ? `\\b${name}\\(` : `new ${name}\\(`))
      // LookWhereGoing and the like all have options; within has none
      if (name !== 'within') expect(page).toMatch(/\n\[Options of \w+\]\(\S+\)\n/)
    },
  )
})

it('each entry says what it is for, on its page of the reference', () => {
  const entries = readdirSync(new URL('src/entries/', root))
  const silent = entries.filter((name) => !/^\/\*\*[^/]{30,}@module\s*\*\//.test(read(`src/entries/${name}`)))
  expect(silent).toEqual([])
})

it('the kilobytes of the measurements are those of the last release', () => {
  const sizes = JSON.parse(read('sizes.json')) as Record<string, number>
  const page = read('docs/measurements.md')
  const kB = (name: string): string => `${(sizes[name]! / 1000).toFixed(1)} kB`
  expect(page).toContain(`| ${kB('a ship')}; ${kB('a ship on cannon-es')} `)
  for (const [row, name] of [
    ['a flock', 'a flock'],
    ['a ship that avoids', 'a ship that avoids'],
    ['all that `three-steering` exports', 'three-steering'],
  ] as const)
    expect(page).toMatch(new RegExp(`\\| ${row} +\\| ${kB(name)} `))
})

const modules = import.meta.glob<{ start: () => Scene }>('../../site/scenes/*.ts', { eager: true })
const scenes = Object.entries(modules).map(
  ([path, { start }]) => [/([\w-]+)\.ts$/.exec(path)![1]!, start] as const,
)

function positionsOf(group: Group): Vec3Like[] {
  if (group instanceof Flock)
    return Array.from({ length: group.size }, (_, i) => group.position(i, { x: 0, y: 0, z: 0 }))
  return [group as SteeringController].flat().map(({ position: { x, y, z } }) => ({ x, y, z }))
}

/** Scenes in which agents touch obstacles: they are pushed, or by a method that does not exclude it. */
const TOUCHES = new Set([
  'repel-obstacle',
  'classic-avoidance',
  'dither',
  'truncated-sum',
  'smooth',
  'dock',
  'undock',
  'land',
])

describe('the scene', () => {
  it('is used by a page', () => {
    const all = [...behaviors, ...SCHEMES].map((name) => fileOf(name))
    expect(scenes.map(([name]) => name).sort()).toEqual(all.sort())
    for (const name of all) expect(existsSync(new URL(`site/scenes/${name}.ts`, root))).toBe(true)
  })

  it.each(scenes)('%s is shown as a program of its own', (name) => {
    const program = programOf(read(`site/scenes/${name}.ts`))
    const packages = [...program.matchAll(/ from '([^']+)'/g)].map(([, from]) => from!)
    expect(packages.filter((from) => !/^three-steering(\/|$)/.test(from))).toEqual([])
    expect(program).toMatch(/\nshow\(world(, \{[^]*\})?\)\n$/)
    // these are of the picture of the site
    expect(program).not.toMatch(/^ {2}(agents|controls|lasts):|Scene\b/m)
  })

  it.each(scenes)(
    '%s runs without a fault, stays in the picture, and keeps clear of what it avoids',
    (name, start) => {
      const scene = start()
      const { world, agents, obstacles, size = 16, center = { x: 0, y: 0, z: 0 } } = scene
      const faults: string[] = []
      world.addEventListener('fault', ({ message }) => faults.push(message))
      const before = agents.map(positionsOf)
      const solids = (obstacles ?? []).map((each) => new Obstacle(each))
      const seconds = Math.min(scene.lasts ?? Infinity, pick(0.6, 5, 60))
      let farthest = 0
      let nearest = Infinity
      for (let i = 0; i < 60 * seconds; i++) {
        world.step(1 / 60)
        if (i % 6 > 0) continue
        for (const group of agents)
          for (const [k, at] of positionsOf(group).entries()) {
            farthest = Math.max(farthest, Math.hypot(at.x - center.x, at.y - center.y, at.z - center.z))
            const radius =
              group instanceof Flock ? group.radius : [group as SteeringController].flat()[k]!.radius
            for (const solid of solids) {
              solid.refresh()
              nearest = Math.min(nearest, solid.distance(at, { x: 0, y: 0, z: 0 }) - radius)
            }
          }
      }
      expect(faults).toEqual([])
      expect(farthest).toBeLessThan(1.35 * size)
      if (!TOUCHES.has(name)) expect(nearest).toBeGreaterThan(-0.01)
      // agents that only turn stay where they are
      const moved = agents.some((group, g) =>
        positionsOf(group).some((at, k) => {
          const from = before[g]![k]!
          return Math.hypot(at.x - from.x, at.y - from.y, at.z - from.z) > 0.2
        }),
      )
      if (!['face', 'match-attitude'].includes(name)) expect(moved).toBe(true)
      expect(scene.readout?.() ?? '').not.toContain('undefined')
      world.dispose()
    },
  )

  it.each(scenes)('%s has sliders of numbers', (_name, start) => {
    const { world, controls } = start()
    for (const [owner, option, from, to] of controls ?? []) {
      const value = (owner as Record<string, unknown>)[option]
      expect(value).toBeGreaterThanOrEqual(from)
      expect(value).toBeLessThanOrEqual(to)
      for (const each of [from, to])
        expect(() => ((owner as Record<string, number>)[option] = each)).not.toThrow()
      world.step(1 / 60)
    }
    world.dispose()
  })
})
