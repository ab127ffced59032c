import type { Handle } from './agents.js'

/**
 * The controller or flock that steers each body of a physics engine, over all worlds: two would add their
 * forces.
 */
export const steered: WeakMap<object, Handle> = new WeakMap<object, Handle>()

/** The object of an engine for which a controller or a frame of a door stands; else the thing itself. */
export function engineBodyOf(thing: object): object {
  const { body, owner } = thing as { body?: { engineBody?: object } | null; owner?: object }
  return body?.engineBody ?? owner ?? thing
}

/**
 * Whether an agent of any world steers this object of a physics engine now (`SteeringBody.engineBody`). The
 * obstacles of a door leave such objects out: agents avoid each other as agents.
 */
export function isSteered(engineBody: object): boolean {
  return steered.has(engineBody)
}
