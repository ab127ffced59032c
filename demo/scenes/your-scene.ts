import type GUI from 'lil-gui'
import {
  AdditiveBlending,
  Color,
  CatmullRomCurve3,
  ConeGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  TubeGeometry,
  Vector3,
  Object3D,
} from 'three'
import { loadModel } from '../models.js'
import { readModel, Flyable, type Copies } from '../own/flyable.js'
import { Hangar } from '../own/hangar.js'
import { type LiveScene, type SceneOptions } from '../scene.js'
import {
  COPY,
  DEFAULT_FLOCK,
  ENGINES,
  MAX_FLOCK,
  TASKS,
  YourScene,
  type Task,
} from '../scenarios/your-scene.js'
import { ALOFT_SKY, ALOFT_SUN } from '../sky/aloft.js'
import { makeBackdrop, type Backdrop } from '../sky/backdrop.js'
import type { Stage } from '../stage.js'
import { Trails } from '../trails.js'
import { Boulders } from '../views/boulders.js'
import { Buoys } from '../views/buoys.js'
import { Chase } from '../views/chase.js'
import { CloudSea } from '../views/cloud-sea.js'
import { HarborView } from '../views/harbor-view.js'
import { Nozzles, nozzlesOf } from '../views/nozzles.js'
import { Plumes } from '../views/plumes.js'
import { Sparks } from '../views/sparks.js'
import { copyPose } from '../views/copy-pose.js'

/** Approximate height of the clouds (m). */
const CLOUDS = -52
const AMBER = new Color('#ffb45e')
const CYAN = new Color('#7fd4ff')

/** Models of the gallery that may fly as well. */
const BUNDLED = ['ship', 'fighter', 'lander', 'freighter', 'drone']

const ROCK_LOOK = {
  sun: ALOFT_SUN,
  sunColor: [3.9, 2.3, 1.25],
  dark: [0.075, 0.055, 0.05],
  pale: [0.34, 0.27, 0.23],
  sky: [0.3, 0.33, 0.52],
  bounce: [0.5, 0.33, 0.34],
}

/** Distance of the camera from the ship (m), beside and behind it. */
const BESIDE = 39
const BEHIND = 16
/** Greatest offset of the camera's aim from the ship towards its flock (m), and its time constant (s). */
const BETWEEN = 14
const LEAN = 0.8
/** The camera keeps this free of rocks around its line of sight, and this distance from the ship (m). */
const ROOM = 1
const NEAREST = 12
/** A press that moves less than this is a click, and reaches a buoy within this distance (CSS pixels). */
const CLICK = 6
const NEAR = 40
/** Time for which the arrow at the nose is shown (s). */
const NOSE_TIME = 3

/** The visitor's model. It stays when the scene starts again. */
let own: Flyable | null = null

export async function open(stage: Stage, { seed, count }: SceneOptions): Promise<LiveScene> {
  const [station, ship] = await Promise.all([loadModel('spaceport'), own ?? bundled('ship')])
  const sky = makeBackdrop(stage.renderer, ALOFT_SKY, 640)
  stage.scene.environment = stage.environmentFrom(sky.light)
  stage.scene.environmentIntensity = 1.2
  stage.camera.far = 9000
  stage.frame([40, 26, 104], [0, 0, 0], 5, 300)
  stage.controls.maxPolarAngle = 2
  return new YourSceneScene(stage, sky, station, ship, seed, count)
}

async function bundled(name: string): Promise<Flyable> {
  return new Flyable(name, await loadModel(name))
}

class YourSceneScene implements LiveScene {
  readonly #stage: Stage
  readonly #sky: Backdrop
  readonly scenario: YourScene
  readonly #clouds: CloudSea
  readonly #boulders: Boulders
  readonly #harbor: HarborView
  readonly #buoys: Buoys
  readonly #line: Mesh
  readonly #sparks = new Sparks()
  readonly #trails: Trails
  readonly #hangar: Hangar
  readonly #chase: Chase
  readonly #count: number
  readonly #listening = new AbortController()
  readonly #nose = makeNose()
  /** Holds what shows the ship: it moves, and its content changes with the model. */
  readonly #craft = new Group()
  /** What the camera follows: the ship, or a point between it and its flock. */
  readonly #subject = new Object3D()
  readonly #offset = new Vector3()
  #flyable: Flyable
  #ship = new Group()
  #copies: Copies | null = null
  #plumes = new Plumes(1)
  #nozzles: Nozzles | null = null
  #noseUntil = 0
  /** How much nearer the camera is because of a rock (m), and as a vector. */
  #pulled = 0
  readonly #pull = new Vector3()
  #drifts = true
  #isBehind = false
  #isGone = false
  /** The model of the gallery that was chosen, for the panel. */
  #choice = 'ship'

  constructor(
    stage: Stage,
    sky: Backdrop,
    station: Object3D,
    flyable: Flyable,
    seed: number,
    count = DEFAULT_FLOCK,
  ) {
    this.#stage = stage
    this.#sky = sky
    this.#flyable = flyable
    this.#count = Math.min(count, MAX_FLOCK)
    this.#chase = new Chase(stage.camera, stage.controls)
    this.scenario = new YourScene({ seed, count: this.#count })
    const { rocks, places } = this.scenario
    this.#clouds = new CloudSea(sky.texture, CLOUDS)
    this.#boulders = new Boulders(rocks, ROCK_LOOK)
    this.#harbor = new HarborView(station)
    this.#buoys = new Buoys(places)
    this.#line = makeLine(this.scenario)
    this.#trails = new Trails({
      count: 1 + this.#count,
      points: 70,
      width: 0.2,
      opacity: 0.55,
      color: (k) => (k === 0 ? AMBER : CYAN),
    })
    stage.scene.add(...lights(), sky.dome, this.#clouds.object, this.#boulders.object, this.#harbor.object)
    stage.scene.add(
      this.#buoys.object,
      this.#line,
      this.#trails.object,
      this.#sparks.object,
      this.#craft,
      this.#nose,
    )
    this.#hangar = new Hangar(stage.cards, TASKS, {
      open: async (file) => {
        const read = await readModel(file)
        if (this.#isGone) read.free()
        else this.#use((own = read))
      },
      turn: (axis) => {
        this.#flyable.turnNose(axis)
        this.#use(this.#flyable)
      },
      choose: (task) => this.#choose(task as Task),
    })
    this.#use(flyable)
    this.#noseUntil = 0
    this.scenario.steering.present(1)
    this.#watch('beside it')
    this.#listen(stage.canvas)
  }

  present(alpha: number, seconds: number): void {
    const { flock, impacts, leg, pilot, place, places, ports, station, steering, task } = this.scenario
    const { time } = steering
    steering.present(alpha)
    this.#copies?.flush()
    copyPose(this.#harbor.object, station, alpha)
    this.#harbor.update({ time, ports, ships: [{ pilot, leg }] })
    this.#boulders.update()
    this.#clouds.time = time
    this.#buoys.time = time
    const isLit = task === 'arrive'
    places.forEach((_, k) =>
      this.#buoys.paint(k, k === place ? AMBER : CYAN, isLit ? (k === place ? 1.6 : 0.7) : 0.1),
    )
    this.#line.visible = task === 'follow a path' || task === 'lead a flock'
    this.#nozzles?.update(pilot.force, pilot.torque, seconds)
    this.#plumes.update(time)
    this.#trace(flock !== null, seconds)
    this.#sparks.time = time
    for (const { position, speed } of impacts.splice(0)) {
      const none = { x: 0, y: 0, z: 0 }
      this.#sparks.burst(position, none, 3 + speed, Math.min(60, Math.round(8 + 5 * speed)))
    }
    this.#nose.visible = time < this.#noseUntil
    this.#nose.position.copy(this.#ship.position)
    this.#nose.quaternion.copy(this.#ship.quaternion)
    this.#moveCamera(seconds)
    this.#hangar.mark(task)
  }

  panel(gui: GUI): void {
    const { task } = this.scenario
    const draft = { camera: 'beside it', model: this.#choice }
    gui
      .add(this.scenario, 'task', TASKS)
      .name('it should')
      .onChange(() => this.#changed())
      .listen()
    gui.add(draft, 'model', BUNDLED).name('model of ours').onChange((name: string) => {
      this.#choice = name
      void bundled(name).then((made) => {
        if (this.#isGone) return
        if (own) own.free()
        own = null
        this.#use(made)
      })
    }) // prettier-ignore
    gui
      .add(draft, 'camera', ['beside it', 'behind it', 'overview'])
      .onChange((seat: string) => this.#watch(seat))
    this.#hangar.mark(task)
  }

  dispose(): void {
    this.#isGone = true
    this.#listening.abort()
    this.#hangar.remove()
    this.scenario.dispose()
    this.#trails.dispose()
    this.#clouds.dispose()
    this.#copies?.free()
    this.#sky.dispose()
    this.#stage.camera.far = 4000
  }

  /** Lets a model fly: the one that it replaces is freed. */
  #use(flyable: Flyable): void {
    const old = this.#flyable
    const copies = flyable.makeCopies(this.#count, COPY)
    const ship = flyable.makeShip()
    const { half } = flyable
    const flames = nozzlesOf(ship).length
    this.#craft.remove(this.#ship)
    if (this.#copies) this.#craft.remove(this.#copies.object)
    this.#copies?.free()
    this.#stage.scene.remove(this.#plumes.object)
    freePlumes(this.#plumes)
    if (old !== flyable) old.free()
    ship.position.copy(this.#ship.position)
    ship.quaternion.copy(this.#ship.quaternion)
    this.#flyable = flyable
    this.#copies = copies
    this.#ship = ship
    this.#plumes = new Plumes(flames)
    for (let k = 0; k < flames; k++) this.#plumes.paint(k, CYAN)
    this.#nozzles = new Nozzles(ship, this.#plumes, 0, { ...ENGINES, torque: 60 })
    this.#stage.scene.add(this.#plumes.object)
    this.#craft.add(ship, copies.object)
    this.scenario.refit(half, ship, copies)
    this.#nose.children[0]!.position.z = half.z + 1.4
    this.#noseUntil = this.scenario.steering.time + NOSE_TIME
    this.#changed()
    this.#hangar.show(flyable, half)
  }

  #choose(task: Task): void {
    this.scenario.task = task
    this.#changed()
  }

  /** Call after another task or model: there are copies only of a ship that leads a flock. */
  #changed(): void {
    const { flock, task } = this.scenario
    if (this.#copies) this.#copies.object.visible = flock !== null
    this.#hangar.mark(task)
    if (flock) for (let k = 0; k < this.#count; k++) this.#startTrail(k + 1)
  }

  #watch(seat: string): void {
    this.#isBehind = seat === 'behind it'
    this.#drifts = !this.#isBehind
    this.#aim(Infinity)
    const subject = seat === 'overview' ? null : this.#subject
    this.#chase.follow(subject, this.#isBehind ? BEHIND : BESIDE, this.#isBehind)
  }

  /** The camera follows the ship. From beside, it also looks at the flock that the ship leads. */
  #aim(seconds: number): void {
    const { position, quaternion } = this.#ship
    const { flock } = this.scenario
    place.setScalar(0)
    if (flock && !this.#isBehind) {
      flock.center(place)
      // a camera that a rock has pushed near shows the ship
      const share = 0.5 * Math.max(0, 1 - this.#pulled / (BESIDE - NEAREST))
      place.sub(position).multiplyScalar(share).clampLength(0, BETWEEN)
    }
    this.#offset.lerp(place, 1 - Math.exp(-seconds / LEAN))
    this.#subject.position.copy(position).add(this.#offset)
    this.#subject.quaternion.copy(quaternion)
  }

  #startTrail(k: number): void {
    const { x, y, z } = this.scenario.flock!.position(k - 1, place)
    this.#trails.restart(k, x, y, z)
  }

  #trace(hasFlock: boolean, seconds: number): void {
    const { flock, half, pilot } = this.scenario
    const speed = Math.hypot(pilot.velocity.x, pilot.velocity.y, pilot.velocity.z)
    const { x, y, z } = place
      .set(0, 0, -half.z)
      .applyQuaternion(this.#ship.quaternion)
      .add(this.#ship.position)
    this.#trails.put(0, x, y, z, Math.min(1, speed / 10))
    for (let k = 1; k <= this.#count; k++) {
      if (hasFlock) flock!.position(k - 1, place)
      this.#trails.put(k, place.x, place.y, place.z, hasFlock ? 0.5 : 0)
    }
    this.#trails.advance(seconds)
  }

  /** Follows the ship. While a rock is between them, the camera comes nearer. */
  #moveCamera(seconds: number): void {
    const { camera } = this.#stage
    this.#aim(seconds)
    camera.position.add(this.#pull)
    this.#chase.update(seconds)
    if (this.#drifts) this.#stage.drift(0.05 * seconds)
    camera.position.y = Math.max(camera.position.y, CLOUDS + 22)
    if (!this.#chase.following) {
      this.#pull.setScalar(0)
      return
    }
    const { position: subject } = this.#subject
    const far = place.subVectors(camera.position, subject).length()
    place.divideScalar(far)
    let free = far
    for (const { position, radius } of this.scenario.rocks) {
      toRock.copy(position).sub(subject)
      const along = toRock.dot(place)
      const aside = toRock.addScaledVector(place, -along).length()
      if (along < 0 || along - radius > far || aside > radius + ROOM) continue
      free = Math.min(free, along - Math.sqrt((radius + ROOM) ** 2 - aside ** 2))
    }
    const wanted = Math.max(0, far - Math.max(NEAREST, free))
    // quickly before the rock, slowly back
    this.#pulled += (wanted - this.#pulled) * (1 - Math.exp(-seconds / (wanted > this.#pulled ? 0.15 : 0.8)))
    this.#pull.copy(place).multiplyScalar(Math.min(this.#pulled, Math.max(0, far - NEAREST)))
    camera.position.sub(this.#pull)
  }

  /** Handles clicks on buoys. A drag orbits the camera instead, which from then on turns only by hand. */
  #listen(canvas: HTMLCanvasElement): void {
    const { signal } = this.#listening
    let from = { x: 0, y: 0 }
    const start = (): void => void (this.#drifts = false)
    this.#stage.controls.addEventListener('start', start)
    signal.addEventListener('abort', () => this.#stage.controls.removeEventListener('start', start))
    canvas.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => (from = { x, y }), { signal })
    canvas.addEventListener(
      'pointerup',
      ({ clientX, clientY }) => {
        if (Math.hypot(clientX - from.x, clientY - from.y) > CLICK) return
        const box = canvas.getBoundingClientRect()
        const distances = this.scenario.places.map((at) => {
          const { x, y, z } = place.copy(at).project(this.#stage.camera)
          if (z > 1) return Infinity
          return Math.hypot(
            ((x + 1) / 2) * box.width - clientX + box.left,
            ((1 - y) / 2) * box.height - clientY + box.top,
          )
        })
        const least = Math.min(...distances)
        if (least > NEAR) return
        this.scenario.send(distances.indexOf(least))
        this.#changed()
      },
      { signal },
    )
  }
}

const place = new Vector3()
const toRock = new Vector3()

/** The path through the rocks, as a thin line of light. */
function makeLine({ path }: YourScene): Mesh {
  const points = Array.from({ length: 240 }, (_, k) => {
    path.pointAt(place, (k / 240) * path.lap)
    return place.clone()
  })
  const tube = new TubeGeometry(new CatmullRomCurve3(points, true), 900, 0.05, 5, true)
  const material = new MeshBasicMaterial({ color: AMBER, blending: AdditiveBlending, transparent: true, opacity: 0.4, depthWrite: false }) // prettier-ignore
  return new Mesh(tube, material)
}

/** An arrow ahead of the nose, shown for a moment after a change. */
function makeNose(): Group {
  const nose = new Group()
  const cone = new ConeGeometry(0.32, 1.1, 20).rotateX(Math.PI / 2)
  nose.add(new Mesh(cone, new MeshBasicMaterial({ color: '#ffd27a', toneMapped: false })))
  nose.visible = false
  return nose
}

function freePlumes({ object }: Plumes): void {
  object.traverse((layer) => {
    if (!(layer instanceof Mesh)) return
    ;(layer.geometry as { dispose(): void }).dispose()
    ;(layer.material as { dispose(): void }).dispose()
  })
}

function lights(): Object3D[] {
  const sun = new DirectionalLight('#ffc890', 4)
  sun.position.copy(ALOFT_SUN).multiplyScalar(100)
  // the second light is reflected by the clouds
  const fill = new DirectionalLight('#8fa8ff', 0.7)
  fill.position.set(60, 60, 90)
  return [sun, fill, new HemisphereLight('#5a76b8', '#c08a72', 1.1)]
}
