import type GUI from 'lil-gui'
import { CircleGeometry, Color, Mesh, Object3D, ShadowMaterial } from 'three'
import type { View } from 'three-steering/authoring'
import { addOption } from '../option-control.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { DEFAULT_CARS, MAX_CARS, Street, VAN, WALKERS } from '../scenarios/street.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { SEASIDE_SKY } from '../sky/seaside.js'
import type { Stage } from '../stage.js'
import { Chase } from '../views/chase.js'
import { Fountain, makeTown, makeTownLight } from '../views/town.js'
import { makeDeliveryVan, TownCar } from '../views/town-cars.js'
import { TownWalkers } from '../views/town-walkers.js'

const BACKGROUND = '#cfdde2'

export async function open(stage: Stage, { seed, count = DEFAULT_CARS }: SceneOptions): Promise<LiveScene> {
  const sky = makeBackdrop(stage.renderer, SEASIDE_SKY)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 0.55
  stage.scene.background = new Color(BACKGROUND)
  stage.renderer.shadowMap.enabled = true
  stage.renderer.toneMappingExposure = 0.9
  stage.frame([27, 41, 54], [2, 0, 0], 10, 170)
  stage.controls.maxPolarAngle = 1.4
  return new StreetScene(stage, sky, seed, Math.min(count, MAX_CARS))
}

class StreetScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: Street
  readonly #cars: readonly TownCar[]
  readonly #walkers = new TownWalkers(WALKERS)
  readonly #fountain = new Fountain()
  readonly #chase: Chase
  readonly #seat = new Object3D()
  #ridden: { car: number } | { walker: number } | null = null

  constructor(stage: Stage, sky: Backdrop, seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    this.#chase = new Chase(stage.camera, stage.controls)
    this.#cars = Array.from({ length: count }, (_, index) => new TownCar(index))
    this.scenario = new Street({
      seed,
      count,
      carView: (index) => this.#carView(index),
      walkerView: (index) => this.#walkerView(index),
    })
    const van = makeDeliveryVan()
    van.position.set(VAN.at.x, 0, VAN.at.z)
    van.rotation.y = Math.PI / 2
    const table = new Mesh(
      new CircleGeometry(260, 48).rotateX(-Math.PI / 2),
      new ShadowMaterial({ opacity: 0.22 }),
    )
    table.position.y = -3.6
    table.receiveShadow = true
    stage.scene.add(makeTown(), ...makeTownLight(), van, table, this.#walkers.object, this.#fountain.object)
    for (const { object } of this.#cars) {
      object.visible = false
      stage.scene.add(object)
    }
  }

  present(alpha: number, seconds: number): void {
    const { steering, cars } = this.scenario
    for (const { index, pilot } of cars) this.#cars[index]!.object.visible = pilot !== null
    steering.present(alpha)
    for (const { index, pilot, follow } of cars) {
      if (pilot === null) continue
      const { x: nose } = pilot.attitude
      const pace = pilot.velocity.x * nose.x + pilot.velocity.z * nose.z
      const model = this.#cars[index]!
      // the angle of the front wheels on its present curve
      const curve = Math.abs(pace) > 0.2 ? -pilot.angularVelocity.y / pace : 0
      model.roll(pace * seconds, Math.atan(model.wheelbase * curve))
      model.braking = follow !== null && follow.speed !== undefined && pace > follow.speed + 0.25
    }
    this.#walkers.update()
    this.#fountain.time = steering.time
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#stage.drift(0.012 * seconds)
  }

  panel(gui: GUI): void {
    const scenario = this.scenario
    gui
      .add({ camera: 0 }, 'camera', { 'above the town': 0, 'behind a car': 1, 'behind a walker': 2 })
      .onChange((choice: number) => this.#ride(choice))
    gui.add(scenario, 'pace', 3, 14, 0.5).name('pace of cars, m/s')
    gui.add(scenario, 'courteous').name('cars let walkers cross')
    const driving = gui.addFolder('Wheels')
    addOption(driving, scenario.wheels, 'maxSteer')
    addOption(driving, scenario.wheels, 'steerRate', { max: 3 })
    addOption(driving, scenario.wheels, 'grip', { min: 1, max: 12 })
    const walking = gui.addFolder('Walker')
    addOption(walking, scenario.walking, 'aside')
    addOption(walking, scenario.walking, 'astern')
    addOption(walking, scenario.avoidWalkers, 'caution', { label: 'caution, stopping times' })
  }

  dispose(): void {
    this.scenario.dispose()
    this.#sky.dispose()
  }

  #carView(index: number): View {
    return {
      write: (_, { position, quaternion }) => {
        const { object } = this.#cars[index]!
        object.position.copy(position)
        object.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
        if (this.#ridden !== null && 'car' in this.#ridden && this.#ridden.car === index) this.#sit(object)
      },
    }
  }

  #walkerView(index: number): View {
    return {
      write: (_, { position, quaternion }) => {
        this.#walkers.put(index, position, quaternion)
        if (this.#ridden === null || !('walker' in this.#ridden) || this.#ridden.walker !== index) return
        this.#seat.position.set(position.x, 1.4, position.z)
        this.#seat.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
      },
    }
  }

  #sit({ position, quaternion }: Object3D): void {
    this.#seat.position.copy(position).setY(1.2)
    this.#seat.quaternion.copy(quaternion)
  }

  /** Makes the camera follow a car that has just set out, or a walker. */
  #ride(choice: number): void {
    const young = this.scenario.cars
      .filter(({ pilot }) => pilot !== null)
      .toSorted((a, b) => a.station - b.station)[0]
    this.#ridden = choice === 1 && young ? { car: young.index } : choice === 2 ? { walker: 0 } : null
    if (choice === 1 && young) this.#sit(this.#cars[young.index]!.object)
    if (choice === 2) {
      const { position, quaternion } = this.scenario.walkers[0]!.pilot
      this.#seat.position.set(position.x, 1.4, position.z)
      this.#seat.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
    }
    this.#chase.follow(this.#ridden === null ? null : this.#seat, choice === 1 ? 14 : 9, true)
  }
}
