import { Box3, type InstancedMesh, type Object3D, Quaternion, Sphere, Vector3 } from 'three'
import { instancedView as viewOfInstances } from '../../engine/views.js'
import type { Pose, View } from '../../types.js'

/**
 * Shows one agent as an object that hangs in a moved or turned parent: world poses are brought into the parent's space. An
 * object whose ancestors stay at the origin needs no view: give the object itself. The scale of the object is kept.
 */
export function objectView(object: Object3D): View {
  const local = new Vector3()
  const turn = new Quaternion()
  const turned = new Quaternion()
  return {
    write(_index: number, { position, quaternion }: Pose): void {
      const { parent } = object
      if (parent !== null) {
        parent.updateWorldMatrix(true, false)
        // in a parent that is scaled to nothing there is no place, and nothing to be seen: it stays where it was
        if (!(Math.abs(parent.matrixWorld.determinant()) > 0)) return
        local.set(position.x, position.y, position.z)
        object.position.copy(parent.worldToLocal(local))
        turned.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
        object.quaternion.copy(turned.premultiply(parent.getWorldQuaternion(turn).invert()))
      } else {
        object.position.set(position.x, position.y, position.z)
        object.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
      }
      if (!object.matrixAutoUpdate) object.updateMatrix()
    },
  }
}

/** Shows a flock as the instances of a mesh; their scales are kept. A flock that is larger than the mesh is shown as far as there is room. */
export function instancedView(mesh: InstancedMesh): View {
  return viewOfInstances(mesh)
}

/** Radius (m) of the sphere around what an object shows, for the `radius` of its agent. 0 for an empty object. */
export function radiusOf(object: Object3D): number {
  const box = new Box3().setFromObject(object)
  return box.isEmpty() ? 0 : box.getBoundingSphere(new Sphere()).radius
}
