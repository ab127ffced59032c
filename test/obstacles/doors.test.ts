import { describe, expect, it } from 'vitest'
import {
  BoxShape,
  CapsuleShape,
  CylinderShape,
  HalfSpaceShape,
  HollowShape,
  HullShape,
  Obstacle,
  Obstacles,
  Path,
  PathTube,
  PrismShape,
  SphereShape,
  type PlanPoint,
  type Vec3,
} from 'three-steering'
import { v } from '../support/geometry.js'

// Each entry point: a wrong value throws at once a TypeError or RangeError that names the option, the value
// and the values allowed.

const LENGTHS = [NaN, 0, -1, Infinity, -Infinity, '5', {}, null, undefined]
const VECTORS = [5, 'up', null, {}, { x: 1 }, v(1, NaN, 0), v(0, 0, Infinity), { x: '1', y: 2, z: 3 }]

function expectRefusal(act: () => unknown, names: string, got: string): void {
  try {
    act()
  } catch (error) {
    expect(error instanceof TypeError || error instanceof RangeError).toBe(true)
    const { message } = error as Error
    expect(message).toContain(names)
    expect(message).toContain(got)
    expect(message).toContain('must')
    return
  }
  expect.fail('was let in')
}

const ball = new SphereShape(1)
const line = new Path({ points: [v(0, 0, 0), v(9, 0, 0)] })
const cast = (value: unknown): never => value as never

const doors: [string, readonly unknown[], (value: unknown) => unknown][] = [
  ['SphereShape.radius', LENGTHS, (value) => new SphereShape(cast(value))],
  ['BoxShape.halfExtents', VECTORS, (value) => new BoxShape(cast(value))],
  ...(['x', 'y', 'z'] as const).map((axis): (typeof doors)[number] => [
    `BoxShape.halfExtents.${axis}`,
    [0, -1],
    (value) => new BoxShape({ x: 1, y: 1, z: 1, [axis]: value }),
  ]),
  ['CapsuleShape.radius', LENGTHS, (value) => new CapsuleShape(cast(value), 1)],
  ['CapsuleShape.length', LENGTHS, (value) => new CapsuleShape(1, cast(value))],
  ['CylinderShape.radius', LENGTHS, (value) => new CylinderShape(cast(value), 1)],
  ['CylinderShape.height', LENGTHS, (value) => new CylinderShape(1, cast(value))],
  ['PrismShape.corners', [null, undefined, 5, {}, 'abc'], (value) => new PrismShape(cast(value), 1)],
  [
    'PrismShape.corners[1]',
    [null, 5, {}, { x: 1 }, { x: NaN, z: 1 }, { x: 1, z: Infinity }, { x: '1', z: 2 }],
    (value) => new PrismShape([{ x: 0, z: 0 }, cast(value), { x: 1, z: 1 }], 1),
  ],
  [
    'PrismShape.height',
    LENGTHS,
    (value) =>
      new PrismShape(
        [
          { x: 0, z: 0 },
          { x: 1, z: 0 },
          { x: 1, z: 1 },
        ],
        cast(value),
      ),
  ],
  ['HalfSpaceShape.normal', [...VECTORS, v(0, 0, 0)], (value) => new HalfSpaceShape(cast(value))],
  [
    'HollowShape.inner',
    [
      null,
      undefined,
      5,
      {},
      new HalfSpaceShape(),
      new HollowShape(ball),
      { kind: 'dent', distance() {}, support() {} },
    ],
    (value) => new HollowShape(cast(value)),
  ],
  ['PathTube.path', [null, undefined, 5, {}, ball], (value) => new PathTube(cast(value), 1)],
  ['PathTube.radius', LENGTHS, (value) => new PathTube(line, cast(value))],
  ['Obstacle', [null, undefined, 5], (value) => new Obstacle(cast(value))],
  [
    'Obstacle.shape',
    [null, undefined, 5, {}, { distance() {} }],
    (value) => new Obstacle({ shape: cast(value) }),
  ],
  ['Obstacle.at', VECTORS, (value) => new Obstacle({ shape: ball, at: cast(value) })],
  [
    'Obstacle.at.position',
    VECTORS.filter((value) => value !== undefined),
    (value) => new Obstacle({ shape: ball, at: { position: cast(value) } }),
  ],
  ['Obstacle.offset', VECTORS, (value) => new Obstacle({ shape: ball, offset: cast(value) })],
  [
    'Obstacle.turn',
    [null, 5, {}, v(1, 2, 3), { ...v(0, 0, 0), w: 0 }, { ...v(0, 0, 0), w: NaN }],
    (value) => new Obstacle({ shape: ball, turn: cast(value) }),
  ],
  ['Obstacles', [null, 5, {}], (value) => new Obstacles(cast(value))],
  ['Obstacles[0]', [[null], [5]], (value) => new Obstacles(cast(value))],
  [
    'Obstacles[1].at',
    VECTORS.slice(0, 4),
    (at) => new Obstacles([{ shape: ball }, { shape: ball, at: cast(at) }]),
  ],
]

describe.each(doors)('%s', (names, bad, open) => {
  it.each(bad.map((value) => [value]))('refuses %j', (value) => {
    const shown = typeof value === 'string' ? `'${value}'` : String(value)
    const got = typeof value === 'object' && value !== null ? 'got ' : `got ${shown}`
    expectRefusal(() => open(value), names, got)
  })
})

it('a body to follow must have a finite pose and motion', () => {
  const position = v(1, 2, 3)
  const quaternion = { x: 0, y: NaN, z: 0, w: 1 }
  for (const at of [
    { position, quaternion },
    { position, velocity: v(0, Infinity, 0) },
  ])
    expectRefusal(() => new Obstacle({ shape: ball, at }), 'Obstacle.at', 'got ')
})

it('an obstacle cannot be added twice, nor removed when it is not in the set', () => {
  const obstacle = new Obstacle({ shape: ball })
  const set = new Obstacles([obstacle])
  expect(() => set.add(obstacle)).toThrow(TypeError)
  expect(() => set.remove(new Obstacle({ shape: ball }))).toThrow(TypeError)
  expect(set.remove(obstacle).size).toBe(0)
  expect(() => set.remove(obstacle)).toThrow(TypeError)
})

describe('PrismShape', () => {
  const corners = (...numbers: number[]): PlanPoint[] =>
    Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i]!, z: numbers[2 * i + 1]! }))

  it.each<[string, string, PlanPoint[]]>([
    ['two corners', 'got 2, must be 3 corners or more', corners(0, 0, 1, 0)],
    ['corners that coincide', 'must differ from corner 1', corners(0, 0, 1, 0, 1, 0, 0, 1)],
    [
      'a first corner that is repeated at the end',
      'must differ from corner 3',
      corners(0, 0, 1, 0, 1, 1, 0, 0),
    ],
    ['a bow tie', 'cross or touch', corners(0, 0, 1, 1, 1, 0, 0, 1)],
    ['a corner on another edge', 'cross or touch', corners(0, 0, 4, 0, 4, 4, 2, 0, 0, 4)],
    ['two rooms that share a corner', 'cross or touch', corners(0, 0, 1, 1, 2, 0, 2, 2, 1, 1, 0, 2)],
    ['three corners on a line', 'must enclose an area', corners(0, 0, 1, 1, 2, 2)],
    ['a spike without thickness', 'cross or touch', corners(0, 0, 2, 0, 2, 2, 5, 2, 2, 2, 0, 2)],
  ])('refuses %s', (_what, says, plan) => {
    const open = (): unknown => new PrismShape(plan, 1)
    expect(open).toThrow(RangeError)
    expect(open).toThrow('PrismShape.corners')
    expect(open).toThrow(says)
  })
})

describe('HullShape', () => {
  const corners = [v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)]
  const sides = [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ]
  const bent = (change: (vertices: Vec3[], faces: number[][]) => void): (() => unknown) => {
    const [vertices, faces] = structuredClone([corners, sides] as const)
    change(vertices, faces)
    return () => new HullShape({ vertices, faces })
  }

  it('accepts a tetrahedron', () => {
    expect(bent(() => undefined)).not.toThrow()
  })

  const refused: [string, string, (vertices: Vec3[], faces: number[][]) => void][] = [
    ['a number that is none', 'vertices[2]', (vertices) => (vertices[2]!.y = NaN)],
    ['three vertices', 'HullShape.vertices: got 3', (vertices) => vertices.pop()],
    ['three faces', 'HullShape.faces: got 3', (_, faces) => faces.pop()],
    ['a face of two', 'faces[1]: got [0, 1]', (_, faces) => faces[1]!.pop()],
    ['a face that goes to and fro', 'faces[1]: got [0, 1, 0]', (_, faces) => (faces[1]![2] = 0)],
    ['a vertex that is not there', 'faces[1]: got vertex 4', (_, faces) => (faces[1]![2] = 4)],
    ['a number of a vertex that is none', 'faces[1]: got vertex 1.5', (_, faces) => (faces[1]![2] = 1.5)],
    ['a vertex without a face', 'vertices[4]', (vertices) => vertices.push(v(9, 9, 9))],
    ['one face turned round', 'turned round', (_, faces) => faces[3]!.reverse()],
    ['all faces turned round', 'clockwise', (_, faces) => faces.forEach((face) => face.reverse())],
    [
      'a surface with a hole',
      'closed',
      (vertices, faces) => {
        vertices.push(v(1, 1, 1))
        faces[3] = [1, 2, 4]
      },
    ],
    ['no thickness', 'flat', (vertices) => Object.assign(vertices[3]!, v(0.2, 0.3, 1e-7))],
    ['a face without area', 'area', (vertices) => Object.assign(vertices[1]!, v(0, 0.5, 0))],
  ]

  it.each(refused)('refuses %s', (_what, says, change) => {
    expect(bent(change)).toThrow(says)
    expect(bent(change)).toThrow(/RangeError|TypeError|HullShape/)
  })

  const cube = (): Vec3[] => [0, 1, 2, 3, 4, 5, 6, 7].map((i) => v(i & 1, (i >> 1) & 1, (i >> 2) & 1))
  const squares = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ]

  it('refuses a dent, and a face that is not flat', () => {
    const dented = cube()
    dented[7] = v(0.3, 0.3, 0.3)
    const triangles = squares.flatMap(([a, b, c, d]) => [
      [a!, b!, c!],
      [a!, c!, d!],
    ])
    expect(() => new HullShape({ vertices: dented, faces: triangles })).toThrow(
      /not convex, vertices\[\d\] stands/,
    )
    expect(() => new HullShape({ vertices: dented, faces: squares })).toThrow('not flat')
  })

  it('accepts squares and coplanar triangles with numbers in single precision', () => {
    const rough = cube().map(({ x, y, z }) =>
      v(Math.fround(x + 0.1), Math.fround(y / 3), Math.fround(z * 7.7)),
    )
    const triangles = squares.flatMap(([a, b, c, d]) => [
      [a!, b!, c!],
      [a!, c!, d!],
    ])
    const normal = v(0, 0, 0)
    for (const faces of [squares, triangles]) {
      const hull = new HullShape({ vertices: rough, faces })
      expect(hull.distance(v(0.6, 0.1, -2), normal)).toBeCloseTo(2, 6)
      expect(hull.distance(v(3.1, 0.1, 8.7), normal)).toBeCloseTo(Math.hypot(2, 1), 5)
    }
  })
})
