// @ts-check
// Gathers the declarations that the compiler wrote: one file for each folder of `src`, in place of one for each module.
// An editor that goes to a definition ends up there, with the docstring.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** An import or an export of names, which the compiler writes in one line. */
const LINK =
  /^(import|export(?: type)?) (?:type )?(?:\{ ?(.*?),? ?\}|\* as (\w+)|(\*))(?: from '([^']+)')?;\n?/gm
const DECLARED = /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|let|function) (\w+)/gm
const INLINE = /(?<=import\(")[^"]+(?="\))/g

/** @typedef {{ path: string, name: string }} Origin A name and the module that declares it; `*` is all of a module. */

/**
 * @param {string} from Folder with the declarations of the modules.
 * @param {string} to Folder for the entries. What they share lies in folders of it.
 * @param {readonly string[]} entries
 */
export function gatherDeclarations(from, to, entries) {
  /** @type {Map<string, { body: string, own: Set<string>, imports: Map<string, Origin>, exports: Map<string, Origin & { word: string }>, all: string[] }>} */
  const modules = new Map()

  /** @param {string} path */
  function read(path) {
    if (modules.has(path)) return
    const text = readFileSync(join(from, `${path}.d.ts`), 'utf8')
    const locate = (/** @type {string} */ source) =>
      source.startsWith('.') ? posix.join(posix.dirname(path), source).replace(/\.js$/, '') : source
    const body = text.replaceAll(LINK, '').replaceAll(INLINE, locate)
    const own = new Set([...body.matchAll(DECLARED)].map(([, name = '']) => name))
    const module = { body, own, imports: new Map(), exports: new Map(), all: /** @type {string[]} */ ([]) }
    modules.set(path, module)
    const sources = [...text.matchAll(INLINE)].map(([source]) => source)
    for (const [, word = '', names = '', star, all, source] of text.matchAll(LINK)) {
      if (source !== undefined) sources.push(source)
      const target = source === undefined ? path : locate(source)
      if (all) module.all.push(target)
      if (star) module.imports.set(star, { path: target, name: '*' })
      for (const each of names.split(', ').filter(Boolean)) {
        const [name = '', local = name] = each.replace(/^type /, '').split(' as ')
        const origin = source === undefined ? module.imports.get(name) : undefined
        const found = origin ?? { path: target, name }
        if (word === 'import') module.imports.set(local, found)
        else module.exports.set(local, { ...found, word: each.startsWith('type ') ? 'export type' : word })
      }
    }
    for (const source of sources) if (source.startsWith('.')) read(locate(source))
  }
  for (const entry of entries) read(`entries/${entry}`)

  /** Where a name of a module is declared. @param {Origin} origin @returns {Origin | undefined} */
  function declaredBy({ path, name }) {
    const module = modules.get(path)
    if (module === undefined || name === '*' || module.own.has(name)) return { path, name }
    const passed = module.exports.get(name)
    if (passed !== undefined) return declaredBy(passed)
    return module.all.map((each) => declaredBy({ path: each, name })).find((found) => found !== undefined)
  }

  /** The names that a module exports. @param {string} path @returns {string[]} */
  function namesOf(path) {
    const module = modules.get(path)
    if (module === undefined)
      throw new Error(`export * from '${path}': only modules of the package can be passed on`)
    const own = [...module.body.matchAll(DECLARED)].filter(([text]) => text.startsWith('export '))
    return [...own.map(([, name = '']) => name), ...module.exports.keys(), ...module.all.flatMap(namesOf)]
  }

  /** Where a name is declared, that something must declare. @param {Origin} origin */
  function meaningOf(origin) {
    const found = declaredBy(origin)
    if (found === undefined) throw new Error(`${origin.path}.d.ts: nothing declares ${origin.name}`)
    return found
  }

  /** The modules of each file, and the file of each module. @type {Map<string, { paths: string[], scope: Map<string, string> }>} */
  const files = new Map()
  /** @type {Map<string, string>} */
  const homes = new Map()
  for (const [path, { own, imports }] of modules) {
    const scope = new Map([...own].map((name) => [name, `${path}#${name}`]))
    for (const [local, origin] of imports) {
      const { path: source, name } = meaningOf(origin)
      scope.set(local, `${source}#${name}`)
    }
    const folder = path.startsWith('entries/') ? path.slice('entries/'.length) : posix.dirname(path)
    const there = files.get(folder)
    // a name that means something else in this folder
    const clashes = [...scope].some(([name, meaning]) => (there?.scope.get(name) ?? meaning) !== meaning)
    const home = clashes ? path : folder
    homes.set(path, home)
    const file = files.get(home) ?? { paths: /** @type {string[]} */ ([]), scope: new Map() }
    file.paths.push(path)
    for (const [name, meaning] of scope) file.scope.set(name, meaning)
    files.set(home, file)
  }

  for (const [home, { paths }] of files) {
    /** Names by the line that links them. @type {Map<string, Set<string>>} */
    const links = new Map()
    const linkTo = (/** @type {string} */ path) => {
      const to = homes.get(path)
      if (to === undefined) return path
      const way = posix.relative(posix.dirname(home), posix.dirname(to)) || '.'
      return `${way.startsWith('.') ? '' : './'}${way}/${posix.basename(to)}.js`
    }
    /** @param {string} word @param {string} local @param {Origin} origin */
    const link = (word, local, origin) => {
      const { path, name } = meaningOf(origin)
      if (homes.get(path) === home && name === local) return
      const what = name === '*' ? `* as ${local}` : '{ NAMES }'
      const line = `${word} ${what} from '${linkTo(path)}';`
      links.set(line, (links.get(line) ?? new Set()).add(name === local ? name : `${name} as ${local}`))
    }
    let text = ''
    for (const path of paths) {
      const module = modules.get(path)
      if (module === undefined) continue
      for (const [local, origin] of module.imports) link('import', local, origin)
      for (const [local, origin] of module.exports) link(origin.word, local, origin)
      for (const each of module.all)
        for (const name of namesOf(each)) link('export type', name, { path: each, name })
      text += module.body.replaceAll(INLINE, linkTo)
    }
    const lines = [...links].map(([line, names]) => line.replace('NAMES', [...names].join(', ')))
    const file = join(to, `${home}.d.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${[...lines, text].join('\n')}export {};\n`)
  }
}
