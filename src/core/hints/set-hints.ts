import { enableHints } from '#hints'
import { refuse } from '../math/require.js'

/**
 * Switches the hints on the console on and off, for all worlds. They are on at first; builds for production
 * contain none.
 * @throws TypeError unless it is true or false.
 */
export function setHints(on: boolean): void {
  // a function of its own, because declarations of the package cannot import `#hints`
  if (typeof on !== 'boolean') refuse('setHints', on, 'must be true or false')
  enableHints(on)
}
