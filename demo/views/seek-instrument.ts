import type GUI from 'lil-gui'
import { Color, Group, NoToneMapping, Object3D, Vector3 } from 'three'
import { PRESETS, type Preset } from '../scenarios/directed-seek-presets.js'
import { DirectedSeekShow, METHODS, type Craft, type Method } from '../scenarios/directed-seek-show.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { INSTRUMENT_SKY } from '../sky/instrument.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { Darts } from './darts.js'
import { FatLine } from './fat-line.js'
import { FloorGrid } from './floor-grid.js'
import { Framing } from './framing.js'
import { PathLines } from './path-lines.js'
import { PoseHandle } from './pose-handle.js'
import { PoseMark } from './pose-mark.js'
import { ScoreCard } from './score-card.js'
import { TurnCircles } from './turn-circles.js'

const NAMES: Record<Method, string> = { planned: 'planned', stateless: 'stateless', jakob: 'as published' }
const TINTS: Record<Method, string> = { planned: '#52ffb1', stateless: '#c58bff', jakob: '#ff7a5c' }

/** Half the length of a craft, and half widths of the trails (m). */
const SIZE = 1.2
const WIDTHS = [0.12, 0.22, 0.34]
/** Bars are full at this multiple of the shortest path. The style sheet marks the middle. */
const FULL = 2

/**
 * The mathematics alone: three methods fly from A to W, with turn circles, steering plane and shortest path.
 * The visitor can drag both poses.
 */
export class SeekInstrument {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly #object = new Group()
  readonly #folders: GUI[] = []
  readonly #scenario: DirectedSeekShow
  readonly #craft: Record<Method, Object3D>
  readonly #darts: Darts
  readonly #trails: readonly Trails[]
  readonly #path = new PathLines()
  readonly #circles = new TurnCircles()
  readonly #floor = new FloorGrid()
  readonly #marks = { start: new PoseMark('A', '#dfe7f7'), goal: new PoseMark('W', '#ffffff') }
  readonly #handle: PoseHandle
  readonly #score: ScoreCard
  readonly #layers = { path: true, trails: true, circles: true, plane: true, floor: true, live: false }
  readonly #framing: Framing
  /** Path of a moving waypoint. */
  readonly #drift = new FatLine({ color: '#c9d4ee', width: 1.4, dash: 0.9, additive: false })
  readonly #point = new Vector3()
  #handled: 'waypoint' | 'start' = 'waypoint'
  #seen = -1

  constructor(stage: Stage, seed: number) {
    this.#stage = stage
    this.#sky = makeBackdrop(stage.renderer, INSTRUMENT_SKY, 256)
    this.#craft = { planned: new Object3D(), stateless: new Object3D(), jakob: new Object3D() }
    this.#scenario = new DirectedSeekShow({ seed, view: (method) => this.#craft[method] })
    const tint = (index: number): Color => new Color(TINTS[METHODS[index]!])
    this.#darts = new Darts(METHODS.length, SIZE, tint)
    // from wide to narrow, so that trails on the same path stay visible
    this.#trails = METHODS.map(
      (_, index) =>
        new Trails({
          count: 1,
          points: 900,
          interval: 1 / 24,
          width: WIDTHS[index]!,
          opacity: 0.9,
          additive: false,
          color: () => tint(index).multiplyScalar(0.5),
        }),
    )
    for (const [index, { object }] of this.#trails.entries()) object.renderOrder = 12 - index
    this.#object.add(
      this.#sky.dome,
      this.#floor,
      this.#circles.plane,
      this.#circles.circles,
      this.#path.object,
    )
    this.#object.add(this.#marks.start.object, this.#marks.goal.object, this.#drift, this.#darts.object)
    for (const { object } of this.#trails) this.#object.add(object)
    stage.scene.add(this.#object)
    this.#handle = new PoseHandle(stage)
    this.#handle.onHold = (on) => this.#hold(on)
    this.#handle.onMove = () => this.#scenario.begin()
    this.#score = new ScoreCard(
      METHODS.map((method) => ({ name: NAMES[method], color: TINTS[method] })),
      ['path', 'error'],
      stage.cards,
    )
    this.#score.choice('What the handle moves', ['waypoint', 'start'], (option) => {
      this.#handled = option === 'start' ? 'start' : 'waypoint'
      this.#attachHandle()
    })
    this.#score.choice('How', ['move', 'turn'], (option) => {
      this.#handle.mode = option === 'turn' ? 'turn' : 'move'
    })
    this.#handle.mode = 'move'
    this.#framing = new Framing(stage, 1.2)
    this.#follow()
  }

  /** Shows or hides it. */
  set shown(on: boolean) {
    const { renderer } = this.#stage
    this.#object.visible = this.#score.shown = on
    this.#handle.shown = on && !document.body.classList.contains('bare')
    for (const folder of this.#folders) folder.show(on)
    if (!on) return
    renderer.toneMapping = NoToneMapping
    this.#stage.frame([0.35, 0.42, 1], [0, 0, 0], 6, 900)
    this.#framing.jump()
  }

  step(dt: number): void {
    this.#scenario.step(dt)
  }

  present(alpha: number, seconds: number): void {
    const { steering, craft, goal, begun } = this.#scenario
    if (begun !== this.#seen) {
      this.#follow()
      if (!this.#handle.dragging) this.#framing.go()
    }
    steering.present(alpha)
    this.#marks.goal.show(goal, 0.14 * this.#scenario.turnRadius + 0.3)
    for (const [index, each] of craft.entries()) this.#showCraft(index, each)
    for (const trail of this.#trails) trail.advance(seconds)
    this.#darts.cool(seconds)
    const paper = craft.find(({ method }) => method === 'jakob')!
    const { course, turnRadius } = this.#scenario
    if (this.#layers.live && paper.state === 'flying')
      this.#circles.show({ position: paper.pilot.position, heading: paper.pilot.velocity }, goal, turnRadius)
    else if (course.moves) this.#circles.show(course.start, goal, turnRadius)
    if (this.#handled === 'waypoint') this.#handle.hold(this.#scenario.course.goal, goal)
    this.#framing.update(seconds)
    if (!this.#handle.dragging) this.#stage.drift(0.03 * seconds)
  }

  state(): Record<string, number | string> {
    return this.#scenario.state()
  }

  panel(gui: GUI): void {
    const scenario = this.#scenario
    const courses = gui.addFolder('Courses')
    courses
      .add({ course: scenario.preset }, 'course', ['tour', ...PRESETS])
      .onChange((preset: Preset | 'tour') => {
        scenario.preset = preset
      })
    courses.add({ next: () => scenario.next() }, 'next').name('next course')
    courses
      .add({ radius: scenario.turnRadius }, 'radius', 3, 16, 0.5)
      .name('turn radius of all, m')
      .onChange((radius: number) => {
        scenario.turnRadius = radius
      })
    const layers = gui.addFolder('Layers')
    layers.add(this.#layers, 'path').name('shortest path')
    layers.add(this.#layers, 'trails').name('trails')
    layers.add(this.#layers, 'circles').name('turn circles')
    layers.add(this.#layers, 'plane').name('steering plane Ω')
    layers.add(this.#layers, 'live').name('live (published method)')
    layers.add(this.#layers, 'floor').name('floor')
    layers.onChange(() => this.#layer())
    this.#folders.push(courses, layers)
  }

  dispose(): void {
    this.#framing.dispose()
    this.#handle.dispose()
    this.#score.remove()
    this.#scenario.dispose()
    for (const trail of this.#trails) trail.dispose()
    for (const part of [this.#path, this.#circles, this.#marks.start, this.#marks.goal]) part.dispose()
    this.#sky.dispose()
  }

  /** Updates the drawing after a course has begun or changed. */
  #follow(): void {
    const { course, shortest, turnRadius, begun } = this.#scenario
    const { position } = course.start
    this.#seen = begun
    this.#framing.measure(shortest, turnRadius)
    const { middle, reach } = this.#framing
    const floor = middle.y - 0.8 * reach
    this.#floor.lay(this.#point.copy(middle).setY(floor), 3.2 * reach + 4 * turnRadius, turnRadius / 2)
    this.#path.show(shortest, floor, 0.013 * reach)
    this.#circles.show(course.start, course.goal, turnRadius)
    this.#marks.start.show(course.start, 0.11 * turnRadius + 0.3)
    const { x, y, z } = course.goal.position
    const met = shortest.pointAt(this.#point, shortest.length)
    this.#drift.points = course.moves ? [x, y, z, met.x, met.y, met.z] : []
    for (const trail of this.#trails) trail.restart(0, position.x, position.y, position.z)
    const apart = Math.hypot(x - position.x, y - position.y, z - position.z) / turnRadius
    this.#score.title = `${course.name} · ${apart.toFixed(1)} turn radii apart`
    this.#attachHandle()
    this.#layer()
  }

  #showCraft(index: number, { method, pilot, passage, state }: Craft): void {
    const object = this.#craft[method]
    const { start } = this.#scenario.course
    const flying = state === 'flying' || state === 'arrived'
    const scale = flying ? 1 : state === 'waiting' && index === 0 ? 1 : 0
    if (flying) {
      const tail = this.#point
        .set(0, 0, -0.6 * SIZE)
        .applyQuaternion(object.quaternion)
        .add(object.position)
      this.#trails[index]!.put(0, tail.x, tail.y, tail.z)
      this.#darts.put(index, object.position, object.quaternion)
    } else
      this.#darts.put(index, state === 'waiting' ? start.position : object.position, pilot.quaternion, scale)
    const share = passage.flown / this.#scenario.shortest.length
    const error = (180 / Math.PI) * passage.headingError
    const lost = state === 'lost'
    const figure = lost ? 'lost' : state === 'waiting' ? '' : `${share.toFixed(2)} ×`
    this.#score.write(
      index,
      share / FULL,
      figure,
      passage.passed ? `${error.toFixed(2)}°` : '',
      lost ? 'lost' : passage.passed ? 'done' : '',
    )
  }

  #hold(on: boolean): void {
    this.#scenario.held = on
  }

  #attachHandle(): void {
    const { course } = this.#scenario
    this.#handle.hold(this.#handled === 'start' ? course.start : course.goal)
  }

  #layer(): void {
    const { path, trails, circles, plane, floor } = this.#layers
    this.#path.object.visible = path
    for (const { object } of this.#trails) object.visible = trails
    this.#circles.circles.visible = circles
    this.#circles.plane.visible = plane
    this.#floor.visible = floor
  }
}
