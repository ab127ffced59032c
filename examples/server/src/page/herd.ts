import {
  Box3,
  BufferGeometry,
  Color,
  Group,
  InstancedMesh,
  Material,
  Matrix4,
  Quaternion,
  Vector3,
} from 'three'
import type { QuatLike, Vec3Like } from 'three-steering'
import { loadModel, meshesOf } from '../../../../demo/models.js'

const matrix = new Matrix4()
const place = new Vector3()
const turn = new Quaternion()
const one = new Vector3(1, 1, 1)

interface Part {
  readonly mesh: InstancedMesh
  /** Where the part is in the model. */
  readonly home: Matrix4
}

/** Any number of copies of a model: one draw call for each of its parts. */
export class Herd {
  readonly object = new Group()
  private readonly parts: Part[]
  private count = 0

  private constructor(parts: Part[]) {
    this.parts = parts
    this.object.add(...parts.map(({ mesh }) => mesh))
  }

  /** `size` is the radius of the ball around a copy (m). Parts whose material is called `tinted` take a colour. */
  static async load(name: string, size: number, tinted: string, capacity: number): Promise<Herd> {
    const model = await loadModel(name)
    model.updateMatrixWorld(true)
    const box = new Box3().setFromObject(model)
    const scale = size / Math.max(-box.min.z, box.max.z, box.max.x)
    const parts = meshesOf(model).map(({ geometry, material, matrixWorld }) => {
      const mesh = new InstancedMesh<BufferGeometry, Material>(geometry, material as Material, capacity)
      mesh.frustumCulled = false
      mesh.count = 0
      if ((material as Material).name === tinted)
        for (let i = 0; i < capacity; i++) mesh.setColorAt(i, new Color(1, 1, 1))
      return { mesh, home: new Matrix4().makeScale(scale, scale, scale).multiply(matrixWorld) }
    })
    return new Herd(parts)
  }

  begin(): void {
    this.count = 0
  }

  /** Draws one more. Copies beyond the capacity are left out. */
  add({ x, y, z }: Vec3Like, attitude: QuatLike, color?: Color): void {
    const i = this.count
    if (i >= this.parts[0]!.mesh.instanceMatrix.count) return
    this.count++
    turn.set(attitude.x, attitude.y, attitude.z, attitude.w)
    matrix.compose(place.set(x, y, z), turn, one)
    for (const { mesh, home } of this.parts) {
      mesh.setMatrixAt(i, pose.multiplyMatrices(matrix, home))
      if (color && mesh.instanceColor) mesh.setColorAt(i, color)
    }
  }

  end(): void {
    for (const { mesh } of this.parts) {
      mesh.count = this.count
      mesh.instanceMatrix.needsUpdate = true
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
    }
  }
}

const pose = new Matrix4()
