import {
  CapsuleGeometry,
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from 'three'
import type { QuatLike, Vec3Like } from 'three-steering'

const SHIRTS = [
  '#d8553c',
  '#3f7fb8',
  '#f0c04a',
  '#5aa06b',
  '#8a5fa8',
  '#efe9dc',
  '#37506b',
  '#d67ba0',
  '#2f8f8a',
]
const TROUSERS = ['#2c3440', '#4a3b30', '#5b6a78', '#274a63', '#6d6459']
const SKINS = ['#f2c9a5', '#d9a077', '#a36b45', '#6f4630', '#f5d7bd']
const HAIRS = ['#2a1c14', '#5a3a22', '#c79a55', '#1b1b1d', '#8f8f92', '#7d2f1d']

/** Height of the hips and shoulders (m), length of a stride (m), and how far legs swing (rad). */
const HIP = 0.82
const SHOULDER = 1.32
const STRIDE = 1.5
const SWING = 0.55

const body = new Matrix4()
const limb = new Matrix4()
const turn = new Quaternion()
const place = new Vector3()
const size = new Vector3()
const ONE = new Vector3(1, 1, 1)
const RIGHT = new Vector3(1, 0, 0)

/** Walking figures with swinging arms and legs. One draw call for each part of the body. */
export class TownWalkers {
  readonly object = new Group()
  readonly #torsos: InstancedMesh
  readonly #heads: InstancedMesh
  readonly #hairs: InstancedMesh
  readonly #arms: InstancedMesh
  readonly #legs: InstancedMesh
  /** Distance walked (m), and how far the limbs swing, 0 … 1. */
  readonly #walked: Float32Array
  readonly #swing: Float32Array
  readonly #last: Float32Array

  constructor(count: number) {
    const make = (
      geometry: BufferGeometry,
      each: number,
      colors: readonly string[],
      step: number,
    ): InstancedMesh => {
      const mesh = new InstancedMesh(geometry, new MeshStandardMaterial({ roughness: 0.85 }), each * count)
      for (let i = 0; i < each * count; i++)
        mesh.setColorAt(i, new Color(colors[(step * Math.floor(i / each)) % colors.length]))
      mesh.castShadow = mesh.receiveShadow = true
      mesh.frustumCulled = false
      this.object.add(mesh)
      return mesh
    }
    this.#torsos = make(
      new CapsuleGeometry(0.19, 0.36, 4, 10).scale(1.05, 1, 0.72).translate(0, 1.1, 0),
      1,
      SHIRTS,
      4,
    )
    this.#heads = make(new SphereGeometry(0.145, 12, 10).translate(0, 1.6, 0.01), 1, SKINS, 3)
    this.#hairs = make(
      new SphereGeometry(0.158, 12, 6, 0, 2 * Math.PI, 0, 1.5).translate(0, 1.62, -0.025),
      1,
      HAIRS,
      5,
    )
    this.#arms = make(new CapsuleGeometry(0.055, 0.46, 3, 6).translate(0, -0.27, 0), 2, SHIRTS, 4)
    this.#legs = make(new CapsuleGeometry(0.085, 0.62, 3, 8).translate(0, -0.4, 0), 2, TROUSERS, 3)
    this.#walked = new Float32Array(count)
    this.#swing = new Float32Array(count)
    this.#last = new Float32Array(2 * count).fill(NaN)
  }

  /** Places figure `index` on the ground, and moves its limbs as far as it has walked. */
  put(index: number, { x, z }: Vec3Like, attitude: QuatLike): void {
    const last = this.#last
    const moved = Math.hypot(x - last[2 * index]!, z - last[2 * index + 1]!)
    last[2 * index] = x
    last[2 * index + 1] = z
    if (moved < 1) {
      this.#walked[index]! += moved
      // about 20 mm a frame is a brisk walk
      const wanted = Math.min(1, moved / 0.012)
      this.#swing[index]! += 0.12 * (wanted - this.#swing[index]!)
    }
    // people differ in height
    const tall = 0.9 + 0.03 * ((7 * index) % 8)
    const phase = (2 * Math.PI * this.#walked[index]!) / STRIDE + index
    const swing = this.#swing[index]!
    turn.set(attitude.x, attitude.y, attitude.z, attitude.w)
    const bob = 0.025 * swing * Math.abs(Math.cos(phase))
    body.compose(place.set(x, bob, z), turn, size.setScalar(tall))
    this.#torsos.setMatrixAt(index, body)
    this.#heads.setMatrixAt(index, body)
    this.#hairs.setMatrixAt(index, body)
    for (const hand of [0, 1]) {
      const side = hand === 0 ? -1 : 1
      const angle = side * swing * Math.sin(phase)
      this.#hang(this.#legs, 2 * index + hand, side * 0.1, HIP, SWING * angle)
      this.#hang(this.#arms, 2 * index + hand, side * 0.25, SHOULDER, -0.8 * SWING * angle)
    }
  }

  /** Call once per frame after the `put`s. */
  update(): void {
    for (const mesh of [this.#torsos, this.#heads, this.#hairs, this.#arms, this.#legs])
      mesh.instanceMatrix.needsUpdate = true
  }

  #hang(mesh: InstancedMesh, index: number, x: number, y: number, angle: number): void {
    limb.compose(place.set(x, y, 0), turn.setFromAxisAngle(RIGHT, angle), ONE)
    mesh.setMatrixAt(index, limb.premultiply(body))
  }
}
