import type { Body } from 'cannon-es'
import type GUI from 'lil-gui'
import { Fog, Plane, Quaternion, Raycaster, Vector2, Vector3, type Object3D } from 'three'
import { loadModel, meshesOf, partOf } from '../models.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js'
import { BALL, CRATE, YourScene } from '../scenarios/your-scene.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { MORNING_SKY, MORNING_SUN } from '../sky/morning.js'
// oxlint-disable-next-line import/default -- what ?raw gives is made by Vite
import source from '../snippets/bring-to-life.ts?raw'
import type { Stage } from '../stage.js'
import { bodyOf, CodeCard } from '../views/code-card.js'
import { makeBall, makeCrates, makeDaylight, makeGround, makeTarget } from '../views/yard.js'

/** Angular velocity of the rotors (rad per second of scene time). */
const ROTOR_SPEED = 31

/** A press that moves less than this counts as a click (CSS pixels). */
const CLICK = 6

export async function open(stage: Stage, { seed }: SceneOptions): Promise<LiveScene> {
  const drone = await loadModel('drone')
  const sky = makeBackdrop(stage.renderer, MORNING_SKY)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 0.5
  stage.scene.fog = new Fog('#d9b690', 35, 150)
  stage.renderer.shadowMap.enabled = true
  stage.renderer.toneMappingExposure = 0.8
  stage.frame([4.6, 3.1, 11.5], [-1.6, 1.3, -0.5], 4, 45)
  stage.controls.maxPolarAngle = 1.5
  return new YourSceneScene(stage, sky, drone, seed)
}

class YourSceneScene implements LiveScene {
  readonly #stage: Stage
  readonly #scenario: YourScene
  readonly #sky: Backdrop
  readonly #code: CodeCard
  readonly #rotors: readonly Object3D[]
  readonly #target = makeTarget()
  readonly #loose: readonly (readonly [Object3D, Body])[]
  readonly #listening = new AbortController()

  constructor(stage: Stage, sky: Backdrop, drone: Object3D, seed: number) {
    this.#stage = stage
    this.#sky = sky
    // the drone casts shadows but receives none: its parts are smaller than a texel of the shadow map
    for (const mesh of meshesOf(drone)) mesh.castShadow = true
    this.#rotors = [0, 1, 2, 3].map((k) => partOf(drone, `rotor_${k}`))
    this.#scenario = new YourScene({ seed, model: drone })
    const { crates, ball } = this.#scenario
    const boxes = makeCrates(crates.length, CRATE)
    this.#loose = [...crates.map((body, k) => [boxes[k]!, body] as const), [makeBall(BALL), ball]]
    stage.scene.add(sky.dome, makeGround(), this.#target, drone, ...makeDaylight(MORNING_SUN))
    for (const [mesh] of this.#loose) stage.scene.add(mesh)
    this.#code = new CodeCard('The steering code', bodyOf(source), stage.cards)
    this.#listen(stage.canvas)
  }

  step(): void {
    this.#scenario.step(FIXED_STEP)
  }

  present(alpha: number): void {
    const { steering, target, viewer } = this.#scenario
    // rounded to centimetres: orbit controls change the last bits of the camera position, and a replay must
    // be bit-identical
    for (const axis of ['x', 'y', 'z'] as const) {
      viewer.position[axis] = Math.round(100 * this.#stage.camera.position[axis]) / 100
    }
    steering.present(alpha)
    for (const [mesh, body] of this.#loose) copyPose(mesh, body, alpha)
    this.#rotors.forEach((rotor, k) => {
      rotor.rotation.y = (k % 2 ? -1 : 1) * (steering.time + alpha * FIXED_STEP) * ROTOR_SPEED
    })
    const { x, z } = target.position
    this.#target.position.x = x
    this.#target.position.z = z
    this.#target.scale.setScalar(1 + 0.05 * Math.sin(5 * steering.time))
  }

  state(): SceneState {
    return this.#scenario.state()
  }

  panel(gui: GUI): void {
    const scenario = this.#scenario
    gui.add({ drop: () => scenario.dropBall() }, 'drop').name('drop the ball')
    gui.add(scenario, 'dropping').name('drop it at intervals')
    gui.add(scenario, 'touring').name('change target by itself').listen()
    // on a small screen the code starts hidden, so that it does not cover the scene
    const largeWindow = window.innerWidth > 640
    this.#code.shown = largeWindow
    gui
      .add({ shown: largeWindow }, 'shown')
      .name('show the code')
      .onChange((shown: boolean) => {
        this.#code.shown = shown
      })
  }

  dispose(): void {
    this.#listening.abort()
    this.#code.remove()
    this.#scenario.dispose()
    this.#sky.dispose()
  }

  /** Handles clicks on the ground. A drag orbits the camera instead. */
  #listen(canvas: HTMLCanvasElement): void {
    const { signal } = this.#listening
    const start = new Vector2()
    const ray = new Raycaster()
    const ground = new Plane(new Vector3(0, 1, 0))
    const hit = new Vector3()
    canvas.addEventListener('pointerdown', ({ clientX, clientY }) => start.set(clientX, clientY), { signal })
    canvas.addEventListener(
      'pointerup',
      ({ clientX, clientY }) => {
        if (Math.hypot(clientX - start.x, clientY - start.y) > CLICK) return
        const box = canvas.getBoundingClientRect()
        const pointer = new Vector2((clientX - box.left) / box.width, (clientY - box.top) / box.height)
        ray.setFromCamera(new Vector2(2 * pointer.x - 1, 1 - 2 * pointer.y), this.#stage.camera)
        if (ray.ray.intersectPlane(ground, hit)) this.#scenario.send(hit.x, hit.z)
      },
      { signal },
    )
  }
}

const turned = new Quaternion()

/** Interpolates between the last two steps of a body without a controller. */
function copyPose(object: Object3D, body: Body, alpha: number): void {
  const { previousPosition, position, previousQuaternion, quaternion } = body
  object.position.copy(previousPosition).lerp(position, alpha)
  object.quaternion.copy(previousQuaternion).slerp(turned.copy(quaternion), alpha)
}
