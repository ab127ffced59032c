import { describe, expect, it } from 'vitest'
import { type Vec3, type Vec3Like } from 'three-steering'
import { brushFlow, FlowField, WindFlow, type FlowFieldOptions } from 'three-steering/flow'
import { number, vector } from '../../support/geometry.js'
import { law } from '../../support/law.js'

const BOX = { min: { x: -3, y: 1, z: 10 }, max: { x: 5, y: 4, z: 30 }, size: { x: 5, y: 4, z: 6 } }

/** A random linear field, which trilinear interpolation must reproduce. */
const linear = ({ x, y, z }: Vec3Like, _time: number, out: Vec3): void => {
  out.x = 2 + 0.5 * x - 3 * y + 0.25 * z
  out.y = -1 + x + 2 * y - z
  out.z = 0.125 * x + y + 3 * z
}

function read(field: FlowField, point: Vec3Like): Vec3 {
  return field.velocityAt({ x: NaN, y: NaN, z: NaN }, point)
}

function valueOf(flow: typeof linear, point: Vec3Like): Vec3 {
  const out = { x: 0, y: 0, z: 0 }
  flow(point, 0, out)
  return out
}

function expectNear(a: Vec3Like, b: Vec3Like, off: number): void {
  expect(Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)).toBeLessThanOrEqual(off)
}

/** A point of the box, given by shares of its edges. */
function inside({ x, y, z }: Vec3Like): Vec3 {
  const { min, max } = BOX
  return {
    x: min.x + x * (max.x - min.x),
    y: min.y + y * (max.y - min.y),
    z: min.z + z * (max.z - min.z),
  }
}

describe('a flow field between its nodes', () => {
  const field = new FlowField(BOX).paint(linear)

  law('reproduces a linear field', [number(0, 1), number(0, 1), number(0, 1)], (x, y, z) => {
    const point = inside({ x, y, z })
    // nodes hold 32-bit floats
    expectNear(read(field, point), valueOf(linear, point), 1e-5)
  })

  law('is between the least and the greatest value of its nodes', [vector(100)], (point) => {
    const wild = new FlowField(BOX).paint((at, _time, out) => {
      out.x = Math.sin(17 * at.x + 5 * at.y + 3 * at.z)
    })
    const { x } = read(wild, point)
    expect(x).toBeLessThanOrEqual(Math.max(...wild.data))
    expect(x).toBeGreaterThanOrEqual(Math.min(...wild.data))
  })

  it('has its corners at the first node and the last', () => {
    expect(field.nodeAt({ x: 0, y: 0, z: 0 }, 0, 0, 0)).toEqual(BOX.min)
    expect(field.nodeAt({ x: 0, y: 0, z: 0 }, 4, 3, 5)).toEqual(BOX.max)
    expect(read(field, BOX.max)).toEqual({ x: field.data.at(-3), y: field.data.at(-2), z: field.data.at(-1) })
  })

  it('is continuous at the faces of its cells', () => {
    for (const x of [-1, 1, 3]) {
      const [a, b] = [x - 1e-9, x + 1e-9].map((at) => read(field, { x: at, y: 2.2, z: 17 }))
      expectNear(a!, b!, 1e-6)
    }
  })

  it('with one node along an axis is a flat map, at every height', () => {
    const flat = new FlowField({ ...BOX, size: { x: 5, y: 1, z: 6 }, outside: 'zero' }).paint(linear)
    const low = read(flat, { x: 1, y: 1, z: 20 })
    expect(low).toEqual(read(flat, { x: 1, y: 1e6, z: 20 }))
    expect(low.x).toBeCloseTo(valueOf(linear, { x: 1, y: BOX.min.y, z: 20 }).x, 5)
  })

  it('with one node is constant', () => {
    const one = new FlowField({ min: BOX.min, max: BOX.min, size: { x: 1, y: 1, z: 1 }, data: [1, 2, 3] })
    expect(read(one, { x: -1e9, y: 0, z: 4 })).toEqual({ x: 1, y: 2, z: 3 })
  })

  it('can write the result to the point', () => {
    const point = { x: 1, y: 2, z: 20 }
    const there = read(field, { ...point })
    expect(field.velocityAt(point, point)).toEqual(there)
  })
})

describe('outside of the box', () => {
  const make = (outside: FlowFieldOptions['outside']): FlowField =>
    new FlowField({ ...BOX, outside: outside!, fade: 8 }).paint(linear)

  it('clamp gives the velocity at the nearest point of the border', () => {
    expect(read(make('clamp'), { x: 90, y: 2, z: -7 })).toEqual(read(make('clamp'), { x: 5, y: 2, z: 10 }))
  })

  it('zero gives no flow, without a transition', () => {
    expect(read(make('zero'), { x: 5.001, y: 2, z: 12 })).toEqual({ x: 0, y: 0, z: 0 })
    expectNear(read(make('zero'), { x: 5, y: 2, z: 12 }), valueOf(linear, { x: 5, y: 2, z: 12 }), 1e-5)
  })

  it.each([
    ['+x', { x: 5, y: 2, z: 12 }, { x: 1, y: 0, z: 0 }],
    ['-x', { x: -3, y: 2, z: 12 }, { x: -1, y: 0, z: 0 }],
    ['+y', { x: 1, y: 4, z: 12 }, { x: 0, y: 1, z: 0 }],
    ['-y', { x: 1, y: 1, z: 12 }, { x: 0, y: -1, z: 0 }],
    ['+z', { x: 1, y: 2, z: 30 }, { x: 0, y: 0, z: 1 }],
    ['-z', { x: 1, y: 2, z: 10 }, { x: 0, y: 0, z: -1 }],
  ])('fade decreases from the velocity at the border without a jump, towards %s', (_name, start, towards) => {
    const field = make('fade')
    const border = Math.hypot(...Object.values(read(field, start)))
    let last = border
    for (let off = 0; off <= 8.2; off += 0.05) {
      const place = {
        x: start.x + off * towards.x,
        y: start.y + off * towards.y,
        z: start.z + off * towards.z,
      }
      const now = Math.hypot(...Object.values(read(field, place)))
      expect(now).toBeLessThanOrEqual(last)
      expect(last - now).toBeLessThan(0.02 * border)
      last = now
    }
    expect(last).toBe(0)
  })

  it.each(['clamp', 'zero', 'fade'] as const)('%s is finite everywhere', (outside) => {
    const field = make(outside)
    for (const x of [0, 1e300, -Infinity, Infinity, NaN]) {
      const { x: vx, y: vy, z: vz } = read(field, { x, y: -x, z: 12 })
      expect(Number.isFinite(vx + vy + vz)).toBe(true)
    }
  })
})

describe('painting', () => {
  const wind = new WindFlow({ velocity: { x: 1, y: 2, z: 3 } })

  it('replaces the present velocities, and adding does not', () => {
    const field = new FlowField(BOX).paint(linear).paint(wind)
    expect(Array.from(field.data.subarray(0, 6))).toEqual([1, 2, 3, 1, 2, 3])
    field.add(wind, 0.5)
    expect(Array.from(field.data.subarray(-3))).toEqual([1.5, 3, 4.5])
    expect(field.clear().data.every((value) => value === 0)).toBe(true)
  })

  it('takes a flow at the given time', () => {
    const field = new FlowField(BOX).paint((_point, time, out) => (out.y = time), 7)
    expect(Array.from(field.data.subarray(0, 3))).toEqual([0, 7, 0])
  })

  it('can be limited to a part', () => {
    const field = new FlowField(BOX).paint(wind, 0, {
      min: { x: -1, y: 2, z: 9 },
      max: { x: 1, y: 2, z: 99 },
    })
    for (let k = 0; k < 6; k++)
      for (let j = 0; j < 4; j++)
        for (let i = 0; i < 5; i++) {
          const painted = (i === 1 || i === 2) && j === 1
          expect(field.data[3 * (i + 5 * (j + 4 * k))]).toBe(painted ? 1 : 0)
        }
  })

  it('refuses velocities that are not finite', () => {
    const bad = (_point: Vec3Like, _time: number, out: Vec3): void => void (out.x = NaN)
    expect(() => new FlowField(BOX).paint(bad)).toThrow(
      'FlowField.paint: got (NaN, 0, 0) from the flow at node 0, 0, 0, must be finite',
    )
  })
})

describe('the brush', () => {
  const cube = {
    min: { x: -10, y: -10, z: -10 },
    max: { x: 10, y: 10, z: 10 },
    size: { x: 21, y: 21, z: 21 },
  }
  const stroke = { from: { x: -5, y: 0, z: 0 }, to: { x: 5, y: 0, z: 0 }, radius: 4 }
  const velocity = { x: 0, y: 3, z: 0 }

  it('has full effect on its line, none at its radius, and is symmetric', () => {
    const field = new FlowField(cube)
    brushFlow(field, { ...stroke, velocity })
    for (const x of [-5, 0, 5]) expect(read(field, { x, y: 0, z: 0 })).toEqual(velocity)
    expect(read(field, { x: 0, y: 4, z: 0 }).y).toBe(0)
    expect(read(field, { x: 9, y: 0, z: 0 }).y).toBe(0)
    const [a, b, c] = [
      { x: 0, y: 2, z: 0 },
      { x: 0, y: 0, z: -2 },
      { x: 7, y: 0, z: 0 },
    ].map((point) => read(field, point).y)
    expect(a).toBeCloseTo(1.5, 6)
    expect(b).toBeCloseTo(a!, 6)
    expect(c).toBeCloseTo(a!, 6)
  })

  it('follows a line in any direction', () => {
    const field = new FlowField(cube)
    brushFlow(field, { from: { x: -4, y: 2, z: -6 }, to: { x: 4, y: -2, z: 6 }, radius: 4, velocity })
    for (const k of [-2, -1, 0, 1, 2]) expectNear(read(field, { x: 2 * k, y: -k, z: 3 * k }), velocity, 1e-6)
  })

  it('gives the same result in several strokes with shares as in one', () => {
    const one = new FlowField(cube).paint(linear)
    const many = new FlowField(cube).paint(linear)
    brushFlow(one, { ...stroke, velocity, share: 1 - Math.exp(-1) })
    for (let i = 0; i < 30; i++) brushFlow(many, { ...stroke, velocity, share: 1 - Math.exp(-1 / 30) })
    // exact on the line, where the brush has full effect
    expectNear(read(one, { x: 1, y: 0, z: 0 }), read(many, { x: 1, y: 0, z: 0 }), 1e-4)
  })

  it('can cross the border of the field, and has no effect outside', () => {
    const field = new FlowField(cube)
    brushFlow(field, { from: { x: 9, y: 0, z: 0 }, to: { x: 30, y: 0, z: 0 }, radius: 2, velocity })
    expect(read(field, { x: 10, y: 0, z: 0 })).toEqual(velocity)
    field.clear()
    brushFlow(field, { from: { x: 90, y: 0, z: 0 }, to: { x: 95, y: 0, z: 0 }, radius: 2, velocity })
    expect(field.data.every((value) => value === 0)).toBe(true)
  })

  it('paints a flat map at every height', () => {
    const flat = new FlowField({ ...cube, size: { x: 21, y: 1, z: 21 } })
    brushFlow(flat, { from: { x: 0, y: 70, z: 0 }, to: { x: 0, y: 80, z: 0 }, radius: 2, velocity })
    expect(read(flat, { x: 0, y: -3, z: 0 })).toEqual(velocity)
  })

  it.each([
    [{ radius: 0 }, 'brushFlow.radius: got 0, must be > 0 and finite'],
    [{ share: 2 }, 'brushFlow.share: got 2, must be ≥ 0 and ≤ 1'],
    [{ velocity: { x: 0, y: NaN, z: 0 } }, 'brushFlow.velocity: got (0, NaN, 0), must be finite'],
    [{ from: 'here' as unknown as Vec3Like }, "brushFlow.from: got 'here', must have numbers x, y, z"],
  ])('refuses %o', (wrong, message) => {
    expect(() => brushFlow(new FlowField(cube), { ...stroke, velocity, ...wrong })).toThrow(message)
  })
})

describe('the options of FlowField', () => {
  it.each<[Partial<FlowFieldOptions>, string]>([
    [{ size: { x: 0, y: 1, z: 1 } }, 'FlowField.size.x: got 0, must be ≥ 1 and ≤ 67108864'],
    [{ size: { x: 2, y: 2.5, z: 2 } }, 'FlowField.size.y: got 2.5, must be a whole number'],
    [
      { size: { x: 4096, y: 4096, z: 64 } },
      'FlowField.size: got 1073741824 nodes in all, must be ≤ 67108864',
    ],
    [{ max: { x: 5, y: 1, z: 30 } }, 'FlowField.max.y: got 1, must be > min.y, which is 1'],
    [{ data: [1, 2, 3] }, 'FlowField.data: got 3 numbers, must be 360, three per node'],
    [{ data: new Float32Array(360).fill(NaN, 7, 8) }, 'FlowField.data: got NaN at 7, must be finite'],
  ])('refuses %o', (wrong, message) => {
    expect(() => new FlowField({ ...BOX, ...wrong })).toThrow(message)
  })

  it('are copied', () => {
    const data = new Float32Array(360).fill(1)
    const field = new FlowField({ ...BOX, data })
    data.fill(2)
    expect(field.data.every((value) => value === 1)).toBe(true)
    expect(field.count).toBe(120)
  })
})
