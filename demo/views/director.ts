import { MathUtils, Vector3, type PerspectiveCamera, type Vector3Like } from 'three'
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js'

/** Time for which the visitor keeps the camera after a drag (s). */
const PATIENCE = 14
/** Time constants with which the camera turns, and with which it moves (s). */
const GAZE = 0.25
const GLIDE = 0.9
/** Height of a subject that it aims at, in a picture of 720 px (px). */
const PIXELS = 95
/** Shares of the picture that several subjects fill, and that one alone does: models are wider than it. */
const FILL = 0.62
const FILL_ALONE = 0.24
/** Intervals between two searches for a better side, usually and while the subject is hidden (s). */
const LOOK = 0.2
const SOONER = 0.05
/** How far ahead a search looks (s). */
const AHEAD = 1
/** Rate of a turn around the subjects, and while the first of them is about to be hidden (rad/s). */
const RATE = 0.35
const HURRY = 1.4
/** Costs of a side from which the first subject is hidden, or will be, or another one is. */
const HIDDEN = 8
const SOON = 3
const OTHER = 1
/** The camera keeps this distance from anything solid (m). */
const ROOM = 2

/** Something to be seen. */
export interface Star {
  readonly position: Vector3Like
  readonly velocity: Vector3Like
  /** Radius (m). */
  readonly radius: number
}

/** What happens now. */
export interface Cue {
  /** Changes with what is shown, which then may be seen from another side at once. */
  readonly key: unknown
  /** The most important first. The others are in the picture as far as the first stays large enough. */
  readonly stars: readonly Star[]
  /** Wanted direction from the stars to the camera (unit vector). Default: any. */
  readonly side?: Vector3Like
  /** Wanted distance from the first star (m). Default: as near as all stars allow. */
  readonly distance?: number
}

/** `still`: the eye stands. `along`: eye and look move along with the subjects. `stiff`: without delay. */
export type Hold = 'still' | 'along' | 'stiff'

const middle = new Vector3()
const eye = new Vector3()
const to = new Vector3()
const moved = new Vector3()
const aside = new Vector3()
const best = new Vector3()
const star = new Vector3()

/** Directions from which the subjects may be seen. */
const SIDES = Array.from({ length: 36 }, (_, k) => {
  const height = [0.22, 0.55, -0.2][k % 3]!
  const around = (2 * Math.PI * Math.floor(k / 3)) / 12
  return new Vector3(Math.sin(around), height, Math.cos(around)).normalize()
})

/** Films what happens. A drag by the visitor interrupts it. */
export class Director {
  readonly camera: PerspectiveCamera
  readonly #controls: OrbitControls
  readonly #isBlocked: (from: Vector3Like, to: Vector3Like) => boolean
  readonly #look = new Vector3()
  readonly #last = new Vector3()
  readonly #side = new Vector3()
  readonly #goal = new Vector3()
  #key: unknown = null
  /** From the first star to the middle of the picture, and distance of the camera from there (m). */
  readonly #offset = new Vector3()
  #distance = 0
  #visitorTimeLeft = 0
  /** Whether the first star is about to be hidden. */
  #hurry = false
  #sought = Infinity
  readonly #onDrag = (): void => {
    this.#visitorTimeLeft = PATIENCE
  }

  /** `isBlocked` tells whether something solid is between two points, or around the first. */
  constructor(
    camera: PerspectiveCamera,
    controls: OrbitControls,
    isBlocked: (from: Vector3Like, to: Vector3Like) => boolean = () => false,
  ) {
    this.camera = camera
    this.#controls = controls
    this.#isBlocked = isBlocked
    controls.addEventListener('start', this.#onDrag)
  }

  dispose(): void {
    this.#controls.removeEventListener('start', this.#onDrag)
  }

  /** Takes the camera back from the visitor. The next picture is a new one. */
  cut(): void {
    this.#visitorTimeLeft = 0
    this.#key = null
  }

  /** Frames the stars of a cue. Call once per frame, after they have moved. */
  frame({ distance, key, side, stars }: Cue, seconds: number): void {
    const far = distance ?? this.#fit(stars)
    const first = star.copy(stars[0]!.position)
    let cut = this.#key === null || (key !== this.#key && first.distanceTo(this.#last) > far)
    // another subject nearby is approached from where the camera looks
    if (key !== this.#key && !cut) this.#offset.subVectors(this.#last, first)
    const share = cut ? 1 : 1 - Math.exp(-seconds / GLIDE)
    if (distance === undefined) middle.sub(first)
    else middle.setScalar(0)
    middle.copy(this.#offset.lerp(middle, share)).add(first)
    this.#key = key
    if (this.waits(middle, seconds)) {
      // afterwards it goes on from the visitor's side
      this.#side.subVectors(this.camera.position, middle)
      this.#distance = this.#side.length()
      this.#side.normalize()
      return
    }
    this.#distance += (far - this.#distance) * share
    this.#sought += seconds
    if (
      cut ||
      this.#sought > LOOK ||
      (this.#sought > SOONER && this.#isBlocked(this.camera.position, first))
    ) {
      this.#sought = 0
      if (this.#seek(stars, side, cut)) cut = true
    }
    this.#swing(cut, seconds)
    eye.copy(this.#side).multiplyScalar(this.#distance).add(middle)
    this.shoot({ middle, from: eye, to: middle, fov: this.camera.fov }, 'stiff', cut, seconds)
  }

  /** Whether the visitor has the camera, which then moves along with the subjects. */
  waits(at: Vector3, seconds: number): boolean {
    this.#visitorTimeLeft = Math.max(0, this.#visitorTimeLeft - seconds)
    if (this.#visitorTimeLeft === 0) return false
    moved.subVectors(at, this.#last)
    this.#look.add(moved)
    this.camera.position.add(moved)
    this.#last.copy(at)
    this.#controls.target.copy(this.#look)
    return true
  }

  /** Moves the camera to a place and towards a point. A cut jumps. */
  shoot(
    shot: { readonly middle: Vector3; readonly from: Vector3; readonly to: Vector3; readonly fov: number },
    hold: Hold,
    cut: boolean,
    seconds: number,
  ): void {
    const { camera } = this
    const { position } = camera
    const slow = cut ? 1 : 1 - Math.exp(-seconds / GLIDE)
    moved.subVectors(shot.middle, this.#last)
    this.#last.copy(shot.middle)
    if (hold !== 'along' || cut) position.copy(shot.from)
    else position.add(moved).lerp(shot.from, slow)
    if (hold === 'along') this.#look.add(moved)
    this.#look.lerp(shot.to, cut || hold === 'stiff' ? 1 : 1 - Math.exp(-seconds / GAZE))
    camera.fov += (shot.fov - camera.fov) * slow
    this.#controls.target.copy(this.#look)
    camera.updateProjectionMatrix()
  }

  /** Writes the middle of as many stars as fit. @returns the distance at which they do (m). */
  #fit(stars: readonly Star[]): number {
    const { aspect, fov } = this.camera
    const half = Math.tan((MathUtils.DEG2RAD * fov) / 2)
    const farthest = (stars[0]!.radius * 720) / (PIXELS * half)
    const least = 3.2 * stars[0]!.radius
    for (let count = stars.length; ; count--) {
      middle.set(0, 0, 0)
      for (const { position } of stars.slice(0, count)) middle.addScaledVector(to.copy(position), 1 / count)
      let reach = 0
      for (const { position, radius } of stars.slice(0, count))
        reach = Math.max(reach, middle.distanceTo(to.copy(position)) + radius)
      const fill = count === 1 ? FILL_ALONE : FILL
      const far = Math.max(least, reach / (fill * half * Math.min(1, aspect)))
      // the first star may be nearer than the middle, but not farther than it is large
      if (count === 1 || far + middle.distanceTo(to.copy(stars[0]!.position)) < farthest)
        return Math.min(far, farthest)
    }
  }

  /** Looks for the best side. @returns whether the picture must jump to it. */
  #seek(stars: readonly Star[], side: Vector3Like | undefined, cut: boolean): boolean {
    const now = cut ? 0 : this.#costOf(this.#side, stars)
    this.#hurry = now >= SOON
    const isHidden = now >= HIDDEN
    let least = Infinity
    for (const each of [...(side ? [to.copy(side).normalize().clone()] : []), this.#goal, ...SIDES]) {
      if (each.lengthSq() === 0) continue
      let cost = this.#costOf(each, stars)
      if (side) cost += 2 * each.angleTo(moved.copy(side))
      if (!cut) cost += (isHidden ? 0.1 : 1.2) * each.angleTo(this.#side)
      // two stars are seen side by side
      if (stars.length > 1) {
        moved.subVectors(to.copy(stars[1]!.position), stars[0]!.position).normalize()
        cost += 1.5 * Math.abs(moved.dot(each))
      }
      if (cost >= least) continue
      least = cost
      best.copy(each)
    }
    this.#goal.copy(best)
    return cut || (isHidden && best.angleTo(this.#side) > 0.4)
  }

  #costOf(side: Vector3, stars: readonly Star[]): number {
    let cost = 0
    for (const seconds of [0, AHEAD / 2, AHEAD]) {
      const drift = stars[0]!.velocity
      eye.copy(side).multiplyScalar(this.#distance).add(middle).addScaledVector(moved.copy(drift), seconds)
      aside.set(side.z, 0, -side.x).setLength(ROOM)
      for (const [k, { position, velocity }] of stars.entries()) {
        to.copy(position).addScaledVector(moved.copy(velocity), seconds)
        if (this.#isBlocked(eye, to)) cost += k > 0 ? OTHER : seconds === 0 ? HIDDEN : SOON
        if (k > 0 || seconds > 0) continue
        for (const sign of [1, -1])
          if (this.#isBlocked(moved.copy(eye).addScaledVector(aside, sign), to)) cost += OTHER
      }
    }
    return cost
  }

  /** Turns the side towards its goal. */
  #swing(cut: boolean, seconds: number): void {
    const angle = this.#side.angleTo(this.#goal)
    if (cut || !(angle > 1e-6) || this.#side.lengthSq() === 0) {
      this.#side.copy(this.#goal)
      return
    }
    const share = Math.min(
      1,
      ((angle > 0.3 ? 1 : angle / 0.3) * (this.#hurry ? HURRY : RATE) * seconds) / angle,
    )
    this.#side.lerp(this.#goal, share).normalize()
  }
}
