// @ts-check
// For the gallery: the code of its scenes, with colours.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { normalizePath } from 'vite'
import { REPOSITORY, SITE } from './repository.mjs'

const START = /^[ \t]*\/\/ #region code$/gm
const END = /^[ \t]*\/\/ #endregion$/gm

/**
 * The part of a source file between `// #region code` and `// #endregion`, without common indentation, what stands
 * before it, and the numbers of its first and last line. Undefined if the file has no such part. Throws if it has several.
 *
 * @param {string} source
 */
export function regionOf(source) {
  const starts = [...source.matchAll(START)]
  const ends = [...source.matchAll(END)]
  if (starts.length === 0 && ends.length === 0) return undefined
  const [start, end] = [starts[0]?.index ?? Infinity, ends[0]?.index ?? 0]
  if (starts.length !== 1 || ends.length !== 1 || end < start)
    throw new Error('expected one // #region code, and one // #endregion after it')
  const lines = source
    .slice(source.indexOf('\n', start) + 1, end)
    .split('\n')
    .slice(0, -1)
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  const first = source.slice(0, start).split('\n').length + 1
  return {
    before: source.slice(0, start),
    text: lines.map((line) => line.slice(indent)).join('\n'),
    first,
    last: first + lines.length - 1,
  }
}

/** @param {string} folder @param {string} end */
function namesIn(folder, end) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(end))
    .map((file) => basename(file, end))
}

/**
 * Vite plugin with four kinds of modules:
 *
 * - `FILE?code` is the region `code` of a source file, as HTML with colours, and its address in the repository;
 * - `virtual:scene-code` loads these, by the path of the file in `folder`, and names all models in `assets`;
 * - `virtual:loops` names the scenes with a loop in `assets`;
 * - `repository.mjs` has its addresses as text, without the manifest from which it takes them.
 *
 * @param {{ root: string, folder: string, assets: string }} options Absolute paths of the repository, of the gallery
 *   in it, and of its models.
 * @returns {import('vite').Plugin}
 */
export function sceneCode({ root, folder, assets }) {
  const NAME = 'virtual:scene-code'
  const LOOPS = 'virtual:loops'
  return {
    name: 'scene-code',
    resolveId: (id) => (id === NAME || id === LOOPS ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${LOOPS}`)
        return `export const loops = ${JSON.stringify(namesIn(join(assets, 'loops'), '.webm'))}`
      if (id === `\0${NAME}`) {
        const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((file) => /\.tsx?$/.test(file))
          .filter((file) => regionOf(readFileSync(join(folder, file), 'utf8')) !== undefined)
          .map(normalizePath)
        const entries = files.map(
          (file) =>
            `${JSON.stringify(file)}: () => import(${JSON.stringify(`${normalizePath(join(folder, file))}?code`)})`,
        )
        const models = namesIn(assets, '.glb')
        return `export const files = { ${entries.join(', ')} }\nexport const models = ${JSON.stringify(models)}`
      }
      if (id.endsWith('/scripts/repository.mjs'))
        return `export const REPOSITORY = ${JSON.stringify(REPOSITORY)}, SITE = ${JSON.stringify(SITE)}`
      const [file = '', query] = id.split('?')
      if (query !== 'code') return undefined
      const region = regionOf(readFileSync(file, 'utf8'))
      if (region === undefined) throw new Error(`${file} has no region named code`)
      this.addWatchFile(file)
      const { codeToHtml } = await import('shiki')
      const html = await codeToHtml(region.text, {
        lang: extname(file) === '.tsx' ? 'tsx' : 'ts',
        theme: 'github-dark-default',
        // so that the methods of a class are known as such
        grammarContextCode: region.before,
      })
      const path = normalizePath(relative(root, file))
      const address = `${REPOSITORY}/blob/main/${path}#L${region.first}-L${region.last}`
      const code = { name: basename(file), address, html }
      return { code: `export default ${JSON.stringify(code)}`, moduleType: 'js' }
    },
  }
}
