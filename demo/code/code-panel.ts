import { files } from 'virtual:scene-code'
import type { Card } from '../cards.js'
import { addCopyButton } from '../install.js'
import { fail } from '../page.js'
import { add } from '../views/dom.js'

/** Name of the window in which StackBlitz opens. */
const WINDOW = 'three-steering-stackblitz'

/** Fills the panel with the code that shows how the steering of a scene is built. */
export async function showCode(panel: Element, card: Card): Promise<void> {
  const load = files[card.code]
  if (!load) throw new Error(`${card.code} has no region named code`)
  const { name, address, html } = (await load()).default
  const head = add('header', panel)
  const link = add('a', head) as HTMLAnchorElement
  link.href = address
  link.target = '_blank'
  link.rel = 'noopener'
  link.title = 'The whole file in the repository'
  link.textContent = name
  addCopyButton(head, () => text.textContent)
  const open = add('button', head) as HTMLButtonElement
  open.type = 'button'
  open.textContent = 'Open in StackBlitz'
  const text = add('div', panel, 'text')
  // made by shiki from our own files when the gallery was built
  text.innerHTML = html
  open.addEventListener('click', () => {
    // at once, because a window that opens later is blocked
    window.open('', WINDOW)
    import('./stackblitz.js').then(({ openProject }) => openProject(card, WINDOW)).catch(fail)
  })
}
