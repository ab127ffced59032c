import { show } from './show.js'

/**
 * Name of the class of an object: its `static readonly type`, which bundlers do not shorten, or else the name
 * in the code. Never throws.
 */
export function typeName(object: object): string {
  try {
    const { constructor } = object
    if (typeof constructor !== 'function') return 'Object'
    return Object.hasOwn(constructor, 'type')
      ? show((constructor as { type?: unknown }).type)
      : show(constructor.name)
  } catch {
    return show(object)
  }
}
