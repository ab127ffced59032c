// @ts-check
// Runs programs one after another, each for some seconds, in a page of which only the names are there. Prints for each
// what happened, as JSON.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)

const nothing = () => {}
const element = () => ({
  style: {},
  append: nothing,
  remove: nothing,
  addEventListener: nothing,
  textContent: '',
})
const page = { document: { createElement: element, body: element() }, innerWidth: 800, innerHeight: 600 }
/** @type {((event: object) => void)[]} */
const onKeyDown = []
const addEventListener = (/** @type {string} */ type, /** @type {(event: object) => void} */ listener) =>
  type === 'keydown' && onKeyDown.push(listener)
Object.assign(globalThis, page, { addEventListener, removeEventListener: nothing })
Object.defineProperty(globalThis, 'navigator', { value: { getGamepads: () => [] }, configurable: true })

/** A worker in the same thread. */
class Worker {
  /** @param {URL} file */
  constructor(file) {
    this.started = import(file.href)
  }
  /** @param {string} _type @param {(event: { data: unknown }) => void} listener */
  addEventListener(_type, listener) {
    Object.assign(globalThis, { postMessage: (/** @type {unknown} */ data) => listener({ data }) })
  }
}
Object.assign(globalThis, { Worker, postMessage: nothing })

const { pages, places } = await import('./no-picture.mjs')
/** @type {string[]} */
let said = []
for (const level of /** @type {const} */ (['warn', 'error', 'info']))
  console[level] = (...words) =>
    void (level === 'info' || said.push(`${level}: ${words.join(' ').slice(0, 300)}`))

for (const file of process.argv.slice(2)) {
  said = []
  Object.assign(pages, { loops: [], drawn: [] })
  let moves = false
  try {
    const exported = await import(file)
    const loops = pages.loops.length > 0 ? pages.loops : []
    const frames = (/** @type {number} */ count, /** @type {number} */ from) => {
      for (let i = from; i < from + count; i++) for (const loop of loops) loop((1000 * i) / 60)
    }
    frames(2, 0)
    const before = places()
    for (const press of onKeyDown.splice(0)) press({ type: 'keydown', code: 'KeyW', repeat: false })
    frames(300, 2)
    if (file.includes('workers')) await new Promise((done) => setTimeout(done, 500))
    const after = places()
    moves = after.length !== before.length || after.some((x, i) => Math.abs(x - (before[i] ?? 0)) > 0.01)
    if (!after.every(Number.isFinite)) said.push('a place is not finite')
    if (loops.length === 0 && typeof exported.frame === 'function')
      for (let i = 0; i < 300; i++) exported.frame(1 / 60)
  } catch (error) {
    said.push(String(/** @type {Error} */ (error).stack ?? error))
  }
  console.log(JSON.stringify({ file, pages: pages.loops.length, moves, said }))
}
process.exit(0)
