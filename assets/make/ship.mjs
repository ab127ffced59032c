import { box, lathe, linear, loft, ring, Shape } from './shape.mjs'
import { Model } from './write.mjs'

const HULL = linear('#d9dde3')
const PANEL = linear('#b9c0ca')
const BELLY = linear('#7f8896')
const DARK = linear('#2c3038')
const STEEL = linear('#5a616d')
const ACCENT = linear('#ffffff') // tinted per ship by the material's colour
const GLASS = linear('#16324a')
const LAMP = linear('#0c1a2a')

/** Half widths and heights of the hull from tail to nose. */
const SECTIONS = [
  { z: -2.05, w: 0.4, h: 0.26, y: 0.04 },
  { z: -1.75, w: 0.58, h: 0.4, y: 0.04 },
  { z: -0.9, w: 0.7, h: 0.47, y: 0.03 },
  { z: -0.2, w: 0.68, h: 0.46, y: 0.02 },
  { z: 0.1, w: 0.66, h: 0.45, y: 0.01 },
  { z: 0.95, w: 0.52, h: 0.34, y: -0.02 },
  { z: 1.75, w: 0.33, h: 0.2, y: -0.08 },
  { z: 2.45, w: 0.12, h: 0.07, y: -0.13 },
  { z: 2.6, w: 0.04, h: 0.03, y: -0.14 },
]

function hull() {
  const rings = SECTIONS.map(({ z, w, h, y }) => ring(z, w, h, { y, sides: 10, power: 2.6 }))
  const skin = (i, k) => (k >= 5 ? BELLY : (i + k) % 3 === 0 ? PANEL : HULL)
  const body = loft(rings, skin)
  // the band behind the cockpit carries the ship's own colour
  const band = [3, 4].map((i) => {
    const { z, w, h, y } = SECTIONS[i]
    return ring(z, w + 0.02, h + 0.02, { y, sides: 10, power: 2.6 })
  })
  return { body, band: loft(band, ACCENT, { caps: false }) }
}

function canopy() {
  const rings = [
    ring(-0.25, 0.2, 0.08, { y: 0.42, sides: 8 }),
    ring(0.2, 0.3, 0.28, { y: 0.38, sides: 8 }),
    ring(0.75, 0.29, 0.27, { y: 0.3, sides: 8 }),
    ring(1.3, 0.2, 0.14, { y: 0.18, sides: 8 }),
    ring(1.65, 0.05, 0.03, { y: 0.09, sides: 8 }),
  ]
  return loft(rings, GLASS)
}

/** A slab between two chords: `[z of the leading edge, z of the trailing edge, x, y, half thickness]`. */
function blade(chords, paint) {
  const rings = chords.map(([lead, trail, x, y, thick]) => {
    const ridge = lead + (trail - lead) * 0.4
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
  const inner = blade([[0.55, -1.75, 0.5, 0, 0.12], [-0.35, -1.85, 1.55, -0.16, 0.07]], skin) // prettier-ignore
  const outer = blade([[-0.345, -1.855, 1.54, -0.16, 0.078], [-1.0, -1.9, 2.2, -0.26, 0.04]], ACCENT) // prettier-ignore
  const pod = lathe([[-2.15, 0.03], [-1.9, 0.09], [-0.8, 0.1], [-0.2, 0.02]], PANEL, { sides: 6 }) // prettier-ignore
  const fin = blade([[-0.85, -1.75, 0, 0, 0.06], [-1.75, -2.2, 0.97, 0, 0.025]], HULL) // prettier-ignore
  const finTip = blade([[-1.46, -2.09, 0.7, 0, 0.048], [-1.74, -2.22, 0.99, 0, 0.034]], ACCENT) // prettier-ignore
  const lean = (shape) => shape.turn(2, Math.PI / 2 - 0.42).move(0.72, 0.28, 0)
  return {
    skin: inner.add(pod.move(2.2, -0.26, 0), lean(fin)).both(),
    accent: outer.add(lean(finTip)).both(),
  }
}

function engines() {
  const shell = lathe(
    [[-1.9, 0.26], [-1.2, 0.34], [-0.2, 0.33], [0.3, 0.26]],
    (i, k) => (i === 1 && k % 2 ? PANEL : HULL),
    { sides: 10 }
  ) // prettier-ignore
  const bell = lathe(
    [[-1.85, 0.2], [-2.35, 0.29], [-2.33, 0.24], [-1.95, 0.15]],
    (i) => (i === 0 ? STEEL : DARK),
    { sides: 10 }
  ) // prettier-ignore
  const intake = lathe([[0.28, 0.235], [0.33, 0.2], [0.2, 0.12]], DARK, { sides: 10 }) // prettier-ignore
  const core = lathe([[-2.1, 0.16], [-2.04, 0.05]], LAMP, { sides: 10 }) // prettier-ignore
  const place = (shape) => shape.move(0.82, 0.12, 0).both()
  return { shell: place(shell), metal: place(bell.add(intake)), core: place(core) }
}

/** Where exhaust leaves and which way; the name says which way the ship is pushed. Mirrored to starboard. */
const NOZZLES = [
  ['ahead', [0.82, 0.12, -2.3], [0, 0, -1]],
  ['astern', [0.52, 0, 0.98], [0.3, 0, 1]],
  ['up', [0.24, -0.27, 1.5], [0, -1, 0]],
  ['up', [0.82, -0.24, -1.3], [0, -1, 0]],
  ['down', [0.22, 0.1, 1.55], [0, 1, 0]],
  ['down', [0.82, 0.47, -0.9], [0, 1, 0]],
  // pushing to starboard is done by the port side, and the other way round
  ['starboard', [0.4, -0.07, 1.45], [1, 0, 0]],
  ['starboard', [1.17, 0.12, -1.3], [1, 0, 0]],
]

function thrusterBlocks() {
  const blocks = new Shape()
  for (const [name, [x, y, z], [ex, ey, ez]] of NOZZLES) {
    if (name === 'ahead') continue
    // a low collar round the mouth, sunk into the hull
    const size = [ex, ey, ez].map((part) => (Math.abs(part) === 1 ? 0.1 : 0.13))
    blocks.add(box(...size, DARK).move(x - ex * 0.04, y - ey * 0.04, z - ez * 0.04))
  }
  return blocks.both()
}

export function ship() {
  const model = new Model('ship')
    .material('hull', { metal: 0.35, rough: 0.42 })
    .material('accent', { metal: 0.2, rough: 0.38 })
    .material('metal', { metal: 0.8, rough: 0.4 })
    .material('glass', { metal: 0.6, rough: 0.08 })
    .material('lamp', { rough: 1, emissive: [0.55, 0.8, 1] })
  const { body, band } = hull()
  const wing = wings()
  const engine = engines()
  model.mesh('ship', {
    hull: body.add(wing.skin, engine.shell),
    accent: band.add(wing.accent),
    metal: engine.metal.add(thrusterBlocks()),
    glass: canopy(),
    lamp: engine.core,
  })
  const other = { starboard: 'port' }
  const count = {}
  for (const [name, [x, y, z], [ex, ey, ez]] of NOZZLES) {
    for (const side of [1, -1]) {
      const push = side < 0 ? (other[name] ?? name) : name
      count[push] = (count[push] ?? -1) + 1
      model.marker(`nozzle_${push}_${count[push]}`, [x * side, y, z], [ex * side, ey, ez])
    }
  }
  return model
}
