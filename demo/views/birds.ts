import {
  DoubleSide,
  DynamicDrawUsage,
  InstancedMesh,
  Matrix4,
  Quaternion,
  ShaderMaterial,
  type BufferGeometry,
  type CubeTexture,
  type Vector3,
} from 'three'
import type { Pose } from 'three-steering/authoring'

const place = new Matrix4()
const turn = new Quaternion()

/** Wings bend beyond the shoulder. The beat of each bird depends on its climb, its bank and its index. */
const VERTEX = /* glsl */ `
attribute vec3 color;
uniform float time, rate, span;
uniform samplerCube sky;
varying vec3 vColor, vNormal, vSky;
varying float vFar;

float hash(float n) { return fract(sin(n * 12.9898) * 43758.5453); }

void main() {
  float own = hash(float(gl_InstanceID) + 1.0);
  vec3 ahead = normalize(instanceMatrix[2].xyz);
  vec3 top = normalize(instanceMatrix[1].xyz);
  // wings beat strongly in a climb, and rest in a dive or a steep turn
  float work = smoothstep(-0.30, 0.22, ahead.y);
  float pause = smoothstep(0.55, 0.85, sin(time * (0.7 + 0.5 * own) + 40.0 * own));
  float beat = mix(0.10, 0.85, work) * (1.0 - 0.85 * pause) * (0.55 + 0.45 * top.y * top.y);
  float phase = 6.2832 * (time * rate * (0.85 + 0.3 * own) + own * 7.0);

  vec3 p = position;
  vec3 n = normal;
  float side = sign(p.x), out1 = abs(p.x) - 0.07 * span;
  if (out1 > 0.0) {
    float reach = out1 / span;
    float angle = 0.12 + beat * sin(phase - 1.3 * reach);
    float c = cos(angle), s = sin(angle);
    p.x = side * (0.07 * span + out1 * c);
    p.y += out1 * s;
    p.z -= out1 * 0.35 * (1.0 - work);
    n = normalize(vec3(-side * s, c, 0.0));
  }
  vec4 world = instanceMatrix * vec4(p, 1.0);
  vNormal = normalize(mat3(instanceMatrix) * n);
  vec3 eye = world.xyz - cameraPosition;
  vFar = length(eye);
  vSky = textureLod(sky, eye, 3.0).rgb;
  vColor = color;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const FRAGMENT = /* glsl */ `
uniform vec3 sun, sunColor, above, below;
uniform float haze;
varying vec3 vColor, vNormal, vSky;
varying float vFar;
void main() {
  vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
  vec3 light = mix(below, above, 0.5 + 0.5 * n.y) + sunColor * max(0.0, dot(n, sun));
  vec3 color = mix(vSky, vColor * light, exp(-vFar * haze));
  gl_FragColor = vec4(color, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

export interface BirdOptions {
  readonly geometry: BufferGeometry
  readonly count: number
  readonly sky: CubeTexture
  /** Direction to the sun, unit. */
  readonly sun: Vector3
  /** Scale factor of the model. */
  readonly size: number
  /** Wing beats per second (1/s). */
  readonly rate: number
  /** Share of a bird's contrast that is lost per metre of air (1/m). */
  readonly haze?: number
  /** Colours of the light: from the sun, from above and from below. Default: dusk. */
  readonly light?: { readonly sun: Rgb; readonly above: Rgb; readonly below: Rgb }
}

type Rgb = readonly [number, number, number]

const DUSK = { sun: [1.7, 0.66, 0.25], above: [0.23, 0.25, 0.4], below: [0.17, 0.1, 0.08] } as const

/** A flock in one draw call. `mesh` can be the `view` of a `Flock`. */
export class Birds {
  readonly mesh: InstancedMesh<BufferGeometry, ShaderMaterial>
  readonly #time = { value: 0 }

  constructor(options: BirdOptions) {
    const geometry = options.geometry.index ? options.geometry.toNonIndexed() : options.geometry
    geometry.scale(options.size, options.size, options.size)
    geometry.computeVertexNormals()
    geometry.computeBoundingBox()
    const span = geometry.boundingBox?.max.x ?? 1
    this.mesh = new InstancedMesh(geometry, this.#material(options, span), options.count)
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage)
    this.mesh.frustumCulled = false
    this.mesh.name = 'birds'
  }

  /** Sets the pose of one bird. A flock writes the matrices itself. */
  put(index: number, { position, quaternion }: Pose): void {
    place.makeRotationFromQuaternion(turn.copy(quaternion)).setPosition(position.x, position.y, position.z)
    this.mesh.setMatrixAt(index, place)
    this.mesh.instanceMatrix.needsUpdate = true
  }

  /** Scene time (s). Drives the wing beat. */
  set time(seconds: number) {
    this.#time.value = seconds
  }

  #material(options: BirdOptions, span: number): ShaderMaterial {
    const light = options.light ?? DUSK
    return new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
      uniforms: {
        time: this.#time,
        rate: { value: options.rate },
        span: { value: span },
        haze: { value: options.haze ?? 0.0012 },
        sky: { value: options.sky },
        sun: { value: options.sun },
        sunColor: { value: light.sun },
        above: { value: light.above },
        below: { value: light.below },
      },
    })
  }
}
