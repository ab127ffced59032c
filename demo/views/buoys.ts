import { BufferAttribute, type Color } from 'three'
import type { Vec3Like } from 'three-steering'
import { SoftPoints } from './soft-points.js'

const VERTEX = /* glsl */ `
attribute vec3 color;
uniform float time, pixels;
varying vec3 vColor;
varying float vSize;
void main() {
  float own = fract(float(gl_VertexID) * 0.618);
  float blink = 0.75 + 0.25 * sin(time * 2.4 + own * 6.2832);
  vColor = color * blink;
  vec4 view = viewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  vSize = max(5.0, 1500.0 / -view.z);
  gl_PointSize = pixels * vSize;
}`

const FRAGMENT = /* glsl */ `
varying vec3 vColor;
varying float vSize;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  // a lamp, its glow, and a thin ring that distinguishes it from a star
  float ring = smoothstep(2.2 / vSize, 0.0, abs(d - 0.62));
  float light = pow(max(0.0, 1.0 - d * 3.2), 1.5) * 1.8 + 0.16 * pow(max(0.0, 1.0 - d), 2.0) + 0.5 * ring;
  gl_FragColor = vec4(vColor * light, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Lights at given positions, such as goals. */
export class Buoys {
  readonly object: SoftPoints
  readonly #color: BufferAttribute

  constructor(places: readonly Vec3Like[]) {
    const position = Float32Array.from(places.flatMap(({ x, y, z }) => [x, y, z]))
    this.#color = new BufferAttribute(new Float32Array(position.length), 3)
    const attributes = { position: new BufferAttribute(position, 3), color: this.#color }
    this.object = new SoftPoints('buoys', { vertexShader: VERTEX, fragmentShader: FRAGMENT, attributes })
  }

  paint(index: number, { r, g, b }: Color, light: number): void {
    this.#color.setXYZ(index, r * light, g * light, b * light)
    this.#color.needsUpdate = true
  }

  set time(seconds: number) {
    this.object.time = seconds
  }
}
