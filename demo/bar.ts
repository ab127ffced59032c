import { CARDS, GROUPS, type Card } from './cards.js'
import { addInstallLine } from './install.js'
import { addLink, addLinked, pagesOf } from './links.js'
import { thumbnailOf } from './gallery.js'
import { element, fail } from './page.js'
import { singleKeys } from './preferences.js'
import type { FreeArea } from './stage.js'
import { add } from './views/dom.js'

/** Panels that the buttons of the bar show and hide, with their keys. */
const PANELS = { about: 'i', code: 'k', readout: 'f', controls: 'c' } as const
type PanelId = keyof typeof PANELS
const PANEL_IDS = Object.keys(PANELS) as PanelId[]

/** Time (ms) after which the description of the scene steps aside, unless the visitor points at it. */
const READING_TIME = 9000

/** Distance (px) of a swipe along the bar that opens the next or previous scene. */
const SWIPE = 48

/** A panel that covers less of the window, in height, than this share does not move the picture. */
const LARGE = 0.35

/** A panel as wide as the window, and higher than this share of it, covers the picture, which stays. */
const COVERS = 0.6

/** The bar of a scene: links to other scenes, a menu of all, and buttons that show and hide panels. */
export class Bar {
  readonly #card: Card
  readonly #buttons = [...element('toggles').querySelectorAll('button')]
  #foldTimer = 0
  /** Whether the code has been asked for. */
  #hasCode = false
  /** The part of the window that the bar and large panels leave free (px). */
  freeArea: FreeArea = { left: 0, top: 0, right: 0, bottom: 0 }

  constructor(card: Card) {
    this.#card = card
    document.title = `${card.title}: three-steering`
    element('scene-title').textContent = card.title
    element('about-summary').textContent = card.summary
    element('about-hint').textContent = card.hint
    const list = element('about-behaviors')
    for (const { name, source } of card.behaviors) {
      const item = add('li', list)
      addLinked(item, name)
      add('cite', item).textContent = source
    }
    for (const { text, href } of pagesOf(card)) addLink(element('about-pages'), text, href)
    addInstallLine(element('about'), card.needs)
    for (const [id, by] of [['previous', -1], ['next', 1]] as const) this.#link(id, by) // prettier-ignore
    this.#fillMenu()
    for (const button of this.#buttons)
      button.addEventListener('click', () => this.#toggle(button.getAttribute('aria-controls') as PanelId))
    this.#listen()
    element('overlay').hidden = false
    // in a small window panels start hidden, so that they do not cover the scene
    this.#show('controls', !card.wide && window.innerWidth >= 1280 && window.innerHeight >= 600)
    const readable = window.innerWidth > 900 && window.innerHeight > 560
    this.#show('about', readable)
    if (readable) this.#foldLater()
    this.#mark('readout')
    this.#mark('code')
    const observer = new ResizeObserver(() => (this.freeArea = this.#measure()))
    for (const id of ['overlay', 'top', 'cards', 'about', 'right', 'code', 'controls', 'readout'])
      observer.observe(element(id))
    this.freeArea = this.#measure()
  }

  #measure(): FreeArea {
    const { innerWidth: width, innerHeight: height } = window
    const free = { left: 0, top: element('top').getBoundingClientRect().bottom, right: width, bottom: height }
    const panels = [...element('cards').children, ...PANEL_IDS.map(element)].map((each) =>
      each.getBoundingClientRect(),
    )
    for (const { left, top, right, bottom } of panels) {
      const wide = right - left > 0.6 * width
      if (wide && bottom - top > COVERS * height) continue
      if (wide && top + bottom < height) free.top = Math.max(free.top, bottom)
      else if (wide) free.bottom = Math.min(free.bottom, top)
      else if (bottom - top < LARGE * height) continue
      else if (left + right < width) free.left = Math.max(free.left, right)
      else free.right = Math.min(free.right, left)
    }
    return { ...free, panels }
  }

  #neighbor(by: number): Card {
    return CARDS[(CARDS.indexOf(this.#card) + by + CARDS.length) % CARDS.length]!
  }

  #link(id: 'previous' | 'next', by: number): void {
    const link = element(id) as HTMLAnchorElement
    const { id: scene, title } = this.#neighbor(by)
    link.href = `?scene=${scene}`
    link.setAttribute('aria-label', `${id === 'next' ? 'Next' : 'Previous'} scene: ${title}`)
  }

  #fillMenu(): void {
    const menu = element('menu')
    let current: HTMLAnchorElement
    for (const group of GROUPS) {
      add('h2', menu).textContent = group
      for (const card of CARDS.filter((each) => each.group === group)) {
        const link = add('a', menu) as HTMLAnchorElement
        link.href = `?scene=${card.id}`
        link.append(thumbnailOf(card, 96, 60), card.title)
        if (card !== this.#card) continue
        link.setAttribute('aria-current', 'page')
        current = link
      }
    }
    add('p', menu).textContent =
      'Keys: arrows, other scenes · M, this menu · I, about · K, code · F, figures · C, controls'
    const label = add('label', menu)
    const box = add('input', label) as HTMLInputElement
    box.type = 'checkbox'
    box.checked = singleKeys.on
    box.addEventListener('change', () => (singleKeys.on = box.checked))
    label.append('Letters are commands')
    menu.addEventListener('toggle', (event) => {
      if (event.newState === 'open') current.focus()
    })
  }

  #show(id: PanelId, on: boolean): void {
    element(id).hidden = !on
    this.#mark(id)
    if (!on) return
    if (id === 'code') this.#loadCode()
    this.#closeOthers(id)
  }

  /** A small window has space for one panel, and a large one for either the code or the controls. */
  #closeOthers(id: PanelId): void {
    const isSmall = window.innerWidth <= 640 || window.innerHeight <= 480
    const onRight = id === 'code' ? 'controls' : id === 'controls' ? 'code' : null
    for (const other of PANEL_IDS)
      if (other !== id && (isSmall || other === onRight) && !element(other).hidden) this.#show(other, false)
  }

  #loadCode(): void {
    if (this.#hasCode) return
    this.#hasCode = true
    import('./code/code-panel.js')
      .then(({ showCode }) => showCode(element('code'), this.#card))
      .catch((error: unknown) => {
        this.#hasCode = false
        fail(error)
      })
  }

  #mark(id: PanelId): void {
    const button = this.#buttons.find((each) => each.getAttribute('aria-controls') === id)
    button?.setAttribute('aria-expanded', String(!element(id).hidden))
  }

  #toggle(id: PanelId): void {
    window.clearTimeout(this.#foldTimer)
    this.#show(id, Boolean(element(id).hidden))
  }

  #foldLater(): void {
    const about = element('about')
    this.#foldTimer = window.setTimeout(() => {
      if (about.matches(':hover, :focus-within')) this.#foldLater()
      else this.#show('about', false)
    }, READING_TIME)
  }

  #listen(): void {
    window.addEventListener('resize', () => {
      const open = PANEL_IDS.find((id) => !element(id).hidden)
      if (open !== undefined) this.#closeOthers(open)
    })
    window.addEventListener('keydown', (event) => {
      const { altKey, ctrlKey, defaultPrevented, key, metaKey, target } = event
      // keys of a scene, of text fields and of the browser come first
      if (defaultPrevented || altKey || ctrlKey || metaKey) return
      if (target instanceof Element && target.matches('input, select, textarea')) return
      const menu = element('menu')
      if (key === 'ArrowLeft' || key === 'ArrowRight') {
        if (menu.matches(':popover-open')) return
        event.preventDefault()
        element(key === 'ArrowLeft' ? 'previous' : 'next').click()
      } else if (!singleKeys.on) return
      else if (key === 'm') menu.togglePopover()
      else {
        const found = PANEL_IDS.find((id) => PANELS[id] === key)
        if (found !== undefined) this.#toggle(found)
      }
    })
    const bar = element('top')
    let from = 0
    bar.addEventListener('pointerdown', ({ clientX }) => (from = clientX))
    bar.addEventListener('pointerup', ({ clientX, pointerType }) => {
      if (pointerType === 'mouse' || Math.abs(clientX - from) < SWIPE) return
      element(clientX < from ? 'next' : 'previous').click()
    })
  }
}
