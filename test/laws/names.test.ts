import { describe, expect, it } from 'vitest'
import { PRESET_TYPES } from 'three-steering/presets'
import { LIBRARY } from '../support/library.js'

/** Whatever steers, constrains or acts. */
const classes = Object.entries(LIBRARY).filter(([, it]) => {
  const { prototype } = Object(it) as { prototype?: object }
  return prototype !== undefined && ('steer' in prototype || 'forceAlong' in prototype)
})

describe('a class has its export name as `type`, independent of bundlers', () => {
  it.each(classes)('%s', (name, type) =>
    expect(Object.getOwnPropertyDescriptor(type, 'type')?.value).toBe(name),
  )

  it('there are many', () => expect(classes.length).toBeGreaterThan(50))

  it('presets use the same name', () => {
    const others = PRESET_TYPES.filter(({ type, name }) => 'type' in type && type.type !== name)
    expect(others.map(({ name }) => name)).toEqual([])
  })
})
