import type GUI from 'lil-gui'
import { Color, DirectionalLight, HemisphereLight, MeshStandardMaterial, Vector3, type Object3D } from 'three'
import { Thrusters } from 'three-steering'
import { AGENT_OPTIONS } from 'three-steering/authoring'
import { loadModel, meshesOf, partOf } from '../models.js'
import { addOption } from '../option-control.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js'
import { LIMITS } from '../scenarios/hull.js'
import { ROCK_COUNT } from '../scenarios/rocks.js'
import { DEFAULT_SHIPS, MAX_SHIPS, Ships } from '../scenarios/ships.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { makeStars, PLANET_SKIN, SPACE_SKY } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { Chase } from '../views/chase.js'
import { Nozzles, nozzlesOf } from '../views/nozzles.js'
import { Planet } from '../views/planet.js'
import { Plumes } from '../views/plumes.js'
import { Sparks } from '../views/sparks.js'
import { copyPose } from '../views/copy-pose.js'

const SUN = new Vector3(0.86, 0.42, -0.12).normalize()
const LIVERY = ['#ff8a3d', '#3dc8ff', '#ffd23d', '#ff5a6e', '#6dea9a', '#b58cff']
const liveryOf = (index: number): Color => new Color(LIVERY[index % LIVERY.length])

export async function open(stage: Stage, options: SceneOptions): Promise<LiveScene> {
  const { seed } = options
  const count = Math.min(options.count ?? DEFAULT_SHIPS, MAX_SHIPS)
  const [ships, stations, rocks] = await Promise.all([
    Promise.all(Array.from({ length: count }, () => loadModel('ship'))),
    Promise.all(Array.from({ length: 3 }, () => loadModel('station'))),
    loadModel('rocks'),
  ])
  const sky = makeBackdrop(stage.renderer, SPACE_SKY)
  const skin = makeBackdrop(stage.renderer, PLANET_SKIN, 1024)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 3
  // upright the three stations are seen from above, so that they fit side by side
  if (stage.camera.aspect < 1) stage.frame([6, 62, 88], [1, -3, -22], 8, 320)
  else stage.frame([4, 24, 92], [0, -2, -14], 8, 320)
  return new ShipsScene(stage, { sky, skin, ships, stations, rocks }, seed)
}

interface Props {
  readonly sky: Backdrop
  readonly skin: Backdrop
  readonly ships: readonly Object3D[]
  readonly stations: readonly Object3D[]
  readonly rocks: Object3D
}

class ShipsScene implements LiveScene {
  readonly #stage: Stage
  readonly #scenario: Ships
  readonly #props: Props
  readonly #rocks: readonly Object3D[]
  readonly #nozzles: readonly Nozzles[]
  readonly #plumes: Plumes
  readonly #trails: Trails
  readonly #planet: Planet
  readonly #sparks = new Sparks()
  /** Glowing material of the engines, one per ship. */
  readonly #lamps: MeshStandardMaterial[] = []
  readonly #exhaust = new Vector3()
  readonly #chase: Chase

  constructor(stage: Stage, props: Props, seed: number) {
    this.#stage = stage
    this.#props = props
    this.#chase = new Chase(stage.camera, stage.controls)
    const { ships, stations } = props
    this.#scenario = new Ships({ seed, count: ships.length, view: (index) => ships[index]! })
    const flames = nozzlesOf(ships[0]!).length
    this.#plumes = new Plumes(flames * ships.length)
    this.#trails = new Trails({ count: ships.length, points: 120, width: 0.3, opacity: 0.6, color: liveryOf })
    this.#planet = new Planet(420, props.skin.texture, SUN)
    this.#planet.object.position.set(-390, -330, -760)
    this.#nozzles = ships.map((ship, index) => this.#dress(ship, index, flames))
    stations.forEach((station, index) => copyPose(station, this.#scenario.harbor.stations[index]!, 1))
    this.#rocks = Array.from({ length: ROCK_COUNT }, (_, index) => this.#makeRock(index))
    stage.scene.add(...lights(), props.sky.dome, makeStars(2600, 3), this.#planet.object)
    stage.scene.add(...ships, ...stations, ...this.#rocks)
    stage.scene.add(this.#trails.object, this.#plumes.object, this.#sparks.object)
    const height = (): void => {
      const pixels = stage.renderer.getPixelRatio()
      this.#sparks.object.material.uniforms['pixels']!.value = pixels
    }
    stage.onResize = height
    height()
  }

  step(): void {
    this.#scenario.step(FIXED_STEP)
  }

  present(alpha: number, seconds: number): void {
    const { steering, ships, launcher, impacts, time } = this.#scenario
    steering.present(alpha)
    this.#planet.time = time
    this.#sparks.time = time
    ships.forEach(({ pilot }, index) => {
      const nozzles = this.#nozzles[index]!
      nozzles.update(pilot.force, pilot.torque, seconds)
      this.#lamps[index]!.emissiveIntensity = 0.15 + 2 * nozzles.main
      this.#trace(index)
    })
    this.#trails.advance(seconds)
    this.#plumes.update(time)
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#stage.drift(0.008 * seconds)
    launcher.rocks.forEach(({ body, since }, index) => {
      const rock = this.#rocks[index]!
      rock.visible = since >= 0
      if (!rock.visible) return
      copyPose(rock, body, alpha)
      // a rock grows from nothing instead of appearing suddenly
      rock.scale.setScalar(body.boundingRadius * Math.min(1, (time - since) * 2 + 0.02))
    })
    for (const { position, speed } of impacts.splice(0)) {
      this.#sparks.burst(
        position,
        { x: 0, y: 0, z: 0 },
        1.5 + 0.5 * speed,
        Math.min(60, Math.round(4 * speed)),
      )
    }
  }

  state(): SceneState {
    return this.#scenario.state()
  }

  panel(gui: GUI): void {
    const scenario = this.#scenario
    const { ships } = this.#props
    const views = Object.fromEntries(ships.map((_, index) => [`behind ship ${index + 1}`, index]))
    gui
      .add({ camera: -1 }, 'camera', { overview: -1, ...views })
      .onChange((index: number) => this.#chase.follow(ships[index] ?? null, 15))
    const folder = gui.addFolder('Rocks')
    folder.add({ rock: () => scenario.throwRock() }, 'rock').name('throw a rock')
    folder.add(scenario, 'throwing').name('rocks keep coming')
    const limits = {
      ahead: LIMITS.ahead,
      astern: LIMITS.astern,
      up: LIMITS.up,
      maxTorque: LIMITS.torque,
      maxSpeed: 15,
    }
    const engines = gui.addFolder('Engines')
    const { options: table } = Thrusters
    addOption(engines, limits, 'ahead', { table, min: 20 })
    addOption(engines, limits, 'astern', { table, min: 10 })
    addOption(engines, limits, 'up', { table, label: 'to each side', min: 5 })
    addOption(engines, limits, 'maxTorque', { table: AGENT_OPTIONS, min: 20 })
    addOption(engines, limits, 'maxSpeed', { table: AGENT_OPTIONS, min: 5 })
    engines.onChange(() => scenario.refit(limits))
  }

  dispose(): void {
    this.#scenario.dispose()
    this.#trails.dispose()
    this.#props.sky.dispose()
    this.#props.skin.dispose()
  }

  #dress(ship: Object3D, index: number, flames: number): Nozzles {
    const color = liveryOf(index)
    for (const { material } of meshesOf(ship)) {
      if (material instanceof MeshStandardMaterial && material.name === 'accent') material.color.copy(color)
      if (material instanceof MeshStandardMaterial && material.name === 'lamp') this.#lamps.push(material)
    }
    const nozzles = new Nozzles(ship, this.#plumes, index * flames, LIMITS)
    nozzlesOf(ship).forEach((node, k) => {
      const tint = node.name.startsWith('nozzle_ahead') ? new Color('#58a8ff') : new Color('#9fd0ff')
      this.#plumes.paint(index * flames + k, tint)
    })
    return nozzles
  }

  #trace(index: number): void {
    const ship = this.#props.ships[index]!
    const { velocity } = this.#scenario.ships[index]!.pilot
    const tail = this.#exhaust.set(0, 0.12, -2.4).applyQuaternion(ship.quaternion).add(ship.position)
    const speed = Math.hypot(velocity.x, velocity.y, velocity.z)
    this.#trails.put(index, tail.x, tail.y, tail.z, Math.min(1, speed / 10))
  }

  #makeRock(index: number): Object3D {
    const rock = partOf(this.#props.rocks, `rock_${index % 3}`).clone()
    rock.visible = false
    return rock
  }
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#fff1dc', 3.4)
  sun.position.copy(SUN).multiplyScalar(100)
  // light reflected by the planet below
  const bounce = new HemisphereLight('#1b2440', '#2f62a8', 0.9)
  const rim = new DirectionalLight('#4f8fff', 0.8)
  rim.position.set(-60, -50, -90)
  return [sun, bounce, rim]
}
