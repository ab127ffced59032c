import { BufferAttribute, type Vector3Like } from 'three'
import { seeded } from 'three-steering/authoring'
import { SoftPoints, type SizeOfPoints } from './soft-points.js'

const VERTEX = /* glsl */ `
attribute vec3 velocity;
attribute vec2 life; // x: time of birth (s), y: life time (s)
uniform float time, pixels;
varying float vLeft;
void main() {
  float age = time - life.x;
  vLeft = 1.0 - age / life.y;
  vec4 view = viewMatrix * vec4(position + velocity * age, 1.0);
  gl_Position = age >= 0.0 && vLeft > 0.0 && vLeft <= 1.0 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = pixels * (0.3 + 0.7 * vLeft) * 62.0 / -view.z;
}`

const FRAGMENT = /* glsl */ `
varying float vLeft;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  vec3 hot = mix(vec3(1.0, 0.25, 0.05), vec3(1.0, 0.85, 0.6), vLeft);
  gl_FragColor = vec4(hot * 3.0 * pow(max(0.0, 1.0 - d), 2.0) * vLeft, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const MAX_SPARKS = 512

/** Short-lived sparks at collisions. They move in the vertex shader. */
export class Sparks {
  readonly object: SoftPoints
  readonly #random = seeded(5)
  #next = 0

  constructor(size: SizeOfPoints = {}) {
    const attributes = {
      position: new BufferAttribute(new Float32Array(3 * MAX_SPARKS), 3),
      velocity: new BufferAttribute(new Float32Array(3 * MAX_SPARKS), 3),
      life: new BufferAttribute(new Float32Array(2 * MAX_SPARKS).fill(-1e6), 2),
    }
    this.object = new SoftPoints('sparks', { vertexShader: VERTEX, fragmentShader: FRAGMENT, attributes, ...size }) // prettier-ignore
  }

  set time(seconds: number) {
    this.object.time = seconds
  }

  /** Emits `count` sparks at a point. They fly with `drift` and spread at up to `speed` (m/s). */
  burst(at: Vector3Like, drift: Vector3Like, speed: number, count: number): void {
    const { position, velocity, life } = this.object.geometry.attributes
    for (let k = 0; k < count; k++) {
      const index = this.#next
      this.#next = (index + 1) % MAX_SPARKS
      const [x, y, z] = [this.#spread(speed), this.#spread(speed), this.#spread(speed)]
      position!.setXYZ(index, at.x, at.y, at.z)
      velocity!.setXYZ(index, drift.x + x, drift.y + y, drift.z + z)
      life!.setXY(index, this.object.time, 0.5 + 1.1 * this.#random())
    }
    for (const attribute of [position, velocity, life]) attribute!.needsUpdate = true
  }

  #spread(speed: number): number {
    return speed * (this.#random() + this.#random() - 1)
  }
}
