import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial, type Vector3Like } from 'three'

const VERTEX = /* glsl */ `
attribute vec3 velocity;
attribute vec4 life; // time of birth (s); life time (s); size (m); light
uniform float time, pixels;
varying float vFade, vLight;
void main() {
  float age = time - life.x;
  float share = age / life.y;
  // fast at first, then nearly still
  vec3 p = position + velocity * (1.0 - exp(-1.6 * age)) / 1.6;
  vec4 view = modelViewMatrix * vec4(p, 1.0);
  float size = life.z * (0.35 + 1.5 * sqrt(max(0.0, share)));
  vFade = smoothstep(0.0, 0.06, share) * (1.0 - share) * (1.0 - share);
  vLight = life.w;
  gl_Position = share >= 0.0 && share < 1.0 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = min(160.0, pixels * size * projectionMatrix[1][1] / -view.z);
}`

const FRAGMENT = /* glsl */ `
uniform vec3 tint;
uniform float opacity;
varying float vFade, vLight;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  float soft = pow(max(0.0, 1.0 - d), 1.5);
  gl_FragColor = vec4(tint * vLight, soft * vFade * opacity);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const MAX_PUFFS = 2400

/** Puffs of dust that are thrown out, slow down, grow and fade. They move in the vertex shader. */
export class Dust {
  readonly object: Points<BufferGeometry, ShaderMaterial>
  #next = 0

  constructor(color: string, opacity: number) {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * MAX_PUFFS), 3))
    geometry.setAttribute('velocity', new BufferAttribute(new Float32Array(3 * MAX_PUFFS), 3))
    geometry.setAttribute('life', new BufferAttribute(new Float32Array(4 * MAX_PUFFS).fill(-1e6), 4))
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        time: { value: 0 },
        pixels: { value: 1 },
        tint: { value: new Color(color) },
        opacity: { value: opacity },
      },
      transparent: true,
      depthWrite: false,
    })
    this.object = new Points(geometry, material)
    this.object.frustumCulled = false
    this.object.name = 'dust'
  }

  set time(seconds: number) {
    this.object.material.uniforms['time']!.value = seconds
  }

  /** Height of the canvas in device pixels, divided by 2. */
  set pixels(height: number) {
    this.object.material.uniforms['pixels']!.value = height
  }

  /** Emits one puff: position, velocity (m/s), life time (s), size (m), and light on it. */
  puff(at: Vector3Like, velocity: Vector3Like, length: number, size: number, light: number): void {
    const { attributes } = this.object.geometry
    const index = this.#next
    this.#next = (index + 1) % MAX_PUFFS
    const now = this.object.material.uniforms['time']!.value as number
    attributes['position']!.setXYZ(index, at.x, at.y, at.z)
    attributes['velocity']!.setXYZ(index, velocity.x, velocity.y, velocity.z)
    attributes['life']!.setXYZW(index, now, length, size, light)
    for (const attribute of Object.values(attributes)) (attribute as BufferAttribute).needsUpdate = true
  }
}
