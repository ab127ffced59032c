import {
  AdditiveBlending,
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

/** A ring about each place, of so many strokes. */
const STROKES = 20
const RADIUS = 1.1
/** The way behind and before the leader that is drawn, m, in strokes of so many metres. */
const BEHIND = 90
const BEFORE = 60
const STROKE = 3

const right = new Vector3()
const up = new Vector3()
const ahead = new Vector3()

/** Where the places of a formation are, who belongs there, and the way of the leader, in thin lines of light. */
export class SlotLines {
  readonly object = new Group()
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>
  readonly #way = new FatLine({ color: '#ffb45c', width: 1.2, opacity: 0.3, order: 5 })
  readonly #positions: BufferAttribute
  #at = 0

  constructor(most: number, color: Color) {
    const geometry = new BufferGeometry()
    this.#positions = new BufferAttribute(new Float32Array(6 * most * (STROKES + 1)), 3)
    this.#positions.setUsage(DynamicDrawUsage)
    geometry.setAttribute('position', this.#positions)
    const material = new LineBasicMaterial({
      color,
      transparent: true,
      opacity: 0.4,
      blending: AdditiveBlending,
      depthWrite: false,
      toneMapped: false,
    })
    this.#lines = new LineSegments(geometry, material)
    this.#lines.frustumCulled = false
    this.#lines.renderOrder = 5
    this.object.add(this.#lines, this.#way)
    this.object.name = 'slots'
  }

  /** Call first, with the way of the leader. */
  begin(path: Path, way: number): void {
    this.#at = 0
    const points: number[] = []
    const spot = { x: 0, y: 0, z: 0 }
    for (let d = -BEHIND; d <= BEFORE; d += STROKE) {
      path.pointAt(spot, way + d)
      points.push(spot.x, spot.y, spot.z)
    }
    this.#way.points = points
  }

  /** A place, where who has it is now, and which way they fly. */
  put(place: Vec3Like, ship: Vec3Like, along: Vec3Like): void {
    right.set(0, 1, 0).cross(ahead.copy(along).normalize()).normalize()
    up.crossVectors(ahead, right)
    for (let k = 0; k < STROKES; k++) {
      for (const end of [k, k + 1]) {
        const angle = (2 * Math.PI * end) / STROKES
        const [c, s] = [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)]
        this.#positions.setXYZ(
          this.#at++,
          place.x + c * right.x + s * up.x,
          place.y + c * right.y + s * up.y,
          place.z + c * right.z + s * up.z,
        )
      }
    }
    this.#positions.setXYZ(this.#at++, place.x, place.y, place.z)
    this.#positions.setXYZ(this.#at++, ship.x, ship.y, ship.z)
  }

  /** Call last. */
  end(): void {
    this.#positions.needsUpdate = true
    this.#lines.geometry.setDrawRange(0, this.#at)
  }
}
