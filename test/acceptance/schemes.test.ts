import { describe, expect, it } from 'vitest'
import {
  flyScheme,
  PIPELINE,
  SCHEME_SCENES,
  SCHEMES,
  type SchemeFigures,
} from '../../demo/scenarios/schemes.js'

/**
 * What each combination scheme makes of the same parts. `ACCEPTANCE=print` flies all scenes, which takes minutes, and prints the table;
 * else a few, and only what is promised of each is held.
 */
const PRINT = process.env['ACCEPTANCE'] === 'print'

/** Of two streams a seed is 24 pilots. */
const SEEDS: Readonly<Record<string, number>> = PRINT
  ? { 'two streams': 1, 'box with spheres': 2, corridor: 2 }
  : {}
const scenes = PRINT ? Object.keys(SCHEME_SCENES) : ['keep-out sphere', 'head on']
const spheres = new Set(['keep-out sphere', 'clump', 'small field'])

function figures(name: string, scene: string): SchemeFigures {
  const combine = name === 'pipeline' ? PIPELINE : SCHEMES[name]!
  return flyScheme(combine, SCHEME_SCENES[scene]!, SEEDS[scene] ?? (PRINT ? 6 : 3))
}

describe.each(scenes)('%s', (scene) => {
  const names = [...Object.keys(SCHEMES), ...(spheres.has(scene) ? ['pipeline'] : [])]
  const table = names.map((name) => [name, figures(name, scene)] as const)
  if (PRINT) {
    const show = (n: number, digits: number): string =>
      (Number.isNaN(n) ? '-' : n.toFixed(digits)).padStart(9)
    process.stdout.write(`\n${scene.padEnd(20)} contacts  arrived       TR        J   effort\n`)
    for (const [name, { contacts, arrived, ratio, jitter, effort }] of table)
      process.stdout.write(
        `${name.padEnd(19)}${show(contacts, 0)}${show(arrived, 2)}${show(ratio, 2)}${show(jitter, 2)}${show(effort, 3)}\n`,
      )
  }
  const of = (name: string): SchemeFigures => table.find(([each]) => each === name)![1]

  it('schemes that decide by the whole surroundings touch nothing, and arrive', () => {
    for (const name of names.filter((each) => ['within', 'context map', 'pipeline'].includes(each))) {
      const { contacts, arrived } = of(name)
      expect(contacts, `by ${name}`).toBe(0)
      if (!Number.isNaN(arrived)) expect(arrived, `by ${name}`).toBe(1)
    }
  })

  it('and shake less than those that change hands', () => {
    // in the open, where two meet, there is little to change hands about
    if (scene !== 'keep-out sphere') return
    for (const name of ['within', 'context map', 'pipeline'])
      expect(of(name).jitter, `by ${name}`).toBeLessThan(of('priority').jitter / 4)
  })

  it('groups of one are a priority', () => {
    if (!['keep-out sphere', 'head on'].includes(scene)) return
    // one constraint in these scenes, whose only group it is
    expect(of('groups')).toEqual(of('priority'))
  })

  it('an average does less of everything than a sum', () => {
    expect(of('weighted average').effort).toBeLessThan(of('weighted sum').effort)
  })
})
