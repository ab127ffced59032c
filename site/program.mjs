// @ts-check
const SCENE =
  /^([^]*)import type \{ Scene \} from '\.\.\/scene\.js'\n\nexport function start\(\): Scene \{\n([^]*)\n {2}return \{([^]*)\}\n\}\n$/

/** Of the column with the code. */
const WIDTH = 66

/** What only the pictures of the site have. */
const OF_SITE = new Set(['world', 'agents', 'controls', 'lasts'])

/**
 * A scene of site/scenes as a program that runs in an empty project: what its function does, and `show` with what the
 * scene returns.
 *
 * @param {string} source
 */
export function programOf(source) {
  const parts = SCENE.exec(source)
  if (parts === null) throw new Error('A scene is its imports, and a function `start` that returns an object')
  const [, imports = '', body = '', returned = ''] = parts
  const options = partsOf(returned)
    .filter((option) => !OF_SITE.has(/^\w+/.exec(option)?.[0] ?? ''))
    .map((option) => option.replaceAll('\n  ', '\n'))
  const line = `show(world${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`
  const isShort = line.length <= WIDTH && !line.includes('\n')
  const last = isShort ? line : `show(world, {\n${options.map((option) => `  ${option},\n`).join('')}})`
  const start = body.replaceAll(/^ {2}/gm, '')
  return `${imports}import { show } from 'three-steering/debug'\n\n${start}\n${last}\n`
}

/** The parts between the commas of a list that are in no bracket. @param {string} list */
function partsOf(list) {
  const parts = ['']
  let depth = 0
  for (const letter of list) {
    if ('([{'.includes(letter)) depth++
    if (')]}'.includes(letter)) depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/**
 * The blocks of code of a page, in order. One of the language `ts src/name.ts` is a file of that name, another one
 * is the main file of a program. Pictures are blocks, too.
 *
 * @param {string} page The text.
 * @param {(scene: string) => string} sceneOf Returns the text of a file of site/scenes.
 * @returns {{ name: string, text: string }[]}
 */
export function blocksOf(page, sceneOf) {
  const found = page.matchAll(
    /^```(tsx?)(?: src\/(\S+))?\n([^]*?)^```|\n\[[^\]]*\]\(\S*site\/scenes\/(\S+\.ts)\)\n/gm,
  )
  return [...found].map(([, language, name, text, scene]) => ({
    name: name ?? `main.${language ?? 'ts'}`,
    text: scene === undefined ? (text ?? '') : programOf(sceneOf(scene)),
  }))
}
