import type { Pose, QuatLike, Vec3Like, View } from '../types.js'
import { objectShown } from '#hints'
import { refuse } from '../math/require.js'

/** The part of an `Object3D` that a view uses. three's vectors and quaternions have the method `set`. */
export interface Object3DLike {
  readonly position: Vec3Like & { set(x: number, y: number, z: number): unknown }
  readonly quaternion: QuatLike & { set(x: number, y: number, z: number, w: number): unknown }
  /** When false, three does not update the matrix, so the view does. */
  readonly matrixAutoUpdate?: boolean
  updateMatrix?(): void
}

/** The part of an `InstancedMesh` that a view uses. */
export interface InstancedMeshLike {
  count: number
  readonly instanceMatrix: {
    readonly array: ArrayLike<number> & { [index: number]: number }
    needsUpdate: boolean
  }
  boundingSphere?: unknown
}

/** Things that can show an agent: a view of your own, or an `Object3D`. */
export type Viewable = View | Object3DLike

/**
 * Shows many agents as instances. Each instance keeps the scale of its matrix; a matrix of zeros counts as
 * scale 1. `count` is set to the number of agents, and the bounding sphere to null, so that three computes it
 * again when it needs it for culling. When a flock is larger than the mesh, the members beyond its capacity
 * are not shown, which is reported once as a `fault`.
 */
export function viewOfInstances(mesh: InstancedMeshLike): Required<View> {
  const capacity = mesh.instanceMatrix.array.length / 16
  const scale = new Float32Array(3 * capacity)
  const array = mesh.instanceMatrix.array
  for (let i = 0; i < 3 * capacity; i++) {
    const column = 16 * Math.floor(i / 3) + 4 * (i % 3)
    scale[i] = Math.hypot(array[column]!, array[column + 1]!, array[column + 2]!) || 1
  }
  return {
    object: mesh,
    write(index: number, { position, quaternion: { x, y, z, w } }: Pose): void {
      if (index >= capacity) return
      const { array: matrix } = mesh.instanceMatrix
      const m = 16 * index
      const sx = scale[3 * index]!
      const sy = scale[3 * index + 1]!
      const sz = scale[3 * index + 2]!
      matrix[m] = (1 - 2 * (y * y + z * z)) * sx
      matrix[m + 1] = 2 * (x * y + w * z) * sx
      matrix[m + 2] = 2 * (x * z - w * y) * sx
      matrix[m + 3] = 0
      matrix[m + 4] = 2 * (x * y - w * z) * sy
      matrix[m + 5] = (1 - 2 * (x * x + z * z)) * sy
      matrix[m + 6] = 2 * (y * z + w * x) * sy
      matrix[m + 7] = 0
      matrix[m + 8] = 2 * (x * z + w * y) * sz
      matrix[m + 9] = 2 * (y * z - w * x) * sz
      matrix[m + 10] = (1 - 2 * (x * x + y * y)) * sz
      matrix[m + 11] = 0
      matrix[m + 12] = position.x
      matrix[m + 13] = position.y
      matrix[m + 14] = position.z
      matrix[m + 15] = 1
    },
    flush(count: number): void {
      mesh.count = Math.min(count, capacity)
      mesh.instanceMatrix.needsUpdate = true
      if ('boundingSphere' in mesh) mesh.boundingSphere = null
      if (count > capacity)
        throw new RangeError(
          `instancedView: got ${count} agents, the mesh has room for ${capacity} instances`,
        )
    },
  }
}

export function isInstancedMesh(view: Viewable | InstancedMeshLike): view is InstancedMeshLike {
  return typeof view === 'object' && view !== null && 'instanceMatrix' in view && !('write' in view)
}

/**
 * The view of an object that the user gave. The parent of an `Object3D` must have no rotation and
 * translation, because positions are world positions. Its scale stays. Does not use `instanceof`: two copies
 * of three may be loaded.
 */
export function viewOf(viewable: Viewable): View {
  const object = viewable as Partial<View> & Object3DLike
  if (
    typeof object?.write !== 'function' &&
    (typeof object?.position?.set !== 'function' || typeof object.quaternion?.set !== 'function')
  )
    refuse(
      'view',
      viewable,
      'must be an Object3D or a View with write(index, pose), for a flock also an InstancedMesh',
    )
  objectShown(object)
  return object.write
    ? (object as View)
    : {
        object,
        write(_index: number, { position, quaternion }: Pose): void {
          object.position.set(position.x, position.y, position.z)
          object.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
          if (object.matrixAutoUpdate === false) object.updateMatrix?.()
        },
      }
}
