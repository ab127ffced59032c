import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  FloatType,
  Mesh,
  NearestFilter,
  NormalBlending,
  RGBAFormat,
  ShaderMaterial,
} from 'three'

export interface TrailOptions {
  /** Number of trails. */
  readonly count: number
  /** Points kept for each trail. */
  readonly points?: number
  /** Time between two points, s. */
  readonly interval?: number
  /** Width of the ribbon at its head, m. */
  readonly width?: number
  readonly opacity?: number
  /** Light on a dark sky adds up; a dark trail on a bright sky does not. */
  readonly additive?: boolean
  readonly color: (index: number) => Color
}

const VERTEX = /* glsl */ `
attribute vec2 corner; // x: how many points behind the head, y: side
attribute float trail;
attribute vec3 tint;
uniform sampler2D history;
uniform float head, points, width, fraction;
varying vec3 vTint;
varying float vFade, vSide;

vec4 at(float behind) {
  float column = mod(head - behind + points, points);
  return texelFetch(history, ivec2(int(column + 0.5), int(trail + 0.5)), 0);
}

void main() {
  float behind = corner.x;
  vec4 here = at(behind);
  vec3 next = at(max(behind - 1.0, 0.0)).xyz;
  vec3 last = at(min(behind + 1.0, points - 1.0)).xyz;
  vec4 view = viewMatrix * vec4(here.xyz, 1.0);
  vec3 along = (viewMatrix * vec4(next - last, 0.0)).xyz;
  vec3 side = cross(along, view.xyz);
  float size = length(side);
  float age = clamp((behind - 1.0 + fraction) / (points - 2.0), 0.0, 1.0);
  vFade = here.w * (1.0 - age) * (1.0 - age) * step(1e-9, size);
  vSide = corner.y;
  vTint = tint;
  if (size > 0.0) view.xyz += side / size * corner.y * width * (0.35 + 0.65 * (1.0 - age));
  gl_Position = projectionMatrix * view;
}`

const FRAGMENT = /* glsl */ `
uniform float opacity;
varying vec3 vTint;
varying float vFade, vSide;
void main() {
  float soft = 1.0 - abs(vSide);
  gl_FragColor = vec4(vTint * (1.0 + 1.5 * soft * soft * vFade), opacity * vFade * soft);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Ribbons behind moving things: one draw call for all, points kept in a ring of texture columns. */
export class Trails {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>
  readonly #texels: Float32Array
  readonly #texture: DataTexture
  readonly #points: number
  readonly #interval: number
  readonly #begun: Uint8Array
  #head = 0
  #since = 0

  constructor(options: TrailOptions) {
    const { count, points = 96, interval = 1 / 30, width = 0.3, opacity = 0.6 } = options
    this.#points = points
    this.#interval = interval
    this.#texels = new Float32Array(points * count * 4)
    this.#begun = new Uint8Array(count)
    this.#texture = new DataTexture(this.#texels, points, count, RGBAFormat, FloatType)
    this.#texture.minFilter = this.#texture.magFilter = NearestFilter
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        history: { value: this.#texture },
        head: { value: 0 },
        points: { value: points },
        width: { value: width },
        fraction: { value: 0 },
        opacity: { value: opacity },
      },
      transparent: true,
      depthWrite: false,
      blending: options.additive === false ? NormalBlending : AdditiveBlending,
    })
    this.object = new Mesh(ribbons(count, points, options.color), material)
    this.object.frustumCulled = false
    this.object.name = 'trails'
  }

  /** Notes where trail `index` is now. `strength` in [0, 1] dims this stretch of it. */
  put(index: number, x: number, y: number, z: number, strength = 1): void {
    if (!this.#begun[index]) this.restart(index, x, y, z)
    const at = 4 * (index * this.#points + this.#head)
    this.#texels[at] = x
    this.#texels[at + 1] = y
    this.#texels[at + 2] = z
    this.#texels[at + 3] = strength
  }

  /** Call once per frame after the `put`s: moves on to the next column when it is time. */
  advance(seconds: number): void {
    const { uniforms } = this.object.material
    uniforms['head']!.value = this.#head
    uniforms['fraction']!.value = Math.min(1, this.#since / this.#interval)
    this.#texture.needsUpdate = true
    this.#since += seconds
    if (this.#since < this.#interval) return
    // one column a frame at most: two at the same place would fold the ribbon
    this.#since = Math.min(this.#since - this.#interval, this.#interval)
    const last = this.#head
    this.#head = (last + 1) % this.#points
    // the new head starts where the old one was, until the next put
    for (let row = 0; row < this.#texels.length; row += 4 * this.#points) {
      this.#texels.copyWithin(row + 4 * this.#head, row + 4 * last, row + 4 * last + 4)
    }
  }

  /** Forgets the past of one trail, after a jump. */
  restart(index: number, x: number, y: number, z: number): void {
    this.#begun[index] = 1
    const row = 4 * index * this.#points
    for (let at = row; at < row + 4 * this.#points; at += 4) {
      this.#texels[at] = x
      this.#texels[at + 1] = y
      this.#texels[at + 2] = z
      this.#texels[at + 3] = 0
    }
  }

  /** The mesh goes with its scene; the texture is freed here. */
  dispose(): void {
    this.#texture.dispose()
  }
}

function ribbons(count: number, points: number, color: (index: number) => Color): BufferGeometry {
  const corner: number[] = []
  const trail: number[] = []
  const tint: number[] = []
  const index: number[] = []
  for (let row = 0; row < count; row++) {
    const { r, g, b } = color(row)
    for (let point = 0; point < points; point++) {
      const base = 2 * (row * points + point)
      corner.push(point, -1, point, 1)
      trail.push(row, row)
      tint.push(r, g, b, r, g, b)
      if (point + 1 < points) index.push(base, base + 1, base + 2, base + 2, base + 1, base + 3)
    }
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('corner', new BufferAttribute(new Float32Array(corner), 2))
  geometry.setAttribute('trail', new BufferAttribute(new Float32Array(trail), 1))
  geometry.setAttribute('tint', new BufferAttribute(new Float32Array(tint), 3))
  // three asks every geometry for positions; the shader makes its own
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * count * points), 3))
  geometry.setIndex(index)
  return geometry
}
