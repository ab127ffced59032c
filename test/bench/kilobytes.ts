import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

/** The folder of this package. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
/** A module that is not on the disk. */
const PAGE = `${ROOT}page.js`
const ENTRIES = { 'three-steering': `${ROOT}dist/entries/index.js`, yuka: 'yuka' }

/** What a page with this job imports from three-steering, and from Yuka. */
export const PAGES: readonly (readonly [job: string, own: readonly string[], yuka: readonly string[]])[] = [
  [
    'an agent that seeks',
    ['SteeringWorld', 'SteeringController', 'Seek'],
    ['EntityManager', 'Vehicle', 'SeekBehavior'],
  ],
  [
    'a flock',
    ['SteeringWorld', 'Flock', 'Flocking'],
    [
      'EntityManager',
      'Vehicle',
      'CellSpacePartitioning',
      'SeparationBehavior',
      'AlignmentBehavior',
      'CohesionBehavior',
    ],
  ],
  [
    'an agent that avoids balls',
    ['SteeringWorld', 'SteeringController', 'Seek', 'within', 'AvoidObstacles', 'Obstacles', 'SphereShape'],
    ['EntityManager', 'Vehicle', 'GameEntity', 'SeekBehavior', 'ObstacleAvoidanceBehavior'],
  ],
]

/** Size (kB) of a production bundle of these names of a package, minified and compressed by brotli. */
export async function kilobytes(from: keyof typeof ENTRIES, names: readonly string[]): Promise<number> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    plugins: [
      {
        name: 'page',
        enforce: 'pre',
        resolveId: (id) => (id === PAGE ? PAGE : null),
        load: (id) => (id === PAGE ? `export { ${names.join(', ')} } from '${ENTRIES[from]}'` : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: PAGE, formats: ['es'] },
      // the option `minify` of Vite leaves the spaces of modules
      rolldownOptions: { preserveEntrySignatures: 'strict', output: { minify: true } },
    },
  })
  let code = ''
  for (const bundle of Array.isArray(output) ? output : [output])
    if ('output' in bundle) for (const part of bundle.output) if (part.type === 'chunk') code += part.code
  return brotliCompressSync(code).length / 1000
}
