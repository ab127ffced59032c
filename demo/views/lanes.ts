import { Color, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, TorusGeometry, Vector3 } from 'three'
import type { Vec3Like } from 'three-steering'
import { ADDS_LIGHT } from './soft-points.js'

const SPACING = 16 // m

/** Faint hoops along lanes that cross at the origin. */
export function makeLanes(
  axes: readonly Vec3Like[],
  reach: number,
  width: number,
  colorOf: (lane: number) => Color,
): InstancedMesh {
  const steps = Math.floor(reach / SPACING)
  const each = 2 * steps
  const material = new MeshBasicMaterial({
    ...ADDS_LIGHT,
    opacity: 0.5,
  })
  const hoops = new InstancedMesh(new TorusGeometry(width, 0.09, 6, 72), material, axes.length * each)
  const place = new Matrix4()
  const turn = new Quaternion()
  const axis = new Vector3()
  const one = new Vector3(1, 1, 1)
  for (const [lane, { x, y, z }] of axes.entries()) {
    turn.setFromUnitVectors(one.set(0, 0, 1), axis.set(x, y, z))
    one.set(1, 1, 1)
    for (let k = 0; k < each; k++) {
      const along = k < steps ? k - steps : k - steps + 1
      place.compose(axis.set(x, y, z).multiplyScalar(SPACING * along), turn, one)
      hoops.setMatrixAt(lane * each + k, place)
      // fade towards the ends
      hoops.setColorAt(
        lane * each + k,
        colorOf(lane)
          .clone()
          .multiplyScalar(1 - 0.85 * (Math.abs(along) / (steps + 1))),
      )
    }
  }
  hoops.frustumCulled = false
  hoops.name = 'lanes'
  return hoops
}
