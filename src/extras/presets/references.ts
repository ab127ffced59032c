import { describe } from './format.js'

/** The position of a named object has a name, too: `player.position`. */
const PLACE = 'position'

/**
 * The name of each named object. An object with several names gets the first.
 * @throws TypeError when `references` is not an object of objects and functions.
 */
export function nameReferences(
  context: string,
  references: Readonly<Record<string, object>>,
): Map<unknown, string> {
  const names = new Map<unknown, string>()
  const places: [unknown, string][] = []
  requireReferences(context, references)
  for (const [name, object] of Object.entries(references)) {
    if (!names.has(object)) names.set(object, name)
    places.push([placeOf(object), `${name}.${PLACE}`])
  }
  for (const [place, name] of places) if (place !== undefined && !names.has(place)) names.set(place, name)
  return names
}

/** The object with this name; undefined when there is none. */
export function findReference(
  references: Readonly<Record<string, object>>,
  name: string,
): object | undefined {
  if (Object.hasOwn(references, name)) return references[name]
  const owner = name.endsWith(`.${PLACE}`) ? name.slice(0, -PLACE.length - 1) : ''
  return Object.hasOwn(references, owner) ? placeOf(references[owner]!) : undefined
}

/** @throws TypeError when `references` is not an object of objects and functions. */
export function requireReferences(context: string, references: Readonly<Record<string, object>>): void {
  if (typeof references !== 'object' || references === null)
    throw new TypeError(`${context}: references: got ${describe(references)}, must be an object`)
  for (const [name, object] of Object.entries(references))
    if ((typeof object !== 'object' && typeof object !== 'function') || object === null)
      throw new TypeError(
        `${context}: references.${name}: got ${describe(object)}, must be an object or a function`,
      )
}

function placeOf(object: object): object | undefined {
  const place = (object as { readonly position?: unknown })[PLACE]
  return typeof place === 'object' && place !== null ? place : undefined
}
