import type GUI from 'lil-gui'
import type { Object3D } from 'three'
import type { Behavior, Explanation } from 'three-steering'
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

/** Agents that can be explained, guards first, and their models. */
export interface Subjects {
  readonly scenario: Sentries
  readonly objects: readonly Object3D[]
}

/** Distance of the camera from the explained agent, and from the centre in the overview (m). */
const BESIDE = 27
const OVERVIEW = 165
/** Updates of texts per second (1/s). */
const UPDATE_RATE = 10

const GUARD_STATES = ['patrol', 'chase', 'flee', 'dock']
const RAIDER_STATES = ['roam', 'raid', 'flee']

/**
 * Explains the agents one at a time: follows the chosen agent, and shows its tree of contributions as a panel
 * and as arrows.
 */
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
  /** Time since the last update of texts (s). */
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

  /** Chooses agent `index`, or none with −1. */
  choose(index: number): void {
    if (index === this.#index) return
    this.#explanation?.stop()
    this.#explanation = null
    this.#rows = []
    this.#arrows.hide()
    this.#index = this.#tags.chosen = index
    this.#stale = Infinity
    const craft = this.#craft
    if (craft) this.#explanation = this.#subjects.scenario.steering.explain(craft.pilot)
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

  /** Shifts the view so that the panel does not cover the agent. */
  arrange(): void {
    const { clientHeight: high, clientWidth: wide } = this.#stage.canvas
    const upright = wide <= 640 && high > wide
    // the panel ends above the description
    const about = document.getElementById('about')?.getBoundingClientRect()
    this.#tree.element.style.setProperty('--above', `${about?.height ? high - about.top + 8 : 10}px`)
    const { bottom, right, top } = this.#tree.element.getBoundingClientRect()
    const shown = this.#index >= 0
    // the controls on the other side are narrow
    this.#escort.left = shown && !upright ? Math.min(0.5, (0.6 * right) / wide) : 0
    this.#escort.bottom = shown && upright ? Math.min(0.7, (bottom - top) / high) : 0
  }

  /** Call once per frame, after all agents have moved. */
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
    if (this.#stale < 1 / UPDATE_RATE) return
    this.#stale = 0
    crafts.forEach(({ mind }, index) => this.#tags.write(index, wordOf(mind.state)))
    if (craft && root) this.#tree.write(subjectOf(craft, scenario.time), this.#rows)
    // the size of the panel has changed
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
      .add(draft, 'ask', { none: -1, ...Object.fromEntries(names) })
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
    // ignore keys typed into a field
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

/** First part of the name of a state. */
function wordOf(state: string): string {
  return state.split('.')[0]!
}

function subjectOf(craft: Guard | Raider, time: number): Parameters<ContributionTree['write']>[0] {
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
