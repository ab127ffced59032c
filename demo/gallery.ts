import { playOnCard } from './card-loop.js'
import { CARDS, GROUPS, TOP, type Card } from './cards.js'
import { addInstallLine } from './install.js'
import { addLink, BEHAVIOR_COUNT } from './links.js'
import { REPOSITORY, SITE } from '../scripts/repository.mjs'
import { element } from './page.js'
import { add } from './views/dom.js'

/** The page that shows all scenes. `loops` names the scenes whose cards move. */
export function showGallery(loops: readonly string[]): void {
  const gallery = element('gallery')
  add('h1', gallery).textContent = 'three-steering'
  add('p', gallery, 'lead').textContent =
    'An npm package that steers what moves in three.js: flocks, fleets, traffic, pursuit, docking, formations and ' +
    'races. It pushes rigid bodies of cannon-es or Rapier, or has a small engine of its own.'
  const start = add('div', gallery, 'start')
  addInstallLine(start, 'cannon-es')
  addLink(start, 'Documentation', SITE)
  addLink(start, 'Get started', `${SITE}getting-started.html`)
  addLink(start, 'GitHub', REPOSITORY)
  const filter = add('input', start) as HTMLInputElement
  filter.type = 'search'
  filter.placeholder = 'Filter: “dock”, “Reynolds” …'
  filter.setAttribute('aria-label', 'Filter the scenes by behaviour, source or title')
  add('p', gallery).textContent =
    `For cannon-es, Rapier, React Three Fiber, or no engine · TypeScript · MIT · ${BEHAVIOR_COUNT} behaviours, ` +
    'each with a live page. Every bird, ship and drone below is moved by one force and one torque per step, within ' +
    'the limits of its wings, thrusters or rotors. Positions are never set.'
  const links = new Map<Card, HTMLAnchorElement>()
  const sections = [
    { title: '', cards: TOP.map((id) => CARDS.find((card) => card.id === id)!) },
    ...GROUPS.map((group) => ({
      title: group,
      cards: CARDS.filter((card) => card.group === group && !TOP.includes(card.id)),
    })),
  ].map(({ title, cards }) => {
    const section = add('section', gallery)
    if (title) add('h2', section).textContent = title
    const grid = add('div', section, title ? 'cards' : 'cards top')
    for (const card of cards) links.set(card, makeLink(card, grid, loops.includes(card.id)))
    return { section, cards }
  })
  const none = add('p', gallery, 'none')
  none.hidden = true
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/)
    for (const [card, link] of links) link.hidden = !words.every((word) => textOf(card).includes(word))
    for (const { section, cards } of sections) section.hidden = cards.every((card) => links.get(card)!.hidden)
    none.hidden = sections.some(({ section }) => !section.hidden)
    none.textContent = `No scene mentions “${filter.value}”.`
  })
  gallery.hidden = false
}

/** A card with a picture, which moves if there is a loop, title and summary. It opens its scene. */
function makeLink(card: Card, parent: Element, moves: boolean): HTMLAnchorElement {
  const link = add('a', parent, 'card') as HTMLAnchorElement
  link.href = `?scene=${card.id}`
  const picture = add('div', link, 'picture')
  picture.append(thumbnailOf(card, 640, 400))
  if (moves) playOnCard(link, picture, card.id)
  add('h3', link).textContent = card.title
  add('p', link).textContent = card.summary
  return link
}

export function thumbnailOf({ id }: Card, width: number, height: number): HTMLImageElement {
  const image = document.createElement('img')
  image.loading = 'lazy'
  image.src = `./thumbnails/${id}.jpg`
  image.alt = ''
  image.width = width
  image.height = height
  return image
}

/** All words of a card, in lower case. */
function textOf({ title, group, summary, behaviors }: Card): string {
  const credits = behaviors.map(({ name, source }) => `${name} ${source}`)
  return [title, group, summary, ...credits].join(' ').toLowerCase()
}
