import { BackSide, Group, Mesh, ShaderMaterial, SphereGeometry, type CubeTexture, type Vector3 } from 'three'
import { ADDS_LIGHT } from './soft-points.js'

const VERTEX = /* glsl */ `
varying vec3 vNormal, vWorld;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vNormal = normalize(mat3(modelMatrix) * normal);
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const GROUND = /* glsl */ `
uniform samplerCube skin;
uniform vec3 sun;
uniform float turn;
varying vec3 vNormal, vWorld;
#include <common>
#include <dithering_pars_fragment>
void main() {
  vec3 n = normalize(vNormal);
  vec3 eye = normalize(cameraPosition - vWorld);
  float c = cos(turn), s = sin(turn);
  vec3 albedo = textureCube(skin, vec3(c * n.x + s * n.z, n.y, c * n.z - s * n.x)).rgb;
  float day = dot(n, sun);
  float lit = smoothstep(-0.08, 0.9, day);
  vec3 color = albedo * (0.9 * lit + 0.002);
  // a low sun reddens the edge of the night side
  color *= mix(vec3(1.0), vec3(1.35, 0.72, 0.45), exp(-pow((day - 0.03) / 0.11, 2.0)) * 0.7);
  float water = smoothstep(2.2, 4.0, albedo.b / (albedo.r + 0.004));
  vec3 half1 = normalize(sun + eye);
  color += water * vec3(1.0, 0.85, 0.65) * 0.11 * pow(max(0.0, dot(n, half1)), 60.0);
  float rim = pow(1.0 - max(0.0, dot(n, eye)), 3.0);
  color += vec3(0.13, 0.36, 0.85) * rim * 0.7 * smoothstep(-0.25, 0.4, day);
  gl_FragColor = vec4(color, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  #include <dithering_fragment>
}`

const AIR = /* glsl */ `
uniform vec3 sun;
varying vec3 vNormal, vWorld;
void main() {
  vec3 n = normalize(vNormal);
  vec3 eye = normalize(cameraPosition - vWorld);
  // the back of the shell: brightest where it meets the globe
  float glow = pow(max(0.0, -dot(n, eye)) * 2.5, 4.0);
  float day = smoothstep(-0.35, 0.5, dot(n, sun));
  gl_FragColor = vec4(vec3(0.10, 0.30, 0.80) * glow * day, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** A planet with an atmosphere. `skin` is its colour by direction. */
export class Planet {
  readonly object = new Group()
  readonly #turn = { value: 0 }

  constructor(radius: number, skin: CubeTexture, sun: Vector3) {
    const shape = new SphereGeometry(radius, 96, 64)
    const ground = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: GROUND,
      uniforms: { skin: { value: skin }, sun: { value: sun }, turn: this.#turn },
      dithering: true,
    })
    const air = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: AIR,
      uniforms: { sun: { value: sun } },
      side: BackSide,
      ...ADDS_LIGHT,
    })
    const shell = new Mesh(new SphereGeometry(radius * 1.06, 96, 64), air)
    this.object.add(new Mesh(shape, ground), shell)
    this.object.name = 'planet'
  }

  set time(seconds: number) {
    this.#turn.value = 0.004 * seconds
  }
}
