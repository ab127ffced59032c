import {
  Color,
  DoubleSide,
  ExtrudeGeometry,
  Group,
  Mesh,
  Path,
  ShaderMaterial,
  Shape,
  Vector2,
  type BufferGeometry,
  type IUniform,
} from 'three'
import type { Corner, Slab } from '../scenarios/slabs.js'
import { NOISE } from '../sky/backdrop.js'
import { MIST_AIR } from '../sky/mist.js'

const VERTEX = /* glsl */ `
varying vec3 vNormal, vWorld, vPlace;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vPlace = position;
  vNormal = mat3(modelMatrix) * normal;
  gl_Position = projectionMatrix * viewMatrix * world;
}`

const FRAGMENT = /* glsl */ `
uniform float own;
varying vec3 vNormal, vWorld, vPlace;
${NOISE}
${MIST_AIR}
#include <common>
#include <dithering_pars_fragment>
void main() {
  // nothing is left of the stone at the highest layer of mist, which would cut it in a line
  float shown = smoothstep(-9.0, 0.0, vWorld.y);
  if (shown < 0.01) discard;
  vec3 n = normalize(vNormal);
  vec3 p = vPlace + 40.0 * own;
  float far = distance(vWorld, cameraPosition);
  // courses of large stones with slightly different tones
  float row = floor(p.y / 6.5);
  float shift = hash(vec3(row, 3.0, own));
  vec2 cell = vec2((abs(n.y) < 0.5 ? p.x + p.z : p.x) / 13.0 + shift, p.y / 6.5);
  vec2 in1 = fract(cell);
  float tone = hash(vec3(floor(cell), own + 2.0));
  vec2 edge = min(in1, 1.0 - in1) * vec2(13.0, 6.5);
  float joint = 1.0 - smoothstep(0.10, 0.22 + 0.002 * far, min(edge.x, edge.y));
  float rough = noise(p * 0.23) * 0.55 + noise(p * 0.9) * 0.3 + noise(p * 3.7) * 0.15 / (1.0 + 0.01 * far);
  float streak = noise(vec3(p.x * 0.8, p.y * 0.045, p.z * 0.8));
  vec3 stone = mix(vec3(0.105, 0.118, 0.125), vec3(0.225, 0.215, 0.20), rough);
  stone *= 0.86 + 0.28 * tone;
  stone = mix(stone, vec3(0.055, 0.07, 0.065), 0.6 * smoothstep(0.5, 0.85, streak) * (1.0 - abs(n.y)));
  stone *= 1.0 - 0.55 * joint / (1.0 + 0.006 * far);
  vec3 bump = vec3(noise(p * 1.1 + 5.0), noise(p * 1.1 + 17.0), noise(p * 1.1 + 29.0)) - 0.5;
  n = normalize(n + 0.35 * bump / (1.0 + 0.01 * far));
  float day = max(0.0, dot(n, SUN));
  vec3 light = vec3(2.7, 1.75, 0.92) * day + air(vec3(n.x, 0.12 + 0.8 * max(0.0, n.y), n.z)) * 0.55 + vec3(0.07, 0.095, 0.11) * (0.6 + 0.4 * n.y);
  // light reflected by the mist
  light += vec3(0.20, 0.19, 0.17) * smoothstep(30.0, -20.0, vWorld.y);
  gl_FragColor = vec4(misty(stone * light, vWorld), shown);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
  #include <dithering_fragment>
}`

const RIM_FRAGMENT = /* glsl */ `
uniform vec3 tint;
uniform float glow;
varying vec3 vNormal, vWorld, vPlace;
${MIST_AIR}
void main() {
  gl_FragColor = vec4(misty(tint * (0.30 + 2.6 * glow), vWorld), 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** Lines around an opening: distance from its edge, and width (m). */
const LINES = [
  [0.5, 0.55],
  [1.7, 0.18],
] as const

/** Distance of a line in front of the stone (m). */
const OFFSET = 0.06

/** Stone slabs in the mist, with luminous lines around their openings. */
export class Monoliths {
  readonly object = new Group()
  readonly #moving: { readonly slab: Slab; readonly object: Group }[] = []
  readonly #glows = new Map<Slab, IUniform<number>>()

  /** `colorOf` gives the colour of a slab's lines. */
  constructor(slabs: readonly Slab[], colorOf: (slab: Slab) => Color) {
    slabs.forEach((slab, index) => {
      const group = new Group()
      const stone = new ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { own: { value: (index * 0.618) % 1 } },
        transparent: true,
        dithering: true,
      })
      const mesh = new Mesh(slabGeometry(slab), stone)
      // before everything else that is transparent
      mesh.renderOrder = -10
      group.add(mesh)
      if (slab.opening !== undefined) group.add(this.#inlay(slab, slab.opening, colorOf(slab)))
      this.object.add(group)
      this.#moving.push({ slab, object: group })
    })
    this.object.name = 'monoliths'
    this.update()
  }

  /** Brightness of the lines of a slab, in [0, 1]. */
  light(slab: Slab, glow: number): void {
    const uniform = this.#glows.get(slab)
    if (uniform) uniform.value = glow
  }

  /** Call once per frame. */
  update(): void {
    for (const { slab, object } of this.#moving) {
      object.position.copy(slab.at.position)
      object.quaternion.copy(slab.at.quaternion)
    }
  }

  #inlay(slab: Slab, opening: readonly Corner[], color: Color): Group {
    const glow = { value: 0 }
    this.#glows.set(slab, glow)
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: RIM_FRAGMENT,
      uniforms: { tint: { value: color }, glow },
      side: DoubleSide,
    })
    const group = new Group()
    for (const [from, wide] of LINES) {
      const shape = new Shape(grown(opening, from + wide))
      shape.holes.push(new Path(grown(opening, from)))
      const depth = slab.thick + 2 * OFFSET
      const geometry = new ExtrudeGeometry(shape, { depth, bevelEnabled: false, curveSegments: 1 })
      group.add(new Mesh(geometry.translate(0, 0, -depth / 2), material))
    }
    return group
  }
}

function slabGeometry({ outline, opening, thick }: Slab): BufferGeometry {
  const shape = new Shape(grown(outline, 0))
  if (opening !== undefined) shape.holes.push(new Path(grown(opening, 0)))
  const geometry = new ExtrudeGeometry(shape, { depth: thick, bevelEnabled: false, curveSegments: 1 })
  return geometry.translate(0, 0, -thick / 2)
}

/** A convex polygon with its sides moved outwards by `by` (m). */
function grown(corners: readonly Corner[], by: number): Vector2[] {
  return corners.map(([x, y], k) => {
    const before = corners.at(k - 1)!
    const after = corners[(k + 1) % corners.length]!
    const a = outwards(before, [x, y])
    const b = outwards([x, y], after)
    const share = by / (1 + a.dot(b))
    return new Vector2(x + share * (a.x + b.x), y + share * (a.y + b.y))
  })
}

function outwards([ax, ay]: Corner, [bx, by]: Corner): Vector2 {
  return new Vector2(by - ay, ax - bx).normalize()
}
