import { hint } from '#hints'
import {
  type BatchedMesh,
  type BufferAttribute,
  type InstancedMesh,
  type InterleavedBufferAttribute,
  Matrix4,
  type Mesh,
  type Object3D,
  Vector3,
} from 'three'
import { choiceOf, isChosen, type ObstacleChoice } from '../../core/obstacles/choice.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { Obstacles } from '../../core/obstacles/obstacles.js'
import { isKept } from '../../core/math/own.js'
import { multiply, quat, rotate } from '../../core/math/quat.js'
import { add, vec3 } from '../../core/math/vec3.js'
import { fitMesh, type Fit } from './fit.js'
import type { Fitted, Stretch } from './fitted.js'
import { MeshPose } from './pose.js'
import { requireObject3D } from './three-views.js'
import { type AnyTable, readOptions } from '../../core/math/options.js'
import { requireChoice, requireFunction } from '../../core/math/require.js'

export type { Fit } from './fit.js'

/** Usual are all meshes but those below the root that show agents: agents avoid each other as agents. */
export interface Object3DObstaclesOptions extends ObstacleChoice<Mesh> {
  /**
   * The shape to fit around a mesh, or a function that returns it for each mesh. Default `auto`: the shape
   * that the geometry was made as (sphere, capsule, cylinder, cone, box, polyhedron, torus, extrusion of one
   * outline) if it can be recognised, else the smallest of sphere, box, capsule and cylinder.
   */
  fit?: Fit | ((mesh: Mesh) => Fit)
  /**
   * Whether obstacles move with their meshes, and appear and disappear with them. False reads all meshes once
   * and costs nothing afterwards, for a level that does not move. Default true.
   */
  follow?: boolean
  /**
   * Whether invisible meshes, and meshes below an invisible object, are obstacles: for collision proxies.
   * Default false.
   */
  invisible?: boolean
  /** Called for each mesh that is not supported, with the reason. Default one warning per mesh. */
  onUnsupported?: (mesh: Mesh, why: string) => void
}

type Options = Required<Omit<Object3DObstaclesOptions, keyof ObstacleChoice<Mesh>>>

/** One instance of a mesh. */
interface Part {
  readonly pose: MeshPose
  readonly obstacles: Obstacle[]
}

interface Member {
  readonly mesh: Mesh
  readonly parts: Part[]
  geometry: Mesh['geometry'] | null
  version: number
  why: string
  /** Number of the refresh that saw the mesh last. */
  pass: number
}

const FIT = 'obstaclesFromObject3D.fit'
const FITS: readonly Fit[] = ['auto', 'sphere', 'box', 'capsule', 'cylinder', 'hull']
/** Instances share a shape when their scales differ by less than this share. */
const ALIKE = 1e-6

/** Geometries with a hole, which only a ring of several shapes leaves open. */
const RING = /^(Ring|Torus)Geometry$/

const instance = new Matrix4()
const vertex = new Vector3()

const OBJECT3D_OBSTACLES = {
  fit: { kind: 'text', default: 'auto', check: requireFit },
  filter: { kind: 'function', check: requireFunction<((each: Mesh) => boolean) | undefined> },
  include: { kind: 'function', check: requireFunction<((each: Mesh) => boolean) | undefined> },
  follow: { kind: 'boolean', default: true },
  invisible: { kind: 'boolean', default: false },
  onUnsupported: { kind: 'function', check: requireFunction<Options['onUnsupported']> },
} as const satisfies AnyTable

/**
 * Obstacles for the visible meshes at and below an object, one per mesh and one per instance of an
 * `InstancedMesh`, for a torus a ring of capsules; `owner` is the mesh. The objects that show agents are left
 * out, unless one of them is the root. Shapes hold all vertices. They have the size of the mesh in the world,
 * with its scale, shear and mirroring. A flat mesh, also one with a scale of 0, becomes a board of one
 * millimetre, an open mesh is filled, and so are the holes of all but a torus: agents pass them if the mesh
 * is a `MeshShape`, see `three-steering/bvh`.
 *
 * Each refresh reads the world matrices, and the meshes that were added, removed or got another scale or
 * geometry (or `needsUpdate` of their positions). Fitting time grows with the number of vertices: for a mesh
 * that changes scale all the time, make `new Obstacle({ shape, at })` yourself. A skinned or morphed mesh is
 * fitted in the pose in which it is first seen. Meshes have no velocity, so these obstacles have none: for
 * fast objects, make obstacles that follow their controller or their body.
 * @throws TypeError when `root` is not an Object3D or an option is of the wrong type, RangeError for an
 * unknown fit.
 */
export function obstaclesFromObject3D(root: Object3D, options: Object3DObstaclesOptions = {}): Obstacles {
  requireObject3D('obstaclesFromObject3D', root)
  const read = readOptions('obstaclesFromObject3D', OBJECT3D_OBSTACLES, options)
  return new MeshObstacles(root, choiceOf('obstaclesFromObject3D', read), {
    ...read,
    onUnsupported: read.onUnsupported ?? hintAtUnsupported,
  })
}

class MeshObstacles extends Obstacles {
  private readonly root: Object3D
  private readonly choice: ObstacleChoice<Mesh>
  private readonly options: Options
  private readonly members = new Map<Mesh, Member>()
  private pass = 0
  private seen = 0
  /** Vertices of the mesh that is updated now, and the last shapes fitted to them. */
  private points: Float64Array | null = null
  private lastFit: { stretch: Stretch; fitted: Fitted[] | null } | null = null

  constructor(root: Object3D, choice: ObstacleChoice<Mesh>, options: Options) {
    super()
    this.root = root
    this.choice = choice
    this.options = options
    this.refresh()
  }

  protected override sync(): void {
    if (this.pass > 0 && !this.options.follow) return
    this.pass++
    this.seen = 0
    this.root.parent?.updateWorldMatrix(true, false)
    this.root.updateMatrixWorld(true)
    this.visit(this.root, true)
    if (this.seen < this.members.size) this.removeUnseen()
  }

  private visit(object: Object3D, isUsual: boolean): void {
    if (!object.visible && !this.options.invisible) return
    if ((object as Mesh).isMesh && isChosen(this.choice, object as Mesh, isUsual)) this.update(object as Mesh)
    const { children } = object
    for (let i = 0; i < children.length; i++) this.visit(children[i]!, isUsual && !isKept(children[i]!))
  }

  /** Removes the meshes that this refresh has not seen. */
  private removeUnseen(): void {
    for (const member of this.members.values()) {
      if (member.pass === this.pass) continue
      this.members.delete(member.mesh)
      this.truncate(member, 0)
    }
  }

  private update(mesh: Mesh): void {
    let member = this.members.get(mesh)
    if (member === undefined)
      this.members.set(mesh, (member = { mesh, parts: [], geometry: null, version: 0, why: '', pass: 0 }))
    member.pass = this.pass
    this.seen++
    const version = versionOf(mesh)
    const isNew = member.geometry !== mesh.geometry || member.version !== version
    member.geometry = mesh.geometry
    member.version = version
    this.points = null
    this.lastFit = null
    const instanced = (mesh as InstancedMesh).isInstancedMesh ? (mesh as InstancedMesh) : null
    const count = instanced?.count ?? 1
    for (let i = 0; i < count; i++) {
      const part = (member.parts[i] ??= { pose: new MeshPose(), obstacles: [] })
      if (instanced !== null) {
        instanced.getMatrixAt(i, instance)
        instance.premultiply(mesh.matrixWorld)
      }
      if (part.pose.read(instanced === null ? mesh.matrixWorld : instance) || isNew)
        this.rebuild(member, part)
    }
    this.truncate(member, count)
  }

  /** Makes the obstacles of a part again. */
  private rebuild(member: Member, part: Part): void {
    const { mesh } = member
    const { pose } = part
    if (!pose.isFinite) {
      // they stay in their last place, and are made again when the matrix is finite again
      pose.forget()
      this.report(member, 'its world matrix is not finite')
      return
    }
    this.drop(part)
    const stretch = pose.stretch()
    if ((mesh as BatchedMesh).isBatchedMesh) {
      this.report(member, 'a BatchedMesh is not supported: add its parts as obstacles of your own')
      return
    }
    this.points ??= pointsOf(mesh)
    if (!this.points.every(Number.isFinite)) {
      this.report(member, 'its geometry has positions that are not finite')
      return
    }
    const fitted = this.fit(mesh, this.points, stretch)
    if (fitted === null) {
      this.report(member, 'it is too large')
      return
    }
    const { position, quaternion } = pose
    for (const { shape, offset, turn } of fitted)
      part.obstacles.push(
        this.add(
          this.options.follow
            ? { shape, at: pose, offset, turn, owner: mesh }
            : {
                shape,
                at: add(vec3(), position, rotate(vec3(), quaternion, offset)),
                turn: multiply(quat(), quaternion, turn),
                owner: mesh,
              },
        ),
      )
  }

  private report(member: Member, why: string): void {
    if (why === member.why) return
    member.why = why
    this.options.onUnsupported(member.mesh, why)
  }

  private fit(mesh: Mesh, points: Float64Array, stretch: Stretch): Fitted[] | null {
    if (this.lastFit !== null && isSameStretch(this.lastFit.stretch, stretch)) return this.lastFit.fitted
    const { fit } = this.options
    const kind = typeof fit === 'function' ? requireChoice(FIT, fit(mesh), FITS) : fit
    const fitted = fitMesh(mesh, points, stretch, kind)
    this.lastFit = { stretch, fitted }
    if (kind === 'auto' && fitted?.length === 1 && RING.test(mesh.geometry.type))
      hint(
        mesh,
        () => `${titleOf(mesh)}: its hole is filled; for agents that pass through it use a MeshShape`,
      )
    return fitted
  }

  private truncate({ parts }: Member, length: number): void {
    for (let i = length; i < parts.length; i++) this.drop(parts[i]!)
    if (parts.length > length) parts.length = length
  }

  private drop(part: Part): void {
    for (const obstacle of part.obstacles) if (this.has(obstacle)) this.remove(obstacle)
    part.obstacles.length = 0
  }
}

function isSameStretch(a: Stretch, b: Stretch): boolean {
  const size = Math.max(...a.map(Math.abs))
  return a.every((value, i) => Math.abs(value - b[i]!) <= ALIKE * size)
}

const hintAtUnsupported: Options['onUnsupported'] = (mesh, why) =>
  hint(mesh, () => `${titleOf(mesh)}: ${why}`)

function titleOf({ id, name }: Mesh): string {
  return `obstaclesFromObject3D: mesh ${id}${name === '' ? '' : ` "${name}"`}`
}

function requireFit(_what: string, fit: Options['fit']): Options['fit'] {
  return typeof fit === 'function' ? fit : requireChoice(FIT, fit, FITS)
}

/** The drawn vertices (m, axes of the mesh), in the present skin pose and morph. Empty without any. */
function pointsOf(mesh: Mesh): Float64Array {
  const { drawRange, index } = mesh.geometry
  const position = positionOf(mesh)
  if (position === undefined) return new Float64Array(0)
  const end = Math.min(index?.count ?? position.count, drawRange.start + drawRange.count)
  const drawn = new Uint8Array(position.count)
  for (let i = drawRange.start; i < end; i++) drawn[index === null ? i : index.getX(i)] = 1
  const points: number[] = []
  for (let i = 0; i < drawn.length; i++) {
    if (drawn[i] === 0) continue
    mesh.getVertexPosition(i, vertex)
    points.push(vertex.x, vertex.y, vertex.z)
  }
  return Float64Array.from(points)
}

/** A number that grows each time `needsUpdate` is set on the vertices of a mesh; −1 without vertices. */
function versionOf(mesh: Mesh): number {
  const position = positionOf(mesh)
  if (position === undefined) return -1
  return 'data' in position ? position.data.version : position.version
}

function positionOf(mesh: Mesh): BufferAttribute | InterleavedBufferAttribute | undefined {
  return (mesh.geometry.attributes as Partial<Mesh['geometry']['attributes']>)['position']
}
