import type GUI from 'lil-gui'
import { Color, DirectionalLight, HemisphereLight, Object3D, Vector3 } from 'three'
import { loadModel } from '../models.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js'
import { magnitude } from '../scenarios/metrics.js'
import { boatOf, type Ship } from '../scenarios/port-traffic.js'
import { padDirection, PORT_REACH, PORTS } from '../scenarios/spaceport.js'
import { DEFAULT_DRONES, DEFAULT_FREIGHTERS, DEFAULT_WINGMEN, Station } from '../scenarios/station.js'
import { LEADER, MARAUDER, MUZZLE } from '../scenarios/station-fighter.js'
import { GUN_RANGE } from '../scenarios/station-guns.js'
import { MOST, type Raider } from '../scenarios/station-raid.js'
import { ORDERS, type Order, type Wingman } from '../scenarios/station-wing.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import { makeStars, SPACE_SKY } from '../sky/space.js'
import type { Stage } from '../stage.js'
import { Announcer } from '../views/announcer.js'
import { BoatsView } from '../views/boats-view.js'
import { Boulders } from '../views/boulders.js'
import { CommandCard } from '../views/command-card.js'
import { Containers } from '../views/containers.js'
import { copyPose } from '../views/copy-pose.js'
import { Darts } from '../views/darts.js'
import { EngineSound } from '../views/engine-sound.js'
import { Habitat } from '../views/habitat.js'
import { HarborView } from '../views/harbor-view.js'
import { Helm } from '../views/helm.js'
import { Inquiry, type Explained } from '../views/inquiry.js'
import { Pads, surfaceOf } from '../views/pads.js'
import { Planet } from '../views/planet.js'
import { Reticle } from '../views/reticle.js'
import { SentriesView } from '../views/sentries-view.js'
import { inTurn, MINE_SIZE, POLAR_SKIN, rocksUnder } from '../views/spaceport-look.js'
import { Sparks } from '../views/sparks.js'
import { StationCamera } from '../views/station-camera.js'
import { TracerLines } from '../views/tracer-lines.js'

const SUN = new Vector3(0.78, 0.3, 0.42).normalize()

const YOU = new Color('#ffd23d')
const WING = new Color('#3dc8ff')
const LIVERY = ['#ff8a3d', '#f2f4f8', '#6dea9a', '#b58cff', '#ffd23d', '#ff9ad5', '#9be23d']
const liveryOf = inTurn(LIVERY)
const SHOTS = [new Color('#49b6ff'), new Color('#ff5a14')]

const COMMANDS = [
  [
    { id: 'fly', label: 'Fly', key: '' },
    { id: 'target', label: 'Target', key: 'T' },
    { id: 'camera', label: 'Camera', key: 'V' },
    { id: 'sound', label: 'Sound', key: 'O' },
  ],
  [
    { id: 'form', label: 'Form up', key: '1' },
    { id: 'attack', label: 'Attack', key: '2' },
    { id: 'guard', label: 'Guard', key: '3' },
    { id: 'break', label: 'Break', key: '4' },
  ],
] as const
const BY_KEY: Record<string, string> = {
  KeyT: 'target',
  KeyV: 'camera',
  KeyO: 'sound',
  Digit1: 'form',
  Digit2: 'attack',
  Digit3: 'guard',
  Digit4: 'break',
}

export async function open(stage: Stage, { count, seed }: SceneOptions): Promise<LiveScene> {
  const freighters = Math.min(count ?? DEFAULT_FREIGHTERS, DEFAULT_FREIGHTERS)
  const models = (names: readonly string[]): Promise<Object3D[]> => Promise.all(names.map(loadModel))
  const named = (name: string, total: number): string[] => Array.from({ length: total }, () => name)
  const [hub, boats, ships, raiders] = await Promise.all([
    loadModel('spaceport'),
    models(Array.from({ length: freighters }, (_, k) => boatOf(k).model)),
    models(named('ship', 1 + DEFAULT_WINGMEN)),
    models(named('fighter', MOST)),
  ])
  const sky = makeBackdrop(stage.renderer, SPACE_SKY)
  const skin = makeBackdrop(stage.renderer, POLAR_SKIN, 1024)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 3
  stage.frame([128, 39, 160], [0, 0, 0], 12, 420)
  return new StationScene(stage, { sky, skin, hub, boats, ships, raiders }, seed)
}

interface Props {
  readonly sky: Backdrop
  readonly skin: Backdrop
  readonly hub: Object3D
  readonly boats: readonly Object3D[]
  /** The player's ship, then the wing. */
  readonly ships: readonly Object3D[]
  readonly raiders: readonly Object3D[]
}

class StationScene implements LiveScene {
  readonly #stage: Stage
  readonly #props: Props
  readonly #game: Station
  readonly #harbor: HarborView
  readonly #habitat = new Habitat()
  readonly #drones = new Darts(DEFAULT_DRONES, 1.1, (k) => new Color(k % 5 === 0 ? '#ffb35c' : '#5fe3c8'))
  readonly #boats: BoatsView
  readonly #fighters: SentriesView
  readonly #containers: Containers
  readonly #boulders: Boulders
  readonly #pads: Pads
  readonly #planet: Planet
  readonly #tracers = new TracerLines(SHOTS, 0.42)
  readonly #sparks = new Sparks()
  readonly #sound = new EngineSound()
  readonly #camera: StationCamera
  readonly #inquiry: Inquiry
  readonly #helm: Helm
  readonly #card: CommandCard
  readonly #reticle: Reticle
  readonly #announcer: Announcer
  readonly #mine = new Object3D()
  #heard = 0
  #wasPlayed = false

  constructor(stage: Stage, props: Props, seed: number) {
    this.#stage = stage
    this.#props = props
    const { boats, hub, raiders, ships, skin, sky } = props
    const game = new Station({
      seed,
      freighters: boats.length,
      view: {
        freighter: (k) => boats[k]!,
        wing: (k) => ships[k]!,
        raider: (k) => raiders[k]!,
        drones: this.#drones.mesh,
      },
    })
    this.#game = game
    this.#harbor = new HarborView(hub)
    this.#boats = new BoatsView(boats, viewOf(game), liveryOf)
    const colorOf = (k: number): Color => (k === 0 ? YOU : WING)
    this.#fighters = new SentriesView(ships, raiders, { guard: LEADER, raider: MARAUDER, colorOf })
    this.#containers = new Containers(
      game.traffic.containers,
      ({ ship, mount }) => boatOf(ship).mounts[mount]!,
    )
    const { position, quaternion } = game.mine
    const rocks = game.rocks.rocks.map(({ body, radius }) => ({ radius, position: body.position, quaternion: body.quaternion })) // prettier-ignore
    this.#boulders = new Boulders([{ radius: MINE_SIZE, position, quaternion }, ...rocks], rocksUnder(SUN))
    this.#pads = new Pads(
      boats.map((_, k) => padDirection(k, boats.length)),
      surfaceOf(MINE_SIZE),
      liveryOf,
    )
    this.#planet = new Planet(560, skin.texture, SUN)
    this.#planet.object.position.set(-620, -560, -640)
    hub.add(this.#habitat.object)
    stage.scene.add(...lights(), sky.dome, makeStars(2800, 3), this.#planet.object, hub)
    stage.scene.add(this.#boats.object, this.#fighters.object, this.#containers.object, this.#drones.object)
    stage.scene.add(this.#boulders.object, this.#pads.object, this.#tracers.mesh, this.#sparks.object)

    this.#camera = new StationCamera(stage, ships[0]!)
    this.#card = new CommandCard(COMMANDS, (id) => this.#do(id), stage.cards)
    const agents = explainedOf(game, props)
    const subjects = { steering: game.steering, agents, beside: 26, overview: 155, arrowKeys: false }
    this.#inquiry = new Inquiry(stage, subjects, this.#camera)
    this.#reticle = new Reticle(stage)
    this.#announcer = new Announcer(stage.foot)
    const { wing } = game
    this.#helm = new Helm(
      {
        stick: wing.stick,
        get played() {
          return wing.played
        },
        set played(on) {
          wing.played = on
        },
        get trigger() {
          return wing.trigger
        },
        set trigger(on) {
          wing.trigger = on
        },
        lean: () => leanOf(ships[0]!),
      },
      stage.canvas.parentElement!,
    )
    this.#helm.onKey = (code) => this.#do(BY_KEY[code] ?? '')
    stage.scene.add(this.#inquiry.object)
    const resized = (): void => {
      const pixels = stage.renderer.getPixelRatio()
      this.#sparks.object.material.uniforms['pixels']!.value = pixels
      this.#harbor.pixels = this.#habitat.pixels = (pixels * stage.canvas.clientHeight) / 1000
    }
    stage.onResize = resized
    resized()
    game.steering.present(1)
  }

  step(): void {
    this.#game.step(FIXED_STEP)
  }

  present(alpha: number, seconds: number): void {
    const { guns, mine, raid, station, steering, time, traffic, wing } = this.#game
    const { boats, hub, ships } = this.#props
    this.#helm.update(seconds)
    steering.present(alpha)
    copyPose(hub, station, alpha)
    copyPose(this.#mine, mine, alpha)
    this.#planet.time = this.#sparks.time = this.#habitat.time = time
    this.#harbor.update({ time, ports: traffic.ports, ships: traffic.ships })
    this.#boats.update(viewOf(this.#game), seconds)
    this.#fighters.update({ guards: wing.all, raiders: raid.raiders, time }, seconds)
    this.#pads.follow(this.#mine)
    for (const { index, leg } of traffic.ships) this.#pads.light(index, leg === 'load')
    this.#containers.update(boats, hub, this.#pads, time)
    this.#boulders.update()
    this.#drones.cool(seconds)
    this.#tracers.update(guns.tracers, (1 - alpha) * FIXED_STEP)
    this.#flash()
    this.#follow()
    this.#camera.update(seconds)
    this.#inquiry.update(seconds)
    const { leader } = wing
    const target = wing.played && leader.target?.present === true ? leader.target.pilot : null
    this.#reticle.update(this.#camera.chasing ? ships[0]! : null, leader.pilot, target, GUN_RANGE, MUZZLE)
    this.#sound.engine(magnitude(leader.pilot.force) / leader.pilot.maxForce)
    this.#write()
  }

  state(): SceneState {
    return { ...this.#game.state(), played: Number(this.#game.wing.played), ...this.#inquiry.state() }
  }

  panel(gui: GUI): void {
    const { wing } = this.#game
    gui
      .add({ assist: true }, 'assist')
      .name('assists: no contact')
      .onChange((on: boolean) => {
        for (const part of wing.assist.parts) part.enabled = on
      })
    gui.add(wing.stick, 'killDrift').name('kill drift')
    gui.add(this.#sound, 'on').name('sound').listen()
    this.#inquiry.panel(gui)
  }

  dispose(): void {
    this.#helm.dispose()
    this.#inquiry.dispose()
    this.#camera.dispose()
    this.#reticle.remove()
    this.#announcer.remove()
    this.#card.remove()
    this.#sound.dispose()
    this.#game.dispose()
    this.#boats.dispose()
    this.#fighters.dispose()
    this.#props.sky.dispose()
    this.#props.skin.dispose()
  }

  /** Obeys a button or key. @returns whether it means something. */
  #do(id: string): boolean {
    const { raid, wing } = this.#game
    if (id === 'fly') wing.played = !wing.played
    else if (id === 'target') wing.aimAtNext(raid.raiders)
    else if (id === 'camera') this.#camera.chasing = !this.#camera.chasing
    else if (id === 'sound') this.#sound.on = !this.#sound.on
    else if (ORDERS.some((order) => order === id)) {
      wing.played = true
      wing.order = id as Order
    } else return false
    if (id === 'camera') this.#inquiry.choose(-1)
    return true
  }

  /** The camera goes to the ship of a player who takes over, and back to the station afterwards. */
  #follow(): void {
    const { played } = this.#game.wing
    if (played === this.#wasPlayed) return
    this.#wasPlayed = played
    this.#inquiry.choose(-1)
    this.#camera.chasing = played
  }

  /** Sparks of hits and of raiders that blow up, and dust where a ship has docked. */
  #flash(): void {
    const { guns, raid, station, traffic } = this.#game
    const { position } = this.#stage.camera
    for (const at of guns.sparks.splice(0)) {
      this.#sparks.burst(at, REST, 6, 7)
      this.#sound.hit(position.distanceTo(at))
    }
    for (const { position: at, velocity } of raid.bursts.splice(0)) {
      this.#sparks.burst(at, velocity, 16, 70)
      this.#sparks.burst(at, velocity, 5, 40)
    }
    const { hub } = this.#props
    for (const { port } of traffic.fresh.splice(0)) {
      const angle = (port / PORTS) * 2 * Math.PI
      spot.set(Math.sin(angle), 0, Math.cos(angle)).multiplyScalar(PORT_REACH)
      this.#sparks.burst(spot.applyQuaternion(hub.quaternion).add(hub.position), station.velocity, 1.2, 14)
    }
    for (const { position: at, speed } of traffic.impacts.splice(0))
      this.#sparks.burst(at, REST, 2 + speed, 20)
    if (guns.tracers.fired > this.#heard)
      this.#sound.shot(position.distanceTo(this.#props.ships[0]!.position))
    this.#heard = guns.tracers.fired
  }

  #write(): void {
    const { raid, time, traffic, wing } = this.#game
    const card = this.#card
    const { leader, order, played } = wing
    for (const each of ORDERS) card.mark(each, each === order)
    card.mark('fly', played, played ? 'Autopilot' : 'Fly')
    card.mark('camera', this.#camera.chasing)
    card.mark('sound', this.#sound.on)
    card.mark('target', leader.target !== null)
    card.title = played ? 'You fly. The wing listens.' : 'The autopilot flies.'
    const wingShield =
      wing.ships.reduce((sum, { shield }) => sum + shield, 0) / Math.max(1, wing.ships.length)
    card.gauge({ shields: leader.shield, wing: wingShield })
    const moored = traffic.ships.filter(({ leg }) => leg === 'docked').length
    card.note = `${raid.intercepted} raiders stopped · ${raid.robbed} robberies · ${moored} docked`
    const near = raid.raiders.filter(({ present }) => present).length
    if (near > 0) this.#announcer.say(near === 1 ? 'One raider' : `${near} raiders`, time)
    else if (!played) this.#announcer.say('Take the stick: W A S D and arrows, or a gamepad', time)
    else this.#announcer.say('All clear', time)
  }
}

const REST = { x: 0, y: 0, z: 0 }
const spot = new Vector3()
const side = new Vector3()

/** Roll of a ship to starboard (rad), 0 where its nose points straight up or down. */
function leanOf({ quaternion }: Object3D): number {
  side.set(-1, 0, 0).applyQuaternion(quaternion)
  spot.set(0, 1, 0).applyQuaternion(quaternion)
  const level = Math.hypot(side.y, spot.y)
  return level > 0.2 ? Math.atan2(-side.y, spot.y) : 0
}

function viewOf({ station, time, traffic }: Station): ConstructorParameters<typeof BoatsView>[1] {
  return { ships: traffic.ships, station, time }
}

/** What the panel says of each ship. */
function explainedOf({ raid, traffic, wing }: Station, { boats, raiders, ships }: Props): Explained[] {
  const you: Explained = {
    pilot: wing.leader.pilot,
    object: ships[0]!,
    word: () => (wing.played ? '' : wing.modes.current),
    modeOf: (behavior) => modeIn(wing.modes, behavior),
    describe: () => ({
      states: ['stick', 'patrol', 'hunt'],
      state: wing.modes.current,
      detail: '',
      gauges: { shields: wing.leader.shield },
    }),
  }
  const fighter = (each: Wingman | Raider, object: Object3D, states: readonly string[]): Explained => ({
    pilot: each.pilot,
    object,
    word: () => each.doing,
    modeOf: (behavior) => modeIn(each.modes, behavior),
    describe: () => ({
      states,
      state: each.doing,
      detail: each.target?.pilot.name ?? '',
      gauges: { shields: each.shield },
    }),
    isPresent: () => each.present,
  })
  const freighter = (ship: Ship): Explained => ({
    pilot: ship.pilot,
    object: boats[ship.index]!,
    // only in the panel: too many tags would hide the station
    word: () => '',
    modeOf: () => '',
    describe: () => ({
      states: ['dock', 'docked', 'undock', 'cross', 'load'],
      state: ship.leg,
      detail: ship.leg === 'dock' ? ship.stage : '',
      gauges: { shields: raid.preys[ship.index]!.shield },
    }),
  })
  return [
    you,
    ...wing.ships.map((each, k) => fighter(each, ships[k + 1]!, ['form', 'join', 'hunt', 'guard'])),
    ...raid.raiders.map((each, k) => fighter(each, raiders[k]!, ['raid', 'evade', 'flee'])),
    ...traffic.ships.map(freighter),
  ]
}

function modeIn(modes: { readonly trees: ReadonlyMap<string, unknown> }, behavior: unknown): string {
  return [...modes.trees].find(([, tree]) => tree === behavior)?.[0] ?? ''
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#fff1dc', 3.4)
  sun.position.copy(SUN).multiplyScalar(100)
  // light reflected by the planet below
  const bounce = new HemisphereLight('#1b2440', '#2f62a8', 0.9)
  const rim = new DirectionalLight('#4f8fff', 0.8)
  rim.position.set(-70, -30, -80)
  return [sun, bounce, rim]
}
