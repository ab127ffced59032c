import { box, lathe, linear, Shape, torus } from './shape.mjs'
import { Model } from './write.mjs'

const WHITE = linear('#cfd3d8')
const GREY = linear('#8d949e')
const DARK = linear('#3b4049')
const GOLD = linear('#b98a3c')
const SOLAR = [linear('#16284f'), linear('#1d3566')]
// what glows has a dark skin, so that sunlight does not bleach it
const PANE = linear('#2a2018')
const LAMP = linear('#10281c')

const BERTHS = 6
const RING = 9 // m, radius of the inhabited ring
const PIER = 13 // m, where a pier ends
const BERTH = 17 // m, where a ship lies

/** Along y, since lathes are made along z. */
const upright = (shape) => shape.turn(0, -Math.PI / 2)

function hub() {
  const core = lathe(
    [[-6, 0.5], [-5.4, 1.1], [-4.2, 1.1], [-3.9, 1.7], [-2.6, 2.3], [2.2, 2.3], [3.4, 1.7], [3.7, 1.1], [5.6, 1.0], [6.2, 0.4]],
    (i, k) => (i === 4 ? (k % 3 ? WHITE : GREY) : i % 2 ? GREY : WHITE),
    { sides: 14 }
  ) // prettier-ignore
  const collar = lathe([[-1.2, 2.45], [-0.7, 2.75], [0.7, 2.75], [1.2, 2.45]], DARK, { sides: 14 }) // prettier-ignore
  const mast = lathe([[6, 0.12], [11, 0.05]], GREY, { sides: 6 }) // prettier-ignore
  return upright(core.add(collar, mast))
}

function spokes() {
  const all = new Shape()
  for (let k = 0; k < BERTHS; k++) {
    const spoke = box(0.7, 0.7, RING - 2, (_, side) => (side % 2 ? GREY : WHITE)).move(0, 0, (RING + 2) / 2)
    const pier = box(1.1, 0.6, PIER - RING, GREY).move(0, 0, (PIER + RING) / 2)
    const jaws = box(0.35, 0.35, 1.6, DARK)
      .move(0.85, 0, PIER + 0.3)
      .both()
    const plate = box(2.3, 0.9, 0.5, GOLD).move(0, 0, PIER - 0.2)
    all.add(spoke.add(pier, jaws, plate).turn(1, (k / BERTHS) * 2 * Math.PI))
  }
  return all
}

function solarWings() {
  const panels = new Shape()
  for (const side of [1, -1]) {
    for (let k = 0; k < 4; k++) {
      for (const end of [1, -1]) {
        const cell = box(1.7, 0.08, 2.6, (_, n) => SOLAR[(k + n) % 2])
        panels.add(cell.move(end * (1.6 + k * 1.85), side * 4.8, 0))
      }
    }
  }
  return panels
}

function booms() {
  const all = new Shape()
  for (const side of [1, -1]) all.add(box(16, 0.18, 0.18, GREY).move(0, side * 4.8 - 0.1, 0))
  return all
}

/** A wheel about +Y with piers for six ships. Berth markers look outwards. */
export function station() {
  const model = new Model('station')
    .material('plate', { metal: 0.4, rough: 0.5 })
    .material('solar', { metal: 0.7, rough: 0.25 })
    .material('window', { rough: 1, emissive: [1, 0.78, 0.48] })
    .material('beacon', { rough: 1, emissive: [0.25, 1, 0.6] })
  const wheel = upright(torus(RING, 1.15, (i, k) => (k === 0 || k === 5 ? GREY : i % 4 ? WHITE : GREY), { segments: 36, flat: 1.1 })) // prettier-ignore
  const windows = new Shape()
  for (let k = 0; k < 72; k++) {
    if (k % 12 < 2) continue // the piers begin here
    for (const y of [0.42, -0.42]) {
      const pane = box(0.42, 0.2, 0.06, PANE).move(0, y, RING + 1.02)
      windows.add(pane.turn(1, ((k - 0.5) / 72) * 2 * Math.PI))
    }
  }
  for (let k = 0; k < 14; k++) {
    if (k % 2) continue
    windows.add(
      box(0.3, 0.3, 0.06, PANE)
        .move(0, 1.6, 2.27)
        .turn(1, (k / 14) * 2 * Math.PI),
    )
  }
  const beacons = new Shape()
  for (let k = 0; k < BERTHS; k++) {
    const lamps = box(0.16, 0.16, 0.16, LAMP)
      .move(0.85, 0.26, PIER + 1.05)
      .both()
    beacons.add(lamps.turn(1, (k / BERTHS) * 2 * Math.PI))
  }
  model.mesh('station', {
    plate: hub().add(wheel, spokes(), booms()),
    solar: solarWings(),
    window: windows,
    beacon: beacons,
  })
  for (let k = 0; k < BERTHS; k++) {
    const angle = (k / BERTHS) * 2 * Math.PI
    const out = [Math.sin(angle), 0, Math.cos(angle)]
    model.marker(
      `berth_${k}`,
      out.map((value) => value * BERTH),
      out,
    )
  }
  return model
}
