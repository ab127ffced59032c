import { lathe, linear, loft, ring } from './shape.mjs'
import { Model } from './write.mjs'

const WHITE = linear('#f2f1ec')
const PANEL = linear('#e2e2de')
const NAVY = linear('#14264f')
const ACCENT = linear('#ffffff') // tinted by the material's colour
const STEEL = linear('#5a5f68')
const DARK = linear('#15171b')
const GLASS = linear('#18222d')
const LAMP = linear('#1a0c06')

/** The hull from tail to nose: half widths and heights, and how high its middle is. */
const SECTIONS = [
  { z: -5.3, w: 0.36, h: 0.38, y: 0.12 },
  { z: -4.1, w: 0.52, h: 0.52, y: 0.1 },
  { z: -2.4, w: 0.74, h: 0.62, y: 0.06 },
  { z: -0.4, w: 0.86, h: 0.68, y: 0.02 },
  { z: 1.1, w: 0.84, h: 0.66, y: 0 },
  { z: 1.7, w: 0.56, h: 0.6, y: 0.02 },
  { z: 3.4, w: 0.46, h: 0.5, y: -0.02 },
  { z: 4.9, w: 0.31, h: 0.34, y: -0.1 },
  { z: 6, w: 0.13, h: 0.15, y: -0.17 },
  { z: 6.5, w: 0.02, h: 0.02, y: -0.2 },
]
const SIDES = 14

/** Of a hull panel: white above, an arrow of the accent along each flank, navy below with a white spine. */
function isAccent(i, k) {
  return (k === 0 || k === 6) && i < 8
}

function hull() {
  const rings = SECTIONS.map(({ z, w, h, y }) => ring(z, w, h, { y, sides: SIDES, power: 2.5 }))
  const parts = { hull: null, accent: null }
  const whole = loft(rings, (i, k) => {
    if (k > 6) return k === 10 ? WHITE : NAVY
    return (i + k) % 4 === 0 ? PANEL : WHITE
  })
  const flash = loft(
    SECTIONS.map(({ z, w, h, y }) => ring(z, w + 0.015, h + 0.015, { y, sides: SIDES, power: 2.5 })),
    ACCENT,
    { caps: false },
  )
  parts.hull = whole
  // two triangles to a panel, panel after panel
  flash.triangles = flash.triangles.filter((_, n) => {
    const panel = Math.floor(n / 2)
    return isAccent(Math.floor(panel / SIDES), panel % SIDES)
  })
  parts.accent = flash
  return parts
}

function canopy() {
  const rings = [
    ring(0.1, 0.2, 0.08, { y: 0.66, sides: 10 }),
    ring(1, 0.36, 0.42, { y: 0.52, sides: 10 }),
    ring(2.2, 0.37, 0.5, { y: 0.42, sides: 10 }),
    ring(3.4, 0.28, 0.32, { y: 0.32, sides: 10 }),
    ring(4.3, 0.06, 0.05, { y: 0.2, sides: 10 }),
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
  const skin = (_, k) => (k < 2 ? WHITE : NAVY)
  const root = blade([[1.5, -2.3, 0.55, -0.22, 0.14], [0.35, -2.35, 2.1, -0.18, 0.1]], skin) // prettier-ignore
  // a band right across, seen from below, too
  const band = blade([[0.34, -2.36, 2.09, -0.18, 0.105], [-0.55, -2.4, 3.3, -0.14, 0.075]], ACCENT) // prettier-ignore
  const outer = blade([[-0.56, -2.39, 3.29, -0.14, 0.07], [-1.5, -2.45, 4.55, -0.1, 0.04]], () => WHITE) // prettier-ignore
  const tip = lathe([[-2.75, 0.02], [-2.45, 0.07], [-1.5, 0.07], [-1.1, 0.02]], NAVY, { sides: 6 }) // prettier-ignore
  const tail = blade([[-4.1, -5.5, 0.3, 0.12, 0.07], [-5.1, -5.9, 2, 0.02, 0.03]], skin) // prettier-ignore
  const upright = (shape) => shape.turn(2, Math.PI / 2).move(0, 0.4, 0)
  const fin = blade([[-2.6, -5.2, 0.02, 0, 0.08], [-4.1, -5.6, 1.35, 0, 0.05]], NAVY) // prettier-ignore
  const finTop = blade([[-4.09, -5.59, 1.34, 0, 0.055], [-4.75, -5.85, 2.05, 0, 0.03]], ACCENT) // prettier-ignore
  return {
    hull: root
      .add(outer, tip.move(4.56, -0.1, 0), tail)
      .both()
      .add(upright(fin)),
    accent: band.both().add(upright(finTop)),
  }
}

function engine() {
  const bell = lathe([[-5.2, 0.36], [-5.75, 0.31], [-5.72, 0.25], [-5.2, 0.28]], (i) => (i === 0 ? STEEL : DARK), { sides: 14 }) // prettier-ignore
  const core = lathe([[-5.45, 0.28], [-5.35, 0.04]], LAMP, { sides: 12 }) // prettier-ignore
  const intake = loft([ring(1.62, 0.2, 0.34, { power: 4 }), ring(0.9, 0.12, 0.24, { power: 4 })], DARK)
  return { metal: bell.move(0, 0.12, 0).add(intake.move(0.62, 0, 0).both()), lamp: core.move(0, 0.12, 0) }
}

/** A display jet of 12 m, nose +Z. Smoke leaves at `smoke_0`, exhaust at `nozzle_ahead_0`; `tip_0` and `tip_1` are its wing tips. */
export function displayJet() {
  const model = new Model('display-jet')
    .material('hull', { metal: 0.1, rough: 0.32 })
    .material('accent', { metal: 0.1, rough: 0.3 })
    .material('metal', { metal: 0.8, rough: 0.4 })
    .material('glass', { metal: 0.7, rough: 0.08 })
    .material('lamp', { rough: 1, emissive: [1, 0.55, 0.25] })
  const body = hull()
  const wing = wings()
  const { metal, lamp } = engine()
  model.mesh('display-jet', {
    hull: body.hull.add(wing.hull),
    accent: body.accent.add(wing.accent),
    metal,
    glass: canopy(),
    lamp,
  })
  model.marker('nozzle_ahead_0', [0, 0.12, -5.7], [0, 0, -1])
  model.marker('smoke_0', [0, -0.1, -6.2], [0, 0, -1])
  for (const side of [1, -1]) model.marker(`tip_${side > 0 ? 0 : 1}`, [4.6 * side, -0.1, -2.4], [0, 0, -1])
  return model
}
