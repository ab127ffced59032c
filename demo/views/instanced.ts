import {
  type BufferGeometry,
  DynamicDrawUsage,
  type InstancedBufferAttribute,
  InstancedMesh,
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
