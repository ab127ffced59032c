import { describe, expect, it } from 'vitest'
import { type Vec3Like } from 'three-steering'
import {
  boxPattern,
  columnPattern,
  customPattern,
  echelonPattern,
  linePattern,
  ringPattern,
  spherePattern,
  wallPattern,
  wedgePattern,
  type FormationSlot,
  type Pattern,
} from 'three-steering/formation'

const PATTERNS: Readonly<Record<string, Pattern>> = {
  line: linePattern,
  column: columnPattern,
  wedge: wedgePattern,
  'wedge, as slender as possible': (n, s) => wedgePattern(n, s, { sweep: Math.PI / 3 }),
  'vee, stepped up': (n, s) => wedgePattern(n, s, { sweep: -0.4, rise: 0.5 }),
  'echelon to starboard': echelonPattern,
  'echelon to port, stepped down': (n, s) => echelonPattern(n, s, { side: 'port', sweep: 1.2, rise: -0.3 }),
  box: boxPattern,
  'box, 4 wide': (n, s) => boxPattern(n, s, { width: 4 }),
  'box, 2 high': (n, s) => boxPattern(n, s, { height: 2 }),
  'box, 5 wide and 3 high': (n, s) => boxPattern(n, s, { width: 5, height: 3 }),
  sphere: spherePattern,
  'sphere of 30 m': (n, s) => spherePattern(n, s, { radius: 30 }),
  ring: ringPattern,
  'level ring': (n, s) => ringPattern(n, s, { plane: 'level' }),
  wall: wallPattern,
  'wall, 7 wide': (n, s) => wallPattern(n, s, { width: 7 }),
}
/** Patterns with slots that stay where they are when the count grows. */
const STABLE = ['line', 'column', 'wedge', 'vee, stepped up', 'echelon to starboard']
const COUNTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 23, 24, 25, 27, 28, 60, 1000]
const ORIGIN = { x: 0, y: 0, z: 0 }

function apart(a: Vec3Like, b: Vec3Like): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}

/** Least distance of two slots. */
function tightest(slots: readonly FormationSlot[]): number {
  let least = Infinity
  for (let i = 0; i < slots.length; i++)
    for (let j = 0; j < i; j++) least = Math.min(least, apart(slots[i]!.position, slots[j]!.position))
  return least
}

/** Whether the slots are symmetric between port and starboard. */
function mirrors(slots: readonly FormationSlot[]): boolean {
  return slots.every(({ position: { x, y, z } }) =>
    slots.some(({ position }) => apart(position, { x, y, z: -z }) < 1e-9),
  )
}

function mean(slots: readonly FormationSlot[], axis: 'x' | 'y' | 'z'): number {
  return slots.reduce((sum, { position }) => sum + position[axis], 0) / slots.length
}

describe.each(Object.entries(PATTERNS))('pattern %s', (_, pattern) => {
  it.each(COUNTS)('has %i slots, and no two are nearer than the spacing', (count) => {
    const slots = pattern(count, 2.5)
    expect(slots).toHaveLength(count)
    for (const { position } of slots) expect(Number.isFinite(position.x + position.y + position.z)).toBe(true)
    expect(tightest(slots)).toBeGreaterThanOrEqual(2.5 * (1 - 1e-12))
  })

  it('gives equal slots for equal arguments, as new objects', () => {
    const slots = pattern(9, 3)
    expect(pattern(9, 3)).toEqual(slots)
    expect(pattern(9, 3)[0]!.position).not.toBe(slots[0]!.position)
  })

  it('keeps its slots apart for tiny and huge spacings', () => {
    for (const spacing of [1e-12, 1e12]) {
      const slots = pattern(50, spacing)
      expect(tightest(slots)).toBeGreaterThanOrEqual(spacing * (1 - 1e-9))
      expect(slots.every(({ position: { x, y, z } }) => Math.abs(x + y + z) < Infinity)).toBe(true)
    }
  })
})

describe('a pattern that grows', () => {
  it.each(STABLE)('keeps the present slots where they are: %s', (name) => {
    const pattern = PATTERNS[name]!
    const many = pattern(30, 2)
    for (let count = 0; count < 30; count++) expect(pattern(count, 2)).toEqual(many.slice(0, count))
    expect(many[0]!.position).toEqual(ORIGIN)
  })
})

describe('port and starboard', () => {
  it('are symmetric in lines and wedges with an odd number of places, including that of the leader', () => {
    for (const count of [1, 3, 9, 25]) {
      expect(mirrors(linePattern(count, 2))).toBe(true)
      expect(mirrors(wedgePattern(count, 2, { rise: 0.3 }))).toBe(true)
    }
  })

  it.each(['box', 'box, 4 wide', 'wall', 'wall, 7 wide', 'ring', 'level ring', 'column'])(
    'are symmetric for every count: %s',
    (name) => {
      for (const count of COUNTS) expect(mirrors(PATTERNS[name]!(count, 2)), `${count}`).toBe(true)
    },
  )
})

describe('the shape', () => {
  it('of a line is abreast, of a column behind the leader', () => {
    for (const { position } of linePattern(8, 2)) expect([position.x, position.y]).toEqual([0, 0])
    columnPattern(8, 2).forEach(({ position: { x, y, z } }, i) => {
      expect(apart({ x, y, z }, { x: -2 * i, y: 0, z: 0 })).toBe(0)
    })
  })

  it('of a wedge points ahead, of a vee behind, with the given sweep and rise', () => {
    const [, starboard, port] = wedgePattern(3, 2, { sweep: 0.5, rise: 0.2 })
    const level = Math.cos(0.2)
    expect(starboard!.position.x).toBeCloseTo(-2 * Math.sin(0.5) * level, 12)
    expect(starboard!.position.y).toBeCloseTo(2 * Math.sin(0.2), 12)
    expect(starboard!.position.z).toBeCloseTo(2 * Math.cos(0.5) * level, 12)
    expect(port!.position.z).toBe(-starboard!.position.z)
    expect(wedgePattern(2, 2, { sweep: -0.5 })[1]!.position.x).toBeGreaterThan(0)
  })

  it('of an echelon is a line to the given side', () => {
    for (const [side, sign] of [
      ['port', -1],
      ['starboard', 1],
    ] as const)
      for (const { position } of echelonPattern(9, 2, { side }).slice(1))
        expect([Math.sign(position.x), Math.sign(position.z)]).toEqual([-1, sign])
  })

  it('of a full box or wall is centred on the leader', () => {
    for (const slots of [
      boxPattern(27, 2),
      boxPattern(24, 2, { width: 4, height: 3 }),
      wallPattern(12, 2, { width: 4 }),
    ])
      for (const axis of ['x', 'y', 'z'] as const) expect(mean(slots, axis)).toBeCloseTo(0, 12)
    expect(new Set(boxPattern(27, 2).map(({ position }) => position.x)).size).toBe(3)
    expect(new Set(wallPattern(25, 2).map(({ position }) => position.x))).toEqual(new Set([0]))
  })

  it('of a box has the given width and height', () => {
    const slots = boxPattern(31, 1, { width: 5, height: 3 })
    const kinds = (axis: 'x' | 'y'): number => new Set(slots.map(({ position }) => position[axis])).size
    expect([kinds('x'), kinds('y')]).toEqual([3, 3])
    expect(Math.max(...slots.map(({ position }) => position.z))).toBe(2)
  })

  it('of a ring is a circle, across the direction of flight or level, with at least the given radius', () => {
    for (const { position } of ringPattern(12, 2)) {
      expect(position.x).toBe(0)
      expect(apart(position, ORIGIN)).toBeCloseTo(1 / Math.sin(Math.PI / 12), 12)
    }
    for (const { position } of ringPattern(12, 2, { plane: 'level', radius: 50 })) {
      expect(position.y).toBe(0)
      expect(apart(position, ORIGIN)).toBeCloseTo(50, 12)
    }
  })

  it('of a ring can have up axes that point outwards', () => {
    for (const { position, attitude } of ringPattern(8, 2, { topOutward: true })) {
      const { x, w } = attitude!
      // the up axis, turned about the nose
      const top = { x: 0, y: w * w - x * x, z: 2 * x * w }
      const radius = apart(position, ORIGIN)
      expect(apart(top, { x: 0, y: position.y / radius, z: position.z / radius })).toBeLessThan(1e-12)
    }
  })

  it('of a sphere is a sphere with evenly distributed slots and its centre at the leader', () => {
    for (const count of [3, 4, 5, 6, 7, 12, 23, 24, 25, 60, 300]) {
      const slots = spherePattern(count, 2)
      const radius = apart(slots[0]!.position, ORIGIN)
      for (const { position } of slots) expect(apart(position, ORIGIN)).toBeCloseTo(radius, 10)
      // L. Fejes Tóth, 1943: the upper bound of the least distance, which 3, 4, 6 and 12 points reach
      const bound = Math.sqrt(4 - 1 / Math.sin((Math.PI * count) / (6 * (count - 2))) ** 2)
      expect(tightest(slots) / radius, `${count}`).toBeGreaterThan(
        count < 7 && count !== 5 ? bound - 1e-9 : 0.83 * bound,
      )
      if (count !== 5)
        for (const axis of ['x', 'y', 'z'] as const)
          expect(Math.abs(mean(slots, axis)) / radius, `${count} ${axis}`).toBeLessThan(0.06)
    }
  })
})

describe('roles', () => {
  it('are given to the slots in order', () => {
    const roles = ['leader', '', 'wing']
    for (const slots of [
      wedgePattern(4, 2, { roles }),
      spherePattern(4, 2, { roles }),
      boxPattern(4, 2, { roles }),
    ])
      expect(slots.map(({ role }) => role)).toEqual(['leader', undefined, 'wing', undefined])
  })
})

describe('a custom pattern', () => {
  const slots = [0, 3, 6].map((x) => ({ position: { x, y: 1, z: 0 }, role: 'wing' }))

  it('gives copies of the first of its slots', () => {
    const pattern = customPattern(slots)
    expect(pattern(2, 3)).toEqual(slots.slice(0, 2))
    expect(pattern(2, 3)[0]!.position).not.toBe(slots[0]!.position)
    expect(pattern(0, 3)).toEqual([])
  })

  it('refuses invalid slots at once', () => {
    expect(() => customPattern(3 as never)).toThrow(TypeError)
    expect(() => customPattern([null as never])).toThrow(TypeError)
    expect(() => customPattern([{ position: { x: 0, y: NaN, z: 0 } }])).toThrow(RangeError)
  })

  it('refuses more members than slots, and too small a spacing', () => {
    expect(() => customPattern(slots)(4, 3)).toThrow('must be ≤ 3')
    expect(() => customPattern(slots)(3, 3.1)).toThrow('slots 0 and 1')
    expect(customPattern(slots)(1, 100)).toHaveLength(1)
  })
})

describe('the checks of options', () => {
  it.each([
    [() => linePattern(-1, 2), 'linePattern.count'],
    [() => columnPattern(1.5, 2), 'columnPattern.count'],
    [() => wallPattern(NaN, 2), 'wallPattern.count'],
    [() => boxPattern(1e9, 2), 'boxPattern.count'],
    [() => ringPattern(3, 0), 'ringPattern.spacing'],
    [() => spherePattern(3, Infinity), 'spherePattern.spacing'],
    [() => spherePattern(3, 1, { radius: -1 }), 'spherePattern.radius'],
    [() => wedgePattern(3, 1, { sweep: 1.1 }), 'wedgePattern'],
    [() => wedgePattern(3, 1, { sweep: 0.9, rise: 0.9 }), 'wedgePattern'],
    [() => wedgePattern(3, 1, { sweep: NaN }), 'wedgePattern.sweep'],
    [() => echelonPattern(3, 1, { rise: 2 }), 'echelonPattern.rise'],
    [() => echelonPattern(3, 1, { side: 'left' as never }), 'echelonPattern.side'],
    [() => boxPattern(3, 1, { height: 0 }), 'boxPattern.height'],
    [() => boxPattern(3, 1, { width: 1.5 }), 'boxPattern.width'],
    [() => wallPattern(3, 1, { width: 0 }), 'wallPattern.width'],
    [() => ringPattern(3, 1, { plane: 'up' as never }), 'ringPattern.plane'],
    [() => linePattern(3, 1, { roles: [3 as never] }), 'linePattern.roles'],
  ])('refuse %s', (use, name) => {
    expect(use).toThrow(name)
  })
})
