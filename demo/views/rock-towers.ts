import {
  BufferAttribute,
  BufferGeometry,
  IcosahedronGeometry,
  Mesh,
  ShaderMaterial,
  type CubeTexture,
} from 'three'
import { seeded } from 'three-steering/authoring'
import type { Tower } from '../scenarios/rock-towers.js'
import { ALOFT_AIR } from '../sky/aloft.js'
import { NOISE } from '../sky/backdrop.js'
import { wave } from '../scenarios/scalars.js'

const VERTEX = /* glsl */ `
attribute float leaf;
varying vec3 vWorld, vNormal;
varying float vLeaf;
void main() {
  vWorld = position;
  vNormal = normal;
  vLeaf = leaf;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`

const FRAGMENT = /* glsl */ `
uniform samplerCube sky;
varying vec3 vWorld, vNormal;
varying float vLeaf;
${NOISE}
${ALOFT_AIR}
void main() {
  vec3 eye = vWorld - cameraPosition;
  float far = length(eye);
  float near = 1.0 / (1.0 + far * 0.006);
  vec3 p = vWorld;
  // rough look: flat face normals are mixed with the smooth ones
  vec3 face = normalize(cross(dFdx(vWorld), dFdy(vWorld)));
  face *= sign(dot(face, -eye));
  vec3 n = normalize(normalize(vNormal) + 0.6 * face * (1.0 - vLeaf));
  vec3 bump = vec3(noise(p * 0.7 + 9.0), noise(p * 0.7 + 21.0), noise(p * 0.7 + 35.0)) - 0.5;
  n = normalize(n + 0.8 * bump * (0.4 + 0.6 * near));
  // vertical cracks and horizontal beds
  float crack = noise(vec3(p.x * 0.55, p.y * 0.05, p.z * 0.55));
  float bed = noise(vec3(p.x * 0.03, p.y * 0.42 + 1.4 * noise(p * 0.09), p.z * 0.03));
  float grain = noise(p * vec3(2.3, 3.1, 2.3));
  vec3 rock = mix(vec3(0.20, 0.165, 0.17), vec3(0.47, 0.40, 0.36), 0.65 * crack + 0.35 * bed);
  rock *= 0.72 + 0.3 * grain + 0.25 * smoothstep(0.35, 0.75, bed);
  rock = mix(rock, vec3(0.055, 0.05, 0.06), 0.7 * smoothstep(0.36, 0.22, crack));
  // vegetation on ledges and tops
  float green = smoothstep(0.35, 0.72, n.y + 0.55 * (noise(p * 0.33) - 0.5)) * smoothstep(-2.0, 10.0, p.y);
  vec3 moss = mix(vec3(0.050, 0.070, 0.030), vec3(0.16, 0.17, 0.055), grain);
  vec3 albedo = mix(mix(rock, moss, green), mix(vec3(0.026, 0.042, 0.022), vec3(0.085, 0.105, 0.040), grain), vLeaf);
  float day = smoothstep(-0.05, 0.9, dot(n, SUN)) * smoothstep(-14.0, 14.0, p.y);
  vec3 light = vec3(3.3, 1.65, 0.72) * day;
  // light from the sky above and the clouds below
  light += textureLod(sky, vec3(n.x, max(0.25, n.y), n.z), 5.0).rgb * (0.75 + 0.25 * n.y);
  light += vec3(0.34, 0.22, 0.23) * (0.5 - 0.5 * n.y) * smoothstep(50.0, 0.0, p.y);
  // leaves and edges are translucent in the low light
  float rim = pow(1.0 - max(0.0, dot(n, -eye / far)), 3.0) * pow(max(0.0, dot(eye / far, SUN)), 2.0);
  light += vec3(2.6, 1.2, 0.45) * rim * (0.35 + 0.65 * vLeaf);
  vec3 color = albedo * light;
  // mist at the feet, and haze in the distance
  vec3 air = air(vec3(eye.x, 0.03 * far, eye.z) / far);
  float wisp = 9.0 * (noise(vec3(p.x * 0.05, 1.0, p.z * 0.05)) - 0.5);
  float low = smoothstep(13.0, -10.0, p.y + wisp);
  color = mix(color, vec3(0.36, 0.25, 0.33) + 0.22 * air, 0.75 * low);
  color = mix(color, 0.9 * air, 1.0 - exp(-far * 0.00075));
  // nothing is left of the rock where it meets the clouds, which would cut it in a line
  float shown = smoothstep(-2.0, 16.0, p.y + wisp);
  if (shown < 0.01) discard;
  gl_FragColor = vec4(color, shown);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`

/** The mesh begins this far below the clouds, where it is hidden (m). */
const SEEN = 75
const SIDES = 44

/**
 * Towers of rock above the clouds, with vegetation. The rock stays inside of the capsule of its tower; leaves
 * do not.
 */
export function rockTowers(towers: readonly Tower[], sky: CubeTexture): Mesh<BufferGeometry, ShaderMaterial> {
  const maker = new Maker()
  const random = seeded(8)
  for (const tower of towers) {
    maker.column(tower)
    maker.grove(tower, random)
  }
  const material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { sky: { value: sky } },
    transparent: true,
  })
  const mesh = new Mesh(maker.geometry(), material)
  // before everything else that is transparent
  mesh.renderOrder = -10
  mesh.frustumCulled = false
  mesh.name = 'towers'
  return mesh
}

class Maker {
  readonly #positions: number[] = []
  readonly #leaves: number[] = []
  readonly #triangles: number[] = []
  readonly #bush = new IcosahedronGeometry(1, 1)

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.#positions), 3))
    geometry.setAttribute('leaf', new BufferAttribute(new Float32Array(this.#leaves), 1))
    geometry.setIndex(this.#triangles)
    geometry.computeVertexNormals()
    this.#bush.dispose()
    return geometry
  }

  /** Rings of vertices from below the clouds upwards, closed by a vertex at the top. */
  column({ foot, radius, top }: Tower): void {
    const rings = Math.round((top + SEEN) / 1.7)
    let before = -1
    for (let i = 0; i <= rings; i++) {
      const up = -SEEN + ((top + SEEN) * i) / rings
      const first = this.#leaves.length
      for (let k = 0; k < SIDES; k++) {
        const angle = (2 * Math.PI * k) / SIDES
        const r = girth(foot.x, foot.z, radius, top, up, angle)
        this.#point(foot.x + r * Math.cos(angle), up, foot.z - r * Math.sin(angle), 0)
      }
      if (before >= 0) this.#skin(before, first)
      before = first
    }
    const crown = this.#point(foot.x, top - 0.05 * radius, foot.z, 0)
    for (let k = 0; k < SIDES; k++) this.#triangles.push(before + k, before + ((k + 1) % SIDES), crown)
  }

  /** Pines on top, and some on the ledges. */
  grove({ foot, radius, top }: Tower, random: () => number): void {
    const count = Math.round(7 + 2.2 * radius)
    for (let n = 0; n < count; n++) {
      const angle = 2 * Math.PI * random()
      const ledge = random() < 0.3
      const up = ledge ? top * (0.35 + 0.5 * random()) : top - radius * (0.04 + 0.5 * random() ** 1.5)
      const r = girth(foot.x, foot.z, radius, top, up, angle) * (ledge ? 0.98 : 0.93)
      const size = (ledge ? 0.55 : 0.8) * (0.7 + 0.7 * random()) * (0.6 + 0.05 * radius)
      this.#pine(foot.x + r * Math.cos(angle), up + 0.5 * size, foot.z - r * Math.sin(angle), size, random)
    }
  }

  /** Flat layers of needles above each other. */
  #pine(x: number, y: number, z: number, size: number, random: () => number): void {
    const { array } = this.#bush.getAttribute('position')
    const lean = 0.5 * (random() - 0.5)
    for (let layer = 0; layer < 3; layer++) {
      const wide = size * (1.15 - 0.3 * layer) * (0.8 + 0.4 * random())
      const [cx, cz] = [
        x + lean * layer * size + 0.3 * size * (random() - 0.5),
        z + 0.3 * size * (random() - 0.5),
      ]
      const first = this.#leaves.length
      for (let k = 0; k < array.length; k += 3) {
        const ragged = 0.75 + 0.5 * random()
        this.#point(
          cx + wide * ragged * array[k]!,
          y + 0.75 * size * layer + 0.42 * wide * ragged * array[k + 1]!,
          cz + wide * ragged * array[k + 2]!,
          1,
        )
      }
      // the geometry has no index: three vertices per face
      for (let k = 0; k < array.length / 3; k++) this.#triangles.push(first + k)
    }
  }

  #point(x: number, y: number, z: number, leaf: number): number {
    this.#positions.push(x, y, z)
    return this.#leaves.push(leaf) - 1
  }

  #skin(low: number, high: number): void {
    for (let k = 0; k < SIDES; k++) {
      const next = (k + 1) % SIDES
      this.#triangles.push(low + k, low + next, high + next, low + k, high + next, high + k)
    }
  }
}

/**
 * Radius of the rock (m) at a height and an angle: flutes, terraces, a rough top. Never larger than the
 * capsule.
 */
function girth(x: number, z: number, radius: number, top: number, up: number, angle: number): number {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const own = 0.37 * x + 0.61 * z
  const buttress = wave(1.9 * c + own, 1.9 * s - own, 0.02 * up)
  // creases between flutes that wander with the height
  const flute = Math.abs(Math.sin(3.5 * angle + own + 0.9 * wave(0.05 * up, own, c)))
  const rough = wave(6 * c + own, 6 * s, 0.21 * up)
  // terraces: narrower with each step, at a different height on each side
  const rise = (4 * Math.max(0, up)) / top + 0.55 * wave(1.3 * c + own, 1.3 * s, own) + 0.5
  const step = Math.floor(rise) + smooth((rise - Math.floor(rise) - 0.72) / 0.28)
  const body = 0.9 - 0.085 * step + 0.07 * buttress - 0.1 * (1 - flute) ** 2 + 0.05 * rough
  const under = Math.max(0, top - up) / radius
  const dome = under < 1 ? Math.sqrt(Math.max(0, 1 - (1 - under) ** 2)) : 1
  return radius * Math.max(0.02, Math.min(body, 0.97, 0.97 * dome * (0.86 + 0.1 * rough)))
}

function smooth(t: number): number {
  const k = Math.min(1, Math.max(0, t))
  return k * k * (3 - 2 * k)
}
