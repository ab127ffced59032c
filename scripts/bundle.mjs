// @ts-check
// Writes dist/ from what the compiler made of `src`:
// - dist/bundle/: the entries with their code in few files. Node loads these in a fifth of the time that it needs for the
//   modules, and browsers without a bundler in few requests;
// - dist/entries/ and what these import: the modules, of which bundlers keep what is used;
// - dist/types/: the declarations, one file for each folder of `src`.
// The code has no comments: those of the package's users stand in the declarations.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, normalizePath } from 'vite'
import { gatherDeclarations } from './declarations.mjs'

const at = (/** @type {string} */ path) =>
  normalizePath(fileURLToPath(new URL(`../${path}`, import.meta.url)))
/** @type {{ exports: Record<string, string | Record<string, string>>, peerDependencies: object }} */
const { exports: entries, peerDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const names = Object.values(entries).flatMap((entry) => {
  if (typeof entry === 'string') return []
  const name = (entry['default'] ?? '').slice('./dist/entries/'.length, -'.js'.length)
  // one entry in another form than the rest would bring its own copy of their classes
  if (entry['production'] !== `./dist/entries/${name}.js` || entry['node'] !== `./dist/bundle/${name}.js`)
    throw new Error(
      `package.json: the entry ${name} must have the conditions production and node, as the others`,
    )
  return [name]
})
const peers = Object.keys(peerDependencies)
const isPeer = (/** @type {string} */ id) => peers.some((peer) => id === peer || id.startsWith(`${peer}/`))
/** As in tsconfig.build.json. */
const compiled = at('node_modules/.cache/compiled')

/**
 * Adds a module and all that it imports.
 *
 * @param {string} file
 * @param {Set<string>} found
 */
function addModules(file, found) {
  if (found.has(file)) return
  found.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g))
    addModules(normalizePath(resolve(dirname(file), path)), found)
}

// The modules of the main entry go into one file. Left to itself the bundler makes one for each set of entries that share them.
/** @type {Set<string>} */
const main = new Set()
addModules(`${compiled}/entries/index.js`, main)
addModules(`${compiled}/core/hints/hints.js`, main)

/** With all names and lines. @type {import('rolldown').OutputOptions} */
const plain = { entryFileNames: '[name].js', minify: false, comments: false }
/** @type {import('vite').BuildEnvironmentOptions} */
const options = { target: 'es2022', minify: false, modulePreload: false, emptyOutDir: false }

rmSync(at('dist'), { recursive: true, force: true })
await build({
  configFile: false,
  logLevel: 'warn',
  resolve: { alias: { '#hints': `${compiled}/core/hints/hints.js` } },
  build: {
    ...options,
    outDir: at('dist/bundle'),
    rolldownOptions: {
      input: Object.fromEntries(names.map((name) => [name, `${compiled}/entries/${name}.js`])),
      external: isPeer,
      preserveEntrySignatures: 'strict',
      output: {
        ...plain,
        chunkFileNames: 'shared-[name].js',
        codeSplitting: { groups: [{ name: 'main', test: (id) => main.has(normalizePath(id)) }] },
      },
    },
  },
})
const modules = [...names.map((name) => `entries/${name}`), 'core/hints/hints', 'core/hints/no-hints']
await build({
  configFile: false,
  logLevel: 'warn',
  build: {
    ...options,
    outDir: at('dist'),
    rolldownOptions: {
      input: Object.fromEntries(modules.map((name) => [name, `${compiled}/${name}.js`])),
      external: (id) => id === '#hints' || isPeer(id),
      preserveEntrySignatures: 'strict',
      treeshake: { moduleSideEffects: false },
      output: { ...plain, preserveModules: true, preserveModulesRoot: compiled },
    },
  },
})
gatherDeclarations(compiled, at('dist/types'), names)
rmSync(compiled, { recursive: true })

// Node prints the line of an uncaught error before its message, which nobody sees after 700 kB
for (const file of readdirSync(at('dist/bundle'))) {
  const longest = Math.max(
    ...readFileSync(at(`dist/bundle/${file}`), 'utf8')
      .split('\n')
      .map((line) => line.length),
  )
  if (longest > 10_000)
    throw new Error(`dist/bundle/${file} has a line of ${longest} characters, must have short ones`)
}

for (const name of names) {
  const [modules, bundle] = await Promise.all(
    ['dist/entries', 'dist/bundle'].map((folder) => import(pathToFileURL(at(`${folder}/${name}.js`)).href)),
  )
  const [expected, got] = [modules, bundle].map((each) => Object.keys(each).sort().join())
  if (expected !== got) throw new Error(`dist/bundle/${name}.js exports ${got}, must export ${expected}`)
}
