import type GUI from 'lil-gui'
import { Color, DirectionalLight, FogExp2, HemisphereLight, MathUtils, Vector3, type Object3D } from 'three'
import { loadModel } from '../models.js'
import { addOption } from '../option-control.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { DEFAULT_BLOCK, MAX_BLOCK, Needle, PATTERNS } from '../scenarios/needle.js'
import type { Station } from '../scenarios/needle-course.js'
import type { Slab } from '../scenarios/slabs.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { MIST_SKY, MIST_SUN } from '../sky/mist.js'
import type { Stage } from '../stage.js'
import { Board } from '../views/board.js'
import { Boulders } from '../views/boulders.js'
import { FleetView } from '../views/fleet-view.js'
import { GlassPipe } from '../views/glass-pipe.js'
import { Tags } from '../views/inquiry.js'
import { LightShafts } from '../views/light-shafts.js'
import { Mist } from '../views/mist.js'
import { Monoliths } from '../views/monoliths.js'
import { NeedleCamera, type NeedleView } from '../views/needle-camera.js'
import { SlotLines } from '../views/slot-lines.js'

/** Colours from the first ship of the column to the last. */
const LIVERY = [
  '#ffd166',
  '#ff9f4a',
  '#ff6b4a',
  '#f0476f',
  '#c04cc8',
  '#7b61ff',
  '#3f8cff',
  '#27bdf0',
  '#3fe0c5',
]
const liveryOf = (index: number): Color => new Color(LIVERY[index % LIVERY.length])

const AMBER = new Color('#ff9a3c')
const STONE_LOOK = {
  sun: MIST_SUN,
  sunColor: [3.2, 2.15, 1.2],
  dark: [0.06, 0.066, 0.07],
  pale: [0.24, 0.23, 0.21],
  sky: [0.1, 0.16, 0.2],
  bounce: [0.16, 0.16, 0.15],
}

/** Duration of the trails (s): they show the way through the opening behind. */
const TRAIL = 7

/** Names of the readings, and their marks. */
const READINGS = [
  { name: 'openings', color: '#ffd166' },
  { name: 'clearance', color: '#27bdf0' },
  { name: 'least so far', color: '#27bdf0' },
  { name: 'contacts', color: '#ff6b4a' },
  { name: 'formation', color: '#7b61ff' },
]
/** Clearances are shown below `SHOWN`, and marked below `NARROW` (m). */
const SHOWN = 30
const NARROW = 3.5
const metres = (length: number): string => `${length.toFixed(2)} m`

/** Time constant with which the lights around an opening turn on and off (s). */
const GLIMMER = 0.7

export async function open(stage: Stage, { seed, count = DEFAULT_BLOCK }: SceneOptions): Promise<LiveScene> {
  const models = await Promise.all(Array.from({ length: MAX_BLOCK }, () => loadModel('ship')))
  const sky = makeBackdrop(stage.renderer, MIST_SKY, 768)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 0.9
  stage.scene.fog = new FogExp2('#8f9a98', 0.0016)
  stage.camera.far = 8000
  stage.controls.minDistance = 8
  stage.controls.maxDistance = 320
  return new NeedleScene(stage, sky, models, seed, count)
}

class NeedleScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: Needle
  readonly #fleet: FleetView
  readonly #models: readonly Object3D[]
  readonly #mist = new Mist()
  readonly #stones: Monoliths
  readonly #pipe: GlassPipe
  readonly #light: LightShafts
  readonly #slots = new SlotLines(MAX_BLOCK, new Color('#8fe8ff'))
  readonly #glow = new Map<Station, number>()
  readonly #camera: NeedleCamera
  readonly #board: Board
  readonly #tags: Tags

  constructor(stage: Stage, sky: Backdrop, models: readonly Object3D[], seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    this.#models = models
    this.#fleet = new FleetView(models, liveryOf, TRAIL)
    this.scenario = new Needle({ seed, count, view: (index) => models[index]! })
    const { course } = this.scenario
    this.#stones = new Monoliths(course.slabs, () => AMBER)
    this.#pipe = new GlassPipe(course.path, course.pipe, { value: AMBER })
    this.#light = new LightShafts(course.slabs.filter((slab) => facesSun(slab)))
    const boulders = new Boulders(course.stones, STONE_LOOK)
    stage.scene.add(...lights(), sky.dome, this.#mist.object, this.#stones.object, this.#pipe.object)
    stage.scene.add(boulders.object, this.#light.object, this.#fleet.object, this.#slots.object)
    this.#showShips()
    this.#camera = new NeedleCamera(stage, this.scenario, models)
    this.#board = new Board('', READINGS, stage.cards)
    const named = models.map((object, k) => ({ pilot: { name: `ship ${k + 1}` }, object, isPresent: () => object.visible })) // prettier-ignore
    this.#tags = new Tags(stage, named, () => {})
  }

  present(alpha: number, seconds: number): void {
    const { steering } = this.scenario
    steering.present(alpha)
    this.#fleet.update({ ships: this.scenario.ships, impacts: [], steering }, steering.time, seconds)
    this.#stones.update()
    this.#mist.time = steering.time
    this.#light.update(steering.time)
    this.#updateLights(seconds)
    if (this.#slots.object.visible) this.#drawSlots()
    this.#camera.update(seconds)
    this.#read()
    this.#tags.update()
  }

  panel(gui: GUI): void {
    const scenario = this.scenario
    gui
      .add({ camera: this.#camera.view }, 'camera', {
        'behind them': 'through',
        'beside them': 'side',
      })
      .onChange((view: NeedleView) => {
        this.#camera.view = view
      })
    gui.add({ labels: true }, 'labels').onChange((on: boolean) => (this.#tags.shown = on))
    gui.add(this.#slots.object, 'visible').name('show formation slots')
    gui.add({ formation: 'block' }, 'formation', Object.keys(PATTERNS)).onChange((name: string) => {
      scenario.formation.pattern = PATTERNS[name]!
    })
    gui.add({ ships: scenario.count }, 'ships', 1, MAX_BLOCK, 1).onFinishChange((count: number) => {
      scenario.count = count
      this.#showShips()
    })
    addOption(gui, scenario.formation, 'spacing', { min: 6, max: 12 })
  }

  dispose(): void {
    this.#board.remove()
    this.#tags.remove()
    this.#camera.dispose()
    this.scenario.dispose()
    this.#fleet.dispose()
    this.#sky.dispose()
    this.#stage.camera.far = 4000
  }

  /** Writes the readings. */
  #read(): void {
    const { contacts, formation, formedIn, gap, leastGap, passages, ships } = this.scenario
    const shape = formation.isColumn ? 'column' : formation.changing ? 'changes' : 'formed'
    ships.forEach(({ index }) => this.#tags.write(index, shape))
    this.#board.write(0, `${passages} by all ${ships.length}`, 'fast')
    this.#board.write(1, gap < SHOWN ? metres(gap) : '–', gap < NARROW ? 'near' : '')
    this.#board.write(2, leastGap < SHOWN ? metres(leastGap) : '–', '')
    this.#board.write(3, String(contacts), contacts > 0 ? 'off' : 'fast')
    this.#board.write(
      4,
      shape === 'formed' && formedIn > 0 ? `formed in ${formedIn.toFixed(1)} s` : shape,
      shape === 'column' ? 'near' : '',
    )
  }

  /** Hides models of ships that do not fly. */
  #showShips(): void {
    this.#models.forEach((model, index) => {
      model.visible = index < this.scenario.count
    })
  }

  #drawSlots(): void {
    const { course, formation, leader, ships, station } = this.scenario
    this.#slots.begin(course.path, station)
    for (const { index, pilot } of ships) {
      const place = formation.placeOf(pilot.id)
      if (place !== null) this.#slots.put(place, this.#models[index]!.position, leader.velocity)
    }
    this.#slots.end()
  }

  /** Lights the lines around an opening while a ship is in it. */
  #updateLights(seconds: number): void {
    const { course, ships } = this.scenario
    const { path, stations, slabs, wheel } = course
    for (const station of stations) {
      const near = ships.some((ship) => {
        const into = path.within(ship.station - station.from + 14)
        return into < station.to - station.from + 28
      })
      const glow = MathUtils.damp(this.#glow.get(station) ?? 0, near ? 1 : 0, 1 / GLIMMER, seconds)
      this.#glow.set(station, glow)
      if (station.name === 'pipe') this.#pipe.light(glow)
    }
    for (const slab of slabs) {
      const at = slab === wheel ? wheel.at.position : slab.at.position
      const s = path.nearest(at)
      const station = stations.find(({ from, to }) => path.within(s - from + 1) < to - from + 2)
      if (station) this.#stones.light(slab, this.#glow.get(station) ?? 0)
    }
  }
}

/** Whether sunlight falls through the opening of a slab, because it faces the sun. */
function facesSun({ at, opening }: Slab): boolean {
  const through = new Vector3(0, 0, 1).applyQuaternion(at.quaternion)
  return opening !== undefined && Math.abs(through.dot(MIST_SUN)) > 0.8
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#ffdcae', 3.4)
  sun.position.copy(MIST_SUN).multiplyScalar(100)
  return [sun, new HemisphereLight('#8fb4c8', '#a3978a', 0.7)]
}
