import type GUI from 'lil-gui'
import { Color, DirectionalLight, HemisphereLight, type Object3D } from 'three'
import { loadModel } from '../models.js'
import { DEFAULT_FIGHTERS, Dogfight, MAX_FIGHTERS } from '../scenarios/dogfight.js'
import { addOption } from '../option-control.js'
import { FIXED_STEP, type LiveScene, type SceneOptions } from '../scene.js'
import { ALOFT_SKY, ALOFT_SUN } from '../sky/aloft.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import type { Stage } from '../stage.js'
import { Chase } from '../views/chase.js'
import { behindClouds, DogfightCue } from '../views/cues.js'
import { CloudSea } from '../views/cloud-sea.js'
import { Director } from '../views/director.js'
import { Tags } from '../views/inquiry.js'
import { Jets } from '../views/jets.js'
import { Smoke } from '../views/smoke.js'
import { Sparks } from '../views/sparks.js'
import { TracerLines } from '../views/tracer-lines.js'

const TEAMS = [new Color('#ff5436'), new Color('#2f9dff')]
const SHOTS = [new Color('#ff5a14'), new Color('#1e9cff')]
/** Approximate height of the clouds (m). */
const CLOUDS = -175

export async function open(
  stage: Stage,
  { seed, count = DEFAULT_FIGHTERS }: SceneOptions,
): Promise<LiveScene> {
  const total = Math.max(2, Math.min(count, MAX_FIGHTERS))
  const models = await Promise.all(Array.from({ length: total + 2 }, () => loadModel('fighter')))
  const sky = makeBackdrop(stage.renderer, ALOFT_SKY, 640)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 1.1
  stage.camera.far = 9000
  stage.frame([330, 62, 100], [0, 6, 0], 12, 900)
  stage.controls.maxPolarAngle = 1.75
  return new DogfightScene(stage, sky, models, seed)
}

class DogfightScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: Dogfight
  readonly #jets: Jets
  readonly #clouds: CloudSea
  readonly #smoke = new Smoke()
  readonly #sparks = new Sparks({ scale: 9 })
  readonly #tracers = new TracerLines(SHOTS)
  readonly #chase: Chase
  readonly #director: Director
  readonly #cue: DogfightCue
  readonly #tags: Tags
  #smoked = 0

  constructor(stage: Stage, sky: Backdrop, models: readonly Object3D[], seed: number) {
    this.#stage = stage
    this.#sky = sky
    this.#chase = new Chase(stage.camera, stage.controls)
    this.#jets = new Jets(models, TEAMS)
    const count = models.length - 2
    this.scenario = new Dogfight({ seed, count, view: (index) => this.#jets.seats[index]! })
    this.#clouds = new CloudSea(sky.texture, CLOUDS)
    stage.scene.add(...lights(), sky.dome, this.#clouds.object, this.#jets.object)
    stage.scene.add(this.#tracers.mesh, this.#smoke.object, this.#sparks.object)
    const { fighters } = this.scenario
    this.#director = new Director(stage.camera, stage.controls, behindClouds(CLOUDS + 70))
    this.#cue = new DogfightCue(this.scenario, this.#jets.seats)
    const named = fighters.map((each) => ({ pilot: each.pilot, object: this.#jets.seats[each.index]!, isPresent: () => each.alive })) // prettier-ignore
    this.#tags = new Tags(stage, named, (index) => this.#follow(index))
    this.scenario.steering.present(1)
  }

  present(alpha: number, seconds: number): void {
    const { steering, time, tracers } = this.scenario
    steering.present(alpha)
    this.#jets.update(this.scenario, seconds)
    this.#clouds.time = time
    this.#tracers.update(tracers, (1 - alpha) * FIXED_STEP)
    this.#burn(time)
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#director.frame(this.#cue.cue(), seconds)
    const { camera } = this.#stage
    // keep the camera above the clouds
    camera.position.y = Math.max(camera.position.y, CLOUDS + 70)
    for (const { index, mood } of this.scenario.fighters) this.#tags.write(index, mood)
    this.#tags.update()
  }

  panel(gui: GUI): void {
    const { fighters } = this.scenario
    const views = Object.fromEntries(
      fighters.map(({ index, team }) => [`behind ${team === 0 ? 'red' : 'blue'} ${(index >> 1) + 1}`, index]),
    )
    gui
      .add({ camera: -1 }, 'camera', { director: -1, ...views })
      .onChange((index: number) => this.#follow(index))
    gui.add({ labels: true }, 'labels').onChange((on: boolean) => (this.#tags.shown = on))
    gui.add(this.scenario, 'evasion').name('break turns')
    const runs = fighters.map(({ run }) => run)
    const fight = gui.addFolder('Fighters')
    addOption(fight, runs, 'range', { label: 'firing range', min: 100 })
    addOption(fight, runs, 'minRange', { label: 'break off at', min: 20 })
    addOption(
      fight,
      fighters.map(({ flight }) => flight),
      'lift',
    ).onChange((lift: number) => {
      for (const { pilot } of fighters) pilot.maxForce = lift
    })
  }

  dispose(): void {
    this.#director.dispose()
    this.#tags.remove()
    this.scenario.dispose()
    this.#jets.dispose()
    this.#clouds.dispose()
    this.#sky.dispose()
    this.#stage.camera.far = 4000
  }

  /** Draws sparks of hits, smoke of damaged and falling fighters, and explosions. */
  #burn(time: number): void {
    const { bursts, fighters, sparks } = this.scenario
    this.#smoke.time = this.#sparks.time = time
    for (const { position, target } of sparks.splice(0))
      this.#sparks.burst(position, fighters[target]!.pilot.velocity, 24, 10)
    for (const { position, velocity } of bursts.splice(0)) this.#smoke.burst(position, velocity)
    // 30 puffs per second of scene time, independent of the frame rate
    const due = Math.floor(30 * time)
    if (due > this.#smoked)
      for (const { index, mood, health, pilot } of fighters)
        if (mood === 'down' || (health <= 3 && mood !== 'away' && due % 2 === 0))
          this.#smoke.trail(this.#jets.seats[index]!.position, pilot.velocity)
    this.#smoked = due
  }

  /** Moves the camera behind a fighter, or gives it to the director. */
  #follow(index: number): void {
    this.#chase.follow(this.#jets.seats[index] ?? null, 58, true)
    this.#director.cut()
  }
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#ffc890', 4.2)
  sun.position.copy(ALOFT_SUN).multiplyScalar(100)
  // the second light is reflected by the clouds
  return [sun, new HemisphereLight('#5a76b8', '#c08a72', 0.9)]
}
