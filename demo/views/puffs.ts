import { BufferAttribute, type IUniform, type Vector3Like } from 'three'
import { SoftPoints } from './soft-points.js'

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
  readonly glows: boolean
  readonly uniforms?: Record<string, IUniform>
}

/** Puffs that drift, grow and fade in the vertex shader. One kind in one draw call. */
export class Puffs {
  readonly object: SoftPoints
  readonly #count: number
  #next = 0

  constructor(name: string, { count, ...kind }: Kind) {
    this.#count = count
    const attributes = {
      position: new BufferAttribute(new Float32Array(3 * count), 3),
      velocity: new BufferAttribute(new Float32Array(3 * count), 3),
      life: new BufferAttribute(new Float32Array(4 * count).fill(-1e6), 4),
    }
    this.object = new SoftPoints(name, { ...kind, attributes, per: 'canvas', scale: 0.5 })
  }

  set time(seconds: number) {
    this.object.time = seconds
  }

  /** Emits a puff at a point, with its velocity (m/s), life time (s), and the two figures of its kind. */
  put(at: Vector3Like, drift: Vector3Like, length: number, size: number, more: number): void {
    const { geometry, time } = this.object
    const { life, position, velocity } = geometry.attributes
    const index = this.#next
    this.#next = (index + 1) % this.#count
    position!.setXYZ(index, at.x, at.y, at.z)
    velocity!.setXYZ(index, drift.x, drift.y, drift.z)
    life!.setXYZW(index, time, length, size, more)
    for (const attribute of [position, velocity, life]) attribute!.needsUpdate = true
  }
}
