import type { Step } from '../types.js'

/**
 * Says when changes made to a combination take effect: in a world before each step, for all agents at once; outside of a world, where
 * nobody tells of steps, at once.
 */
export class ChangeGate {
  /** Whether a world says when changes take effect. */
  private isControlled = false
  private isOpen = false
  private tick = -1

  /** The world says: now. */
  open(): void {
    this.isControlled = this.isOpen = true
  }

  /** To be asked whenever an agent thinks. True where changes are to take effect right away. */
  isNow({ tick }: Step): boolean {
    if (tick !== this.tick) {
      // a step that the world did not tell of: the combination is hidden in something that does not show its children
      if (!this.isOpen) this.isControlled = false
      this.isOpen = false
      this.tick = tick
    }
    return !this.isControlled
  }
}
