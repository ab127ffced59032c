import type { QuatLike } from 'three-steering'
import type { Block } from './course.js'
import { turned, vec } from '../../demo/scenarios/vectors.js'

/** Walls made of boxes. */

const THICK = 1

/**
 * A square corridor along x from the origin, with a corner after `first` (m), and then along y for `second`
 * (m). `half`: half of its width (m).
 */
export function corridorWalls(half: number, first: number, second: number, turn: QuatLike): Block[] {
  const box = (x: [number, number], y: [number, number], z: [number, number]): Block => ({
    form: { kind: 'box', half: vec((x[1] - x[0]) / 2, (y[1] - y[0]) / 2, (z[1] - z[0]) / 2) },
    at: turned(turn, vec((x[0] + x[1]) / 2, (y[0] + y[1]) / 2, (z[0] + z[1]) / 2)),
    turn,
  })
  const far = first + half
  const near = first - half
  const blocks: Block[] = [-1, 1].flatMap((side) => {
    const z: [number, number] = side < 0 ? [-half - THICK, -half] : [half, half + THICK]
    return [box([-half, far + THICK], [-half, half], z), box([near, far + THICK], [half, second + half], z)]
  })
  const z: [number, number] = [-half - THICK, half + THICK]
  blocks.push(
    box([-half, far + THICK], [-half - THICK, -half], z),
    box([-half, near], [half, half + THICK], z),
    box([far, far + THICK], [-half, second + half], z),
    box([near - THICK, near], [half, second + half], z),
  )
  return blocks
}

/**
 * A wall across y, `reach` (m) to each side of a square window of half width `half` (m). `thick`: half of its
 * thickness (m).
 */
export function wallAround(half: number, reach: number, thick: number, turn: QuatLike): Block[] {
  const panel = (x: number, z: number, width: number, height: number): Block => ({
    form: { kind: 'box', half: vec(width, thick, height) },
    at: turned(turn, vec(x, 0, z)),
    turn,
  })
  const side = (reach - half) / 2
  return [
    panel(half + side, 0, side, reach),
    panel(-half - side, 0, side, reach),
    panel(0, half + side, half, side),
    panel(0, -half - side, half, side),
  ]
}
