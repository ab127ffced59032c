import {
  BoxGeometry,
  Color,
  Float32BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type BufferGeometry,
} from 'three'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'

type Part = readonly [
  x: number,
  y: number,
  z: number,
  wide: number,
  high: number,
  long: number,
  color: string,
]

const HULL = '#7d87a0'
const BOXES = ['#b8552f', '#2f6f8f', '#8f8a3a', '#7a4a8a', '#9a9da6']

/** Hull, bridge and engines. The model has radius 1 and its nose along +Z. */
const FRAME: readonly Part[] = [
  [0, -0.2, 0.02, 0.4, 0.14, 1.62, HULL],
  [0, -0.16, 0.74, 0.3, 0.2, 0.3, '#98a2ba'],
  [0, 0.02, 0.7, 0.22, 0.2, 0.16, '#c2c9d8'],
  [0.2, -0.16, -0.8, 0.2, 0.22, 0.24, '#565f75'],
  [-0.2, -0.16, -0.8, 0.2, 0.22, 0.24, '#565f75'],
]

/** Glowing parts: engines, windows of the bridge, and side lights, red to port. */
const LAMPS: readonly Part[] = [
  [0.2, -0.16, -0.925, 0.13, 0.13, 0.02, '#9fd0ff'],
  [-0.2, -0.16, -0.925, 0.13, 0.13, 0.02, '#9fd0ff'],
  [0, 0.05, 0.785, 0.17, 0.04, 0.01, '#ffd9a0'],
  [0.215, -0.2, 0.4, 0.03, 0.03, 0.03, '#ff4030'],
  [0.215, -0.2, -0.4, 0.03, 0.03, 0.03, '#ff4030'],
  [-0.215, -0.2, 0.4, 0.03, 0.03, 0.03, '#40ff90'],
  [-0.215, -0.2, -0.4, 0.03, 0.03, 0.03, '#40ff90'],
  [0, -0.275, 0, 0.04, 0.01, 1.2, '#ffb060'],
]

function boxes(parts: readonly Part[]): BufferGeometry {
  const made = parts.map(([x, y, z, wide, high, long, color]) => {
    const box = new BoxGeometry(wide, high, long).translate(x, y, z)
    const { r, g, b } = new Color(color)
    const count = box.getAttribute('position').count
    box.setAttribute(
      'color',
      new Float32BufferAttribute(Array.from({ length: count }, () => [r, g, b]).flat(), 3),
    )
    return box
  })
  return mergeGeometries(made)
}

/** Containers in rows, with a fixed irregular choice of colours. */
function cargo(kind: number): Part[] {
  return Array.from({ length: 20 }, (_, k) => {
    const [row, column, layer] = [Math.floor(k / 4), k % 2, Math.floor(k / 2) % 2]
    const color = BOXES[(7 * k + 3 * kind + row) % BOXES.length]!
    return [column * 0.19 - 0.095, -0.05 + 0.15 * layer, 0.44 - 0.26 * row, 0.175, 0.14, 0.24, color] as const
  })
}

/** A flying container ship. */
export function makeFreighter(radius: number, kind: number): Mesh<BufferGeometry, MeshStandardMaterial> {
  const paint = new MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.6,
    metalness: 0.25,
    flatShading: true,
  })
  const ship = new Mesh(boxes([...FRAME, ...cargo(kind)]).scale(radius, radius, radius), paint)
  const lamps = new MeshBasicMaterial({ vertexColors: true, color: new Color(2.4, 2.4, 2.4) })
  ship.add(new Mesh(boxes(LAMPS).scale(radius, radius, radius), lamps))
  ship.name = 'freighter'
  return ship
}
