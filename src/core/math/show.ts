/**
 * Text for a value in a message: numbers as they are, `'text'`, vectors as `(1, 2, 3)`, plain objects by
 * their keys, others by their class. Never throws.
 */
export function show(value: unknown): string {
  try {
    if (typeof value === 'string') return `'${value}'`
    if (typeof value === 'function') return `function ${value.name}`
    if (typeof value !== 'object' || value === null || value instanceof Error) return String(value)
    if (Array.isArray(value)) return `an array of ${value.length}`
    const { x, y, z, w } = value as { x?: unknown; y?: unknown; z?: unknown; w?: unknown }
    if (x !== undefined && y !== undefined && z !== undefined)
      return `(${(w === undefined ? [x, y, z] : [x, y, z, w]).map(show).join(', ')})`
    const name = typeName(value)
    return name === 'Object'
      ? `{${Object.keys(value)
          .map((key) => ` ${key}`)
          .join()} }`
      : `an instance of ${name}`
  } catch {
    return `something of type ${typeof value}`
  }
}

/**
 * Name of the class of an object: its `static readonly type`, which bundlers do not shorten, or else the name
 * in the code. Never throws.
 */
export function typeName(object: object): string {
  try {
    const { constructor } = object
    if (typeof constructor !== 'function') return 'Object'
    return String(
      Object.hasOwn(constructor, 'type') ? (constructor as { type?: unknown }).type : constructor.name,
    )
  } catch {
    return 'Object'
  }
}
