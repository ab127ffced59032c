import { Color, Group, Vector3 } from 'three'
import { RADIUS, SPEED, type Crowd } from '../scenarios/antipodes.js'
import { Trails } from '../trails.js'
import { Darts } from './darts.js'

/** View of one crowd: darts and their trails. */
export class CrowdView {
  readonly object = new Group()
  readonly darts: Darts
  readonly #trails: Trails
  readonly #tail = new Vector3()
  readonly #velocity = new Vector3()

  constructor(count: number, color: (index: number) => Color) {
    this.darts = new Darts(count, RADIUS, color)
    // trails have a deeper colour, since bright light looks pale on the screen
    const deep = (index: number): Color => color(index).multiply(color(index))
    this.#trails = new Trails({
      count,
      points: 110,
      interval: 1 / 15,
      width: 0.17,
      opacity: 0.55,
      color: deep,
    })
    this.object.add(this.#trails.object, this.darts.object)
  }

  set trails(shown: boolean) {
    this.#trails.object.visible = shown
  }

  /** Call once per frame, after the poses of the darts are set. */
  update({ flock, touches }: Crowd, seconds: number): void {
    const { array } = this.darts.mesh.instanceMatrix
    for (let index = 0; index < flock.size; index++) {
      const offset = 16 * index
      this.#tail.fromArray(array, offset + 8).multiplyScalar(-0.7 * RADIUS)
      this.#tail.x += array[offset + 12]!
      this.#tail.y += array[offset + 13]!
      this.#tail.z += array[offset + 14]!
      const speed = this.#velocity.copy(flock.velocity(index, this.#velocity)).length()
      this.#trails.put(index, this.#tail.x, this.#tail.y, this.#tail.z, Math.min(1, speed / (0.5 * SPEED)))
    }
    this.#trails.advance(seconds)
    for (const { keys } of touches.fresh.splice(0)) for (const key of keys) this.darts.flare(key)
    this.darts.cool(seconds)
  }

  dispose(): void {
    this.object.removeFromParent()
    this.#trails.dispose()
    for (const { geometry, material } of [...this.darts.meshes, this.#trails.object]) {
      geometry.dispose()
      material.dispose()
    }
  }
}
