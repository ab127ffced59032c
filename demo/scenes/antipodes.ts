import type GUI from 'lil-gui'
import { Color, MathUtils, Vector3 } from 'three'
import { AvoidAgents, ReciprocalAvoidance } from 'three-steering'
import { AGENT_OPTIONS } from 'three-steering/authoring'
import { addOption } from '../option-control.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import {
  Antipodes,
  DEFAULT_DARTS,
  MAX_DARTS,
  RADIUS,
  CLEARANCE,
  sphereOf,
  SPEED,
  type Crowd,
  type Manner,
} from '../scenarios/antipodes.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { makeStars, SPACE_SKY } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { makeBubble } from '../views/bubble.js'
import { CrowdView } from '../views/crowd-view.js'
import { Versus } from '../views/versus.js'

export async function open(stage: Stage, { seed, count = DEFAULT_DARTS }: SceneOptions): Promise<LiveScene> {
  const sky = makeBackdrop(stage.renderer, SPACE_SKY)
  return new AntipodesScene(stage, sky, seed, Math.min(count, MAX_DARTS))
}

const WHITE = new Color('#ffffff')

/** Hue by longitude, paler towards the top. */
function colorFrom({ x, y, z }: Vector3, out = new Color()): Color {
  const around = Math.atan2(z, x) / (2 * Math.PI)
  const height = y / Math.hypot(x, y, z)
  return out
    .setHSL(MathUtils.euclideanModulo(around + 0.12 * height, 1), 0.95, 0.5)
    .lerp(WHITE, 0.3 * Math.max(0, height))
}

class AntipodesScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly #seed: number
  scenario!: Antipodes
  #views: Partial<Record<Manner, CrowdView>> = {}
  #bubble = makeBubble(1, new Color('#25365c'))
  #versus: Versus | null = null
  readonly #draft = {
    darts: 0,
    compared: true,
    trails: true,
    caution: 0,
    clearance: CLEARANCE,
    maxSpeed: SPEED,
    weight: 2,
  }

  constructor(stage: Stage, sky: Backdrop, seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    this.#seed = seed
    this.#draft.darts = count
    stage.scene.add(sky.dome, makeStars(1800, 4), this.#bubble)
    this.#start()
    this.#draft.caution = this.scenario.crowd.avoid.caution
  }

  present(alpha: number, seconds: number): void {
    const { crowd, textbook, count } = this.scenario
    for (const each of [crowd, textbook]) each?.steering.present(alpha)
    this.#views.ours!.update(crowd, seconds)
    if (textbook) this.#views.textbook!.update(textbook, seconds)
    this.#stage.drift(0.07 * seconds)
    if (!textbook) return
    this.#versus?.write(contacts(textbook), contacts(crowd))
    this.#versus?.note(
      progress(textbook, this.scenario.time, count),
      progress(crowd, this.scenario.time, count),
    )
  }

  panel(gui: GUI): void {
    const draft = this.#draft
    const again = (): void => this.#start()
    gui.add(draft, 'darts', 10, MAX_DARTS, 10).onFinishChange(again)
    gui.add(draft, 'compared').name('compare with the textbook').onChange(again)
    gui.add(draft, 'trails').onChange(() => this.#tune())
    const rules = gui.addFolder('Avoidance')
    const table = ReciprocalAvoidance.options
    addOption(rules, draft, 'caution', { table, label: 'caution, stopping times' })
    addOption(rules, draft, 'clearance', { table })
    addOption(rules, draft, 'maxSpeed', { table: AGENT_OPTIONS })
    addOption(rules, draft, 'weight', { table: AvoidAgents.options, label: 'textbook: weight' })
    rules.onChange(() => this.#tune())
  }

  dispose(): void {
    this.#versus?.remove()
    this.scenario.dispose()
    for (const view of Object.values(this.#views)) view.dispose()
    this.#sky.dispose()
  }

  /** Starts the scenario again with the settings of the panel. */
  #start(): void {
    const stage = this.#stage
    const { darts: count, compared } = this.#draft
    this.scenario?.dispose()
    for (const view of Object.values(this.#views)) view.dispose()
    this.#views = {}
    const home = new Vector3()
    // start positions are needed for the colours before the crowd exists
    const seats = Antipodes.seatsOf(this.#seed, count)
    const color = (index: number): Color => colorFrom(home.copy(seats[index]!))
    const view = (manner: Manner): CrowdView['darts']['mesh'] => {
      const shown = new CrowdView(count, color)
      this.#views[manner] = shown
      stage.scene.add(shown.object)
      return shown.darts.mesh
    }
    this.scenario = new Antipodes({ seed: this.#seed, count, compared, view })
    this.#bubble.scale.setScalar(sphereOf(count) + 1.5 * RADIUS)
    this.#frame(sphereOf(count), compared)
    this.#compare(compared)
    if (this.#draft.caution > 0) this.#tune()
  }

  #compare(on: boolean): void {
    this.#versus?.remove()
    this.#versus = null
    if (!on) return
    const show = (manner: Manner): void => {
      for (const [name, { object }] of Object.entries(this.#views)) object.visible = name === manner
    }
    this.#versus = new Versus(
      this.#stage,
      { title: 'AvoidAgents, the textbook', look: 'worse', show: () => show('textbook') },
      { title: 'ReciprocalAvoidance', look: 'better', show: () => show('ours') },
    )
  }

  #tune(): void {
    const { caution, clearance, maxSpeed, weight, trails } = this.#draft
    const { crowd, textbook } = this.scenario
    crowd.avoid.caution = caution
    crowd.avoid.clearance = clearance
    crowd.flock.maxSpeed = maxSpeed
    for (const view of Object.values(this.#views)) view.trails = trails
    if (!textbook) return
    textbook.flock.maxSpeed = maxSpeed
    textbook.unaligned.weight = weight
  }

  /** Moves the camera so far away that the sphere fills the canvas, or its half. */
  #frame(size: number, compared: boolean): void {
    const { camera, canvas, controls } = this.#stage
    const upright = canvas.clientHeight > canvas.clientWidth
    const aspect = (canvas.clientWidth / canvas.clientHeight) * (compared ? (upright ? 2 : 0.5) : 1)
    const up = Math.tan(MathUtils.degToRad(aspect < 1 ? 31 : 22.5))
    const away = (1.15 * size) / Math.sin(Math.atan(up * Math.min(1, aspect)))
    this.#stage.frame([0.4, 0.35, 1], [0, 0, 0], 4, 12 * size)
    camera.position.setLength(away)
    controls.update()
  }
}

function contacts({ touches }: Crowd): string {
  return touches.contacts === 1 ? '1 contact' : `${touches.contacts} contacts`
}

function progress({ there, took }: Crowd, time: number, count: number): string {
  return `${there} of ${count} there · ${(took < 0 ? time : took).toFixed(1)} s`
}
