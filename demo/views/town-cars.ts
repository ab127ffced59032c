import {
  Color,
  CylinderGeometry,
  ExtrudeGeometry,
  Group,
  Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Shape,
  type BufferGeometry,
  type ColorRepresentation,
} from 'three'
import { ModelKit } from './model-kit.js'

/** Silhouette of a car from its side: (z ahead, y up), m. */
type Outline = readonly (readonly [z: number, y: number])[]

interface Kind {
  readonly body: Outline
  readonly cabin: Outline
  /** Half the width of the body (m). */
  readonly half: number
  /** Distance of the axles ahead of and behind the middle (m). */
  readonly axles: readonly [front: number, rear: number]
  readonly roofLight?: boolean
}

const HATCHBACK: Kind = {
  half: 0.82,
  axles: [1.2, -1.12],
  body: [
    [1.88, 0.3],
    [1.9, 0.62],
    [1.72, 0.78],
    [0.9, 0.92],
    [-1.75, 0.95],
    [-1.86, 0.7],
    [-1.84, 0.3],
  ],
  cabin: [
    [0.95, 0.9],
    [0.25, 1.42],
    [-1.35, 1.45],
    [-1.74, 0.94],
  ],
}

const SALOON: Kind = {
  half: 0.84,
  axles: [1.28, -1.2],
  body: [
    [2.02, 0.3],
    [2.04, 0.6],
    [1.86, 0.74],
    [0.86, 0.88],
    [-1.3, 0.9],
    [-2, 0.82],
    [-2.06, 0.3],
  ],
  cabin: [
    [0.9, 0.86],
    [0.2, 1.36],
    [-0.85, 1.38],
    [-1.48, 0.9],
  ],
}

const TAXI: Kind = { ...SALOON, roofLight: true }

const VAN: Kind = {
  half: 0.9,
  axles: [1.3, -1.25],
  body: [
    [2.05, 0.32],
    [2.06, 0.82],
    [1.62, 1.06],
    [1.15, 1.1],
    [-2.02, 1.1],
    [-2.04, 0.32],
  ],
  cabin: [
    [1.62, 1.04],
    [1.0, 1.82],
    [-1.98, 1.86],
    [-2.02, 1.08],
  ],
}

const PICKUP: Kind = {
  half: 0.86,
  axles: [1.28, -1.22],
  body: [
    [2, 0.34],
    [2.02, 0.78],
    [1.8, 0.92],
    [0.95, 1],
    [-2, 1],
    [-2.02, 0.34],
  ],
  cabin: [
    [1, 0.98],
    [0.5, 1.56],
    [-0.42, 1.58],
    [-0.6, 0.98],
  ],
}

const KINDS = [HATCHBACK, SALOON, HATCHBACK, TAXI, VAN, SALOON, PICKUP, HATCHBACK]
const PAINTS = [
  '#c8402f',
  '#2f6db5',
  '#e7e2d6',
  '#f0b429',
  '#d9d4c7',
  '#3d4a57',
  '#4f8a5b',
  '#e58a2e',
  '#7fb3c8',
  '#8c2f39',
  '#f2efe6',
  '#2f8f8a',
]
const WHEEL = 0.33

const glass = { color: '#1c2a35', roughness: 0.08, metalness: 0.2 }

/** A model of a car with turning wheels. Its nose is +z, it stands on y = 0. */
export class TownCar {
  readonly object = new Group()
  readonly #wheels: readonly Mesh[]
  readonly #front: readonly Group[]
  readonly #brakeLights: MeshStandardMaterial
  readonly wheelbase: number

  constructor(index: number) {
    const kind = KINDS[index % KINDS.length]!
    const paint = kind === TAXI ? '#f2b01e' : PAINTS[(5 * index) % PAINTS.length]!
    const { axles, half } = kind
    this.wheelbase = axles[0] - axles[1]
    const body = shaded(bodyOf(kind, paint))
    const windows = shaded(new Mesh(slab(kind.cabin, half - 0.1, 0.05), new MeshStandardMaterial(glass)))
    this.#brakeLights = new MeshStandardMaterial({
      color: '#7a1410',
      emissive: '#ff2a18',
      emissiveIntensity: 0,
    })
    const rear = kind.body.at(-1)![0]
    const lamps = new ModelKit()
    for (const x of [-1, 1]) lamps.box([0.26, 0.13, 0.06], [x * (half - 0.22), 0.62, rear - 0.01], '#ffffff')
    this.object.add(body, windows, new Mesh(lamps.geometry(), this.#brakeLights))
    const wheel = wheelGeometry()
    const rubber = new MeshStandardMaterial({ vertexColors: true, roughness: 0.8 })
    const wheels: Mesh[] = []
    const front: Group[] = []
    for (const [k, z] of axles.entries())
      for (const x of [-1, 1]) {
        const steered = new Group()
        steered.position.set(x * (half - 0.06), WHEEL, z)
        const mesh = shaded(new Mesh(wheel, rubber))
        steered.add(mesh)
        this.object.add(steered)
        wheels.push(mesh)
        if (k === 0) front.push(steered)
      }
    this.#wheels = wheels
    this.#front = front
    this.object.name = 'car'
  }

  /** Rolls the wheels by `distance` (m), turns the front ones to `steer` (rad, to starboard). */
  roll(distance: number, steer: number): void {
    for (const wheel of this.#wheels) wheel.rotation.x = (wheel.rotation.x + distance / WHEEL) % (2 * Math.PI)
    for (const wheel of this.#front) wheel.rotation.y = -steer
  }

  set braking(on: boolean) {
    this.#brakeLights.emissiveIntensity = on ? 2.2 : 0.15
  }
}

function bodyOf(kind: Kind, paint: ColorRepresentation): Mesh {
  const { axles, half } = kind
  const kit = new ModelKit()
  kit.add(slab(kind.body, half - 0.07, 0.07), paint)
  // roof, a little wider than the windows
  const [, from, to] = kind.cabin
  const length = from![0] - to![0]
  kit.box(
    [2 * half - 0.3, 0.07, length - 0.06],
    [0, Math.max(from![1], to![1]) - 0.01, (from![0] + to![0]) / 2],
    paint,
  )
  const nose = kind.body[0]![0]
  for (const x of [-1, 1]) {
    kit.box([0.3, 0.14, 0.05], [x * (half - 0.26), 0.56, nose + 0.03], '#fff6df')
    kit.box([0.08, 0.12, 0.18], [x * (half + 0.04), 0.92, kind.cabin[0]![0] - 0.25], paint)
  }
  kit.box([2 * half - 0.1, 0.16, 0.06], [0, 0.3, nose + 0.06], '#2a2a2c')
  kit.box([2 * half - 0.1, 0.16, 0.06], [0, 0.3, kind.body.at(-1)![0] - 0.06], '#2a2a2c')
  for (const z of axles) kit.box([2 * half + 0.02, 0.5, 0.86], [0, 0.12, z], '#151517')
  if (kind.roofLight) kit.box([0.5, 0.16, 0.24], [0, 1.44, -0.3], '#fff3c0')
  if (kind === PICKUP) kit.box([2 * half - 0.26, 0.02, 1.2], [0, 1.065, -1.3], '#2b2b2d')
  return kit.mesh(
    new MeshPhysicalMaterial({
      vertexColors: true,
      roughness: 0.35,
      clearcoat: 0.7,
      clearcoatRoughness: 0.2,
    }),
  )
}

/** An outline, extruded to both sides, with rounded edges. */
function slab(outline: Outline, half: number, bevel: number): BufferGeometry {
  const shape = new Shape()
  outline.forEach(([z, y], i) => (i === 0 ? shape.moveTo(z, y) : shape.lineTo(z, y)))
  return new ExtrudeGeometry(shape, {
    depth: 2 * half,
    bevelSize: bevel,
    bevelThickness: bevel,
    bevelSegments: 2,
    curveSegments: 2,
  })
    .translate(0, 0, -half)
    .rotateY(-Math.PI / 2)
}

function wheelGeometry(): BufferGeometry {
  const kit = new ModelKit()
  kit.add(new CylinderGeometry(WHEEL, WHEEL, 0.22, 18).rotateZ(Math.PI / 2), '#161618')
  kit.add(new CylinderGeometry(0.19, 0.19, 0.24, 10).rotateZ(Math.PI / 2), '#b9bcc2')
  for (let k = 0; k < 5; k++)
    kit.add(
      new CylinderGeometry(0.045, 0.045, 0.25, 6)
        .rotateZ(Math.PI / 2)
        .translate(0, 0.11 * Math.cos((2 * k * Math.PI) / 5), 0.11 * Math.sin((2 * k * Math.PI) / 5)),
      '#3a3c42',
    )
  return kit.geometry()
}

function shaded(mesh: Mesh): Mesh {
  mesh.castShadow = mesh.receiveShadow = true
  return mesh
}

/** The van that is being unloaded: its back doors stand open, and boxes wait on the pavement. */
export function makeDeliveryVan(): Group {
  const van = new Group()
  const kit = new ModelKit()
  const white = new Color('#f4f1ea')
  kit.box([1.9, 1.95, 3.2], [0, 0.45, -0.75], white)
  kit.box([1.86, 1.05, 1.5], [0, 0.45, 1.6], '#2f8f8a')
  kit.box([1.7, 0.75, 0.95], [0, 1.5, 1.2], '#1c2a35')
  kit.box([1.92, 0.5, 3.22], [0, 1.1, -0.75], '#2f8f8a')
  for (const x of [-1, 1]) {
    kit.box([0.06, 1.7, 0.85], [x * 1.05, 0.55, -2.7], white, x * 0.35)
    kit.box([0.28, 0.16, 0.05], [x * 0.65, 0.75, 2.36], '#fff6df')
    for (const z of [1.45, -1.45])
      kit.add(new CylinderGeometry(0.38, 0.38, 0.26, 16).rotateZ(Math.PI / 2), '#161618', [x * 0.85, 0.38, z])
  }
  for (const [x, y, z] of [
    [0.1, 0, -3.4],
    [0.75, 0, -3.5],
    [0.35, 0.5, -3.45],
  ] as const)
    kit.box([0.6, 0.5, 0.55], [x, y, z], '#b98a55', 0.3 * z)
  van.add(kit.mesh(new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 })))
  return van
}
