import type { Body } from 'cannon-es'
import type { Object3D } from 'three'

/**
 * Shows a body without a controller: its position between the last two steps, and its present attitude.
 */
export function copyPose(object: Object3D, body: Body, alpha: number): void {
  const { previousPosition: from, position: to, quaternion } = body
  object.position.set(
    from.x + (to.x - from.x) * alpha,
    from.y + (to.y - from.y) * alpha,
    from.z + (to.z - from.z) * alpha,
  )
  object.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
}
