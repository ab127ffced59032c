import type { Step } from '../types.js'

/**
 * Decides when changes to a combination take effect. In a world they take effect before each step, for all
 * agents at once. Outside of a world there is no such call, and they take effect immediately.
 */
export class ChangeGate {
  /** Whether a world calls `open` before each step. */
  private isControlled = false
  private isOpen = false
  private tick = -1

  /** Called by the world before a step: changes take effect now. */
  open(): void {
    this.isControlled = this.isOpen = true
  }

  /** Called when parts may be edited from now on: a world need not open before its next step. */
  use(): void {
    this.isOpen = this.isControlled
  }

  /** Called whenever an agent is steered. True if changes must take effect immediately. */
  isNow({ tick }: Step): boolean {
    if (tick !== this.tick) {
      // a step without a call of `open`: the combination is hidden in a behaviour that does not list its
      // children
      if (!this.isOpen) this.isControlled = false
      this.isOpen = false
      this.tick = tick
    }
    return !this.isControlled
  }
}
