import type { Vec3Like } from 'three-steering'
import type { Row } from './contribution-rows.js'
import { add, write } from './dom.js'

/** Data of an agent shown above its tree. */
export interface Subject {
  readonly name: string
  /** States of its state machine, the current state, and details about it. */
  readonly states: readonly string[]
  readonly state: string
  readonly detail: string
  /** Shares in [0, 1], by name. */
  readonly gauges: Readonly<Record<string, number>>
  readonly maxForce: number
  readonly maxTorque: number
}

interface Line {
  readonly item: HTMLElement
  readonly mode: HTMLElement
  readonly name: HTMLElement
  readonly asked: HTMLElement
  readonly granted: HTMLElement
  readonly figure: HTMLElement
  readonly verdict: HTMLElement
  readonly note: HTMLElement
}

/**
 * A behaviour that asks for less than this share of the largest force is shown by its torque, if it has one.
 */
const FAINT = 0.01

/**
 * A panel with the tree of contributions of one agent. Each behaviour has a row, whose bars change while the
 * row stays in place.
 */
export class ContributionTree {
  /** Called when the visitor chooses the next agent (1) or the previous one (−1). */
  onTurn: ((by: 1 | -1) => void) | null = null
  onClose: (() => void) | null = null
  readonly #card = document.createElement('aside')
  readonly #title: HTMLElement
  readonly #states: HTMLElement
  readonly #gauges: HTMLElement
  readonly #list: HTMLElement
  readonly #scale: HTMLElement
  readonly #lines: Line[] = []

  constructor(parent: Element) {
    this.#card.className = 'tree'
    this.#card.setAttribute('aria-label', 'Contributions of the behaviours')
    const top = add('header', this.#card)
    button('‹', 'previous agent', top, () => this.onTurn?.(-1))
    this.#title = add('h2', top)
    button('›', 'next agent', top, () => this.onTurn?.(1))
    button('×', 'overview', top, () => this.onClose?.())
    this.#states = add('p', this.#card, 'states')
    this.#gauges = add('p', this.#card, 'gauges')
    this.#list = add('ol', this.#card)
    const head = add('li', this.#list, 'head')
    for (const text of ['behaviour', '', 'granted', '']) add('span', head).textContent = text
    this.#scale = head.children[1] as HTMLElement
    parent.append(this.#card)
    this.#card.hidden = true
  }

  set shown(on: boolean) {
    this.#card.hidden = !on
  }

  write(subject: Subject, rows: readonly Row[]): void {
    write(this.#title, subject.name)
    this.#writeState(subject)
    write(this.#scale, `of ${inUnits(subject.maxForce, 'N')}`)
    for (const [k, row] of rows.entries()) {
      const line = (this.#lines[k] ??= makeLine(add('li', this.#list)))
      line.item.hidden = false
      writeRow(line, row, subject)
    }
    for (const line of this.#lines.slice(rows.length)) line.item.hidden = true
  }

  remove(): void {
    this.#card.remove()
  }

  #writeState({ detail, gauges, state, states }: Subject): void {
    while (this.#states.childElementCount > states.length) this.#states.lastElementChild!.remove()
    for (const [k, name] of states.entries()) {
      const pill = (this.#states.children[k] as HTMLElement | undefined) ?? add('span', this.#states)
      const on = name === state
      write(pill, on && detail ? `${name}: ${detail}` : name)
      mark(pill, on ? name : '')
    }
    const names = Object.keys(gauges)
    while (this.#gauges.childElementCount > names.length) this.#gauges.lastElementChild!.remove()
    for (const [k, name] of names.entries()) {
      const gauge = (this.#gauges.children[k] as HTMLElement | undefined) ?? makeGauge(this.#gauges)
      write(gauge.firstElementChild as HTMLElement, name)
      stretch(gauge.querySelector('b')!, gauges[name]!)
      mark(gauge, gauges[name]! < 0.45 ? 'poor' : '')
    }
  }
}

function writeRow(line: Line, row: Row, subject: Subject): void {
  const { color, depth, remaining, mode, part, verdict, whole } = row
  const { asked, granted, name, note } = part
  line.item.style.setProperty('--depth', String(depth))
  line.item.style.setProperty('--tint', color)
  line.item.classList.toggle('whole', whole)
  mark(line.item, verdict)
  write(line.mode, mode)
  write(line.name, name)
  const turns = length(asked.force) < FAINT * subject.maxForce && length(asked.torque) > 0
  stretch(
    line.asked,
    turns ? length(asked.torque) / subject.maxTorque : length(asked.force) / subject.maxForce,
  )
  stretch(
    line.granted,
    turns ? length(granted.torque) / subject.maxTorque : length(remaining) / subject.maxForce,
  )
  const silent = verdict === 'not asked' || verdict === 'off' || verdict === 'silent'
  const figure = turns ? `↻ ${inUnits(length(granted.torque), 'N·m')}` : inUnits(length(remaining), 'N')
  write(line.figure, silent ? '' : figure)
  write(line.verdict, verdict)
  // the name of the mode is already in front of it
  const words = [mode ? '' : note, depth === 0 ? shortfallOf(part, subject) : ''].filter(Boolean).join('; ')
  write(line.note, words)
  line.note.hidden = words === ''
}

/** Text for the root if the engines give less force than the behaviours want. */
function shortfallOf({ asked, granted }: Row['part'], { maxForce }: Subject): string {
  const shortfall = length(asked.force) - length(granted.force)
  if (shortfall < 0.02 * maxForce) return ''
  return `wants ${inUnits(length(asked.force), 'N')}, the engines give ${inUnits(length(granted.force), 'N')}`
}

function inUnits(value: number, unit: string): string {
  return value >= 1000 ? `${(value / 1000).toFixed(1)} k${unit}` : `${value.toFixed(0)} ${unit}`
}

function length({ x, y, z }: Vec3Like): number {
  return Math.hypot(x, y, z)
}

function makeLine(item: HTMLElement): Line {
  const label = add('span', item, 'label')
  const mode = add('em', label)
  const name = add('span', label)
  const track = add('i', item)
  const asked = add('s', track)
  const granted = add('b', track)
  const figure = add('strong', item)
  const verdict = add('small', item)
  return { item, mode, name, asked, granted, figure, verdict, note: add('q', item) }
}

function makeGauge(parent: Element): HTMLElement {
  const gauge = add('span', parent)
  add('span', gauge)
  add('b', add('i', gauge))
  return gauge
}

function button(text: string, label: string, parent: Element, pressed: () => void): void {
  const made = add('button', parent) as HTMLButtonElement
  made.type = 'button'
  made.textContent = text
  made.setAttribute('aria-label', label)
  made.addEventListener('click', pressed)
}

function mark(element: HTMLElement, word: string): void {
  if (element.dataset['is'] !== word) element.dataset['is'] = word
}

/** Sets the length of a bar to a share of its track. Shares above 1 are drawn as full. */
function stretch(bar: HTMLElement, share: number): void {
  const width = `${(100 * Math.min(1, Math.max(0, share))).toFixed(0)}%`
  if (bar.style.width !== width) bar.style.width = width
  const over = share > 1.005 ? 'over' : ''
  if (bar.className !== over) bar.className = over
}
