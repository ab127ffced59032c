import {
  Box3,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  Object3D,
  Quaternion,
  SkinnedMesh,
  Texture,
  Vector3,
  type BufferGeometry,
  type Material,
} from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import type { QuatLike, Vec3Like } from 'three-steering'
import { checkGlb, MAX_TRIANGLES } from './glb.js'

/** Length of the longest side of the ship (m). */
const LENGTH = 5
/** A side is at least this long (m), so that a flat model has a body, too. */
const THIN = 0.3

interface Part {
  readonly geometry: BufferGeometry
  readonly material: Material | Material[]
  /** Pose in the model as it is in its file. */
  readonly matrix: Matrix4
}

const AXES = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) }
const UNIT = new Vector3(1, 1, 1)
const corner = new Vector3()
const quarter = new Quaternion()

/** A model of any size, made ready to fly: 5 m long, its middle at the origin, its nose along +Z. */
export class Flyable {
  readonly name: string
  readonly triangles: number
  readonly #parts: readonly Part[]
  /** Nodes named `nozzle_…`, where flames are: name and pose. */
  readonly #nozzles: readonly { readonly name: string; readonly matrix: Matrix4 }[]
  readonly #box = new Box3()
  readonly #turn = new Quaternion()

  /** @throws Error in words for the visitor, if there is nothing to see. */
  constructor(name: string, model: Object3D) {
    this.name = name
    model.updateMatrixWorld(true)
    const meshes: Mesh[] = []
    const nozzles: Object3D[] = []
    model.traverse((node) => {
      if (node instanceof Mesh) meshes.push(node)
      if (node.name.startsWith('nozzle_')) nozzles.push(node)
    })
    this.#parts = meshes.map(partOf)
    this.#nozzles = nozzles.map(({ name: node, matrixWorld }) => ({
      name: node,
      matrix: matrixWorld.clone(),
    }))
    this.triangles = Math.round(this.#parts.reduce((sum, { geometry }) => sum + cornersOf(geometry) / 3, 0))
    if (this.triangles > MAX_TRIANGLES)
      throw new Error(
        `${name} is too large: ${this.triangles} triangles, and at most ${MAX_TRIANGLES} can be shown.`,
      )
    for (const part of this.#parts) widen(this.#box, part)
    const size = this.#box.getSize(corner)
    if (!Number.isFinite(size.length()))
      throw new Error(`${name} is damaged: some of its corners are nowhere.`)
    if (!(Math.max(size.x, size.y, size.z) > 0))
      throw new Error(`${name} holds nothing to see: it has no size.`)
  }

  /** Turns the model by a quarter about an axis of the ship: y to the left, x upwards, z to roll. */
  turnNose(axis: 'x' | 'y' | 'z'): void {
    quarter.setFromAxisAngle(AXES[axis], Math.PI / 2)
    this.#turn.premultiply(quarter)
  }

  /** Half of its length along each axis of the ship (m). */
  get half(): Vector3 {
    const { box, scale } = this.#fit()
    const size = box.getSize(new Vector3()).multiplyScalar(scale)
    return size.max(new Vector3(THIN, THIN, THIN)).multiplyScalar(0.5)
  }

  /**
   * A new object that shows the ship. Nodes named `nozzle_…` are its children; without any there is one at
   * the stern.
   */
  makeShip(): Group {
    const fit = this.#fit().matrix
    const ship = new Group()
    for (const { geometry, material, matrix } of this.#parts) {
      const mesh = new Mesh(geometry, material)
      mesh.matrixAutoUpdate = false
      mesh.matrix.multiplyMatrices(fit, matrix)
      ship.add(mesh)
    }
    for (const { name, matrix } of this.#nozzles) {
      const node = new Object3D()
      node.name = name
      new Matrix4().multiplyMatrices(fit, matrix).decompose(node.position, node.quaternion, node.scale)
      node.scale.copy(UNIT)
      ship.add(node)
    }
    if (this.#nozzles.length === 0) {
      const stern = new Object3D()
      stern.name = 'nozzle_ahead_0'
      stern.position.z = -this.half.z
      stern.quaternion.set(0, 1, 0, 0)
      ship.add(stern)
    }
    return ship
  }

  /** Instances of the model, for a flock. `scale` is their size as a share of that of the ship. */
  makeCopies(count: number, scale: number): Copies {
    const fit = new Matrix4().makeScale(scale, scale, scale).multiply(this.#fit().matrix)
    return new Copies(
      this.#parts.map(({ geometry, material, matrix }) => ({
        mesh: new InstancedMesh(geometry, material, count),
        local: new Matrix4().multiplyMatrices(fit, matrix),
      })),
    )
  }

  /** Frees geometry, materials and pictures of the model. */
  free(): void {
    for (const { geometry, material } of this.#parts) {
      geometry.dispose()
      for (const each of [material].flat()) freeMaterial(each)
    }
  }

  /** The box after the turn, and what moves a point of the file into the ship. */
  #fit(): { box: Box3; scale: number; matrix: Matrix4 } {
    const turn = new Matrix4().makeRotationFromQuaternion(this.#turn)
    const box = this.#box.clone().applyMatrix4(turn)
    const { x, y, z } = box.getSize(new Vector3())
    const scale = LENGTH / Math.max(x, y, z)
    const matrix = new Matrix4().makeScale(scale, scale, scale).multiply(turn)
    return { box, scale, matrix: matrix.setPosition(box.getCenter(new Vector3()).multiplyScalar(-scale)) }
  }
}

const pose = new Matrix4()
const place = new Vector3()
const attitude = new Quaternion()
const world = new Matrix4()

/** Shows the members of a flock as instances of all parts of a model. */
export class Copies {
  readonly object = new Group()
  readonly #parts: readonly { readonly mesh: InstancedMesh; readonly local: Matrix4 }[]

  constructor(parts: readonly { readonly mesh: InstancedMesh; readonly local: Matrix4 }[]) {
    this.#parts = parts
    for (const { mesh } of parts) {
      mesh.frustumCulled = false
      this.object.add(mesh)
    }
  }

  write(
    index: number,
    { position, quaternion: { x, y, z, w } }: { position: Vec3Like; quaternion: QuatLike },
  ): void {
    pose.compose(place.copy(position), attitude.set(x, y, z, w), UNIT)
    for (const { mesh, local } of this.#parts) mesh.setMatrixAt(index, world.multiplyMatrices(pose, local))
  }

  flush(): void {
    for (const { mesh } of this.#parts) mesh.instanceMatrix.needsUpdate = true
  }

  /** Frees the instances. Geometry and materials belong to the model. */
  free(): void {
    for (const { mesh } of this.#parts) mesh.dispose()
  }
}

/**
 * Reads a file that the visitor chose. Nothing leaves the computer, and nothing is fetched.
 * @throws Error that tells the visitor in plain words what is wrong.
 */
export async function readModel(file: Pick<File, 'name' | 'arrayBuffer'>): Promise<Flyable> {
  const bytes = await file.arrayBuffer()
  checkGlb(file.name, bytes)
  const gltf = await new GLTFLoader().parseAsync(bytes, '').catch((error: unknown) => {
    throw new Error(`${file.name} is damaged: ${error instanceof Error ? error.message : String(error)}`)
  })
  return new Flyable(file.name, gltf.scene)
}

function partOf(mesh: Mesh): Part {
  const { geometry, material, matrixWorld } = mesh
  // a skeleton stays in the pose in which it was saved
  if (mesh instanceof SkinnedMesh) return { geometry: posed(mesh), material, matrix: matrixWorld.clone() }
  return { geometry, material, matrix: matrixWorld.clone() }
}

function posed(mesh: SkinnedMesh): BufferGeometry {
  mesh.skeleton.update()
  const { geometry } = mesh
  const still = geometry.clone()
  const position = geometry.getAttribute('position').clone()
  for (let i = 0; i < position.count; i++) {
    mesh.applyBoneTransform(i, corner.fromBufferAttribute(position, i))
    position.setXYZ(i, corner.x, corner.y, corner.z)
  }
  still.setAttribute('position', position)
  still.deleteAttribute('skinIndex')
  still.deleteAttribute('skinWeight')
  still.deleteAttribute('normal')
  still.computeVertexNormals()
  geometry.dispose()
  mesh.skeleton.dispose()
  return still
}

function cornersOf(geometry: BufferGeometry): number {
  if (!geometry.hasAttribute('position')) return 0
  return (geometry.index ?? geometry.getAttribute('position')).count
}

function widen(box: Box3, { geometry, matrix }: Part): void {
  if (!geometry.hasAttribute('position')) return
  const position = geometry.getAttribute('position')
  for (let i = 0; i < position.count; i++)
    box.expandByPoint(corner.fromBufferAttribute(position, i).applyMatrix4(matrix))
}

function freeMaterial(material: Material): void {
  for (const value of Object.values(material) as unknown[]) {
    if (!(value instanceof Texture)) continue
    const picture: unknown = value.source.data
    if (typeof ImageBitmap !== 'undefined' && picture instanceof ImageBitmap) picture.close()
    value.dispose()
  }
  material.dispose()
}
