import type GUI from 'lil-gui'
import { Color, DirectionalLight, HemisphereLight, LineSegments, Material, type Object3D } from 'three'
import { AGENT_OPTIONS } from 'three-steering/authoring'
import { SteeringHelper } from 'three-steering/debug'
import { loadModel } from '../models.js'
import { addOption } from '../option-control.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { Asteroids, DEFAULT_CROSSERS } from '../scenarios/asteroids.js'
import { MAX_CROSSERS, TOP_SPEED } from '../scenarios/fleet.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { isCovered, RINGS_SKY, RINGS_SUN } from '../sky/rings.js'
import { makeStars } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { Boulders } from '../views/boulders.js'
import { Buoys } from '../views/buoys.js'
import { AsteroidsCue, behindBalls } from '../views/cues.js'
import { Director } from '../views/director.js'
import { FleetView } from '../views/fleet-view.js'
import { Tags } from '../views/inquiry.js'
import { Versus } from '../views/versus.js'

const LIVERY = ['#ff8a3d', '#3dc8ff', '#ffd23d', '#ff5a6e', '#6dea9a', '#b58cff', '#f2f4f8']
const liveryOf = (index: number): Color => new Color(LIVERY[index % LIVERY.length])

const ROCK_LOOK = {
  sun: RINGS_SUN,
  sunColor: [3.1, 2.65, 2.1],
  dark: [0.05, 0.043, 0.04],
  pale: [0.23, 0.2, 0.18],
  sky: [0.05, 0.055, 0.085],
  bounce: [0.16, 0.11, 0.08],
}
const PLANE_LAYERS = ['yz plane', 'discs', 'wanted direction', 'chosen direction']

export async function open(
  stage: Stage,
  { seed, count = DEFAULT_CROSSERS }: SceneOptions,
): Promise<LiveScene> {
  const total = Math.min(count, MAX_CROSSERS)
  const fleet = (): Promise<Object3D[]> => Promise.all(Array.from({ length: total }, () => loadModel('ship')))
  const [ships, twins] = await Promise.all([fleet(), fleet()])
  const sky = makeBackdrop(stage.renderer, RINGS_SKY, 640)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 1.6
  frameField(stage)
  return new AsteroidsScene(stage, sky, ships, twins, seed)
}

class AsteroidsScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: Asteroids
  readonly #ships: FleetView
  readonly #twins: FleetView
  readonly #boulders: Boulders
  readonly #buoys: Buoys
  readonly #director: Director
  readonly #cue: AsteroidsCue
  readonly #tags: Tags
  /** The ship that the visitor has chosen. −1: the director chooses; −2: the whole field. */
  #chosen = -1
  /** The ship whose YZ plane is drawn, or −1. */
  #shown = -1
  #plane = true
  #helper: SteeringHelper | null = null
  #versus: Versus | null = null

  constructor(
    stage: Stage,
    sky: Backdrop,
    ships: readonly Object3D[],
    twins: readonly Object3D[],
    seed: number,
  ) {
    this.#stage = stage
    this.#sky = sky
    this.#ships = new FleetView(ships, liveryOf)
    this.#twins = new FleetView(twins, liveryOf)
    this.#twins.object.visible = false
    this.scenario = new Asteroids({
      seed,
      count: ships.length,
      view: (pilotage, index) => (pilotage === 'textbook' ? twins : ships)[index]!,
    })
    this.#boulders = new Boulders(this.scenario.field.rocks, ROCK_LOOK)
    this.#buoys = new Buoys(this.scenario.fleet.buoys)
    this.#director = new Director(stage.camera, stage.controls, behindBalls(this.scenario.field.rocks))
    this.#cue = new AsteroidsCue(this.scenario, ships)
    const named = ships.map((object, k) => ({ pilot: { name: `ship ${k + 1}` }, object }))
    this.#tags = new Tags(stage, named, (index) => this.#choose(index))
    stage.scene.add(
      ...lights(),
      sky.dome,
      makeStars(2200, 5, isCovered),
      this.#boulders.object,
      this.#buoys.object,
    )
    stage.scene.add(this.#ships.object, this.#twins.object)
  }

  present(alpha: number, seconds: number): void {
    const { fleet, twins } = this.scenario
    const { time } = fleet.steering
    fleet.steering.present(alpha)
    twins?.steering.present(alpha)
    this.#boulders.update()
    this.#ships.update(fleet, time, seconds)
    if (twins) this.#twins.update(twins, time, seconds)
    this.#light(time)
    if (this.#chosen === -2) this.#stage.drift(0.006 * seconds)
    else {
      const cue = this.#cue.cue(this.#chosen, 21)
      this.#director.frame(cue, seconds)
      this.#draw(this.#plane ? cue.key : -1)
    }
    for (const [index, { underway }] of fleet.ships.entries())
      this.#tags.write(index, underway ? 'crosses' : 'waits')
    this.#tags.update()
    if (this.#helper) showThrough(this.#helper)
    this.#versus?.write(hits(twins?.hits ?? 0), hits(fleet.hits))
  }

  panel(gui: GUI): void {
    const draft = { camera: -1, plane: true, compared: false, weight: 1, maxSpeed: TOP_SPEED }
    const views = Object.fromEntries(this.#ships.ships.map((_, index) => [`behind ship ${index + 1}`, index]))
    gui
      .add(draft, 'camera', { director: -1, overview: -2, ...views })
      .onChange((index: number) => this.#choose(index))
    gui
      .add(draft, 'plane')
      .name('show the YZ plane')
      .onChange((on: boolean) => (this.#plane = on))
    gui.add({ labels: true }, 'labels').onChange((on: boolean) => (this.#tags.shown = on))
    gui
      .add(draft, 'compared')
      .name('compare with the textbook')
      .onChange((on: boolean) => {
        this.#compare(on)
        weight.show(on)
        weight.setValue(1)
      })
    const weight = gui
      .add(draft, 'weight', 0.5, 3, 0.1)
      .name('textbook: weight')
      .onChange((value: number) => {
        if (this.scenario.twins) this.scenario.twins.weight = value
      })
      .hide()
    addOption(gui, draft, 'maxSpeed', { table: AGENT_OPTIONS, min: 8 }).onChange((speed: number) => {
      for (const fleet of [this.scenario.fleet, this.scenario.twins])
        for (const { pilot } of fleet?.ships ?? []) pilot.maxSpeed = speed
    })
  }

  dispose(): void {
    this.#draw(-1)
    this.#director.dispose()
    this.#tags.remove()
    this.#versus?.remove()
    this.scenario.dispose()
    this.#ships.dispose()
    this.#twins.dispose()
    this.#sky.dispose()
  }

  #choose(index: number): void {
    this.#chosen = index
    this.#director.cut()
    if (index !== -2) return
    this.#draw(-1)
    frameField(this.#stage)
  }

  /** Draws the YZ plane of a ship, or of none with −1. */
  #draw(index: number): void {
    if (index === this.#shown) return
    this.#shown = index
    this.#helper?.dispose()
    this.#helper = null
    const ship = this.scenario.fleet.ships[index]
    if (!ship) return
    this.#helper = new SteeringHelper(ship.pilot, { layers: PLANE_LAYERS })
    this.#stage.scene.add(this.#helper)
  }

  /** Restarts with both fleets, or with one. */
  #compare(on: boolean): void {
    this.#draw(-1)
    this.scenario.start(on)
    this.#versus?.remove()
    this.#versus = null
    const { steering } = this.scenario.fleet
    steering.present(1)
    this.scenario.twins?.steering.present(1)
    this.#ships.restart()
    this.#twins.restart()
    const show = (twins: boolean): void => {
      this.#ships.object.visible = !twins
      this.#twins.object.visible = twins
      if (this.#helper) this.#helper.visible = !twins
    }
    show(false)
    if (!on) return
    this.#versus = new Versus(
      this.#stage,
      { title: 'textbook, weighted sum', look: 'worse', show: () => show(true) },
      { title: 'AvoidObstacles', look: 'better', show: () => show(false) },
    )
  }

  /** A buoy that a ship holds glows in the colour of the ship. */
  #light(time: number): void {
    const { buoys, ships } = this.scenario.fleet
    buoys.forEach((_, index) => this.#buoys.paint(index, IDLE, 0.3))
    ships.forEach(({ buoy, underway }, index) => this.#buoys.paint(buoy, liveryOf(index), underway ? 1 : 0.6))
    this.#buoys.time = time
  }
}

/** Shows the whole field. Upright it is nearer and higher: the field is wider than the picture anyway. */
function frameField(stage: Stage): void {
  if (stage.camera.aspect < 1) stage.frame([-26, 40, 58], [-1, -5, 2], 8, 260)
  else stage.frame([-44, 15, 88], [-1, -3, 0], 8, 260)
}

/** Draws the helper's lines on top of the rocks. */
function showThrough(helper: SteeringHelper): void {
  helper.update()
  for (const lines of helper.children) {
    lines.renderOrder = 10
    if (lines instanceof LineSegments && lines.material instanceof Material) lines.material.depthTest = false
  }
}

const IDLE = new Color('#9fb4d8')

function hits(count: number): string {
  return count === 1 ? '1 hit' : `${count} hits`
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#fff0dc', 3.6)
  sun.position.copy(RINGS_SUN).multiplyScalar(100)
  // light reflected by the planet and its rings
  const bounce = new HemisphereLight('#4a5478', '#8a6448', 2.2)
  return [sun, bounce]
}
