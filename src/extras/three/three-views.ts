import { Box3, type InstancedMesh, Matrix4, type Object3D, Quaternion, Sphere, Vector3 } from 'three'
import { viewOfInstances } from '../../core/engine/views.js'
import { refuse } from '../../core/math/require.js'
import type { Pose, QuatLike, Vec3Like, View } from '../../core/types.js'

/** A view of an `Object3D`, with its present world pose, in which its agent starts without other options. */
export interface ObjectView extends View {
  /** m */
  readonly position: Vec3Like
  readonly quaternion: QuatLike
}

/**
 * Shows one agent as an object with a moved or turned parent: world poses are converted to the parent's
 * space. If all ancestors of the object stay at the origin, no view is needed: pass the object itself. The
 * scale of the object is kept.
 * @throws TypeError for a value that is not an `Object3D`.
 */
export function objectView(object: Object3D): ObjectView {
  requireObject3D('objectView', object)
  const space = localSpace()
  return {
    object,
    get position() {
      const { parent } = object
      parent?.updateWorldMatrix(true, false)
      return parent === null ? object.position.clone() : parent.localToWorld(object.position.clone())
    },
    get quaternion() {
      return hasSpace(object.parent)
        ? object.parent.getWorldQuaternion(new Quaternion()).multiply(object.quaternion)
        : object.quaternion.clone()
    },
    write(_index: number, pose: Pose): void {
      // nothing is visible: the object keeps its pose
      if (!space.read(object.parent)) return
      const { position, quaternion } = space.convert(pose)
      object.position.copy(position)
      object.quaternion.copy(quaternion)
      if (!object.matrixAutoUpdate) object.updateMatrix()
    },
  }
}

/** Whether there is a parent, and it has a local space: one with zero scale has none. */
function hasSpace(parent: Object3D | null): parent is Object3D {
  return parent !== null && Math.abs(parent.matrixWorld.determinant()) > 0
}

/** Converts world poses to the space of an object; its results are valid until the next conversion. */
interface LocalSpace {
  /** Reads the space of an object, null for the world. False if it has none. */
  read(object: Object3D | null): boolean
  convert(pose: Pose): { readonly position: Vector3; readonly quaternion: Quaternion }
}

function localSpace(): LocalSpace {
  const toLocal = new Matrix4()
  const turn = new Quaternion()
  const local = { position: new Vector3(), quaternion: new Quaternion() }
  return {
    read(object) {
      object?.updateWorldMatrix(true, false)
      if (!hasSpace(object)) return object === null
      toLocal.copy(object.matrixWorld).invert()
      object.getWorldQuaternion(turn).invert()
      return true
    },
    convert({ position, quaternion: { x, y, z, w } }) {
      local.position.set(position.x, position.y, position.z).applyMatrix4(toLocal)
      local.quaternion.set(x, y, z, w).premultiply(turn)
      return local
    },
  }
}

/**
 * Shows a flock as the instances of a mesh that is moved or turned, or has such a parent: world poses are
 * converted to the space of the mesh. The scales of the instances are kept. If the flock has more agents than
 * the mesh has instances, the rest is not shown.
 */
export function instancedView(mesh: InstancedMesh): View {
  if (!mesh?.isInstancedMesh) refuse('instancedView', mesh, 'must be a THREE.InstancedMesh')
  const view = viewOfInstances(mesh)
  const space = localSpace()
  let isRead = false
  return {
    object: mesh,
    write(index: number, pose: Pose): void {
      isRead ||= space.read(mesh)
      if (isRead) view.write(index, space.convert(pose))
    },
    flush(count: number): void {
      isRead = false
      view.flush(count)
    },
  }
}

/** Radius (m) of the sphere around an object's bounding box, for an agent's `radius`. 0 if it is empty. */
export function radiusOf(object: Object3D): number {
  requireObject3D('radiusOf', object)
  const box = new Box3().setFromObject(object)
  return box.isEmpty() ? 0 : box.getBoundingSphere(new Sphere()).radius
}

/** @throws TypeError for another value. Does not use `instanceof`: two copies of three may be loaded. */
export function requireObject3D(what: string, object: Object3D): void {
  if (!object?.isObject3D) refuse(what, object, 'must be a THREE.Object3D')
}
