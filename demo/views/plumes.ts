import {
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  PlaneGeometry,
  ShaderMaterial,
  type BufferGeometry,
  type Color,
  type IUniform,
  type Matrix4,
} from 'three'
import { ADDS_LIGHT } from './soft-points.js'

const FLAME_VERTEX = /* glsl */ `
attribute float power;
attribute vec3 tint;
uniform float time;
varying vec3 vTint, vNormal, vEye;
varying float vAlong, vPower;
void main() {
  float own = fract(float(gl_InstanceID) * 0.618);
  float flicker = 1.0 + 0.10 * sin(time * 61.0 + own * 40.0) + 0.07 * sin(time * 97.0 + own * 70.0);
  vAlong = position.z;
  vPower = power;
  vTint = tint;
  vec3 p = position;
  // wide at the nozzle, slightly wider behind it, then narrowing to a point
  float girth = (1.0 + 0.5 * sin(3.14 * min(1.0, vAlong * 2.2))) * (1.0 - vAlong * 0.85);
  p.xy *= girth * (0.55 + 0.45 * power);
  p.z *= (0.15 + 0.85 * power) * flicker;
  vec4 view = viewMatrix * instanceMatrix * vec4(p, 1.0);
  vNormal = normalize(mat3(viewMatrix) * mat3(instanceMatrix) * vec3(normal.xy, 0.0));
  vEye = -view.xyz;
  gl_Position = power > 0.004 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
}`

const FLAME_FRAGMENT = /* glsl */ `
varying vec3 vTint, vNormal, vEye;
varying float vAlong, vPower;
void main() {
  float face = abs(dot(normalize(vNormal), normalize(vEye)));
  float body = pow(face, 2.2) * pow(1.0 - vAlong, 1.5);
  vec3 heart = mix(vTint, vec3(1.0), 0.75 * pow(face, 6.0) * (1.0 - vAlong));
  gl_FragColor = vec4(heart * body * (0.6 + 2.4 * vPower), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const GLOW_VERTEX = /* glsl */ `
attribute float power;
attribute vec3 tint;
varying vec3 vTint;
varying vec2 vAt;
void main() {
  vAt = position.xy * 2.0;
  vTint = tint * power;
  float girth = length(instanceMatrix[0].xyz);
  vec4 view = viewMatrix * instanceMatrix * vec4(0.0, 0.0, 0.05, 1.0);
  view.xy += position.xy * girth * (4.0 + 9.0 * power);
  view.z += girth * 1.5;
  gl_Position = power > 0.02 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
}`

const GLOW_FRAGMENT = /* glsl */ `
varying vec3 vTint;
varying vec2 vAt;
void main() {
  float d = length(vAt);
  float light = pow(max(0.0, 1.0 - d), 2.8) * 0.85 + 0.8 * pow(max(0.0, 1.0 - d * 2.6), 2.0);
  gl_FragColor = vec4(vTint * light, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Exhaust of many nozzles in two draw calls: a flame along +Z of each nozzle, and its glow. */
export class Plumes {
  readonly object = new Group()
  readonly #flames: InstancedMesh
  readonly #power: InstancedBufferAttribute
  readonly #tint: InstancedBufferAttribute
  readonly #time: IUniform<number> = { value: 0 }

  constructor(count: number) {
    this.#power = new InstancedBufferAttribute(new Float32Array(count), 1)
    this.#tint = new InstancedBufferAttribute(new Float32Array(3 * count), 3)
    this.#power.setUsage(DynamicDrawUsage)
    const cone = new CylinderGeometry(1, 1, 1, 12, 8, true).rotateX(Math.PI / 2).translate(0, 0, 0.5)
    this.#flames = this.#layer(cone, count, FLAME_VERTEX, FLAME_FRAGMENT)
    const glow = this.#layer(new PlaneGeometry(1, 1), count, GLOW_VERTEX, GLOW_FRAGMENT)
    // both layers share the transforms of the nozzles
    glow.instanceMatrix = this.#flames.instanceMatrix
    this.object.add(this.#flames, glow)
    this.object.name = 'plumes'
  }

  paint(index: number, color: Color): void {
    color.toArray(this.#tint.array, 3 * index)
    this.#tint.needsUpdate = true
  }

  /** Puts flame `index` at a nozzle. x and y of the matrix scale its width, z its length at full power. */
  put(index: number, nozzle: Matrix4, power: number): void {
    this.#flames.setMatrixAt(index, nozzle)
    this.#power.setX(index, power)
  }

  /** Call once per frame after the `put`s. */
  update(time: number): void {
    this.#time.value = time
    this.#flames.instanceMatrix.needsUpdate = true
    this.#power.needsUpdate = true
  }

  #layer(
    geometry: BufferGeometry,
    count: number,
    vertexShader: string,
    fragmentShader: string,
  ): InstancedMesh {
    geometry.setAttribute('power', this.#power)
    geometry.setAttribute('tint', this.#tint)
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: { time: this.#time },
      ...ADDS_LIGHT,
    })
    const mesh = new InstancedMesh(geometry, material, count)
    mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    mesh.frustumCulled = false
    return mesh
  }
}
