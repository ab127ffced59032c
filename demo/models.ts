import type { BufferGeometry, Group, Material, Object3D } from 'three'
import { Mesh } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'

const loader = new GLTFLoader()
const loaded = new Map<string, Promise<Group>>()

/** Returns a copy of a model in `assets/` with its own materials. Each file is fetched once. */
export async function loadModel(name: string): Promise<Object3D> {
  const url = `./${name}.glb`
  let model = loaded.get(url)
  if (!model) {
    model = loader.loadAsync(url).then(
      (gltf) => gltf.scene,
      (error: unknown) => {
        throw new Error(`the model ${name}.glb could not be loaded`, { cause: error })
      },
    )
    loaded.set(url, model)
    // forget a failed download, so that the next call tries again
    model.catch(() => loaded.delete(url))
  }
  const copy = (await model).clone()
  const ownMaterial = new Map<Material, Material>()
  for (const mesh of meshesOf(copy)) {
    const shared = mesh.material as Material
    const own = ownMaterial.get(shared) ?? shared.clone()
    ownMaterial.set(shared, own)
    mesh.material = own
  }
  return copy
}

export function meshesOf(object: Object3D): Mesh[] {
  const meshes: Mesh[] = []
  object.traverse((child) => {
    if (child instanceof Mesh) meshes.push(child)
  })
  return meshes
}

/** Returns the geometry of the first mesh in a model, for instancing. */
export async function loadGeometry(name: string): Promise<BufferGeometry> {
  const [mesh] = meshesOf(await loadModel(name))
  if (!mesh) throw new Error(`${name}.glb holds no mesh`)
  return mesh.geometry.clone()
}

/** Returns the node of a model that has the given name. */
export function partOf(model: Object3D, name: string): Object3D {
  const part = model.getObjectByName(name)
  if (!part) throw new Error(`the model has no part named ${name}`)
  return part
}
