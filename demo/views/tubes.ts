import {
  CylinderGeometry,
  DoubleSide,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Quaternion,
  ShaderMaterial,
  TorusGeometry,
  Vector3,
} from 'three'
import { instanced } from './instanced.js'
import { ADDS_LIGHT } from './soft-points.js'

const GLASS_VERTEX = /* glsl */ `
attribute vec2 mood; // x: heat after a contact, y: 1 if chosen
varying vec3 vNormal, vEye;
varying vec2 vMood;
varying float vAlong;
void main() {
  vec4 world = modelMatrix * instanceMatrix * vec4(position, 1.0);
  vNormal = mat3(instanceMatrix) * normal;
  vEye = cameraPosition - world.xyz;
  vAlong = position.y;
  vMood = mood;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const GLASS_FRAGMENT = /* glsl */ `
uniform float reach;
varying vec3 vNormal, vEye;
varying vec2 vMood;
varying float vAlong;
void main() {
  vec3 n = normalize(vNormal);
  vec3 eye = normalize(vEye);
  float facing = abs(dot(n, eye));
  float skin = pow(1.0 - facing, 3.4);
  vec3 light = normalize(vec3(0.45, 0.5, 0.75));
  float shine = pow(max(0.0, dot(reflect(-eye, n * sign(dot(n, eye))), light)), 40.0);
  float end = smoothstep(0.72, 1.0, abs(vAlong) / reach);
  vec3 calm = mix(vec3(0.045, 0.15, 0.34), vec3(0.10, 0.24, 0.46), vMood.y);
  float heat = smoothstep(0.0, 0.8, vMood.x);
  // red added to blue would look violet
  vec3 tint = calm * pow(1.0 - heat, 6.0) + vec3(0.60, 0.020, 0.010) * heat;
  vec3 color = tint * (0.010 + 0.004 * heat + 0.52 * skin + 0.05 * end * end) + 0.012 * shine;
  gl_FragColor = vec4(color, 1.0);
  #include <colorspace_fragment>
}`

const RING_VERTEX = /* glsl */ `
attribute vec2 mood;
attribute float bright;
varying vec3 vNormal, vEye;
varying vec2 vMood;
varying float vBright;
void main() {
  vec4 world = modelMatrix * instanceMatrix * vec4(position, 1.0);
  vNormal = mat3(instanceMatrix) * normal;
  vEye = cameraPosition - world.xyz;
  vMood = mood;
  vBright = bright;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const RING_FRAGMENT = /* glsl */ `
varying vec3 vNormal, vEye;
varying vec2 vMood;
varying float vBright;
void main() {
  float facing = max(0.0, dot(normalize(vNormal), normalize(vEye)));
  vec3 calm = mix(vec3(0.12, 0.36, 0.75), vec3(0.55, 0.80, 1.15), vMood.y);
  float heat = smoothstep(0.0, 0.8, vMood.x);
  vec3 tint = calm * pow(1.0 - heat, 6.0) + vec3(2.4, 0.16, 0.06) * heat;
  gl_FragColor = vec4(tint * vBright * (0.35 + 0.65 * facing), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Rings along a tube, including those at its ends. */
const RINGS = 4

/** Time constant with which the heat of a contact fades (s). */
const COOLING = 0.9

const matrix = new Matrix4()
const place = new Vector3()
const scale = new Vector3(1, 1, 1)
const flat = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI / 2)
const turned = new Quaternion()

/** Glass tubes that glow red for a moment after a contact inside. */
export class Tubes {
  readonly object = new Group()
  readonly #count: number
  readonly #reach: number
  readonly #glass: InstancedMesh
  readonly #rings: InstancedMesh
  /** Heat and choice, per tube and per ring. */
  readonly #mood: InstancedBufferAttribute
  readonly #ringMood: InstancedBufferAttribute

  /** `reach` is half the length of a tube (m). */
  constructor(count: number, radius: number, reach: number) {
    this.#count = count
    this.#reach = reach
    this.#mood = new InstancedBufferAttribute(new Float32Array(2 * count), 2)
    this.#ringMood = new InstancedBufferAttribute(new Float32Array(2 * RINGS * count), 2)
    const glass = new ShaderMaterial({
      vertexShader: GLASS_VERTEX,
      fragmentShader: GLASS_FRAGMENT,
      uniforms: { reach: { value: reach } },
      ...ADDS_LIGHT,
      side: DoubleSide,
    })
    this.#glass = instanced(new CylinderGeometry(radius, radius, 2 * reach, 72, 1, true), glass, count, {
      mood: this.#mood,
    })
    this.#glass.renderOrder = 3
    const bright = new Float32Array(RINGS * count)
    for (let k = 0; k < bright.length; k++)
      bright[k] = k % RINGS === 0 || k % RINGS === RINGS - 1 ? 0.8 : 0.07
    const rim = new ShaderMaterial({
      vertexShader: RING_VERTEX,
      fragmentShader: RING_FRAGMENT,
      ...ADDS_LIGHT,
    })
    this.#rings = instanced(new TorusGeometry(radius, 0.075, 8, 96), rim, RINGS * count, {
      mood: this.#ringMood,
      bright: new InstancedBufferAttribute(bright, 1),
    })
    this.object.add(this.#rings, this.#glass)
    this.object.name = 'tubes'
  }

  /** Puts tube `index` with its centre at `at`, rotated by `turn`. */
  put(index: number, at: Vector3, turn: Quaternion): void {
    this.#glass.setMatrixAt(index, matrix.compose(at, turn, scale))
    turned.copy(turn).multiply(flat)
    for (let k = 0; k < RINGS; k++) {
      place.set(0, this.#reach * ((2 * k) / (RINGS - 1) - 1), 0).applyQuaternion(turn)
      this.#rings.setMatrixAt(RINGS * index + k, matrix.compose(place.add(at), turned, scale))
    }
    this.#glass.instanceMatrix.needsUpdate = this.#rings.instanceMatrix.needsUpdate = true
  }

  /** Makes tube `index` glow after a contact inside. */
  flare(index: number): void {
    this.#mood.setX(index, Math.min(1, this.#mood.getX(index) + 0.6))
  }

  /** Call once per frame. Fades the glow. */
  update(seconds: number, chosen: number): void {
    const share = Math.exp(-seconds / COOLING)
    for (let index = 0; index < this.#count; index++) {
      const heat = this.#mood.getX(index) * share
      const flag = index === chosen ? 1 : 0
      this.#mood.setXY(index, heat, flag)
      for (let k = 0; k < RINGS; k++) this.#ringMood.setXY(RINGS * index + k, heat, flag)
    }
    this.#mood.needsUpdate = this.#ringMood.needsUpdate = true
  }
}
