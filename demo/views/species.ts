import { BufferAttribute, Color, type BufferGeometry } from 'three'
import type { Kind } from '../scenarios/reef-kinds.js'

/** Colour at a point of a fish of length 1: z from −0.54 (tail) to 0.46 (nose), y up. */
type Paint = (y: number, z: number, side: number) => Color

interface Look {
  /** Height and thickness relative to length. 1 is that of the model. */
  readonly high: number
  readonly thick: number
  readonly paint: Paint
}

const color = (text: string): Color => new Color(text)
const [FLAME, ROSE, CREAM] = [color('#ff7a1c'), color('#ff3d7f'), color('#ffe0a8')]
const [ROYAL, NIGHT, LEMON] = [color('#1f6bff'), color('#0a1c66'), color('#ffe23a')]
const [SEA, SILVER, GOLD] = [color('#2f9fd0'), color('#dff2f2'), color('#ffc928')]
const [STEEL, PEARL, DUSK] = [color('#8fb0c4'), color('#f2f7f8'), color('#2f4a5e')]

/** In the order of `KINDS`. */
const LOOKS: readonly Look[] = [
  // orange above, cream below, rose fins
  { high: 1, thick: 1, paint: (y, z) => (z < -0.33 || y > 0.19 ? ROSE : y < -0.06 ? CREAM : FLAME) },
  // royal blue with a lemon tail
  { high: 1.35, thick: 1.05, paint: (y, z) => (z < -0.26 ? LEMON : y > 0.12 ? NIGHT : ROYAL) },
  // slender, silver below, golden from the back to the tail
  {
    high: 0.68,
    thick: 0.8,
    paint: (y, z) => (z < -0.3 || (y > 0.07 && z < 0.2) ? GOLD : y < -0.04 ? SILVER : SEA),
  },
  // tall and silvery, with dark fins
  { high: 1.15, thick: 0.75, paint: (y, z) => (z < -0.42 || y > 0.2 ? DUSK : y > 0.1 ? STEEL : PEARL) },
]

/** The model of a reef fish with the size, form and colours of a kind. */
export function dressed(model: BufferGeometry, index: number, { length }: Kind): BufferGeometry {
  const { high, thick, paint } = LOOKS[index % LOOKS.length]!
  const geometry = model.index ? model.toNonIndexed() : model.clone()
  const position = geometry.getAttribute('position')
  const before = geometry.getAttribute('color')
  const colors = new Float32Array(3 * position.count)
  const eye = new Color()
  for (let i = 0; i < position.count; i += 3) {
    // one colour per triangle, as in the model
    const mean = (of: 'getX' | 'getY' | 'getZ'): number =>
      (position[of](i) + position[of](i + 1) + position[of](i + 2)) / 3
    eye.fromBufferAttribute(before, i)
    const dark = eye.r + eye.g + eye.b < 0.1
    const tint = dark ? eye : paint(mean('getY'), mean('getZ'), Math.abs(mean('getX')))
    for (let k = 0; k < 3; k++) tint.toArray(colors, 3 * (i + k))
  }
  geometry.setAttribute('color', new BufferAttribute(colors, 3))
  geometry.scale(thick * length, high * length, length)
  geometry.deleteAttribute('normal')
  geometry.computeVertexNormals()
  return geometry
}
