import {
  BoxGeometry,
  Color,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  TorusGeometry,
  Vector3,
  type Object3D,
} from 'three'
import type { Vec3Like } from 'three-steering'
import { rockGeometry } from './boulders.js'
import { ADDS_LIGHT } from './soft-points.js'

const up = new Vector3(0, 1, 0)
/** Time constant with which a platform becomes brighter or darker (s). */
const FADE = 0.27

/** Loading platforms on a rock. Each has a ring of light in the colour of its ship. */
export class Pads {
  readonly object = new Group()
  readonly #rings: readonly MeshBasicMaterial[]
  #last = -Infinity
  #share = 1

  /**
   * `directions`: unit vectors from the centre of the rock. `reachOf` gives the distance (m) of its surface
   * in a direction.
   */
  constructor(
    directions: readonly Vec3Like[],
    surfaceAt: (direction: Vec3Like) => number,
    colorOf: (pad: number) => Color,
  ) {
    const steel = new MeshStandardMaterial({ color: '#767d89', metalness: 0.5, roughness: 0.5, flatShading: true }) // prettier-ignore
    const dark = new MeshStandardMaterial({ color: '#32363f', metalness: 0.5, roughness: 0.6, flatShading: true }) // prettier-ignore
    const parts = {
      foot: new CylinderGeometry(0.7, 1.3, 5.4, 8).translate(0, -2.6, 0),
      deck: new CylinderGeometry(1.9, 1.6, 0.5, 12),
      store: new BoxGeometry(1.4, 1.3, 1.4).translate(-1.6, -0.9, 0),
      ring: new TorusGeometry(1.72, 0.12, 6, 36).rotateX(Math.PI / 2).translate(0, 0.28, 0),
      glow: new CylinderGeometry(2.1, 1.4, 2.6, 24, 1, true).translate(0, 1.5, 0),
    }
    this.#rings = directions.map(({ x, y, z }, k) => {
      const color = colorOf(k)
      const light = new MeshBasicMaterial({ color: color.clone().multiplyScalar(1.6) })
      const haze = new MeshBasicMaterial({
        color,
        ...ADDS_LIGHT,
        opacity: 0.07,
      })
      const pad = new Group()
      pad.add(new Mesh(parts.foot, dark), new Mesh(parts.deck, steel), new Mesh(parts.store, steel))
      pad.add(new Mesh(parts.ring, light), new Mesh(parts.glow, haze))
      const out = new Vector3(x, y, z)
      pad.quaternion.copy(new Quaternion().setFromUnitVectors(up, out))
      pad.position.copy(out).multiplyScalar(surfaceAt(out) + 0.8)
      this.object.add(pad)
      return haze
    })
    this.object.name = 'pads'
  }

  /** Makes a platform brighter while a ship loads. */
  light(pad: number, on: boolean): void {
    const haze = this.#rings[pad]!
    haze.opacity += ((on ? 0.32 : 0.06) - haze.opacity) * this.#share
  }

  /** Writes the world position from which containers of a platform are loaded. */
  storeOf(out: Vector3, pad: number): Vector3 {
    return this.object.children[pad]!.getWorldPosition(out)
  }

  /** Moves along with the rock. Call once per frame, before the lights. */
  follow({ position, quaternion }: Object3D, time: number): void {
    this.#share = 1 - Math.exp(-Math.max(0, time - this.#last) / FADE)
    this.#last = time
    this.object.position.copy(position)
    this.object.quaternion.copy(quaternion)
  }
}

/**
 * Distance of a boulder's surface from its centre in a direction, for the first kind of boulder: that of the
 * nearest mesh vertex in angle.
 */
export function surfaceOf(size: number): (direction: Vec3Like) => number {
  const corner = new Vector3()
  const rock = rockGeometry(0, 11)
  const corners = rock.getAttribute('position')
  rock.dispose()
  return ({ x, y, z }) => {
    let best = 0
    let reach = 1
    for (let i = 0; i < corners.count; i++) {
      const length = corner.fromBufferAttribute(corners, i).length()
      const facing = (corner.x * x + corner.y * y + corner.z * z) / length
      if (facing <= best) continue
      best = facing
      reach = length
    }
    return reach * size
  }
}
