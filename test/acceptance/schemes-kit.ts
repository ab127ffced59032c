import { flyScheme, type SchemeFigures } from '../rigs/schemes.js'
import { SCHEME_SCENES, shortfalls } from '../rigs/scheme-scenes.js'

/** Flies scenes by the combination schemes. */

export function fly(
  scheme: string,
  scene: string,
  count: number,
  dt?: number,
  small = false,
): SchemeFigures[] {
  const { make, small: less = make } = SCHEME_SCENES[scene]!
  return Array.from({ length: count }, (_, seed) => flyScheme(scheme, (small ? less : make)(seed), dt))
}

/** The failed criteria of the runs, each with its seed. */
export function flaws(scene: string, runs: readonly SchemeFigures[], part?: number): string[] {
  const { criteria } = SCHEME_SCENES[scene]!
  return runs.flatMap((run, seed) =>
    shortfalls(run, criteria, part).map((what) => `${scene} ${seed}: ${what}`),
  )
}
