import {
  BoxGeometry,
  BufferGeometry,
  CircleGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  Group,
  HemisphereLight,
  IcosahedronGeometry,
  Mesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  Points,
  PointsMaterial,
  RingGeometry,
  type Object3D,
} from 'three'
import type { Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import {
  angleOf,
  around,
  LENGTHS,
  onArm,
  PAVEMENT,
  RING,
  RING_HALF,
  ROAD,
  YIELD,
  ZEBRA,
  ZEBRA_HALF,
} from '../scenarios/street-map.js'
import { ModelKit } from './model-kit.js'
import { makeTrees, type Tree } from './trees.js'

const ASPHALT = '#565a60'
const PAVING = '#cfc4b0'
const KERB = '#a89f90'
const PAINT = '#f3eee2'
const GRASS = '#8fab62'
const FACADES = ['#e9cfa6', '#d98f6c', '#f1e3c8', '#c9d3c0', '#e6b4a0', '#a9bfca', '#f0d58c', '#d7c3d0']
const ROOFS = ['#a8593f', '#93513d', '#b3704f', '#7d5a4c', '#8f4f40', '#6f6660']
const LEAVES = ['#5d8f3c', '#6fa045', '#4d7f3d', '#86a83f', '#3f7443']

/** Edge of the model, beyond the gates (m), and its thickness. */
const EDGE = 9
const THICK = 3.5
const OUTER = ROAD + PAVEMENT
/** Radius of the pavement around the roundabout, of its road, and of the island (m). */
const PLAZA = RING + RING_HALF + PAVEMENT
const ROUND = RING + RING_HALF
const ISLAND = RING - RING_HALF

/** Half the size of the model along x and z (m). */
export const HALF = { x: LENGTHS[0] + EDGE, z: LENGTHS[1] + EDGE }

/** The static parts of a small town: streets, houses, gates, a park, trees and lamps. */
export function makeTown(): Group {
  const town = new Group()
  const random = seeded(11)
  const flat = new MeshStandardMaterial({ vertexColors: true, roughness: 0.95 })
  const matt = new MeshStandardMaterial({ vertexColors: true, roughness: 0.8 })
  const panes = new MeshPhysicalMaterial({
    vertexColors: true,
    roughness: 0.12,
    metalness: 0.1,
    clearcoat: 1,
  })
  const ground = streets().mesh(flat)
  ground.castShadow = false
  const solid = new ModelKit()
  const glass = new ModelKit()
  for (let arm = 0; arm < 4; arm++) {
    gate(solid, arm)
    for (const hand of [-1, 1]) houses(solid, glass, arm, hand, random)
  }
  furniture(solid)
  island(solid)
  town.add(ground, solid.mesh(matt), glass.mesh(panes), trees(random), pond())
  town.name = 'town'
  return town
}

/** Sun with soft shadows over the whole town, and light from the sky. */
export function makeTownLight(): Object3D[] {
  const sun = new DirectionalLight('#ffdcae', 3.6)
  sun.position.set(-62, 70, 46)
  sun.castShadow = true
  sun.shadow.mapSize.set(2048, 2048)
  Object.assign(sun.shadow.camera, { left: -78, right: 78, top: 66, bottom: -66, near: 10, far: 220 })
  sun.shadow.normalBias = 0.06
  sun.shadow.radius = 2.5
  return [sun, new HemisphereLight('#d6e6f6', '#a08c6c', 1.15)]
}

/** Water that springs from the fountain in the middle. */
export class Fountain {
  readonly object: Points
  readonly #starts: Float32Array
  static readonly drops = 260

  constructor() {
    const random = seeded(5)
    this.#starts = Float32Array.from({ length: 3 * Fountain.drops }, () => random())
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new Float32BufferAttribute(new Float32Array(3 * Fountain.drops), 3))
    this.object = new Points(
      geometry,
      new PointsMaterial({
        color: '#e8f6ff',
        size: 0.16,
        transparent: true,
        opacity: 0.75,
        depthWrite: false,
      }),
    )
    this.object.frustumCulled = false
  }

  /** Time of the scene (s). */
  set time(seconds: number) {
    const place = this.object.geometry.getAttribute('position')
    for (let i = 0; i < Fountain.drops; i++) {
      const [a, b, c] = this.#starts.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number]
      const age = (seconds / 1.15 + a) % 1
      const angle = 2 * Math.PI * b
      const far = (0.5 + 1.1 * c) * age
      place.setXYZ(i, far * Math.cos(angle), 2.3 + 4.1 * age - 6.2 * age * age, far * Math.sin(angle))
    }
    place.needsUpdate = true
  }
}

/** A flat part, slightly above those below. */
function sheet(
  kit: ModelKit,
  width: number,
  depth: number,
  at: Vec3Like,
  level: number,
  color: string,
  yaw = 0,
): void {
  kit.add(new PlaneGeometry(width, depth).rotateX(-Math.PI / 2), color, [at.x, level, at.z], yaw)
}

function streets(): ModelKit {
  const kit = new ModelKit()
  kit.add(new BoxGeometry(2 * HALF.x, THICK, 2 * HALF.z).translate(0, -THICK / 2 - 0.02, 0), '#7d6248')
  kit.add(new BoxGeometry(2 * HALF.x + 0.6, 0.5, 2 * HALF.z + 0.6).translate(0, -0.26, 0), GRASS)
  kit.add(new CircleGeometry(PLAZA + 2.5, 64).rotateX(-Math.PI / 2), PAVING, [0, 0.01, 0])
  kit.add(new CircleGeometry(ROUND, 64).rotateX(-Math.PI / 2), ASPHALT, [0, 0.035, 0])
  kit.add(new CylinderGeometry(ISLAND, ISLAND + 0.15, 0.24, 48), KERB, [0, 0.1, 0])
  for (let arm = 0; arm < 4; arm++) {
    const yaw = angleOf(arm)
    const length = LENGTHS[arm]! + EDGE
    const middle = onArm(arm, length / 2, 0)
    sheet(kit, length, 2 * OUTER, middle, 0.012, PAVING, yaw)
    sheet(kit, length, 2 * ROAD, middle, 0.04, ASPHALT, yaw)
    for (const hand of [-1, 1]) kerbs(kit, arm, hand)
    // zebra crossing
    for (let aside = -ROAD + 0.55; aside < ROAD; aside += 1.02)
      sheet(kit, 2 * ZEBRA_HALF, 0.52, onArm(arm, ZEBRA, aside), 0.06, PAINT, yaw)
    for (const side of [-1, 1])
      sheet(
        kit,
        0.3,
        ROAD - 0.3,
        onArm(arm, ZEBRA - side * (ZEBRA_HALF + 0.9), side * (ROAD / 2)),
        0.06,
        PAINT,
        yaw,
      )
    // give way
    for (let aside = 0.45; aside < ROAD; aside += 0.9)
      sheet(kit, 0.45, 0.5, onArm(arm, YIELD - 0.9, -aside), 0.06, PAINT, yaw)
    for (let along = ZEBRA + 5; along < LENGTHS[arm]! - 1; along += 4)
      sheet(kit, 2, 0.14, onArm(arm, along, 0), 0.06, PAINT, yaw)
    sheet(kit, 5.2, 0.16, onArm(arm, ZEBRA - 5.2, 0), 0.06, PAINT, yaw)
  }
  // joints of the paving
  for (let arm = 0; arm < 4; arm++)
    for (let along = PLAZA + 1; along < LENGTHS[arm]! - 1; along += 1.6)
      for (const hand of [-1, 1])
        sheet(
          kit,
          0.05,
          PAVEMENT - 0.3,
          onArm(arm, along, hand * (ROAD + PAVEMENT / 2 + 0.1)),
          0.022,
          '#b7ab96',
          angleOf(arm),
        )
  kit.add(new RingGeometry(ROUND, ROUND + 0.25, 64).rotateX(-Math.PI / 2), KERB, [0, 0.03, 0])
  return kit
}

/** Kerbstones, lowered at the crossing. */
function kerbs(kit: ModelKit, arm: number, hand: number): void {
  const end = LENGTHS[arm]! + 1
  for (const [from, to] of [
    [PLAZA - 3.1, ZEBRA - ZEBRA_HALF - 0.5],
    [ZEBRA + ZEBRA_HALF + 0.5, end],
  ] as const) {
    const { x, z } = onArm(arm, (from + to) / 2, hand * (ROAD + 0.1))
    kit.box([to - from, 0.14, 0.22], [x, 0, z], KERB, angleOf(arm))
  }
}

/** A prism with a gable: `size` of the walls, and the height of the roof above them. */
function roof(width: number, depth: number, height: number): BufferGeometry {
  const x = width / 2
  const z = depth / 2
  const corners = [
    [-x, 0, z, x, 0, z, x, height, 0],
    [-x, 0, z, x, height, 0, -x, height, 0],
    [x, 0, -z, -x, 0, -z, -x, height, 0],
    [x, 0, -z, -x, height, 0, x, height, 0],
    [x, 0, z, x, 0, -z, x, height, 0],
    [-x, 0, -z, -x, 0, z, -x, height, 0],
  ].flat()
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3))
  geometry.computeVertexNormals()
  return geometry
}

/** A row of houses along one side of a street. Their fronts face it. */
function houses(solid: ModelKit, glass: ModelKit, arm: number, hand: number, random: () => number): void {
  // the park takes one corner
  if ((arm === 0 && hand === 1) || (arm === 3 && hand === -1)) return
  const end = LENGTHS[arm]! - 2.6
  for (let along = PLAZA + 4.2; along < end - 4;) {
    const width = Math.min(6 + 3 * random(), end - along)
    house(solid, glass, arm, hand, along + width / 2, width, random)
    along += width + (random() < 0.3 ? 2.2 : 0.04)
  }
}

function house(
  solid: ModelKit,
  glass: ModelKit,
  arm: number,
  hand: number,
  along: number,
  width: number,
  random: () => number,
): void {
  const pick = (list: readonly string[]): string => list[Math.floor(list.length * random())]!
  const depth = 7 + 1.5 * random()
  const floors = random() < 0.35 ? 3 : 2
  const height = 0.5 + 2.7 * floors
  const front = OUTER + 0.4 + (random() < 0.3 ? 0.7 : 0)
  const yaw = angleOf(arm) + (hand < 0 ? Math.PI : 0)
  const at = (x: number, aside: number): readonly [number, number, number] => {
    const place = onArm(arm, along + (hand < 0 ? -x : x), hand * aside)
    return [place.x, 0, place.z]
  }
  const raised = (x: number, aside: number, y: number): [number, number, number] => {
    const [px, , pz] = at(x, aside)
    return [px, y, pz]
  }
  const color = new Color(pick(FACADES)).multiplyScalar(0.92 + 0.12 * random())
  const middle = front + depth / 2
  solid.box([width - 0.06, height, depth], at(0, middle), color, yaw)
  solid.box([width, 0.45, depth + 0.14], at(0, middle), '#8d8478', yaw)
  const rise = 2.2 + 1.2 * random()
  const tiles = pick(ROOFS)
  solid.add(roof(width + 0.5, depth + 1, rise), tiles, raised(0, middle, height - 0.05), yaw)
  solid.box(
    [0.7, 1.5, 0.7],
    raised(width * (random() - 0.5) * 0.6, middle + 1.4, height + rise * 0.45),
    '#9a5a45',
    yaw,
  )
  // windows at the back
  for (let floor = 0; floor < floors; floor++)
    for (const x of [-width / 4, width / 4]) {
      solid.box([1.1, 1.45, 0.12], raised(x, front + depth, 1.05 + 2.7 * floor), '#f6f1e6', yaw)
      glass.box([0.86, 1.2, 0.18], raised(x, front + depth, 1.17 + 2.7 * floor), '#2d3f4d', yaw)
    }
  // windows, in a row for each floor; a shop below
  const isShop = random() < 0.55
  const count = Math.max(2, Math.round(width / 2.3))
  for (let floor = 0; floor < floors; floor++) {
    if (floor === 0 && isShop) continue
    for (let k = 0; k < count; k++) {
      const x = ((k + 0.5) / count - 0.5) * (width - 0.8)
      const y = 0.5 + 2.7 * floor
      if (floor === 0 && k === 0) {
        solid.box(
          [1.15, 2.25, 0.16],
          raised(x, front - 0.02, 0.1),
          pick(['#5b3a29', '#2f5d50', '#7d2f2f', '#30465f']),
          yaw,
        )
        solid.box([1.5, 0.14, 0.6], raised(x, front - 0.25, 0), '#8d8478', yaw)
        continue
      }
      solid.box([1.24, 1.6, 0.14], raised(x, front, y + 0.5), '#f6f1e6', yaw)
      glass.box([0.98, 1.34, 0.2], raised(x, front, y + 0.63), random() < 0.14 ? '#f3c777' : '#2d3f4d', yaw)
      solid.box(
        [1.4, 0.12, 0.4],
        raised(x, front - 0.05, y + 0.42),
        floor > 0 && random() < 0.4 ? '#c75b4a' : '#e8e0d2',
        yaw,
      )
      // shutters
      if (floor > 0)
        for (const side of [-1, 1])
          solid.box(
            [0.34, 1.5, 0.1],
            raised(x + side * 0.82, front - 0.03, y + 0.55),
            SHUTTERS[Math.floor(3 * along) % 4]!,
            yaw,
          )
    }
  }
  if (isShop) {
    glass.box([width - 1.6, 1.75, 0.16], raised(0.4, front, 0.65), '#33485a', yaw)
    solid.box([width - 1.2, 0.5, 0.22], raised(0, front - 0.02, 2.45), tiles, yaw)
    solid.box([0.95, 2.2, 0.2], raised(-width / 2 + 0.75, front, 0.1), '#3b2a20', yaw)
    // a striped awning
    const stripes = Math.round((width - 1.4) / 0.55)
    const cloth = pick(['#c8402f', '#2f6d8f', '#3f7d4f', '#d99a2b'])
    for (let k = 0; k < stripes; k++) {
      const x = ((k + 0.5) / stripes - 0.5) * (width - 1.4)
      solid.add(
        new BoxGeometry((width - 1.4) / stripes, 0.07, 1.35).rotateX(0.38),
        k % 2 === 0 ? cloth : '#f5f0e4',
        raised(x, front - 0.66, 2.62),
        yaw + Math.PI,
      )
    }
  }
}

const SHUTTERS = ['#4f7a6a', '#6d4a3a', '#3f5f7f', '#7a7f55']

/** A gatehouse over the end of a street. Cars come out of its arch. */
function gate(kit: ModelKit, arm: number): void {
  const yaw = angleOf(arm)
  const along = LENGTHS[arm]! + 4.3
  const stone = '#c7b08c'
  const at = (x: number, aside: number, y = 0): [number, number, number] => {
    const place = onArm(arm, along + x, aside)
    return [place.x, y, place.z]
  }
  for (const hand of [-1, 1]) {
    kit.box([8.4, 6.4, 3.2], at(0, hand * (ROAD + 1.7)), stone, yaw)
    kit.post(2, 1.85, 8.6, at(-4, hand * (ROAD + 2)), '#bda581', 20)
    kit.post(2.35, 0, 3.2, at(-4, hand * (ROAD + 2), 8.6), '#7d3b2b', 20)
  }
  kit.box([8.4, 2.6, 2 * ROAD + 0.4], at(0, 0, 4), stone, yaw)
  // a dark passage
  kit.box([0.4, 4.2, 2 * ROAD + 0.6], at(3.9, 0), '#15120f', yaw)
  kit.box([7.9, 0.1, 2 * ROAD + 0.2], at(0.1, 0, 3.92), '#1c1814', yaw)
  kit.add(roof(2 * ROAD + 7.4, 9.4, 2.8), '#8f3f2c', at(0.2, 0, 6.5), yaw + Math.PI / 2)
  for (let k = -2; k <= 2; k++) kit.box([0.16, 1.1, 0.62], at(-4.22, 2.1 * k, 4.9), '#3b4650', yaw)
  kit.box([0.3, 0.35, 2 * ROAD + 0.6], at(-4.2, 0, 4), '#a58d69', yaw)
}

function island(kit: ModelKit): void {
  kit.post(ISLAND - 0.35, ISLAND - 0.45, 0.3, [0, 0.05, 0], '#7fae55', 48)
  const flowers = seeded(3)
  const petals = ['#e84f5f', '#f5c542', '#f2f2f0', '#c86bd0', '#ff8a4a']
  for (let k = 0; k < 260; k++) {
    const far = 3.5 + 2.4 * flowers()
    const { x, z } = around(2 * Math.PI * flowers(), far)
    kit.add(new IcosahedronGeometry(0.1 + 0.07 * flowers(), 0), petals[k % petals.length]!, [x, 0.42, z])
  }
  kit.post(2.6, 2.5, 0.75, [0, 0.3, 0], '#cfc6b4', 32)
  kit.post(2.2, 2.2, 0.02, [0, 1.04, 0], '#6fb3cf', 32)
  kit.post(0.42, 0.28, 1.35, [0, 0.9, 0], '#c2b8a4', 16)
  kit.post(0.35, 1.05, 0.28, [0, 2.1, 0], '#cfc6b4', 20)
}

function furniture(kit: ModelKit): void {
  for (let arm = 0; arm < 4; arm++)
    for (const hand of [-1, 1])
      for (let along = PLAZA + 3; along < LENGTHS[arm]! - 4; along += 11) {
        if (Math.abs(along - ZEBRA) < 3) continue
        const { x, z } = onArm(arm, along, hand * (ROAD + 0.42))
        kit.post(0.09, 0.06, 4.2, [x, 0, z], '#2f3a3f', 8)
        const head = onArm(arm, along, hand * (ROAD - 0.1))
        kit.box([0.12, 0.08, 1.1], [(x + head.x) / 2, 4.15, (z + head.z) / 2], '#2f3a3f', angleOf(arm))
        kit.add(new IcosahedronGeometry(0.2, 1), '#fff3cf', [head.x, 4.02, head.z])
      }
  // benches and parasols of a café in the corner opposite to the park
  for (const [k, angle] of [2.1, 2.35, 2.6].entries()) {
    const { x, z } = around(angle, PLAZA + 5.2 + (k % 2) * 2.4)
    kit.post(0.06, 0.06, 2.3, [x, 0, z], '#6b5a45', 8)
    kit.post(1.5, 0, 0.65, [x, 2.1, z], ['#d8553c', '#f0ead8', '#d8553c'][k]!, 10)
    kit.post(0.5, 0.5, 0.06, [x, 0.75, z], '#f1eadb', 14)
    for (const turn of [0, 2.1, 4.2])
      kit.box([0.42, 0.45, 0.42], [x + 1.05 * Math.cos(turn), 0, z + 1.05 * Math.sin(turn)], '#7d5a3c', turn)
  }
  for (const angle of [-0.62, -0.95]) {
    const { x, z } = around(angle, PLAZA + 1.2)
    kit.box([1.8, 0.12, 0.55], [x, 0.45, z], '#8a5f3c', angle + Math.PI / 2)
    kit.box([1.8, 0.45, 0.1], [x, 0.62, z], '#8a5f3c', angle + Math.PI / 2)
    for (const side of [-0.7, 0.7])
      kit.box(
        [0.1, 0.45, 0.5],
        [x + side * Math.sin(angle), 0, z + side * Math.cos(angle)],
        '#3a3f42',
        angle + Math.PI / 2,
      )
  }
}

/** A pond with a path round it, in the corner without houses. */
function pond(): Group {
  const group = new Group()
  const kit = new ModelKit()
  const [x, z] = [33, 27]
  kit.add(new CircleGeometry(10.5, 48).scale(1.35, 1, 1).rotateX(-Math.PI / 2), '#dcc9a0', [x, 0.015, z])
  kit.add(new CircleGeometry(8.6, 48).scale(1.4, 1, 1).rotateX(-Math.PI / 2), '#9dbb62', [x, 0.03, z])
  const ground = kit.mesh(new MeshStandardMaterial({ vertexColors: true, roughness: 1 }))
  ground.castShadow = false
  const water = new Mesh(
    new CircleGeometry(5.6, 48).scale(1.5, 1, 1).rotateX(-Math.PI / 2),
    new MeshPhysicalMaterial({ color: '#3f8fa8', roughness: 0.08, clearcoat: 1 }),
  )
  water.position.set(x, 0.06, z)
  water.receiveShadow = true
  group.add(ground, water)
  return group
}

/** Trees along the edges, in the gardens and in the park. */
function trees(random: () => number): Group {
  const places: Tree[] = []
  const isFree = (x: number, z: number): boolean => {
    const inPond = ((x - 33) / 1.45) ** 2 + (z - 27) ** 2 < 81
    const near = Math.abs(x) < OUTER + 10.5 || Math.abs(z) < OUTER + 10.5
    const inPark = x > 14 && z > 10.5 && Math.hypot(x, z) > PLAZA + 5
    return !inPond && (inPark || !near) && places.every((tree) => Math.hypot(tree.x - x, tree.z - z) > 2.6)
  }
  for (let k = 0; k < 900; k++) {
    const x = (2 * random() - 1) * (HALF.x - 2)
    const z = (2 * random() - 1) * (HALF.z - 2)
    if (isFree(x, z) && places.length < 120) places.push({ x, y: 0, z, size: 0.75 + 0.6 * random() })
  }
  return makeTrees(places, { leaves: LEAVES, blobs: 3, random })
}
