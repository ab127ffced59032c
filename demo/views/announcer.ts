/** A line of text above the scene that announces the figures. */
export class Announcer {
  readonly #line = document.createElement('p')
  #text = ''
  #urgentUntil = 0

  constructor(parent: Element) {
    this.#line.className = 'announcer'
    this.#line.setAttribute('role', 'status')
    parent.append(this.#line)
  }

  /** Shows a text unless it is shown already. An `urgent` text stays for at least 4.5 s. */
  say(text: string, time: number, urgent = false): void {
    if (text === this.#text || (time < this.#urgentUntil && !urgent)) return
    this.#text = text
    this.#urgentUntil = urgent ? time + 4.5 : 0
    this.#line.textContent = text
    // restart the fade-in animation, since the element stays the same
    this.#line.getAnimations().forEach((each) => {
      each.cancel()
      each.play()
    })
  }

  remove(): void {
    this.#line.remove()
  }
}
