import { Matrix4, Quaternion, Vector3, type Color, type InstancedMesh, type Vector3Like } from 'three'
import { ALONG, makeStreaks } from './streaks.js'

const MAX_BEAMS = 32
/** Duration of a beam (s), and its thickness (m). */
const GLOW = 0.16
const GIRTH = 0.09

const matrix = new Matrix4()
const turn = new Quaternion()
const direction = new Vector3()
const size = new Vector3()

interface Beam {
  readonly from: Vector3
  readonly to: Vector3
  left: number
}

/** Short beams of light between two points. One draw call for all. */
export class Beams {
  readonly mesh: InstancedMesh
  readonly #beams: readonly Beam[]
  #next = 0

  constructor() {
    this.mesh = makeStreaks('beams', MAX_BEAMS, 1, { toneMapped: false })
    this.mesh.geometry.translate(0, 0, 0.5)
    this.#beams = Array.from({ length: MAX_BEAMS }, () => ({
      from: new Vector3(),
      to: new Vector3(),
      left: 0,
    }))
  }

  flash(from: Vector3Like, to: Vector3Like, color: Color): void {
    const index = this.#next
    this.#next = (index + 1) % MAX_BEAMS
    const beam = this.#beams[index]!
    beam.from.copy(from)
    beam.to.copy(to)
    beam.left = GLOW
    this.mesh.setColorAt(index, color)
    this.mesh.instanceColor!.needsUpdate = true
  }

  /** Call once per frame. */
  update(seconds: number): void {
    for (const [k, beam] of this.#beams.entries()) {
      beam.left = Math.max(0, beam.left - seconds)
      const girth = GIRTH * (beam.left / GLOW)
      direction.subVectors(beam.to, beam.from)
      const length = direction.length()
      turn.setFromUnitVectors(ALONG, length > 0 ? direction.divideScalar(length) : ALONG)
      this.mesh.setMatrixAt(k, matrix.compose(beam.from, turn, size.set(girth, girth, length)))
    }
    this.mesh.instanceMatrix.needsUpdate = true
  }
}
