import { Matrix4, Quaternion, Vector3, type Color, type InstancedMesh, type Vector3Like } from 'three'
import { ALONG, makeStreaks } from './streaks.js'

const ROOM = 32
/** How long a beam is seen, s, and how thick it is, m. */
const GLOW = 0.16
const GIRTH = 0.09

const matrix = new Matrix4()
const turn = new Quaternion()
const way = new Vector3()
const size = new Vector3()

interface Beam {
  readonly from: Vector3
  readonly to: Vector3
  left: number
}

/** Flashes from one place to another, one draw call for all. */
export class Beams {
  readonly mesh: InstancedMesh
  readonly #beams: readonly Beam[]
  #next = 0

  constructor() {
    this.mesh = makeStreaks('beams', ROOM, 1, { toneMapped: false })
    this.mesh.geometry.translate(0, 0, 0.5)
    this.#beams = Array.from({ length: ROOM }, () => ({ from: new Vector3(), to: new Vector3(), left: 0 }))
  }

  flash(from: Vector3Like, to: Vector3Like, color: Color): void {
    const index = this.#next
    this.#next = (index + 1) % ROOM
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
      way.subVectors(beam.to, beam.from)
      const long = way.length()
      turn.setFromUnitVectors(ALONG, long > 0 ? way.divideScalar(long) : ALONG)
      this.mesh.setMatrixAt(k, matrix.compose(beam.from, turn, size.set(girth, girth, long)))
    }
    this.mesh.instanceMatrix.needsUpdate = true
  }
}
