import { Matrix4, Quaternion, Vector3, type Object3D } from 'three'
import type { Vec3Like } from 'three-steering'
import type { Plumes } from './plumes.js'

/** Greatest force in each direction (N), and greatest torque (N·m). */
export interface ThrustLimits {
  readonly ahead: number
  readonly astern: number
  readonly up: number
  readonly down: number
  readonly port: number
  readonly starboard: number
  readonly torque: number
}

interface Nozzle {
  readonly index: number
  /** Pose in the model, with width and length of the flame as scale. */
  readonly place: Matrix4
  /** Direction of the force on the ship (unit) and lever of the force, in model axes. */
  readonly direction: Vector3
  readonly lever: Vector3
  readonly limit: number
  power: number
}

/** Width and length of a flame at full power (m). */
const MAIN = new Vector3(0.25, 0.25, 4.2)
const RETRO = new Vector3(0.1, 0.1, 2)
const SMALL = new Vector3(0.075, 0.075, 1.5)

/** Time constant with which a flame follows its thrust (s). */
const LAG = 0.05

const force = new Vector3()
const torque = new Vector3()
const back = new Quaternion()
const world = new Matrix4()

/**
 * Flames of one ship. Nodes of the model named `nozzle_<direction>_<n>` give the direction of the exhaust
 * (+Z) and of the force. The brightness comes from the force and torque that the steering actually applied.
 */
export class Nozzles {
  readonly #model: Object3D
  readonly #plumes: Plumes
  readonly #nozzles: Nozzle[] = []
  readonly #limits: ThrustLimits
  readonly #main: keyof ThrustLimits

  /**
   * `first` is the index of this ship's first flame in `plumes`. `main` is the direction in which its main
   * engine accelerates it.
   */
  constructor(
    model: Object3D,
    plumes: Plumes,
    first: number,
    limits: ThrustLimits,
    main: keyof ThrustLimits = 'ahead',
  ) {
    this.#main = main
    this.#model = model
    this.#plumes = plumes
    this.#limits = limits
    for (const node of nozzlesOf(model)) this.#nozzles.push(this.#read(node, first + this.#nozzles.length))
  }

  /** Power of the main engine, in [0, 1]. */
  get main(): number {
    return this.#nozzles.find(({ lever }) => lever.lengthSq() === 0)?.power ?? 0
  }

  /** `pushed` and `turned`: force (N) and torque (N·m) of the last step, in world axes. `light`: a factor. */
  update(pushed: Vec3Like, turned: Vec3Like, seconds: number, light = 1): void {
    back.copy(this.#model.quaternion).invert()
    force.copy(pushed).applyQuaternion(back)
    torque.copy(turned).applyQuaternion(back)
    const share = 1 - Math.exp(-seconds / LAG)
    this.#model.updateMatrixWorld()
    for (const nozzle of this.#nozzles) {
      const thrust = Math.max(0, force.dot(nozzle.direction)) / nozzle.limit
      // small jets also turn the ship: those whose lever has the direction of the torque fire
      const twist = Math.max(0, torque.dot(nozzle.lever)) / this.#limits.torque
      nozzle.power += (Math.min(1, thrust + twist) - nozzle.power) * share
      world.multiplyMatrices(this.#model.matrixWorld, nozzle.place)
      this.#plumes.put(nozzle.index, world, light * nozzle.power)
    }
  }

  #read(node: Object3D, index: number): Nozzle {
    const name = node.name.split('_')[1] as keyof ThrustLimits
    const size = name === this.#main ? MAIN : name === 'astern' ? RETRO : SMALL
    const direction = new Vector3(0, 0, -1).applyQuaternion(node.quaternion)
    const lever = node.position.clone().cross(direction)
    // main engines do not turn the ship
    lever.multiplyScalar(name === this.#main ? 0 : 1 / Math.max(0.5, lever.length()))
    const place = new Matrix4().compose(node.position, node.quaternion, size)
    return { index, place, direction, lever, limit: this.#limits[name], power: 0 }
  }
}

export function nozzlesOf(model: Object3D): Object3D[] {
  const found: Object3D[] = []
  model.traverse((node) => {
    if (node.name.startsWith('nozzle_')) found.push(node)
  })
  return found
}
