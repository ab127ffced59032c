import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  Group,
  NormalBlending,
  Points,
  ShaderMaterial,
  type Vector3Like,
} from 'three'
import { seeded } from 'three-steering/authoring'

const VERTEX = /* glsl */ `
attribute vec3 velocity;
attribute vec4 life; // time of birth and life time (s); initial size (m) and growth (m/s)
uniform float time, pixels, height;
varying float vAge, vOwn;
void main() {
  float age = time - life.x;
  vAge = age / life.y;
  vOwn = fract(life.x * 7.31 + position.x * 0.37);
  // slowed by the air
  vec3 travel = velocity * (1.0 - exp(-1.6 * age)) / 1.6;
  vec4 view = viewMatrix * vec4(position + travel, 1.0);
  gl_Position = vAge >= 0.0 && vAge < 1.0 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = pixels * (life.z + life.w * age) * height / max(1.0, -view.z);
}`

const SMOKE = /* glsl */ `
varying float vAge, vOwn;
void main() {
  vec2 at = gl_PointCoord - 0.5;
  float d = length(at) * 2.0;
  float lumps = 0.85 + 0.15 * sin(9.0 * at.x + 20.0 * vOwn) * sin(8.0 * at.y + 31.0 * vOwn);
  float body = smoothstep(1.0, 0.25, d * (2.0 - lumps));
  vec3 dark = mix(vec3(0.020, 0.017, 0.018), vec3(0.16, 0.13, 0.15), vAge);
  // lit from the side of the sun
  dark += vec3(0.20, 0.09, 0.04) * max(0.0, -at.x - at.y) * (1.0 - 0.5 * vAge);
  gl_FragColor = vec4(dark, 0.62 * body * (1.0 - vAge) * smoothstep(0.0, 0.04, vAge));
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const FIRE = /* glsl */ `
varying float vAge, vOwn;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  vec3 hot = mix(vec3(1.0, 0.82, 0.5), vec3(1.0, 0.22, 0.03), smoothstep(0.0, 0.6, vAge + 0.5 * d));
  float body = pow(max(0.0, 1.0 - d), 1.5);
  gl_FragColor = vec4(hot * 4.0 * body * pow(1.0 - vAge, 1.5), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const MAX_PUFFS = 900

/** Puffs that drift and grow in the vertex shader. One kind in one draw call. */
class Puffs {
  readonly object: Points<BufferGeometry, ShaderMaterial>
  #next = 0

  constructor(fragmentShader: string, glows: boolean) {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * MAX_PUFFS), 3))
    geometry.setAttribute('velocity', new BufferAttribute(new Float32Array(3 * MAX_PUFFS), 3))
    geometry.setAttribute('life', new BufferAttribute(new Float32Array(4 * MAX_PUFFS).fill(-1e6), 4))
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader,
      uniforms: { time: { value: 0 }, pixels: { value: 1 }, height: { value: 800 } },
      blending: glows ? AdditiveBlending : NormalBlending,
      transparent: true,
      depthWrite: false,
    })
    this.object = new Points(geometry, material)
    this.object.frustumCulled = false
  }

  put(at: Vector3Like, drift: Vector3Like, length: number, size: number, growth: number): void {
    const { position, velocity, life } = this.object.geometry.attributes
    const index = this.#next
    this.#next = (index + 1) % MAX_PUFFS
    const now = this.object.material.uniforms['time']!.value as number
    position!.setXYZ(index, at.x, at.y, at.z)
    velocity!.setXYZ(index, drift.x, drift.y, drift.z)
    life!.setXYZW(index, now, length, size, growth)
    for (const attribute of [position, velocity, life]) attribute!.needsUpdate = true
  }
}

/** Smoke of burning aircraft, and fireballs. */
export class Smoke {
  readonly object = new Group()
  readonly #smoke = new Puffs(SMOKE, false)
  readonly #fire = new Puffs(FIRE, true)
  readonly #random = seeded(11)

  constructor() {
    this.object.add(this.#smoke.object, this.#fire.object)
    this.object.name = 'smoke'
  }

  /**
   * Call once per frame with the scene time (s), device pixels per CSS pixel, and the height (CSS pixels) of
   * one metre at a distance of 1 m.
   */
  update(time: number, pixels: number, height: number): void {
    for (const { object } of [this.#smoke, this.#fire]) {
      const { uniforms } = object.material
      uniforms['time']!.value = time
      uniforms['pixels']!.value = pixels
      uniforms['height']!.value = height
    }
  }

  /** Emits a puff from a burning object in flight. */
  trail(at: Vector3Like, velocity: Vector3Like): void {
    const drift = this.#about(velocity, 0.25, 2)
    this.#smoke.put(at, drift, 3.4, 3.5, 4.2)
    this.#fire.put(at, drift, 0.32, 4.2, -3)
  }

  /** Emits a fireball and its smoke. */
  burst(at: Vector3Like, velocity: Vector3Like): void {
    for (let k = 0; k < 22; k++)
      this.#fire.put(at, this.#about(velocity, 0.5, 26), 0.5 + 0.7 * this.#random(), 9, 6)
    for (let k = 0; k < 20; k++)
      this.#smoke.put(at, this.#about(velocity, 0.4, 20), 3 + 2 * this.#random(), 6, 7)
  }

  #about({ x, y, z }: Vector3Like, share: number, speed: number): Vector3Like {
    const spread = (): number => speed * (this.#random() + this.#random() - 1)
    return { x: share * x + spread(), y: share * y + spread(), z: share * z + spread() }
  }
}
