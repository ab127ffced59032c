import { CircleGeometry, Group, Mesh, ShaderMaterial } from 'three'
import { NOISE } from '../sky/backdrop.js'
import { MIST_AIR } from '../sky/mist.js'
import { WORLD_VERTEX } from './shaders.js'

/** `cover`: 1 makes the layer opaque. */
const FRAGMENT = /* glsl */ `
uniform float time, cover;
varying vec3 vWorld;
${NOISE}
${MIST_AIR}
#include <common>
#include <dithering_pars_fragment>
void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  vec3 direction = eye / far;
  vec2 p = vWorld.xz * 0.011;
  vec3 drift = vec3(time * 0.012, time * 0.02, 1.7 * vWorld.y);
  float swell = noise(vec3(p * 0.7, 0.0) + drift * 0.5);
  float heap = noise(vec3(p * 2.1 + 3.0 * swell, 0.0) + drift);
  float curl = noise(vec3(p * 6.3 - 2.0 * heap, 4.0) + 2.0 * drift);
  float billow = 0.5 * swell + 0.34 * heap + 0.16 * curl;
  float toSun = pow(max(0.0, dot(direction, vec3(SUN.x, 0.0, SUN.z))), 3.0);
  vec3 light = air(vec3(direction.x, 0.0, direction.z));
  vec3 color = light * mix(0.55, 1.25, smoothstep(0.25, 0.75, billow)) + vec3(0.26, 0.15, 0.07) * toSun * smoothstep(0.5, 0.85, billow);
  float near = smoothstep(1500.0, 300.0, far);
  color = mix(light, color, near);
  float grazing = smoothstep(0.0, 0.10, abs(direction.y));
  float alpha = cover > 0.5 ? 1.0 : 0.62 * smoothstep(0.42, 0.75, billow) * near * grazing;
  gl_FragColor = vec4(color, alpha);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  #include <dithering_fragment>
}`

/** Heights of the layers (m). The lowest one is opaque. */
const LAYERS = [-26, -17, -9]

/** A sea of mist, for the sky `MIST_SKY`. */
export class Mist {
  readonly object = new Group()
  readonly #time = { value: 0 }

  constructor() {
    LAYERS.forEach((height, k) => {
      const material = new ShaderMaterial({
        vertexShader: WORLD_VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { time: this.#time, cover: { value: k === 0 ? 1 : 0 } },
        transparent: k > 0,
        depthWrite: k === 0,
        dithering: true,
      })
      const layer = new Mesh(
        new CircleGeometry(3600, 64).rotateX(-Math.PI / 2).translate(0, height, 0),
        material,
      )
      layer.renderOrder = k === 0 ? -50 : k
      this.object.add(layer)
    })
    this.object.name = 'mist'
  }

  set time(seconds: number) {
    this.#time.value = seconds
  }
}
