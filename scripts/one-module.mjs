// @ts-check
// For the tests on node: the files of each of some folders as one module.
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, normalizePath } from 'vite'

/** Names of the modules begin so. */
const SHARED = 'one-module-'

/**
 * A plugin that puts all TypeScript files of each of `folders` into one scope, as a user's bundler does. Vitest reaches whatever a module
 * imports through a getter, at every use, and among files that call each other all the time this makes a flight half as long again.
 * To a test nothing changes: each file still exports what it exports, and a thing is one thing wherever it comes from.
 *
 * @param {{ folders: readonly string[], alias: import('vite').Alias[] }} options Absolute paths.
 * @returns {import('vite').Plugin}
 */
export function oneModule({ folders: paths, alias }) {
  const folders = paths.map(normalizePath)
  /** @type {Promise<Map<string, Pick<import('vite').Rolldown.OutputChunk, 'code' | 'map'>>> | undefined} */
  let chunks
  return {
    name: 'one-module',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(`./${SHARED}`) ? `\0${id.slice(2, -3)}` : null),
    async load(id) {
      const shared = id.startsWith(`\0${SHARED}`)
      if (!shared && !folders.some((folder) => id.startsWith(`${folder}/`) && id.endsWith('.ts'))) return null
      chunks ??= bundle(folders, alias)
      return (await chunks).get(shared ? id.slice(1) : id)
    },
  }
}

/**
 * By name the chunk that holds all of a folder, and for each file, by its path, one that exports its part of it.
 *
 * @param {readonly string[]} folders
 * @param {import('vite').Alias[]} alias
 */
async function bundle(folders, alias) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => normalizePath(join(folder, name))),
  )
  const output = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    build: {
      ssr: true,
      write: false,
      minify: false,
      sourcemap: true,
      target: 'esnext',
      rolldownOptions: {
        input: Object.fromEntries(files.map((file, i) => [`file-${i}`, file])),
        preserveEntrySignatures: 'strict',
        treeshake: false,
        output: {
          keepNames: true,
          entryFileNames: '[name].js',
          chunkFileNames: `${SHARED}[name].js`,
          codeSplitting: { groups: folders.map((folder, i) => ({ name: `${i}`, test: folder })) },
        },
      },
    },
  })
  const chunks = new Map()
  for (const one of [output].flat()) {
    if (!('output' in one)) continue
    for (const chunk of one.output) {
      if (chunk.type !== 'chunk') continue
      const { code, map } = chunk
      // seen from the folder of a build; the tests' messages name the files
      if (map) map.sources = map.sources.map((file) => resolve('dist', file))
      chunks.set(chunk.isEntry ? chunk.facadeModuleId : SHARED + chunk.name, { code, map })
    }
  }
  return chunks
}
