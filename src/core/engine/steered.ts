import { isKept } from '../math/own.js'

/** The object of an engine for which a controller or a frame of a door stands; else the thing itself. */
export function engineBodyOf(thing: object): object {
  const { body, engineBody } = thing as { body?: { engineBody?: object } | null; engineBody?: object }
  return body?.engineBody ?? engineBody ?? thing
}

/**
 * Whether an agent of any world steers this object of a physics engine now (`SteeringBody.engineBody`). The
 * obstacles of a door leave such objects out: agents avoid each other as agents.
 */
export function isSteered(engineBody: object): boolean {
  return isKept(engineBody)
}
