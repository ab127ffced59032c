import type GUI from 'lil-gui'
import { DirectionalLight, HemisphereLight, Vector3, type Object3D } from 'three'
import { loadModel } from '../models.js'
import { AirShow, JETS, LEAST_JETS } from '../scenarios/air-show.js'
import { FIGURES, PATTERNS, type PatternName } from '../scenarios/air-show-figures.js'
import { addOption } from '../option-control.js'
import { FIXED_STEP, type LiveScene, type SceneOptions } from '../scene.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { SEASIDE_SKY, SEASIDE_SUN } from '../sky/seaside.js'
import type { Stage } from '../stage.js'
import { Announcer } from '../views/announcer.js'
import { Coast } from '../views/coast.js'
import { DisplayJets } from '../views/display-jets.js'
import { seasideLife } from '../views/seaside-life.js'
import { SEATS, ShowCamera } from '../views/show-camera.js'
import { Smoke } from '../views/smoke.js'

/** Entry of the formation menu that lets the programme choose the pattern. */
const PROGRAMME = 'programme'

export async function open(stage: Stage, { seed, count = JETS }: SceneOptions): Promise<LiveScene> {
  const total = Math.max(LEAST_JETS, Math.min(count, JETS))
  const models = await Promise.all(Array.from({ length: total }, () => loadModel('display-jet')))
  const sky = makeBackdrop(stage.renderer, SEASIDE_SKY)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 0.9
  stage.camera.near = 0.5
  stage.camera.far = 12_000
  stage.frame([-14, 9, 88], [-500, 90, -540], 0.1, 9000)
  stage.renderer.toneMappingExposure = 0.85
  return new AirShowScene(stage, sky, models, seed)
}

class AirShowScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: AirShow
  readonly #jets: DisplayJets
  readonly #coast: Coast
  readonly #smoke = new Smoke()
  readonly #camera: ShowCamera
  readonly #announcer: Announcer
  readonly #middle = new Vector3()
  readonly #ahead = new Vector3()
  #smoked = 0
  #lost = 0

  constructor(stage: Stage, sky: Backdrop, models: readonly Object3D[], seed: number) {
    this.#stage = stage
    this.#sky = sky
    this.#jets = new DisplayJets(models)
    this.scenario = new AirShow({ seed, count: models.length, view: (index) => this.#jets.seats[index]! })
    this.#coast = new Coast(sky.texture)
    this.#camera = new ShowCamera(stage.camera, stage.controls)
    this.#announcer = new Announcer(stage.foot)
    const life = seasideLife()
    stage.scene.add(...lights(), sky.dome, this.#coast.object, life, this.#jets.object, this.#smoke.object)
  }

  present(alpha: number, seconds: number): void {
    const { steering, time } = this.scenario
    steering.present(alpha)
    const shown = time - (1 - alpha) * FIXED_STEP
    this.#jets.update(this.scenario, shown, seconds)
    this.#coast.time = shown
    this.#burn(time)
    this.#announce()
    this.#updateCamera(seconds)
  }

  panel(gui: GUI): void {
    const show = this.scenario
    gui.add(this.#camera, 'seat', [...SEATS]).name('camera')
    const draft = { formation: PROGRAMME }
    gui.add(draft, 'formation', [PROGRAMME, ...Object.keys(PATTERNS)]).onChange((name: string) => {
      show.programme = name === PROGRAMME
      if (!show.programme) show.call(name as PatternName)
    })
    gui.add({ roll: () => show.roll() }, 'roll')
    gui.add(this.#jets, 'smoking').name('coloured smoke')
    gui.add({ lose: () => show.shootDown() }, 'lose').name('one falls out')
    addOption(gui, show.wing, 'spacing', { min: 12, max: 26 })
  }

  dispose(): void {
    this.#camera.dispose()
    this.#announcer.remove()
    this.scenario.dispose()
    this.#jets.dispose()
    this.#coast.dispose()
    this.#sky.dispose()
    this.#stage.camera.far = 4000
    this.#stage.camera.near = 0.1
  }

  /** Draws smoke and fireballs of jets that fell out. */
  #burn(time: number): void {
    const { bursts, jets } = this.scenario
    this.#smoke.time = time
    for (const { position, velocity } of bursts.splice(0)) this.#smoke.burst(position, velocity)
    const due = Math.floor(30 * time)
    if (due !== this.#smoked)
      for (const { index, mood, pilot } of jets)
        if (mood === 'down') this.#smoke.trail(this.#jets.seats[index]!.position, pilot.velocity)
    this.#smoked = due
  }

  #announce(): void {
    const { figure, flying, jets, lost, pattern, programme, time } = this.scenario
    const gone = jets.length - flying.length
    if (lost > this.#lost) this.#announcer.say('One falls out, and the formation closes up', time, true)
    else if (gone === 0 && flying.some(({ inPlace }) => !inPlace) && lost > 0)
      this.#announcer.say('A new one joins up', time)
    else this.#announcer.say(programme ? FIGURES[figure].says : `The ${pattern}`, time)
    this.#lost = lost
  }

  #updateCamera(seconds: number): void {
    const { conductor, figure, flying } = this.scenario
    const { seats } = this.#jets
    const wing = flying.filter(({ inPlace }) => inPlace)
    const shown = wing.length > 0 ? wing : flying
    const middle = this.#middle.set(0, 0, 0)
    for (const { index } of shown) middle.addScaledVector(seats[index]!.position, 1 / shown.length)
    const ahead = this.#ahead.copy(conductor.velocity).normalize()
    const reach = Math.max(...shown.map(({ index }) => seats[index]!.position.distanceTo(middle)))
    const wingMan = seats[shown.at(-1)!.index]!
    this.#camera.update({ middle, ahead, reach, wingMan }, FIGURES[figure].cue, seconds)
  }
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#fff2da', 3.6)
  sun.position.copy(SEASIDE_SUN).multiplyScalar(100)
  // the second light is the reflection of the sea
  return [sun, new HemisphereLight('#a9c8ef', '#4a7a8c', 0.7)]
}
