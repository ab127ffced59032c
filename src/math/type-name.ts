import { show } from './show.js'

/** What a class calls itself by `static readonly type`, which no bundler shortens; else the name that it has in the code. Never throws. */
export function typeName(thing: object): string {
  try {
    const { constructor } = thing
    if (typeof constructor !== 'function') return 'Object'
    return Object.hasOwn(constructor, 'type')
      ? show((constructor as { type?: unknown }).type)
      : show(constructor.name)
  } catch {
    return show(thing)
  }
}
