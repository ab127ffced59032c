import { Box3, type InstancedMesh, type Object3D, Quaternion, Sphere } from 'three'
import { instancedView as viewOfInstances } from '../engine/views.js'
import type { Pose, View } from '../types.js'

/**
 * Shows one agent as an object that hangs in a moved or turned parent: world poses are brought into the parent's space. An
 * object whose ancestors stay at the origin needs no view: give the object itself. The scale of the object is kept.
 */
export function objectView(object: Object3D): View {
  const turn = new Quaternion()
  return {
    write(_index: number, { position, quaternion }: Pose): void {
      object.position.set(position.x, position.y, position.z)
      object.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
      const { parent } = object
      if (parent === null) return
      parent.updateWorldMatrix(true, false)
      parent.worldToLocal(object.position)
      object.quaternion.premultiply(parent.getWorldQuaternion(turn).invert())
    },
  }
}

/** Shows a flock as the instances of a mesh; their scales are kept. @throws RangeError when an agent has no instance. */
export function instancedView(mesh: InstancedMesh): View {
  return viewOfInstances(mesh)
}

/** Radius (m) of the sphere around what an object shows, for the `radius` of its agent. 0 for an empty object. */
export function radiusOf(object: Object3D): number {
  const box = new Box3().setFromObject(object)
  return box.isEmpty() ? 0 : box.getBoundingSphere(new Sphere()).radius
}
