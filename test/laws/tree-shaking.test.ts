import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import { alias } from '../../vite.config.ts'

/**
 * A user's bundle contains the code of the names that it imports, and no more. Sizes in kB are checked by
 * `npm run sizes`.
 */
const SRC = fileURLToPath(new URL('../../src', import.meta.url))
/** A module that is not on the disk. */
const PAGE = `${SRC}/page.js`

interface Bundle {
  readonly code: string
  /** Files of src with code in the bundle. */
  readonly files: readonly string[]
}

/** Bundles a page that imports these names from an entry of the package, as Vite does for production. */
async function bundle(imports: Readonly<Record<string, string>>): Promise<Bundle> {
  const lines = Object.entries(imports).map(([entry, names]) => `export { ${names} } from '${entry}'`)
  const output = await build({
    configFile: false,
    logLevel: 'error',
    // as builds for production have it
    resolve: { alias: [{ find: '#hints', replacement: `${SRC}/core/hints/no-hints.ts` }, ...alias] },
    plugins: [
      {
        name: 'page',
        enforce: 'pre',
        resolveId: (id) => (id === PAGE ? PAGE : null),
        load: (id) => (id === PAGE ? lines.join('\n') : null),
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: PAGE, formats: ['es'] },
      rolldownOptions: {
        external: ['cannon-es', 'three', 'three-mesh-bvh', /^three\//],
        preserveEntrySignatures: 'strict',
      },
    },
  })
  const [first] = [output].flat()
  if (first === undefined || !('output' in first)) throw new Error('no bundle')
  const [{ code, modules }] = first.output
  const files = Object.entries(modules)
    .filter(([id, { renderedLength }]) => id.startsWith(SRC) && id !== PAGE && renderedLength > 0)
    .map(([id]) => relative(SRC, id).split('\\').join('/'))
    // empty functions, which a minifier removes with their calls
    .filter((file) => file !== 'core/hints/no-hints.ts')
  if (files.length === 0) throw new Error('a bundle of nothing')
  return { code, files }
}

const foldersOf = ({ files }: Bundle): string[] =>
  [...new Set(files.map((file) => file.replace(/\/[^/]*$/, '')))].sort()

describe('a bundle contains no more than what is imported', () => {
  it('one behaviour without the engine, other behaviours and combinations', async () => {
    const { files } = await bundle({ 'three-steering': 'Seek' })
    expect(files).toContain('core/behaviors/motion/seek.ts')
    expect(
      files.filter((file) =>
        /^(blocks|core\/(engine|combine|obstacles|solver|locomotion|snapshot|explain))\//.test(file),
      ),
    ).toEqual([])
    expect(files.filter((file) => file.includes('/behaviors/'))).toEqual(['core/behaviors/motion/seek.ts'])
  })

  it('one shape without the other shapes', async () => {
    const { files } = await bundle({ 'three-steering': 'SphereShape' })
    expect(
      foldersOf({ code: '', files }).filter((folder) => !['core/math', 'core/obstacles'].includes(folder)),
    ).toEqual([])
    for (const shape of ['box', 'capsule', 'cylinder', 'hollow', 'hull'])
      expect(files).not.toContain(`core/obstacles/${shape}.ts`)
  })

  it('a world, a controller and a behaviour without snapshots, explanations, obstacles and combinations', async () => {
    const built = await bundle({
      'three-steering': 'SteeringWorld, SteeringController, Arrive',
      'three-steering/cannon': 'attachToCannon',
    })
    expect(foldersOf(built)).toEqual([
      'core/behaviors/motion',
      'core/control',
      'core/engine',
      'core/locomotion',
      'core/math',
      'extras/cannon',
    ])
    expect(built.files).not.toContain('core/locomotion/flight.ts')
    // nothing in it looks for neighbours, makes a flock or has a guard
    expect(built.files.filter((file) => /^core\/engine\/(flock|guard)\.ts$/.test(file))).toEqual([])
    expect(built.code).not.toMatch(/\binstancedView\b/)
    expect(built.code).not.toMatch(/\bserialize(Agents|Grid|Roster)\b|\bclass (Explanation|Saver|Loader)\b/)
  })

  it('a world and a behaviour that looks for neighbours, with the search for them', async () => {
    const { files } = await bundle({ 'three-steering': 'SteeringWorld, SteeringController, Separation' })
    expect(files).toContain('core/neighbors/neighbor-search.ts')
    expect(files).not.toContain('core/engine/flock.ts')
  })

  it('taking snapshots without restoring them, and without the engine', async () => {
    const built = await bundle({ 'three-steering/snapshot': 'takeSnapshot' })
    expect(built.files).not.toContain('extras/snapshot/snapshot-restore.ts')
    expect(built.files).not.toContain('extras/snapshot/snapshot-check.ts')
    expect(built.files).not.toContain('core/engine/world.ts')
    expect(built.code).not.toMatch(/\bclass Loader\b|\bfromBase64\b/)
  })

  it('explaining without snapshots and the engine', async () => {
    const { files } = await bundle({ 'three-steering/explain': 'explain' })
    expect(files).toContain('extras/explain/explanation.ts')
    expect(files.filter((file) => file.startsWith('extras/snapshot/'))).toEqual([])
    expect(files.filter((file) => file.startsWith('core/engine/'))).toEqual([
      'core/engine/world-internals.ts',
    ])
  })

  it('a cannon-es body without obstacles and latches', async () => {
    const { files } = await bundle({ 'three-steering/cannon': 'cannonBody' })
    expect(files.filter((file) => /^core\/(obstacles|engine)\/|latch|obstacles/.test(file))).toEqual([])
  })

  it('a door to Rapier without obstacles and latches', async () => {
    const { files } = await bundle({ 'three-steering/rapier': 'rapierDoor' })
    expect(
      files.filter((file) => /^core\/(obstacles|engine)\/|latch|rapier\/(obstacles|shapes)/.test(file)),
    ).toEqual([])
  })

  it('the radius of a mesh without views and obstacles', async () => {
    const { code, files } = await bundle({ 'three-steering/three': 'radiusOf' })
    expect(files.filter((file) => !/^(core\/math|extras\/three)\//.test(file))).toEqual([])
    expect(code).not.toMatch(/\b(objectView|instancedView|obstaclesFromObject3D)\b/)
  })

  it('a mesh shape without the engine', async () => {
    const { files } = await bundle({ 'three-steering/bvh': 'MeshShape' })
    expect(files.filter((file) => /^core\/(engine|behaviors|control)\//.test(file))).toEqual([])
  })

  it('the colour of a layer without the helper', async () => {
    const { code } = await bundle({ 'three-steering/debug': 'colorFor' })
    expect(code).not.toContain('class SteeringHelper')
  })

  it('a preset type without the behaviours of the package', async () => {
    const { files } = await bundle({ 'three-steering/presets': 'presetType' })
    expect(files.filter((file) => !/^(extras\/presets|core\/math)\//.test(file))).toEqual([])
  })
})
