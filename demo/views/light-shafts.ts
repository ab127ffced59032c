import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, ShaderMaterial } from 'three'
import type { Corner, Slab } from '../scenarios/slabs.js'
import { MIST_AIR } from '../sky/mist.js'
import { ADDS_LIGHT } from './soft-points.js'

/** Visible length of a shaft of light (m). */
const LENGTH = 150

const VERTEX = /* glsl */ `
${MIST_AIR}
attribute vec3 edge;
attribute vec2 shaftPosition; // position along the shaft, and around it
varying vec3 vNormal, vWorld;
varying vec2 vWay;
void main() {
  vec3 world = (modelMatrix * vec4(position, 1.0)).xyz - SUN * shaftPosition.x * ${LENGTH.toFixed(1)};
  vWorld = world;
  vWay = shaftPosition;
  vNormal = cross(mat3(modelMatrix) * edge, SUN);
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`

const FRAGMENT = /* glsl */ `
uniform float time;
varying vec3 vNormal, vWorld;
varying vec2 vWay;
${MIST_AIR}
float streak(float u) {
  float cell = floor(u), in1 = fract(u);
  in1 = in1 * in1 * (3.0 - 2.0 * in1);
  return mix(fract(sin(cell * 12.9898) * 43758.5453), fract(sin((cell + 1.0) * 12.9898) * 43758.5453), in1);
}
void main() {
  vec3 eye = cameraPosition - vWorld;
  float far = length(eye);
  // the shaft is thin where the line of sight is tangential to it
  float body = pow(abs(dot(normalize(vNormal), eye / far)), 1.4);
  float fade = (1.0 - vWay.x) * (1.0 - vWay.x) * smoothstep(0.0, 0.012, vWay.x);
  float dust = 0.55 + 0.9 * streak(vWay.y * 23.0 + 0.15 * time) * streak(vWay.y * 7.0 - 0.1 * time);
  // mist is brighter towards the sun
  float toSun = 0.35 + 0.65 * pow(max(0.0, dot(-eye / far, SUN)), 3.0);
  float near = smoothstep(4.0, 30.0, far);
  gl_FragColor = vec4(vec3(1.0, 0.66, 0.33) * 0.11 * body * fade * dust * toSun * near, 1.0);
  #include <colorspace_fragment>
}`

/** Shafts of light from a low sun that falls through the openings of slabs into the mist. */
export class LightShafts {
  readonly object = new Group()
  readonly #shafts: { readonly slab: Slab; readonly mesh: Mesh }[] = []
  readonly #material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { time: { value: 0 } },
    ...ADDS_LIGHT,
    side: DoubleSide,
  })

  constructor(slabs: readonly Slab[]) {
    for (const slab of slabs) {
      if (slab.opening === undefined) continue
      const mesh = new Mesh(shaftGeometry(slab.opening), this.#material)
      mesh.frustumCulled = false
      mesh.renderOrder = 4
      this.#shafts.push({ slab, mesh })
      this.object.add(mesh)
    }
    this.object.name = 'light'
  }

  /** Call once per frame. */
  update(time: number): void {
    this.#material.uniforms['time']!.value = time
    for (const { slab, mesh } of this.#shafts) {
      mesh.position.copy(slab.at.position)
      mesh.quaternion.copy(slab.at.quaternion)
    }
  }
}

function shaftGeometry(opening: readonly Corner[]): BufferGeometry {
  const position: number[] = []
  const edge: number[] = []
  const shaftPosition: number[] = []
  const index: number[] = []
  const cornerAt = (k: number): Corner => opening[(k + opening.length) % opening.length]!
  // a polygon with few corners has hard edges
  const round = opening.length > 6
  opening.forEach((_, k) => {
    const base = position.length / 3
    for (const end of [0, 1]) {
      const [x, y] = cornerAt(k + end)
      const [from, to] = round
        ? [cornerAt(k + end - 1), cornerAt(k + end + 1)]
        : [cornerAt(k), cornerAt(k + 1)]
      for (const along of [0, 1]) {
        position.push(x, y, 0)
        edge.push(to[0] - from[0], to[1] - from[1], 0)
        shaftPosition.push(along, (k + end) / opening.length)
      }
    }
    index.push(base, base + 1, base + 2, base + 2, base + 1, base + 3)
  })
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(position), 3))
  geometry.setAttribute('edge', new BufferAttribute(Float32Array.from(edge), 3))
  geometry.setAttribute('shaftPosition', new BufferAttribute(Float32Array.from(shaftPosition), 2))
  geometry.setIndex(index)
  return geometry
}
