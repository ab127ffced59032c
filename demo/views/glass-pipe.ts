import {
  Curve,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  Quaternion,
  ShaderMaterial,
  TorusGeometry,
  TubeGeometry,
  Vector3,
} from 'three'
import type { Path } from 'three-steering'
import type { Pipe } from '../scenarios/needle-course.js'
import { MIST_AIR } from '../sky/mist.js'
import { ADDS_LIGHT } from './soft-points.js'

const GLASS_VERTEX = /* glsl */ `
varying vec3 vNormal, vWorld;
varying vec2 vAt;
void main() {
  vWorld = position;
  vNormal = normal;
  vAt = uv;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`

const GLASS_FRAGMENT = /* glsl */ `
uniform vec3 tint;
uniform float glow, reach;
varying vec3 vNormal, vWorld;
varying vec2 vAt;
${MIST_AIR}
void main() {
  vec3 eye = cameraPosition - vWorld;
  float far = length(eye);
  vec3 n = normalize(vNormal);
  float facing = abs(dot(n, eye / far));
  float skin = pow(1.0 - facing, 3.0);
  float shine = pow(max(0.0, dot(reflect(-eye / far, n), SUN)), 60.0);
  vec2 seam = abs(fract(vec2(vAt.x * reach / 2.5, vAt.y * 20.0)) - 0.5);
  float lines = smoothstep(0.47, 0.495, max(seam.x, seam.y)) * 0.10;
  vec3 light = air(reflect(-eye / far, n)) * (0.10 + 0.9 * skin) + vec3(1.3, 0.8, 0.4) * shine + tint * (lines + 0.25 * glow * skin);
  gl_FragColor = vec4(light * (1.0 - thickness(vWorld)) * 0.26, 1.0);
  #include <colorspace_fragment>
}`

const RIB_VERTEX = /* glsl */ `
varying vec3 vNormal, vWorld;
varying float vIn;
void main() {
  vec4 world = instanceMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vNormal = mat3(instanceMatrix) * normal;
  vIn = -dot(normal.xy, normalize(position.xy));
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const RIB_FRAGMENT = /* glsl */ `
uniform vec3 tint;
uniform float glow;
varying vec3 vNormal, vWorld;
varying float vIn;
${MIST_AIR}
void main() {
  vec3 n = normalize(vNormal);
  vec3 light = vec3(3.3, 2.2, 1.2) * max(0.0, dot(n, SUN)) + air(vec3(n.x, 0.15 + 0.8 * max(0.0, n.y), n.z)) * 0.6;
  vec3 color = vec3(0.15, 0.155, 0.16) * light + tint * smoothstep(0.80, 0.93, vIn) * (0.5 + 2.6 * glow);
  gl_FragColor = vec4(misty(color, vWorld), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Approximate distance between the ribs (m). */
const RIB_SPACING = 9

class Stretch extends Curve<Vector3> {
  readonly #path: Path
  readonly #pipe: Pipe

  constructor(path: Path, pipe: Pipe) {
    super()
    this.#path = path
    this.#pipe = pipe
  }

  override getPoint(share: number, out = new Vector3()): Vector3 {
    const { from, to } = this.#pipe
    this.#path.pointAt(out, from + (to - from) * share)
    return out
  }
}

/** A glass pipe held by stone ribs. */
export class GlassPipe {
  readonly object = new Group()
  readonly #glow = { value: 0 }

  constructor(path: Path, pipe: Pipe, tint: { readonly value: unknown }) {
    const length = pipe.to - pipe.from
    const glass = new ShaderMaterial({
      vertexShader: GLASS_VERTEX,
      fragmentShader: GLASS_FRAGMENT,
      uniforms: { tint, glow: this.#glow, reach: { value: length } },
      ...ADDS_LIGHT,
      side: DoubleSide,
    })
    const tube = new Mesh(new TubeGeometry(new Stretch(path, pipe), 48, pipe.radius + 0.3, 40), glass)
    tube.renderOrder = 3
    const ribs = Math.round(length / RIB_SPACING)
    const stone = new ShaderMaterial({
      vertexShader: RIB_VERTEX,
      fragmentShader: RIB_FRAGMENT,
      uniforms: { tint, glow: this.#glow },
    })
    const mesh = new InstancedMesh(new TorusGeometry(pipe.radius + 0.55, 0.42, 10, 48), stone, ribs - 1)
    const turn = new Quaternion()
    const place = new Vector3()
    const along = new Vector3()
    for (let k = 1; k < ribs; k++) {
      const s = pipe.from + (length * k) / ribs
      path.pointAt(place, s)
      path.tangentAt(along, s)
      turn.setFromUnitVectors(AXIS, along)
      mesh.setMatrixAt(k - 1, new Matrix4().compose(place, turn, ONE))
    }
    mesh.frustumCulled = false
    this.object.add(mesh, tube)
    this.object.name = 'pipe'
  }

  /** Brightness of its lines, in [0, 1]. */
  light(glow: number): void {
    this.#glow.value = glow
  }
}

const AXIS = new Vector3(0, 0, 1)
const ONE = new Vector3(1, 1, 1)
