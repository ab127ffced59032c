import {
  ArrowHelper,
  BackSide,
  Box3,
  BoxGeometry,
  BufferGeometry,
  Color,
  ConeGeometry,
  GridHelper,
  HemisphereLight,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  Quaternion,
  Scene,
  Sphere,
  SphereGeometry,
  TorusGeometry,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { SteeringWorld } from '../../core/engine/world.js'
import {
  refuse,
  requireFinite,
  requireFunction,
  requireObject,
  requireVector,
} from '../../core/math/require.js'
import { isObstacle, Obstacle, type ObstacleOptions } from '../../core/obstacles/obstacle.js'
import type { Shape } from '../../core/obstacles/shape.js'
import type { Behavior, Vec3Like } from '../../core/types.js'
import { SteeringHelper } from './helper.js'

/** A place to be marked: a point, a pose with a heading, or a gate with a radius (m). */
export type ShowMark =
  | Vec3Like
  | { readonly position: Vec3Like; readonly heading?: Vec3Like; readonly radius?: number }

export interface ShowOptions {
  /**
   * Called before each picture with the seconds since the last one. Default `world.advance`. A game with a
   * physics engine steps it here.
   */
  readonly frame?: (seconds: number) => void
  /** Objects of three.js that are shown, too, such as those that controllers and flocks move. */
  readonly objects?: Iterable<Object3D>
  readonly obstacles?: Iterable<Obstacle | ObstacleOptions>
  readonly targets?: Iterable<ShowMark>
  /** Lines through points (m), such as paths. */
  readonly lines?: Iterable<readonly Vec3Like[]>
  /** Radius (m) of the region that the picture shows. Default all that has been seen so far. */
  readonly size?: number
  /** Middle (m) of that region. Default the origin, if a `size` is given. */
  readonly center?: Vec3Like
  /** A camera that `frame` moves, in place of the one that looks at all. */
  readonly camera?: PerspectiveCamera
  /** Returns a line of text, which stands below the picture. */
  readonly readout?: () => string
}

const COLORS = [0x5aa9ff, 0xff7d55, 0x46d6a8, 0xc08cff]
const MARKED = 0xffa24d
/** Number of agents, up to which they have lines. */
const TRACED = 100

/**
 * Shows a world on the whole page, to see at once what a piece of code does. Agents without a view are darts,
 * those with the same behaviour in the same colour. Up to a hundred agents have lines for velocity (green)
 * and force (yellow).
 * Drag to look around; turn the wheel to come near. Where there is no page, as in Node, it does nothing.
 * @returns a function that ends it.
 * @throws TypeError / RangeError for anything but a world and options; for an obstacle, as `Obstacle` does.
 */
export function show(world: SteeringWorld, options: ShowOptions = {}): () => void {
  if (typeof world?.visitAgents !== 'function') refuse('show', world, 'must be a SteeringWorld')
  const {
    camera: own,
    center,
    frame = (seconds: number) => void world.advance(seconds),
    lines = [],
    objects = [],
    obstacles = [],
    readout,
    size,
    targets = [],
  } = requireObject('show.options', options)
  const solids = [...obstacles].map((each) => (isObstacle(each) ? each : new Obstacle(each)))
  requireFunction('show.frame', frame)
  if (readout !== undefined) requireFunction('show.readout', readout)
  if (size !== undefined) requireFinite('show.size', size, 0, true)
  if (center !== undefined) requireVector('show.center', center)
  if (typeof document === 'undefined') return () => {}

  const place = new Matrix4()
  const point = new Vector3()
  const wanted = new Sphere()
  const scene = new Scene()
  scene.background = new Color(0x10151d)
  scene.add(new HemisphereLight(0xbcd4ee, 0x1a2430, 3), ...objects)
  const helper = new SteeringHelper(world, { layers: ['velocity', 'force given'] })
  scene.add(helper)
  const seen = new Box3()
  const look = (at: Vec3Like, radius: number): void => {
    for (const sign of [-1, 1]) seen.expandByPoint(point.copy(at).addScalar(sign * radius))
  }
  const meshes = solids.flatMap((obstacle) => {
    const mesh = solidOf(obstacle.shape)
    if (mesh === null) return []
    scene.add(mesh)
    look(obstacle.position, mesh.geometry.boundingSphere!.radius)
    return [{ mesh, obstacle }]
  })
  const marks = [...targets].map((mark) => {
    const object = markOf(mark)
    scene.add(object)
    look(placeOf(mark), 1)
    return { mark, object }
  })
  for (const points of lines) {
    const geometry = new BufferGeometry().setFromPoints(points.map((each) => new Vector3().copy(each)))
    scene.add(new Line(geometry, new LineBasicMaterial({ color: 0x5f7a94 })))
    for (const each of points) look(each, 0)
  }
  for (const each of objects) seen.expandByObject(each)

  const renderer = new WebGLRenderer({ antialias: true })
  const { domElement: canvas } = renderer
  canvas.style.cssText = 'position: fixed; inset: 0; touch-action: none'
  const text = document.createElement('div')
  text.style.cssText = 'position: fixed; left: 16px; bottom: 12px; color: white; font: 16px sans-serif'
  document.body.append(canvas, text)
  const camera = own ?? new PerspectiveCamera(32)
  const resize = (): void => {
    renderer.setSize(innerWidth, innerHeight)
    camera.aspect = innerWidth / innerHeight
    camera.updateProjectionMatrix()
  }
  resize()
  addEventListener('resize', resize)
  const orbit = { around: 0.42, above: 0.37, near: 1 }
  canvas.addEventListener('pointermove', ({ buttons, movementX, movementY }) => {
    if (buttons === 0) return
    orbit.around -= 0.006 * movementX
    orbit.above = Math.max(-1.5, Math.min(1.5, orbit.above + 0.006 * movementY))
  })
  canvas.addEventListener('wheel', ({ deltaY }) => void (orbit.near *= Math.exp(0.001 * deltaY)), {
    passive: true,
  })

  const dart = new ConeGeometry(0.75, 2, 3).rotateX(Math.PI / 2).scale(1, 0.5, 1)
  let darts = new InstancedMesh(dart, new MeshStandardMaterial({ flatShading: true }), 0)
  const colors = new Map<Behavior, Color>()
  const drawAgents = (radius: number): void => {
    if (darts.instanceMatrix.count < world.size) {
      scene.remove(darts)
      darts.dispose()
      darts = new InstancedMesh(dart, darts.material, 2 * world.size)
      darts.frustumCulled = false
      scene.add(darts)
    }
    darts.count = 0
    world.visitAgents((agents, agent) => {
      const row = agents.row[agent.slot]!
      look(agent.position, agent.radius)
      if (agents.view[row]) return
      const { behavior } = agents.binding[row]!
      if (!colors.has(behavior)) colors.set(behavior, new Color(COLORS[colors.size % COLORS.length]))
      const { x: ahead, y: up, z: starboard } = agent.attitude
      const scale = Math.max(1.3 * agent.radius, 0.04 * radius)
      // the model has its nose at +Z and its port side at +X
      place.makeBasis(
        new Vector3().copy(starboard).negate(),
        new Vector3().copy(up),
        new Vector3().copy(ahead),
      )
      place.scale(point.setScalar(scale)).setPosition(point.copy(agent.position))
      darts.setMatrixAt(darts.count, place)
      darts.setColorAt(darts.count++, colors.get(behavior)!)
    })
    darts.instanceMatrix.needsUpdate = true
    if (darts.instanceColor) darts.instanceColor.needsUpdate = true
  }

  const region = new Sphere(new Vector3(), 0)
  const grid = new GridHelper(8, 24, 0x39475a, 0x263142)
  // the ground and the view turn with what is up in this world
  const upright = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), point.copy(world.up))
  grid.quaternion.copy(upright)
  scene.add(grid)
  let last: number | undefined
  renderer.setAnimationLoop((time: number) => {
    frame((time - (last ?? time)) / 1000)
    last = time
    drawAgents(region.radius)
    seen.getBoundingSphere(wanted)
    if (size !== undefined) wanted.set(point.copy(center ?? { x: 0, y: 0, z: 0 }), size)
    wanted.radius = Math.max(wanted.radius, 3)
    const share = region.radius === 0 ? 1 : 0.05
    region.center.lerp(wanted.center, share)
    region.radius += share * (wanted.radius - region.radius)
    for (const { mesh, obstacle } of meshes) {
      obstacle.refresh()
      mesh.position.copy(obstacle.position)
      const { x, y, z, w } = obstacle.quaternion
      mesh.quaternion.set(x, y, z, w)
    }
    for (const { mark, object } of marks) {
      object.position.copy(placeOf(mark))
      object.scale.setScalar('position' in mark && mark.radius !== undefined ? 1 : 0.03 * region.radius)
    }
    grid.scale.setScalar(region.radius)
    grid.position.copy(region.center).addScaledVector(point.copy(world.up), -0.7 * region.radius)
    if (own === undefined) {
      const distance = (3 * region.radius * orbit.near) / Math.min(1, camera.aspect)
      camera.position.setFromSphericalCoords(distance, Math.PI / 2 - orbit.above, orbit.around)
      camera.position.applyQuaternion(upright).add(region.center)
      camera.up.copy(world.up)
      camera.far = 4 * distance
      camera.near = 0.01 * distance
      camera.updateProjectionMatrix()
      camera.lookAt(region.center)
    }
    // lines of more would hide what they belong to
    helper.visible = world.size <= TRACED
    if (helper.visible) helper.update()
    text.textContent = readout?.() ?? ''
    renderer.render(scene, camera)
  })
  return () => {
    renderer.setAnimationLoop(null)
    removeEventListener('resize', resize)
    renderer.dispose()
    canvas.remove()
    text.remove()
  }
}

const placeOf = (mark: ShowMark): Vec3Like => ('position' in mark ? mark.position : mark)

/** A ball for a point, an arrow for a heading, a ring for a gate. */
function markOf(mark: ShowMark): Object3D {
  const material = new MeshBasicMaterial({ color: MARKED })
  if (!('position' in mark) || mark.heading === undefined) return new Mesh(new SphereGeometry(1), material)
  const along = new Vector3().copy(mark.heading).normalize()
  if (mark.radius === undefined) return new ArrowHelper(along, new Vector3(), 5, MARKED, 2, 1)
  const ring = new Mesh(new TorusGeometry(mark.radius, 0.04 * mark.radius), material)
  ring.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), along)
  return ring
}

/**
 * A mesh of a shape: a box whose corners are moved along their rays onto the surface, which is exact for
 * boxes. A room is seen from inside. Null for a shape without an end.
 */
function solidOf(shape: Shape): Mesh | null {
  const room = shape.cavity
  const [x, y, z] = [0, 1, 2].map((axis) => {
    const along = new Vector3().setComponent(axis, 1)
    return Math.max((room ?? shape).support(along), (room ?? shape).support(along.negate()))
  })
  const reach = 2 * (x! + y! + z!)
  if (!Number.isFinite(reach)) return null
  const geometry = new BoxGeometry(2 * x!, 2 * y!, 2 * z!, 16, 16, 16)
  const corners = geometry.getAttribute('position')
  for (let i = 0; i < corners.count; i++) {
    const way = new Vector3().fromBufferAttribute(corners, i).normalize()
    const far = room
      ? shape.sweep({ x: 0, y: 0, z: 0 }, way, 0, reach)
      : reach - shape.sweep(way.clone().multiplyScalar(reach), way.clone().negate(), 0, reach)
    if (Number.isFinite(far)) corners.setXYZ(i, far * way.x, far * way.y, far * way.z)
  }
  geometry.computeVertexNormals()
  geometry.computeBoundingSphere()
  const glass = { color: 0x5d7288, side: BackSide, transparent: true, opacity: 0.2, depthWrite: false }
  return new Mesh(
    geometry,
    room ? new MeshBasicMaterial(glass) : new MeshStandardMaterial({ color: 0x6b7b8c, roughness: 0.85 }),
  )
}
