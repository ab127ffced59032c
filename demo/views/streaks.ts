import {
  Color,
  CylinderGeometry,
  DynamicDrawUsage,
  InstancedMesh,
  MeshBasicMaterial,
  Vector3,
  type MeshBasicMaterialParameters,
} from 'three'
import { ADDS_LIGHT } from './soft-points.js'

/** Direction of a streak of length 1. */
export const ALONG = new Vector3(0, 0, 1)

/**
 * Glowing rods along +z with radius and length 1, tapered at the back by the factor `taper`. One draw call,
 * with a colour per rod.
 */
export function makeStreaks(
  name: string,
  count: number,
  taper: number,
  look: MeshBasicMaterialParameters,
): InstancedMesh {
  const rod = new CylinderGeometry(1, taper, 1, 6, 1, true).rotateX(Math.PI / 2)
  const material = new MeshBasicMaterial({
    ...ADDS_LIGHT,
    ...look,
  })
  const mesh = new InstancedMesh(rod, material, count)
  mesh.instanceMatrix.setUsage(DynamicDrawUsage)
  mesh.frustumCulled = false
  mesh.name = name
  const dark = new Color(0, 0, 0)
  for (let k = 0; k < count; k++) mesh.setColorAt(k, dark)
  return mesh
}
