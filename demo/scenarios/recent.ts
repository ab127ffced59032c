/** Length of a time slot (s). */
const SLOT_TIME = 0.5

/** Rate of events over a recent time window. */
export class Recent {
  readonly #slots: Float64Array
  #time = 0
  #sum = 0
  #slot = 0

  /** @param seconds Length of the window (s). */
  constructor(seconds: number) {
    this.#slots = new Float64Array(Math.ceil(seconds / SLOT_TIME))
  }

  /** Adds the events of the next `dt` seconds. */
  add(count: number, dt: number): void {
    const slots = this.#slots
    this.#time += dt
    const slot = Math.floor(this.#time / SLOT_TIME) % slots.length
    if (slot !== this.#slot) {
      this.#sum -= slots[slot]!
      slots[slot] = 0
      this.#slot = slot
    }
    slots[slot]! += count
    this.#sum += count
  }

  /** Mean rate over the window (1/s), or over the time so far if that is shorter. */
  get rate(): number {
    const whole = SLOT_TIME * (this.#slots.length - 1) + (this.#time % SLOT_TIME)
    const known = Math.min(this.#time, whole)
    return known > 0 ? this.#sum / known : 0
  }

  reset(): void {
    this.#slots.fill(0)
    this.#time = this.#sum = this.#slot = 0
  }
}
