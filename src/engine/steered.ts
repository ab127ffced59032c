import type { Handle } from './agents.js'

/**
 * The controller or flock that steers each body of a physics engine, over all worlds: two would add their
 * forces.
 */
export const steered: WeakMap<object, Handle> = new WeakMap<object, Handle>()
