import { box, lathe, linear, Shape, torus } from './shape.mjs'
import { Model } from './write.mjs'

const WHITE = linear('#d3d6da')
const GREY = linear('#8f96a1')
const STEEL = linear('#5c636f')
const DARK = linear('#2b2f37')
const GOLD = linear('#c08d35')
const ORANGE = linear('#d8672a')
const SOLAR = [linear('#1c3a7a'), linear('#2449a0'), linear('#1f4f8c')]
// what glows has a dark skin, so that sunlight does not bleach it
const PANE = linear('#2a2018')
const LAMP = linear('#0a0a0a')

const PORTS = 5
const RING = 10.5 // m, radius of the inhabited ring
const TUBE = 1.7
const PORT = 19 // m, where the collars are

/** Along y, since lathes are made along z. */
const upright = (shape) => shape.turn(0, -Math.PI / 2)
const around = (shape, k, of = PORTS) => shape.turn(1, (k / of) * 2 * Math.PI)

function spindle() {
  const core = lathe(
    [[-13, 0.3], [-11.5, 1.0], [-9.6, 1.2], [-9.2, 2.1], [-6.4, 2.1], [-6, 1.4], [-4.6, 1.4], [-3.6, 2.9], [2.6, 2.9], [3.6, 2.2], [4.4, 1.5], [8.2, 1.3]],
    (i, k) => [GREY, DARK, STEEL, k % 3 ? WHITE : ORANGE, STEEL, GREY, STEEL, k % 4 ? WHITE : GREY, GREY, WHITE, GREY][i] ?? GREY,
    { sides: 16 }
  ) // prettier-ignore
  const bridge = lathe([[8.2, 1.4], [8.6, 2.6], [9.7, 2.9], [10.6, 2.2], [11.3, 0.9]], (i) => (i === 1 ? WHITE : GREY), { sides: 16 }) // prettier-ignore
  const mast = lathe(
    [
      [11.2, 0.16],
      [16.5, 0.05],
    ],
    GREY,
    { sides: 6 },
  )
  const arm = box(2.6, 0.07, 0.07, GREY)
  return upright(core.add(bridge, mast)).add(arm.move(0, 13.6, 0), arm.turn(1, Math.PI / 2).move(0, 14.6, 0))
}

/** Petals of solar cells about the upper spindle, between the arms. */
function petals() {
  const cells = new Shape()
  const frame = new Shape()
  for (let k = 0; k < PORTS; k++) {
    const turn = (shape) => around(shape.turn(0, -0.34).move(0, 5.4, 0), k + 0.5)
    for (let row = 0; row < 5; row++) {
      const wide = 1.5 + 0.42 * row
      for (const side of [1, -1]) {
        const cell = box(wide - 0.12, 0.07, 1.75, (_, n) => SOLAR[(row + (n % 2) + (side > 0 ? 1 : 0)) % 3])
        cells.add(turn(cell.move((side * wide) / 2, 0, 3.2 + 1.87 * row)))
      }
      frame.add(turn(box(2 * wide + 0.2, 0.1, 0.1, GOLD).move(0, -0.04, 4.13 + 1.87 * row)))
    }
    frame.add(turn(box(0.2, 0.22, 11, GREY).move(0, -0.12, 6.6)))
  }
  return { cells, frame }
}

/** Fins below that get rid of heat. */
function radiators() {
  const all = new Shape()
  for (let k = 0; k < PORTS; k++) {
    for (let row = 0; row < 3; row++) {
      const fin = box(0.1, 1.5, 4.4 - 0.8 * row, (_, n) => (n % 2 ? WHITE : ORANGE))
      all.add(around(fin.move(0, -6.9 - 1.65 * row, 4 - 0.4 * row), k))
    }
    all.add(around(box(0.16, 5, 0.16, STEEL).move(0, -8.4, 2), k))
  }
  return all
}

/** From the spindle through the ring to a collar. */
function arm() {
  const all = new Shape()
  all.add(box(1.3, 1.3, RING - 2.4, (i, side) => (side % 2 ? GREY : WHITE)).move(0, 0, (RING + 2.4) / 2))
  all.add(box(1.9, 1.1, 3.2, (_, side) => (side % 2 ? STEEL : GREY)).move(0, -0.1, RING + TUBE + 1.2))
  // a truss to the collar, and rails for freight on top
  const [from, to] = [RING + TUBE + 2.4, PORT - 1.3]
  for (const [x, y] of [[0.75, 0.4], [-0.75, 0.4], [0.75, -0.6], [-0.75, -0.6]]) all.add(box(0.18, 0.18, to - from + 1, STEEL).move(x, y, (from + to) / 2)) // prettier-ignore
  for (let z = from; z < to; z += 0.85) {
    for (const x of [0.75, -0.75])
      all.add(
        box(0.1, 1.2, 0.1, GREY)
          .turn(0, 0.6)
          .move(x, -0.1, z + 0.42),
      )
    all.add(box(1.5, 0.1, 0.1, GREY).move(0, 0.4, z))
  }
  for (const x of [0.5, -0.5]) all.add(box(0.14, 0.2, PORT - RING - TUBE - 0.4, GOLD).move(x, 0.72, (PORT + RING + TUBE) / 2)) // prettier-ignore
  const neck = lathe([[PORT - 2, 0.8], [PORT - 1.5, 1.15], [PORT - 0.5, 1.15], [PORT - 0.35, 1.45], [PORT, 1.45], [PORT - 0.02, 1.05], [PORT - 0.5, 0.8]], (i, k) => (i < 2 ? GREY : i < 4 ? (k % 4 < 2 ? ORANGE : WHITE) : DARK), { sides: 16 }) // prettier-ignore
  // jaws that reach out beside a ship's nose
  for (let k = 0; k < 3; k++) {
    const jaw = box(0.34, 0.2, 0.9, STEEL).move(0, 1.52, PORT + 0.05)
    all.add(jaw.turn(2, ((k + 0.5) / 3) * 2 * Math.PI))
  }
  return all.add(neck)
}

/** The gate in the ring through which freight goes, above each arm. */
function hatch() {
  const frame = new Shape()
  const z = RING + TUBE - 0.1
  for (const x of [1.15, -1.15]) frame.add(box(0.3, 2.6, 1.1, ORANGE).move(x, 1.5, z))
  return frame.add(
    box(2.6, 0.3, 1.1, ORANGE).move(0, 2.8, z),
    box(2.2, 2.4, 0.3, DARK).move(0, 1.55, z - 0.3),
  )
}

function windows() {
  const all = new Shape()
  for (let k = 0; k < 100; k++) {
    const beside = k % 20
    if (beside < 2 || beside > 18 || (k * 7) % 11 === 0) continue
    for (const y of [0.55, 0, -0.55]) {
      if (y === 0 && k % 2) continue
      all.add(around(box(0.36, 0.2, 0.06, PANE).move(0, y, RING + TUBE * 0.93), k, 100))
    }
    // looking in to the spindle
    if (k % 3 === 0) all.add(around(box(0.3, 0.2, 0.06, PANE).move(0, 0.3, RING - TUBE * 0.93), k, 100))
  }
  for (let k = 0; k < 16; k++) {
    all.add(around(box(0.62, 0.5, 0.08, PANE).move(0, 9.15, 2.72), k + 0.5, 16))
    if (k % 3) for (const y of [-2.6, -1.9, 1.9]) all.add(around(box(0.3, 0.26, 0.06, PANE).move(0, y, 2.83), k + 0.5, 16)) // prettier-ignore
  }
  return all
}

const signal = () =>
  torus(1.24, 0.09, LAMP, { segments: 24, sides: 5 })
    .move(0, 0, PORT + 0.03)
    .add(box(1.7, 0.16, 0.05, LAMP).move(0, 2.8, RING + TUBE + 0.5))

/** A wheel about +Y with five ports in its plane; a light of its own material at each. Port markers look outwards. */
export function spaceport() {
  const model = new Model('spaceport')
    .material('plate', { metal: 0.4, rough: 0.5 })
    .material('solar', { metal: 0.45, rough: 0.3 })
    .material('window', { rough: 1, emissive: [1, 0.76, 0.45] })
  const ring = upright(torus(RING, TUBE, (i, k) => (k === 0 || k === 7 ? STEEL : i % 8 === 0 ? ORANGE : (i + k) % 5 === 0 ? GREY : WHITE), { segments: 60, sides: 8, flat: 1.05 })) // prettier-ignore
  const { cells, frame } = petals()
  const plate = spindle().add(ring, frame, radiators())
  for (let k = 0; k < PORTS; k++) plate.add(around(arm().add(hatch()), k))
  const parts = { plate, solar: cells, window: windows() }
  for (let k = 0; k < PORTS; k++) {
    model.material(`signal_${k}`, { rough: 1, emissive: [0.2, 1, 0.5] })
    parts[`signal_${k}`] = around(signal(), k)
  }
  model.mesh('spaceport', parts)
  for (let k = 0; k < PORTS; k++) {
    const angle = (k / PORTS) * 2 * Math.PI
    const out = [Math.sin(angle), 0, Math.cos(angle)]
    model.marker(`port_${k}`, out.map((value) => value * PORT), out) // prettier-ignore
  }
  return model
}
