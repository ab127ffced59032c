import { Color, Group, MeshStandardMaterial, Vector3, type Object3D } from 'three'
import { meshesOf } from '../models.js'
import type { Body } from 'cannon-es'
import type { Ship } from '../scenarios/port-traffic.js'
import { Trails } from '../trails.js'
import { Nozzles, nozzlesOf } from './nozzles.js'
import { Plumes } from './plumes.js'

const tail = new Vector3()

/** The part of a scenario that the view needs. */
interface Boats {
  readonly ships: readonly Ship[]
  readonly station: Pick<Body, 'velocity'>
  readonly time: number
}

/** Ships of several classes: hulls, flames that show the actual forces, and faint trails. */
export class BoatsView {
  readonly object = new Group()
  readonly ships: readonly Object3D[]
  readonly #nozzles: readonly Nozzles[]
  /** Glowing materials of the engines, per ship. */
  readonly #lamps: MeshStandardMaterial[][] = []
  readonly #plumes: Plumes
  readonly #trails: Trails

  /** `ships` are the models, in the order of the scenario's ships. */
  constructor(ships: readonly Object3D[], scenario: Boats, liveryOf: (index: number) => Color) {
    this.ships = ships
    this.#plumes = new Plumes(ships.reduce((sum, ship) => sum + nozzlesOf(ship).length, 0))
    let first = 0
    this.#nozzles = scenario.ships.map((ship) => {
      const model = ships[ship.index]!
      model.scale.setScalar(ship.boat.scale)
      const nozzles = this.#dress(model, ship, first, liveryOf(ship.index))
      first += nozzlesOf(model).length
      return nozzles
    })
    this.#trails = new Trails({
      count: ships.length,
      points: 130,
      interval: 1 / 20,
      width: 0.16,
      opacity: 0.38,
      color: liveryOf,
    })
    this.object.add(...ships, this.#trails.object, this.#plumes.object)
  }

  /** Call once per frame, after the poses of the ships are set. */
  update({ ships, station, time }: Boats, seconds: number): void {
    for (const { boat, body, index, leg, pilot } of ships) {
      const model = this.ships[index]!
      const nozzles = this.#nozzles[index]!
      nozzles.update(pilot.force, pilot.torque, seconds)
      for (const lamp of this.#lamps[index]!) lamp.emissiveIntensity = 0.15 + 2 * nozzles.main
      const { x, y, z } = tail.set(0, 0, -boat.nose).applyQuaternion(model.quaternion).add(model.position)
      const speed = body.velocity.distanceTo(station.velocity)
      this.#trails.put(index, x, y, z, leg === 'docked' ? 0 : Math.min(1, speed / 6))
    }
    this.#trails.advance(seconds)
    this.#plumes.update(time)
  }

  dispose(): void {
    this.#trails.dispose()
  }

  #dress(model: Object3D, { boat }: Ship, first: number, color: Color): Nozzles {
    const lamps: MeshStandardMaterial[] = []
    for (const { material } of meshesOf(model)) {
      if (!(material instanceof MeshStandardMaterial)) continue
      if (material.name === 'accent') material.color.copy(color)
      if (material.name === 'lamp') lamps.push(material)
    }
    this.#lamps.push(lamps)
    for (const [k, { name }] of nozzlesOf(model).entries())
      this.#plumes.paint(first + k, new Color(name.startsWith('nozzle_ahead') ? '#58a8ff' : '#9fd0ff'))
    return new Nozzles(model, this.#plumes, first, boat.engines)
  }
}
