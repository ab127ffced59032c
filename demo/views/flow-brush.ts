import {
  Mesh,
  MeshBasicMaterial,
  MOUSE,
  Plane,
  Raycaster,
  RingGeometry,
  TOUCH,
  Vector2,
  Vector3,
} from 'three'
import type { Vec3Like } from 'three-steering'
import type { Stage } from '../stage.js'
import { ADDS_LIGHT } from './soft-points.js'

/** Distance between two dabs, as a share of the brush radius. */
const DAB = 0.3

/**
 * Paints on a horizontal plane with mouse or finger. While it is on, the right button or two fingers turn the
 * camera.
 */
export class FlowBrush {
  readonly object: Mesh<RingGeometry, MeshBasicMaterial>
  /** Called for each dab. */
  onPaint: ((from: Vec3Like, to: Vec3Like) => void) | null = null
  readonly #stage: Stage
  readonly #radius: number
  readonly #plane: Plane
  readonly #listening = new AbortController()
  readonly #ray = new Raycaster()
  readonly #pointer = new Vector2()
  readonly #hit = new Vector3()
  readonly #last = new Vector3()
  readonly #pointers = new Set<number>()
  #painting = false
  #on = false

  /** @param level Height of the plane (m). */
  constructor(stage: Stage, radius: number, level: number) {
    this.#stage = stage
    this.#radius = radius
    this.#plane = new Plane(new Vector3(0, 1, 0), -level)
    this.object = new Mesh(
      new RingGeometry(0.93 * radius, radius, 72).rotateX(-Math.PI / 2),
      new MeshBasicMaterial({
        color: '#ffd9a0',
        opacity: 0.4,
        depthTest: false,
        ...ADDS_LIGHT,
      }),
    )
    this.object.visible = false
    this.object.name = 'brush'
    this.#listen(stage.canvas)
    this.on = true
  }

  get on(): boolean {
    return this.#on
  }
  set on(on: boolean) {
    this.#on = on
    this.#painting = this.object.visible = false
    const { controls } = this.#stage
    controls.mouseButtons = on
      ? { LEFT: null, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.ROTATE }
      : { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN }
    controls.touches = on
      ? { ONE: null, TWO: TOUCH.DOLLY_ROTATE }
      : { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN }
  }

  get painting(): boolean {
    return this.#painting
  }

  dispose(): void {
    this.on = false
    this.#listening.abort()
  }

  #listen(canvas: HTMLCanvasElement): void {
    const { signal } = this.#listening
    canvas.addEventListener(
      'pointerdown',
      (event) => {
        this.#pointers.add(event.pointerId)
        // a second finger turns the camera
        this.#painting = this.#on && event.button === 0 && this.#pointers.size === 1 && this.#find(event)
        if (this.#painting) this.#last.copy(this.#hit)
      },
      { signal },
    )
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal })
    for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const)
      canvas.addEventListener(
        name,
        ({ pointerId, pointerType }) => {
          this.#pointers.delete(pointerId)
          this.#painting = false
          if (pointerType !== 'mouse' || name === 'pointerleave') this.object.visible = false
        },
        { signal },
      )
  }

  #move(event: PointerEvent): void {
    if (!this.#on || this.#pointers.size > 1 || !this.#find(event)) {
      this.object.visible = false
      return
    }
    this.object.visible = event.pointerType === 'mouse' || this.#painting
    this.object.position.copy(this.#hit)
    if (!this.#painting || this.#hit.distanceTo(this.#last) < DAB * this.#radius) return
    this.onPaint?.(this.#last, this.#hit)
    this.#last.copy(this.#hit)
  }

  /** Writes the point on the plane under the pointer. @returns whether there is one. */
  #find({ clientX, clientY }: PointerEvent): boolean {
    const box = this.#stage.canvas.getBoundingClientRect()
    this.#pointer.set(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2)
    this.#ray.setFromCamera(this.#pointer, this.#stage.camera)
    return this.#ray.ray.intersectPlane(this.#plane, this.#hit) !== null
  }
}
