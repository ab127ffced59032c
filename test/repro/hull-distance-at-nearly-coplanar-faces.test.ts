import { expect, it } from 'vitest'
import { HullShape } from 'three-steering'
import { vec3 } from '../../src/core/math/vec3.js'

// A cube with a top of four triangles almost in one plane, in single precision. A point on an edge of the top
// lies slightly outside one face, and its projection lies in no face. Its distance came out as half a metre.
it('a point on the edge between two nearly coplanar faces is on the surface', () => {
  const corners = [
    [5, 0, 0],
    [5.070241451263428, -0.15607500076293945, -0.9852445125579834],
    [6.049180507659912, -0.335086464881897, -0.8870949745178223],
    [5.978939056396484, -0.17901146411895752, 0.09814953804016113],
    [4.808311462402344, -0.9713884592056274, 0.14021389186382294],
    [4.8785529136657715, -1.127463459968567, -0.8450306057929993],
    [5.857491493225098, -1.3064749240875244, -0.7468810677528381],
    [5.78725004196167, -1.150399923324585, 0.23836342990398407],
    [5.0637359619140625, -1.089711308479309, -0.33032044768333435],
  ] as const
  const faces = [
    [3, 2, 1, 0],
    [0, 1, 5, 4],
    [1, 2, 6, 5],
    [2, 3, 7, 6],
    [3, 0, 4, 7],
    [4, 5, 8],
    [5, 6, 8],
    [6, 7, 8],
    [7, 4, 8],
  ]
  const hull = new HullShape({ vertices: corners.map(([x, y, z]) => ({ x, y, z })), faces })
  const on = { x: 4.996650991731141, y: -1.149059206939366, z: -0.8331899530211322 }
  expect(Math.abs(hull.distance(on, vec3()))).toBeLessThan(1e-6)
})
