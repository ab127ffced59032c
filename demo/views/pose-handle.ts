import { Object3D, Vector3 } from 'three'
import { TransformControls } from 'three/addons/controls/TransformControls.js'
import type { Stage } from '../stage.js'

const NOSE = new Vector3(0, 0, 1)

/**
 * A pose moved by the handle. It is read when the handle takes it, and written during a drag. Unit heading.
 */
export interface HeldPose {
  readonly position: { x: number; y: number; z: number }
  readonly heading: { x: number; y: number; z: number }
}

/** Arrows and rings to drag a pose with mouse or finger. The camera does not move meanwhile. */
export class PoseHandle {
  /** `onHold` is called when a drag begins or ends, `onMove` whenever the pose has been moved. */
  onHold: ((on: boolean) => void) | null = null
  onMove: (() => void) | null = null
  readonly #stage: Stage
  readonly #controls: TransformControls
  readonly #object = new Object3D()
  readonly #heading = new Vector3()
  #pose: HeldPose | null = null

  constructor(stage: Stage) {
    this.#stage = stage
    this.#controls = new TransformControls(stage.camera, stage.canvas)
    this.#object.name = 'handle'
    this.#controls.attach(this.#object)
    this.#controls.setColors('#ff8d9b', '#9af0a8', '#8db4ff', '#ffd98a')
    // smaller on touch screens, where the whole view is smaller
    this.#controls.size = window.matchMedia('(pointer: coarse)').matches ? 0.62 : 0.7
    stage.scene.add(this.#object, this.#controls.getHelper())
    this.#controls.addEventListener('dragging-changed', ({ value }) => {
      stage.controls.enabled = !value
      this.onHold?.(value === true)
    })
    this.#controls.addEventListener('objectChange', () => this.#moved())
  }

  get dragging(): boolean {
    return this.#controls.dragging
  }

  set mode(mode: 'move' | 'turn') {
    this.#controls.setMode(mode === 'move' ? 'translate' : 'rotate')
    this.#controls.setSpace(mode === 'move' ? 'world' : 'local')
    // a rotation about the nose has no effect
    this.#controls.showZ = mode === 'move'
  }

  set shown(on: boolean) {
    this.#controls.getHelper().visible = on
    this.#controls.enabled = on
  }

  /** Sets the pose that the handle moves, and shows it there, or at `now` if the pose has moved since. */
  hold(pose: HeldPose, now = pose): void {
    this.#pose = pose
    if (this.dragging) return
    this.#object.position.copy(now.position)
    this.#object.quaternion.setFromUnitVectors(NOSE, this.#heading.copy(now.heading))
  }

  dispose(): void {
    this.#controls.detach()
    this.#controls.dispose()
    // `dispose` of the controls removes the style that the style sheet sets
    this.#stage.canvas.style.touchAction = 'none'
    this.#stage.controls.enabled = true
  }

  #moved(): void {
    const pose = this.#pose
    if (!pose || !this.dragging) return
    Object.assign(pose.position, plain(this.#object.position))
    Object.assign(pose.heading, plain(this.#heading.copy(NOSE).applyQuaternion(this.#object.quaternion)))
    this.onMove?.()
  }
}

function plain({ x, y, z }: Vector3): { x: number; y: number; z: number } {
  return { x, y, z }
}
