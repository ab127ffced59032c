import {
  AdditiveBlending,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  type Vector3Like,
} from 'three'

const VERTEX = /* glsl */ `
attribute vec4 touch; // position, and time of the contact
uniform float time;
varying vec2 vAt;
varying float vAge;
void main() {
  vAt = position.xy * 2.0;
  vAge = (time - touch.w) / LENGTH;
  vec4 view = viewMatrix * vec4(touch.xyz, 1.0);
  view.xy += position.xy * SIZE;
  gl_Position = vAge >= 0.0 && vAge < 1.0 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
}`

const FRAGMENT = /* glsl */ `
varying vec2 vAt;
varying float vAge;
void main() {
  float d = length(vAt);
  float rim = mix(0.25, 0.95, 1.0 - pow(1.0 - vAge, 3.0));
  float ring = exp(-pow((d - rim) / 0.055, 2.0)) + 0.25 * exp(-pow((d - rim) / 0.16, 2.0));
  float flash = exp(-d * d * 14.0) * exp(-vAge * 7.0);
  float left = 1.0 - vAge;
  vec3 color = vec3(1.0, 0.13, 0.06) * ring * left * left * 1.5 + vec3(1.5, 0.7, 0.4) * flash;
  gl_FragColor = vec4(color * step(d, 1.0), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const MAX_RINGS = 128

/** Red rings that expand at contacts. One draw call. */
export class TouchRings {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>
  readonly #touch = new InstancedBufferAttribute(new Float32Array(4 * MAX_RINGS).fill(-1e6), 4)
  #next = 0

  /** `size`: final width of a ring (m). `seconds`: its duration (s). */
  constructor(size: number, seconds: number) {
    const geometry = new InstancedBufferGeometry()
    const plane = new PlaneGeometry(1, 1)
    geometry.setAttribute('position', plane.getAttribute('position'))
    geometry.setIndex(plane.getIndex())
    geometry.setAttribute('touch', this.#touch)
    geometry.instanceCount = MAX_RINGS
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { time: { value: 0 } },
      defines: { SIZE: size.toFixed(3), LENGTH: seconds.toFixed(3) },
      blending: AdditiveBlending,
      transparent: true,
      depthTest: false,
      depthWrite: false,
    })
    this.object = new Mesh(geometry, material)
    this.object.frustumCulled = false
    this.object.renderOrder = 5
    this.object.name = 'touch rings'
  }

  set time(seconds: number) {
    this.object.material.uniforms['time']!.value = seconds
  }

  open({ x, y, z }: Vector3Like): void {
    this.#touch.setXYZW(this.#next, x, y, z, this.object.material.uniforms['time']!.value as number)
    this.#next = (this.#next + 1) % MAX_RINGS
    this.#touch.needsUpdate = true
  }
}
