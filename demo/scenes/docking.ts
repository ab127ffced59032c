import type GUI from 'lil-gui'
import { DirectionalLight, HemisphereLight, Object3D, Vector3 } from 'three'
import { loadModel } from '../models.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { Docking } from '../scenarios/docking.js'
import { boatOf, DEFAULT_BOATS, MAX_BOATS, type Ship } from '../scenarios/port-traffic.js'
import { padDirection, PORT_REACH, PORTS, SPIN } from '../scenarios/spaceport.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { makeStars, SPACE_SKY } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { Board } from '../views/board.js'
import { BoatsView } from '../views/boats-view.js'
import { Boulders } from '../views/boulders.js'
import { Chase } from '../views/chase.js'
import { behindBodies, DockingCue } from '../views/cues.js'
import { Director } from '../views/director.js'
import { Containers } from '../views/containers.js'
import { HarborView } from '../views/harbor-view.js'
import { Tags } from '../views/inquiry.js'
import { Pads, surfaceOf } from '../views/pads.js'
import { Planet } from '../views/planet.js'
import { inTurn, MINE_SIZE, POLAR_SKIN, rocksUnder } from '../views/spaceport-look.js'
import { Sparks } from '../views/sparks.js'
import { copyPose } from '../views/copy-pose.js'

const SUN = new Vector3(0.9, 0.24, -0.02).normalize()

const LIVERY = ['#ff8a3d', '#3dc8ff', '#ffd23d', '#ff5a6e', '#6dea9a', '#b58cff', '#f2f4f8', '#ff9ad5', '#9be23d', '#5a8cff'] // prettier-ignore
const liveryOf = inTurn(LIVERY)

/** Camera position and target, relative to the station (m): ships that wait are in the picture as well. */
const SEAT = [23, 43, 106] as const
const AIM = [-8, -5, -9] as const

export async function open(stage: Stage, options: SceneOptions): Promise<LiveScene> {
  const count = Math.min(options.count ?? DEFAULT_BOATS, MAX_BOATS)
  const [station, ...ships] = await Promise.all([
    loadModel('spaceport'),
    ...Array.from({ length: count }, (_, k) => loadModel(boatOf(k).model)),
  ])
  const sky = makeBackdrop(stage.renderer, SPACE_SKY)
  const skin = makeBackdrop(stage.renderer, POLAR_SKIN, 1024)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 3
  stage.frame(SEAT, AIM, 6, 320)
  return new DockingScene(stage, { sky, skin, ships, station }, options.seed)
}

interface Props {
  readonly sky: Backdrop
  readonly skin: Backdrop
  readonly ships: readonly Object3D[]
  readonly station: Object3D
}

class DockingScene implements LiveScene {
  readonly #stage: Stage
  readonly scenario: Docking
  readonly #props: Props
  readonly #harbor: HarborView
  readonly #containers: Containers
  readonly #boulders: Boulders
  readonly #pads: Pads
  readonly #board: Board
  readonly #boats: BoatsView
  readonly #planet: Planet
  readonly #sparks = new Sparks()
  readonly #chase: Chase
  readonly #director: Director
  readonly #cue: DockingCue
  readonly #tags: Tags
  readonly #mine = new Object3D()
  readonly #last = new Vector3()
  /** A ship, 100 and a port from which the camera looks, −1 for the director, −2 for the overview. */
  #view = -1

  constructor(stage: Stage, props: Props, seed: number) {
    this.#stage = stage
    this.#props = props
    const { ships, skin, sky, station } = props
    this.#chase = new Chase(stage.camera, stage.controls)
    const scenario = new Docking({ seed, count: ships.length, view: (index) => ships[index]! })
    this.scenario = scenario
    this.#director = new Director(stage.camera, stage.controls, behindBodies(scenario.hulls))
    this.#cue = new DockingCue(scenario.traffic, ships)
    const named = scenario.ships.map(({ pilot, index }) => ({ pilot, object: ships[index]! }))
    this.#tags = new Tags(stage, named, (index) => this.#chooseView(index))
    this.#harbor = new HarborView(station)
    this.#containers = new Containers(scenario.containers, ({ ship, mount }) => boatOf(ship).mounts[mount]!)
    const mine = {
      radius: MINE_SIZE,
      position: scenario.mine.position,
      quaternion: scenario.mine.quaternion,
    }
    const passing = scenario.rocks.rocks.map(({ body: { position, quaternion }, radius }) => ({ radius, position, quaternion })) // prettier-ignore
    this.#boulders = new Boulders([mine, ...passing], rocksUnder(SUN))
    const pads = ships.map((_, k) => padDirection(k, ships.length))
    this.#pads = new Pads(pads, surfaceOf(MINE_SIZE), liveryOf)
    const names = ships.map((_, k) => ({ name: `${boatOf(k).name} ${k + 1}`, color: LIVERY[k]! }))
    this.#board = new Board('Traffic', names, stage.cards)
    this.#boats = new BoatsView(ships, scenario, liveryOf)
    this.#planet = new Planet(420, skin.texture, SUN)
    this.#planet.object.position.set(-350, -745, -375)
    stage.scene.add(...lights(), sky.dome, makeStars(2600, 3), this.#planet.object, station)
    stage.scene.add(this.#containers.object, this.#boulders.object, this.#pads.object)
    stage.scene.add(this.#boats.object, this.#sparks.object)
  }

  present(alpha: number, seconds: number): void {
    const { mine, ships, station, steering, time } = this.scenario
    steering.present(alpha)
    copyPose(this.#props.station, station, alpha)
    copyPose(this.#mine, mine, alpha)
    this.#planet.time = time
    this.#sparks.time = time
    this.#harbor.update(this.scenario)
    this.#pads.follow(this.#mine, time)
    this.#containers.update(this.#props.ships, this.#props.station, this.#pads, time)
    this.#boulders.update()
    this.#boats.update(this.scenario, seconds)
    for (const ship of ships) this.#updateBoard(ship)
    this.#updateCamera(seconds)
    this.#tags.update()
    for (const { port } of this.scenario.traffic.fresh.splice(0)) this.#puff(port)
    for (const { position, speed } of this.scenario.traffic.impacts.splice(0))
      this.#sparks.burst(
        position,
        station.velocity,
        1.5 + 0.5 * speed,
        Math.min(60, Math.round(8 + 4 * speed)),
      )
  }

  panel(gui: GUI): void {
    const { ships } = this.#props
    const views: Record<string, number> = { director: -1, overview: -2 }
    for (let k = 0; k < PORTS; k++) views[`out of port ${k + 1}`] = 100 + k
    ships.forEach((_, index) => (views[`with ${boatOf(index).name} ${index + 1}`] = index))
    gui.add({ camera: -1 }, 'camera', views).onChange((choice: number) => this.#chooseView(choice))
    gui.add({ labels: true }, 'labels').onChange((on: boolean) => (this.#tags.shown = on))
    gui
      .add({ board: true }, 'board')
      .name('traffic board')
      .onChange((on: boolean) => (this.#board.shown = on))
    gui
      .add({ spin: SPIN }, 'spin', 0.01, 0.05, 0.005)
      .name('station turns, rad/s')
      .onChange((spin: number) => (this.scenario.wheels = spin))
  }

  dispose(): void {
    this.#stage.camera.up.set(0, 1, 0)
    this.#director.dispose()
    this.#tags.remove()
    this.#board.remove()
    this.scenario.dispose()
    this.#boats.dispose()
    this.#props.sky.dispose()
    this.#props.skin.dispose()
  }

  #updateBoard(ship: Ship): void {
    this.#pads.light(ship.index, ship.leg === 'load')
    const [text, look] = wordsFor(ship)
    this.#board.write(ship.index, text, look)
    this.#tags.write(ship.index, ship.leg)
  }

  /** A few sparks where a ship has docked. */
  #puff(port: number): void {
    const angle = (port / PORTS) * 2 * Math.PI
    const { quaternion, position } = this.#props.station
    spot.set(Math.sin(angle), 0, Math.cos(angle)).multiplyScalar(PORT_REACH)
    this.#sparks.burst(
      spot.applyQuaternion(quaternion).add(position),
      this.scenario.station.velocity,
      1.2,
      14,
    )
  }

  #chooseView(choice: number): void {
    const { camera, controls } = this.#stage
    const ship = this.#props.ships[choice]
    this.#view = choice
    camera.up.set(0, 1, 0)
    this.#chase.follow(ship ?? null, ship ? 6 + 3.4 * boatOf(choice).radius : 0)
    this.#director.cut()
    if (choice !== -2) return
    const { position } = this.#props.station
    this.#stage.frame(
      [SEAT[0] + position.x, SEAT[1] + position.y, SEAT[2] + position.z],
      [AIM[0] + position.x, AIM[1] + position.y, AIM[2] + position.z],
      6,
      320,
    )
    camera.updateMatrixWorld()
    controls.update()
  }

  /** Moves the camera with the station or with a ship, or holds it in the window above a port. */
  #updateCamera(seconds: number): void {
    const { camera, controls } = this.#stage
    const { position, quaternion } = this.#props.station
    spot.subVectors(position, this.#last)
    this.#last.copy(position)
    this.#chase.update(seconds)
    if (this.#view === -1)
      this.#director.frame(this.#cue.cue(this.scenario.time, this.#stage.camera.aspect < 1), seconds)
    else if (this.#view >= 100) {
      camera.up.set(0, 1, 0).applyQuaternion(quaternion)
      const angle = ((this.#view - 100) / PORTS) * 2 * Math.PI
      const out = exhaust.set(Math.sin(angle), 0, Math.cos(angle))
      camera.position
        .copy(out)
        .multiplyScalar(PORT_REACH - 5)
        .setY(5.2)
        .applyQuaternion(quaternion)
        .add(position)
      controls.target
        .copy(out)
        .multiplyScalar(PORT_REACH + 9)
        .setY(1)
        .applyQuaternion(quaternion)
        .add(position)
    } else if (!this.#chase.following) {
      camera.position.add(spot)
      controls.target.add(spot)
      this.#stage.drift(0.008 * seconds)
    }
  }
}

const exhaust = new Vector3()
const spot = new Vector3()

/** Text of the traffic board for a ship, and its style class. */
function wordsFor({ freight, leg, port, stage }: Ship): readonly [text: string, look: string] {
  if (leg === 'docked')
    return [`port ${port + 1}, ${freight.aboard > 0 ? `unloads ${freight.aboard}` : 'empty'}`, 'fast']
  if (leg === 'undock') return [`leaves port ${port + 1}`, '']
  if (leg === 'cross') return ['to the mine', '']
  if (leg === 'load') return ['loads', '']
  if (stage === 'queue') return ['waits', 'off']
  if (stage === 'abort') return ['falls back', 'off']
  return [stage === 'align' ? 'lines up' : stage, 'near']
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#fff1dc', 3.2)
  sun.position.copy(SUN).multiplyScalar(100)
  // light reflected by the planet below
  const bounce = new HemisphereLight('#1b2440', '#2f62a8', 0.9)
  const rim = new DirectionalLight('#4f8fff', 0.7)
  rim.position.set(-70, -30, -80)
  return [sun, bounce, rim]
}
