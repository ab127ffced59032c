import {
  Color,
  Group,
  Quaternion,
  Vector3,
  InstancedBufferAttribute,
  type InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  type Vector3Like,
} from 'three'
import type { Vec3Like } from 'three-steering'
import type { Pose, View } from 'three-steering/authoring'
import type { BlackArt } from '../scenarios/black-art.js'
import { DRONE, HALF_LENGTH, TUBE } from '../scenarios/black-art-tube.js'
import { Trails } from '../trails.js'
import { Boulders } from './boulders.js'
import { Darts } from './darts.js'
import { instancedQuads } from './instanced.js'
import { Sparks } from './sparks.js'
import { Tubes } from './tubes.js'
import { ADDS_LIGHT } from './soft-points.js'

/** Distance between the axes of neighbouring tubes (m). */
const PITCH = 2 * TUBE + 0.9

/** Colours of drones that start upwards and downwards. */
const TINTS = [new Color('#ffb347'), new Color('#38c6ff')]

const ROCK_LOOK = {
  sun: new Vector3(0.45, 0.6, 0.66).normalize(),
  sunColor: [2.5, 2.4, 2.3],
  dark: [0.07, 0.068, 0.075],
  pale: [0.28, 0.265, 0.26],
  sky: [0.06, 0.075, 0.13],
  bounce: [0.045, 0.06, 0.12],
}

const HORIZONTAL = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), -Math.PI / 2)
const UPRIGHT = new Quaternion()
const STILL = { x: 0, y: 0, z: 0 }

const place = new Vector3()
const tail = new Vector3()
const turn = new Quaternion()

/** Tubes with their rocks and drones, upright side by side, or horizontal above each other. */
export class BlackArtView {
  readonly object = new Group()
  readonly #columns: number
  readonly #drones: number
  readonly #darts: Darts
  readonly #trails: Trails
  readonly #tubes: Tubes
  readonly #sparks = new Sparks({ per: 'canvas', scale: 0.02 })
  readonly #rings = new TouchRings(4.4, 0.9)
  #stones: { readonly radius: number; readonly position: Vector3; readonly quaternion: Quaternion }[] = []
  #boulders: Boulders | null = null
  /** Centres of the tubes, and their common rotation. */
  readonly #seats: readonly Vector3[]
  readonly #turn = new Quaternion()

  constructor(columns: number, drones: number) {
    this.#columns = columns
    this.#drones = drones
    this.#seats = Array.from({ length: columns }, () => new Vector3())
    const tint = (index: number): Color => TINTS[(index % drones) % 2]!
    this.#darts = new Darts(columns * drones, DRONE, tint)
    this.#trails = new Trails({
      count: columns * drones,
      points: 40,
      interval: 1 / 18,
      width: 0.17,
      opacity: 0.55,
      color: (index) => tint(index).clone().multiply(tint(index)),
    })
    this.#tubes = new Tubes(columns, TUBE, HALF_LENGTH)
    this.object.add(this.#trails.object, this.#darts.object, this.#sparks.object)
    this.object.add(this.#tubes.object, this.#rings.object)
  }

  /** Width of the row of tubes, and distance between neighbouring axes (m). */
  get row(): number {
    return (this.#columns - 1) * PITCH + 2 * TUBE
  }

  get pitch(): number {
    return PITCH
  }

  /** View of the flock of a column. */
  viewOf(column: number): View {
    return { write: (index, pose) => this.#showDrone(column, index, pose) }
  }

  /** Converts a position in a column to one in the scene. */
  place(column: number, { x, y, z }: Vec3Like, out: Vector3): Vector3 {
    return out.set(x, y, z).applyQuaternion(this.#turn).add(this.#seats[column]!)
  }

  layOut(horizontal: boolean, { columns, drift }: BlackArt): void {
    this.#turn.copy(horizontal ? HORIZONTAL : UPRIGHT)
    for (const [k, seat] of this.#seats.entries()) {
      const offset = (k - (this.#columns - 1) / 2) * PITCH
      seat.set(horizontal ? 0 : offset, horizontal ? -offset : 0, 0)
      this.#tubes.put(k, seat, this.#turn)
    }
    for (const [column, { tally }] of columns.entries())
      for (const { key, position } of tally.drones) {
        const { x, y, z } = this.place(column, position, place)
        this.#trails.restart(column * this.#drones + key, x, y, z)
      }
    if (this.#boulders) return
    this.#stones = columns.flatMap(() =>
      drift.rocks.map(({ radius }) => ({ radius, position: new Vector3(), quaternion: new Quaternion() })),
    )
    this.#boulders = new Boulders(this.#stones, ROCK_LOOK)
    this.object.add(this.#boulders.object)
  }

  /** Call once per frame, after `present` of all worlds. */
  update({ columns, drift, time }: BlackArt, seconds: number, chosen: number): void {
    this.#trails.advance(seconds)
    for (const [k, stone] of this.#stones.entries()) {
      const rock = drift.rocks[k % drift.rocks.length]!
      this.place(Math.floor(k / drift.rocks.length), rock.position, stone.position)
      stone.quaternion.copy(rock.quaternion).premultiply(this.#turn)
    }
    this.#boulders?.update()
    this.#sparks.time = this.#rings.time = time
    for (const [column, { tally }] of columns.entries()) {
      for (const { at, keys } of tally.touches.fresh.splice(0)) this.#flash(column, at, keys)
      for (const { at, key } of tally.scratches.splice(0)) this.#flash(column, at, [key])
    }
    this.#darts.cool(seconds)
    this.#tubes.update(seconds, chosen)
  }

  dispose(): void {
    this.#trails.dispose()
  }

  #showDrone(column: number, index: number, { position, quaternion }: Pose): void {
    const dart = column * this.#drones + index
    this.place(column, position, place)
    turn.copy(quaternion).premultiply(this.#turn)
    this.#darts.put(dart, place, turn)
    tail
      .set(0, 0, -0.7 * DRONE)
      .applyQuaternion(turn)
      .add(place)
    this.#trails.put(dart, tail.x, tail.y, tail.z)
  }

  #flash(column: number, point: Vec3Like, keys: readonly number[]): void {
    this.place(column, point, place)
    this.#sparks.burst(place, STILL, 5, 10)
    this.#rings.open(place)
    this.#tubes.flare(column)
    for (const key of keys) if (key < this.#drones) this.#darts.flare(column * this.#drones + key)
  }
}

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
class TouchRings {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>
  readonly #touch = new InstancedBufferAttribute(new Float32Array(4 * MAX_RINGS).fill(-1e6), 4)
  #next = 0

  /** `size`: final width of a ring (m). `seconds`: its duration (s). */
  constructor(size: number, seconds: number) {
    const geometry = instancedQuads(MAX_RINGS, { touch: this.#touch })
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { time: { value: 0 } },
      defines: { SIZE: size.toFixed(3), LENGTH: seconds.toFixed(3) },
      ...ADDS_LIGHT,
      depthTest: false,
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
