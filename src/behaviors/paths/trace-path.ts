import type { DebugDraw } from '../../types.js'
import type { Path } from './path.js'
import { copy, vec3 } from '../../math/vec3.js'

/** Points by which a path is drawn. */
const POINTS = 128

const from = vec3()
const to = vec3()

/** Draws all of a path. */
export function tracePath(path: Path, draw: DebugDraw): void {
  path.pointAt(from, 0)
  for (let i = 1; i <= POINTS; i++) {
    path.pointAt(to, (i / POINTS) * (path.lap * (1 - 1e-12)))
    draw.line('path', from, to)
    copy(from, to)
  }
}
