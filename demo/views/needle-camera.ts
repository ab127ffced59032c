import { MathUtils, Vector3, type Object3D } from 'three'
import type { Needle } from '../scenarios/needle.js'
import type { Station } from '../scenarios/needle-course.js'
import type { Stage } from '../stage.js'

/** View from beside each opening, from behind the ships, or from beside them. */
export type NeedleView = 'gates' | 'behind' | 'side'

type Seat = readonly [along: number, starboard: number, up: number]

/**
 * Camera positions before and behind each opening, relative to it: along the path, to starboard and up (m).
 */
const SEATS: Readonly<Record<string, readonly [Seat, Seat]>> = {
  eye: [
    [-104, 32, -4],
    [112, -34, 10],
  ],
  jaws: [
    [-84, -34, 10],
    [104, 34, 4],
  ],
  pipe: [
    [-44, -58, 30],
    [70, 36, 12],
  ],
  wheel: [
    [-84, 34, 4],
    [112, -32, -2],
  ],
  stones: [
    [-70, -34, 12],
    [104, 30, -2],
  ],
  window: [
    [-84, 30, -2],
    [110, 34, 8],
  ],
}

/**
 * Distance beyond an opening up to which the view stays behind it, and distance before the next opening at
 * which it changes (m).
 */
const STAYS = 190
const NEARS = 190

const axes = (): { x: Vector3; y: Vector3; z: Vector3 } => ({
  x: new Vector3(),
  y: new Vector3(),
  z: new Vector3(),
})

/**
 * Distance along a closed path from a point to a section of length `section`. The section begins `offset`
 * metres before the point.
 */
function gapTo(offset: number, section: number, length: number): number {
  return offset < section ? 0 : Math.min(offset - section, length - offset)
}

/** Follows the ships along their course. The visitor can turn the view. */
export class NeedleCamera {
  readonly #stage: Stage
  readonly #scenario: Needle
  readonly #models: readonly Object3D[]
  #view: NeedleView = 'gates'
  #seat: Station | null = null
  #through = false
  #fresh = true
  readonly #middle = new Vector3()
  readonly #wish = new Vector3()
  readonly #last = new Vector3()

  constructor(stage: Stage, scenario: Needle, models: readonly Object3D[]) {
    this.#stage = stage
    this.#scenario = scenario
    this.#models = models
    this.update(0)
  }

  get view(): NeedleView {
    return this.#view
  }

  set view(view: NeedleView) {
    this.#view = view
    this.#seat = null
    this.#fresh = true
  }

  /** Call once per frame, after the poses of the ships are set. */
  update(seconds: number): void {
    const { ships } = this.#scenario
    this.#middle.set(0, 0, 0)
    for (const { index } of ships)
      this.#middle.addScaledVector(this.#models[index]!.position, 1 / ships.length)
    if (this.#view === 'gates') this.#showOpening(seconds)
    else this.#followShips(seconds)
  }

  /** View from a point before the next opening, then from a point behind it. */
  #showOpening(seconds: number): void {
    const { camera, controls } = this.#stage
    const { course } = this.#scenario
    const { path } = course
    const { station, through } = this.#shot()
    if (this.#seat !== station || this.#through !== through) {
      this.#seat = station
      this.#through = through
      const [along, starboard, up] = SEATS[station.name]![through ? 1 : 0]
      const s = (through ? station.to : station.from) + along
      path.pointAt(camera.position, s)
      camera.position.addScaledVector(new Vector3().copy(path.frameAt(axes(), s).z), starboard)
      camera.position.y += up
      this.#fresh = true
    }
    // look between the ships and the opening
    path.pointAt(this.#wish, through ? station.to : station.from)
    this.#wish.lerp(
      this.#middle,
      MathUtils.clamp(0.35 + this.#wish.distanceTo(this.#middle) / 160, 0.5, 0.92),
    )
    controls.target.lerp(this.#wish, this.#fresh ? 1 : 1 - Math.exp(-seconds / 0.6))
    this.#fresh = false
  }

  /**
   * The opening to show: the next one, seen from before it; or the one just passed, seen from behind, until
   * the next one is near.
   */
  #shot(): { readonly station: Station; readonly through: boolean } {
    const { course, ships } = this.#scenario
    const { path, stations } = course
    const mean = ships.reduce((sum, { station }) => sum + station, 0) / ships.length
    const to = stations.map((station) => path.within(station.to - mean))
    const next = to.indexOf(Math.min(...to))
    const before = (next + stations.length - 1) % stations.length
    if (this.#seat !== null && path.within(mean - stations[before]!.to) < STAYS && to[next]! > NEARS)
      return { station: stations[before]!, through: true }
    return { station: stations[next]!, through: false }
  }

  /** View from behind the ships through the openings, or from beside them. */
  #followShips(seconds: number): void {
    const { camera, controls } = this.#stage
    const { course, station } = this.#scenario
    const behind = this.#view === 'behind'
    const { path } = course
    const frame = path.frameAt(axes(), station)
    path.pointAt(this.#wish, station + (behind ? -70 : -6))
    const near = Math.min(
      ...course.stations.map(({ from, to }) =>
        gapTo(path.within(station - 70 - from), to - from, path.length),
      ),
    )
    if (behind) this.#wish.y += 9 * MathUtils.smoothstep(near, 6, 45) + 1
    else this.#wish.addScaledVector(new Vector3().copy(frame.z), -60).setY(this.#wish.y + 14)
    if (this.#fresh) camera.position.copy(this.#wish)
    else camera.position.add(this.#wish.clone().sub(this.#last))
    camera.position.lerp(this.#wish, behind ? 1 - Math.exp(-seconds / 1.2) : 0)
    this.#last.copy(this.#wish)
    controls.target.copy(this.#middle)
    this.#fresh = false
  }
}
