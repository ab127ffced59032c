import {
  BoxGeometry,
  Color,
  Float32BufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type Object3D,
} from 'three'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'
import { CONTAINER } from '../scenarios/boats.js'
import { progress, type Container } from '../scenarios/freight.js'
import { PORT_REACH, PORTS } from '../scenarios/spaceport.js'
import type { Pads } from './pads.js'

const PAINTS = ['#c65a32', '#2f7fa0', '#b39a3c', '#8a4f9a', '#5d8f4e', '#aab0ba']

/**
 * Path of a container at a port: above the collar, along the rails, in at the hatch. Distance from the
 * station's axis, and height (m).
 */
const RAILS = [
  [PORT_REACH + 0.4, 3.6],
  [PORT_REACH - 2, 1.5],
  [12.6, 1.5],
  [11.6, 1.5],
] as const

const place = new Vector3()
const size = new Vector3()
const matrix = new Matrix4()
const turn = new Quaternion()
const inverse = new Quaternion()
const axis = new Vector3(0, 1, 0)

/** All containers in one draw call: on their ships, on their way to the station, and coming from the mine. */
export class Containers {
  readonly object: InstancedMesh
  readonly #containers: readonly Container[]
  readonly #mounts: (container: Container) => readonly [number, number, number]
  readonly #points: Vector3[] = Array.from({ length: RAILS.length + 1 }, () => new Vector3())

  /** `mounts` gives the position of a container on its ship, in the axes of the unscaled ship (m). */
  constructor(
    containers: readonly Container[],
    mounts: (container: Container) => readonly [number, number, number],
  ) {
    this.#containers = containers
    this.#mounts = mounts
    const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.55, metalness: 0.35, flatShading: true }) // prettier-ignore
    this.object = new InstancedMesh(boxGeometry(), material, containers.length)
    containers.forEach((_, k) =>
      this.object.setColorAt(k, new Color(PAINTS[(k * 7 + (k >> 2)) % PAINTS.length])),
    )
    this.object.frustumCulled = false
    this.object.name = 'containers'
  }

  /** Call once per frame, after the poses of ships and station are set. */
  update(ships: readonly Object3D[], station: Object3D, pads: Pads, time: number): void {
    for (const [k, container] of this.#containers.entries()) {
      const ship = ships[container.ship]!
      const [x, y, z] = this.#mounts(container)
      place.set(x, y, z).applyQuaternion(ship.quaternion).add(ship.position)
      turn.copy(ship.quaternion)
      let share = 1
      if (container.state === 'ashore') share = 0
      else if (container.state === 'unloading') share = this.#ashore(container, station, time)
      else if (container.state === 'loading') share = this.#aboard(container, ship, pads, time)
      this.object.setMatrixAt(k, matrix.compose(place, turn, size.setScalar(Math.max(share, 1e-4))))
    }
    this.object.instanceMatrix.needsUpdate = true
  }

  /** Moves `place` along the path into the station. @returns its scale. */
  #ashore(container: Container, station: Object3D, time: number): number {
    const angle = (container.port / PORTS) * 2 * Math.PI
    const points = this.#points
    points[0]!.copy(place).sub(station.position).applyQuaternion(turn.copy(station.quaternion).invert())
    for (const [k, [out, up]] of RAILS.entries())
      points[k + 1]!.set(Math.sin(angle) * out, up, Math.cos(angle) * out)
    const done = progress(container, time)
    along(place, points, done).applyQuaternion(station.quaternion).add(station.position)
    turn.setFromAxisAngle(axis, angle + Math.PI).premultiply(station.quaternion)
    return done < 0.94 ? 1 : (1 - done) / 0.06
  }

  /** Moves `place` along the path from the pad to the ship. @returns its scale. */
  #aboard(container: Container, ship: Object3D, pads: Pads, time: number): number {
    const [x, y, z] = this.#mounts(container)
    const points = this.#points.slice(0, 3)
    pads.storeOf(points[0]!, container.ship)
    points[0]!.sub(ship.position).applyQuaternion(inverse.copy(ship.quaternion).invert())
    points[1]!.set(x, y + 2.2, z)
    points[2]!.set(x, y, z)
    const done = progress(container, time)
    along(place, points, done).applyQuaternion(ship.quaternion).add(ship.position)
    return Math.min(1, done * 6)
  }
}

/** A point on a polyline at a share of its length, with smooth start and end. */
function along(out: Vector3, points: readonly Vector3[], share: number): Vector3 {
  let whole = 0
  for (let k = 1; k < points.length; k++) whole += points[k]!.distanceTo(points[k - 1]!)
  let left = whole * share * share * (3 - 2 * share)
  for (let k = 1; k < points.length; k++) {
    const length = points[k]!.distanceTo(points[k - 1]!)
    if (left <= length || k === points.length - 1)
      return out.lerpVectors(points[k - 1]!, points[k]!, length > 0 ? Math.min(1, left / length) : 1)
    left -= length
  }
  return out
}

/** A box with ribs and dark ends. Vertex colours are factors of the container's own colour. */
function boxGeometry(): BufferGeometry {
  const { high, long, wide } = CONTAINER
  const parts: BufferGeometry[] = []
  const add = (w: number, h: number, d: number, z: number, light: number): void => {
    const box = new BoxGeometry(w, h, d).translate(0, 0, z)
    const count = box.getAttribute('position').count
    box.setAttribute(
      'color',
      new Float32BufferAttribute(
        Array.from({ length: 3 * count }, () => light),
        3,
      ),
    )
    parts.push(box)
  }
  add(wide - 0.1, high - 0.1, long - 0.06, 0, 0.75)
  for (let k = 0; k < 5; k++)
    add(wide, high, 0.16, (k / 4 - 0.5) * (long - 0.16), k === 0 || k === 4 ? 0.45 : 1)
  return mergeGeometries(parts)
}
