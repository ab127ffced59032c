import {
  Color,
  Group,
  Matrix4,
  Vector3,
  type Object3D,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  type InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from 'three'
import { partOf } from '../models.js'
import type { AirShow } from '../scenarios/air-show.js'
import type { ShowJet } from '../scenarios/show-jet.js'
import { Trails } from '../trails.js'
import { Airframe, liftOf, thrustOf } from './airframe.js'
import { instancedQuads } from './instanced.js'
import { Plumes } from './plumes.js'
import { SEASIDE_SUN } from '../sky/seaside.js'

/** Scale factor of the models. */
export const SCALE = 1.05

/** Roll rate of a falling jet (rad/s). */
const SPIN = 3.4

const LIVERY = new Color('#c8102e')
export const SMOKES = [new Color('#f7f5f0'), new Color('#2456d6'), new Color('#e0182c')] as const
const BLACK = new Color('#1b1917')

const FLAME = new Matrix4().makeScale(0.3, 0.3, 2.6)
const world = new Matrix4()
const place = new Vector3()

/** View of one aircraft, with the places where flame and smoke leave. */
interface JetView {
  readonly frame: Airframe
  readonly nozzle: Object3D
  readonly outlet: Object3D
}

/** Hulls, exhaust, wing-tip vapour and coloured smoke of the display team. */
export class DisplayJets {
  readonly object = new Group()
  readonly seats: readonly Object3D[]
  /** Whether jets in their slots emit smoke. */
  smoking = true
  readonly #jets: readonly JetView[]
  readonly #plumes: Plumes
  readonly #vapour: Trails
  readonly #smoke: DisplaySmoke

  constructor(models: readonly Object3D[]) {
    this.#jets = models.map(dress)
    this.seats = this.#jets.map(({ frame }) => frame.seat)
    this.#plumes = new Plumes(models.length)
    models.forEach((_, index) => this.#plumes.paint(index, new Color('#ff9a52')))
    this.#vapour = new Trails({
      count: 2 * models.length,
      points: 40,
      interval: 1 / 40,
      width: 0.35,
      opacity: 0.55,
      additive: false,
      color: () => new Color('#ffffff'),
    })
    this.#smoke = new DisplaySmoke(models.length)
    this.object.add(...this.seats, this.#vapour.object, this.#plumes.object, this.#smoke.object)
  }

  /** Call once per frame, after the poses of the seats are set, with the displayed time (s). */
  update({ jets }: AirShow, time: number, seconds: number): void {
    this.#jets.forEach((seen, index) => this.#show(seen, jets[index]!, index, seconds))
    this.#vapour.advance(seconds)
    this.#plumes.update(time)
    this.#smoke.update(time, (index, out, tint) => {
      const { mood } = jets[index]!
      out.setFromMatrixPosition(this.#jets[index]!.outlet.matrixWorld)
      tint.copy(mood === 'down' ? BLACK : SMOKES[bandOf(index)]!)
      if (mood === 'down') return 1.8
      return mood === 'fly' && this.smoking && jets[index]!.inPlace ? 1 : 0
    })
  }

  dispose(): void {
    this.#vapour.dispose()
  }

  #show({ frame, nozzle }: JetView, { mood, pilot }: ShowJet, index: number, seconds: number): void {
    const { seat } = frame
    seat.visible = mood !== 'away'
    const flies = mood === 'fly'
    frame.burn(flies ? Math.min(1, Math.max(0.12, 0.3 + thrustOf(pilot) / 20_000)) : 0, 0.15, seconds)
    frame.fall(mood === 'down', SPIN, seconds)
    frame.light()
    world.multiplyMatrices(nozzle.matrixWorld, FLAME)
    this.#plumes.put(index, world, seat.visible ? frame.power : 0)
    // vapour at the wing tips grows with the load of the wings
    const load = flies ? Math.min(1, Math.max(0, (liftOf(pilot) / pilot.mass - 12) / 40)) : 0
    frame.tips.forEach((tip, k) => {
      place.setFromMatrixPosition(tip.matrixWorld)
      if (seat.visible) this.#vapour.put(2 * index + k, place.x, place.y, place.z, load)
      else this.#vapour.restart(2 * index + k, place.x, place.y, place.z)
    })
    if (!seat.visible) this.#smoke.restart(index)
  }
}

/** Smoke colour index: white in the middle, blue to starboard and red to port of the wedge. */
function bandOf(index: number): number {
  return index < 3 ? 0 : index % 2 === 1 ? 1 : 2
}

function dress(model: Object3D): JetView {
  const frame = new Airframe(model, SCALE, (material) => {
    if (material.name === 'accent') material.color.copy(LIVERY)
  })
  return { frame, nozzle: partOf(model, 'nozzle_ahead_0'), outlet: partOf(model, 'smoke_0') }
}

/**
 * Each puff is a cloud with Gaussian density, elongated along the path on which it was emitted. Its opacity
 * is the integral of the density along the line of sight, so that a line of puffs looks even from the side
 * and dense from its end.
 */
const VERTEX = /* glsl */ `
attribute vec3 place, along, tint;
attribute vec3 life; // time of birth (s); amount of smoke; random number in [0, 1)
uniform float time, lasting;
uniform vec3 sun, wind;
varying vec2 vAt;
varying vec3 vTint, vLight;
varying float vThick, vOwn;

vec3 random3(float n) {
  return fract(sin(vec3(n, n + 3.1, n + 7.7) * vec3(127.1, 311.7, 74.7)) * 43758.5453) - 0.5;
}

void main() {
  float age = time - life.x;
  float share = age / lasting;
  // it spreads fast at first
  float wide = 0.42 + 1.25 * (1.0 - exp(-1.3 * age)) + 0.24 * age;
  vec3 eddy = random3(life.z * 91.7) * (0.25 * wide * min(1.0, age) + 0.22 * age);
  vec3 centre = place + wind * age + eddy;
  wide *= 1.0 + 0.35 * random3(life.z * 53.1).x;
  vec3 eye = centre - cameraPosition;
  float far = length(eye);
  vec3 look = eye / far;
  vec3 across = along - look * dot(along, look);
  float drawn = length(across);
  vec3 first = drawn > 1e-4 ? across / drawn : normalize(cross(look, vec3(0.31, 0.87, 0.38)));
  vec3 second = cross(first, look);
  float longer = sqrt(wide * wide + drawn * drawn);
  vAt = position.xy * 5.2;
  vThick = life.y / (6.2832 * wide * longer) * (1.0 - share) * (1.0 - share * share) * smoothstep(3.0, 16.0, far);
  vOwn = life.z;
  vTint = tint;
  vLight = vec3(dot(sun, first), dot(sun, second), -dot(sun, look));
  vec3 world = centre + first * vAt.x * longer + second * vAt.y * wide;
  gl_Position = share >= 0.0 && share < 1.0 ? projectionMatrix * viewMatrix * vec4(world, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  // a young puff reaches beyond the tail, so its depth is that of a point farther away
  float back = 7.0 * (1.0 - smoothstep(0.25, 1.2, age));
  vec4 deep = projectionMatrix * viewMatrix * vec4(world + look * back, 1.0);
  if (share >= 0.0 && share < 1.0 && deep.w > 0.0) gl_Position.z = deep.z / deep.w * gl_Position.w;
}`

const FRAGMENT = /* glsl */ `
varying vec2 vAt;
varying vec3 vTint, vLight;
varying float vThick, vOwn;
void main() {
  float away = dot(vAt, vAt);
  float lumps = 1.0 + 0.30 * sin(vAt.x * 2.1 + 40.0 * vOwn) * sin(vAt.y * 2.4 + 23.0 * vOwn);
  float thick = vThick * max(0.0, exp(-0.5 * away * lumps) - 0.034);
  vec3 facing = normalize(vec3(vAt, 1.6));
  float lit = 0.5 + 0.5 * dot(facing, vLight);
  vec3 color = vTint * mix(vec3(0.52, 0.58, 0.70), vec3(1.32, 1.28, 1.20), lit);
  gl_FragColor = vec4(color, 1.0 - exp(-thick));
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Puffs per second (1/s), and their life time (s). */
const RATE = 24
const LIFE = 13
/** Standard deviation of a puff along the path, as a share of the distance between two puffs. */
const DRAWN = 0.6
/** Amount of smoke per metre of trail (m²). */
const AMOUNT = 5

const WIND = new Vector3(1.6, 0.3, 0.8)

const along = new Vector3()
const at = new Vector3()

/** Coloured smoke behind display jets: long, soft, and spreading. One draw call. */
class DisplaySmoke {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>
  readonly #capacity: number
  readonly #columns: Record<'place' | 'along' | 'tint' | 'life', InstancedBufferAttribute>
  readonly #last: Float64Array
  readonly #started: Uint8Array
  readonly #laid: Float64Array
  #next = 0
  #time = -1
  #puffs = 0

  /** For `count` jets. */
  constructor(count: number) {
    this.#capacity = count * RATE * LIFE
    this.#last = new Float64Array(3 * count)
    this.#laid = new Float64Array(3 * count)
    this.#started = new Uint8Array(count)
    const column = (): InstancedBufferAttribute =>
      new InstancedBufferAttribute(new Float32Array(3 * this.#capacity).fill(-1e6), 3).setUsage(
        DynamicDrawUsage,
      )
    this.#columns = { place: column(), along: column(), tint: column(), life: column() }
    const geometry = instancedQuads(this.#capacity, this.#columns)
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        time: { value: 0 },
        lasting: { value: LIFE },
        sun: { value: SEASIDE_SUN },
        wind: { value: WIND },
      },
      transparent: true,
      depthWrite: false,
    })
    this.object = new Mesh(geometry, material)
    this.object.frustumCulled = false
    this.object.renderOrder = 5
    this.object.name = 'display smoke'
  }

  /**
   * Call once per frame with the scene time (s). `each` writes the position and colour of the smoke of jet
   * `index` into `out` and `tint`, and returns its amount in [0, 1] (more for a burning jet).
   */
  update(time: number, each: (index: number, out: Vector3, tint: Color) => number): void {
    this.object.material.uniforms['time']!.value = time
    const before = this.#time
    this.#time = time
    const due = Math.floor(time * RATE)
    const count = this.#started.length
    for (let index = 0; index < count; index++) {
      const amount = each(index, at, tint)
      this.#lay(index, amount, before, time, due)
      at.toArray(this.#last, 3 * index)
      this.#started[index] = 1
    }
    this.#puffs = due
  }

  /** Starts the trail of jet `index` anew, after a jump. */
  restart(index: number): void {
    this.#started[index] = 0
  }

  #lay(index: number, amount: number, before: number, time: number, due: number): void {
    const first = this.#puffs + 1
    if (!this.#started[index] || !(time > before) || due - first > RATE) {
      at.toArray(this.#laid, 3 * index)
      return
    }
    for (let puff = first; puff <= due; puff++) {
      const born = puff / RATE
      const share = Math.min(1, Math.max(0, (born - before) / (time - before)))
      here.fromArray(this.#last, 3 * index).lerp(at, share)
      was.fromArray(this.#laid, 3 * index)
      here.toArray(this.#laid, 3 * index)
      if (!(amount > 0)) continue
      along.subVectors(here, was)
      const length = along.length()
      here.lerp(was, 0.5)
      const n = this.#next
      this.#next = (n + 1) % this.#capacity
      const { place, along: drawn, tint: colors, life } = this.#columns
      place.setXYZ(n, here.x, here.y, here.z)
      drawn.setXYZ(n, DRAWN * along.x, DRAWN * along.y, DRAWN * along.z)
      colors.setXYZ(n, tint.r, tint.g, tint.b)
      life.setXYZ(n, born, AMOUNT * length * amount, (n * 0.618034) % 1)
      for (const each of Object.values(this.#columns)) {
        each.addUpdateRange(3 * n, 3)
        each.needsUpdate = true
      }
    }
  }
}

const tint = new Color()
const here = new Vector3()
const was = new Vector3()
