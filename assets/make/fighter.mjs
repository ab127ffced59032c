import { lathe, linear, loft, ring, Shape } from './shape.mjs'
import { Model } from './write.mjs'

const HULL = linear('#aeb6c2')
const PANEL = linear('#98a1af')
const BELLY = linear('#6f7886')
const DARK = linear('#23272e')
const STEEL = linear('#4d545f')
const ACCENT = linear('#ffffff') // tinted per team by the material's colour
const GLASS = linear('#1b2733')
const LAMP = linear('#1a0c06')

/** Half widths and heights of the hull from tail to nose; the flanks stand out where the intakes run. */
const SECTIONS = [
  { z: -6.2, w: 1.25, h: 0.5, y: 0.05, power: 4 },
  { z: -4.4, w: 1.5, h: 0.72, y: 0.05, power: 4 },
  { z: -1.6, w: 1.55, h: 0.82, y: 0.02, power: 4 },
  { z: 0.7, w: 1.42, h: 0.8, y: 0, power: 4 },
  { z: 1.9, w: 0.78, h: 0.72, y: 0.1, power: 3 },
  { z: 3.8, w: 0.6, h: 0.62, y: 0.08, power: 2.4 },
  { z: 5.6, w: 0.4, h: 0.42, y: -0.02, power: 2 },
  { z: 7.4, w: 0.13, h: 0.14, y: -0.14, power: 2 },
  { z: 7.9, w: 0.03, h: 0.03, y: -0.16, power: 2 },
]

function hull() {
  const rings = SECTIONS.map(({ z, w, h, y, power }) => ring(z, w, h, { y, sides: 12, power }))
  const skin = (i, k) => (k >= 6 ? BELLY : (i + k) % 3 === 0 ? PANEL : HULL)
  const band = [4, 5].map((i) => {
    const { z, w, h, y, power } = SECTIONS[i]
    return ring(z * 0.98 + 0.4, w + 0.03, h + 0.03, { y, sides: 12, power })
  })
  return { body: loft(rings, skin), band: loft(band, ACCENT, { caps: false }) }
}

function canopy() {
  const rings = [
    ring(0.4, 0.3, 0.12, { y: 0.76, sides: 10 }),
    ring(1.4, 0.46, 0.5, { y: 0.62, sides: 10 }),
    ring(2.7, 0.46, 0.56, { y: 0.5, sides: 10 }),
    ring(4.1, 0.34, 0.34, { y: 0.4, sides: 10 }),
    ring(5.1, 0.08, 0.06, { y: 0.28, sides: 10 }),
  ]
  return loft(rings, GLASS)
}

/** A slab between chords: `[z of the leading edge, z of the trailing edge, x, y, half thickness]`. */
function blade(chords, paint) {
  const rings = chords.map(([lead, trail, x, y, thick]) => {
    const ridge = lead + (trail - lead) * 0.35
    return [
      [x, y, lead],
      [x, y + thick, ridge],
      [x, y, trail],
      [x, y - thick, ridge],
    ]
  })
  return loft(rings, paint)
}

function wings() {
  const skin = (_, k) => (k < 2 ? HULL : BELLY)
  // a strake along the hull, a cropped delta, and its tip in the team's colour
  const strake = blade([[4.2, -1, 0.5, 0.12, 0.05], [1.1, -1.2, 1.6, 0.08, 0.09]], skin) // prettier-ignore
  const delta = blade([[1.1, -4.4, 1.45, 0.06, 0.14], [-2.2, -4.5, 4.1, -0.02, 0.07]], skin) // prettier-ignore
  const tip = blade([[-2.19, -4.51, 4.09, -0.02, 0.08], [-3.1, -4.6, 4.95, -0.05, 0.04]], ACCENT) // prettier-ignore
  const rail = lathe([[-4.9, 0.03], [-4.5, 0.11], [-2.4, 0.11], [-1.7, 0.02]], PANEL, { sides: 6 }) // prettier-ignore
  const stabiliser = blade([[-4.9, -7, 1.1, 0, 0.08], [-6.3, -7.5, 3, -0.06, 0.04]], skin) // prettier-ignore
  const fin = blade([[-3.3, -6.2, 0, 0, 0.08], [-5, -6.9, 1.75, 0, 0.04]], HULL) // prettier-ignore
  const finTip = blade([[-4.99, -6.89, 1.74, 0, 0.045], [-5.6, -7.05, 2.25, 0, 0.03]], ACCENT) // prettier-ignore
  const lean = (shape) => shape.turn(2, Math.PI / 2 - 0.36).move(0.95, 0.55, 0)
  return {
    skin: strake.add(delta, stabiliser, rail.move(4.97, -0.05, 0), lean(fin)).both(),
    accent: tip.add(lean(finTip)).both(),
  }
}

function engines() {
  const bell = lathe(
    [[-6, 0.5], [-7, 0.44], [-6.98, 0.37], [-6.1, 0.42]],
    (i) => (i === 0 ? STEEL : DARK),
    { sides: 12 }
  ) // prettier-ignore
  const core = lathe(
    [
      [-6.5, 0.4],
      [-6.4, 0.06],
    ],
    LAMP,
    { sides: 12 },
  )
  const intake = new Shape().add(loft([ring(1.15, 0.32, 0.42, { power: 4 }), ring(0.2, 0.24, 0.3, { power: 4 })], DARK)) // prettier-ignore
  const aside = (shape, x, y) => shape.move(x, y, 0).both()
  return { metal: aside(bell, 0.62, 0.02).add(aside(intake, 1.12, -0.18)), core: aside(core, 0.62, 0.02) }
}

/** A fighter of 16 m, nose +Z. Exhaust leaves at its `nozzle_` nodes; `tip_0` and `tip_1` are its wing tips. */
export function fighter() {
  const model = new Model('fighter')
    .material('hull', { metal: 0.45, rough: 0.42 })
    .material('accent', { metal: 0.2, rough: 0.38 })
    .material('metal', { metal: 0.8, rough: 0.4 })
    .material('glass', { metal: 0.7, rough: 0.08 })
    .material('lamp', { rough: 1, emissive: [1, 0.55, 0.25] })
  const { body, band } = hull()
  const wing = wings()
  const engine = engines()
  model.mesh('fighter', {
    hull: body.add(wing.skin),
    accent: band.add(wing.accent),
    metal: engine.metal,
    glass: canopy(),
    lamp: engine.core,
  })
  for (const side of [1, -1]) {
    const index = side > 0 ? 0 : 1
    model.marker(`nozzle_ahead_${index}`, [0.62 * side, 0.02, -6.95], [0, 0, -1])
    model.marker(`tip_${index}`, [4.97 * side, -0.05, -4.7], [0, 0, -1])
  }
  return model
}
