import { BEHAVIORS, fileOf, SCHEMES } from '../site/pages.js'
import { REPOSITORY, SITE } from '../scripts/repository.mjs'
import type { Card } from './cards.js'
import { add } from './views/dom.js'

const behaviors = new Set(Object.values(BEHAVIORS).flat())
export const BEHAVIOR_COUNT = behaviors.size
const schemes = new Set(SCHEMES)

/** The page of the site about a behaviour or a scheme. Undefined for other words. */
function pageOf(word: string): string | undefined {
  const folder = behaviors.has(word) ? 'behaviors' : schemes.has(word) ? 'schemes' : undefined
  return folder && `${SITE}${folder}/${fileOf(word)}.html`
}

/** The words of a text, and the pages of those that have one. */
export function linked(text: string): { text: string; href: string | undefined }[] {
  return text.split(/\b([A-Za-z]+)\b/).map((word) => ({ text: word, href: pageOf(word) }))
}

/** Pages about what a scene shows, and its source. */
export function pagesOf({ code, guides = [], id }: Card): { text: string; href: string }[] {
  const source = (file: string): string => `${REPOSITORY}/blob/main/demo/${file}`
  return [
    ...guides.map((guide) => ({
      text: `Guide: ${guide.replaceAll('-', ' ')}`,
      href: `${SITE}guides/${guide}.html`,
    })),
    { text: 'Source: steering', href: source(code) },
    { text: 'picture', href: source(`scenes/${id}.ts`) },
  ]
}

/** A link to a page outside the gallery. */
export function addLink(parent: Element, text: string, href: string): void {
  const link = add('a', parent) as HTMLAnchorElement
  Object.assign(link, { textContent: text, href, target: '_blank', rel: 'noopener' })
}

/** Appends a text, in which behaviours and schemes are links to their pages. */
export function addLinked(parent: Element, text: string): void {
  for (const { text: word, href } of linked(text))
    if (href === undefined) parent.append(word)
    else addLink(parent, word, href)
}
