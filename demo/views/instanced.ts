import {
  type BufferGeometry,
  DynamicDrawUsage,
  type InstancedBufferAttribute,
  InstancedBufferGeometry,
  InstancedMesh,
  PlaneGeometry,
  type ShaderMaterial,
} from 'three'

/** An instanced mesh with attributes per instance whose matrices change in each frame. */
export function instanced(
  geometry: BufferGeometry,
  material: ShaderMaterial,
  count: number,
  attributes: Record<string, InstancedBufferAttribute>,
): InstancedMesh<BufferGeometry, ShaderMaterial> {
  for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute)
  const mesh = new InstancedMesh(geometry, material, count)
  mesh.instanceMatrix.setUsage(DynamicDrawUsage)
  mesh.frustumCulled = false
  return mesh
}

/** Squares of side 1 with attributes per instance, which a vertex shader places. */
export function instancedQuads(
  count: number,
  attributes: Record<string, InstancedBufferAttribute>,
): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry()
  const quad = new PlaneGeometry(1, 1)
  geometry.setAttribute('position', quad.getAttribute('position'))
  geometry.setIndex(quad.getIndex())
  for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute)
  geometry.instanceCount = count
  return geometry
}
