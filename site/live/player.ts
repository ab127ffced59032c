import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  Fog,
  GridHelper,
  HemisphereLight,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  Matrix4,
  type Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Plane,
  Quaternion,
  Raycaster,
  Scene as Stage,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { Flock, Obstacle, type Quat, type SteeringController, type Vec3 } from 'three-steering'
import { Trails } from '../../demo/trails.js'
import type { ShowMark } from 'three-steering/debug'
import type { Scene } from '../scene.js'
import { dart, markOf, solidOf, type Palette, PALETTES } from './shapes.js'
import { type Slider, slidersOf } from './sliders.js'

const STEP = 1 / 60
/** Longest time that a frame catches up, s. */
const LONGEST_FRAME = 0.1
/** Time between two updates of the readout, s. */
const READOUT = 0.1

interface Drawn {
  readonly mesh: InstancedMesh
  readonly trails: Trails
  readonly size: number
  readonly visit: (use: (index: number, position: Vec3, quaternion: Quat) => void) => void
}

const place = new Matrix4()
const turn = new Quaternion()
const scale = new Vector3()
const position: Vec3 = { x: 0, y: 0, z: 0 }
const quaternion: Quat = { x: 0, y: 0, z: 0, w: 1 }

/** Steps and draws a scene in a box of the page. */
export class Player {
  /** Called with the readout of the scene. */
  onReadout: ((text: string) => void) | undefined
  readonly #box: HTMLElement
  readonly #start: () => Scene
  readonly #renderer: WebGLRenderer
  readonly #camera = new PerspectiveCamera(32, 1, 0.1, 500)
  readonly #orbit: OrbitControls
  readonly #observer: ResizeObserver
  #stage = new Stage()
  #palette: Palette
  #scene: Scene
  #drawn: Drawn[] = []
  #marks: { mark: ShowMark; mesh: Mesh }[] = []
  #solids: { obstacle: Obstacle; mesh: Mesh }[] = []
  #values: (number | undefined)[] = []
  #request = 0
  #last = 0
  #rest = 0
  #steps = 0
  #sinceReadout = Infinity

  constructor(box: HTMLElement, start: () => Scene, dark: boolean) {
    this.#box = box
    this.#start = start
    this.#palette = PALETTES[dark ? 'dark' : 'light']
    this.#renderer = new WebGLRenderer({ antialias: true })
    const { domElement: canvas } = this.#renderer
    canvas.setAttribute('aria-label', 'Live scene. Drag to look around.')
    box.append(canvas)
    this.#orbit = new OrbitControls(this.#camera, canvas)
    this.#orbit.enableZoom = false
    this.#orbit.enablePan = false
    // a finger that moves up or down scrolls the page
    canvas.style.touchAction = 'pan-y'
    this.#orbit.addEventListener('change', () => this.#drawIfPaused())
    canvas.addEventListener('pointerdown', (event) => this.#drag(event))
    this.#scene = start()
    this.#look()
    this.#build()
    this.#observer = new ResizeObserver(() => this.#resize())
    this.#observer.observe(box)
    this.#resize()
  }

  /** What can be done in the picture. */
  get hint(): string {
    const movable = [...(this.#scene.targets ?? [])].some((mark) => !('position' in mark))
    return movable ? 'Drag the ball, or the view.' : 'Drag the view.'
  }

  get sliders(): readonly Slider[] {
    return slidersOf(this.#scene)
  }

  play(): void {
    if (this.#request !== 0) return
    this.#last = performance.now()
    this.#request = requestAnimationFrame(this.#frame)
  }

  pause(): void {
    cancelAnimationFrame(this.#request)
    this.#request = 0
  }

  /** Begins again, with the options that were set. */
  restart(): void {
    this.#scene = this.#start()
    this.#steps = this.#rest = 0
    for (const [i, value] of this.#values.entries()) if (value !== undefined) this.#apply(i, value)
    this.#build()
    this.#drawIfPaused()
  }

  /** Sets the option of slider `i`. */
  set(i: number, value: number): readonly Slider[] {
    this.#values[i] = value
    this.#apply(i, value)
    return this.sliders
  }

  /** Takes the colours of a dark or light page. */
  paint(dark: boolean): void {
    this.#palette = PALETTES[dark ? 'dark' : 'light']
    this.#build()
    this.#drawIfPaused()
  }

  dispose(): void {
    this.pause()
    this.#observer.disconnect()
    this.#orbit.dispose()
    this.#clear()
    this.#renderer.dispose()
    this.#renderer.forceContextLoss()
    this.#renderer.domElement.remove()
  }

  #apply(i: number, value: number): void {
    const [owner, option] = this.#scene.controls![i]!
    ;(owner as Record<string, number>)[option] = value
  }

  readonly #frame = (now: number): void => {
    this.#request = requestAnimationFrame(this.#frame)
    const seconds = Math.min((now - this.#last) / 1000, LONGEST_FRAME)
    this.#last = now
    for (this.#rest += seconds; this.#rest >= STEP; this.#rest -= STEP) {
      this.#scene.world.step(STEP)
      this.#steps++
    }
    if (this.#steps * STEP > (this.#scene.lasts ?? Infinity)) this.restart()
    this.#update(seconds)
    this.#sinceReadout += seconds
    if (this.#sinceReadout > READOUT && this.#scene.readout) {
      this.onReadout?.(this.#scene.readout())
      this.#sinceReadout = 0
    }
  }

  /** Moves everything that is drawn, and draws. */
  #update(seconds: number): void {
    for (const { mesh, trails, size, visit } of this.#drawn) {
      scale.setScalar(size)
      visit((i, { x, y, z }, q) => {
        mesh.setMatrixAt(i, place.compose(new Vector3(x, y, z), turn.set(q.x, q.y, q.z, q.w), scale))
        trails.put(i, x, y, z)
      })
      mesh.instanceMatrix.needsUpdate = true
      trails.advance(seconds)
    }
    for (const { obstacle, mesh } of this.#solids) {
      obstacle.refresh()
      const { position, quaternion: q } = obstacle
      mesh.position.set(position.x, position.y, position.z)
      mesh.quaternion.set(q.x, q.y, q.z, q.w)
    }
    for (const { mark, mesh } of this.#marks) {
      const { x, y, z } = 'position' in mark ? mark.position : mark
      mesh.position.set(x, y, z)
    }
    this.#renderer.render(this.#stage, this.#camera)
  }

  #drawIfPaused(): void {
    if (this.#request === 0) this.#update(0)
  }

  #look(): void {
    const { size = 16, center = { x: 0, y: 0, z: 0 } } = this.#scene
    this.#camera.position
      .set(0.45, 0.42, 1)
      .normalize()
      .multiplyScalar(2.85 * size)
    this.#camera.position.add(this.#orbit.target.set(center.x, center.y, center.z))
    this.#orbit.update()
  }

  #clear(): void {
    for (const { trails } of this.#drawn) trails.dispose()
    this.#stage.traverse((object) => {
      const { geometry, material } = object as Partial<Mesh>
      geometry?.dispose()
      for (const each of material === undefined ? [] : [material].flat()) each.dispose()
    })
    this.#stage = new Stage()
    this.#drawn = []
    this.#marks = []
    this.#solids = []
  }

  #build(): void {
    this.#clear()
    const palette = this.#palette
    const stage = this.#stage
    const { size = 16, center = { x: 0, y: 0, z: 0 }, agents, obstacles, targets, lines } = this.#scene
    stage.background = new Color(palette.sky)
    stage.fog = new Fog(palette.sky, 2.6 * size, 4.8 * size)
    stage.add(new HemisphereLight(palette.above, palette.below, 2.2), new AmbientLight(0xffffff, 0.3))
    const sun = new DirectionalLight(0xffffff, 1.8)
    sun.position.set(2, 4, 3)
    stage.add(sun)
    const grid = new GridHelper(5 * size, 20, palette.grid, palette.grid)
    grid.position.set(center.x, center.y - 0.62 * size, center.z)
    grid.material.transparent = true
    grid.material.opacity = palette.gridOpacity
    grid.material.depthWrite = false
    stage.add(grid)

    for (const line of lines ?? []) {
      const points = new Float32Array(line.flatMap(({ x, y, z }) => [x, y, z]))
      const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3))
      const material = new LineBasicMaterial({ color: palette.line, transparent: true, opacity: 0.7 })
      stage.add(new Line(geometry, material))
    }
    for (const each of obstacles ?? []) {
      const obstacle = new Obstacle(each)
      const mesh = solidOf(obstacle.shape, palette)
      this.#solids.push({ obstacle, mesh })
      stage.add(mesh)
    }
    for (const mark of targets ?? []) {
      const mesh = markOf(mark, palette, size)
      this.#marks.push({ mark, mesh })
      stage.add(mesh)
    }
    for (const [g, group] of agents.entries()) {
      const color = new Color(palette.agents[g % palette.agents.length])
      const count = group instanceof Flock ? group.size : Array.isArray(group) ? group.length : 1
      const material = new MeshStandardMaterial({ color, roughness: 0.55, flatShading: true })
      const mesh = new InstancedMesh(dart(), material, count)
      mesh.frustumCulled = false
      const radius = group instanceof Flock ? group.radius : [group as SteeringController].flat()[0]!.radius
      const trails = new Trails({
        count,
        points: count > 60 ? 24 : 72,
        interval: 1 / 20,
        width: 0.014 * size,
        opacity: palette.trail,
        additive: false,
        color: () => color,
      })
      trails.object.renderOrder = 1
      stage.add(mesh, trails.object)
      this.#drawn.push({
        mesh,
        trails,
        size: Math.max(1.4 * radius, (count > 60 ? 0.032 : 0.05) * size),
        visit(use) {
          if (group instanceof Flock)
            for (let i = 0; i < group.size; i++)
              use(i, group.position(i, position), group.quaternion(i, quaternion))
          else
            for (const [i, one] of [group as SteeringController | SteeringController[]].flat().entries())
              use(i, one.position, one.quaternion)
        },
      })
    }
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#box
    if (width === 0 || height === 0) return
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.#renderer.setSize(width, height)
    this.#camera.aspect = width / height
    // a narrow picture shows the same width
    this.#camera.fov = this.#camera.aspect < 1.3 ? 32 * (1.3 / this.#camera.aspect) : 32
    this.#camera.updateProjectionMatrix()
    this.#drawIfPaused()
  }

  /** Starts to drag a marked point, if the pointer is on one. */
  #drag(down: PointerEvent): void {
    const { domElement: canvas } = this.#renderer
    const ray = new Raycaster()
    const aim = (event: PointerEvent): void => {
      const { left, top, width, height } = canvas.getBoundingClientRect()
      const x = (2 * (event.clientX - left)) / width - 1
      ray.setFromCamera(new Vector2(x, 1 - (2 * (event.clientY - top)) / height), this.#camera)
    }
    aim(down)
    const { size = 16 } = this.#scene
    const hit = this.#marks.find(
      ({ mark, mesh }) => !('position' in mark) && ray.ray.distanceToPoint(mesh.position) < 0.08 * size,
    )
    if (hit === undefined || !this.#orbit.enabled) return
    this.#orbit.enabled = false
    canvas.setPointerCapture(down.pointerId)
    const plane = new Plane().setFromNormalAndCoplanarPoint(
      this.#camera.getWorldDirection(new Vector3()),
      hit.mesh.position,
    )
    const move = (event: PointerEvent): void => {
      aim(event)
      const at = ray.ray.intersectPlane(plane, new Vector3())
      if (at !== null) Object.assign(hit.mark, { x: at.x, y: at.y, z: at.z })
      this.#steps = 0 // it does not start again while it is played with
      this.#drawIfPaused()
    }
    const up = (): void => {
      this.#orbit.enabled = true
      canvas.removeEventListener('pointermove', move)
    }
    canvas.addEventListener('pointermove', move)
    canvas.addEventListener('pointerup', up, { once: true })
    canvas.addEventListener('pointercancel', up, { once: true })
  }
}
