/** What a class calls itself by `static readonly type`, which no bundler shortens; else the name that it has in the code. */
export function typeName({ constructor }: object): string {
  if (typeof constructor !== 'function') return 'Object'
  return Object.hasOwn(constructor, 'type')
    ? String((constructor as { type?: unknown }).type)
    : constructor.name
}
