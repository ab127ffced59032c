import type GUI from 'lil-gui'
import { Color, MathUtils, Object3D } from 'three'
import { Cohesion, type Vec3 } from 'three-steering'
import { loadGeometry } from '../models.js'
import { addOption, addRuleWeights } from '../option-control.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { DEFAULT_BIRDS, Murmuration } from '../scenarios/murmuration.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { DUSK_SKY, DUSK_SUN } from '../sky/dusk.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { Birds } from '../views/birds.js'
import { Chase, copyInstancePose } from '../views/chase.js'
import { Lake } from '../views/lake.js'

export async function open(stage: Stage, { seed, count = DEFAULT_BIRDS }: SceneOptions): Promise<LiveScene> {
  const [starling, falcon] = await Promise.all([loadGeometry('bird'), loadGeometry('falcon')])
  const sky = makeBackdrop(stage.renderer, DUSK_SKY)
  const look = { sky: sky.texture, sun: DUSK_SUN }
  const birds = new Birds({
    ...look,
    light: AGAINST_THE_LIGHT,
    geometry: starling,
    count,
    size: 2.2,
    rate: 5.5,
  })
  const hunter = new Birds({ ...look, geometry: falcon, count: 1, size: 3, rate: 3 })
  stage.frame([0, 5, 94], [0, 30, 0], 4, 420)
  stage.controls.maxPolarAngle = 1.72
  return new MurmurationScene(stage, sky, birds, hunter, seed, count)
}

/** Birds in a dense flock shade each other, so that it is dark against the sky. */
const AGAINST_THE_LIGHT = {
  sun: [0.7, 0.27, 0.1],
  above: [0.1, 0.11, 0.18],
  below: [0.06, 0.04, 0.035],
} as const

/** Number of birds used to find the centre of the flock. */
const SAMPLE = 100

class MurmurationScene implements LiveScene {
  readonly #stage: Stage
  readonly scenario: Murmuration
  readonly #sky: Backdrop
  readonly #birds: Birds
  readonly #hunter: Birds
  readonly #lake: Lake
  /** Poses of the falcon and of one bird, for the camera. */
  readonly #falconSeat = new Object3D()
  readonly #birdSeat = new Object3D()
  #chosen = 0
  readonly #chase: Chase
  readonly #center = { x: 0, y: 0, z: 0 }
  readonly #bird = { x: 0, y: 0, z: 0 }
  readonly #trail = new Trails({
    count: 1,
    points: 60,
    width: 0.5,
    opacity: 0.28,
    additive: false,
    color: () => new Color('#20141c'),
  })

  constructor(stage: Stage, sky: Backdrop, birds: Birds, hunter: Birds, seed: number, count: number) {
    this.#stage = stage
    this.#chase = new Chase(stage.camera, stage.controls)
    this.#sky = sky
    this.#birds = birds
    this.#hunter = hunter
    this.#lake = new Lake(sky.texture)
    this.scenario = new Murmuration({
      seed,
      count,
      view: birds.mesh,
      falconView: {
        write: (_, pose) => {
          hunter.put(0, pose)
          this.#falconSeat.position.copy(pose.position)
          this.#falconSeat.quaternion.copy(pose.quaternion)
        },
      },
    })
    stage.scene.add(sky.dome, this.#lake.object, birds.mesh, hunter.mesh, this.#trail.object)
  }

  present(alpha: number, seconds: number): void {
    const { steering, falcon, hunting } = this.scenario
    steering.present(alpha)
    const time = steering.time
    this.#birds.time = time
    this.#hunter.time = time
    this.#lake.time = time
    this.#hunter.mesh.visible = hunting
    this.#trail.object.visible = hunting && !this.#chase.following
    const { x, y, z } = falcon.position
    this.#trail.put(0, x, y, z)
    this.#trail.advance(seconds)
    copyInstancePose(this.#birdSeat, this.#birds.mesh, this.#chosen)
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#watchFlock(seconds)
    // keep the camera above the lake
    const { camera } = this.#stage
    camera.position.y = Math.max(camera.position.y, 1.5)
  }

  /** Changes the camera: from the shore, with a bird near the centre of the flock, or behind the falcon. */
  #ride(seat: number): void {
    const seats = [null, this.#birdSeat, this.#falconSeat]
    const { flock } = this.scenario
    const { x, y, z } = this.#middle()
    let nearest = Infinity
    for (let index = 0; index < flock.size; index++) {
      const bird = flock.position(index, this.#bird)
      const distance = Math.hypot(bird.x - x, bird.y - y, bird.z - z)
      if (distance >= nearest) continue
      nearest = distance
      this.#chosen = index
    }
    copyInstancePose(this.#birdSeat, this.#birds.mesh, this.#chosen)
    this.#chase.follow(seats[seat] ?? null, 11, true)
  }

  /** Mean position of a sample of birds. */
  #middle(): Vec3 {
    const { flock } = this.scenario
    const mean = this.#center
    mean.x = mean.y = mean.z = 0
    const stride = Math.max(1, Math.floor(flock.size / SAMPLE))
    let count = 0
    for (let index = 0; index < flock.size; index += stride) {
      const { x, y, z } = flock.position(index, this.#bird)
      count++
      mean.x += (x - mean.x) / count
      mean.y += (y - mean.y) / count
      mean.z += (z - mean.z) / count
    }
    return mean
  }

  /** Turns the camera slowly after the flock. */
  #watchFlock(seconds: number): void {
    const { camera, controls } = this.#stage
    const { x, y, z } = this.#middle()
    const share = 1 - Math.exp(-seconds / 1.2)
    // farther in a narrow picture, which would lose the flock at its side
    const along = MathUtils.lerp(0.9, 0.6, Math.min(1, camera.aspect / 1.3))
    const { target } = controls
    target.x = MathUtils.lerp(target.x, along * x, share)
    target.y = MathUtils.lerp(target.y, 34 + 0.4 * (y - 38), share)
    target.z = MathUtils.lerp(target.z, along * z, share)
  }

  panel(gui: GUI): void {
    const { flocking, flock, flight } = this.scenario
    gui
      .add({ camera: 0 }, 'camera', { 'from the shore': 0, 'with a starling': 1, 'behind the falcon': 2 })
      .onChange((seat: number) => this.#ride(seat))
    gui.add(this.scenario, 'hunting').name('falcon')
    gui.add(this.scenario.startle, 'weight', 0, 1.5, 0.05).name('waves of agitation')
    const rules = gui.addFolder('Flock')
    addOption(rules, flock, 'maxNeighbors')
    addRuleWeights(rules, [flocking])
    const drawn = [flocking.cohesion, flocking.alignment]
    const { options: table } = Cohesion
    addOption(rules, drawn, 'neighborDistance', { table }).onChange((distance: number) => {
      flocking.separation.neighborDistance = 0.44 * distance
    })
    addOption(rules, drawn, 'fieldOfView', { table })
    addOption(rules, flock, 'maxSpeed', { min: 9 }).onChange((speed: number) => {
      flight.minSpeed = 0.55 * speed
    })
    rules.add(this.scenario.home, 'strength', 0, 2, 0.05).name('attraction of the roost')
  }

  dispose(): void {
    this.scenario.steering.dispose()
    this.#trail.dispose()
    this.#sky.dispose()
  }
}
