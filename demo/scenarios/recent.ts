/** Length of a piece of the past, s. */
const PIECE = 0.5

/** How often something has happened lately. */
export class Recent {
  readonly #pieces: Float64Array
  #time = 0
  #sum = 0
  #at = 0

  /** @param seconds How long it remembers. */
  constructor(seconds: number) {
    this.#pieces = new Float64Array(Math.ceil(seconds / PIECE))
  }

  /** Counts what happened in the next `dt` seconds. */
  add(count: number, dt: number): void {
    const pieces = this.#pieces
    this.#time += dt
    const at = Math.floor(this.#time / PIECE) % pieces.length
    if (at !== this.#at) {
      this.#sum -= pieces[at]!
      pieces[at] = 0
      this.#at = at
    }
    pieces[at]! += count
    this.#sum += count
  }

  /** 1/s, over what it remembers; of the first moments not more than is known. */
  get rate(): number {
    const whole = PIECE * (this.#pieces.length - 1) + (this.#time % PIECE)
    const known = Math.min(this.#time, whole)
    return known > 0 ? this.#sum / known : 0
  }

  reset(): void {
    this.#pieces.fill(0)
    this.#time = this.#sum = this.#at = 0
  }
}
