import { describe, expect, it } from 'vitest'
import { SCHEME_SCENES } from '../rigs/scheme-scenes.js'
import { summary, type SchemeFigures } from '../rigs/schemes.js'
import { flaws, fly } from './schemes-kit.js'
import { ALL, pick } from '../support/tier.js'

/**
 * Compares the combination schemes on the same parts, with the same parameters in all scenes.
 * The ordinary run flies a few seeds of small scenes, `ACCEPTANCE=full` all seeds of all scenes.
 */

/** Long enough for a machine with other load. */
const PATIENCE = { timeout: 300_000 }

/**
 * Scenes small enough to be flown at all steps in any run. The others are flown so in tests of their kind and
 * for the tables.
 */
const LIGHT = ['keep-out sphere', 'clump', 'corridor', 'corridor stream, 8', 'doorway, 24', 'head on', 'ring']
const scenes = Object.keys(SCHEME_SCENES).filter((name) => SCHEME_SCENES[name]!.few > 0)

/** Shorter scenes visit a smaller share of the room. */
const PART: Readonly<Record<string, number>> = { 'room with spheres, 6': 0.5 }

describe('within passes all scenes, with one set of parameters', PATIENCE, () => {
  it.each(scenes)('%s', (scene) => {
    const { few } = SCHEME_SCENES[scene]!
    const runs = fly('within', scene, pick(1, few), 1 / 60, true)
    expect(flaws(scene, runs, PART[scene])).toEqual([])
  })

  it.each(ALL ? LIGHT : LIGHT.slice(1, 2))('%s at 1/30 and 1/240 s, without more judder', (scene) => {
    const [coarse, fine] = [1 / 30, 1 / 240].map((dt) => fly('within', scene, 1, dt, true))
    expect([...flaws(scene, coarse!), ...flaws(scene, fine!)]).toEqual([])
    // a scheme that changes its decision in every step judders in proportion to the step rate
    expect(summary(fine!).jitter).toBeLessThanOrEqual(1.5 * summary(coarse!).jitter + 0.2)
  })
})

describe('the other schemes', PATIENCE, () => {
  const runs: Record<string, readonly SchemeFigures[]> = {}
  const of = (name: string, scene: string): SchemeFigures =>
    summary((runs[`${name}/${scene}`] ??= fly(name, scene, 3, 1 / 60, true)))

  it.each(['keep-out sphere', 'head on'])('%s: a context map touches nothing, and arrives', (scene) => {
    of('context map', scene)
    expect(flaws(scene, runs[`context map/${scene}`]!)).toEqual([])
  })

  it('a pipeline flies around a ball', () => {
    of('pipeline', 'keep-out sphere')
    expect(flaws('keep-out sphere', runs['pipeline/keep-out sphere']!)).toEqual([])
  })

  it('schemes that consider all obstacles at once jitter less than schemes that switch between parts', () => {
    for (const name of ['within', 'context map', 'pipeline'])
      expect(of(name, 'keep-out sphere').jitter, `by ${name}`).toBeLessThan(
        of('priority', 'keep-out sphere').jitter / 4,
      )
  })

  it.each(['keep-out sphere', 'head on'])('%s: groups of one are a priority', (scene) => {
    // these scenes have one constraint, which is the only group
    expect(of('groups', scene)).toEqual(of('priority', scene))
  })

  it.each(['keep-out sphere', 'head on'])('%s: an average uses less force than a sum', (scene) => {
    expect(of('weighted average', scene).effort).toBeLessThan(of('weighted sum', scene).effort)
  })
})
