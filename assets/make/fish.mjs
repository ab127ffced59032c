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

const HIDE = linear('#4a3b46')
const PALE = linear('#8d7276')
const DARK = linear('#2a2029')
const GUM = linear('#7c2f3a')
const TOOTH = linear('#efe6cf')
const WEB = linear('#6d4a55')
const ONE = linear('#ffffff')

/** An anglerfish of 2.6 m with a lantern; node `lantern` is where its light is. */
export function angler() {
  const model = new Model('angler')
    .material('skin', { rough: 0.75, doubleSided: true })
    .material('eye', { rough: 0.3, emissive: [0.55, 0.85, 0.8] })
    .material('lantern', { rough: 1, emissive: [1, 0.82, 0.5] })
  const sides = 14
  const rings = [
    [0.62, 0.42, 0.26, -0.12],
    [1.12, 0.72, 0.5, -0.12],
    [0.86, 0.9, 0.84, 0],
    [0.4, 0.98, 1, 0.02],
    [-0.15, 0.82, 0.88, 0],
    [-0.7, 0.44, 0.52, 0],
    [-1.05, 0.18, 0.28, 0],
    [-1.2, 0.08, 0.2, 0],
  ].map(([z, w, h, y]) => ring(z, w, h, { sides, y }))
  const skin = (i, k) => (i === 0 ? GUM : k > sides * 0.55 && k < sides * 0.95 ? PALE : (i + k) % 3 === 0 ? DARK : HIDE) // prettier-ignore
  const body = loft(rings, skin)
  const teeth = new Shape()
  for (let k = 0; k < 18; k++) {
    const turn = ((k + 0.5) / 18) * 2 * Math.PI
    const [x, y] = [0.68 * Math.cos(turn), -0.12 + 0.46 * Math.sin(turn)]
    const inward = 0.42 + 0.2 * ((k * 7) % 3) * 0.5
    const tip = [x * (1 - inward * 0.4), y - Math.sign(Math.sin(turn)) * inward * 0.5, 1.14]
    const [a, b] = [0.055, 0.06]
    teeth.triangle([x - a, y, 1.08 + b], [x + a, y, 1.08 + b], tip, TOOTH)
    teeth.triangle([x - a, y, 1.08 - b], [x + a, y, 1.08 - b], tip, TOOTH)
  }
  const tail = sheet([[0, 0.1, -1.15], [0, 0.62, -1.62], [0, 0.2, -1.5], [0, -0.2, -1.52], [0, -0.55, -1.6], [0, -0.1, -1.15]], WEB) // prettier-ignore
  const dorsal = sheet(
    [
      [0, 0.86, -0.1],
      [0, 1.22, -0.5],
      [0, 0.98, -0.72],
      [0, 0.5, -0.75],
    ],
    WEB,
  )
  const fin = sheet(
    [
      [0.9, -0.15, 0.3],
      [1.32, -0.35, -0.1],
      [1.2, -0.5, -0.3],
      [0.82, -0.3, -0.05],
    ],
    WEB,
  )
  const other = new Shape(
    fin.triangles.map(({ points, colors }) => ({ points: points.map(([x, y, z]) => [-x, y, z]), colors })),
  )
  const path = [[0.45, 0.95], [0.62, 1.45], [1, 1.72], [1.36, 1.6], [1.5, 1.38]] // prettier-ignore
  const stalk = loft(
    path.map(([z, y], i) => {
      const girth = 0.06 - 0.009 * i
      return Array.from({ length: 5 }, (_, k) => {
        const turn = (2 * Math.PI * k) / 5
        const [zz, yy] = path[Math.min(i + 1, path.length - 1)]
        const [za, ya] = path[Math.max(i - 1, 0)]
        const size = Math.hypot(zz - za, yy - ya)
        const [nz, ny] = [-(yy - ya) / size, (zz - za) / size]
        return [girth * Math.cos(turn), y + girth * ny * Math.sin(turn), z + girth * nz * Math.sin(turn)]
      })
    }),
    DARK,
  )
  const eyes = ball(1, () => 0.13, () => ONE).move(0.62, 0.5, 0.86).both() // prettier-ignore
  model.mesh('body', { skin: body.add(teeth, tail, dorsal, fin, other, stalk), eye: eyes })
  model.mesh('bulb', { lantern: ball(1, () => 0.17, () => ONE) }, { position: [0, 1.25, 1.5] }) // prettier-ignore
  model.marker('lantern', [0, 1.25, 1.5])
  return model
}
