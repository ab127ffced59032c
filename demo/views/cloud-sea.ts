import {
  BufferAttribute,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  PlaneGeometry,
  RepeatWrapping,
  RGFormat,
  ShaderMaterial,
  type BufferGeometry,
  type CubeTexture,
} from 'three'
import { ALOFT_AIR } from '../sky/aloft.js'
import { hash } from '../scenarios/scalars.js'

const VERTEX = /* glsl */ `
attribute float open;
varying vec3 vWorld, vNormal;
varying float vOpen;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vNormal = normal;
  vOpen = open;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const FRAGMENT = /* glsl */ `
uniform samplerCube sky;
uniform sampler2D ruffle;
uniform float time;
varying vec3 vWorld, vNormal;
varying float vOpen;
${ALOFT_AIR}
#include <common>
#include <dithering_pars_fragment>
void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  vec2 p = vWorld.xz;
  vec2 fray = texture2D(ruffle, p / 900.0 + time * 0.0006).rg - 0.5;
  fray += 0.6 * (texture2D(ruffle, p / 260.0 - time * 0.0011).rg - 0.5);
  vec3 n = normalize(vNormal + vec3(fray.x, 0.0, fray.y) * 1.5 * smoothstep(2200.0, 150.0, far));
  // light passes through the thin tops and hardly reaches the furrows
  float direct = smoothstep(-0.10, 0.75, dot(n, SUN));
  float through = pow(max(0.0, dot(eye / far, SUN)), 5.0) * vOpen;
  vec3 above = textureLod(sky, vec3(n.x, 0.9, n.z), 5.0).rgb;
  vec3 color = above * (0.75 + 0.75 * vOpen) + vec3(0.030, 0.026, 0.050);
  color += vec3(1.30, 0.60, 0.26) * direct * (0.10 + 0.90 * vOpen) * 0.62;
  color += vec3(1.5, 0.65, 0.22) * through * 0.40;
  color *= 0.45 + 0.55 * vOpen;
  vec3 haze = air(vec3(eye.x, 0.004 * far, eye.z) / far);
  gl_FragColor = vec4(mix(color, haze, smoothstep(300.0, 3600.0, far)), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  #include <dithering_fragment>
}`

/**
 * Half the width of the sea (m), number of mesh lines, and the exponent by which lines are denser in the
 * middle.
 */
const REACH = 4200
const LINES = 240
const CLOSER = 2.2
/** Line spacing at the centre, as a share of an even spacing. */
const LEAST = 0.2

/** Height of the highest tops above the bottom (m). */
const TALL = 200

/**
 * A sea of clouds seen from above, lit by a low sun. `top` is the approximate height of the highest clouds
 * (m).
 */
export class CloudSea {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>
  readonly #ruffle = ruffle()

  constructor(sky: CubeTexture, top: number) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        sky: { value: sky },
        ruffle: { value: this.#ruffle },
        time: { value: 0 },
      },
      dithering: true,
    })
    this.object = new Mesh(billows(), material)
    this.object.position.y = top - TALL
    this.object.frustumCulled = false
    this.object.renderOrder = -50
    this.object.name = 'clouds'
  }

  set time(seconds: number) {
    this.object.material.uniforms['time']!.value = seconds
  }

  dispose(): void {
    this.#ruffle.dispose()
  }
}

/** Mesh of the clouds, computed once. */
function billows(): BufferGeometry {
  const geometry = new PlaneGeometry(2, 2, LINES, LINES).rotateX(-Math.PI / 2)
  const position = geometry.getAttribute('position')
  const open = new Float32Array(position.count)
  const spread = (u: number): number =>
    (LEAST * u + (1 - LEAST) * Math.sign(u) * Math.abs(u) ** CLOSER) * REACH
  for (let k = 0; k < position.count; k++) {
    const [x, z] = [spread(position.getX(k)), spread(position.getZ(k))]
    const height = billow(x, z)
    position.setXYZ(k, x, height, z)
    open[k] = Math.min(1, Math.max(0, (height - 35) / 120))
  }
  geometry.setAttribute('open', new BufferAttribute(open, 1))
  geometry.computeVertexNormals()
  return geometry
}

/** Height of the clouds above the bottom (m): groups of puffs on a broad swell. */
function billow(x: number, z: number): number {
  const broad = noise(x * 0.0016 + 7, z * 0.0016 + 3, Infinity)
  const rise = smooth(Math.min(1, Math.max(0, (broad - 0.2) / 0.5)))
  const heap = puffs(x / 210, z / 210, 1)
  const knob = puffs(x / 78, z / 78, 2)
  const curl = puffs(x / 33, z / 33, 3)
  return 60 * broad + rise * (78 * heap + 34 * knob * (0.4 + heap) + 13 * curl * (0.4 + knob))
}

/** Rounded tops in [0, 1], one per cell. */
function puffs(x: number, y: number, kind: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)]
  let top = 0.25
  for (let a = i - 1; a <= i + 1; a++)
    for (let b = j - 1; b <= j + 1; b++) {
      const u = a + hash(a + 7000 * kind, b) - x
      const v = b + hash(a, b + 7000 * kind) - y
      const size = 0.6 + 0.5 * hash(a + 31 * kind, b + 17)
      top = Math.max(top, Math.sqrt(Math.max(0, size * size - u * u - v * v)))
    }
  return Math.min(1, top)
}

/** Texture with two fields of periodic noise, for the fine structure of the clouds. */
function ruffle(): DataTexture {
  const size = 256
  const bytes = new Uint8Array(2 * size * size)
  for (let k = 0; k < bytes.length; k++) {
    const field = k % 2
    const x = (k >> 1) % size
    const y = Math.floor((k >> 1) / size)
    let sum = 0
    for (let octave = 0; octave < 4; octave++) {
      const period = 8 << octave
      const scale = period / size
      sum += noise(x * scale, y * scale, period, field) / (2 << octave)
    }
    bytes[k] = Math.min(255, Math.max(0, 255 * (0.5 + 1.5 * (sum - 0.47))))
  }
  const texture = new DataTexture(bytes, size, size, RGFormat)
  texture.wrapS = texture.wrapT = RepeatWrapping
  texture.magFilter = LinearFilter
  texture.minFilter = LinearMipmapLinearFilter
  texture.generateMipmaps = true
  texture.needsUpdate = true
  return texture
}

/** Value noise in [0, 1] that repeats after `period` cells. Each `field` is a different noise. */
function noise(x: number, y: number, period: number, field = 0): number {
  const [i, j] = [Math.floor(x), Math.floor(y)]
  const [u, v] = [smooth(x - i), smooth(y - j)]
  const hashAt = (a: number, b: number): number =>
    period < Infinity ? hash((a % period) + 1000 * field, b % period) : hash(a, b)
  const low = hashAt(i, j) * (1 - u) + hashAt(i + 1, j) * u
  const high = hashAt(i, j + 1) * (1 - u) + hashAt(i + 1, j + 1) * u
  return low * (1 - v) + high * v
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t)
}
