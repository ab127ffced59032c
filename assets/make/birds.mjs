import { linear, Shape } from './shape.mjs'
import { Model } from './write.mjs'

const BACK = linear('#2b2735')
const WING = linear('#3a3442')
const TIP = linear('#1d1a26')
const BELLY = linear('#5b4c50')
const BEAK = linear('#c79a4a')

/** Three-sided spindle from beak to tail: 10 triangles. */
function body({ length, girth, back, belly, beak }) {
  const nose = [0, 0, 0.5 * length]
  const rump = [0, 0.01 * length, -0.36 * length]
  const ringAt = (z, w, h) => [
    [0, h, z * length],
    [-w, -h * 0.7, z * length],
    [w, -h * 0.7, z * length],
  ]
  const neck = ringAt(0.36, girth * 0.55, girth * 0.6)
  const chest = ringAt(0.12, girth, girth)
  const shape = new Shape()
  for (let k = 0; k < 3; k++) {
    const next = (k + 1) % 3
    const tint = k === 1 ? belly : back
    shape.triangle(nose, neck[k], neck[next], beak)
    shape.quad(neck[k], chest[k], chest[next], neck[next], tint)
    shape.triangle(chest[k], rump, chest[next], tint)
  }
  return shape.outward()
}

/** One wing to port, leading edge swept, bent up a little at the wrist: 5 triangles. */
function wing({ span, chord, sweep, wing, tip }) {
  const root = [
    [0.05 * span, 0.02, 0.5 * chord],
    [0.05 * span, 0.02, -0.5 * chord],
  ]
  const wrist = [
    [0.45 * span, 0.06, 0.62 * chord],
    [0.45 * span, 0.04, -0.34 * chord],
  ]
  const hand = [
    [0.75 * span, 0.05, 0.3 * chord - sweep * 0.4],
    [0.72 * span, 0.04, -0.35 * chord - sweep * 0.4],
  ]
  const end = [span, 0.02, -0.2 * chord - sweep]
  return new Shape()
    .quad(root[1], root[0], wrist[0], wrist[1], wing)
    .quad(wrist[1], wrist[0], hand[0], hand[1], wing)
    .triangle(hand[1], hand[0], end, tip)
}

function tail({ length, spread, back, tip }) {
  const root = [0, 0.015, -0.2 * length]
  const left = [spread, 0.01, -0.62 * length]
  const right = [-spread, 0.01, -0.62 * length]
  const middle = [0, 0.015, -0.56 * length]
  return new Shape().triangle(root, left, middle, back).triangle(root, middle, right, tip)
}

/** Wings are double sided sheets; a shader flaps whatever lies beyond the shoulder, |x| > 0.05 of the half span. */
function bird(name, traits) {
  const model = new Model(name).material('feathers', { rough: 0.9, doubleSided: true })
  const port = wing(traits)
  // a sheet has no volume to tell its side by, so the mirrored wing is turned by hand
  const starboard = new Shape(
    port.triangles.map(({ points, colors }) => ({ points: points.map(([x, y, z]) => [-x, y, z]), colors })),
  ).flip()
  model.mesh(name, { feathers: body(traits).add(port, starboard, tail(traits)) })
  return model
}

/** A starling of 0.44 m span; scenes draw it larger, so that it is more than a point from far away. */
export const starling = () =>
  bird('bird', {
    length: 0.3, girth: 0.035, span: 0.22, chord: 0.1, sweep: 0.05, spread: 0.035,
    back: BACK, belly: BELLY, beak: BEAK, wing: WING, tip: TIP
  }) // prettier-ignore

export const falcon = () =>
  bird('falcon', {
    length: 0.5, girth: 0.06, span: 0.52, chord: 0.15, sweep: 0.2, spread: 0.06,
    back: linear('#39414f'), belly: linear('#c9b49a'), beak: linear('#e0b040'), wing: linear('#4a5362'), tip: linear('#20242c')
  }) // prettier-ignore
