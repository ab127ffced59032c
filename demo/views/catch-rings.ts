import {
  DynamicDrawUsage,
  InstancedBufferAttribute,
  type InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from 'three'
import { instancedQuads } from './instanced.js'

const VERTEX = /* glsl */ `
attribute vec4 ring; // position, and share of the circle
uniform float size;
varying vec2 vAt;
varying float vShare;
void main() {
  vAt = position.xy * 2.0;
  vShare = ring.w;
  vec4 view = viewMatrix * vec4(ring.xyz, 1.0);
  view.xy += position.xy * size;
  gl_Position = vShare > 0.01 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
}`

const FRAGMENT = /* glsl */ `
varying vec2 vAt;
varying float vShare;
void main() {
  float d = length(vAt);
  float soft = fwidth(d);
  float band = smoothstep(0.78 - soft, 0.78 + soft, d) * (1.0 - smoothstep(0.98 - soft, 0.98 + soft, d));
  // clockwise from the top
  float along = fract(atan(vAt.x, vAt.y) / 6.28318531 + 1.0);
  float filled = 1.0 - smoothstep(vShare - 0.004, vShare + 0.004, along);
  vec3 color = mix(vec3(1.0, 0.82, 0.3), vec3(1.0, 0.24, 0.14), smoothstep(0.3, 1.0, vShare));
  gl_FragColor = vec4(color, band * mix(0.22, 0.95, filled));
  if (gl_FragColor.a < 0.01) discard;
  #include <colorspace_fragment>
}`

/** Rings around players that fill up, always in front. One draw call. */
export class CatchRings {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>
  readonly #ring: InstancedBufferAttribute

  /** `size`: width of a ring (m). */
  constructor(count: number, size: number) {
    this.#ring = new InstancedBufferAttribute(new Float32Array(4 * count), 4).setUsage(DynamicDrawUsage)
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { size: { value: size } },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    })
    this.object = new Mesh(instancedQuads(count, { ring: this.#ring }), material)
    this.object.frustumCulled = false
    this.object.renderOrder = 6
    this.object.name = 'catch rings'
  }

  /** Sets the place of a ring, and how far it is filled, from 0 (hidden) to 1. */
  put(index: number, x: number, y: number, z: number, share: number): void {
    this.#ring.setXYZW(index, x, y, z, share)
    this.#ring.needsUpdate = true
  }
}
