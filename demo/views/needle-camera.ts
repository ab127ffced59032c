import { MathUtils, Vector3, type Object3D } from 'three'
import type { Needle } from '../scenarios/needle.js'
import type { Stage } from '../stage.js'
import { Director } from './director.js'

/** View that follows the ships through the openings, or from beside them. */
export type NeedleView = 'through' | 'side'

/**
 * Distance along the path (m) from the last ship to the camera that follows it, and its height above the
 * path (m), in an opening and in open air. The path runs through the middle of all openings.
 */
const BEHIND = [15, 27] as const
const ABOVE = [2, 6] as const
/** Distance from an opening (m) below which the camera is on the path, and above which in open air. */
const IN = 14
const OUT = 50
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

/** Follows the ships along their course. */
export class NeedleCamera extends Director {
  readonly #scenario: Needle
  readonly #models: readonly Object3D[]
  #view: NeedleView = 'through'
  #fresh = true
  /** Station of the last ship, smoothed (m). */
  #last = 0
  readonly #middle = new Vector3()
  readonly #from = new Vector3()
  readonly #to = new Vector3()
  readonly #frame = axes()

  constructor(stage: Stage, scenario: Needle, models: readonly Object3D[]) {
    const { obstacles } = scenario.course
    super(stage.camera, stage.controls, (from, to) => !obstacles.sees(from, to))
    this.#scenario = scenario
    this.#models = models
    this.update(0)
  }

  get view(): NeedleView {
    return this.#view
  }

  set view(view: NeedleView) {
    this.#view = view
    this.#fresh = true
    this.cut()
  }

  /** Call once per frame, after the poses of the ships are set. */
  update(seconds: number): void {
    const { course, ships, station } = this.#scenario
    if (this.#view === 'side') {
      const stars = ships.map(({ index, pilot: { radius, velocity } }) => ({ position: this.#models[index]!.position, velocity, radius })) // prettier-ignore
      const { z } = course.path.frameAt(this.#frame, station)
      this.frame({ key: 'side', stars, side: this.#to.copy(z).negate().setY(0.25) }, seconds)
      return
    }
    this.#middle.set(0, 0, 0)
    for (const { index } of ships)
      this.#middle.addScaledVector(this.#models[index]!.position, 1 / ships.length)
    if (!this.waits(this.#middle, seconds)) this.#followThrough(seconds)
    this.#fresh = false
  }

  /**
   * View from behind the last ship. Near an opening the camera is on the path, so that it passes through the
   * middle of the opening as the ships do.
   */
  #followThrough(seconds: number): void {
    const { course, leader, ships } = this.#scenario
    const { path, stations } = course
    const last = Math.min(...ships.map(({ station }) => station))
    const { x, y, z } = leader.velocity
    this.#last += Math.hypot(x, y, z) * seconds
    this.#last += (last - this.#last) * (this.#fresh ? 1 : 1 - Math.exp(-seconds / CATCH_UP))
    // a narrow picture shows all ships from farther away
    const behind = BEHIND[1] / Math.min(1, 1.3 * this.camera.aspect)
    // distance to the nearest opening from the section between camera and ship
    const room = Math.min(
      ...stations.map(({ from, to }) =>
        gapTo(path.within(this.#last - from), to - from + behind, path.length),
      ),
    )
    const open = MathUtils.smoothstep(room, IN, OUT)
    const s = this.#last - MathUtils.lerp(BEHIND[0], behind, open)
    path.pointAt(this.#from, s)
    this.#from.y += MathUtils.lerp(...ABOVE, open)
    // ahead along the path, and a little towards the ships
    path.pointAt(this.#to, this.#last + 12)
    this.#to.lerp(this.#middle, 0.35)
    const shot = { middle: this.#middle, from: this.#from, to: this.#to, fov: this.camera.fov }
    this.shoot(shot, 'stiff', this.#fresh, seconds)
  }
}
