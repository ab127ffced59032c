import { Color, Matrix4, Quaternion, Vector3, type InstancedMesh } from 'three'
import { MAX_TRACERS, type Tracers } from '../scenarios/tracers.js'
import { ALONG, makeStreaks } from './streaks.js'

/** Length and width of a shot (m). */
const LENGTH = 17
const WIDTH = 0.5

const place = new Matrix4()
const turn = new Quaternion()
const at = new Vector3()
const direction = new Vector3()
const size = new Vector3()

/** Glowing streaks. One draw call. */
export class TracerLines {
  readonly mesh: InstancedMesh
  readonly #colors: readonly Color[]
  readonly #scale: number

  /** `scale` changes length and width of the streaks, dimensionless. */
  constructor(colors: readonly Color[], scale = 1) {
    this.#colors = colors
    this.#scale = scale
    this.mesh = makeStreaks('tracers', MAX_TRACERS, 0.3, { color: new Color(1.7, 1.7, 1.7) })
  }

  /** Call once per frame. `behind`: time by which the displayed state lags the last step (s). */
  update({ position, velocity, left, team }: Tracers, behind: number): void {
    for (let k = 0; k < MAX_TRACERS; k++) {
      direction.fromArray(velocity, 3 * k)
      const alive = left[k]! > 0 && direction.lengthSq() > 0
      at.fromArray(position, 3 * k).addScaledVector(direction, -behind)
      turn.setFromUnitVectors(ALONG, alive ? direction.normalize() : ALONG)
      const girth = alive ? WIDTH * this.#scale * Math.min(1, 4 * left[k]!) : 0
      this.mesh.setMatrixAt(
        k,
        place.compose(at, turn, size.set(girth, girth, alive ? LENGTH * this.#scale : 0)),
      )
      if (alive) this.mesh.setColorAt(k, this.#colors[team[k]!]!)
    }
    this.mesh.instanceMatrix.needsUpdate = true
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true
  }
}
