import { box, lathe, linear, loft, ring, Shape, torus } from './shape.mjs'
import { Model } from './write.mjs'

const SHELL = linear('#f3efe6')
const BELLY = linear('#c9c4ba')
const ORANGE = linear('#f07a2b')
const DARK = linear('#22262d')
const STEEL = linear('#6b7280')
const ONE = linear('#ffffff')

const REACH = 0.52 // m from the middle to each rotor axis, along x and along z

const onCorners = (shape) => {
  const all = new Shape()
  for (const x of [REACH, -REACH]) for (const z of [REACH, -REACH]) all.add(shape.move(x, 0.06, z))
  return all
}

function body() {
  const sides = 24
  const rings = Array.from({ length: 13 }, (_, i) => {
    const angle = (i / 12) * Math.PI
    const round = Math.max(0.02, Math.sin(angle)) * 0.36
    return ring(-0.37 * Math.cos(angle), round, round * 0.82, { sides })
  })
  // the racing stripe is the panel on top
  const skin = (_, k) =>
    Math.abs(k + 1 - sides / 4) < 1 ? ORANGE : k > sides * 0.58 && k < sides * 0.92 ? BELLY : SHELL
  return loft(rings, skin)
}

function arms() {
  const all = new Shape()
  for (let k = 0; k < 4; k++) {
    const arm = box(0.08, 0.06, 0.5, STEEL).move(0, 0.06, 0.48)
    all.add(arm.turn(1, Math.PI / 4 + (k * Math.PI) / 2))
  }
  const skid = box(0.05, 0.05, 0.7, STEEL).move(0.3, -0.42, 0)
  const strut = box(0.04, 0.24, 0.04, STEEL)
    .move(0.28, -0.32, 0.16)
    .add(box(0.04, 0.24, 0.04, STEEL).move(0.28, -0.32, -0.16))
  return all.add(skid.add(strut).both())
}

function duct() {
  const rim = torus(0.3, 0.035, (i) => (i % 6 === 0 ? ORANGE : SHELL), { segments: 24, sides: 6, flat: 1.9 })
  return rim.turn(0, Math.PI / 2).add(lathe([[-0.07, 0.05], [0.06, 0.04]], DARK, { sides: 8 }).turn(0, Math.PI / 2)) // prettier-ignore
}

/** A round little drone with one eye. Rotor nodes turn about +Y. */
export function drone() {
  const model = new Model('drone')
    .material('shell', { metal: 0.05, rough: 0.45 })
    .material('metal', { metal: 0.7, rough: 0.4 })
    .material('glass', { metal: 0.3, rough: 0.08 })
    .material('eye', { rough: 1, emissive: [0.35, 0.9, 1] })
    .material('lamp', { rough: 1, emissive: [1, 0.22, 0.1] })
  const visor = lathe([[0.3, 0.23], [0.37, 0.21], [0.4, 0.15]], DARK, { sides: 20 }).map(([x, y, z]) => [x, y * 0.8, z]) // prettier-ignore
  const iris = torus(0.085, 0.02, ONE, { segments: 20, sides: 4 }).move(0, 0, 0.405)
  const pupil = lathe([[0.4, 0.03], [0.415, 0.02]], ONE, { sides: 8 }) // prettier-ignore
  const tail = box(0.1, 0.05, 0.04, ONE).move(0, 0.02, -0.36)
  model.mesh('drone', {
    shell: body().add(onCorners(duct())),
    metal: arms(),
    glass: visor,
    eye: iris.add(pupil),
    lamp: tail,
  })
  let index = 0
  for (const x of [REACH, -REACH]) {
    for (const z of [REACH, -REACH]) {
      const blade = box(0.52, 0.012, 0.055, DARK).add(box(0.055, 0.012, 0.52, DARK))
      model.mesh(`rotor_${index++}`, { metal: blade }, { position: [x, 0.12, z] })
    }
  }
  return model
}
