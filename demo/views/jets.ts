import { Color, Group, Matrix4, Vector3, type Object3D } from 'three'
import type { Dogfight } from '../scenarios/dogfight.js'
import { TOP_SPEED, type Fighter } from '../scenarios/fighter.js'
import { Trails } from '../trails.js'
import { Airframe, liftOf, thrustOf } from './airframe.js'
import { nozzlesOf } from './nozzles.js'
import { Plumes } from './plumes.js'

/** Scale factor of the models. */
export const SCALE = 1.4
const TANKER_SCALE = 2.6

/** Number of wing tips of an aircraft. */
const TIPS = 2

/** Roll rate of a falling fighter (rad/s). */
const SPIN = 4.5

const FLAME = new Matrix4().makeScale(0.4, 0.4, 5)
const world = new Matrix4()
const place = new Vector3()

/** Hulls, exhaust and contrails of both teams, and of their tankers. */
export class Jets {
  readonly object = new Group()
  readonly seats: readonly Object3D[]
  readonly #jets: readonly Airframe[]
  /** The nozzles of each aircraft. */
  readonly #nozzles: readonly (readonly Object3D[])[]
  readonly #plumes: Plumes
  readonly #trails: Trails

  /** The last two of `models` are the tankers. `colors` are those of the teams. */
  constructor(models: readonly Object3D[], colors: readonly Color[]) {
    this.#jets = models.map((model, index) => dress(model, index, models.length, colors))
    this.#nozzles = models.map(nozzlesOf)
    this.seats = this.#jets.map(({ seat }) => seat)
    this.#plumes = new Plumes(2 * models.length)
    models.forEach((_, index) => {
      for (const k of [0, 1]) this.#plumes.paint(2 * index + k, new Color('#ff9a52'))
    })
    this.#trails = new Trails({
      count: TIPS * models.length,
      points: 150,
      interval: 1 / 36,
      width: 0.75,
      opacity: 0.7,
      additive: false,
      color: (row) => new Color('#f4e9e4').lerp(colors[(row >> 1) % 2]!, 0.5),
    })
    this.object.add(...this.seats, this.#trails.object, this.#plumes.object)
  }

  /** Call once per frame, after the poses of the seats are set. */
  update({ fighters, tankers, time }: Dogfight, seconds: number): void {
    this.#jets.forEach((jet, index) => {
      const fighter = fighters[index]
      if (fighter) this.#show(jet, fighter, seconds)
      else {
        const { position, quaternion } = tankers[(index - fighters.length) as 0 | 1]
        jet.seat.position.copy(position)
        jet.seat.quaternion.copy(quaternion)
        jet.power = 0.35
      }
      jet.light()
      const shown = jet.seat.visible
      this.#nozzles[index]!.forEach((nozzle, k) => {
        world.multiplyMatrices(nozzle.matrixWorld, FLAME)
        this.#plumes.put(2 * index + k, world, shown ? jet.power : 0)
      })
      const load = fighter ? Math.min(1, 0.12 + liftOf(fighter.pilot) / 38_000) : 0.35
      jet.tips.forEach((tip, k) => {
        const { x, y, z } = place.setFromMatrixPosition(tip.matrixWorld)
        if (shown) this.#trails.put(TIPS * index + k, x, y, z, fighter?.mood === 'down' ? 0 : load)
        else this.#trails.restart(TIPS * index + k, x, y, z)
      })
    })
    this.#trails.advance(seconds)
    this.#plumes.update(time)
  }

  dispose(): void {
    this.#trails.dispose()
  }

  #show(jet: Airframe, { mood, pilot }: Fighter, seconds: number): void {
    const { x, y, z } = pilot.velocity
    const speed = Math.hypot(x, y, z)
    jet.seat.visible = mood !== 'away'
    const burn = Math.min(1, Math.max(0.12, speed / TOP_SPEED - 0.35 + thrustOf(pilot) / 30_000))
    jet.burn(mood === 'down' ? 0 : burn, 0.12, seconds)
    jet.fall(mood === 'down', SPIN, seconds)
  }
}

function dress(model: Object3D, index: number, total: number, colors: readonly Color[]): Airframe {
  const tanker = index >= total - 2
  const color = colors[tanker ? index - (total - 2) : index % 2]!
  return new Airframe(model, tanker ? TANKER_SCALE : SCALE, (material) => {
    if (material.name === 'accent') material.color.copy(color)
    if (material.name === 'hull') material.color.set('#ffffff').lerp(color, 0.4)
  })
}
