import { box, lathe, linear, loft, ring, Shape } from './shape.mjs'
import { nozzles } from './tug.mjs'
import { Model } from './write.mjs'

const HULL = linear('#bfc5ce')
const PANEL = linear('#9aa2ae')
const STEEL = linear('#596170')
const DARK = linear('#292d35')
const ACCENT = linear('#ffffff') // tinted per ship by the material's colour
const GLASS = linear('#16324a')
const LAMP = linear('#0c1a2a')
const PANE = linear('#2a2018')
const WARN = linear('#c9992c')

/** Half of its real size: what shows it doubles it, and its flames with it. The jets astern are few and small. */
const NOZZLES = [
  ['ahead', [0.48, 0.12, -3.35], [0, 0, -1]],
  ['ahead', [0.48, -0.5, -3.35], [0, 0, -1]],
  ['astern', [0.62, -0.1, 2.5], [0.3, 0, 1]],
  ['up', [0.45, -0.72, 2.2], [0, -1, 0]],
  ['up', [0.62, -0.85, -2.4], [0, -1, 0]],
  ['down', [0.42, 0.5, 2.1], [0, 1, 0]],
  ['down', [0.6, 0.5, -2.5], [0, 1, 0]],
  ['starboard', [0.72, -0.1, 2.1], [1, 0, 0]],
  ['starboard', [0.86, -0.2, -2.5], [1, 0, 0]],
]

function bow() {
  const rings = [
    ring(1.55, 0.62, 0.5, { y: -0.12, sides: 10, power: 4 }),
    ring(2.2, 0.68, 0.58, { y: -0.1, sides: 10, power: 4 }),
    ring(2.75, 0.52, 0.42, { y: -0.06, sides: 10, power: 3 }),
    ring(3.1, 0.36, 0.3, { y: 0, sides: 10, power: 2.4 }),
  ]
  return loft(rings, (i, k) => (k > 5 && k < 9 ? PANEL : (i + k) % 4 === 0 ? PANEL : HULL))
}

const collar = () =>
  lathe([[3.0, 0.3], [3.2, 0.36], [3.45, 0.36], [3.42, 0.26], [3.2, 0.2]], (i) => (i < 2 ? STEEL : DARK), { sides: 12 }) // prettier-ignore

function bridge() {
  const tower = box(0.62, 0.42, 0.5, HULL).move(0, 0.58, 1.95)
  const panes = box(0.54, 0.13, 0.03, PANE).move(0, 0.66, 2.21)
  const wings = box(1.5, 0.08, 0.24, HULL).move(0, 0.74, 1.9)
  return { hull: tower.add(wings), window: panes }
}

/** The keel on which containers ride in two rows. */
function keel() {
  const all = box(0.36, 0.34, 4.0, (_, k) => (k % 2 ? STEEL : PANEL)).move(0, -0.3, -0.3)
  for (let k = 0; k < 4; k++) {
    all.add(box(1.72, 0.1, 0.12, STEEL).move(0, -0.42, 1.44 - 1.125 * k))
    all.add(box(0.07, 0.3, 0.12, WARN).move(0.86, -0.3, 1.44 - 1.125 * k).both()) // prettier-ignore
  }
  return all
}

function stern() {
  const rings = [
    ring(-2.95, 0.72, 0.62, { y: -0.18, sides: 10, power: 5 }),
    ring(-2.7, 0.85, 0.72, { y: -0.18, sides: 10, power: 5 }),
    ring(-2.15, 0.82, 0.68, { y: -0.18, sides: 10, power: 5 }),
    ring(-1.9, 0.6, 0.5, { y: -0.2, sides: 10, power: 4 }),
  ]
  const body = loft(rings, (i, k) => ((i + k) % 3 ? HULL : PANEL))
  const band = (z) => ring(z, 0.865, 0.735, { y: -0.18, sides: 10, power: 5 })
  const fins = box(0.1, 0.7, 0.7, ACCENT).turn(2, 0.35).move(0.92, 0.5, -2.45).both() // prettier-ignore
  return { body, accent: loft([band(-2.62), band(-2.3)], ACCENT, { caps: false }).add(fins) }
}

function engines() {
  const metal = new Shape()
  const core = new Shape()
  for (const y of [0.12, -0.5]) {
    const bell = lathe([[-2.85, 0.2], [-3.05, 0.17], [-3.4, 0.3], [-3.38, 0.25], [-3.1, 0.1]], (i) => (i < 2 ? STEEL : DARK), { sides: 10 }) // prettier-ignore
    metal.add(bell.move(0.48, y, 0).both())
    core.add(lathe([[-3.2, 0.14], [-3.13, 0.04]], LAMP, { sides: 10 }).move(0.48, y, 0).both()) // prettier-ignore
  }
  return { metal, core }
}

/** A carrier of six containers with strong main engines and weak retros, at half its real size. */
export function freighter() {
  const model = new Model('freighter')
    .material('hull', { metal: 0.35, rough: 0.45 })
    .material('accent', { metal: 0.2, rough: 0.4 })
    .material('metal', { metal: 0.75, rough: 0.42 })
    .material('glass', { metal: 0.6, rough: 0.08 })
    .material('window', { rough: 1, emissive: [1, 0.78, 0.5] })
    .material('lamp', { rough: 1, emissive: [0.55, 0.8, 1] })
  const { hull, window } = bridge()
  const { body, accent } = stern()
  const { metal, core } = engines()
  const stripe = box(1.4, 0.1, 0.36, ACCENT).move(0, 0.36, 2.3)
  model.mesh('freighter', {
    hull: bow().add(body, hull),
    accent: accent.add(stripe),
    metal: metal.add(keel(), collar()),
    glass: box(0.5, 0.2, 0.4, GLASS).move(0, 0.42, 2.4),
    window,
    lamp: core,
  })
  nozzles(model, NOZZLES)
  return model
}
