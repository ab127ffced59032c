import {
  Color,
  CylinderGeometry,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
  type Vector3Like,
} from 'three'

/** Where a tree stands (m), and its size, of which 1 is a tree of some 4 m. */
export interface Tree extends Vector3Like {
  readonly size: number
}

interface Look {
  /** Colours of leaves, one of them for each tree. */
  readonly leaves: readonly string[]
  /** Number of round parts of a crown. */
  readonly blobs: number
  readonly random: () => number
}

/** Trees with round crowns, in two draw calls. */
export function makeTrees(trees: readonly Tree[], { leaves, blobs, random }: Look): Group {
  const material = new MeshStandardMaterial({ roughness: 0.95, flatShading: true })
  const crowns = new InstancedMesh(new IcosahedronGeometry(1, 1), material, blobs * trees.length)
  const trunks = new InstancedMesh(
    new CylinderGeometry(0.15, 0.23, 2, 7).translate(0, 1, 0),
    new MeshStandardMaterial({ color: '#6b4a32', roughness: 1 }),
    trees.length,
  )
  const matrix = new Matrix4()
  const turn = new Quaternion()
  for (const [k, { x, y, z, size }] of trees.entries()) {
    // the foot is in the ground, which may slope
    trunks.setMatrixAt(
      k,
      matrix.compose(new Vector3(x, y - 0.2 * size, z), turn, new Vector3(size, size, size)),
    )
    const leaf = leaves[Math.floor(leaves.length * random())]!
    for (let blob = 0; blob < blobs; blob++) {
      const angle = 2.1 * blob + 6 * random()
      const scale = size * (1.45 - 0.25 * blob)
      const at = new Vector3(Math.cos(angle), 0, Math.sin(angle)).multiplyScalar(0.6 * size)
      at.add({ x, y: y + size * (2.3 + 0.6 * blob), z })
      crowns.setMatrixAt(blobs * k + blob, matrix.compose(at, turn, new Vector3(scale, 0.9 * scale, scale)))
      crowns.setColorAt(blobs * k + blob, new Color(leaf).multiplyScalar(0.85 + 0.2 * blob))
    }
  }
  const group = new Group()
  for (const mesh of [crowns, trunks]) {
    mesh.castShadow = mesh.receiveShadow = true
    group.add(mesh)
  }
  return group
}
