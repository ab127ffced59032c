import type GUI from 'lil-gui'
import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  FogExp2,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  PointLight,
  Sprite,
  SpriteMaterial,
  CanvasTexture,
  Object3D,
} from 'three'
import { loadGeometry, loadModel } from '../models.js'
import { addOption } from '../option-control.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js'
import { DEFAULT_FISH, HideAndSeek, LIGHT, MAX_FISH } from '../scenarios/hide.js'
import { LAGOON } from '../scenarios/reef.js'
import type { Stage } from '../stage.js'
import { Chase, copyInstancePose } from '../views/chase.js'
import { makeCorals } from '../views/corals.js'
import { Shoal } from '../views/shoal.js'

const WATER = '#052030'
/** Intensity of the lantern (cd). */
const POWER = 520

export async function open(stage: Stage, { seed, count = DEFAULT_FISH }: SceneOptions): Promise<LiveScene> {
  const total = Math.min(count, MAX_FISH)
  const [fish, hunter] = await Promise.all([loadGeometry('fish'), loadModel('angler')])
  stage.renderer.shadowMap.enabled = true
  stage.renderer.toneMappingExposure = 1.15
  stage.frame([4, 21, 33], [0, 0.5, 2], 5, 110)
  stage.controls.maxPolarAngle = 1.5
  return new HideScene(stage, new Shoal(fish, total), hunter, seed, total)
}

class HideScene implements LiveScene {
  readonly #stage: Stage
  readonly #scenario: HideAndSeek
  readonly #shoal: Shoal
  readonly #hunter: Object3D
  readonly #seat = new Object3D()
  readonly #chase: Chase
  readonly #lamp = new PointLight('#ffd49a', POWER, LIGHT * 1.4, 1.5)
  readonly #halo: Sprite
  readonly #rays: LineSegments<BufferGeometry, LineBasicMaterial>
  readonly #point = { x: 0, y: 0, z: 0 }
  #riding = false

  constructor(stage: Stage, shoal: Shoal, hunter: Object3D, seed: number, count: number) {
    this.#stage = stage
    this.#shoal = shoal
    this.#hunter = hunter
    this.#chase = new Chase(stage.camera, stage.controls)
    this.#scenario = new HideAndSeek({ seed, count, view: shoal.mesh, hunterView: hunter })
    const { scene } = stage
    scene.background = new Color(WATER)
    scene.fog = new FogExp2(WATER, 0.0125)
    this.#lamp.castShadow = true
    this.#lamp.shadow.mapSize.set(1024, 1024)
    this.#lamp.shadow.camera.near = 0.3
    this.#lamp.shadow.bias = -0.004
    this.#lamp.shadow.normalBias = 0.04
    this.#halo = glow()
    const resized = (): void => {
      shoal.height = stage.canvas.height
    }
    stage.onResize = resized
    resized()
    const rays = new BufferGeometry()
    rays.setAttribute('position', new BufferAttribute(new Float32Array(6 * Math.max(1, count)), 3))
    this.#rays = new LineSegments(
      rays,
      new LineBasicMaterial({
        color: '#ffb060',
        transparent: true,
        opacity: 0.55,
        blending: AdditiveBlending,
        depthWrite: false,
      }),
    )
    this.#rays.frustumCulled = false
    scene.add(makeCorals(this.#scenario.corals, LAGOON), shoal.mesh, shoal.halos, hunter)
    scene.add(...moonlight(), this.#lamp, this.#halo, this.#rays)
  }

  step(): void {
    this.#scenario.step(FIXED_STEP)
  }

  present(alpha: number, seconds: number): void {
    const { steering, lantern, seen, flock } = this.#scenario
    steering.present(alpha)
    this.#shoal.time = steering.time
    const { x, y, z } = lantern.position
    this.#lamp.position.set(x, y, z)
    this.#halo.position.copy(this.#lamp.position)
    const flicker = 1 + 0.04 * Math.sin(9 * steering.time) + 0.03 * Math.sin(23 * steering.time)
    this.#lamp.intensity = POWER * flicker
    const line = this.#rays.geometry.getAttribute('position')
    let rays = 0
    for (let index = 0; index < flock.size; index++) {
      const found = seen[index] === 1
      const before = this.#shoal.glowOf(index)
      // glows up quickly and fades slowly
      const rate = found ? 0.08 : 0.5
      this.#shoal.glow(index, before + ((found ? 1 : 0) - before) * (1 - Math.exp(-seconds / rate)))
      if (!found) continue
      const fish = flock.position(index, this.#point)
      line.setXYZ(2 * rays, x, y, z)
      line.setXYZ(2 * rays + 1, fish.x, fish.y, fish.z)
      rays++
    }
    line.needsUpdate = true
    this.#shoal.update()
    this.#rays.geometry.setDrawRange(0, 2 * rays)
    if (this.#riding) copyInstancePose(this.#seat, this.#shoal.mesh, 0)
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#stage.drift(0.01 * seconds)
  }

  state(): SceneState {
    return this.#scenario.state()
  }

  panel(gui: GUI): void {
    const scenario = this.#scenario
    const { hide, hunter } = scenario
    gui
      .add({ camera: 0 }, 'camera', { 'over the reef': 0, 'behind the hunter': 1, 'with a fish': 2 })
      .onChange((seat: number) => {
        this.#riding = seat === 2
        if (this.#riding) copyInstancePose(this.#seat, this.#shoal.mesh, 0)
        this.#chase.follow([null, this.#hunter, this.#seat][seat] ?? null, seat === 1 ? 11 : 6, true)
      })
    gui.add(scenario, 'hiding').name('fish hide')
    gui.add(scenario, 'chasing').name('hunter chases fish')
    gui.add(this.#rays, 'visible').name('lines of sight')
    const nerves = gui.addFolder('Hide')
    addOption(nerves, hide, 'onlyIfSeen')
    addOption(nerves, hide, 'memoryTime')
    addOption(nerves, hide, 'panicDistance')
    addOption(nerves, hunter, 'maxSpeed', { label: 'hunter: max speed' })
  }

  dispose(): void {
    this.#scenario.dispose()
    this.#halo.material.map?.dispose()
  }
}

function moonlight(): Object3D[] {
  const moon = new DirectionalLight('#7fc8e8', 1)
  moon.position.set(-20, 60, 14)
  return [moon, new HemisphereLight('#2f7d9c', '#0d2a3c', 1.25)]
}

/** Glow around the lantern. */
function glow(): Sprite {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 128
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser gives no 2D canvas')
  const shade = pen.createRadialGradient(64, 64, 0, 64, 64, 64)
  shade.addColorStop(0, 'rgb(255 236 200)')
  shade.addColorStop(0.08, 'rgb(255 214 150)')
  shade.addColorStop(0.2, 'rgb(120 84 44)')
  shade.addColorStop(0.45, 'rgb(34 24 13)')
  shade.addColorStop(0.75, 'rgb(8 6 3)')
  shade.addColorStop(1, 'rgb(0 0 0)')
  pen.fillStyle = shade
  pen.fillRect(0, 0, 128, 128)
  const material = new SpriteMaterial({
    map: new CanvasTexture(canvas),
    blending: AdditiveBlending,
    depthWrite: false,
    transparent: true,
    fog: false,
  })
  const sprite = new Sprite(material)
  sprite.scale.setScalar(5.5)
  return sprite
}
