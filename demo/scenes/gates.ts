import type GUI from 'lil-gui'
import { Color, DirectionalLight, HemisphereLight, MeshStandardMaterial, Vector3, type Object3D } from 'three'
import { loadModel, meshesOf } from '../models.js'
import { GateRace, MAX_RACERS, type Line, type Racer } from '../scenarios/gate-race.js'
import { GATES, RIM } from '../scenarios/race-gates.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { AURORA_MOON, AURORA_SKY, isBelowPeaks } from '../sky/aurora.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { makeStars } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { Board, type BoardLine } from '../views/board.js'
import { Chase } from '../views/chase.js'
import { CourseLines } from '../views/course-lines.js'
import { Nozzles, nozzlesOf } from '../views/nozzles.js'
import { Plumes } from '../views/plumes.js'
import { RingGates } from '../views/ring-gates.js'

const NAMES = ['Kestrel', 'Merlin', 'Swift', 'Hobby', 'Plover', 'Tern', 'Petrel', 'Skua'] as const
const LIVERY = [
  '#ff4f5e',
  '#ff9838',
  '#ffe14a',
  '#6dff8a',
  '#35f0d8',
  '#4aa8ff',
  '#a06bff',
  '#ff62d0',
] as const
const lineOf = (index: number): BoardLine => ({ name: NAMES[index]!, color: LIVERY[index]! })
const colorOf = (index: number): Color => new Color(LIVERY[index])

/** Scale of the ships. They are drawn larger than the model. */
const SCALE = 1.9

export async function open(stage: Stage, { seed, count = MAX_RACERS }: SceneOptions): Promise<LiveScene> {
  const models = await Promise.all(
    Array.from({ length: Math.max(1, Math.min(count, MAX_RACERS)) }, () => loadModel('ship')),
  )
  const sky = makeBackdrop(stage.renderer, AURORA_SKY, 768)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 2.2
  stage.frame([150, 26, 196], [0, 6, 0], 14, 620)
  return new GatesScene(stage, sky, models, seed)
}

class GatesScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: GateRace
  readonly #ships: readonly Object3D[]
  readonly #nozzles: readonly Nozzles[]
  readonly #plumes: Plumes
  readonly #trails: Trails
  readonly #gates = new RingGates(GATES, RIM)
  readonly #lines: CourseLines
  readonly #board: Board
  readonly #chase: Chase
  #view: 'overview' | 'leader' | number
  #followed: Racer | null = null
  #showLines = true

  constructor(stage: Stage, sky: Backdrop, models: readonly Object3D[], seed: number) {
    this.#stage = stage
    this.#sky = sky
    this.#chase = new Chase(stage.camera, stage.controls)
    this.#ships = models
    // it starts last, and overtakes: the others and the gates are ahead
    this.#view = models.length - 1
    for (const model of models) model.scale.setScalar(SCALE)
    this.scenario = new GateRace({ seed, count: models.length, view: (index) => models[index]! })
    const flames = nozzlesOf(models[0]!).length
    this.#plumes = new Plumes(flames * models.length)
    this.#nozzles = models.map((model, index) => this.#dress(model, index, flames))
    this.#trails = new Trails({
      count: models.length,
      points: 180,
      interval: 1 / 36,
      width: 0.9,
      opacity: 0.2,
      color: colorOf,
    })
    this.#lines = new CourseLines(models.map((_, index) => colorOf(index)))
    this.#drawLines()
    this.#board = new Board(
      '',
      models.map((_, index) => lineOf(index)),
      stage.cards,
    )
    const stars = makeStars(1500, 5, isBelowPeaks)
    stage.scene.add(...lights(), sky.dome, stars, this.#gates.object, this.#lines.object, ...this.#ships)
    stage.scene.add(this.#trails.object, this.#plumes.object)
  }

  present(alpha: number, seconds: number): void {
    const { steering, racers, order, passings, time } = this.scenario
    steering.present(alpha)
    for (const { gate, racer } of passings.splice(0)) this.#gates.pass(gate, colorOf(racer))
    this.#gates.update(order[0]!.record?.next ?? 0, seconds)
    for (const { index, pilot, body } of racers) {
      const ship = this.#ships[index]!
      // a ship that left the race is moved out of sight, with its exhaust
      if (!pilot.active) ship.position.set(0, -1e4, 0)
      else if (!ship.visible) this.#trails.restart(index, body.position.x, body.position.y, body.position.z)
      ship.visible = pilot.active
      this.#nozzles[index]!.update(pilot.force, pilot.torque, seconds)
      const tail = exhaust.set(0, 0.2, -4.2).applyQuaternion(ship.quaternion).add(ship.position)
      this.#trails.put(index, tail.x, tail.y, tail.z, pilot.active ? 1 : 0)
    }
    this.#trails.advance(seconds)
    this.#plumes.update(time)
    this.#updateCamera(seconds)
    this.#updateBoard()
  }

  panel(gui: GUI): void {
    const race = this.scenario
    const ships = Object.fromEntries(race.racers.map(({ index }) => [`behind ${NAMES[index]}`, index]))
    gui
      .add({ camera: this.#view }, 'camera', {
        overview: 'overview',
        'behind the leader': 'leader',
        ...ships,
      })
      .onChange((view: 'overview' | 'leader' | number) => (this.#view = view))
    gui
      .add(race, 'line', { 'racing line': 'racing', 'through the middles': 'centre' } satisfies Record<
        string,
        Line
      >)
      .name('course')
      .onChange(() => this.#drawLines())
    gui.add(race, 'technique', ['reprojection', 'dog-on-a-string', 'grappling-hooks'])
    gui
      .add(race, 'flying', 1, race.racers.length, 1)
      .name('ships')
      .onChange(() => this.#drawLines())
    gui
      .add({ lines: this.#showLines }, 'lines')
      .name('show the lines')
      .onChange((on: boolean) => {
        this.#showLines = on
        this.#drawLines()
      })
  }

  dispose(): void {
    this.scenario.dispose()
    this.#trails.dispose()
    this.#sky.dispose()
    this.#board.remove()
  }

  #updateCamera(seconds: number): void {
    const wanted =
      this.#view === 'overview'
        ? null
        : this.#view === 'leader'
          ? this.scenario.order[0]!
          : (this.scenario.order.find(({ index }) => index === this.#view) ?? this.scenario.order[0]!)
    if (wanted !== this.#followed) {
      this.#chase.follow(wanted === null ? null : this.#ships[wanted.index]!, 34, true)
      this.#followed = wanted
    }
    this.#chase.update(seconds)
    if (wanted === null) this.#stage.drift(0.035 * seconds)
  }

  #updateBoard(): void {
    const { order } = this.scenario
    const leader = order[0]!
    const laps = leader.record?.laps ?? 0
    this.#board.title = `Lap ${laps + 1} · gate ${(leader.record?.next ?? 0) + 1} of ${GATES.length}`
    this.#board.places = order.length
    order.forEach((racer, place) => {
      const best = racer.record?.bestLap ?? NaN
      const gap = place === 0 ? '' : `+${this.scenario.gap(racer, leader).toFixed(2)}`
      this.#board.name(place, lineOf(racer.index))
      const lap = Number.isNaN(best) ? '' : ` · ${best.toFixed(2)} s`
      this.#board.write(place, `${place === 0 ? 'leads' : gap.padEnd(6)}${lap}`, place === 0 ? 'fast' : '')
    })
  }

  #drawLines(): void {
    const paths = this.scenario.racers.map(({ follow }) => follow.path)
    this.#lines.draw(this.#showLines ? paths.slice(0, this.scenario.flying) : [])
  }

  #dress(model: Object3D, index: number, flames: number): Nozzles {
    for (const { material } of meshesOf(model)) {
      if (!(material instanceof MeshStandardMaterial)) continue
      if (material.name === 'accent') {
        material.color.copy(colorOf(index))
        material.emissive.copy(colorOf(index)).multiplyScalar(0.25)
      }
      if (material.name === 'lamp') material.emissiveIntensity = 2
    }
    const { pilot } = this.scenario.racers[index]!
    const force = pilot.maxForce
    const limits = { ahead: force, astern: force, up: force, down: force, port: force, starboard: force }
    nozzlesOf(model).forEach((node, k) => {
      const main = node.name.startsWith('nozzle_ahead')
      // eight ships are close together, and light adds up
      const color = main ? colorOf(index) : new Color('#bfe4ff')
      this.#plumes.paint(index * flames + k, color.multiplyScalar(main ? 0.4 : 0.2))
    })
    return new Nozzles(model, this.#plumes, index * flames, { ...limits, torque: pilot.maxTorque })
  }
}

const exhaust = new Vector3()

function lights(): Object3D[] {
  const moon = new DirectionalLight('#d4e4ff', 2.4)
  moon.position.copy(AURORA_MOON).multiplyScalar(100)
  return [moon, new HemisphereLight('#3fbf94', '#12324a', 1.1)]
}
