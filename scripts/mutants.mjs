// @ts-check
// Random mistakes in the code of `src`, for `node scripts/breakages.mjs --random COUNT --seed SEED`.
import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node */
/** @typedef {{ kind: string, start: number, end: number, to: string }} Mutation */

/** @type {Record<string, string>} */
const SWAPS = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '+=': '-=',
  '-=': '+=',
  '&&': '||',
  '||': '&&',
}

/** What has no effect when the program runs, and texts. */
const isSilent = (/** @type {Node} */ { type, computed }) =>
  /^(Import|ExportAll|TemplateLiteral)/.test(type) ||
  (type.startsWith('TS') && !/^TS(As|NonNull|Satisfies|Parameter)/.test(type)) ||
  // an index with a fraction is found by any test that reaches it
  (type === 'MemberExpression' && computed)

const isText = (/** @type {Node} */ { type, value }) =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')

/**
 * All mutations of a program: a comparison turned round, + and - or && and || or min and max swapped, a constant
 * 1.3 times as large, a condition that always or never holds, a statement left out.
 *
 * @param {string} text
 * @param {string} name
 * @returns {Mutation[]}
 */
function mutations(text, name) {
  /** @type {Mutation[]} */
  const found = []
  const code = (/** @type {Node} */ { start, end }) => text.slice(start, end)
  /** @param {string} kind @param {{ start: number, end: number }} place @param {string} to */
  const add = (kind, { start, end }, to) => found.push({ kind, start, end, to })
  /** @param {Node} node */
  const visit = (node) => {
    const { type, operator, left, right, test, callee, argument } = node
    if (isSilent(node)) return
    if (SWAPS[operator] !== undefined && left && ![left, right].some(isText)) {
      const at = text.indexOf(operator, left.end)
      add(`${operator} becomes ${SWAPS[operator]}`, { start: at, end: at + operator.length }, SWAPS[operator])
    }
    if (type === 'Literal' && typeof node['value'] === 'number' && node['value'] !== 0)
      add('1.3 times as large', node, String(Number((1.3 * node['value']).toPrecision(12))))
    if (type === 'ExpressionStatement' && node['directive'] === undefined) add('left out', node, ';')
    if (/^(Break|Continue|Throw)Statement$/.test(type) || (type === 'ReturnStatement' && argument === null))
      add('left out', node, ';')
    if (type === 'IfStatement' || type === 'ConditionalExpression')
      for (const to of ['true', 'false']) add(`condition becomes ${to}`, test, to)
    if (callee && /^Math\.(min|max)$/.test(code(callee)))
      add('min and max swapped', callee, code(callee) === 'Math.min' ? 'Math.max' : 'Math.min')
    if (type === 'ThrowStatement') return
    const children = type === 'Property' && !node['computed'] ? [node['value']] : Object.values(node).flat()
    for (const child of children)
      if (child !== null && typeof child === 'object' && typeof child.type === 'string') visit(child)
  }
  /** @type {any} */
  const { program } = parseSync(name, text)
  visit(program)
  return found
}

/** Mulberry32. */
const seeded = (/** @type {number} */ seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

/**
 * Draws mistakes: a random line of all files, a random mutation that begins there. Lines without any are drawn anew.
 *
 * @param {string} root
 * @param {readonly string[]} files
 * @param {number} count
 * @param {number} seed
 */
export function randomMistakes(root, files, count, seed) {
  const random = seeded(seed)
  const lines = files.flatMap((file) => {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    return text.split('\n').map((line, i) => ({ file, text, line, number: i + 1 }))
  })
  /** @type {{ name: string, file: string, mutate: (text: string) => string }[]} */
  const drawn = []
  while (drawn.length < count) {
    const { file, text, line, number } = lines[Math.floor(random() * lines.length)] ?? {}
    if (file === undefined || text === undefined || line === undefined) continue
    const all = mutations(text, file).filter(
      ({ start }) => text.slice(0, start).split('\n').length === number,
    )
    const chosen = all[Math.floor(random() * all.length)]
    if (chosen === undefined) continue
    const { kind, start, end, to } = chosen
    const name = `${file}:${number} ${line.trim()} [${text.slice(start, end).replace(/\s+/g, ' ')}: ${kind}]`
    drawn.push({ name, file, mutate: (whole) => whole.slice(0, start) + to + whole.slice(end) })
  }
  return drawn
}
