import { box, lathe, linear, loft, ring, Shape } from './shape.mjs'
import { Model } from './write.mjs'

const HULL = linear('#c9ced6')
const STEEL = linear('#5a616d')
const DARK = linear('#2a2e36')
const ACCENT = linear('#ffffff') // tinted per ship by the material's colour
const GLASS = linear('#16324a')
const LAMP = linear('#0c1a2a')
const WARN = linear('#d8a62a')

/** Where exhaust leaves and which way; the name says which way the ship is pushed. Mirrored to starboard. */
const NOZZLES = [
  ['ahead', [0.62, 0, -1.75], [0, 0, -1]],
  ['astern', [1.12, 0.12, 0.72], [0.25, 0, 1]],
  ['up', [0.95, -0.42, 1.0], [0, -1, 0]],
  ['up', [0.95, -0.42, -1.05], [0, -1, 0]],
  ['down', [1.0, 0.5, 0.95], [0, 1, 0]],
  ['down', [1.0, 0.5, -1.0], [0, 1, 0]],
  ['starboard', [1.3, 0, 0.85], [1, 0, 0]],
  ['starboard', [1.3, 0, -0.95], [1, 0, 0]],
]

function hull() {
  const rings = [
    ring(-1.3, 0.7, 0.5, { sides: 8, power: 5 }),
    ring(-0.9, 0.95, 0.62, { sides: 8, power: 5 }),
    ring(0.7, 0.95, 0.62, { sides: 8, power: 5 }),
    ring(1.35, 0.62, 0.5, { sides: 8, power: 4 }),
  ]
  return loft(rings, (i, k) => (k % 4 === 1 ? STEEL : i === 1 && k % 2 ? ACCENT : HULL))
}

/** A collar at the nose, the face that meets the port. */
const collar = () =>
  lathe([[1.3, 0.46], [1.62, 0.6], [1.9, 0.6], [1.86, 0.42], [1.5, 0.34]], (i) => (i < 2 ? STEEL : DARK), { sides: 12 }) // prettier-ignore

const cabin = () =>
  loft(
    [
      ring(0.25, 0.42, 0.26, { y: 0.72, sides: 8, power: 4 }),
      ring(0.8, 0.42, 0.26, { y: 0.7, sides: 8, power: 4 }),
      ring(1.18, 0.28, 0.12, { y: 0.56, sides: 8, power: 4 }),
    ],
    GLASS,
  )

/** Two booms with clusters of jets, and a saddle for freight. */
function booms() {
  const all = new Shape()
  for (const z of [0.9, -1]) {
    all.add(box(0.42, 0.16, 0.26, STEEL).move(1.02, 0.04, z).both())
    all.add(box(0.3, 0.86, 0.4, DARK).move(1.1, 0.04, z).both())
  }
  all.add(box(0.1, 0.16, 1.5, WARN).move(0.5, 0.66, -0.55).both())
  return all
}

function engines() {
  const bell = lathe([[-1.2, 0.3], [-1.45, 0.24], [-1.85, 0.42], [-1.82, 0.36], [-1.5, 0.16]], (i) => (i < 2 ? STEEL : DARK), { sides: 10 }) // prettier-ignore
  const core = lathe(
    [
      [-1.62, 0.2],
      [-1.54, 0.06],
    ],
    LAMP,
    { sides: 10 },
  )
  return { metal: bell.move(0.62, 0, 0).both(), core: core.move(0.62, 0, 0).both() }
}

/** A stout boat that can push in every direction; one container rides on its back. */
export function tug() {
  const model = new Model('tug')
    .material('hull', { metal: 0.35, rough: 0.45 })
    .material('accent', { metal: 0.2, rough: 0.4 })
    .material('metal', { metal: 0.8, rough: 0.4 })
    .material('glass', { metal: 0.6, rough: 0.08 })
    .material('lamp', { rough: 1, emissive: [0.55, 0.8, 1] })
  const { metal, core } = engines()
  const stripes = new Shape()
  for (const z of [-0.62, 0.42]) {
    const hoop = (at) => ring(at, 0.975, 0.645, { sides: 8, power: 5 })
    stripes.add(loft([hoop(z - 0.13), hoop(z + 0.13)], ACCENT, { caps: false }))
  }
  model.mesh('tug', {
    hull: hull(),
    accent: stripes,
    metal: metal.add(booms(), collar()),
    glass: cabin(),
    lamp: core,
  })
  nozzles(model, NOZZLES)
  return model
}

/** Marks the nozzles of one side and of the other. */
export function nozzles(model, list) {
  const other = { starboard: 'port' }
  const count = {}
  for (const [name, [x, y, z], [ex, ey, ez]] of list) {
    for (const side of x === 0 ? [1] : [1, -1]) {
      const push = side < 0 ? (other[name] ?? name) : name
      count[push] = (count[push] ?? -1) + 1
      model.marker(`nozzle_${push}_${count[push]}`, [x * side, y, z], [ex * side, ey, ez])
    }
  }
}
