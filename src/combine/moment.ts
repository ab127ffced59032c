import type { Step } from '../types.js'

/**
 * Says when changes made to a combination take effect: in a world before each step, for all agents at once; outside of a world, where
 * nobody tells of steps, at once.
 */
export class Moment {
  /** Whether a world says when changes take effect. */
  private held = false
  private told = false
  private tick = -1

  /** The world says: now. */
  tell(): void {
    this.held = this.told = true
  }

  /** To be asked whenever an agent thinks. True where changes are to take effect right away. */
  isNow({ tick }: Step): boolean {
    if (tick !== this.tick) {
      // a step that the world did not tell of: the combination is hidden in something that does not show its children
      if (!this.told) this.held = false
      this.told = false
      this.tick = tick
    }
    return !this.held
  }
}
