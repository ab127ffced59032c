import { add } from './views/dom.js'

/** Time for which a button says that it has copied (ms). */
const COPIED_TIME = 1600

/** A button that copies what `text` returns, and says so. */
export function addCopyButton(parent: Element, text: () => string): HTMLButtonElement {
  const button = add('button', parent) as HTMLButtonElement
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(text()).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Not allowed'),
    )
    window.setTimeout(() => (button.textContent = 'Copy'), COPIED_TIME)
  })
  return button
}

/** The line that installs the package and what it is used with, and a button that copies it. */
export function addInstallLine(parent: Element, needs = ''): void {
  const line = add('div', parent, 'install')
  const code = add('code', line)
  code.textContent = `npm install three-steering three ${needs}`.trim()
  addCopyButton(line, () => code.textContent).ariaLabel = 'Copy the install line'
}
