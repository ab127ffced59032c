import {
  BufferAttribute,
  type BufferGeometry,
  DynamicDrawUsage,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  Quaternion,
  ShaderMaterial,
  Vector3,
} from 'three'
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js'
import { type QuatLike, type Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { NOISE } from '../sky/backdrop.js'

const VERTEX = /* glsl */ `
varying vec3 vNormal, vRock, vEye;
varying float vOwn, vHeight, vSize;
varying mat3 vTurn;
void main() {
  // the grain grows with the size of a rock, but less than in proportion
  float size = length(instanceMatrix[0].xyz);
  vSize = 0.55 * pow(size, 0.6);
  vTurn = mat3(instanceMatrix) * (1.0 / size);
  vec4 world = instanceMatrix * vec4(position, 1.0);
  vOwn = fract(float(gl_InstanceID) * 0.61803 + size);
  vRock = position;
  vHeight = length(position);
  vNormal = normalize(mat3(instanceMatrix) * normal);
  vEye = cameraPosition - world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const FRAGMENT = /* glsl */ `
uniform vec3 sun, sunColor, dark, pale, sky, bounce;
varying vec3 vNormal, vRock, vEye;
varying float vOwn, vHeight, vSize;
varying mat3 vTurn;
${NOISE}
float grain(vec3 p) { return 0.66 * noise(p * 3.1) + 0.25 * noise(p * 8.3) + 0.09 * noise(p * 21.0); }
void main() {
  vec3 p = vRock * vSize + 31.0 * vOwn;
  float far = length(vEye);
  // cracks and rubble: slopes of a height field over the rock
  float step1 = 0.035 + 0.0004 * far;
  float here = grain(p);
  vec3 slope = vec3(grain(p + vec3(step1, 0, 0)), grain(p + vec3(0, step1, 0)), grain(p + vec3(0, 0, step1))) - here;
  vec3 n = normalize(normalize(vNormal) - vTurn * slope * (0.15 / step1));
  vec3 albedo = mix(dark, pale, smoothstep(0.0, 1.0, here));
  albedo *= mix(vec3(1.10, 0.96, 0.84), vec3(0.84, 0.95, 1.08), vOwn);
  // hollows are dark
  albedo *= mix(0.45, 1.1, smoothstep(0.62, 0.95, vHeight));
  float day = max(0.0, dot(n, sun));
  vec3 light = sunColor * day + mix(bounce, sky, 0.5 + 0.5 * n.y);
  float rim = pow(1.0 - max(0.0, dot(n, vEye / far)), 4.0) * smoothstep(-0.4, 0.4, dot(n, sun));
  gl_FragColor = vec4(albedo * light + sunColor * rim * 0.07, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Rocks above this radius (m) have a fine mesh. */
const LARGE = 3.2
const KINDS = 4

export interface Boulder {
  readonly radius: number
  readonly position: Vec3Like
  readonly quaternion: QuatLike
}

export interface BoulderLook {
  /** Direction to the sun, unit. */
  readonly sun: Vector3
  readonly sunColor: readonly number[]
  /** Albedo of hollows and of ridges. */
  readonly dark: readonly number[]
  readonly pale: readonly number[]
  /** Light from above and from below. */
  readonly sky: readonly number[]
  readonly bounce: readonly number[]
}

const matrix = new Matrix4()
const place = new Vector3()
const turn = new Quaternion()
const size = new Vector3()

/** Irregular rocks, each inside its bounding sphere. Several hundred rocks in a few draw calls. */
export class Boulders {
  readonly object = new Group()
  readonly #rocks: readonly Boulder[]
  /** Mesh of each rock, and its index in the mesh. */
  readonly #seats: { readonly mesh: InstancedMesh; readonly index: number }[]

  constructor(rocks: readonly Boulder[], look: BoulderLook) {
    this.#rocks = rocks
    const uniforms = Object.fromEntries(Object.entries(look).map(([name, value]) => [name, { value }]))
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms })
    const kindOf = ({ radius }: Boulder, i: number): number => (i % KINDS) + (radius < LARGE ? KINDS : 0)
    const counts = Array.from({ length: 2 * KINDS }, () => 0)
    const seats = rocks.map((rock, i) => ({ kind: kindOf(rock, i), index: counts[kindOf(rock, i)]!++ }))
    const meshes = counts.map((count, kind) => {
      const geometry = rockGeometry(kind % KINDS, kind < KINDS ? 11 : 4)
      const mesh = new InstancedMesh(geometry, material, Math.max(1, count))
      mesh.count = count
      mesh.instanceMatrix.setUsage(DynamicDrawUsage)
      mesh.frustumCulled = false
      return mesh
    })
    this.#seats = seats.map(({ kind, index }) => ({ mesh: meshes[kind]!, index }))
    this.object.add(...meshes)
    this.object.name = 'boulders'
    this.update()
  }

  /** Updates the poses of the rocks. */
  update(): void {
    for (const [i, { position, quaternion, radius }] of this.#rocks.entries()) {
      const { mesh, index } = this.#seats[i]!
      place.copy(position)
      turn.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
      mesh.setMatrixAt(index, matrix.compose(place, turn, size.setScalar(radius)))
      mesh.instanceMatrix.needsUpdate = true
    }
  }
}

/** An irregular rock with craters. It touches the unit sphere from inside. */
export function rockGeometry(kind: number, detail: number): BufferGeometry {
  const random = seeded(31 + kind)
  const round = new IcosahedronGeometry(1, detail)
  round.deleteAttribute('uv')
  round.deleteAttribute('normal')
  const geometry = mergeVertices(round, 1e-4)
  const spread = (): number => 2 * random() - 1
  // cuts by planes make faces and edges
  const cuts = Array.from({ length: 14 }, () => ({
    axis: new Vector3(spread(), spread(), spread()).normalize(),
    at: 0.66 + 0.28 * random(),
  }))
  const craters = Array.from({ length: 9 }, () => ({
    at: new Vector3(spread(), spread(), spread()).normalize(),
    size: 0.14 + 0.36 * random() ** 2,
  }))
  const waves = Array.from({ length: 10 }, (_, k) => ({
    direction: new Vector3(spread(), spread(), spread()).normalize().multiplyScalar(2.2 + 0.9 * k),
    phase: 7 * random(),
    high: 0.06 / (1 + 0.4 * k),
  }))
  const stretch = new Vector3(1, 0.68 + 0.2 * random(), 0.8 + 0.2 * random())
  const position = geometry.getAttribute('position') as BufferAttribute
  const point = new Vector3()
  let widest = 0
  for (let i = 0; i < position.count; i++) {
    point.fromBufferAttribute(position, i).normalize()
    let height = 1
    for (const { axis, at } of cuts) {
      const facing = point.dot(axis)
      // a smooth minimum rounds the edges
      if (facing > 0) height = -Math.log(Math.exp(-30 * height) + Math.exp((-30 * at) / facing)) / 30
    }
    for (const { direction, phase, high } of waves) height += high * Math.sin(direction.dot(point) + phase)
    for (const { at, size: width } of craters) {
      const d = at.distanceTo(point) / width
      if (d < 1.4) height += width * (d < 1 ? 0.24 * (d * d - 1) + 0.06 : 0.06 * (1 - (d - 1) / 0.4))
    }
    point.multiply(stretch).multiplyScalar(height)
    widest = Math.max(widest, point.length())
    position.setXYZ(i, point.x, point.y, point.z)
  }
  geometry.scale(1 / widest, 1 / widest, 1 / widest)
  geometry.computeVertexNormals()
  return geometry
}
