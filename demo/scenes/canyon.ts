import type GUI from 'lil-gui'
import { BufferAttribute, Color, MathUtils, Object3D, Vector3, type BufferGeometry } from 'three'
import { MeshShape } from 'three-steering/bvh'
import { loadGeometry } from '../models.js'
import { addRuleWeights } from '../option-control.js'
import { FIXED_STEP, type LiveScene, type SceneOptions } from '../scene.js'
import { Canyon, DEFAULT_FLYERS, MAX_FLYERS } from '../scenarios/canyon.js'
import { CanyonLand, CRUISE } from '../scenarios/canyon-land.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { DESERT_SKY, DESERT_SUN } from '../sky/desert.js'
import type { Stage } from '../stage.js'
import { Birds } from '../views/birds.js'
import { canyonRock, landGeometry } from '../views/canyon-rock.js'
import { Chase, copyInstancePose } from '../views/chase.js'
import { River } from '../views/river.js'

export async function open(stage: Stage, { seed, count = DEFAULT_FLYERS }: SceneOptions): Promise<LiveScene> {
  const total = Math.min(count, MAX_FLYERS)
  const bird = pale(await loadGeometry('bird'))
  const sky = makeBackdrop(stage.renderer, DESERT_SKY, 512)
  const birds = new Birds({
    geometry: bird,
    count: total,
    sky: sky.texture,
    sun: DESERT_SUN,
    size: 2.6,
    rate: 4,
    haze: 0.0012,
    light: { sun: [1.9, 1.6, 1.2], above: [0.62, 0.66, 0.74], below: [0.5, 0.27, 0.15] },
  })
  stage.frame([0, 30, 60], [0, CRUISE, 0], 4, 300)
  return new CanyonScene(stage, sky, birds, seed, total)
}

/** Distances along the centre line of the camera behind the flock, and of its target ahead (m). */
const BEHIND = 30
const BEFORE = 22

type View = 'flock' | 'bird' | 'rim'

class CanyonScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly #birds: Birds
  readonly #river: River
  readonly scenario: Canyon
  readonly #chase: Chase
  readonly #seat = new Object3D()
  #view: View = 'flock'
  #chosen = 0
  /** Angle of the centre of the flock (rad). */
  #angle = Number.NaN
  readonly #wish = new Vector3()
  readonly #last = new Vector3()
  readonly #point = { x: 0, y: 0, z: 0 }

  constructor(stage: Stage, sky: Backdrop, birds: Birds, seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    this.#birds = birds
    this.#chase = new Chase(stage.camera, stage.controls)
    const land = new CanyonLand()
    const geometry = landGeometry(land)
    this.scenario = new Canyon({ land, shape: new MeshShape(geometry), seed, count, view: birds.mesh })
    this.#river = new River(
      (angle, aside, up, out) => land.at(angle, aside, up, out),
      8,
      -0.45,
      sky.texture,
      DESERT_SUN,
    )
    const rock = canyonRock(geometry, sky.texture, DESERT_SUN)
    stage.scene.add(sky.dome, rock, this.#river.object, birds.mesh)
    this.#followFlock(0)
  }

  present(alpha: number, seconds: number): void {
    const { steering } = this.scenario
    this.scenario.present(alpha, FIXED_STEP)
    this.#birds.time = this.#river.time = steering.time
    if (this.#view === 'bird') copyInstancePose(this.#seat, this.#birds.mesh, this.#chosen)
    this.#chase.update(seconds)
    if (this.#view === 'flock') this.#followFlock(seconds)
    if (this.#view === 'rim') this.#watch(seconds)
  }

  panel(gui: GUI): void {
    gui
      .add({ camera: this.#view }, 'camera', {
        'with the flock': 'flock',
        'with a bird': 'bird',
        'from the rim': 'rim',
      })
      .onChange((view: View) => this.#ride(view))
    const { flocking } = this.scenario
    const rules = gui.addFolder('Flock')
    addRuleWeights(rules, [flocking])
  }

  dispose(): void {
    this.scenario.steering.dispose()
    this.#sky.dispose()
  }

  #ride(view: View): void {
    this.#view = view
    this.#angle = Number.NaN
    if (view === 'bird') {
      this.#chosen = Math.floor(this.scenario.flock.size / 2)
      copyInstancePose(this.#seat, this.#birds.mesh, this.#chosen)
      this.#chase.follow(this.#seat, 9, true)
    } else this.#chase.follow(null, 0)
    if (view === 'flock') this.#followFlock(0)
    if (view === 'rim') this.#watch(0)
  }

  /** Angle of the centre of the flock, smoothed. */
  #middle(seconds: number): number {
    const { flock, land } = this.scenario
    let x = 0
    let z = 0
    for (let index = 0; index < flock.size; index++) {
      const angle = land.angleOf(flock.position(index, this.#point))
      x += Math.cos(angle)
      z += Math.sin(angle)
    }
    const now = Math.atan2(z, x)
    if (Number.isNaN(this.#angle)) this.#angle = now
    const difference = Math.atan2(Math.sin(now - this.#angle), Math.cos(now - this.#angle))
    // the camera must not shake with the flock
    this.#angle += difference * (1 - Math.exp(-seconds / 0.35))
    return this.#angle
  }

  /** Moves the camera along the centre line behind the flock. A change of view by the visitor fades away. */
  #followFlock(seconds: number): void {
    const { land } = this.scenario
    const { camera, controls } = this.#stage
    const fresh = Number.isNaN(this.#angle)
    const angle = this.#middle(seconds)
    this.#wish.copy(land.at(land.onward(angle, -BEHIND), 0, CRUISE + 5, this.#point))
    controls.target.copy(land.at(land.onward(angle, BEFORE), 0, CRUISE - 1, this.#point))
    if (fresh) camera.position.copy(this.#wish)
    else camera.position.add(this.#last.subVectors(this.#wish, this.#last))
    camera.position.lerp(this.#wish, 1 - Math.exp(-seconds / 1.5))
    this.#last.copy(this.#wish)
  }

  /** View from the rim: turns the camera after the flock. */
  #watch(seconds: number): void {
    const { land } = this.scenario
    const { camera, controls } = this.#stage
    const fresh = Number.isNaN(this.#angle)
    const angle = this.#middle(seconds)
    land.at(angle, 0, CRUISE, this.#point)
    if (fresh) {
      camera.position.copy(land.at(angle + 0.35, 46, 64, { x: 0, y: 0, z: 0 }))
      controls.target.copy(this.#point)
    }
    controls.target.x = MathUtils.damp(controls.target.x, this.#point.x, 1.5, seconds)
    controls.target.z = MathUtils.damp(controls.target.z, this.#point.z, 1.5, seconds)
  }
}

/** Colours the starling model as an egret: white, with dark wing tips. */
function pale(geometry: BufferGeometry): BufferGeometry {
  const position = geometry.getAttribute('position')
  geometry.computeBoundingBox()
  const span = geometry.boundingBox!.max.x
  const colors = new Float32Array(3 * position.count)
  const white = new Color('#f4efe6')
  const dark = new Color('#2b2421')
  const color = new Color()
  for (let i = 0; i < position.count; i++)
    color.copy(Math.abs(position.getX(i)) > 0.8 * span ? dark : white).toArray(colors, 3 * i)
  geometry.setAttribute('color', new BufferAttribute(colors, 3))
  return geometry
}
