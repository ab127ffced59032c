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
  /** Points stored per trail. */
  readonly points?: number
  /** Time between two points (s). */
  readonly interval?: number
  /** Width of the ribbon at its newest point (m). */
  readonly width?: number
  readonly opacity?: number
  /** Whether colours add up. True suits a dark sky, false a bright one. Default true. */
  readonly additive?: boolean
  readonly color: (index: number) => Color
}

const VERTEX = /* glsl */ `
attribute vec2 corner; // x: points behind the newest one, y: side
attribute float trail;
attribute vec3 tint;
uniform sampler2D history;
uniform float head, points, width, fraction;
varying vec3 vTint;
varying float vFade, vSide;

vec4 texel(float behind) {
  float column = mod(head - behind + points, points);
  return texelFetch(history, ivec2(int(column + 0.5), int(trail + 0.5)), 0);
}

void main() {
  float behind = corner.x;
  vec4 here = texel(behind);
  vec3 next = texel(max(behind - 1.0, 0.0)).xyz;
  vec3 last = texel(min(behind + 1.0, points - 1.0)).xyz;
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

/**
 * Ribbons behind moving objects. One draw call for all; points are stored in a ring buffer of texture
 * columns.
 */
export class Trails {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>
  readonly #texels: Float32Array
  readonly #texture: DataTexture
  readonly #points: number
  readonly #interval: number
  readonly #started: Uint8Array
  #head = 0
  #sinceColumn = 0

  constructor(options: TrailOptions) {
    const { count, points = 96, interval = 1 / 30, width = 0.3, opacity = 0.6 } = options
    this.#points = points
    this.#interval = interval
    this.#texels = new Float32Array(points * count * 4)
    this.#started = new Uint8Array(count)
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

  /** Writes the current position of trail `index`. `strength` in [0, 1] scales the opacity of this point. */
  put(index: number, x: number, y: number, z: number, strength = 1): void {
    if (!this.#started[index]) this.restart(index, x, y, z)
    const texel = 4 * (index * this.#points + this.#head)
    this.#texels[texel] = x
    this.#texels[texel + 1] = y
    this.#texels[texel + 2] = z
    this.#texels[texel + 3] = strength
  }

  /** Call once per frame after the `put`s. Moves to the next column when the interval has passed. */
  advance(seconds: number): void {
    const { uniforms } = this.object.material
    uniforms['head']!.value = this.#head
    uniforms['fraction']!.value = Math.min(1, this.#sinceColumn / this.#interval)
    this.#texture.needsUpdate = true
    this.#sinceColumn += seconds
    if (this.#sinceColumn < this.#interval) return
    // at most one column per frame: two points at the same place would fold the ribbon
    this.#sinceColumn = Math.min(this.#sinceColumn - this.#interval, this.#interval)
    const last = this.#head
    this.#head = (last + 1) % this.#points
    // the new point starts at the last position, until the next put
    for (let row = 0; row < this.#texels.length; row += 4 * this.#points) {
      this.#texels.copyWithin(row + 4 * this.#head, row + 4 * last, row + 4 * last + 4)
    }
  }

  /** Clears one trail, after a jump. */
  restart(index: number, x: number, y: number, z: number): void {
    this.#started[index] = 1
    const row = 4 * index * this.#points
    for (let texel = row; texel < row + 4 * this.#points; texel += 4) {
      this.#texels[texel] = x
      this.#texels[texel + 1] = y
      this.#texels[texel + 2] = z
      this.#texels[texel + 3] = 0
    }
  }

  /** Frees the texture. The mesh is disposed with its scene. */
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
  // three requires a position attribute; the shader computes positions itself
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * count * points), 3))
  geometry.setIndex(index)
  return geometry
}
