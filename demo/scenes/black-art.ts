import type GUI from 'lil-gui'
import { Vector3 } from 'three'
import { element } from '../page.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import { CONCERNS, SCHEMES, type Concern, type Knob } from '../scenarios/black-art-schemes.js'
import { PATIENCE, PROGRESS } from '../scenarios/black-art-tally.js'
import { HALF_LENGTH } from '../scenarios/black-art-tube.js'
import { BlackArt, DEFAULT_DRONES, MAX_DRONES } from '../scenarios/black-art.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { makeStars, SPACE_SKY } from '../sky/space.js'
import type { FreeArea, Stage } from '../stage.js'
import { BlackArtView } from '../views/black-art-view.js'
import { CodeCard } from '../views/code-card.js'
import { ColumnCards } from '../views/column-cards.js'
import { RowFraming } from '../views/row-framing.js'

const MEANINGS =
  `touches: contacts with drones, rocks and glass · jitter: reversals of turns · ` +
  `starved: progress below ${PROGRESS} m in ${PATIENCE} s · trips: arrivals`

const NAMES: Readonly<Record<Concern, string>> = {
  rocks: 'avoid rocks',
  apart: 'keep apart',
  inside: 'stay inside',
  there: 'fly to the goal',
}

/** Width of a card beside a horizontal tube (px). */
const SIDE_CARD = 118
/** Height of a card above an upright tube, with and without enough space (px). */
const CARD = 106
const SMALL_CARD = 52
/** Height of a verdict below an upright tube, and of the lowest window that has space for it (px). */
const VERDICT = 108
const TALL = 700
/** Height of the line that explains the figures (px). */
const NOTE = 22
/** Interval at which the figures are updated (s). */
const UPDATE_INTERVAL = 0.2

export async function open(stage: Stage, { seed, count = DEFAULT_DRONES }: SceneOptions): Promise<LiveScene> {
  const sky = makeBackdrop(stage.renderer, SPACE_SKY, 512)
  return new BlackArtScene(stage, sky, seed, Math.max(1, Math.min(count, MAX_DRONES)))
}

class BlackArtScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: BlackArt
  readonly #view: BlackArtView
  readonly #cards: ColumnCards
  readonly #code: CodeCard
  readonly #framing: RowFraming
  readonly #anchor = new Vector3()
  readonly #below = new Vector3()
  #horizontal: boolean | null = null
  #chosen = SCHEMES.length - 1
  #untilUpdate = 0

  constructor(stage: Stage, sky: Backdrop, seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    this.#view = new BlackArtView(SCHEMES.length, count)
    this.scenario = new BlackArt({ seed, count, view: (column) => this.#view.viewOf(column) })
    const page = element('stage')
    this.#cards = new ColumnCards(SCHEMES, MEANINGS, page, (index) => this.#choose(index))
    this.#code = new CodeCard('', '', stage.foot, 'strip')
    this.#framing = new RowFraming(stage, () => this.#freeArea())
    this.#choose(this.#chosen)
    stage.scene.add(sky.dome, makeStars(700, 6), this.#view.object)
    stage.onResize = () => this.#layOut()
    this.#layOut()
  }

  present(alpha: number, seconds: number): void {
    for (const { steering } of this.scenario.columns) steering.present(alpha)
    this.#view.update(this.scenario, seconds, this.#chosen)
    this.#framing.update(seconds)
    this.#updateCards(seconds)
  }

  panel(gui: GUI): void {
    const scenario = this.scenario
    const { mix } = scenario
    const largeWindow = window.innerWidth > 900
    this.#code.shown = largeWindow
    gui
      .add({ shown: largeWindow }, 'shown')
      .name('show the code')
      .onChange((shown: boolean) => {
        this.#code.shown = shown
      })
    gui.add({ again: () => scenario.recount() }, 'again').name('reset the counts')
    const weights = gui.addFolder('Weights: sums, groups')
    for (const each of CONCERNS) weights.add(mix.weight, each, 0, 8, 0.5).name(NAMES[each]).listen()
    weights.onChange(() => this.#tune('weight'))
    const order = gui.addFolder('Order: a click moves up')
    const rows = CONCERNS.map((_, place) => order.add({ raise: () => raise(place) }, 'raise'))
    const name = (): void => {
      for (const [place, row] of rows.entries()) row.name(`${place + 1}  ${NAMES[mix.order[place]!]}`)
    }
    const raise = (place: number): void => {
      scenario.raise(place)
      name()
      this.#tune('order')
    }
    name()
    const parts = gui.addFolder('Parts: all columns')
    for (const each of CONCERNS) parts.add(mix.on, each).listen()
    parts.onChange(() => this.#tune())
    const cures = gui.addFolder('Smoothing and other options').close()
    cures
      .add(mix, 'smoothing', 0, 0.5, 0.01)
      .name('smoothing of forces, s')
      .listen()
      .onChange(() => this.#tune())
    cures
      .add(mix, 'project')
      .name('truncated sum: project')
      .listen()
      .onChange(() => this.#tune('project'))
    cures
      .add(mix, 'chance', 0, 1, 0.05)
      .name('dithering: probability')
      .listen()
      .onChange(() => this.#tune('chance'))
    cures
      .add(mix, 'period', 0, 1, 0.05)
      .name('dithering: draw holds, s')
      .listen()
      .onChange(() => this.#tune('chance'))
    cures
      .add(mix, 'fade', 0, 3, 0.1)
      .name('new weights fade in, s')
      .listen()
      .onChange(() => this.#tune('weight'))
    const restore = (): void => {
      scenario.restoreMix()
      name()
      this.#tune()
    }
    gui.add({ restore }, 'restore').name('restore defaults')
  }

  dispose(): void {
    this.#cards.remove()
    this.#code.remove()
    this.#framing.dispose()
    this.scenario.dispose()
    this.#view.dispose()
    this.#sky.dispose()
  }

  /** Applies the settings of the panel. Columns that use the changed setting flash. */
  #tune(knob?: Knob): void {
    this.scenario.tune()
    const affected = [...SCHEMES.keys()].filter((k) => knob === undefined || SCHEMES[k]!.knobs.includes(knob))
    this.#cards.flash(affected)
    this.#choose(this.#chosen)
  }

  #choose(index: number): void {
    this.#chosen = index
    const { name, rule } = SCHEMES[index]!
    this.#cards.chosen = index
    this.#code.write(`${name}: ${rule}`, SCHEMES[index]!.source(this.scenario.mix))
  }

  /** Moves the cards to their tubes, and updates the figures at intervals. */
  #updateCards(seconds: number): void {
    const { camera, canvas, controls } = this.#stage
    // the controls would turn it only when the picture is drawn
    camera.lookAt(controls.target)
    camera.updateMatrixWorld()
    const wide = this.#horizontal ? SIDE_CARD : Math.max(40, this.#view.pitch * this.#framing.pixels - 4)
    for (const index of SCHEMES.keys()) {
      this.#anchor.set(0, this.#horizontal ? -HALF_LENGTH - 0.6 : HALF_LENGTH + 1, 0)
      this.#view.place(index, this.#anchor, this.#anchor)
      this.#view.place(index, this.#below.set(0, -HALF_LENGTH - 1, 0), this.#below)
      this.#cards.put(index, this.#anchor, this.#below, camera, canvas, wide)
    }
    const { left, right, bottom } = this.#framing.freeArea
    this.#cards.explainAt(this.#horizontal ? 8 : left, right, bottom + this.#verdict + 4)
    this.#untilUpdate -= seconds
    if (this.#untilUpdate > 0) return
    this.#untilUpdate = UPDATE_INTERVAL
    for (const [index, { tally }] of this.scenario.columns.entries()) {
      const { contacts, drones, jitter, rocks, starved, tripsPerMinute: trips, walls: glass } = tally
      this.#cards.write(index, { contacts, jitter, starved, of: drones.length, trips, rocks, glass })
    }
  }

  /** Places the tubes side by side, or above each other on a portrait screen. */
  #layOut(): void {
    const { canvas } = this.#stage
    const horizontal = canvas.clientHeight > canvas.clientWidth
    const { row } = this.#view
    const along = 2 * HALF_LENGTH + 2
    // the camera sways, which brings one side nearer
    if (horizontal) this.#framing.show(along, 1.03 * row, 0.17)
    else this.#framing.show(1.04 * row, along)
    if (horizontal === this.#horizontal) return
    this.#horizontal = this.#cards.horizontal = horizontal
    this.#view.layOut(horizontal, this.scenario)
  }

  /** Height of the verdicts (px). */
  get #verdict(): number {
    return this.#horizontal || this.#stage.canvas.clientHeight < TALL ? 0 : VERDICT
  }

  /** Part of the window that texts and panels leave free, without the space of the cards (px). */
  #freeArea(): FreeArea {
    const { left, top, right, bottom } = this.#stage.freeArea
    if (this.#horizontal)
      return { left: SIDE_CARD + 8, top: top + 4, right: right - 6, bottom: bottom - 1.5 * NOTE }
    const { top: code, height } = this.#code.box
    const short = this.#stage.canvas.clientHeight < 480
    return {
      left: left + 14,
      top: top + (short ? SMALL_CARD : CARD),
      right: right - 14,
      bottom: (height > 0 ? Math.min(code, bottom) : bottom) - (short ? 6 : NOTE) - this.#verdict,
    }
  }
}
