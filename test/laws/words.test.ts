import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Widest comment line (columns), as wide as the code. */
const WIDEST = 110

/** In comments an agent is "it": these words hide the noun that a sentence is about. */
const PERSONAL = /\b(who|whom|whoever|nobody|somebody|he|him|his)\b/i

/** Comments for tools, which have to stand on the line of their code. */
const DIRECTIVE = /^\/\/ (prettier-ignore|@ts-|oxlint-|eslint-)|^\/\* glsl/

interface CommentLine {
  readonly place: string
  /** Columns of the whole line. */
  readonly width: number
  readonly text: string
}

/** The part of a line that is a comment, and whether the next line starts inside a comment. */
function commentIn(line: string, isInside: boolean): { text: string; isInside: boolean } {
  const code = line.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g, (quoted) =>
    '_'.repeat(quoted.length),
  )
  const source = isInside ? line : code
  const start = isInside ? 0 : source.search(/(^|\s)\/[/*]/)
  if (start < 0) return { text: '', isInside: false }
  const text = line.slice(start).trim()
  return { text, isInside: (isInside || text.startsWith('/*')) && !text.includes('*/') }
}

function commentLinesOf(place: string, source: string): CommentLine[] {
  const found: CommentLine[] = []
  let isInside = false
  for (const [i, line] of source.split('\n').entries()) {
    const comment = commentIn(line, isInside)
    isInside = comment.isInside
    if (comment.text !== '')
      found.push({ place: `${place}:${i + 1}`, width: line.trimEnd().length, text: comment.text })
  }
  return found
}

function commentsIn(folder: string): CommentLine[] {
  const root = fileURLToPath(new URL(`../../${folder}/`, import.meta.url))
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => commentLinesOf(`${folder}/${file}`, readFileSync(join(root, file), 'utf8')))
}

const isWide = ({ width, text }: CommentLine): boolean => width > WIDEST && !DIRECTIVE.test(text)
const isPersonal = ({ text }: CommentLine): boolean => PERSONAL.test(text)
const show = ({ place, text }: CommentLine): string => `${place}: ${text}`

describe('the comments', () => {
  it.each(['src', 'demo', 'test'])(`of %s are at most ${WIDEST} columns wide`, (folder) => {
    const comments = commentsIn(folder)
    expect(comments.length).toBeGreaterThan(100)
    expect(comments.filter(isWide).map(show)).toEqual([])
  })

  it('of src contain no word for a person', () => {
    expect(commentsIn('src').filter(isPersonal).map(show)).toEqual([])
  })
})

/** For those who change the package. */
const FOR_MAINTAINERS = [
  'docs/ARCHITECTURE.md',
  'docs/fast-paths.md',
  'docs/glossary.md',
  'CONTRIBUTING.md',
  'README.md',
]

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILES = ['src', 'test', 'demo', 'docs', 'site', 'scripts', 'examples', '.ci', '.github', '.'].flatMap(
  (folder) =>
    readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .map((file) => `/${folder}/${file.split('\\').join('/')}`)
      .filter((file) => !file.includes('/node_modules/')),
)
const TREE = FILES.map((file) => `${file}\n${file}/\n`).join('')

/** The code of the package, its tests and its gallery, and the entries. */
const CODE = FILES.filter(
  (file) =>
    !file.endsWith('/words.test.ts') &&
    /^\/(src|test|demo|scripts)\/.*\.(ts|mjs)$|\/package\.json$/.test(file),
)
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')

/** Whether a file or folder is there. `NAME`, `FEATURE`, `FILE`, `*` and `…` stand for any name. */
function isPath(path: string): boolean {
  const pattern = path.replaceAll('.', '\\.').replaceAll(/NAME|FEATURE|FILE|\*/g, '[^/\n]+')
  return new RegExp(`/${pattern.replaceAll('…', '.+')}$`, 'm').test(TREE)
}

/** The paths and names between backticks that are not there. `dist/` is built, and `FILE` is an argument. */
function missingIn(text: string): string[] {
  const quoted = [...text.replaceAll(/```[^]*?```/g, '').matchAll(/`([\w.@*…/-]+)`/g)].map(([, it]) => it!)
  return quoted.filter((it) => {
    if (/^(site-)?dist\/|^FILE$/.test(it)) return false
    if (it.startsWith('three-steering/')) return !CODE.includes(`"./${it.split('/')[1]}": {`)
    if (/\/|\.(ts|md|mjs|json)$/.test(it)) return !isPath(it)
    const words = it.replaceAll(/NAME/g, '').match(/[A-Za-z_]\w*/g) ?? []
    return words.some((word) => !(word in globalThis || new RegExp(`\\b${word}\\b`).test(CODE)))
  })
}

describe('the documents for maintainers', () => {
  it.each(FOR_MAINTAINERS)('%s names only paths and code that are there', (file) =>
    expect(missingIn(readFileSync(join(ROOT, file), 'utf8'))).toEqual([]),
  )

  it('name every folder of the three rings', () => {
    const text = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8')
    const folders = ['core', 'blocks', 'extras'].flatMap((ring) =>
      readdirSync(join(ROOT, 'src', ring), { withFileTypes: true })
        .filter((file) => file.isDirectory())
        .map(({ name }) => name),
    )
    expect(folders.filter((name) => !text.includes(`\`${name}/\``))).toEqual([])
  })
})
