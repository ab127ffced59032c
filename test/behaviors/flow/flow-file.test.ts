import { describe, expect, it } from 'vitest'
import { seeded } from 'three-steering/authoring'
import { FlowField, loadFlowField, saveFlowField } from 'three-steering/flow'

/** A field of numbers that use all their bits, including denormals, minus zero and the largest number. */
function wildField(): FlowField {
  const random = seeded(5)
  const data = Float32Array.from(
    { length: 3 * 3 * 4 * 5 },
    () => (random() - 0.5) * 10 ** (20 * random() - 10),
  )
  data.set([-0, 1e-45, 3.4028234663852886e38, -1e-40, 0.1])
  return new FlowField({
    min: { x: 0.1, y: -20, z: 1 / 3 },
    max: { x: 7.7, y: -1e-3, z: 4e5 },
    size: { x: 3, y: 4, z: 5 },
    outside: 'fade',
    fade: 0.7,
    data,
  })
}

const bits = ({ data }: FlowField): number[] => [...new Uint32Array(data.slice().buffer)]

describe('a flow field in a file', () => {
  it.each(['base64', 'numbers'] as const)('is restored bit-identical, as %s', (encoding) => {
    const field = wildField()
    const text = JSON.stringify(saveFlowField(field, encoding))
    const back = loadFlowField(JSON.parse(text))
    const { min, max, size, outside, fade } = back
    expect({ min, max, size, outside, fade }).toEqual({
      min: field.min,
      max: field.max,
      size: field.size,
      outside: 'fade',
      fade: 0.7,
    })
    // JSON has no minus zero, which is the same flow
    if (encoding === 'numbers') field.data[0] = 0
    expect(bits(back)).toEqual(bits(field))
    // so the second file is equal to the first
    expect(JSON.stringify(saveFlowField(back, encoding))).toBe(text)
  })

  it('can be written by hand', () => {
    const field = loadFlowField({
      type: 'flow-field',
      version: 1,
      author: 'an editor',
      min: [0, 0, 0],
      max: [10, 0, 10],
      size: [2, 1, 2],
      velocities: [0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4],
    })
    expect(field.velocityAt({ x: 0, y: 0, z: 0 }, { x: 5, y: 8, z: 10 })).toEqual({ x: 0, y: 0, z: 3.5 })
    expect([field.outside, field.fade]).toEqual(['clamp', 2.5])
  })

  it('is little-endian on every machine', () => {
    const one = new FlowField({
      min: { x: 0, y: 0, z: 0 },
      max: { x: 0, y: 0, z: 0 },
      size: { x: 1, y: 1, z: 1 },
      data: [1, -2, 0.5],
    })
    // 0000803f 000000c0 0000003f
    expect(saveFlowField(one).velocities).toBe('AACAPwAAAMAAAAA/')
  })

  const good = saveFlowField(wildField())

  it.each<[unknown, string, typeof TypeError | typeof RangeError]>([
    [null, 'flow file: got null, must be an object', TypeError],
    ['{}', "flow file: got '{}', must be an object", TypeError],
    [{}, "flow file: type: got undefined, must be 'flow-field'", TypeError],
    [{ ...good, version: 2 }, 'flow file: version: got 2, must be 1', RangeError],
    [{ ...good, min: [1, 2] }, 'flow file: min: got [1,2], must be [x, y, z]', TypeError],
    [{ ...good, min: undefined }, 'flow file: min: got undefined, must be [x, y, z]', TypeError],
    [{ ...good, max: [1, 2, '3'] }, "flow file: max: got '3', must be a number", TypeError],
    [{ ...good, max: [1, 2, null] }, 'flow file: max: got null, must be a number', TypeError],
    [{ ...good, max: [0, 1, 2] }, 'FlowField.max.x: got 0, must be > min.x, which is 0.1', RangeError],
    [{ ...good, size: [3, 4.5, 5] }, 'FlowField.size.y: got 4.5, must be a whole number', RangeError],
    [
      { ...good, size: [3, 4, 4] },
      'FlowField.data: got 180 numbers, must be 144, three per node',
      RangeError,
    ],
    [{ ...good, outside: 7 }, 'FlowField.outside: got 7, allowed are', RangeError],
    [{ ...good, fade: 'wide' }, "FlowField.fade: got 'wide', must be a number", TypeError],
    [{ ...good, velocities: 5 }, 'flow file: velocities: got 5, must be an array of numbers', TypeError],
    [{ ...good, velocities: [1, null, 3] }, 'flow file: velocities: got null, must be a number', TypeError],
    [{ ...good, velocities: '~~' }, "flow file: velocities: got '~~', must be base64", TypeError],
    [
      { ...good, velocities: 'AAAA' },
      'flow file: velocities: got 3 bytes, must be four per number',
      RangeError,
    ],
    [
      { ...good, size: [1, 1, 1], velocities: 'AADAfwAAAAAAAAAA' },
      'FlowField.data: got NaN at 0',
      RangeError,
    ],
  ])('is refused with the name of the key: %o', (file, message, kind) => {
    expect(() => loadFlowField(file)).toThrow(message)
    expect(() => loadFlowField(file)).toThrow(kind)
  })

  it('refuses unknown encodings', () => {
    expect(() => saveFlowField(wildField(), 'binary' as 'base64')).toThrow(
      "saveFlowField: encoding: got 'binary', allowed are 'base64', 'numbers'",
    )
  })
})
