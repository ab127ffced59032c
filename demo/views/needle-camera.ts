import { MathUtils, Vector3, type Object3D } from 'three'
import type { Needle } from '../scenarios/needle.js'
import type { Station } from '../scenarios/needle-course.js'
import type { Stage } from '../stage.js'

/** View that follows the ships through the openings, from beside each opening, or from beside the ships. */
export type NeedleView = 'through' | 'gates' | 'side'

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

/**
 * Distance along the path (m) from the last ship to the camera that follows it, and its height above the
 * path (m), in an opening and in open air. The path runs through the middle of all openings.
 */
const BEHIND = [15, 27] as const
const ABOVE = [0.9, 6] as const
/** Distance from an opening (m) below which the camera is on the path, and above which in open air. */
const IN = 14
const OUT = 75
/** Time constant with which it takes up the distance to the last ship, when another one is last (s). */
const CATCH_UP = 1.2

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
  #view: NeedleView = 'through'
  #seat: Station | null = null
  #through = false
  #fresh = true
  /** Whether the visitor has turned the view. Then it only moves along with the ships. */
  #taken = false
  /** Station of the last ship, smoothed (m). */
  #last = 0
  readonly #middle = new Vector3()
  readonly #wish = new Vector3()
  readonly #seen = new Vector3()
  readonly #moved = new Vector3()
  readonly #frame = axes()

  constructor(stage: Stage, scenario: Needle, models: readonly Object3D[]) {
    this.#stage = stage
    this.#scenario = scenario
    this.#models = models
    stage.controls.addEventListener('start', this.#onVisitor)
    this.update(0)
  }

  get view(): NeedleView {
    return this.#view
  }

  set view(view: NeedleView) {
    this.#view = view
    this.#seat = null
    this.#fresh = true
    this.#taken = false
  }

  /** Call once per frame, after the poses of the ships are set. */
  update(seconds: number): void {
    const { ships } = this.#scenario
    this.#middle.set(0, 0, 0)
    for (const { index } of ships)
      this.#middle.addScaledVector(this.#models[index]!.position, 1 / ships.length)
    if (this.#view === 'gates') this.#showOpening(seconds)
    else if (this.#taken) this.#moveAlong(seconds)
    else if (this.#view === 'through') this.#followThrough(seconds)
    else this.#flyBeside()
    this.#fresh = false
  }

  dispose(): void {
    this.#stage.controls.removeEventListener('start', this.#onVisitor)
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
      camera.position.addScaledVector(path.frameAt(this.#frame, s).z, starboard)
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

  /**
   * View from behind the last ship. Near an opening the camera is on the path, so that it passes through the
   * middle of the opening as the ships do.
   */
  #followThrough(seconds: number): void {
    const { camera, controls } = this.#stage
    const { course, leader, ships } = this.#scenario
    const { path, stations } = course
    const last = Math.min(...ships.map(({ station }) => station))
    const { x, y, z } = leader.velocity
    this.#last += Math.hypot(x, y, z) * seconds
    this.#last += (last - this.#last) * (this.#fresh ? 1 : 1 - Math.exp(-seconds / CATCH_UP))
    // a narrow picture shows all ships from farther away
    const behind = BEHIND[1] / Math.min(1, 1.3 * camera.aspect)
    // distance to the nearest opening from the section between camera and ship
    const room = Math.min(
      ...stations.map(({ from, to }) =>
        gapTo(path.within(this.#last - from), to - from + behind, path.length),
      ),
    )
    const open = MathUtils.smoothstep(room, IN, OUT)
    const s = this.#last - MathUtils.lerp(BEHIND[0], behind, open)
    path.pointAt(camera.position, s)
    camera.position.y += MathUtils.lerp(...ABOVE, open)
    // ahead along the path, and a little towards the ships
    path.pointAt(controls.target, this.#last + 12)
    controls.target.lerp(this.#middle, 0.35)
  }

  #flyBeside(): void {
    const { camera, controls } = this.#stage
    const { course, station } = this.#scenario
    course.path.pointAt(camera.position, station - 6)
    camera.position.addScaledVector(course.path.frameAt(this.#frame, station).z, -60)
    camera.position.y += 14
    controls.target.copy(this.#middle)
  }

  /** Keeps the direction and distance that the visitor has chosen. */
  #moveAlong(seconds: number): void {
    const { camera, controls } = this.#stage
    this.#moved.subVectors(this.#middle, this.#seen)
    camera.position.add(this.#moved)
    controls.target.add(this.#moved)
    // the ships come to the middle of the picture
    this.#moved.subVectors(this.#middle, controls.target).multiplyScalar(1 - Math.exp(-seconds / 0.8))
    camera.position.add(this.#moved)
    controls.target.add(this.#moved)
    this.#seen.copy(this.#middle)
  }

  #onVisitor = (): void => {
    this.#taken = true
    this.#seen.copy(this.#middle)
  }
}
