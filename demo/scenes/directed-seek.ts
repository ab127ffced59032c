import type { Controller, GUI } from 'lil-gui'
import { ACESFilmicToneMapping, Color, Group, Vector3 } from 'three'
import { ArcPath, dubins3d } from 'three-steering/curves'
import { phone } from '../preferences.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js'
import { runwayPoint, RUNWAYS } from '../scenarios/airfield-map.js'
import {
  Airfield,
  CRUISE,
  DEFAULT_AIRCRAFT,
  inFlight,
  MAX_AIRCRAFT,
  PLANNED,
  stationOfThreshold,
  type Aircraft,
  WHEELS,
} from '../scenarios/airfield.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { GOLDEN_SKY } from '../sky/golden.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { makeAirfieldLand, makeAirfieldLight, seabedAt } from '../views/airfield-land.js'
import { Board } from '../views/board.js'
import { Chase } from '../views/chase.js'
import { depthChart } from '../views/depth-chart.js'
import { FatLine } from '../views/fat-line.js'
import { Lake } from '../views/lake.js'
import { GlowTube, PathLines } from '../views/path-lines.js'
import { PoseMark } from '../views/pose-mark.js'
import { PropellerPlane } from '../views/propeller-plane.js'
import { SeekInstrument } from '../views/seek-instrument.js'
import { TurnCircles } from '../views/turn-circles.js'

const PAINTS = ['#e23d28', '#2b7de0', '#f5b81c', '#22a06b', '#8e4ec6', '#ff7a1a', '#16a3b8', '#d6336c']
const NAMES = ['Red', 'Blue', 'Yellow', 'Green', 'Violet', 'Orange', 'Teal', 'Pink']
const paintOf = (index: number): string => PAINTS[index % PAINTS.length]!

/** Half the width of the sea for which depths are known (m). */
const CHARTED = 260
const MODES = { off: 0, 'on an aircraft': 1, 'three methods compared': 2 }

export async function open(stage: Stage, { seed, count }: SceneOptions): Promise<LiveScene> {
  const sky = makeBackdrop(stage.renderer, GOLDEN_SKY)
  return new DirectedSeekScene(stage, sky, seed, Math.min(count ?? DEFAULT_AIRCRAFT, MAX_AIRCRAFT))
}

class DirectedSeekScene implements LiveScene {
  readonly scenario = this
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly #seed: number
  readonly #scenario: Airfield
  readonly #field = new Group()
  readonly #planes: readonly PropellerPlane[]
  readonly #lines: readonly { readonly line: FatLine; readonly glow: GlowTube }[]
  readonly #trails: Trails
  readonly #lake: Lake
  readonly #chart = depthChart(seabedAt, CHARTED)
  readonly #board: Board
  readonly #chase: Chase
  readonly #path = new PathLines()
  readonly #circles = new TurnCircles()
  readonly #marks = { start: new PoseMark('A', '#ffffff'), goal: new PoseMark('W', '#ffffff') }
  readonly #mathematics = new Group()
  readonly #shortest = new ArcPath()
  readonly #point = new Vector3()
  /** The plan that the line of an aircraft shows, by its behaviour and length. */
  readonly #shown: { helm: unknown; length: number }[]
  #instrument: SeekInstrument | null = null
  #mode = 0
  /** The aircraft that the camera follows. */
  #followed: Aircraft | undefined
  #camera: Controller | null = null
  #gui: GUI | null = null

  constructor(stage: Stage, sky: Backdrop, seed: number, count: number) {
    this.#stage = stage
    this.#sky = sky
    this.#seed = seed
    this.#planes = Array.from({ length: count }, (_, index) => new PropellerPlane(paintOf(index)))
    this.#scenario = new Airfield({ seed, count, view: (index) => this.#planes[index]!.object })
    this.#trails = new Trails({
      count: 2 * count,
      points: 130,
      interval: 1 / 24,
      width: 0.42,
      opacity: 0.75,
      additive: false,
      color: (row) => new Color('#fff4e2').lerp(new Color(paintOf(row >> 1)), 0.6),
    })
    this.#lines = this.#planes.map((_, index) => {
      const color = new Color(paintOf(index)).lerp(new Color('#ffffff'), 0.5).getHex()
      const glow = new GlowTube(paintOf(index), 4)
      return { glow, line: new FatLine({ color, width: 1.8, additive: false, order: 5 }) }
    })
    this.#shown = this.#planes.map(() => ({ helm: null, length: 0 }))
    this.#lake = new Lake(sky.texture, {
      deep: new Color(0.012, 0.085, 0.15),
      shallow: new Color(0.08, 0.36, 0.36),
      chart: this.#chart,
      half: CHARTED,
      brightest: 1.5,
    })
    this.#mathematics.add(this.#path.object, this.#circles.circles, this.#circles.plane)
    this.#mathematics.add(this.#marks.start.object, this.#marks.goal.object)
    this.#mathematics.visible = false
    this.#field.add(
      sky.dome,
      this.#lake.object,
      makeAirfieldLand(),
      ...makeAirfieldLight(),
      this.#trails.object,
    )
    for (const { line, glow } of this.#lines) this.#field.add(glow, line)
    this.#field.add(...this.#planes.map(({ object }) => object), this.#mathematics)
    stage.scene.add(this.#field)
    stage.scene.environment = stage.environmentFrom(sky.light)
    stage.scene.environmentIntensity = 0.5
    this.#board = new Board(
      'Where they fly',
      this.#planes.map((_, index) => ({ name: NAMES[index]!, color: paintOf(index) })),
      stage.cards,
    )
    this.#chase = new Chase(stage.camera, stage.controls)
    this.#lookOver()
  }

  step(): void {
    if (this.#mode === MODES['three methods compared']) this.#instrument?.step(FIXED_STEP)
    else this.#scenario.step(FIXED_STEP)
  }

  present(alpha: number, seconds: number): void {
    if (this.#mode === MODES['three methods compared']) return this.#instrument?.present(alpha, seconds)
    const { steering, aircraft } = this.#scenario
    steering.present(alpha)
    for (const craft of aircraft) this.#show(craft, seconds)
    this.#trails.advance(seconds)
    this.#lake.time = steering.time
    if (this.#mode > 0) this.#study(this.#followed ?? aircraft.find(({ leg }) => leg === 'on the way'))
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#stage.drift(0.012 * seconds)
  }

  state(): SceneState {
    if (this.#mode === MODES['three methods compared'] && this.#instrument) return this.#instrument.state()
    return this.#scenario.state()
  }

  panel(gui: GUI): void {
    this.#gui = gui
    const scenario = this.#scenario
    const views = Object.fromEntries(this.#planes.map((_, index) => [`with ${NAMES[index]}`, index]))
    this.#camera = gui.add({ camera: -1 }, 'camera', { overview: -1, ...views }).onChange((index: number) => {
      this.#followed = scenario.aircraft[index]
      this.#chase.follow(this.#planes[index]?.object ?? null, 34, true)
    })
    gui
      .add({ radius: scenario.turnRadius }, 'radius', 24, 60, 1)
      .name('least radius, m')
      .onChange((radius: number) => {
        scenario.turnRadius = radius
      })
    const layers = { paths: true, trails: true }
    gui
      .add(layers, 'paths')
      .name('planned paths')
      .onChange((on: boolean) => {
        for (const { line, glow } of this.#lines) line.material.visible = glow.material.visible = on
      })
    gui.add(layers, 'trails').onChange((on: boolean) => {
      this.#trails.object.visible = on
    })
    gui
      .add({ mode: this.#mode }, 'mode', MODES)
      .name('mathematics')
      .onChange((mode: number) => this.#switch(mode))
    // all five at once are too small on a phone
    if (phone.matches) this.#camera.setValue(0)
  }

  dispose(): void {
    this.#instrument?.dispose()
    this.#scenario.dispose()
    this.#board.remove()
    this.#trails.dispose()
    this.#chart.dispose()
    for (const part of [this.#circles, this.#marks.start, this.#marks.goal, this.#path]) part.dispose()
    this.#sky.dispose()
  }

  #lookOver(): void {
    const { renderer, controls } = this.#stage
    renderer.toneMapping = ACESFilmicToneMapping
    renderer.toneMappingExposure = 0.86
    renderer.shadowMap.enabled = true
    controls.maxPolarAngle = 1.5
    this.#stage.frame([84, 140, 352], [12, 44, -14], 14, 900)
  }

  #switch(mode: number): void {
    const compares = mode === MODES['three methods compared']
    const { controls, renderer } = this.#stage
    if (compares && this.#instrument === null) {
      this.#instrument = new SeekInstrument(this.#stage, this.#seed)
      if (this.#gui) this.#instrument.panel(this.#gui)
    }
    const did = this.#mode === MODES['three methods compared']
    this.#mode = mode
    this.#field.visible = this.#board.shown = !compares
    this.#mathematics.visible = mode === MODES['on an aircraft']
    if (compares) {
      this.#camera?.setValue(-1)
      renderer.toneMappingExposure = 1
      controls.maxPolarAngle = Math.PI
    }
    if (this.#instrument && compares !== did) this.#instrument.shown = compares
    if (did && !compares) this.#lookOver()
  }

  #show(craft: Aircraft, seconds: number): void {
    const { index, pilot, leg } = craft
    const plane = this.#planes[index]!
    const { object } = plane
    const power = leg === 'stands' ? 0.1 : leg === 'approach' || leg === 'roll-out' ? 0.35 : 1
    plane.spin(power, seconds)
    const { x, y, z } = pilot.velocity
    const speed = Math.hypot(x, y, z)
    for (const [k, tip] of PropellerPlane.tips.entries()) {
      const place = this.#point.fromArray(tip).applyQuaternion(object.quaternion).add(object.position)
      this.#trails.put(
        2 * index + k,
        place.x,
        place.y,
        place.z,
        inFlight(leg) ? Math.min(1, speed / CRUISE) ** 2 : 0,
      )
    }
    this.#drawPlan(craft)
    this.#board.write(
      index,
      wordsOf(craft),
      leg === 'stands' || leg === 'roll-out' ? 'fast' : leg === 'approach' ? 'near' : '',
    )
  }

  /** Draws the plan of an aircraft to its runway, when it has changed. */
  #drawPlan({ index, helm, pilot, leg, runway, goal }: Aircraft): void {
    const { line, glow } = this.#lines[index]!
    const shown = this.#shown[index]!
    const plan = leg === 'stands' ? null : helm.planOf(pilot)
    const length = plan?.length ?? 0
    if (shown.helm === helm && Math.abs(shown.length - length) < 1e-6) return
    shown.helm = helm
    shown.length = length
    const points: number[] = []
    if (plan && length > 0) {
      const count = Math.max(2, Math.ceil(length / 3))
      for (let k = 0; k <= count; k++) {
        plan.pointAt(this.#point, (k / count) * length)
        points.push(this.#point.x, this.#point.y, this.#point.z)
      }
    }
    const place = RUNWAYS[runway]
    if (leg === 'on the way' && place) {
      const { x, y, z } = runwayPoint(place, stationOfThreshold(place), WHEELS)
      points.push(goal.position.x, goal.position.y, goal.position.z, x, y, z)
    }
    line.points = points
    const last = points.length / 3 - 1
    glow.lay((out, station) => pointOf(out, points, station), 0, Math.max(0, last), 1.1, Math.max(2, last))
  }

  /** Draws turn circles, steering plane and shortest path from an aircraft to its pose. */
  #study(craft: Aircraft | undefined): void {
    this.#mathematics.visible = craft !== undefined && inFlight(craft.leg)
    if (craft === undefined || !inFlight(craft.leg)) return
    const { pilot, goal } = craft
    const radius = PLANNED * this.#scenario.turnRadius
    const from = { position: pilot.position, heading: pilot.velocity }
    this.#circles.show(from, goal, radius)
    dubins3d(this.#shortest, from, goal, radius)
    this.#path.show(this.#shortest, 0.4, 0.5)
    this.#marks.start.show(from, 7, 1.2)
    this.#marks.goal.show(goal, 7, 1.2)
  }
}

/** The point of a line x, y, z, x, y, z, … at `station`, counted in points. */
function pointOf(out: Vector3, points: readonly number[], station: number): void {
  const from = Math.min(Math.floor(station), points.length / 3 - 1)
  const to = Math.min(from + 1, points.length / 3 - 1)
  out.fromArray(points, 3 * from).lerp(next.fromArray(points, 3 * to), station - from)
}

const next = new Vector3()

/** What an aircraft does, in words. */
function wordsOf({ leg, runway, pilot, goal, missedBy, headingError }: Aircraft): string {
  const name = RUNWAYS[runway]?.name ?? ''
  const { x, y, z } = goal.position
  const left = Math.hypot(x - pilot.position.x, y - pilot.position.y, z - pilot.position.z)
  switch (leg) {
    case 'waiting loop':
      return 'waits for a runway'
    case 'on the way':
      return `to the ${name} · ${left.toFixed(0)} m`
    case 'approach':
      return `lands: ${name}`
    case 'roll-out':
    case 'stands':
      return `${(100 * missedBy).toFixed(1)} cm, ${((180 / Math.PI) * headingError).toFixed(2)}° off`
    default:
      return `leaves: ${name}`
  }
}
