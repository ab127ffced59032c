// @ts-check Finds dead links in a folder of pages: files and headings that do not exist.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Attributes of a page that name another file. */
const LINKS = /<(?:a|link|script|img|source|iframe)\b[^>]*?\s(?:href|src)="([^"]*)"/g
const IDS = /\s(?:id|name)="([^"]+)"/g

/**
 * @param {string} folder The files of the site.
 * @param {string} base Path on its host, such as `/` or `/three-steering/`.
 * @returns {string[]} The dead links, each with its page.
 */
export function deadLinks(folder, base) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split('\\').join('/'))
    .filter((file) => file.endsWith('.html'))
  /** @type {Map<string, Set<string>>} */
  const ids = new Map()
  /** @param {string} path */
  const idsOf = (path) => {
    const known = ids.get(path)
    if (known !== undefined) return known
    const found = new Set([...readFileSync(path, 'utf8').matchAll(IDS)].map(([, id = '']) => id))
    ids.set(path, found)
    return found
  }
  const dead = []
  for (const file of files) {
    const page = new URL(`http://site.test${base}${file}`)
    const links = new Set(
      [...readFileSync(join(folder, file), 'utf8').matchAll(LINKS)].map(([, link = '']) => link),
    )
    for (const link of links) {
      if (/^[a-z][\w+.-]*:/i.test(link) || link.startsWith('//')) continue
      const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), page)
      if (!pathname.startsWith(base)) {
        dead.push(`${file}: ${link} is outside of ${base}`)
        continue
      }
      const at = join(folder, decodeURI(pathname.slice(base.length)))
      const target = [at, `${at}.html`, join(at, 'index.html')].find(
        (path) => existsSync(path) && statSync(path).isFile(),
      )
      if (target === undefined) dead.push(`${file}: ${link}`)
      else if (
        hash !== '' &&
        target.endsWith('.html') &&
        !idsOf(target).has(decodeURIComponent(hash.slice(1)))
      )
        dead.push(`${file}: ${link}, heading`)
    }
  }
  return dead
}
