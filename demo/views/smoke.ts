import { Group, type Vector3Like } from 'three'
import { seeded } from 'three-steering/authoring'
import { PUFF, Puffs } from './puffs.js'

// the figures of a puff are its initial size (m), and its growth (m/s)
const VERTEX = /* glsl */ `
${PUFF}
varying float vAge, vOwn;
void main() {
  float age = time - life.x;
  vAge = age / life.y;
  vOwn = fract(life.x * 7.31 + position.x * 0.37);
  vec4 view = placeOf(age);
  gl_Position = vAge >= 0.0 && vAge < 1.0 ? projectionMatrix * view : UNSEEN;
  gl_PointSize = pixels * (life.z + life.w * age) * projectionMatrix[1][1] / max(1.0, -view.z);
}`

const SMOKE = /* glsl */ `
varying float vAge, vOwn;
void main() {
  vec2 at = gl_PointCoord - 0.5;
  float d = length(at) * 2.0;
  float lumps = 0.85 + 0.15 * sin(9.0 * at.x + 20.0 * vOwn) * sin(8.0 * at.y + 31.0 * vOwn);
  float body = smoothstep(1.0, 0.25, d * (2.0 - lumps));
  vec3 dark = mix(vec3(0.020, 0.017, 0.018), vec3(0.16, 0.13, 0.15), vAge);
  // lit from the side of the sun
  dark += vec3(0.20, 0.09, 0.04) * max(0.0, -at.x - at.y) * (1.0 - 0.5 * vAge);
  gl_FragColor = vec4(dark, 0.62 * body * (1.0 - vAge) * smoothstep(0.0, 0.04, vAge));
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const FIRE = /* glsl */ `
varying float vAge, vOwn;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  vec3 hot = mix(vec3(1.0, 0.82, 0.5), vec3(1.0, 0.22, 0.03), smoothstep(0.0, 0.6, vAge + 0.5 * d));
  float body = pow(max(0.0, 1.0 - d), 1.5);
  gl_FragColor = vec4(hot * 4.0 * body * pow(1.0 - vAge, 1.5), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const puffs = (fragmentShader: string, glows: boolean): Puffs =>
  new Puffs(glows ? 'fire' : 'smoke', { vertexShader: VERTEX, fragmentShader, count: 900, glows })

/** Smoke of burning aircraft, and fireballs. */
export class Smoke {
  readonly object = new Group()
  readonly #smoke = puffs(SMOKE, false)
  readonly #fire = puffs(FIRE, true)
  readonly #random = seeded(11)

  constructor() {
    this.object.add(this.#smoke.object, this.#fire.object)
    this.object.name = 'smoke'
  }

  set time(seconds: number) {
    this.#smoke.time = this.#fire.time = seconds
  }

  /** Emits a puff from a burning object in flight. */
  trail(at: Vector3Like, velocity: Vector3Like): void {
    const drift = this.#about(velocity, 0.25, 2)
    this.#smoke.put(at, drift, 3.4, 3.5, 4.2)
    this.#fire.put(at, drift, 0.32, 4.2, -3)
  }

  /** Emits a fireball and its smoke. */
  burst(at: Vector3Like, velocity: Vector3Like): void {
    for (let k = 0; k < 22; k++)
      this.#fire.put(at, this.#about(velocity, 0.5, 26), 0.5 + 0.7 * this.#random(), 9, 6)
    for (let k = 0; k < 20; k++)
      this.#smoke.put(at, this.#about(velocity, 0.4, 20), 3 + 2 * this.#random(), 6, 7)
  }

  #about({ x, y, z }: Vector3Like, share: number, speed: number): Vector3Like {
    const spread = (): number => speed * (this.#random() + this.#random() - 1)
    return { x: share * x + spread(), y: share * y + spread(), z: share * z + spread() }
  }
}
