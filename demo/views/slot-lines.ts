import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Vector3,
} from 'three'
import type { Path, Vec3Like } from 'three-steering'
import { FatLine } from './fat-line.js'
import { ADDS_LIGHT } from './soft-points.js'

/** Number of strokes of the ring around each slot, and its radius (m). */
const STROKES = 20
const RADIUS = 1.1
/** Length of the drawn path behind and ahead of the leader, and length of a stroke (m). */
const BEHIND = 90
const BEFORE = 60
const STROKE = 3

const right = new Vector3()
const up = new Vector3()
const ahead = new Vector3()

/** Slots of a formation, a line from each slot to its ship, and the path of the leader. */
export class SlotLines {
  readonly object = new Group()
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>
  readonly #path = new FatLine({ color: '#ffb45c', width: 1.2, opacity: 0.3, order: 5 })
  readonly #positions: BufferAttribute
  #count = 0

  constructor(most: number, color: Color) {
    const geometry = new BufferGeometry()
    this.#positions = new BufferAttribute(new Float32Array(6 * most * (STROKES + 1)), 3)
    this.#positions.setUsage(DynamicDrawUsage)
    geometry.setAttribute('position', this.#positions)
    const material = new LineBasicMaterial({
      color,
      opacity: 0.4,
      ...ADDS_LIGHT,
      toneMapped: false,
    })
    this.#lines = new LineSegments(geometry, material)
    this.#lines.frustumCulled = false
    this.#lines.renderOrder = 5
    this.object.add(this.#lines, this.#path)
    this.object.name = 'slots'
  }

  /** Begins a frame, with the path and the station of the leader. */
  begin(path: Path, station: number): void {
    this.#count = 0
    const points: number[] = []
    const spot = { x: 0, y: 0, z: 0 }
    for (let d = -BEHIND; d <= BEFORE; d += STROKE) {
      path.pointAt(spot, station + d)
      points.push(spot.x, spot.y, spot.z)
    }
    this.#path.points = points
  }

  /** Draws a slot, with the position of its ship and the direction of flight. */
  put(place: Vec3Like, ship: Vec3Like, along: Vec3Like): void {
    right.set(0, 1, 0).cross(ahead.copy(along).normalize()).normalize()
    up.crossVectors(ahead, right)
    for (let k = 0; k < STROKES; k++) {
      for (const end of [k, k + 1]) {
        const angle = (2 * Math.PI * end) / STROKES
        const [c, s] = [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)]
        this.#positions.setXYZ(
          this.#count++,
          place.x + c * right.x + s * up.x,
          place.y + c * right.y + s * up.y,
          place.z + c * right.z + s * up.z,
        )
      }
    }
    this.#positions.setXYZ(this.#count++, place.x, place.y, place.z)
    this.#positions.setXYZ(this.#count++, ship.x, ship.y, ship.z)
  }

  /** Ends a frame. */
  end(): void {
    this.#positions.needsUpdate = true
    this.#lines.geometry.setDrawRange(0, this.#count)
  }
}
