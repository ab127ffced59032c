import type GUI from 'lil-gui'
import { type Object3D, Vector3 } from 'three'
import type { Behavior, SteeringController, SteeringWorld } from 'three-steering'
import { explain, type Explanation } from 'three-steering/explain'
import type { Stage } from '../stage.js'
import { ContributionArrows } from './contribution-arrows.js'
import { rowsOf, type Row } from './contribution-rows.js'
import { ContributionTree, type Subject } from './contribution-tree.js'

/** An agent that can be explained. */
export interface Explained {
  readonly pilot: SteeringController
  readonly object: Object3D
  /** Word on its tag. '' hides the tag. */
  readonly word: () => string
  /** Name of the mode whose tree is `behavior`, or ''. */
  readonly modeOf: (behavior: Behavior) => string
  /** What the panel shows above its tree. */
  readonly describe: () => Omit<Subject, 'name' | 'maxForce' | 'maxTorque'>
  /** Whether it is there. Default true. */
  readonly isPresent?: () => boolean
}

/** Agents that can be explained, and how. */
export interface Subjects {
  readonly steering: SteeringWorld
  readonly agents: readonly Explained[]
  /** Distance of the camera from the explained agent, and from the centre in the overview (m). */
  readonly beside: number
  readonly overview: number
  /** Whether arrow keys choose the agent. Default true. */
  readonly arrowKeys?: boolean
}

/** Moves the camera to an object. Null: back to the overview. */
interface Follower {
  follow(object: Object3D | null, distance: number): void
}

/** Updates of texts per second (1/s). */
const UPDATE_RATE = 10

/**
 * Explains the agents one at a time: follows the chosen agent, and shows its tree of contributions as a panel
 * and as arrows.
 */
export class Inquiry {
  readonly #stage: Stage
  readonly #subjects: Subjects
  readonly #escort: Follower
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

  constructor(stage: Stage, subjects: Subjects, escort: Follower) {
    this.#stage = stage
    this.#subjects = subjects
    this.#escort = escort
    this.#tags = new Tags(stage, subjects.agents, (index) => this.choose(index))
    this.#tree = new ContributionTree(stage.cards)
    this.#tree.onTurn = (by) => this.turn(by)
    this.#tree.onClose = () => this.choose(-1)
    this.#picker = new Picker(stage, subjects.agents, (index) => this.choose(index))
    window.addEventListener('keydown', this.#press, { capture: true })
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
    if (craft) this.#explanation = explain(this.#subjects.steering, craft.pilot)
    const { beside, overview } = this.#subjects
    this.#escort.follow(
      craft?.object ?? null,
      craft ? beside : this.#stage.camera.aspect < 1 ? 1.5 * overview : overview,
    )
    this.#tree.shown = craft !== null
    this.#onChoice?.(index)
  }

  turn(by: 1 | -1): void {
    const { agents } = this.#subjects
    const { length } = agents
    let next = this.#index < 0 ? 0 : (this.#index + by + length) % length
    while (agents[next]!.isPresent?.() === false) next = (next + by + length) % length
    this.choose(next)
  }

  /** Call once per frame, after all agents have moved. */
  update(seconds: number): void {
    const craft = this.#craft
    if (craft?.isPresent?.() === false) return this.choose(-1)
    const explanation = this.#explanation
    const root = explanation?.root ?? null
    if (craft && explanation && root) {
      this.#rows = rowsOf(root, (behavior) => craft.modeOf(behavior))
      this.#arrows.update(craft.object.position, this.#rows, explanation, craft.pilot.maxForce, seconds) // prettier-ignore
    }
    this.#tags.update()
    this.#stale += seconds
    if (this.#stale < 1 / UPDATE_RATE) return
    this.#stale = 0
    this.#subjects.agents.forEach((each, index) => this.#tags.write(index, each.word()))
    if (craft && root) {
      const { maxForce, maxTorque, name } = craft.pilot
      this.#tree.write({ ...craft.describe(), name, maxForce, maxTorque }, this.#rows)
    }
  }

  state(): Record<string, number | string> {
    const granted = this.#rows.filter(({ part }) => part.verdict === 'granted' || part.verdict === 'cut')
    return {
      explained: this.#craft?.pilot.name ?? '',
      lines: this.#rows.length,
      'parts granted': granted.length,
    }
  }

  panel(gui: GUI): void {
    const names = this.#subjects.agents.map(({ pilot }, index) => [pilot.name, index])
    const draft = { ask: this.#index }
    const list = gui
      .add(draft, 'ask', { none: -1, ...Object.fromEntries(names) })
      .name('explain')
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
    window.removeEventListener('keydown', this.#press, { capture: true })
    this.#explanation?.stop()
    this.#picker.dispose()
    this.#tags.remove()
    this.#tree.remove()
  }

  get #craft(): Explained | null {
    return this.#subjects.agents[this.#index] ?? null
  }

  readonly #press = (event: KeyboardEvent): void => {
    const { key, target } = event
    // ignore keys typed into a field
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
    // the same keys move in the open menu, and close it
    if (document.querySelector(':popover-open')) return
    const arrows = this.#subjects.arrowKeys !== false
    if (!arrows && key !== 'Escape') return
    if (key === 'ArrowRight' || key === 'ArrowDown') this.turn(1)
    else if (key === 'ArrowLeft' || key === 'ArrowUp') this.turn(-1)
    else if (key === 'Escape') this.choose(-1)
    else return
    // the arrows do not open another scene as well
    event.preventDefault()
  }
}

/** A press that moves farther than this is a drag (px). */
const DRAG_DISTANCE = 7
/** Largest distance of a click from an object (px), wide enough for a thumb. */
const PICK_DISTANCE = 34

const projected = new Vector3()

/** Detects which object was clicked or tapped: the one nearest to the pointer on the screen. */
class Picker {
  readonly #stage: Stage
  readonly #agents: readonly Explained[]
  readonly #picked: (index: number) => void
  #down: { readonly x: number; readonly y: number } | null = null

  constructor(stage: Stage, agents: readonly Explained[], picked: (index: number) => void) {
    this.#stage = stage
    this.#agents = agents
    this.#picked = picked
    stage.canvas.addEventListener('pointerdown', this.#press)
    stage.canvas.addEventListener('pointerup', this.#lift)
  }

  dispose(): void {
    this.#stage.canvas.removeEventListener('pointerdown', this.#press)
    this.#stage.canvas.removeEventListener('pointerup', this.#lift)
  }

  /** Index of the object nearest to a point of the canvas (px), or −1 if none is near. */
  find(x: number, y: number): number {
    const { camera, canvas } = this.#stage
    let best = -1
    let least = PICK_DISTANCE
    for (const [k, { isPresent, object }] of this.#agents.entries()) {
      if (isPresent?.() === false) continue
      const { position } = object
      projected.copy(position).project(camera)
      if (projected.z > 1) continue
      const distance = Math.hypot(
        (0.5 + 0.5 * projected.x) * canvas.clientWidth - x,
        (0.5 - 0.5 * projected.y) * canvas.clientHeight - y,
      )
      if (distance >= least) continue
      least = distance
      best = k
    }
    return best
  }

  readonly #press = ({ clientX: x, clientY: y }: PointerEvent): void => {
    this.#down = { x, y }
  }

  readonly #lift = ({ clientX: x, clientY: y }: PointerEvent): void => {
    const down = this.#down
    this.#down = null
    if (down === null || Math.hypot(x - down.x, y - down.y) > DRAG_DISTANCE) return
    const { left, top } = this.#stage.canvas.getBoundingClientRect()
    const found = this.find(x - left, y - top)
    if (found >= 0) this.#picked(found)
  }
}

/** Objects farther than the first distance or nearer than the second have no tag (m). */
const TAG_FAR = 380
const TAG_NEAR = 4
/** Two tags that are nearer to each other than this would overlap (px). */
const TAG_WIDTH = 110
const TAG_HEIGHT = 24

type Tagged = Pick<Explained, 'object' | 'isPresent'> & { readonly pilot: { readonly name: string } }

interface Tag {
  readonly button: HTMLButtonElement
  readonly state: HTMLElement
}

/** A small tag above each object with its name and state. It is a button that chooses the object. */
export class Tags {
  readonly #stage: Stage
  readonly #agents: readonly Tagged[]
  readonly #box = document.createElement('div')
  readonly #tags: readonly Tag[]
  #chosen = -1

  constructor(stage: Stage, agents: readonly Tagged[], chosen: (index: number) => void) {
    this.#stage = stage
    this.#agents = agents
    this.#box.className = 'tags'
    this.#tags = agents.map(({ pilot }, index) => {
      const button = document.createElement('button')
      button.type = 'button'
      // arrow keys choose agents, so the tab order skips the tags
      button.tabIndex = -1
      button.append(document.createElement('i'), pilot.name)
      const state = document.createElement('b')
      button.append(state)
      button.addEventListener('click', () => chosen(index))
      this.#box.append(button)
      return { button, state }
    })
    stage.canvas.parentElement!.append(this.#box)
  }

  set shown(on: boolean) {
    this.#box.hidden = !on
  }

  /** The chosen object has no tag. */
  set chosen(index: number) {
    this.#chosen = index
  }

  write(index: number, state: string): void {
    const { button, state: word } = this.#tags[index]!
    if (button.dataset['is'] === state) return
    button.dataset['is'] = state
    word.textContent = state
  }

  /** Call once per frame, after objects and camera have moved. */
  update(): void {
    const { camera, canvas, controls, freeArea } = this.#stage
    const { panels } = freeArea
    const half = TAG_WIDTH / 2
    // the controls would turn it only when the picture is drawn
    camera.lookAt(controls.target)
    camera.updateMatrixWorld()
    const entries = this.#agents.map(({ isPresent, object }, k) => {
      return { k, isPresent, position: object.position, far: camera.position.distanceTo(object.position) }
    })
    const places: { readonly x: number; readonly y: number }[] = []
    for (const { far, isPresent, k, position } of entries.sort((a, b) => a.far - b.far)) {
      const { button } = this.#tags[k]!
      projected.copy(position).project(camera)
      // above the object, higher for near objects
      const x = (0.5 + 0.5 * projected.x) * canvas.clientWidth
      const y = (0.5 - 0.5 * projected.y) * canvas.clientHeight - 12 - 900 / far
      const seen =
        k !== this.#chosen &&
        isPresent?.() !== false &&
        button.dataset['is'] !== '' &&
        projected.z < 1 &&
        Math.abs(projected.x) < 1 &&
        Math.abs(projected.y) < 1 &&
        far < TAG_FAR &&
        far > TAG_NEAR &&
        // below the bar, and beside the panels
        y > freeArea.top + TAG_HEIGHT &&
        !panels?.some(
          ({ left, top, right, bottom }) =>
            x > left - half && x < right + half && y > top && y < bottom + TAG_HEIGHT,
        ) &&
        // nearer ones have the place
        places.every((each) => Math.abs(each.x - x) > TAG_WIDTH || Math.abs(each.y - y) > TAG_HEIGHT)
      if (button.hidden === seen) button.hidden = !seen
      if (!seen) continue
      places.push({ x, y })
      button.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`
      button.style.opacity = String(Math.min(1, Math.max(0.6, 1.25 - far / TAG_FAR)))
    }
  }

  remove(): void {
    this.#box.remove()
  }
}
