import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  NormalBlending,
  Points,
  ShaderMaterial,
  type IUniform,
  type Vector3Like,
} from 'three'

/** Vertex shaders begin with this. A puff is slowed by the air: fast at first, then nearly still. */
export const PUFF = /* glsl */ `
attribute vec3 velocity;
attribute vec4 life; // time of birth and life time (s), and two figures of the kind of puff
uniform float time, pixels;
const vec4 UNSEEN = vec4(2.0, 2.0, 2.0, 1.0);
vec4 placeOf(float age) {
  return viewMatrix * modelMatrix * vec4(position + velocity * (1.0 - exp(-1.6 * age)) / 1.6, 1.0);
}`

interface Kind {
  readonly vertexShader: string
  readonly fragmentShader: string
  /** Number of puffs at most. New ones replace the oldest. */
  readonly count: number
  readonly glows?: boolean
  readonly uniforms?: Record<string, IUniform>
}

/** Puffs that drift, grow and fade in the vertex shader. One kind in one draw call. */
export class Puffs {
  readonly object: Points<BufferGeometry, ShaderMaterial>
  readonly #count: number
  #next = 0

  constructor({ vertexShader, fragmentShader, count, glows = false, uniforms = {} }: Kind) {
    this.#count = count
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * count), 3))
    geometry.setAttribute('velocity', new BufferAttribute(new Float32Array(3 * count), 3))
    geometry.setAttribute('life', new BufferAttribute(new Float32Array(4 * count).fill(-1e6), 4))
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: { time: { value: 0 }, pixels: { value: 1 }, ...uniforms },
      blending: glows ? AdditiveBlending : NormalBlending,
      transparent: true,
      depthWrite: false,
    })
    this.object = new Points(geometry, material)
    this.object.frustumCulled = false
  }

  /** Sets a uniform, such as `time` (s). */
  set(name: string, value: number): void {
    this.object.material.uniforms[name]!.value = value
  }

  /** Emits a puff at a point, with its velocity (m/s), life time (s), and the two figures of its kind. */
  put(at: Vector3Like, drift: Vector3Like, length: number, size: number, more: number): void {
    const { attributes } = this.object.geometry
    const index = this.#next
    this.#next = (index + 1) % this.#count
    const now = this.object.material.uniforms['time']!.value as number
    attributes['position']!.setXYZ(index, at.x, at.y, at.z)
    attributes['velocity']!.setXYZ(index, drift.x, drift.y, drift.z)
    attributes['life']!.setXYZW(index, now, length, size, more)
    for (const attribute of Object.values(attributes)) (attribute as BufferAttribute).needsUpdate = true
  }
}
