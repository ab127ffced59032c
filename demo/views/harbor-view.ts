import {
  Color,
  MeshStandardMaterial,
  PointLight,
  Vector3,
  type Object3D,
  type BufferAttribute,
  Float32BufferAttribute,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  ShaderMaterial,
} from 'three'
import { meshesOf } from '../models.js'
import type { PortStage } from '../scenarios/docking-ports.js'
import type { Leg } from '../scenarios/port-traffic.js'
import { CORRIDOR, PORT_REACH, PORTS } from '../scenarios/spaceport.js'
import { ADDS_LIGHT, SoftPoints } from './soft-points.js'

const FREE = new Color('#38e8a0')
const COMING = new Color('#ffb13b')
const TAKEN = new Color('#c9302a')
const LEAVING = new Color('#5ab4ff')

const WHITE = new Color('#ffe6cc')
/** Time constant with which colours change (s). */
const FADE = 0.15
const tinted = new Color()

interface Look {
  readonly color: Color
  /** Rate (1/s) at which lights run inwards. 0: they do not run. */
  readonly rate: number
  readonly glow: number
}

/** State of a harbour: the holder of each port, and the phase of each ship. */
export interface Harbor {
  readonly time: number
  readonly ports: readonly { readonly holder: number }[]
  readonly ships: readonly { readonly pilot: { readonly id: number }; readonly leg: Leg | PortStage }[]
}

const LOOKS: Record<'free' | 'coming' | 'taken' | 'leaving', Look> = {
  free: { color: FREE, rate: 0, glow: 0.55 },
  coming: { color: COMING, rate: 0.75, glow: 1.3 },
  taken: { color: TAKEN, rate: 0, glow: 0.3 },
  leaving: { color: LEAVING, rate: -0.75, glow: 0.9 },
}

/** View of the station: its model, corridors of light, and a signal at each port. */
export class HarborView {
  readonly #model: Object3D
  readonly #corridors = new Corridors({
    port: PORT_REACH,
    length: CORRIDOR,
    count: PORTS,
    narrow: 2.7,
    wide: 4.2,
  })
  readonly #signals: readonly MeshStandardMaterial[]
  readonly #lamps: readonly PointLight[]
  #last = -Infinity

  /** Adds lamps and corridors to the model. */
  constructor(model: Object3D) {
    this.#model = model
    const materials = meshesOf(model).map(({ material }) => material as MeshStandardMaterial)
    this.#signals = Array.from({ length: PORTS }, (_, k) => {
      const signal = materials.find(({ name }) => name === `signal_${k}`)!
      signal.emissiveIntensity = 2.2
      return signal
    })
    this.#lamps = Array.from({ length: PORTS }, (_, k) => {
      const lamp = new PointLight('#ffffff', 34, 16, 1.6)
      const angle = (k / PORTS) * 2 * Math.PI
      lamp.position.copy(new Vector3(Math.sin(angle), 0, Math.cos(angle)).multiplyScalar(PORT_REACH + 1.5))
      lamp.position.y = 3.4
      return lamp
    })
    for (const material of materials) if (material.name === 'window') material.emissiveIntensity = 0.75
    model.add(this.#corridors.object, ...this.#lamps)
  }

  get object(): Object3D {
    return this.#model
  }

  /** Call once per frame. */
  update(scenario: Harbor): void {
    const { time } = scenario
    const share = 1 - Math.exp(-Math.max(0, time - this.#last) / FADE)
    this.#last = this.#corridors.time = time
    for (let k = 0; k < PORTS; k++) {
      const { color, glow, rate } = LOOKS[lookOf(scenario, k)]
      this.#corridors.paint(k, color, share, rate, glow)
      this.#signals[k]!.emissive.lerp(color, share)
      // white floodlights with a slight tint of the signal
      this.#lamps[k]!.color.lerp(tinted.copy(WHITE).lerp(color, 0.16), share)
    }
  }
}

function lookOf({ ports, ships }: Harbor, k: number): keyof typeof LOOKS {
  const { holder } = ports[k]!
  if (holder < 0) return 'free'
  const ship = ships.find(({ pilot }) => pilot.id === holder)
  if (ship?.leg === 'docked') return 'taken'
  return ship?.leg === 'undock' ? 'leaving' : 'coming'
}

const LAMP_VERTEX = /* glsl */ `
attribute float port, along;
uniform float time, pixels;
uniform vec3 tints[PORTS];
uniform float rates[PORTS];
varying vec3 vTint;
void main() {
  int k = int(port + 0.5);
  // light runs along the corridor towards the port, or pulses slowly in an idle corridor
  float rate = rates[k];
  float run = fract(along * 1.6 + time * rate);
  float pulse = pow(run, 5.0);
  float idle = 0.42 + 0.1 * sin(time * 1.7 + 4.0 * along);
  float light = rate > 0.0 ? 0.2 + 1.5 * pulse : idle;
  vTint = tints[k] * light;
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  gl_PointSize = pixels * (0.7 + 0.5 * light) * 1150.0 / -view.z * (0.75 + 0.25 * along);
}`

const LAMP_FRAGMENT = /* glsl */ `
varying vec3 vTint;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  float heart = pow(max(0.0, 1.0 - d * 3.2), 1.5);
  float halo = pow(max(0.0, 1.0 - d), 3.0);
  gl_FragColor = vec4(vTint * (0.75 * halo) + (vTint * 0.6 + dot(vTint, vec3(0.25))) * 2.2 * heart, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const HAZE_VERTEX = /* glsl */ `
varying vec3 vNormal, vEye;
varying float vAlong;
void main() {
  vAlong = uv.y;
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normal;
  vEye = -view.xyz;
  gl_Position = projectionMatrix * view;
}`

const HAZE_FRAGMENT = /* glsl */ `
uniform vec3 tint;
uniform float glow;
varying vec3 vNormal, vEye;
varying float vAlong;
void main() {
  float face = abs(dot(normalize(vNormal), normalize(vEye)));
  float rim = pow(1.0 - face, 2.2);
  float near = smoothstep(0.0, 0.16, vAlong) * pow(1.0 - vAlong, 1.5);
  gl_FragColor = vec4(tint * glow * (0.02 + 0.085 * rim) * near, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Number of gates of lamps along a corridor, and of lamps in a gate. */
const GATES = 9
const LAMPS = 6

interface CorridorShape {
  /** Distance of the ports from the centre, and length of their corridors (m). */
  readonly port: number
  readonly length: number
  readonly count: number
  /** Half width at the port and at the mouth (m). */
  readonly narrow: number
  readonly wide: number
}

/** Running lights along radial corridors to ports in the plane y = 0 of this object. */
class Corridors {
  readonly object = new Group()
  readonly #lamps: SoftPoints
  readonly #haze: ShaderMaterial[] = []
  readonly #tints: Color[]
  readonly #rates: number[]

  constructor(shape: CorridorShape) {
    const { count, length, narrow, port, wide } = shape
    this.#tints = Array.from({ length: count }, () => new Color(0, 0, 0))
    this.#rates = Array.from({ length: count }, () => 0)
    this.#lamps = new SoftPoints('lamps', {
      vertexShader: `#define PORTS ${count}\n${LAMP_VERTEX}`,
      fragmentShader: LAMP_FRAGMENT,
      attributes: lampsOf(shape),
      uniforms: { tints: { value: this.#tints }, rates: { value: this.#rates } },
      per: 'canvas',
      scale: 1e-3,
    })
    this.object.add(this.#lamps)
    for (let k = 0; k < count; k++) {
      // the top of the cylinder is its outer end
      const cone = new CylinderGeometry(wide, narrow, length, 40, 1, true)
      const material = new ShaderMaterial({
        vertexShader: HAZE_VERTEX,
        fragmentShader: HAZE_FRAGMENT,
        uniforms: { tint: { value: this.#tints[k] }, glow: { value: 1 } },
        ...ADDS_LIGHT,
        side: DoubleSide,
      })
      this.#haze.push(material)
      const mesh = new Mesh(cone, material)
      const out = outward(k, count)
      mesh.position.copy(out).multiplyScalar(port + length / 2)
      mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), out)
      this.object.add(mesh)
    }
    this.object.name = 'corridors'
  }

  set time(seconds: number) {
    this.#lamps.time = seconds
  }

  /**
   * Moves the colour of a corridor by a share towards another one. Sets the rate (1/s) at which its lights
   * run inwards (0: they do not run), and the brightness of its haze.
   */
  paint(port: number, color: Color, share: number, rate: number, glow: number): void {
    this.#tints[port]!.lerp(color, share)
    this.#rates[port] = rate
    this.#haze[port]!.uniforms['glow']!.value = glow
  }
}

function outward(k: number, count: number): Vector3 {
  const angle = (k / count) * 2 * Math.PI
  return new Vector3(Math.sin(angle), 0, Math.cos(angle))
}

function lampsOf({ count, length, narrow, port, wide }: CorridorShape): Record<string, BufferAttribute> {
  const position: number[] = []
  const ports: number[] = []
  const alongs: number[] = []
  for (let k = 0; k < count; k++) {
    const out = outward(k, count)
    const side = new Vector3(out.z, 0, -out.x)
    for (let gate = 0; gate < GATES; gate++) {
      // 1 at the mouth
      const share = (gate + 0.6) / GATES
      const half = narrow + (wide - narrow) * share
      for (let lamp = 0; lamp < LAMPS; lamp++) {
        const angle = ((lamp + 0.5) / LAMPS) * 2 * Math.PI
        const at = out.clone().multiplyScalar(port + length * share)
        at.addScaledVector(side, half * Math.cos(angle))
        at.y += half * Math.sin(angle)
        position.push(at.x, at.y, at.z)
        ports.push(k)
        alongs.push(share)
      }
    }
  }
  return {
    position: new Float32BufferAttribute(position, 3),
    port: new Float32BufferAttribute(ports, 1),
    along: new Float32BufferAttribute(alongs, 1),
  }
}
