import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  Vector3,
  type Color,
} from 'three'
import type { QuatLike, Vec3Like } from 'three-steering'
import { instanced } from './instanced.js'
import { ADDS_LIGHT } from './soft-points.js'

const VERTEX = /* glsl */ `
attribute vec3 tint;
attribute float heat;
varying vec3 vTint, vNormal, vEye;
varying float vAlong;
void main() {
  vec4 world = modelMatrix * instanceMatrix * vec4(position, 1.0);
  vTint = mix(tint, vec3(3.0, 0.25, 0.08), heat);
  vAlong = position.z;
  vNormal = normalize(mat3(instanceMatrix) * normal);
  vEye = cameraPosition - world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const FRAGMENT = /* glsl */ `
uniform float size;
varying vec3 vTint, vNormal, vEye;
varying float vAlong;
void main() {
  vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
  vec3 eye = normalize(vEye);
  float key = max(0.0, dot(n, normalize(vec3(0.5, 0.8, 0.3))));
  float shine = pow(max(0.0, dot(n, normalize(eye + vec3(0.5, 0.8, 0.3)))), 24.0);
  float tail = smoothstep(0.1, -1.0, vAlong / size);
  vec3 hull = mix(vTint, vec3(0.9), 0.12) * (0.16 + 0.5 * key) + 0.3 * shine;
  gl_FragColor = vec4(hull + vTint * (0.25 + 0.7 * tail * tail), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const GLOW_VERTEX = /* glsl */ `
attribute vec3 tint;
attribute float heat;
uniform float size;
varying vec3 vTint;
varying vec2 vAt;
void main() {
  vAt = position.xy * 2.0;
  vTint = mix(tint, vec3(2.2, 0.16, 0.05), heat);
  vec4 view = viewMatrix * modelMatrix * instanceMatrix * vec4(0.0, 0.0, -0.6 * size * (1.0 - heat), 1.0);
  view.xy += position.xy * size * length(instanceMatrix[0].xyz) * (6.0 + 4.0 * heat);
  gl_Position = projectionMatrix * view;
}`

const GLOW_FRAGMENT = /* glsl */ `
varying vec3 vTint;
varying vec2 vAt;
void main() {
  float d = length(vAt);
  float light = 0.30 * pow(max(0.0, 1.0 - d), 3.0) + 0.6 * pow(max(0.0, 1.0 - 3.2 * d), 2.0);
  gl_FragColor = vec4(vTint * light, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

const place = new Matrix4()
const turn = new Quaternion()
const size = new Vector3()

/** Time constant with which a glow fades (s). */
const COOLING = 0.35

/** Small glowing craft in two draw calls. `mesh` can be the `view` of a `Flock`. */
export class Darts {
  readonly object = new Group()
  readonly mesh: InstancedMesh<BufferGeometry, ShaderMaterial>
  readonly meshes: readonly InstancedMesh<BufferGeometry, ShaderMaterial>[]
  readonly #heat: InstancedBufferAttribute

  /** `size` is half the length of a dart (m). */
  constructor(count: number, size: number, colorOf: (index: number) => Color) {
    const tint = new InstancedBufferAttribute(new Float32Array(3 * count), 3)
    for (let index = 0; index < count; index++) colorOf(index).toArray(tint.array, 3 * index)
    this.#heat = new InstancedBufferAttribute(new Float32Array(count), 1)
    this.#heat.setUsage(DynamicDrawUsage)
    const uniforms = { size: { value: size } }
    const hull = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms })
    hull.side = 2
    const glow = new ShaderMaterial({
      vertexShader: GLOW_VERTEX,
      fragmentShader: GLOW_FRAGMENT,
      uniforms,
      ...ADDS_LIGHT,
    })
    this.mesh = instanced(dart(size), hull, count, { tint, heat: this.#heat })
    const halos = instanced(new PlaneGeometry(1, 1), glow, count, { tint, heat: this.#heat })
    // each halo has the transform of its hull
    halos.instanceMatrix = this.mesh.instanceMatrix
    this.meshes = [this.mesh, halos]
    this.object.add(...this.meshes)
    this.object.name = 'darts'
  }

  /** Sets the pose of one dart. A flock writes the matrices itself. */
  put(index: number, position: Vec3Like, quaternion: QuatLike, scale = 1): void {
    place.makeRotationFromQuaternion(turn.copy(quaternion)).scale(size.setScalar(scale))
    this.mesh.setMatrixAt(index, place.setPosition(position.x, position.y, position.z))
    this.mesh.instanceMatrix.needsUpdate = true
  }

  /** Makes a dart glow red, after a collision. */
  flare(index: number): void {
    this.#heat.setX(index, 1)
  }

  /** Call once per frame. Fades the red glow. */
  cool(seconds: number): void {
    const heat = this.#heat.array
    const share = Math.exp(-seconds / COOLING)
    for (let index = 0; index < heat.length; index++) heat[index]! *= share
    this.#heat.needsUpdate = true
  }
}

/** A delta-shaped hull with its nose along +Z, inside a sphere of radius `size`. */
function dart(size: number): BufferGeometry {
  const nose = [0, 0, 1]
  const port = [0.62, -0.06, -0.76]
  const starboard = [-0.62, -0.06, -0.76]
  const spine = [0, 0.22, -0.5]
  const keel = [0, -0.16, -0.45]
  const faces = [nose, port, spine, nose, spine, starboard, nose, keel, port, nose, starboard, keel]
  faces.push(spine, port, keel, spine, keel, starboard)
  const geometry = new BufferGeometry()
  const position = Float32Array.from(faces.flatMap((corner) => corner.map((part) => part * size)))
  geometry.setAttribute('position', new BufferAttribute(position, 3))
  geometry.computeVertexNormals()
  return geometry
}
