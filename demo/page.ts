import type { Card } from './scene.js'

/** The HTML page around the canvas: gallery, titles, messages. */

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}

function make(tag: string, text: string, parent: Element, className = ''): HTMLElement {
  const node = document.createElement(tag)
  node.textContent = text
  if (className) node.className = className
  parent.append(node)
  return node
}

export function showGallery(cards: readonly Card[]): void {
  const gallery = element('gallery')
  make('h1', 'three-steering', gallery)
  make(
    'p',
    'Every bird, ship and drone here is moved by one force and one torque per step, within the limits of its wings, ' +
      'thrusters or rotors. Positions are never set directly.',
    gallery,
  )
  const grid = make('div', '', gallery, 'cards')
  for (const card of cards) {
    const link = make('a', '', grid, 'card') as HTMLAnchorElement
    link.href = `?scene=${card.id}`
    const image = document.createElement('img')
    image.src = `./thumbnails/${card.id}.jpg`
    image.alt = ''
    image.width = 640
    image.height = 400
    link.append(image)
    make('h2', card.title, link)
    make('p', card.summary, link)
  }
  gallery.hidden = false
}

export function showScenePage(cards: readonly Card[], card: Card, ui: boolean): void {
  document.title = `${card.title}: three-steering`
  element('stage').hidden = false
  document.body.classList.toggle('bare', !ui)
  if (!ui) return
  const nav = element('scenes')
  for (const other of cards) {
    const link = make('a', other.title, nav) as HTMLAnchorElement
    link.href = `?scene=${other.id}`
    if (other === card) link.setAttribute('aria-current', 'page')
  }
  element('about-title').textContent = card.title
  element('about-summary').textContent = card.summary
  element('about-hint').textContent = card.hint
  const list = element('about-behaviors')
  for (const { name, source } of card.behaviors) make('cite', source, make('li', name, list))
  // on a small screen the description starts folded, so that it does not cover the scene
  const largeWindow = window.innerWidth > 900 && window.innerHeight > 800
  element('about').toggleAttribute('open', largeWindow)
  for (const id of ['top', 'about', 'readout']) element(id).hidden = false
}

export function say(text: string, error = false): void {
  const message = element('message')
  message.textContent = text
  message.classList.toggle('error', error)
  message.hidden = text === ''
}
