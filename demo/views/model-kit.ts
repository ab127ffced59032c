import {
  BoxGeometry,
  Color,
  CylinderGeometry,
  Float32BufferAttribute,
  Matrix4,
  Mesh,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type ColorRepresentation,
  type Material,
} from 'three'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'

type Triple = readonly [x: number, y: number, z: number]

const matrix = new Matrix4()
const turn = new Quaternion()
const UP = new Vector3(0, 1, 0)

/** Builds one geometry from many coloured parts, so that a whole model is one draw call. */
export class ModelKit {
  readonly #parts: BufferGeometry[] = []
  readonly #tint = new Color()

  /** Adds a part at a place, turned by `yaw` (rad) about the vertical. The kit owns the geometry. */
  add(geometry: BufferGeometry, color: ColorRepresentation, at: Triple = [0, 0, 0], yaw = 0): this {
    const part = geometry.index === null ? geometry : geometry.toNonIndexed()
    for (const name of Object.keys(part.attributes))
      if (name !== 'position' && name !== 'normal') part.deleteAttribute(name)
    turn.setFromAxisAngle(UP, yaw)
    part.applyMatrix4(matrix.compose(new Vector3(...at), turn, new Vector3(1, 1, 1)))
    const { r, g, b } = this.#tint.set(color)
    const count = part.getAttribute('position').count
    const colors = new Float32Array(3 * count)
    for (let i = 0; i < colors.length; i += 3) colors.set([r, g, b], i)
    part.setAttribute('color', new Float32BufferAttribute(colors, 3))
    this.#parts.push(part)
    return this
  }

  /** A box of this size whose bottom stands at `at`. */
  box(size: Triple, at: Triple, color: ColorRepresentation, yaw = 0): this {
    return this.add(new BoxGeometry(...size).translate(0, size[1] / 2, 0), color, at, yaw)
  }

  /** A cylinder, or a cone where `top` is 0, whose bottom stands at `at`. */
  post(
    bottom: number,
    top: number,
    height: number,
    at: Triple,
    color: ColorRepresentation,
    sides = 12,
  ): this {
    return this.add(new CylinderGeometry(top, bottom, height, sides).translate(0, height / 2, 0), color, at)
  }

  geometry(): BufferGeometry {
    const merged = mergeGeometries(this.#parts)
    for (const part of this.#parts.splice(0)) part.dispose()
    return merged
  }

  /** A mesh that casts and receives shadows. The material must have `vertexColors`. */
  mesh(material: Material): Mesh {
    const mesh = new Mesh(this.geometry(), material)
    mesh.castShadow = mesh.receiveShadow = true
    return mesh
  }
}
