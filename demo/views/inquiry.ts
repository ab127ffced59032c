import type GUI from 'lil-gui'
import type { Object3D } from 'three'
import type { Behavior } from 'three-steering'
import { explain, type Explanation } from 'three-steering/explain'
import { Guard } from '../scenarios/sentry-guard.js'
import type { Raider } from '../scenarios/sentry-raider.js'
import type { Sentries } from '../scenarios/sentries.js'
import type { Stage } from '../stage.js'
import { ContributionArrows } from './contribution-arrows.js'
import { rowsOf, type Row } from './contribution-rows.js'
import { ContributionTree } from './contribution-tree.js'
import type { Escort } from './escort.js'
import { Picker } from './picker.js'
import { Tags } from './tags.js'

/** Who may be asked, guards first, and what is seen of each. */
export interface Subjects {
  readonly scenario: Sentries
  readonly objects: readonly Object3D[]
}

/** How far the camera stays off who is asked, and off the middle of all, m. */
const BESIDE = 27
const OVERVIEW = 165
/** Words change so many times a second. */
const PACE = 10

const GUARD_STATES = ['patrol', 'chase', 'flee', 'dock']
const RAIDER_STATES = ['roam', 'raid', 'flee']

/** Asks one agent after the other what moves it: follows it, and shows its tree of contributions beside it and as arrows on it. */
export class Inquiry {
  readonly #stage: Stage
  readonly #subjects: Subjects
  readonly #escort: Escort
  readonly #tree: ContributionTree
  readonly #arrows = new ContributionArrows()
  readonly #tags: Tags
  readonly #picker: Picker
  #index = -1
  #explanation: Explanation | null = null
  #rows: readonly Row[] = []
  /** Time since the words were changed, s. */
  #stale = Infinity
  #onChoice: ((index: number) => void) | null = null

  constructor(stage: Stage, subjects: Subjects, escort: Escort) {
    this.#stage = stage
    this.#subjects = subjects
    this.#escort = escort
    const box = stage.canvas.parentElement!
    const names = subjects.scenario.crafts.map(({ pilot }) => pilot.name)
    this.#tags = new Tags(stage, subjects.objects, names, (index) => this.choose(index))
    this.#tree = new ContributionTree(box)
    this.#tree.onTurn = (by) => this.turn(by)
    this.#tree.onClose = () => this.choose(-1)
    this.#picker = new Picker(stage, subjects.objects, (index) => this.choose(index))
    window.addEventListener('keydown', this.#press)
  }

  get object(): Object3D {
    return this.#arrows.object
  }

  /** Asks agent `index`, or with −1 nobody. */
  choose(index: number): void {
    if (index === this.#index) return
    this.#explanation?.stop()
    this.#explanation = null
    this.#rows = []
    this.#arrows.hide()
    this.#index = this.#tags.chosen = index
    this.#stale = Infinity
    const craft = this.#craft
    if (craft) this.#explanation = explain(this.#subjects.scenario.steering, craft.pilot)
    this.#escort.follow(
      this.#subjects.objects[index] ?? null,
      craft ? BESIDE : this.#stage.camera.aspect < 1 ? 1.5 * OVERVIEW : OVERVIEW,
    )
    this.#tree.shown = craft !== null
    this.arrange()
    this.#onChoice?.(index)
  }

  turn(by: 1 | -1): void {
    const { length } = this.#subjects.objects
    this.choose(this.#index < 0 ? 0 : (this.#index + by + length) % length)
  }

  /** Makes room in the picture for the panel. */
  arrange(): void {
    const { clientHeight: high, clientWidth: wide } = this.#stage.canvas
    const upright = wide <= 640 && high > wide
    // over the words below
    const words = document.getElementById('about')?.getBoundingClientRect()
    this.#tree.element.style.setProperty('--above', `${words?.height ? high - words.top + 8 : 10}px`)
    const { bottom, right, top } = this.#tree.element.getBoundingClientRect()
    const shown = this.#index >= 0
    // the controls at the other side are small
    this.#escort.left = shown && !upright ? Math.min(0.5, (0.6 * right) / wide) : 0
    this.#escort.bottom = shown && upright ? Math.min(0.7, (bottom - top) / high) : 0
  }

  /** Call once per frame, after all have moved. */
  update(seconds: number): void {
    const { objects, scenario } = this.#subjects
    const { crafts } = scenario
    const craft = this.#craft
    const explanation = this.#explanation
    const root = explanation?.root ?? null
    if (craft && explanation && root) {
      this.#rows = rowsOf(root, (behavior) => modeOf(craft, behavior))
      this.#arrows.update(objects[this.#index]!.position, this.#rows, explanation, craft.pilot.maxForce, seconds) // prettier-ignore
    }
    this.#tags.update()
    this.#stale += seconds
    if (this.#stale < 1 / PACE) return
    this.#stale = 0
    crafts.forEach(({ mind }, index) => this.#tags.tell(index, wordOf(mind.state)))
    if (craft && root) this.#tree.tell(subjectOf(craft, scenario.time), this.#rows)
    // it has grown or shrunk
    this.arrange()
  }

  state(): Record<string, number | string> {
    const granted = this.#rows.filter(({ part }) => part.verdict === 'granted' || part.verdict === 'cut')
    return {
      explained: this.#craft?.pilot.name ?? '',
      lines: this.#rows.length,
      'have a say': granted.length,
    }
  }

  panel(gui: GUI): void {
    const names = this.#subjects.scenario.crafts.map(({ pilot }, index) => [pilot.name, index])
    const draft = { ask: this.#index }
    const list = gui
      .add(draft, 'ask', { nobody: -1, ...Object.fromEntries(names) })
      .onChange((index: number) => this.choose(index))
    this.#onChoice = (index) => {
      draft.ask = index
      list.updateDisplay()
    }
    const shown = { arrows: true, tags: true }
    gui.add(shown, 'arrows').onChange((on: boolean) => (this.#arrows.object.visible = on))
    gui.add(shown, 'tags').onChange((on: boolean) => (this.#tags.shown = on))
  }

  dispose(): void {
    window.removeEventListener('keydown', this.#press)
    this.#explanation?.stop()
    this.#picker.dispose()
    this.#tags.remove()
    this.#tree.remove()
  }

  get #craft(): Guard | Raider | null {
    return this.#subjects.scenario.crafts[this.#index] ?? null
  }

  readonly #press = ({ key, target }: KeyboardEvent): void => {
    // where keys are typed they are not ours
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
    if (key === 'ArrowRight' || key === 'ArrowDown') this.turn(1)
    else if (key === 'ArrowLeft' || key === 'ArrowUp') this.turn(-1)
    else if (key === 'Escape') this.choose(-1)
  }
}

function modeOf({ modes }: Guard | Raider, behavior: Behavior): string {
  for (const [name, tree] of modes.trees) if (tree === behavior) return name
  return ''
}

/** The first word of a state. */
function wordOf(state: string): string {
  return state.split('.')[0]!
}

function subjectOf(craft: Guard | Raider, time: number): Parameters<ContributionTree['tell']>[0] {
  const { health, mind, pilot } = craft
  const guard = craft instanceof Guard
  const [state = '', detail = ''] = mind.state.split('.')
  return {
    name: pilot.name,
    states: guard ? GUARD_STATES : RAIDER_STATES,
    state,
    detail: detail || `${(time - mind.since).toFixed(0)} s`,
    gauges: guard ? { charge: craft.charge, health } : { health, loot: craft.loot },
    maxForce: pilot.maxForce,
    maxTorque: pilot.maxTorque,
  }
}
