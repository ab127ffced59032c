import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { beforeAll, expect, it } from 'vitest'
import { alias } from '../../vite.config.ts'
import { ALL } from '../support/tier.js'

/**
 * What a step of avoidance allocates in a bundle for production: numbers that are boxed, 16 bytes each, and
 * no objects. Vitest, which reaches imports through getters, boxes several times as many. Each scene is
 * measured in a process of its own, whose code is compiled at the same steps in each run. The bounds are
 * a quarter to a half above what Node 20 allocates at most, but for one process in thirty: 247 to 273, 243 to
 * 284, 207 to 307, 386 to 423, 363 to 421, and 853 to 990 B.
 */
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
let code = ''

beforeAll(async () => {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    resolve: { alias: [{ find: '#hints', replacement: at('src/core/hints/no-hints.ts') }, ...alias] },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: at('test/support/garbage.ts'), formats: ['es'] },
    },
  })
  const [first] = [output].flat()
  if (first === undefined || !('output' in first)) throw new Error('no bundle')
  code = first.output[0].code
})

/** Bytes per agent and step. */
function garbageOf(scene: string): number {
  const flags = ['--expose-gc', '--no-concurrent-recompilation', '--input-type=module']
  const printed = execFileSync(process.execPath, [...flags, '-', scene], { input: code, encoding: 'utf8' })
  if (process.env['ALLOCATION'] === 'print') process.stdout.write(`${scene}: ${printed}`)
  return Number(printed)
}

/** Bytes per agent and step; the second scene takes the longest. */
const BOUNDS = [
  ['50 balls', 410],
  ...(ALL ? [['1,000 balls', 350] as const] : []),
  ['300 moving rocks', 450],
  ['ships on cannon-es', 600],
  ['rocks and other ships', 600],
  ['a building', 1400],
] as const

it.each(BOUNDS)('a step of an agent among %s allocates less than %i B', (scene, bound) => {
  let bytes = garbageOf(scene)
  // one process in thirty inlines less
  for (let i = 0; i < 2 && bytes >= bound; i++) bytes = Math.min(bytes, garbageOf(scene))
  // it is not zero, so that the measurement works
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(bound)
})
