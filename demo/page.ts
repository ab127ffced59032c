/** The HTML page around the canvas. */

export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
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
