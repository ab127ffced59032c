import type GUI from 'lil-gui'
import { Color, DirectionalLight, HemisphereLight, Object3D, Vector3 } from 'three'
import { loadModel } from '../models.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js' // prettier-ignore
import { RAIDER_MODES, type Raider } from '../scenarios/sentry-raider.js'
import { Guard } from '../scenarios/sentry-guard.js'
import { DEFAULT_GUARDS, DEFAULT_RAIDERS, Sentries } from '../scenarios/sentries.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { isBehindWorld, RUST_SKY, RUST_SUN } from '../sky/rust-world.js'
import { makeStars } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { Beams } from '../views/beams.js'
import { Boulders } from '../views/boulders.js'
import { Buoys } from '../views/buoys.js'
import { Escort } from '../views/escort.js'
import { HarborView, type Harbor } from '../views/harbor-view.js'
import { Inquiry, type Explained, type Subjects } from '../views/inquiry.js'
import { SentriesView, GUARD_COLOR, RAIDER_COLOR } from '../views/sentries-view.js'
import { Sparks } from '../views/sparks.js'

const ROCK_LOOK = {
  sun: RUST_SUN,
  sunColor: [3.3, 2.9, 2.4],
  dark: [0.05, 0.043, 0.04],
  pale: [0.24, 0.205, 0.18],
  sky: [0.035, 0.035, 0.05],
  bounce: [0.11, 0.06, 0.04],
}

export async function open(
  stage: Stage,
  { seed, count = DEFAULT_GUARDS + DEFAULT_RAIDERS }: SceneOptions,
): Promise<LiveScene> {
  const guards = Math.min(DEFAULT_GUARDS, Math.max(1, Math.ceil(count / 2)))
  const raiders = Math.max(1, Math.min(DEFAULT_RAIDERS, count - guards))
  const models = (name: string, total: number): Promise<Object3D[]> =>
    Promise.all(Array.from({ length: total }, () => loadModel(name)))
  const [station, ships, fighters] = await Promise.all([
    loadModel('spaceport'),
    models('ship', guards),
    models('fighter', raiders),
  ])
  const sky = makeBackdrop(stage.renderer, RUST_SKY, 640)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 2.6
  stage.frame([70, 62, 128], [0, 0, 0], 8, 420)
  return new ExplainScene(stage, sky, station, ships, fighters, seed)
}

class ExplainScene implements LiveScene {
  readonly scenario = this
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly #station: Object3D
  readonly #scenario: Sentries
  readonly #view: SentriesView
  readonly #harbor: HarborView
  readonly #boulders: Boulders
  readonly #buoys: Buoys
  readonly #beams = new Beams()
  readonly #sparks = new Sparks()
  readonly #escort: Escort
  readonly #inquiry: Inquiry
  /** Shines from the camera, because half of what it sees is turned away from the sun. */
  readonly #lamp = new DirectionalLight('#cfe0ff', 1.7)
  readonly #subject = new Object3D()

  constructor(
    stage: Stage,
    sky: Backdrop,
    station: Object3D,
    ships: readonly Object3D[],
    fighters: readonly Object3D[],
    seed: number,
  ) {
    this.#stage = stage
    this.#sky = sky
    this.#station = station
    this.#view = new SentriesView(ships, fighters)
    const scenario = new Sentries({
      seed,
      guards: ships.length,
      raiders: fighters.length,
      view: (team, index) => (team === 'guard' ? ships : fighters)[index]!,
    })
    this.#scenario = scenario
    this.#harbor = new HarborView(station)
    const rocks = scenario.boulders.map(({ body: { position, quaternion }, radius }) => ({ radius, position, quaternion })) // prettier-ignore
    this.#boulders = new Boulders(rocks, ROCK_LOOK)
    this.#buoys = new Buoys(scenario.beacons)
    this.#escort = new Escort(stage)
    const objects = [...ships, ...fighters]
    const agents = scenario.crafts.map((craft, k) => explained(craft, objects[k]!, scenario))
    const subjects: Subjects = { steering: scenario.steering, agents, beside: 27, overview: 165 }
    this.#inquiry = new Inquiry(stage, subjects, this.#escort)
    this.#lamp.target = this.#subject
    stage.scene.add(
      ...lights(),
      this.#lamp,
      this.#subject,
      sky.dome,
      makeStars(2200, 5, isBehindWorld),
      station,
      this.#boulders.object,
    )
    stage.scene.add(this.#buoys.object, this.#view.object, this.#beams.mesh, this.#sparks.object)
    stage.scene.add(this.#inquiry.object)
    scenario.steering.present(1)
    this.#inquiry.choose(0)
    this.#escort.jump(seatAt(ships[0]!))
  }

  step(): void {
    this.#scenario.step(FIXED_STEP)
  }

  present(alpha: number, seconds: number): void {
    const { station, steering, time } = this.#scenario
    steering.present(alpha)
    this.#station.position.copy(station.position)
    this.#station.quaternion.copy(station.quaternion)
    this.#sparks.time = this.#buoys.time = time
    this.#harbor.update({ time, ports: this.#scenario.ports, ships: this.#scenario.guards.map(legOf) })
    this.#boulders.update()
    this.#view.update(this.#scenario, seconds)
    this.#light()
    this.#fire(seconds)
    this.#escort.update(seconds)
    if (!this.#escort.following) this.#stage.drift(0.01 * seconds)
    this.#inquiry.update(seconds)
    const { camera, controls } = this.#stage
    this.#lamp.position.copy(camera.position)
    this.#subject.position.copy(controls.target)
  }

  state(): SceneState {
    return { ...this.#scenario.state(), ...this.#inquiry.state() }
  }

  panel(gui: GUI): void {
    this.#inquiry.panel(gui)
  }

  dispose(): void {
    this.#inquiry.dispose()
    this.#escort.dispose()
    this.#scenario.dispose()
    this.#view.dispose()
    this.#sky.dispose()
  }

  /** A beacon glows red while it is raided. */
  #light(): void {
    const { beacons, raiders } = this.#scenario
    beacons.forEach((_, index) => {
      const raided = raiders.some(({ beacon, mode }) => mode === RAIDER_MODES[1] && beacon === index)
      this.#buoys.paint(index, raided ? RAIDER_COLOR : GUARD_COLOR, raided ? 1 : 0.55)
    })
  }

  #fire(seconds: number): void {
    for (const { from, hit, team, to } of this.#scenario.shots.splice(0)) {
      end.copy(to.pilot.position)
      if (!hit) end.add(miss.set(2.5, 3, -2).multiplyScalar(team === 'guard' ? 1 : -1))
      this.#beams.flash(from.pilot.position, end, team === 'guard' ? GUARD_SHOT : RAIDER_SHOT)
      if (hit) this.#sparks.burst(to.pilot.position, to.pilot.velocity, 5, 9)
    }
    this.#beams.update(seconds)
  }
}

const GUARD_SHOT = new Color('#8fe3ff')
const RAIDER_SHOT = new Color('#ff6a4a')
const end = new Vector3()
const miss = new Vector3()

const GUARD_STATES = ['patrol', 'chase', 'flee', 'dock']
const RAIDER_STATES = ['roam', 'raid', 'flee']

/** What the panel says of a guard or raider. */
function explained(craft: Guard | Raider, object: Object3D, scenario: Sentries): Explained {
  const { mind, modes, pilot } = craft
  return {
    pilot,
    object,
    word: () => mind.state.split('.')[0]!,
    modeOf: (behavior) => [...modes.trees].find(([, tree]) => tree === behavior)?.[0] ?? '',
    describe: () => {
      const isGuard = craft instanceof Guard
      const [state = '', detail = ''] = mind.state.split('.')
      return {
        states: isGuard ? GUARD_STATES : RAIDER_STATES,
        state,
        detail: detail || `${(scenario.time - mind.since).toFixed(0)} s`,
        gauges: isGuard
          ? { charge: craft.charge, health: craft.health }
          : { health: craft.health, loot: craft.loot },
      }
    },
  }
}

/** Camera position beside a ship, with the station behind the ship. */
function seatAt({ position, quaternion }: Object3D): Vector3 {
  const seat = new Vector3(0, 0, -1).applyQuaternion(quaternion)
  return seat.addScaledVector(position.clone().normalize(), 22).add(new Vector3(0, 14, 0))
}

function legOf({ mode, pilot, release }: Guard): Harbor['ships'][number] {
  return { pilot, leg: release !== null ? 'docked' : mode === 'leave' ? 'undock' : 'dock' }
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#fff0dc', 3.4)
  sun.position.copy(RUST_SUN).multiplyScalar(100)
  // light reflected by the red planet
  const bounce = new HemisphereLight('#2a2a3c', '#8a4a34', 1.5)
  const rim = new DirectionalLight('#c86a48', 0.7)
  rim.position.set(-36, -10, -92)
  return [sun, bounce, rim]
}
