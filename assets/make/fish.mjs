import { ball, linear, loft, ring, Shape } from './shape.mjs'
import { Model } from './write.mjs'

const SIDE = linear('#7fb6c9')
const BACK = linear('#2b5872')
const BELLY = linear('#d8ecec')
const FIN = linear('#f0b35a')
const EYE = linear('#10161c')

/** A sheet seen from both sides, mirrored when it is beside the middle. */
const sheet = (points, color) => {
  const shape = new Shape()
  for (let k = 1; k + 1 < points.length; k++) shape.triangle(points[0], points[k], points[k + 1], color)
  return shape
}

/** A reef fish of a metre, nose to tail along z; the tail swings in a shader. */
export function fish() {
  const model = new Model('fish').material('skin', { rough: 0.5, doubleSided: true })
  const rings = [
    [0.46, 0.02, 0.03],
    [0.36, 0.07, 0.11],
    [0.16, 0.105, 0.19],
    [-0.06, 0.09, 0.18],
    [-0.24, 0.045, 0.1],
    [-0.34, 0.02, 0.055],
  ].map(([z, w, h]) => ring(z, w, h, { sides: 8 }))
  // panels go round from port over the top
  const skin = (_, k) => (k === 1 || k === 2 ? BACK : k === 5 || k === 6 ? BELLY : SIDE)
  const body = loft(rings, skin)
  const tail = sheet([[0, 0, -0.32], [0, 0.2, -0.54], [0, 0.06, -0.46], [0, -0.06, -0.46], [0, -0.2, -0.54]], FIN) // prettier-ignore
  const dorsal = sheet(
    [
      [0, 0.17, 0.14],
      [0, 0.3, -0.04],
      [0, 0.24, -0.16],
      [0, 0.12, -0.18],
    ],
    FIN,
  )
  const anal = sheet(
    [
      [0, -0.15, 0],
      [0, -0.25, -0.12],
      [0, -0.09, -0.22],
    ],
    FIN,
  )
  const pectoral = sheet(
    [
      [0.1, -0.03, 0.14],
      [0.24, -0.1, 0.02],
      [0.12, -0.1, 0.02],
    ],
    FIN,
  )
  const eyes = ball(0, () => 0.028, () => EYE).move(0.075, 0.04, 0.3).both() // prettier-ignore
  const other = new Shape(
    pectoral.triangles.map(({ points, colors }) => ({
      points: points.map(([x, y, z]) => [-x, y, z]),
      colors,
    })),
  )
  model.mesh('fish', { skin: body.add(tail, dorsal, anal, pectoral, other, eyes) })
  return model
}
