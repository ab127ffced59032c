import type GUI from 'lil-gui'
import { Color, DirectionalLight, HemisphereLight, Object3D, Quaternion, Vector3 } from 'three'
import { loadModel } from '../models.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js'
import { magnitude } from '../scenarios/metrics.js'
import { boatOf, type Ship } from '../scenarios/port-traffic.js'
import { padDirection, PORT_REACH, PORTS } from '../scenarios/spaceport.js'
import { DEFAULT_DRONES, DEFAULT_FREIGHTERS, DEFAULT_WINGMEN, Station } from '../scenarios/station.js'
import { LEADER, MARAUDER, MUZZLE, type Fighter } from '../scenarios/station-fighter.js'
import { GUN_RANGE } from '../scenarios/station-guns.js'
import { MOST, type Raider } from '../scenarios/station-raid.js'
import { RAIDS, ROBBERIES } from '../scenarios/station-match.js'
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
import { behindBodies, stationCue } from '../views/cues.js'
import { Darts } from '../views/darts.js'
import type { Cue } from '../views/director.js'
import { EngineSound } from '../views/engine-sound.js'
import { Flashes } from '../views/flashes.js'
import { Habitat } from '../views/habitat.js'
import { HarborView } from '../views/harbor-view.js'
import { Helm } from '../views/helm.js'
import { Inquiry, type Explained } from '../views/inquiry.js'
import { MatchCard, signed } from '../views/match-card.js'
import { Pads, surfaceOf } from '../views/pads.js'
import { Planet } from '../views/planet.js'
import { SentriesView } from '../views/sentries-view.js'
import { inTurn, MINE_SIZE, POLAR_SKIN, rocksUnder } from '../views/spaceport-look.js'
import { Sparks } from '../views/sparks.js'
import { StationCamera } from '../views/station-camera.js'
import { StationHud, type Cockpit, type Contact } from '../views/station-hud.js'
import { TracerLines } from '../views/tracer-lines.js'

const SUN = new Vector3(0.78, 0.3, 0.42).normalize()

const YOU = new Color('#ffd23d')
const WING = new Color('#3dc8ff')
const LIVERY = ['#ff8a3d', '#f2f4f8', '#6dea9a', '#b58cff', '#ffd23d', '#ff9ad5', '#9be23d']
const liveryOf = inTurn(LIVERY)
const HULL = new Color('#ffe0b8')
const BLAST = new Color('#ff8a3c')
const SHOTS = [new Color('#49b6ff'), new Color('#ff5a14')]

const COMMANDS = [
  [
    { id: 'fly', label: 'Fly', key: '' },
    { id: 'target', label: 'Target', key: 'T' },
    { id: 'camera', label: 'Camera', key: 'V' },
    { id: 'mouse', label: 'Mouse', key: 'X' },
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
  KeyX: 'mouse',
  KeyO: 'sound',
  Enter: 'start',
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
  readonly scenario = this
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
  readonly #tracers = new TracerLines(SHOTS, 0.6)
  readonly #sparks = new Sparks()
  readonly #flashes = new Flashes()
  readonly #sound = new EngineSound()
  readonly #camera: StationCamera
  readonly #inquiry: Inquiry
  readonly #helm: Helm
  readonly #card: CommandCard
  readonly #hud: StationHud
  readonly #matchCard: MatchCard
  readonly #announcer: Announcer
  readonly #mine = new Object3D()
  /** Time of the next shot of each fighter, when last seen. */
  readonly #loaded = new Map<Fighter, number>()
  #wasPlayed = false
  /** Time of the last hit by the player, and of the last order (s). */
  #hitAt = -Infinity
  #orderedAt = -Infinity
  #answered = true

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
    stage.scene.add(this.#flashes.object)

    const cue = (): Cue => stationCue(game, ships, raiders, game.raid.raiders)
    this.#camera = new StationCamera(stage, ships[0]!, cue, behindBodies(game.hulls))
    // a phone has no mouse
    const isTouched = window.matchMedia('(pointer: coarse)').matches
    const commands = COMMANDS.map((row) => row.filter(({ id }) => !isTouched || id !== 'mouse'))
    this.#card = new CommandCard(commands, (id) => this.#do(id), stage.cards)
    const agents = explainedOf(game, props)
    const subjects = { steering: game.steering, agents, beside: 26, overview: 155, arrowKeys: false }
    this.#inquiry = new Inquiry(stage, subjects, this.#camera)
    this.#hud = new StationHud(stage)
    const acts = { start: () => this.#do('start'), watch: () => game.match.leave(), sound: this.#sound }
    this.#matchCard = new MatchCard(acts, stage.foot)
    this.#announcer = new Announcer(stage.foot)
    const { match, wing } = game
    this.#helm = new Helm(
      {
        stick: wing.stick,
        get played() {
          return wing.played
        },
        set played(on) {
          if (!match.over) wing.played = on
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
    stage.draw = () => {
      stage.renderer.render(stage.scene, stage.camera)
      this.#look()
    }
    game.steering.present(1)
  }

  step(): void {
    this.#game.step(FIXED_STEP)
  }

  present(alpha: number, seconds: number): void {
    const { guns, mine, raid, station, steering, time, traffic, wing } = this.#game
    const { boats, hub } = this.#props
    this.#helm.update(seconds)
    steering.present(alpha)
    copyPose(hub, station, alpha)
    copyPose(this.#mine, mine, alpha)
    this.#planet.time = this.#sparks.time = this.#habitat.time = time
    this.#flashes.update(time)
    this.#harbor.update({ time, ports: traffic.ports, ships: traffic.ships })
    this.#boats.update(viewOf(this.#game), seconds)
    this.#fighters.update({ guards: wing.all, raiders: raid.raiders, time }, seconds, this.#camera.chasing ? this.#stage.camera.position : null) // prettier-ignore
    this.#pads.follow(this.#mine, time)
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
    this.#stage.canvas.parentElement!.classList.remove('flown')
    this.#helm.dispose()
    this.#inquiry.dispose()
    this.#camera.dispose()
    this.#hud.remove()
    this.#matchCard.remove()
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
    const { match, raid, time, wing } = this.#game
    if (id === 'fly' && wing.played) match.leave()
    else if (id === 'fly' || id === 'start') {
      if (match.phase !== 'playing') match.start(time)
    } else if (id === 'target') wing.aimAtNext(raid.hostile)
    else if (id === 'camera') this.#camera.chasing = !this.#camera.chasing
    else if (id === 'mouse') {
      if (match.phase !== 'playing') match.start(time)
      this.#helm.steerByMouse(this.#helm.mouse === null)
    } else if (id === 'sound') this.#sound.on = !this.#sound.on
    else if (ORDERS.some((order) => order === id)) {
      if (match.phase !== 'playing') match.start(time)
      wing.order = id as Order
      this.#orderedAt = time
      this.#answered = false
    } else return false
    if (id === 'camera') this.#inquiry.choose(-1)
    return true
  }

  /** The camera goes to the ship of a player who takes over, and back to the station afterwards. */
  #follow(): void {
    const { played } = this.#game.wing
    if (played === this.#wasPlayed) return
    this.#wasPlayed = played
    this.#stage.canvas.parentElement!.classList.toggle('flown', played)
    this.#inquiry.choose(-1)
    this.#camera.chasing = played
    if (!played) this.#helm.steerByMouse(false)
  }

  /** Draws what the pilot sees over the picture. */
  #look(): void {
    const { match, raid, time, wing } = this.#game
    const { leader } = wing
    const { boats, hub, raiders, ships } = this.#props
    const { pilot, shield, armed } = leader
    if (!this.#answered && time > this.#orderedAt + 0.4) {
      this.#answered = true
      this.#hud.tell(wing.answer, time)
    }
    for (const text of match.news.splice(0)) this.#hud.tell(text, time)
    const isFlown = wing.played && this.#camera.chasing
    const contacts: Contact[] = [{ kind: 'station', position: hub.position, word: 'station' }]
    if (isFlown) {
      const isAnswer = time < this.#orderedAt + 2.5
      for (const [k, { doing }] of wing.ships.entries())
        contacts.push({ kind: 'wing', position: ships[k + 1]!.position, word: doing, lit: isAnswer })
      for (const [k, prey] of raid.preys.entries())
        contacts.push({ kind: 'freighter', position: boats[k]!.position, word: 'under fire', lit: prey.shield < 0.97 }) // prettier-ignore
      for (const [k, raider] of raid.raiders.entries()) {
        const position = raiders[k]!.position
        if (raider.present) contacts.push({ kind: 'raider', position, shield: raider.shield, lit: raider === leader.target }) // prettier-ignore
      }
    }
    const { position, quaternion } = ships[0]!
    const cockpit: Cockpit = {
      self: { position, quaternion, velocity: pilot.velocity },
      speed: magnitude(pilot.velocity),
      shield,
      armed,
      target: leader.target?.present === true ? leader.target.pilot : null,
      sinceHit: time - this.#hitAt,
      sinceHurt: time - leader.hitAt,
      mouse: this.#helm.mouse,
      muzzle: MUZZLE,
      range: GUN_RANGE,
    }
    const { beaten, robbed } = match.tally
    const score = [signed(match.score), `raid ${Math.min(RAIDS, beaten + 1)} of ${RAIDS} · robbed ${robbed} of ${ROBBERIES}`] // prettier-ignore
    this.#hud.draw(isFlown ? cockpit : null, contacts, score, time)
  }

  /** Flashes of shots, sparks of hits and of raiders that blow up, and dust where a ship has docked. */
  #flash(): void {
    const { guns, raid, station, time, traffic, wing } = this.#game
    const { position } = this.#stage.camera
    const { leader } = wing
    for (const fighter of [...wing.all, ...raid.raiders]) {
      const { body, boat, reload, team } = fighter
      const last = this.#loaded.get(fighter) ?? 0
      this.#loaded.set(fighter, reload)
      if (reload <= last) continue
      spot
        .set(0, 0, boat.nose + 0.6)
        .applyQuaternion(turned.copy(body.quaternion))
        .add(body.position)
      this.#flashes.flash(spot, fighter === leader ? 4.5 : 3.4, SHOTS[team]!, 0.07, time)
      this.#sound.shot(position.distanceTo(spot))
      if (fighter === leader) this.#camera.kick(0.045)
    }
    for (const { hitAt, hitBy, pilot } of raid.raiders) {
      if (hitAt <= time - 1.5 * FIXED_STEP) continue
      this.#flashes.flash(pilot.position, 9, HULL, 0.09, time)
      if (hitBy === leader) this.#hitAt = time
    }
    if (leader.hitAt > time - 1.5 * FIXED_STEP) this.#camera.kick(0.5)
    for (const at of guns.sparks.splice(0)) {
      this.#sparks.burst(at, REST, 8, 9)
      this.#sound.hit(position.distanceTo(at))
    }
    for (const { position: at, velocity } of raid.bursts.splice(0)) {
      this.#sparks.burst(at, velocity, 16, 70)
      this.#sparks.burst(at, velocity, 5, 40)
      this.#flashes.flash(at, 46, BLAST, 0.5, time)
      this.#flashes.flash(at, 18, HULL, 0.25, time)
      this.#camera.kick(1.2 * Math.max(0, 1 - position.distanceTo(at) / 150))
    }
    const { hub } = this.#props
    for (const { port } of traffic.fresh.splice(0)) {
      const angle = (port / PORTS) * 2 * Math.PI
      spot.set(Math.sin(angle), 0, Math.cos(angle)).multiplyScalar(PORT_REACH)
      this.#sparks.burst(spot.applyQuaternion(hub.quaternion).add(hub.position), station.velocity, 1.2, 14)
    }
    for (const { position: at, speed } of traffic.impacts.splice(0))
      this.#sparks.burst(at, REST, 2 + speed, 20)
  }

  #write(): void {
    const { match, raid, time, traffic, wing } = this.#game
    const card = this.#card
    const { leader, order, played } = wing
    for (const each of ORDERS) card.mark(each, each === order)
    card.mark('fly', played, played ? 'Autopilot' : 'Fly')
    card.mark('camera', this.#camera.chasing)
    card.mark('mouse', this.#helm.mouse !== null)
    card.mark('target', leader.target !== null)
    card.title = played ? 'You fly. The wing listens.' : 'The autopilot flies.'
    const wingShield =
      wing.ships.reduce((sum, { shield }) => sum + shield, 0) / Math.max(1, wing.ships.length)
    card.gauge({ shields: leader.shield, wing: wingShield })
    const moored = traffic.ships.filter(({ leg }) => leg === 'docked').length
    card.note = `${raid.intercepted} stopped · ${raid.robbed} robbed · ${moored} in port`
    this.#matchCard.update(match)
    const near = raid.hostile.length
    const wait = Math.ceil(raid.due - time)
    if (match.phase !== 'playing') this.#announcer.say('', time)
    else if (this.#helm.rest < 8)
      this.#announcer.say(`Nobody steers: the autopilot takes over in ${Math.ceil(this.#helm.rest)} s`, time) // prettier-ignore
    else if (wing.strayed) this.#announcer.say('Too far out: the autopilot turns back', time)
    else if (!leader.armed) this.#announcer.say('Shields down: the gun is off until they mend', time)
    else if (near > 0) this.#announcer.say(`${near} of ${raid.size} raiders left: follow the red marks`, time)
    else if (wait > 0) this.#announcer.say(`The next raid in ${wait} s`, time)
    else this.#announcer.say(raid.underway ? 'Raiders flee' : '', time)
  }
}

const REST = { x: 0, y: 0, z: 0 }
const spot = new Vector3()
const side = new Vector3()
const turned = new Quaternion()

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
    // a pilot has marks instead
    word: () => (wing.played ? '' : each.doing),
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
