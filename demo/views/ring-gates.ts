import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  TorusGeometry,
  Vector3,
} from 'three'
import type { Gate } from 'three-steering/racing'
import { ADDS_LIGHT } from './soft-points.js'

const GLOW_VERTEX = /* glsl */ `
attribute vec3 tint;
attribute float heat, wave;
varying vec2 vAt;
varying vec3 vTint, vEye, vNormal;
varying float vHeat, vWave;
void main() {
  vAt = 3.0 * position.xy;
  vTint = tint;
  vHeat = heat;
  vWave = wave;
  vec4 view = viewMatrix * instanceMatrix * vec4(3.0 * position.xy, 0.0, 1.0);
  vEye = -view.xyz;
  vNormal = mat3(viewMatrix) * mat3(instanceMatrix) * vec3(0.0, 0.0, 1.0);
  gl_Position = projectionMatrix * view;
}`

// r = 1 is the inner radius of the gate
const GLOW_FRAGMENT = /* glsl */ `
varying vec2 vAt;
varying vec3 vTint, vEye, vNormal;
varying float vHeat, vWave;
void main() {
  float r = length(vAt);
  float rim = abs(r - 1.06);
  float face = abs(dot(normalize(vNormal), normalize(vEye)));
  float glow = 0.55 * exp(-rim * 13.0) + 0.16 * exp(-rim * 4.0);
  float veil = r < 1.0 ? (0.012 + 0.02 * vHeat) * pow(r, 2.5) : 0.0;
  // a ring of light that expands after a passage
  float front = 0.1 + 1.25 * vWave;
  float wave = exp(-pow((r - front) * 9.0, 2.0)) * (1.0 - vWave) * 0.35;
  float edge = 1.0 - smoothstep(1.15, 1.5, r);
  gl_FragColor = vec4(vTint * ((glow * (0.7 + 0.2 * vHeat) + veil) * face + wave) * edge, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const IDLE = new Color('#2f9bff')
const DUE = new Color('#f4fbff')

/** Time constant with which a flash fades, and duration of a wave (s). */
const FADE = 1.1
const WAVE = 0.8

/** Rings of light: dim, bright at the next gate of the leader, and in the colour of a ship that passes. */
export class RingGates {
  readonly object = new Group()
  readonly #tubes: InstancedMesh<TorusGeometry, MeshStandardMaterial>
  readonly #tint: InstancedBufferAttribute
  readonly #heat: InstancedBufferAttribute
  readonly #wave: InstancedBufferAttribute
  readonly #flash: readonly { color: Color; heat: number }[]
  readonly #due: Float32Array

  constructor(gates: readonly Gate[], rim: number) {
    const count = gates.length
    const glow = new PlaneGeometry(1, 1)
    this.#tint = new InstancedBufferAttribute(new Float32Array(3 * count), 3)
    this.#heat = new InstancedBufferAttribute(new Float32Array(count), 1)
    this.#wave = new InstancedBufferAttribute(new Float32Array(count).fill(1), 1)
    for (const [name, attribute] of [
      ['tint', this.#tint],
      ['heat', this.#heat],
      ['wave', this.#wave],
    ] as const) {
      attribute.setUsage(DynamicDrawUsage)
      glow.setAttribute(name, attribute)
    }
    const light = new ShaderMaterial({
      vertexShader: GLOW_VERTEX,
      fragmentShader: GLOW_FRAGMENT,
      ...ADDS_LIGHT,
      side: 2,
    })
    const { radius } = gates[0]!
    const hull = new MeshStandardMaterial({ color: '#ffffff', roughness: 0.35, metalness: 0.1 })
    // adds the colour of the instance as emissive light
    hull.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        '#include <emissivemap_fragment>',
        '#include <emissivemap_fragment>\ntotalEmissiveRadiance += vColor.rgb;',
      )
    }
    this.#tubes = new InstancedMesh(new TorusGeometry(1 + rim / radius, rim / radius, 12, 96), hull, count)
    const halos = new InstancedMesh(glow, light, count)
    const place = new Matrix4()
    const turn = new Quaternion()
    const size = new Vector3().setScalar(radius)
    const ahead = new Vector3(0, 0, 1)
    gates.forEach(({ position, heading }, index) => {
      turn.setFromUnitVectors(ahead, new Vector3().copy(heading).normalize())
      place.compose(new Vector3().copy(position), turn, size)
      this.#tubes.setMatrixAt(index, place)
      halos.setMatrixAt(index, place)
      this.#tubes.setColorAt(index, IDLE)
    })
    this.#tubes.instanceColor!.setUsage(DynamicDrawUsage)
    this.#tubes.frustumCulled = halos.frustumCulled = false
    this.#flash = gates.map(() => ({ color: IDLE.clone(), heat: 0 }))
    this.#due = new Float32Array(count)
    this.object.add(this.#tubes, halos)
    this.object.name = 'ring gates'
  }

  /** Flashes a gate that a ship has passed. */
  pass(index: number, color: Color): void {
    const flash = this.#flash[index]!
    flash.color.copy(color)
    flash.heat = 1
    this.#wave.setX(index, 0)
  }

  /** Call once per frame. `due` is the next gate of the leader. */
  update(due: number, seconds: number): void {
    const fade = Math.exp(-seconds / FADE)
    const swell = 1 - Math.exp(-seconds / 0.3)
    this.#flash.forEach((flash, index) => {
      flash.heat *= fade
      this.#due[index]! += ((index === due ? 1 : 0) - this.#due[index]!) * swell
      const ready = this.#due[index]!
      const heat = Math.max(flash.heat, 0.8 * ready)
      shown
        .copy(IDLE)
        .lerp(DUE, 0.85 * ready)
        .lerp(flash.color, Math.min(1, 1.5 * flash.heat))
      shown.toArray(this.#tint.array, 3 * index)
      this.#heat.setX(index, heat)
      this.#wave.setX(index, Math.min(1, this.#wave.getX(index) + seconds / WAVE))
      this.#tubes.setColorAt(index, shown.multiplyScalar(0.62 + 0.45 * heat))
    })
    this.#tubes.instanceColor!.needsUpdate = true
    this.#tint.needsUpdate = this.#heat.needsUpdate = this.#wave.needsUpdate = true
  }
}

const shown = new Color()
