/** The voice over the beach: a line of text that changes now and then. */
export class Announcer {
  readonly #line = document.createElement('p')
  #said = ''
  #fresh = 0

  constructor(parent: Element) {
    this.#line.className = 'announcer'
    this.#line.setAttribute('role', 'status')
    parent.append(this.#line)
  }

  /** Says it, unless that was said last. What is `urgent` is not talked over for a while. */
  say(text: string, time: number, urgent = false): void {
    if (text === this.#said || (time < this.#fresh && !urgent)) return
    this.#said = text
    this.#fresh = urgent ? time + 4.5 : 0
    this.#line.textContent = text
    // the same words in a new element would not fade in
    this.#line.getAnimations().forEach((each) => {
      each.cancel()
      each.play()
    })
  }

  remove(): void {
    this.#line.remove()
  }
}
