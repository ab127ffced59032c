import { expect, it } from 'vitest'
import fc from 'fast-check'
import { fromBase64, toBase64 } from '../../src/extras/snapshot/base64.js'

it('encodes bytes as Node does, and decodes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      const text = toBase64(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64'))
      expect(fromBase64(text)).toEqual(bytes)
    }),
  )
})

it.each(['A', 'AAA', 'AA*A', 'A=AA', '====', 'ÄAAA', 'AAA '])('%s is not base64', (text) => {
  expect(fromBase64(text)).toBe(null)
})
