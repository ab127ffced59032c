import {
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  ExtrudeGeometry,
  Float32BufferAttribute,
  Group,
  HemisphereLight,
  LatheGeometry,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  Shape,
  Vector2,
  Vector3,
  type Object3D,
} from 'three'
import { seeded } from 'three-steering/authoring'
import {
  BALLOONS,
  BRIDGE,
  heightAt,
  onRunway,
  RUNWAYS,
  runwayPoint,
  type Runway,
} from '../scenarios/airfield-map.js'
import { smootherStep, wave } from '../scenarios/scalars.js'
import { GOLDEN_SUN } from '../sky/golden.js'
import { ModelKit } from './model-kit.js'
import { makeTrees, type Tree } from './trees.js'

const PAINT = '#f6f0e2'
const matte = (): MeshStandardMaterial => new MeshStandardMaterial({ vertexColors: true, roughness: 0.9 })

/** Sun and sky. The sun throws shadows over the whole airfield. */
export function makeAirfieldLight(): Object3D[] {
  const sun = new DirectionalLight('#ffd19a', 4.6)
  sun.position.copy(GOLDEN_SUN).multiplyScalar(420)
  sun.castShadow = true
  sun.shadow.mapSize.setScalar(2048)
  Object.assign(sun.shadow.camera, { left: -270, right: 270, top: 190, bottom: -190, near: 60, far: 820 })
  sun.shadow.bias = -0.0006
  sun.shadow.normalBias = 0.5
  return [sun, new HemisphereLight('#bcd4f2', '#9c8a6c', 1.25)]
}

/** Island, table mountain, ship and sky deck, with their runways. */
export function makeAirfieldLand(): Group {
  const group = new Group()
  const random = seeded(7)
  group.add(island(), trees(random), buildings(), tableMountain(), ship(), skyDeck())
  for (const [index, runway] of RUNWAYS.entries()) group.add(strip(runway, index))
  group.name = 'airfield'
  return group
}

/** A group in the axes of a runway: x to port, y up, z ahead, origin in the middle of its surface. */
function placed({ middle, turn }: Runway, ...objects: Object3D[]): Group {
  const group = new Group()
  group.position.copy(middle)
  group.quaternion.set(turn.x, turn.y, turn.z, turn.w)
  for (const object of objects) group.add(object)
  return group
}

function island(): Mesh {
  const geometry = new PlaneGeometry(320, 230, 200, 144).rotateX(-Math.PI / 2).translate(-58, 0, 30)
  const at = geometry.getAttribute('position')
  const runway = RUNWAYS[0]!
  for (let k = 0; k < at.count; k++) {
    const [x, z] = [at.getX(k), at.getZ(k)]
    const spot = onRunway(runway, { x, y: runway.middle.y, z })
    // the surface of the runway lies on top
    const isUnder = Math.abs(spot.x) < runway.half - 1 && Math.abs(spot.z) < runway.length / 2 - 1
    at.setY(k, heightAt(x, z) - (isUnder ? 0.6 : 0.06))
  }
  geometry.computeVertexNormals()
  const normal = geometry.getAttribute('normal')
  const colors: number[] = []
  const color = new Color()
  const [sand, grass, meadow, rock] = ['#e6cf9c', '#6f9440', '#a3ab52', '#a8937a'].map((c) => new Color(c)) as [Color, Color, Color, Color] // prettier-ignore
  for (let k = 0; k < at.count; k++) {
    const [x, y, z] = [at.getX(k), at.getY(k), at.getZ(k)]
    const patch = 0.5 + 0.5 * wave(x / 17, 2, z / 17)
    const fine = 0.94 + 0.06 * wave(x / 3, 5, z / 3)
    color.copy(grass).lerp(meadow, patch)
    color.lerp(sand, smootherStep((4.3 - y + 0.6 * wave(x / 5, 1, z / 5)) / 1.2))
    const steep = smootherStep((0.78 + 0.1 * wave(x / 6, y / 4, z / 6) - normal.getY(k)) / 0.2)
    color.lerp(rock, steep * smootherStep((y - 7) / 4))
    colors.push(color.r * fine, color.g * fine, color.b * fine)
  }
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 3))
  const mesh = new Mesh(geometry, matte())
  mesh.castShadow = mesh.receiveShadow = true
  return mesh
}

/** Height of the ground for the colour of the sea (m): that of the island, and shoals around the mesa. */
export function seabedAt(x: number, z: number): number {
  const mesa = onRunway(RUNWAYS[1]!, { x, y: 0, z })
  const aside = Math.max(0, Math.abs(mesa.x) - 30)
  const along = Math.max(0, Math.abs(mesa.z) - 64)
  return Math.max(heightAt(x, z), -0.28 * Math.hypot(aside, along) - 0.6 * wave(x / 13, 2, z / 13))
}

/** Asphalt with thresholds, a centre line, and lights along the edges. */
function strip(runway: Runway, index: number): Group {
  const { length, half } = runway
  const kit = new ModelKit()
  const tar = ['#4a4b50', '#5b5048', '#3f464f', '#43484f'][index]!
  const end = length / 2
  kit.box([2 * half, 0.12, length], [0, -0.1, 0], tar)
  const line = (size: readonly [number, number], x: number, z: number, paint = PAINT): void => {
    kit.box([size[0], 0.03, size[1]], [x, 0.02, z], paint)
  }
  for (let z = -end + 34; z < end - 16; z += 9) line([0.5, 5], 0, z)
  for (const side of [-1, 1]) {
    line([0.35, length - 3], side * (half - 0.6), 0)
    for (let k = 0; k < 4; k++) line([0.9, 8], side * (1.5 + 1.75 * k), -end + 8)
    for (let k = 0; k < 4; k++) line([0.9, 5], side * (1.5 + 1.75 * k), end - 7)
    line([1.5, 9], side * 3.2, -end + 22 + 10)
  }
  // the threshold, where an aircraft is to pass
  line([2 * half - 1.4, 0.9], 0, -end + 22, '#ffb547')
  const surface = kit.mesh(matte())
  surface.castShadow = false
  const lamps = new ModelKit()
  for (let z = -end + 2; z <= end - 2; z += 12)
    for (const side of [-1, 1]) lamps.box([0.34, 0.3, 0.34], [side * (half + 0.1), 0, z], '#ffffff')
  for (let x = -half; x <= half; x += 2) lamps.box([0.4, 0.3, 0.4], [x, 0, -end - 0.2], '#ffffff')
  const glow = new MeshStandardMaterial({ color: '#ffdca0', emissive: '#ffc266', emissiveIntensity: 1.7 })
  return placed(runway, surface, new Mesh(lamps.geometry(), glow))
}

function tableMountain(): Group {
  const runway = RUNWAYS[1]!
  const [rings, sides] = [26, 96]
  const points: number[] = []
  const colors: number[] = []
  const color = new Color()
  const bands = ['#b8693f', '#d59a63', '#a9573a', '#e0b27c', '#c27a4c'].map((c) => new Color(c))
  const place = new Vector3()
  const vertex = (i: number, k: number): void => {
    const share = i / rings
    const angle = (2 * Math.PI * k) / sides
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    // a rounded rectangle, wider towards the sea
    const foot = share ** 2.2
    const rough = wave(4 * c, 9 * share, 4 * s) + 0.5 * wave(11 * c, 3 * share, 11 * s)
    const widen = 1 + 0.05 * rough
    const wide = (18 + 17 * foot + 3.2 * rough * Math.min(1, 3 * share)) * widen
    const long = (69 + 12 * foot + 3.2 * rough * Math.min(1, 3 * share)) * widen
    const square = (v: number): number => Math.sign(v) * Math.abs(v) ** 0.7
    const [x, z] = [1.06 * wide * square(c), 1.04 * long * square(s)]
    const top = runwayPoint(runway, z, -0.25)
    const { turn } = runway
    place
      .set(x, 0, z)
      .applyQuaternion(quaternion.set(turn.x, turn.y, turn.z, turn.w))
      .add(runway.middle)
    const y = top.y + (-8 - top.y) * share
    points.push(place.x, y, place.z)
    const band = (y + 1.3 * rough + 200) / 5.5
    color
      .copy(bands[Math.floor(band) % 5]!)
      .lerp(bands[(Math.floor(band) + 1) % 5]!, smootherStep((band % 1) * 3 - 2))
    if (i === 0) color.set('#93a04c')
    colors.push(color.r, color.g, color.b)
  }
  const index: number[] = []
  for (let i = 0; i <= rings; i++) for (let k = 0; k < sides; k++) vertex(i, k)
  for (let i = 0; i < rings; i++)
    for (let k = 0; k < sides; k++) {
      const [a, b] = [i * sides + k, i * sides + ((k + 1) % sides)]
      index.push(a, b, b + sides, a, b + sides, a + sides)
    }
  const middle = points.length / 3
  points.push(runway.middle.x, runway.middle.y - 0.25, runway.middle.z)
  color.set('#a8ad58')
  colors.push(color.r, color.g, color.b)
  for (let k = 0; k < sides; k++) index.push(k, middle, (k + 1) % sides)
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3))
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 3))
  geometry.setIndex(index)
  const flat = geometry.toNonIndexed()
  geometry.dispose()
  flat.computeVertexNormals()
  const mesh = new Mesh(flat, matte())
  mesh.castShadow = mesh.receiveShadow = true
  const group = new Group()
  group.add(mesh)
  return group
}

const quaternion = new Quaternion()

function ship(): Group {
  const runway = RUNWAYS[2]!
  const end = runway.length / 2
  const outline = new Shape()
  outline
    .moveTo(-10.6, -end)
    .lineTo(10.6, -end)
    .lineTo(11.4, end - 30)
    .lineTo(6.5, end + 1)
    .lineTo(-6.5, end + 1)
  outline.lineTo(-12.4, end - 30)
  const kit = new ModelKit()
  // the shape lies in x and y, and y becomes the direction ahead
  const deck = new ExtrudeGeometry(outline, { depth: 1.6, bevelEnabled: false }).rotateX(Math.PI / 2)
  kit.add(deck, '#59636c', [0, -0.12, 0])
  const hull = new ExtrudeGeometry(outline, { depth: 13, bevelEnabled: false }).rotateX(Math.PI / 2)
  const at = hull.getAttribute('position')
  for (let k = 0; k < at.count; k++) {
    const deep = -at.getY(k) / 13
    at.setX(k, at.getX(k) * (0.86 - 0.16 * deep))
    at.setZ(k, at.getZ(k) * (0.985 - 0.07 * deep))
  }
  hull.computeVertexNormals()
  kit.add(hull, '#d9dee2', [0, -1.7, 0])
  const { x, z } = BRIDGE.at
  kit.box([6.4, 3, 30], [x - Math.sign(x) * 1.2, -3, z], '#aeb6bd')
  kit.box([6, 6.5, 20], [x, 0, z], '#eef0f0')
  kit.box([6.4, 1.5, 12], [x, 3.4, z + 3], '#22303c')
  kit.box([5.2, 4, 10], [x, 6.5, z + 2], '#f4f4f2')
  kit.box([5.6, 1.4, 8], [x, 8, z + 3.6], '#22303c')
  kit.box([3.4, 5, 4], [x, 6.5, z - 6], '#e0572f')
  kit.post(0.35, 0.2, 10, [x, 10.5, z + 1], '#c9ced2')
  kit.box([5, 0.3, 0.3], [x, 16, z + 1], '#c9ced2')
  kit.box([0.3, 0.3, 4], [x, 18, z + 1], '#c9ced2')
  const mesh = kit.mesh(new MeshStandardMaterial({ vertexColors: true, roughness: 0.55 }))
  return placed(runway, mesh)
}

/** A platform that hangs below four striped balloons. */
function skyDeck(): Group {
  const runway = RUNWAYS[3]!
  const kit = new ModelKit()
  const end = runway.length / 2
  kit.box([21, 0.9, 2 * end], [0, -1.05, 0], '#8d6a48')
  for (const side of [-1, 1]) {
    kit.box([0.5, 1.6, 2 * end], [side * 10.2, -1.9, 0], '#5f4630')
    for (let z = -end + 6; z < end; z += 12)
      kit.box([0.4, 0.4, 16], [side * 4.5, -2.1, z], '#6c5238', 0.9 * side)
  }
  for (let z = -end + 4; z < end; z += 8) kit.box([21.4, 0.7, 0.6], [0, -1.8, z], '#5f4630')
  const group = placed(runway)
  for (const [k, { at, radius }] of BALLOONS.entries()) {
    group.add(balloon(radius, ['#e4572e', '#2f7fb5', '#f0b23c', '#3f9d78'][k]!, at))
    const rope = (x: number, z: number): void => {
      const from = new Vector3(x, -0.6, z)
      const to = new Vector3(at.x, at.y - 1.3 * radius, at.z)
      const span = to.clone().sub(from)
      const line = new CylinderGeometry(0.14, 0.14, span.length(), 5)
      line.applyQuaternion(
        new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), span.clone().normalize()),
      )
      kit.add(line, '#3b2f26', [(from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2])
    }
    const side = Math.sign(at.x)
    for (const along of [-10, 10]) rope(side * 10.3, at.z + along)
  }
  group.add(kit.mesh(matte()))
  return group
}

function balloon(radius: number, paint: string, { x, y, z }: { x: number; y: number; z: number }): Mesh {
  const outline: Vector2[] = []
  for (let k = 0; k <= 22; k++) {
    const angle = (Math.PI * k) / 22
    const wide = Math.sin(angle) * (k < 11 ? 1 - 0.2 * (1 - k / 11) : 1)
    outline.push(new Vector2(Math.max(0.02, wide) * radius, -Math.cos(angle) * radius * (k < 11 ? 1.25 : 1)))
  }
  const geometry = new LatheGeometry(outline, 32).toNonIndexed()
  geometry.deleteAttribute('uv')
  const at = geometry.getAttribute('position')
  const colors: number[] = []
  const [first, second] = [new Color(paint), new Color('#fbf1dc')]
  for (let k = 0; k < at.count; k += 3) {
    let [cx, cz] = [0, 0]
    for (let j = 0; j < 3; j++) {
      cx += at.getX(k + j)
      cz += at.getZ(k + j)
    }
    const gore = Math.floor((8 * (Math.atan2(cz, cx) + Math.PI)) / Math.PI)
    const { r, g, b } = gore % 2 === 0 ? first : second
    for (let j = 0; j < 3; j++) colors.push(r, g, b)
  }
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 3))
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ vertexColors: true, roughness: 0.6 }))
  mesh.position.set(x, y, z)
  mesh.castShadow = true
  return mesh
}

/** Hangars, a tower, houses and a pier. */
function buildings(): Group {
  const runway = RUNWAYS[0]!
  const kit = new ModelKit()
  // in the axes of the runway, on the side of the hill
  const apron = 27
  kit.box([24, 0.1, 76], [apron - 5, -0.06, 6], '#77736c')
  for (const [k, z] of [-18, 6, 30].entries()) {
    kit.box([15, 5.4, 19], [apron, 0, z], '#e9e2d2')
    const roof = new CylinderGeometry(9.5, 9.5, 15.2, 20, 1, false, 0, Math.PI)
      .rotateZ(Math.PI / 2)
      .scale(1, 0.42, 1)
    kit.add(roof.rotateX(-Math.PI / 2).rotateX(Math.PI / 2), ['#c9543a', '#3f7fa6', '#d9a441'][k]!, [
      apron,
      5.4,
      z,
    ])
    kit.box([0.3, 4.6, 13], [apron - 7.6, 0, z], '#3d4a55')
  }
  kit.box([5, 15, 5], [24, 0, 52], '#f2ecdf')
  kit.box([8, 3.6, 8], [24, 15, 52], '#24323d')
  kit.box([9, 0.7, 9], [24, 18.6, 52], '#c9543a')
  kit.post(0.12, 0.08, 6, [24, 19.3, 52], '#c9ced2')
  kit.post(0.12, 0.1, 7, [-14, 0, -50], '#ece7db')
  kit.add(new ConeGeometry(0.9, 5, 10, 1, true).rotateZ(Math.PI / 2), '#f06a2a', [-16.4, 6.6, -50])
  return placed(runway, kit.mesh(matte()))
}

function trees(random: () => number): Group {
  const places: Tree[] = []
  for (let k = 0; k < 2600 && places.length < 330; k++) {
    const [x, z] = [-58 + 260 * (random() - 0.5), 30 + 180 * (random() - 0.5)]
    const y = heightAt(x, z)
    const { x: aside, z: along } = onRunway(RUNWAYS[0]!, { x, y: 5, z })
    const onField = Math.abs(aside) < 22 || (Math.abs(aside) < 48 && Math.abs(along) < 70)
    const grove = wave(x / 19, 8, z / 19)
    if (y < 4.6 || y > 40 || onField || grove < -0.1) continue
    if (places.every((tree) => Math.hypot(tree.x - x, tree.z - z) > 3.4))
      places.push({ x, y, z, size: 1.7 + 1.5 * random() })
  }
  return makeTrees(places, { leaves: ['#4f7a37', '#66893d', '#3f6a38', '#86964a'], blobs: 2, random })
}
