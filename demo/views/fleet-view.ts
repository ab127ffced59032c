import { Color, Group, MeshStandardMaterial, Vector3, type Object3D } from 'three'
import { meshesOf } from '../models.js'
import type { SteeringController } from 'three-steering'
import { ENGINES, type Fleet, TOP_SPEED } from '../scenarios/fleet.js'
import { Trails } from '../trails.js'
import { Nozzles, nozzlesOf } from './nozzles.js'
import { Plumes } from './plumes.js'
import { Sparks } from './sparks.js'
import { magnitude } from '../scenarios/metrics.js'

const exhaust = new Vector3()

/** The part of a fleet that the view needs. Any ships with these engines fit. */
interface FleetState extends Pick<Fleet, 'impacts' | 'steering'> {
  readonly ships: readonly { readonly pilot: SteeringController }[]
}

/** View of one fleet: hulls, flames, trails, and sparks at impacts. */
export class FleetView {
  readonly object = new Group()
  readonly ships: readonly Object3D[]
  readonly sparks = new Sparks()
  readonly #nozzles: readonly Nozzles[]
  /** Glowing material of the engines, one per ship. */
  readonly #lamps: MeshStandardMaterial[] = []
  readonly #plumes: Plumes
  readonly #trails: Trails

  /** `trail`: duration of the trails (s). */
  constructor(ships: readonly Object3D[], liveryOf: (index: number) => Color, trail = 2.75) {
    this.ships = ships
    const flames = nozzlesOf(ships[0]!).length
    this.#plumes = new Plumes(flames * ships.length)
    this.#trails = new Trails({
      count: ships.length,
      points: Math.round(40 * trail),
      interval: 1 / 40,
      width: 0.42,
      opacity: 0.75,
      color: liveryOf,
    })
    this.#nozzles = ships.map((ship, index) => this.#dress(ship, liveryOf(index), index * flames, flames))
    this.object.add(...ships, this.#trails.object, this.#plumes.object, this.sparks.object)
  }

  /** Clears the trails. */
  restart(): void {
    this.ships.forEach(({ position: { x, y, z } }, index) => this.#trails.restart(index, x, y, z))
  }

  /** Call once per frame, after the poses of the ships are set. */
  update({ ships, impacts, steering }: FleetState, time: number, seconds: number): void {
    ships.forEach(({ pilot }, index) => {
      const nozzles = this.#nozzles[index]!
      nozzles.update(pilot.force, pilot.torque, seconds)
      this.#lamps[index]!.emissiveIntensity = 0.15 + 2 * nozzles.main
      this.#trace(index, steering.time > 0 ? Math.min(1, magnitude(pilot.velocity) / (0.6 * TOP_SPEED)) : 0)
    })
    this.#trails.advance(seconds)
    this.#plumes.update(time)
    this.sparks.time = time
    for (const { position, speed } of impacts.splice(0))
      this.sparks.burst(
        position,
        { x: 0, y: 0, z: 0 },
        4 + 0.7 * speed,
        Math.min(80, Math.round(16 + 5 * speed)),
      )
  }

  dispose(): void {
    this.#trails.dispose()
  }

  #dress(ship: Object3D, color: Color, first: number, flames: number): Nozzles {
    for (const { material } of meshesOf(ship)) {
      if (material instanceof MeshStandardMaterial && material.name === 'accent') material.color.copy(color)
      if (material instanceof MeshStandardMaterial && material.name === 'lamp') this.#lamps.push(material)
    }
    const nozzles = new Nozzles(ship, this.#plumes, first, ENGINES)
    for (let k = 0; k < flames; k++) this.#plumes.paint(first + k, new Color('#86bcff'))
    return nozzles
  }

  #trace(index: number, strength: number): void {
    const ship = this.ships[index]!
    const { x, y, z } = exhaust.set(0, 0.12, -2.4).applyQuaternion(ship.quaternion).add(ship.position)
    this.#trails.put(index, x, y, z, strength)
  }
}
