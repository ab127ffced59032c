import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MarkdownRenderer } from 'vitepress'
import { documentOf, documentsOf } from '../scripts/option-docs.mjs'
import { REPOSITORY } from '../scripts/repository.mjs'
import { programOf } from './program.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const docs = resolve(root, 'docs')

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** The file that a link of a page names, or undefined for an address. */
function fileOf(page: string, href: string): string | undefined {
  if (/^(\w+:|\/|#)/.test(href)) return undefined
  const path = decodeURI(href.replace(/[#?].*$/, ''))
  // the changelog is shown as a page of docs/, and links from the root
  return [resolve(dirname(page), path), resolve(root, path)].find((file) => existsSync(file))
}

/** Where the site has what a link on GitHub names, or undefined if the link is right as it is. */
function addressOf(page: string, href: string): string | undefined {
  const file = fileOf(page, href)
  if (file === undefined) return undefined
  const path = relative(root, file).split(sep).join('/')
  const heading = /#.*$/.exec(href)?.[0] ?? ''
  const scene = /^demo\/scenes\/([\w-]+)\.ts$/.exec(path)?.[1]
  if (scene !== undefined) return `/gallery/?scene=${scene}`
  if (path === 'CHANGELOG.md') return '/changelog'
  if (path.startsWith('docs/')) return `/${path.slice(5).replace(/\.md$/, '')}${heading}`
  return `${REPOSITORY}/blob/main/${path}${heading}`
}

/** The only link of a paragraph, if it has nothing else. */
function loneLink(tokens: readonly Token[], i: number): string | undefined {
  if (tokens[i]!.type !== 'paragraph_open') return undefined
  const children = tokens[i + 1]!.children ?? []
  const isLone = children[0]?.type === 'link_open' && children.at(-1)?.type === 'link_close'
  return isLone && children.length === 3 ? (children[0]!.attrGet('href') ?? undefined) : undefined
}

/** Without tags: what looks like one, outside of code, is text. */
const escaped = (text: string): string =>
  text.replaceAll(/`[^`]*`|</g, (part) => (part === '<' ? '&lt;' : part))

/** A link to the page of a class in the API reference, which VitePress does not know. */
function apiLink(name: string): string {
  const folder = resolve(root, 'src/entries')
  const pattern = new RegExp(`export \\{[^}]*\\b${name}\\b`)
  const names = ['index.ts', ...readdirSync(folder)]
  const entry = names.find((file) => pattern.test(readFileSync(resolve(folder, file), 'utf8')))
  if (entry === undefined) throw new Error(`No entry exports ${name}`)
  const module = entry === 'index.ts' ? 'three-steering' : `three-steering_${entry.slice(0, -3)}`
  const href = `${process.env['SITE_BASE'] ?? '/'}api/classes/${module}.${name}.html`
  return `<p><a href="${href}" target="_self">${name} in the API reference</a></p>\n`
}

/** The options of a class as rows of docs/reference/options.md, with the meaning from the docstrings. */
function optionTable(md: MarkdownRenderer, name: string): string {
  const text = readFileSync(resolve(docs, 'reference/options.md'), 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith(`${name}\n`))
  if (section === undefined) throw new Error(`docs/reference/options.md has no section ${name}`)
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \| (.*) \|$/gm)]
  const cell = (source: string): string => md.renderInline(source)
  const body = rows.map(([, option, kind, range, unit, initial]) => {
    const doc = documentOf(name, option!)
    const values = [range === '' ? (kind === 'number' ? '' : kind!) : range!, unit!].filter(Boolean).join(' ')
    const first = `<td><code>${option}</code></td>`
    return `<tr>${first}<td>${cell(withoutDefault(doc))}</td><td>${cell(escaped(values))}</td><td>${cell(initial!)}</td></tr>`
  })
  const head = '<tr><th>option</th><th>meaning</th><th>values</th><th>default</th></tr>'
  return `<table class="options" v-pre><thead>${head}</thead><tbody>${body.join('')}</tbody></table>\n${apiLink(name)}`
}

/** The options of a class that has no table, with their docstrings. */
function optionList(md: MarkdownRenderer, name: string): string {
  const options = documentsOf(name)
  if (options.length === 0) throw new Error(`No options of ${name} are known`)
  const rows = options.map(([option, doc]) => {
    const initial = DEFAULT.exec(doc)?.[1] ?? /(`\w+`) \(default\)/.exec(doc)?.[1] ?? ''
    const cells = [withoutDefault(doc), escaped(initial)].map((text) => `<td>${md.renderInline(text)}</td>`)
    return `<tr><td><code>${option}</code></td>${cells.join('')}</tr>`
  })
  const head = '<tr><th>option</th><th>meaning</th><th>default</th></tr>'
  return `<table class="options" v-pre><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>\n`
}

/** The sentence of the default in a docstring. */
const DEFAULT = /(?:^| )Default(?:s|:)? ((?:[^.]|\.(?=\d))*)\.(?=\s|$)/

/** A docstring without the sentence of the default, which has a column of its own. */
function withoutDefault(doc: string): string {
  return escaped(
    doc
      .replaceAll(/\{@link (\w+)(?:\.\w+)?\}/g, '`$1`')
      .replace(DEFAULT, '')
      .trim(),
  )
}

/**
 * Makes pages of the site of what GitHub shows as well:
 * - links to files lead to the page, the scene of the gallery, or the file at GitHub;
 * - a paragraph that is only a link to a file of site/scenes becomes the picture, with its code as a program;
 * - a block of code gets the name of its file, and a button that opens it in StackBlitz;
 * - a paragraph that is only a link to a section of the options becomes the table of these options.
 */
export function extendMarkdown(md: MarkdownRenderer): void {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, i, ...rest) => {
    const html = fence!(tokens, i, ...rest)
    const block = /^(tsx?)(?: src\/(\S+))?$/.exec(tokens[i]!.info.trim())
    const file = block?.[2] ?? `main.${block?.[1]}`
    return block === null ? html : html.replace(/<div[^>]*>/, `$&<OpenBlock file="${file}" />`)
  }
  md.core.ruler.push('pages', (state) => {
    const page = (state.env as { path?: string }).path
    if (page === undefined) return
    const { tokens } = state
    for (let i = tokens.length - 1; i >= 0; i--) {
      const link = loneLink(tokens, i)
      const scene = link === undefined ? undefined : /site\/scenes\/([\w-]+)\.ts$/.exec(link)?.[1]
      const options = /^\[Options of (\w+)\]/.exec(tokens[i + 1]?.content ?? '')?.[1]
      if (scene !== undefined) {
        const open = new state.Token('html_block', '', 0)
        open.content = `<div class="scene-and-code"><ClientOnly><LiveScene name="${scene}" /></ClientOnly>\n`
        const code = new state.Token('fence', 'code', 0)
        code.info = 'ts'
        code.markup = '```'
        code.content = programOf(readFileSync(resolve(root, 'site/scenes', `${scene}.ts`), 'utf8'))
        const close = new state.Token('html_block', '', 0)
        close.content = '</div>\n'
        tokens.splice(i, 3, open, code, close)
      } else if (link !== undefined && options !== undefined) {
        const table = new state.Token('html_block', '', 0)
        table.content = link.includes('options.md') ? optionTable(md, options) : optionList(md, options)
        tokens.splice(i, 3, table)
      }
    }
    for (const token of tokens)
      for (const child of token.children ?? []) {
        if (child.type !== 'link_open') continue
        const address = addressOf(page, child.attrGet('href') ?? '')
        if (address === undefined) continue
        // the gallery is no page of VitePress, which gives a base to its own pages only
        const isOther = address.startsWith('/gallery/')
        child.attrSet('href', isOther ? `${process.env['SITE_BASE'] ?? '/'}${address.slice(1)}` : address)
        if (isOther) child.attrSet('target', '_self')
      }
  })
}
