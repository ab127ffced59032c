import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three'
import { seeded } from 'three-steering/authoring'
import type { Coral } from '../scenarios/reef.js'

const TINTS = ['#ff5d8f', '#ff8a3c', '#ffd24a', '#b06bff', '#4fd08a', '#ff6f61', '#5fc9e8', '#f2a0ff']
const GRASS = ['#3f8f4a', '#5fae4e', '#2f7a58']

/** Number of tufts on each rounded coral, and of grass tufts in the sand. */
const ON_A_HEAD = 24
const IN_THE_SAND = 150

const place = new Matrix4()
const turn = new Quaternion()
const size = new Vector3()
const spot = new Vector3()
const out = new Vector3()
const up = new Vector3(0, 1, 0)

/**
 * Soft corals on rounded corals and grass in the sand, all swaying. They are low enough to stay within the
 * clearance of the fish.
 */
export class Garden {
  readonly object = new Group()
  readonly #time = { value: 0 }

  constructor(corals: readonly Coral[], reach: number) {
    const random = seeded(23)
    const heads = corals.filter(({ kind }) => kind === 'head')
    const soft = this.#tufts(tuft(9, 0.95, 0.1), heads.length * ON_A_HEAD, 0.5)
    heads.forEach(({ at, radius }, k) => {
      for (let i = 0; i < ON_A_HEAD; i++) {
        const angle = 2 * Math.PI * random()
        const rise = 0.25 + 0.75 * random()
        const flat = Math.sqrt(1 - rise * rise)
        out.set(flat * Math.cos(angle), rise, flat * Math.sin(angle))
        spot.copy(at).addScaledVector(out, 0.955 * radius)
        const tall = 0.28 + 0.3 * random()
        this.#put(soft, k * ON_A_HEAD + i, tall, TINTS[(3 * k + (i % 3)) % TINTS.length]!, random)
      }
    })
    const grass = this.#tufts(tuft(7, 0.28, 0.05), IN_THE_SAND, 1)
    out.copy(up)
    for (let i = 0; i < IN_THE_SAND; i++) {
      const far = reach * Math.sqrt(random())
      const angle = 2 * Math.PI * random()
      spot.set(far * Math.cos(angle), -0.3, far * Math.sin(angle))
      this.#put(grass, i, 0.7 + 0.6 * random(), GRASS[i % GRASS.length]!, random)
    }
    this.object.add(soft, grass)
    this.object.name = 'garden'
  }

  /** Scene time (s). */
  set time(seconds: number) {
    this.#time.value = seconds
  }

  /** Places a tuft at `spot`, with its axis along `out`. */
  #put(mesh: InstancedMesh, index: number, tall: number, tint: string, random: () => number): void {
    turn.setFromUnitVectors(up, out)
    size.setScalar(tall)
    mesh.setMatrixAt(index, place.compose(spot, turn, size))
    mesh.setColorAt(index, new Color(tint).multiplyScalar(0.75 + 0.4 * random()))
  }

  #tufts(geometry: BufferGeometry, count: number, sway: number): InstancedMesh {
    const material = new MeshStandardMaterial({ roughness: 0.7, side: DoubleSide, vertexColors: true })
    material.onBeforeCompile = (shader) => {
      shader.uniforms['time'] = this.#time
      shader.vertexShader = `uniform float time;\n${shader.vertexShader}`.replace(
        '#include <begin_vertex>',
        /* glsl */ `vec3 transformed = position;
        float bend = ${sway.toFixed(2)} * position.y * position.y;
        float phase = 0.35 * (instanceMatrix[3].x + instanceMatrix[3].z);
        transformed.x += bend * 0.28 * sin(1.3 * time + phase);
        transformed.z += bend * 0.22 * sin(1.0 * time + 1.7 * phase);`,
      )
    }
    material.customProgramCacheKey = () => `tufts ${sway}`
    const mesh = new InstancedMesh(geometry, material, Math.max(1, count))
    mesh.count = count
    mesh.frustumCulled = false
    mesh.receiveShadow = true
    return mesh
  }
}

/** Fingers of up to one metre that lean outwards from one foot, dark at the bottom and pale at the tips. */
function tuft(fingers: number, lean: number, girth: number): BufferGeometry {
  const random = seeded(fingers)
  const points: number[] = []
  const colors: number[] = []
  const rings = [
    [0, 1, 0.35],
    [0.5, 0.85, 0.7],
    [0.85, 0.6, 1],
    [1, 0.05, 1.35],
  ] as const
  for (let k = 0; k < fingers; k++) {
    const angle = (2 * Math.PI * k) / fingers + random()
    const tilt = lean * (0.25 + 0.75 * random())
    const tall = 0.6 + 0.4 * random()
    const vertex = (ring: number, side: number): [number, number, number] => {
      const [share, thick] = rings[ring]!
      const far = Math.sin(tilt * share) * share * tall
      const around = angle + (2 * Math.PI * side) / 4
      const wide = girth * thick
      return [
        far * Math.cos(angle) + wide * Math.cos(around),
        share * tall * Math.cos(0.5 * tilt),
        far * Math.sin(angle) + wide * Math.sin(around),
      ]
    }
    for (let ring = 0; ring + 1 < rings.length; ring++)
      for (let side = 0; side < 4; side++)
        for (const [up2, along] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [0, 1],
          [1, 0],
          [1, 1],
        ] as const) {
          points.push(...vertex(ring + up2, side + along))
          const shade = rings[ring + up2]![2]
          colors.push(shade, shade, shade)
        }
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3))
  geometry.setAttribute('color', new BufferAttribute(new Float32Array(colors), 3))
  geometry.computeVertexNormals()
  return geometry
}
