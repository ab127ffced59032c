import { Vector3, type PerspectiveCamera, type Vector3Like } from 'three'
import type { FreeArea } from '../stage.js'

/** Where something is seen (px), or where the edge of the picture is nearest to it. */
export interface Bearing {
  readonly x: number
  readonly y: number
  /** Whether it is within the area. */
  readonly inside: boolean
  /** Direction to it from the middle of the area, clockwise from right (rad). */
  readonly angle: number
}

const seen = new Vector3()
const beside = new Vector3()

/** Finds a place with a camera whose matrices are up to date. Outside of `area` it is put on the edge. */
export function bearingOf(
  place: Vector3Like,
  camera: PerspectiveCamera,
  width: number,
  height: number,
  area: FreeArea,
): Bearing {
  beside.copy(place).applyMatrix4(camera.matrixWorldInverse)
  const isAhead = beside.z < 0
  seen.copy(place).project(camera)
  const x = (0.5 + 0.5 * seen.x) * width
  const y = (0.5 - 0.5 * seen.y) * height
  const { bottom, left, right, top } = area
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2]
  const inside = isAhead && x > left && x < right && y > top && y < bottom
  // what is behind is seen mirrored, and what is exactly behind is shown below
  const [toX, toY] = isAhead ? [x - middleX, y - middleY] : [beside.x, -beside.y]
  const angle = toX === 0 && toY === 0 ? Math.PI / 2 : Math.atan2(toY, toX)
  if (inside) return { x, y, inside, angle }
  const [along, down] = [Math.cos(angle), Math.sin(angle)]
  const reach = Math.min(
    (right - left) / 2 / Math.max(1e-9, Math.abs(along)),
    (bottom - top) / 2 / Math.max(1e-9, Math.abs(down)),
  )
  return { x: middleX + reach * along, y: middleY + reach * down, inside, angle }
}
