import { afterEach, beforeEach, vi } from 'vitest'

/**
 * Stops `performance.now` in the tests of the calling file. cannon-es drops the rest of a frame that takes
 * longer than a step to compute, which on a loaded machine is any frame of several steps.
 */
export function holdClock(): void {
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
  afterEach(() => void vi.restoreAllMocks())
}
