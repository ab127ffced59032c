import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineLoop,
  Vector3,
  type Color,
} from 'three'
import type { Path } from 'three-steering'
import { ADDS_LIGHT } from './soft-points.js'

/** Number of points of a line. */
const FINE = 700

/** Faint closed lines along paths. */
export class CourseLines {
  readonly object = new Group()
  readonly #lines: readonly LineLoop<BufferGeometry, LineBasicMaterial>[]

  constructor(colors: readonly Color[]) {
    this.#lines = colors.map((color) => makeLine(color))
    this.object.add(...this.#lines)
    this.object.name = 'course lines'
  }

  /** Draws the first lines along these paths, and hides the others. */
  draw(paths: readonly (Path | null)[]): void {
    const point = new Vector3()
    this.#lines.forEach((line, index) => {
      const path = paths[index] ?? null
      line.visible = path !== null
      if (path === null) return
      const places = Array.from({ length: FINE }, (_, k) => {
        path.pointAt(point, (k / FINE) * path.lap)
        return point.toArray()
      })
      line.geometry.dispose()
      line.geometry = new BufferGeometry()
      line.geometry.setAttribute('position', new Float32BufferAttribute(places.flat(), 3))
    })
  }
}

function makeLine(color: Color): LineLoop<BufferGeometry, LineBasicMaterial> {
  const material = new LineBasicMaterial({
    color,
    opacity: 0.2,
    ...ADDS_LIGHT,
  })
  const line = new LineLoop(new BufferGeometry(), material)
  line.frustumCulled = false
  return line
}
