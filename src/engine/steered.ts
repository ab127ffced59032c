import type { Handle } from './agents.js'

/**
 * Which controller or flock steers a body of a physics engine now, over all worlds: two would add their
 * forces.
 */
export const steered: WeakMap<object, Handle> = new WeakMap<object, Handle>()
