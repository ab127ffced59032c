// @ts-check
// For the tests on node: bundles the files of each given folder into one module.
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, normalizePath } from 'vite'

/** Prefix of the module names. */
const SHARED = 'one-module-'

/**
 * A plugin that puts all TypeScript files of each of `folders` into one scope, as a user's bundler does.
 * Vitest accesses every import through a getter at each use, which makes flights take half as long again. For
 * tests nothing changes: each file has the same exports, and every export has one identity.
 *
 * @param {{ folders: readonly string[], apart: readonly string[], alias: import('vite').Alias[] }} options
 *   Absolute paths. Files below a path of `apart` stay modules of their own, so that what they import is only
 *   loaded by tests that use them.
 * @returns {import('vite').Plugin}
 */
export function oneModule({ folders: paths, apart, alias }) {
  const folders = paths.map(normalizePath)
  const single = apart.map(normalizePath)
  /** @param {string} id */
  const isShared = (id) =>
    id.endsWith('.ts') &&
    folders.some((folder) => id.startsWith(`${folder}/`)) &&
    !single.some((path) => id.startsWith(path))
  /** @type {Promise<Map<string, Pick<import('vite').Rolldown.OutputChunk, 'code' | 'map'>>> | undefined} */
  let chunks
  return {
    name: 'one-module',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(`./${SHARED}`) ? `\0${id.slice(2, -3)}` : null),
    async load(id) {
      const shared = id.startsWith(`\0${SHARED}`)
      if (!shared && !isShared(id)) return null
      chunks ??= bundle(folders, isShared, alias)
      return (await chunks).get(shared ? id.slice(1) : id)
    },
  }
}

/**
 * The chunks by name: one with all code of a folder, and for each file, by its path, one that exports the
 * file's part.
 *
 * @param {readonly string[]} folders
 * @param {(file: string) => boolean} isShared
 * @param {import('vite').Alias[]} alias
 */
async function bundle(folders, isShared, alias) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => normalizePath(join(folder, name)))
      .filter(isShared),
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
      // paths are relative to the output folder; error messages of tests show them
      if (map) map.sources = map.sources.map((file) => resolve('dist', file))
      chunks.set(chunk.isEntry ? chunk.facadeModuleId : SHARED + chunk.name, { code, map })
    }
  }
  return chunks
}
