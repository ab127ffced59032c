import {
  ACESFilmicToneMapping,
  InstancedMesh,
  Light,
  Line,
  Mesh,
  PCFShadowMap,
  PerspectiveCamera,
  PMREMGenerator,
  Points,
  Scene,
  Texture,
  Vector3,
  WebGLRenderer,
  type Material,
  type WebGLRenderTarget,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { prefersLessMotion } from './preferences.js'

export interface StageOptions {
  readonly antialias: boolean
  /** Upper bound for device pixels per CSS pixel. */
  readonly pixelRatio: number
  readonly skylight: boolean
}

/** A part of the window (px). */
export interface FreeArea {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** Where cards and panels stand. */
  readonly panels?: readonly DOMRect[]
}

/** Time constant with which the picture moves aside for a panel (s). */
const ASIDE = 0.25

/** Angle (rad) and factor of distance of one key press. */
const TURN = 0.06
const NEARER = 0.9

/** What a key does to the camera. */
const LOOK: Readonly<Record<string, (controls: OrbitControls) => void>> = {
  ArrowLeft: (controls) => controls.rotateLeft(TURN),
  ArrowRight: (controls) => controls.rotateLeft(-TURN),
  ArrowUp: (controls) => controls.rotateUp(TURN),
  ArrowDown: (controls) => controls.rotateUp(-TURN),
  '+': (controls) => controls.dollyIn(NEARER),
  '-': (controls) => controls.dollyOut(NEARER),
}

/** Renderer, camera and orbit controls. The stage is shared by all scenes. */
export class Stage {
  readonly canvas: HTMLCanvasElement
  /** Holds the cards of a scene, beside the picture, and what it announces, below the picture. */
  readonly cards: HTMLElement
  readonly foot: HTMLElement
  readonly renderer: WebGLRenderer
  readonly camera = new PerspectiveCamera(45, 1, 0.1, 4000)
  readonly controls: OrbitControls
  scene = new Scene()
  /** Called after the canvas has changed its size. */
  onResize: (() => void) | null = null
  /** Draws the frame instead of a single render of `scene`, for example in several views. */
  draw: (() => void) | null = null
  /** Measures `freeArea`. The centre of the picture moves to its middle. */
  measureFreeArea: (() => FreeArea) | null = null
  /** Whether the picture moves aside for panels. False in a scene that does so by itself. */
  movesAside = true
  readonly #box: HTMLElement
  readonly #observer: ResizeObserver
  readonly #maxPixelRatio: number
  readonly #skylight: boolean
  #environment: WebGLRenderTarget | null = null
  #sky: unknown = null
  /** Shift of the picture to the right and down (px), and when it was updated (ms). */
  #shiftX = 0
  #shiftY = 0
  #shiftedAt = 0
  /** Usual field of view of the window (°). */
  #fov = 0

  /** Appends a canvas that fills `box`. */
  constructor(box: HTMLElement, { antialias, pixelRatio, skylight }: StageOptions, cards = box, foot = box) {
    this.#box = box
    this.cards = cards
    this.foot = foot
    const canvas = document.createElement('canvas')
    canvas.setAttribute('role', 'application')
    canvas.setAttribute(
      'aria-label',
      'Live scene. Drag or arrow keys: look around. Scroll, pinch or + and −: come closer.',
    )
    canvas.tabIndex = 0
    canvas.addEventListener('keydown', (event) => this.#onKey(event))
    box.append(canvas)
    this.canvas = canvas
    this.renderer = new WebGLRenderer({ canvas, antialias, powerPreference: 'high-performance' })
    this.renderer.toneMapping = ACESFilmicToneMapping
    this.renderer.shadowMap.type = PCFShadowMap
    this.#maxPixelRatio = pixelRatio
    this.#skylight = skylight
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = true
    this.controls.dampingFactor = 0.06
    this.#observer = new ResizeObserver(() => this.resize())
    this.#observer.observe(box)
    this.resize()
  }

  /**
   * Puts the camera at `from`, looking at `to`, and limits the orbit distance (m) to `nearest` … `farthest`.
   */
  frame(from: Point, to: Point, nearest: number, farthest: number): void {
    const { position, aspect } = this.camera
    this.controls.target.set(...to)
    // a portrait screen shows less to the sides: move the camera back to make up for part of that
    const distanceScale = Math.max(1, Math.sqrt(1.4 / aspect))
    position
      .set(...from)
      .sub(this.controls.target)
      .multiplyScalar(distanceScale)
      .add(this.controls.target)
    this.controls.minDistance = nearest
    this.controls.maxDistance = farthest * distanceScale
    this.controls.update()
  }

  /** Orbits the camera around its target by `angle` (rad), unless the visitor prefers less motion. */
  drift(angle: number): void {
    if (prefersLessMotion()) return
    const { target } = this.controls
    this.camera.position.sub(target).applyAxisAngle(this.camera.up, angle).add(target)
  }

  /** The part of the window that bar and panels leave free. */
  get freeArea(): FreeArea {
    const { clientWidth: right, clientHeight: bottom } = this.canvas
    return this.measureFreeArea?.() ?? { left: 0, top: 0, right, bottom }
  }

  /** Place in the window (px) of the object of the scene that has this name. */
  placeOf(name: string): { x: number; y: number } {
    const object = this.scene.getObjectByName(name)
    if (!object) throw new RangeError(`no object of the scene is named ${name}`)
    const { x, y } = object.getWorldPosition(new Vector3()).project(this.camera)
    const { clientWidth, clientHeight } = this.canvas
    return { x: (clientWidth * (1 + x)) / 2, y: (clientHeight * (1 - y)) / 2 }
  }

  resize(): void {
    const width = Math.max(1, this.#box.clientWidth)
    const height = Math.max(1, this.#box.clientHeight)
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.#maxPixelRatio))
    this.renderer.setSize(width, height)
    this.camera.aspect = width / height
    // a portrait screen needs a wider field of view to show the same scene; one that a camera zooms stays
    const fov = width < height ? 62 : 45
    if (fov !== this.#fov) this.camera.fov = this.#fov = fov
    this.camera.updateProjectionMatrix()
    this.onResize?.()
  }

  render(): void {
    this.controls.update()
    if (this.movesAside && this.measureFreeArea) this.#moveAside(this.freeArea)
    if (this.draw) this.draw()
    else this.renderer.render(this.scene, this.camera)
  }

  /** Keys that look around while the canvas has the focus. */
  #onKey(event: KeyboardEvent): void {
    const { altKey, ctrlKey, defaultPrevented, key, metaKey } = event
    const move = LOOK[key]
    if (!move || defaultPrevented || altKey || ctrlKey || metaKey) return
    event.preventDefault()
    // scenes that move the camera themselves leave it to the visitor from now on
    this.controls.dispatchEvent({ type: 'start' })
    move(this.controls)
    this.controls.dispatchEvent({ type: 'end' })
  }

  #moveAside({ left, top, right, bottom }: FreeArea): void {
    const { clientWidth: width, clientHeight: height } = this.canvas
    // the bar alone does not count: it is as high as the margin below the subject
    const x = (left + right - width) / 2
    const y = bottom - top > 0.85 * height ? 0 : (top + bottom - height) / 2
    const now = performance.now()
    // the shift is complete at once after a pause in drawing, and where the visitor prefers reduced motion
    const seconds = (now - this.#shiftedAt) / 1000
    const share = seconds > 1 || prefersLessMotion() ? 1 : 1 - Math.exp(-seconds / ASIDE)
    this.#shiftedAt = now
    this.#shiftX += (x - this.#shiftX) * share
    this.#shiftY += (y - this.#shiftY) * share
    this.camera.setViewOffset(width, height, -this.#shiftX, -this.#shiftY, width, height)
  }

  /**
   * Environment map for standard materials, made from `source`. Reused when a scene restarts with the same
   * sky.
   */
  environmentFrom(source: Scene): Texture | null {
    if (!this.#skylight) return null
    if (this.#environment !== null && this.#sky === source.background) return this.#environment.texture
    const generator = new PMREMGenerator(this.renderer)
    const target = generator.fromScene(source, 0, 0.1, 5000)
    generator.dispose()
    this.#environment?.dispose()
    this.#environment = target
    this.#sky = source.background
    return target.texture
  }

  /** Removes the current scene and starts an empty one. */
  clear(): void {
    disposeTree(this.scene)
    this.scene = new Scene()
    this.onResize = this.draw = null
    this.movesAside = true
    this.camera.clearViewOffset()
    this.renderer.setScissorTest(false)
    this.resize()
    this.renderer.toneMapping = ACESFilmicToneMapping
    this.renderer.toneMappingExposure = 1
    this.renderer.shadowMap.enabled = false
    this.controls.minPolarAngle = 0
    this.controls.maxPolarAngle = Math.PI
  }
}

export type Point = readonly [x: number, y: number, z: number]

/**
 * Frees GPU resources. Geometry of loaded models is shared with later copies; three uploads it again when
 * needed.
 */
function disposeTree(scene: Scene): void {
  scene.traverse((object) => {
    if (object instanceof Light || object instanceof InstancedMesh) object.dispose()
    if (!(object instanceof Mesh || object instanceof Points || object instanceof Line)) return
    object.geometry.dispose()
    const materials: Material[] = Array.isArray(object.material) ? object.material : [object.material]
    for (const material of materials) {
      for (const value of Object.values(material)) if (value instanceof Texture) value.dispose()
      material.dispose()
    }
  })
}
