import { ball, box, lathe, linear, loft, ring, Shape, torus } from './shape.mjs'
import { Model } from './write.mjs'

const FOIL = linear('#d9a441')
const FOIL_DARK = linear('#a8742a')
const WHITE = linear('#e8e6e0')
const PANEL = linear('#c6c8ca')
const DARK = linear('#2a2d33')
const STEEL = linear('#848c98')
const ACCENT = linear('#ffffff') // tinted per lander by the material's colour
const GLASS = linear('#16324a')
const LAMP = linear('#0c1a2a')

/** Soles of the feet below the middle, and how far out they stand, m. */
const FEET = 1.62
const STANCE = 1.42

const upright = (shape) => shape.turn(0, -Math.PI / 2)
const onCorners = (shape) => {
  const all = new Shape()
  for (let k = 0; k < 4; k++) all.add(shape.turn(1, Math.PI / 4 + (k * Math.PI) / 2))
  return all
}

function descentStage() {
  const rings = [[-0.78, 0.78], [-0.66, 1.02], [-0.12, 1.08], [0.02, 0.86]] // prettier-ignore
  // crumpled foil: panels of two golds
  const skin = (i, k) => ((i * 3 + k * 5) % 4 < 2 ? FOIL : FOIL_DARK)
  return upright(loft(rings.map(([z, r]) => ring(z, r, r, { sides: 8 })), skin)) // prettier-ignore
}

function cabin() {
  const rings = [[0.02, 0.62, 0.62], [0.16, 0.76, 0.74], [0.62, 0.74, 0.7], [0.92, 0.5, 0.46], [0.98, 0.3, 0.28]] // prettier-ignore
  const skin = (i, k) => ((i + k) % 3 === 0 ? PANEL : WHITE)
  const body = upright(loft(rings.map(([z, w, h]) => ring(z, w, h, { sides: 10, power: 2.6 })), skin)) // prettier-ignore
  const band = upright(
    loft([ring(0.24, 0.79, 0.76, { sides: 10, power: 2.6 }), ring(0.4, 0.785, 0.75, { sides: 10, power: 2.6 })], ACCENT, { caps: false }), // prettier-ignore
  )
  return { body, band }
}

/** A bar from one point to another. */
function bar(from, to, thick, paint) {
  const [dx, dy, dz] = to.map((value, k) => value - from[k])
  const length = Math.hypot(dx, dy, dz)
  const rod = lathe([[0, thick], [length, thick]], paint, { sides: 6 }) // prettier-ignore
  const pitch = -Math.asin(dy / length)
  return rod
    .turn(0, pitch)
    .turn(1, Math.atan2(dx, dz))
    .move(...from)
}

function legs() {
  const foot = upright(lathe([[-FEET, 0.3], [-FEET + 0.07, 0.32], [-FEET + 0.12, 0.1]], STEEL, { sides: 10 })) // prettier-ignore
  const leg = foot
    .move(0, 0, STANCE)
    .add(bar([0, -0.2, 0.96], [0, -FEET + 0.1, STANCE], 0.06, STEEL))
    .add(bar([0.5, -0.68, 0.78], [0, -FEET + 0.34, STANCE - 0.07], 0.035, DARK))
    .add(bar([-0.5, -0.68, 0.78], [0, -FEET + 0.34, STANCE - 0.07], 0.035, DARK))
  return onCorners(leg)
}

function engine() {
  const bell = upright(lathe([[-0.74, 0.2], [-1.16, 0.42], [-1.13, 0.37], [-0.8, 0.15]], (i) => (i === 0 ? STEEL : DARK), { sides: 14 })) // prettier-ignore
  const core = upright(lathe([[-0.9, 0.2], [-0.84, 0.05]], LAMP, { sides: 14 })) // prettier-ignore
  return { bell, core }
}

/**
 * Where exhaust leaves and which way; the name says which way the lander is pushed.
 *
 * @returns {[string, number[], number[]][]}
 */
function nozzles() {
  /** @type {[string, number[], number[]][]} */
  const all = [['up', [0, -1.1, 0], [0, -1, 0]]]
  const [out, high] = [0.84, 0.52]
  for (const [x, z] of [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ]) {
    // prettier-ignore
    const at = [x * 0.62, high, z * 0.62]
    all.push(['down', [at[0], high + 0.12, at[2]], [0, 1, 0]])
    all.push([x > 0 ? 'starboard' : 'port', [x * out, high, z * 0.6], [x, 0, 0]])
    all.push([z > 0 ? 'astern' : 'ahead', [x * 0.6, high, z * out], [0, 0, z]])
  }
  return all
}

export function lander() {
  const model = new Model('lander')
    .material('foil', { metal: 0.85, rough: 0.36 })
    .material('hull', { metal: 0.15, rough: 0.5 })
    .material('accent', { metal: 0.2, rough: 0.4 })
    .material('metal', { metal: 0.8, rough: 0.4 })
    .material('glass', { metal: 0.6, rough: 0.08 })
    .material('lamp', { rough: 1, emissive: [0.55, 0.8, 1] })
  const { body, band } = cabin()
  const { bell, core } = engine()
  const window = box(0.24, 0.2, 0.06, GLASS).turn(0, -0.35).move(0.24, 0.6, 0.66).both()
  const dish = upright(lathe([[0, 0.05], [0.06, 0.2], [0.1, 0.26], [0.09, 0.22], [0.03, 0.04]], WHITE, { sides: 12 })) // prettier-ignore
  const mast = bar([-0.3, 0.9, -0.25], [-0.3, 1.25, -0.25], 0.02, STEEL)
  const hatch = torus(0.26, 0.05, DARK, { segments: 16, sides: 5 })
    .turn(0, Math.PI / 2)
    .move(0, 0.98, 0)
  const quads = new Shape()
  for (const x of [0.66, -0.66])
    for (const z of [0.66, -0.66]) quads.add(box(0.16, 0.16, 0.16, DARK).move(x, 0.52, z))
  const tank = ball(1, () => 0.3, () => FOIL_DARK) // prettier-ignore
  model.mesh('lander', {
    foil: descentStage().add(tank.move(0.86, -0.4, 0).both()),
    hull: body.add(dish.turn(0, 0.7).move(-0.3, 1.22, -0.25)),
    accent: band,
    metal: legs().add(bell, mast, hatch, quads),
    glass: window,
    lamp: core,
  })
  const count = {}
  for (const [push, place, way] of nozzles()) {
    count[push] = (count[push] ?? -1) + 1
    model.marker(`nozzle_${push}_${count[push]}`, place, way)
  }
  return model
}
