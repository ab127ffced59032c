import { ball, linear, loft, ring, Shape } from './shape.mjs'
import { Model } from './write.mjs'

const BACK = linear('#4f6472')
const SIDE = linear('#7d93a0')
const BELLY = linear('#dfe6e6')
const FIN = linear('#455863')
const TIP = linear('#222c33')
const GILL = linear('#39474f')
const EYE = linear('#080a0c')

/** A flat fin: a fan from its first point, the last triangle dark. */
const fan = (points) => {
  const shape = new Shape()
  for (let k = 1; k + 1 < points.length; k++)
    shape.triangle(points[0], points[k], points[k + 1], k + 2 === points.length ? TIP : FIN)
  return shape
}

const mirrored = (shape) =>
  new Shape(
    shape.triangles.map(({ points, colors }) => ({ points: points.map(([x, y, z]) => [-x, y, z]), colors })),
  )

/** A reef shark of 3 m, nose to tail along z from 1.45 to −1.55; the tail swings in a shader. */
export function shark() {
  const model = new Model('shark').material('skin', { rough: 0.55, doubleSided: true })
  const sides = 12
  const rings = [
    [1.42, 0.03, 0.025, 0.03],
    [1.28, 0.14, 0.09, 0.02],
    [1.0, 0.25, 0.2, 0],
    [0.78, 0.3, 0.27, 0],
    [0.64, 0.32, 0.31, 0],
    [0.2, 0.34, 0.36, 0],
    [-0.25, 0.28, 0.3, 0.01],
    [-0.7, 0.17, 0.19, 0.03],
    [-1.05, 0.08, 0.11, 0.05],
    [-1.22, 0.04, 0.08, 0.07],
  ].map(([z, w, h, y]) => ring(z, w, h, { sides, y }))
  // panels go round from port over the top
  const skin = (i, k) => {
    const up = Math.sin(((k + 1) / sides) * 2 * Math.PI)
    if (i === 3 && Math.abs(up) < 0.5) return GILL
    return up > 0.3 ? BACK : up < -0.3 ? BELLY : SIDE
  }
  const body = loft(rings, skin)
  const tail = fan([[0, 0.07, -1.18], [0, -0.28, -1.42], [0, 0.02, -1.34], [0, 0.34, -1.52], [0, 0.72, -1.62], [0, 0.5, -1.4]]) // prettier-ignore
  const dorsal = fan([[0, 0.3, 0.25], [0, 0.28, -0.2], [0, 0.46, -0.18], [0, 0.78, -0.2], [0, 0.7, -0.06]]) // prettier-ignore
  const second = fan([[0, 0.15, -0.74], [0, 0.13, -0.92], [0, 0.27, -0.96]]) // prettier-ignore
  const anal = fan([[0, -0.1, -0.74], [0, -0.05, -0.92], [0, -0.2, -0.98]]) // prettier-ignore
  const pectoral = fan([[0.26, -0.14, 0.62], [0.24, -0.16, 0.2], [0.5, -0.26, 0.02], [0.88, -0.38, -0.1], [0.7, -0.28, 0.22]]) // prettier-ignore
  const pelvic = fan([[0.14, -0.2, -0.36], [0.1, -0.18, -0.6], [0.3, -0.3, -0.66]]) // prettier-ignore
  const eyes = ball(0, () => 0.035, () => EYE).move(0.19, 0.07, 1.1).both() // prettier-ignore
  const fins = [tail, dorsal, second, anal, pectoral, mirrored(pectoral), pelvic, mirrored(pelvic)]
  model.mesh('shark', { skin: body.add(...fins, eyes) })
  return model
}
