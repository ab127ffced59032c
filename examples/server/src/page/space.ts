import {
  ACESFilmicToneMapping,
  BoxGeometry,
  EdgesGeometry,
  Group,
  Color,
  DirectionalLight,
  HemisphereLight,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshLambertMaterial,
  PerspectiveCamera,
  PMREMGenerator,
  Quaternion,
  Scene,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { QuatLike, Vec3Like } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { makeBackdrop } from '../../../../demo/sky/backdrop.js'
import { isCovered, RINGS_SKY, RINGS_SUN } from '../../../../demo/sky/rings.js'
import { makeStars } from '../../../../demo/sky/space.js'
import { Boulders } from '../../../../demo/views/boulders.js'
import { KINDS, TRAITS, type Kind } from '../world/craft.js'
import { boxesOf, type Box, type Tree } from '../world/cuts.js'
import { rocksOf, type Plan } from '../world/plan.js'
import { Herd } from './herd.js'
import { MODELS } from './models.js'

const ROCK_LOOK = {
  sun: RINGS_SUN,
  sunColor: [3.1, 2.65, 2.1],
  dark: [0.05, 0.043, 0.04],
  pale: [0.23, 0.2, 0.18],
  sky: [0.05, 0.055, 0.085],
  bounce: [0.16, 0.11, 0.08],
}
const CAPACITY: Readonly<Record<Kind, number>> = {
  player: 250,
  drone: 4000,
  freighter: 500,
  escort: 50,
  shuttle: 50,
  station: 4,
}

/** Where the camera is, in the axes of the ship (m), and how fast it turns with the ship (s). */
const SEAT = new Vector3(0, 2.6, -9.5)
const SWING = 0.22
/** A camera of three.js looks along its −Z, a ship along its +Z. It also looks down a little (rad). */
const DOWN = 0.11
const ABOUT = new Quaternion()
  .setFromAxisAngle(new Vector3(0, 1, 0), Math.PI)
  .multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -DOWN))

/** The picture: sky, rocks, borders of the cells, and the crafts. */
export class Space {
  readonly camera = new PerspectiveCamera(55, 1, 0.3, 6000)
  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly herds: Readonly<Record<Kind, Herd>>
  private readonly attitude = new Quaternion()
  private isPlaced = false
  private readonly edges = new Group()
  private tree: Tree | null = null

  /** `isPlain`: no sky, plain rocks and few pixels, for machines without a graphics card. */
  static async open(box: HTMLElement, plan: Plan, isPlain: boolean): Promise<Space> {
    const load = (kind: Kind): Promise<Herd> =>
      Herd.load(MODELS[kind], 1.1 * TRAITS[kind].radius, 'accent', CAPACITY[kind])
    const herds = await Promise.all(KINDS.map(async (kind) => [kind, await load(kind)] as const))
    return new Space(box, plan, Object.fromEntries(herds) as Record<Kind, Herd>, isPlain)
  }

  private constructor(box: HTMLElement, plan: Plan, herds: Readonly<Record<Kind, Herd>>, isPlain: boolean) {
    this.herds = herds
    this.renderer = new WebGLRenderer({ antialias: !isPlain, powerPreference: 'high-performance' })
    this.renderer.toneMapping = ACESFilmicToneMapping
    box.append(this.renderer.domElement)
    if (!isPlain) this.addSky()
    const sun = new DirectionalLight('#fff0dc', 3.6)
    sun.position.copy(RINGS_SUN).multiplyScalar(100)
    this.scene.add(sun, new HemisphereLight('#2a3048', '#7a543a', 0.9))
    this.scene.add(isPlain ? ballsOf(plan) : bouldersOf(plan).object)
    this.scene.add(this.edges)
    this.scene.add(...Object.values(herds).map((herd) => herd.object))
    const resize = (): void => {
      const { clientWidth, clientHeight } = box
      this.renderer.setPixelRatio(isPlain ? 0.5 : Math.min(devicePixelRatio, 2))
      this.renderer.setSize(clientWidth, clientHeight)
      this.camera.aspect = clientWidth / Math.max(1, clientHeight)
      this.camera.updateProjectionMatrix()
    }
    new ResizeObserver(resize).observe(box)
    resize()
    this.camera.position.set(-0.4 * plan.size.x, 20, plan.size.z / 2)
    this.camera.lookAt(0, 0, 0)
  }

  private addSky(): void {
    const sky = makeBackdrop(this.renderer, RINGS_SKY, 640)
    const generator = new PMREMGenerator(this.renderer)
    this.scene.environment = generator.fromScene(sky.light, 0, 0.1, 5000).texture
    this.scene.environmentIntensity = 1.6
    generator.dispose()
    this.scene.add(sky.dome, makeStars(2200, 5, isCovered))
  }

  /** Draws the cells. */
  showCells(plan: Plan, tree: Tree): void {
    if (tree === this.tree) return
    this.tree = tree
    this.edges.clear()
    const boxes = [...boxesOf(plan, tree).values()]
    // one cell is the whole world, and needs no edges
    if (boxes.length > 1) this.edges.add(...boxes.map(edgesOf))
  }

  begin(): void {
    for (const herd of Object.values(this.herds)) herd.begin()
  }

  add(kind: Kind, position: Vec3Like, attitude: QuatLike, color?: Color): void {
    this.herds[kind].add(position, attitude, color)
  }

  /** Puts the camera behind a ship. It turns a little later than the ship. */
  follow(position: Vec3Like, attitude: QuatLike, seconds: number): void {
    turn.set(attitude.x, attitude.y, attitude.z, attitude.w)
    if (this.isPlaced) this.attitude.slerp(turn, 1 - Math.exp(-seconds / SWING))
    else this.attitude.copy(turn)
    this.isPlaced = true
    this.camera.position.copy(SEAT).applyQuaternion(this.attitude).add(position)
    this.camera.quaternion.copy(this.attitude).multiply(ABOUT)
  }

  render(): void {
    for (const herd of Object.values(this.herds)) herd.end()
    this.renderer.render(this.scene, this.camera)
  }
}

const turn = new Quaternion()

function bouldersOf(plan: Plan): Boulders {
  const random = seeded(plan.seed)
  const spread = (): number => 2 * random() - 1
  return new Boulders(
    rocksOf(plan).map(({ position, radius }) => {
      const quaternion = new Quaternion(spread(), spread(), spread(), spread() + 2).normalize()
      return { position, radius, quaternion }
    }),
    ROCK_LOOK,
  )
}

function ballsOf(plan: Plan): InstancedMesh {
  const rocks = rocksOf(plan)
  const material = new MeshLambertMaterial({ color: '#8a7d70' })
  const mesh = new InstancedMesh(new SphereGeometry(1, 12, 8), material, rocks.length)
  const matrix = new Matrix4()
  for (const [i, { position, radius }] of rocks.entries())
    mesh.setMatrixAt(
      i,
      matrix.makeScale(radius, radius, radius).setPosition(position.x, position.y, position.z),
    )
  return mesh
}

/** The edges of a cell. */
function edgesOf({ max, min }: Box): LineSegments {
  const size = [max.x - min.x, max.y - min.y, max.z - min.z] as const
  const material = new LineBasicMaterial({ color: '#7fb4ff', transparent: true, opacity: 0.25 })
  const edges = new LineSegments(new EdgesGeometry(new BoxGeometry(...size)), material)
  edges.position.set((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2)
  return edges
}
