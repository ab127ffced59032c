import {
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  Vector3,
} from 'three'
import { SEASIDE_SUN } from '../sky/seaside.js'

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
export class DisplaySmoke {
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
    const geometry = new InstancedBufferGeometry()
    const quad = new PlaneGeometry(1, 1)
    geometry.setAttribute('position', quad.getAttribute('position'))
    geometry.setIndex(quad.index)
    for (const [name, values] of Object.entries(this.#columns)) geometry.setAttribute(name, values)
    geometry.instanceCount = this.#capacity
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
