import { playOnCard } from './card-loop.js'
import { CARDS, type Card } from './cards.js'
import { add } from './views/dom.js'

/** The HTML page around the canvas: gallery and messages. */

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}

/** `loops` names the scenes whose cards move. */
export function showGallery(loops: readonly string[]): void {
  const gallery = element('gallery')
  add('h1', gallery).textContent = 'three-steering'
  add('p', gallery).textContent =
    'Every bird, ship and drone here is moved by one force and one torque per step, within the limits of its wings, ' +
    'thrusters or rotors. Positions are never set directly.'
  const filter = add('input', gallery) as HTMLInputElement
  filter.type = 'search'
  filter.placeholder = 'Filter by behaviour, source or title, for example “dock” or “Reynolds”'
  filter.setAttribute('aria-label', 'Filter the scenes')
  const grid = add('div', gallery, 'cards')
  const links = CARDS.map((card) => makeLink(card, grid, loops.includes(card.id)))
  const none = add('p', gallery, 'none')
  none.hidden = true
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/)
    CARDS.forEach((card, k) => (links[k]!.hidden = !words.every((word) => textOf(card).includes(word))))
    none.hidden = links.some((link) => !link.hidden)
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
  add('h2', link).textContent = card.title
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
function textOf({ title, summary, behaviors }: Card): string {
  const credits = behaviors.map(({ name, source }) => `${name} ${source}`)
  return [title, summary, ...credits].join(' ').toLowerCase()
}

export function say(text: string, error = false): void {
  const message = element('message')
  message.textContent = text
  message.classList.toggle('error', error)
  message.hidden = text === ''
}

export function fail(error: unknown): void {
  say(`Error: ${error instanceof Error ? error.message : String(error)}`, true)
}
