import type GUI from 'lil-gui'
import {
  AdditiveBlending,
  CanvasTexture,
  Color,
  DirectionalLight,
  FogExp2,
  HemisphereLight,
  MeshStandardMaterial,
  Object3D,
  PointLight,
  Sprite,
  SpriteMaterial,
  Vector3,
  type BufferGeometry,
} from 'three'
import { loadGeometry, loadModel, meshesOf } from '../models.js'
import { addOption } from '../option-control.js'
import { FIXED_STEP, type LiveScene, type SceneOptions, type SceneState } from '../scene.js'
import {
  COUNTING,
  DEFAULT_FISH,
  FISH_LENGTH,
  HideAndSeek,
  LIGHT,
  MAX_FISH,
  RESULT,
  SEEKING,
} from '../scenarios/hide.js'
import { LAGOON } from '../scenarios/reef.js'
import type { Stage } from '../stage.js'
import { Announcer } from '../views/announcer.js'
import { CatchRings } from '../views/catch-rings.js'
import { Chase, copyInstancePose } from '../views/chase.js'
import { makeCorals } from '../views/corals.js'
import { GameCard } from '../views/game-card.js'
import { Garden } from '../views/garden.js'
import { KeepOff } from '../views/keep-off.js'
import { Shoal } from '../views/shoal.js'

const WATER = '#08344a'
/** Intensity of the lantern while the hunter seeks (cd), and as a share of it otherwise. */
const POWER = 420
const DIM = { counting: 0.1, seeking: 1, result: 0.35 }
/** Diameter of the glow around the lantern (m). */
const GLOW = 6
/** Distance that the camera keeps from the hunter (m). */
const KEEP = 5.5

const COLORS = [
  '#ffd84d',
  '#6fe3ff',
  '#ff9ad5',
  '#9dff8a',
  '#ffffff',
  '#b9a2ff',
  '#ffb38a',
  '#5fffc8',
  '#a8c8ff',
  '#f4ff9a',
]
const colorOf = (index: number): string => COLORS[index % COLORS.length]!
/** Tint of a fish that was caught. */
const GREY = new Color('#6c5a58')

export async function open(stage: Stage, { seed, count = DEFAULT_FISH }: SceneOptions): Promise<LiveScene> {
  const total = Math.max(1, Math.min(count, MAX_FISH))
  const [fish, hunter] = await Promise.all([loadGeometry('fish'), loadModel('angler')])
  bleach(fish)
  shade(hunter)
  stage.renderer.shadowMap.enabled = true
  stage.renderer.toneMappingExposure = 1.15
  // upright it looks down, because otherwise bare sand fills half of the picture
  if (stage.camera.aspect < 1) stage.frame([2, 32, 20], [0, 0, 2], 7, 80)
  else stage.frame([3, 22, 34], [0, 1, 1], 7, 80)
  stage.controls.maxPolarAngle = 1.45
  const shoal = new Shoal(fish.scale(FISH_LENGTH, FISH_LENGTH, FISH_LENGTH), total, {
    length: FISH_LENGTH,
    rate: 0.7,
  })
  return new HideScene(stage, shoal, hunter, seed, total)
}

class HideScene implements LiveScene {
  readonly #stage: Stage
  readonly #scenario: HideAndSeek
  readonly #shoal: Shoal
  readonly #hunter: Object3D
  readonly #seat = new Object3D()
  readonly #chase: Chase
  readonly #keepOff: KeepOff
  readonly #lamp = new PointLight('#ffd49a', POWER, LIGHT * 1.25, 1.4)
  readonly #halo: Sprite
  readonly #rings: CatchRings
  readonly #garden: Garden
  readonly #card: GameCard
  readonly #announcer: Announcer
  readonly #tints: readonly Color[]
  readonly #mixed = new Color()
  readonly #toCamera = new Vector3()
  /** Brightness of the lantern, as a share of its power. */
  #bright = DIM.counting
  #riding = false

  constructor(stage: Stage, shoal: Shoal, hunter: Object3D, seed: number, count: number) {
    this.#stage = stage
    this.#shoal = shoal
    this.#hunter = hunter
    this.#chase = new Chase(stage.camera, stage.controls)
    this.#keepOff = new KeepOff(stage.camera)
    this.#scenario = new HideAndSeek({
      seed,
      count,
      view: (index) => ({ write: (_, pose) => shoal.put(index, pose) }),
      hunterView: hunter,
    })
    const { corals } = this.#scenario
    const { scene } = stage
    scene.background = new Color(WATER)
    scene.fog = new FogExp2(WATER, 0.0115)
    this.#lamp.castShadow = true
    this.#lamp.shadow.mapSize.set(1024, 1024)
    this.#lamp.shadow.camera.near = 0.3
    this.#lamp.shadow.bias = -0.004
    this.#lamp.shadow.normalBias = 0.04
    this.#halo = glow()
    this.#rings = new CatchRings(count, 1.5 * FISH_LENGTH)
    this.#garden = new Garden(corals, LAGOON)
    this.#tints = Array.from({ length: count }, (_, index) => new Color(colorOf(index)))
    this.#card = new GameCard(
      this.#tints.map((_, index) => colorOf(index)),
      stage.cards,
    )
    this.#announcer = new Announcer(stage.foot)
    const resized = (): void => {
      shoal.height = stage.canvas.height
    }
    stage.onResize = resized
    resized()
    scene.add(makeCorals(corals, LAGOON), this.#garden.object, shoal.mesh, shoal.halos, hunter)
    scene.add(...moonlight(), this.#lamp, this.#halo, this.#rings.object)
  }

  step(): void {
    this.#scenario.step(FIXED_STEP)
  }

  present(alpha: number, seconds: number): void {
    const { steering } = this.#scenario
    steering.present(alpha)
    this.#shoal.time = this.#garden.time = steering.time
    this.#showFish(seconds)
    this.#shoal.update()
    this.#tell()
    if (this.#riding) copyInstancePose(this.#seat, this.#shoal.mesh, 0)
    this.#chase.update(seconds)
    if (!this.#chase.following) this.#stage.drift(0.01 * seconds)
    if (!this.#chase.following || this.#riding) this.#keepOff.update([this.#hunter.position], KEEP, seconds)
    this.#showLantern(seconds)
  }

  state(): SceneState {
    return this.#scenario.state()
  }

  panel(gui: GUI): void {
    const scenario = this.#scenario
    const { hide, hunter } = scenario
    gui
      .add({ camera: 0 }, 'camera', { 'over the reef': 0, 'behind the hunter': 1, 'with a fish': 2 })
      .onChange((seat: number) => {
        this.#riding = seat === 2
        this.#keepOff.reset()
        if (this.#riding) copyInstancePose(this.#seat, this.#shoal.mesh, 0)
        this.#chase.follow([null, this.#hunter, this.#seat][seat] ?? null, seat === 1 ? 12 : 9, true)
      })
    gui.add(scenario, 'hiding').name('fish hide')
    gui.add(scenario, 'curious').name('fish come out again')
    gui.add(scenario, 'chasing').name('hunter chases fish')
    const nerves = gui.addFolder('Hide')
    addOption(nerves, hide, 'memoryTime')
    addOption(nerves, hide, 'panicDistance')
    addOption(nerves, hunter, 'maxSpeed', { label: 'hunter: max speed' })
  }

  dispose(): void {
    this.#card.remove()
    this.#announcer.remove()
    this.#scenario.dispose()
    this.#halo.material.map?.dispose()
  }

  #showFish(seconds: number): void {
    const { fish } = this.#scenario
    const { mesh } = this.#shoal
    const { array } = mesh.instanceMatrix
    for (const [index, { caught, seen, lit }] of fish.entries()) {
      const before = this.#shoal.glowOf(index)
      // glows up quickly and fades slowly
      const rate = seen ? 0.08 : 0.5
      this.#shoal.glow(index, before + ((seen ? 0.6 : 0) - before) * (1 - Math.exp(-seconds / rate)))
      mesh.setColorAt(index, this.#mixed.copy(caught ? GREY : this.#tints[index]!))
      const at = 16 * index + 12
      this.#rings.put(index, array[at]!, array[at + 1]!, array[at + 2]!, caught ? 0 : lit)
      this.#card.mark(index, caught ? 'caught' : seen ? 'seen' : 'free')
    }
    mesh.instanceColor!.needsUpdate = true
  }

  #showLantern(seconds: number): void {
    const { lantern, part, steering } = this.#scenario
    this.#bright += (DIM[part] - this.#bright) * (1 - Math.exp(-seconds / 0.4))
    const { time } = steering
    const flicker = 1 + 0.04 * Math.sin(9 * time) + 0.03 * Math.sin(23 * time)
    this.#lamp.position.copy(lantern.position)
    this.#lamp.intensity = POWER * this.#bright * flicker
    // the glow is drawn nearer by its radius, so that the ground does not cut it
    const { position } = this.#stage.camera
    const away = this.#toCamera.subVectors(position, this.#lamp.position)
    const distance = away.length()
    const nearer = Math.min(GLOW / 2, distance / 2)
    this.#halo.position.copy(this.#lamp.position).addScaledVector(away, nearer / distance)
    this.#halo.scale.setScalar((GLOW * (0.4 + 0.6 * this.#bright) * (distance - nearer)) / distance)
  }

  /** Writes the card, and announces what happens. */
  #tell(): void {
    const { caught, fish, left, part, results, round, steering, hiding } = this.#scenario
    const total = fish.length
    const seconds = Math.ceil(left)
    const clock = `0:${String(seconds).padStart(2, '0')}`
    const title = { counting: 'The hunter counts', seeking: 'The hunter seeks', result: 'Time is over' }[part]
    const length = { counting: COUNTING, seeking: SEEKING, result: RESULT }[part]
    const before = results.slice(-6).map((each) => `${each}`)
    this.#card.write(
      `Round ${round}: ${part === 'result' && caught === total ? 'all are caught' : title.toLowerCase()}`,
      clock,
      left / length,
      `${caught} of ${total} caught, ${total - caught} free`,
      before.length > 0 ? `Caught in each round: ${before.join(', ')}` : 'Who stays in the light is caught.',
    )
    const { time } = steering
    if (part === 'counting')
      this.#announcer.say(seconds > 3 ? (hiding ? 'Hide!' : 'The hunter counts') : `${seconds}`, time)
    else if (part === 'seeking') this.#announcer.say('', time)
    else
      this.#announcer.say(
        caught === total
          ? 'The hunter wins: all fish are caught'
          : `${total - caught} of ${total} stayed hidden`,
        time,
      )
  }
}

function moonlight(): Object3D[] {
  const moon = new DirectionalLight('#9fdcf4', 1.5)
  moon.position.set(-20, 60, 14)
  return [moon, new HemisphereLight('#4fa3c4', '#1d4455', 1.7)]
}

/**
 * Limits how bright direct light makes the materials of a model: the hunter carries a lamp in front of its
 * face.
 */
function shade(model: Object3D): void {
  for (const { material } of meshesOf(model)) {
    if (!(material instanceof MeshStandardMaterial)) continue
    material.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        '#include <lights_fragment_end>',
        /* glsl */ `#include <lights_fragment_end>
        reflectedLight.directDiffuse = min(reflectedLight.directDiffuse, 0.85 * diffuseColor.rgb);
        reflectedLight.directSpecular = min(reflectedLight.directSpecular, vec3(0.12));`,
      )
    }
  }
}

/** Makes a model white, with its dark eyes and a darker back: the colours come from its instances. */
function bleach(geometry: BufferGeometry): void {
  const color = geometry.getAttribute('color')
  const position = geometry.getAttribute('position')
  for (let i = 0; i < color.count; i++) {
    if (color.getX(i) + color.getY(i) + color.getZ(i) < 0.1) continue
    const pale = position.getY(i) > 0.1 ? 0.55 : 1
    color.setXYZ(i, pale, pale, pale)
  }
}

/** Glow around the lantern. */
function glow(): Sprite {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 128
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser gives no 2D canvas')
  const shade = pen.createRadialGradient(64, 64, 0, 64, 64, 64)
  shade.addColorStop(0, 'rgb(255 236 200)')
  shade.addColorStop(0.08, 'rgb(255 214 150)')
  shade.addColorStop(0.2, 'rgb(120 84 44)')
  shade.addColorStop(0.45, 'rgb(34 24 13)')
  shade.addColorStop(0.75, 'rgb(8 6 3)')
  shade.addColorStop(1, 'rgb(0 0 0)')
  pen.fillStyle = shade
  pen.fillRect(0, 0, 128, 128)
  const material = new SpriteMaterial({
    map: new CanvasTexture(canvas),
    blending: AdditiveBlending,
    depthWrite: false,
    transparent: true,
    fog: false,
  })
  const sprite = new Sprite(material)
  return sprite
}
