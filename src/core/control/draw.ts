import type { DebugDraw, Vec3, Vec3Like } from '../types.js'
import { addScaled, copy, cross, perpendicular, vec3 } from '../math/vec3.js'

/** Number of lines by which a circle is drawn. */
const CIRCLE_LINES = 48

const start = vec3()
const end = vec3()
const across = vec3()
const up = vec3()

/** Draws a curve by `lines` straight lines, between its points at equal shares from 0 to 1. */
export function drawCurve(
  draw: DebugDraw,
  layer: string,
  lines: number,
  pointAt: (out: Vec3, share: number) => void,
): void {
  pointAt(start, 0)
  for (let i = 1; i <= lines; i++) {
    pointAt(end, i / lines)
    draw.line(layer, start, end)
    copy(start, end)
  }
}

/** A circle around the unit vector `axis`, m. */
interface Rim {
  readonly axis: Vec3Like
  readonly radius: number
}

export function drawCircle(draw: DebugDraw, layer: string, center: Vec3Like, { axis, radius }: Rim): void {
  perpendicular(across, axis)
  cross(up, axis, across)
  drawCurve(draw, layer, CIRCLE_LINES, (out, share) => {
    addScaled(out, center, across, radius * Math.cos(2 * Math.PI * share))
    addScaled(out, out, up, radius * Math.sin(2 * Math.PI * share))
  })
}
