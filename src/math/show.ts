/**
 * Text for a value in a message. Handles vectors, and objects with a `toString` that is missing or throws.
 * Never throws.
 */
export function show(value: unknown): string {
  try {
    if (typeof value !== 'object' || value === null || value instanceof Error) return String(value)
    const { x, y, z, w } = value as { x?: unknown; y?: unknown; z?: unknown; w?: unknown }
    if (x === undefined || y === undefined || z === undefined) return String(value)
    const parts = w === undefined ? [x, y, z] : [x, y, z, w]
    return `(${parts.map((part) => (typeof part === 'string' ? `'${part}'` : String(part))).join(', ')})`
  } catch {
    return `something of type ${typeof value} that cannot be shown`
  }
}
