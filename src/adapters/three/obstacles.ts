import { type BatchedMesh, type InstancedMesh, Matrix4, type Mesh, type Object3D } from 'three'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { Obstacles } from '../../obstacles/obstacles.js'
import { multiply, quat, rotate } from '../../math/quat.js'
import { add, vec3 } from '../../math/vec3.js'
import type { Fit, Fitted } from './fit.js'
import { fitMesh, type Stretch } from './fit-objects.js'
import { pointsOf, versionOf } from './points.js'
import { MeshPose } from './pose.js'

export type { Fit } from './fit.js'

export interface Object3DObstaclesOptions {
  /**
   * Which shape to put around a mesh, or a function that says it for each when it is fitted. Default `auto`: as the geometry was made,
   * where that can be told (spheres, capsules, cylinders, boxes, polyhedra), else the smallest of sphere, box, capsule and cylinder.
   */
  fit?: Fit | ((mesh: Mesh) => Fit)
  /** Which meshes are obstacles; asked for each at every refresh. Default all. */
  filter?: (mesh: Mesh) => boolean
  /**
   * Whether obstacles go with their meshes, and come and go with them. False reads everything once, and costs nothing afterwards:
   * for a level that stands still. Default true.
   */
  follow?: boolean
  /** Whether meshes that are not visible, or hang below something that is not, count: stand-ins for collisions. Default false. */
  invisible?: boolean
  /** Told of each mesh that cannot be taken, and why. Default a warning on the console, once per mesh. */
  onUnsupported?: (mesh: Mesh, why: string) => void
}

type Options = Required<Object3DObstaclesOptions>

/** One instance of a mesh. */
interface Part {
  readonly pose: MeshPose
  obstacle: Obstacle | null
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

const FITS: readonly Fit[] = ['auto', 'sphere', 'box', 'capsule', 'cylinder', 'hull']
/** Relative: instances whose scales differ by less share a shape. */
const ALIKE = 1e-6

const instance = new Matrix4()

/**
 * The visible meshes at and below an object as obstacles: one per mesh, per instance of an `InstancedMesh`; `owner` is the mesh. Give it the
 * level, not the scene with the agents in it, or the agents' own meshes are in their way. Shapes hold all vertices. They are as
 * large as the mesh in the world, whatever its scale, shear or mirrors; a flat mesh is a board of a millimetre, an open one is filled.
 *
 * At each refresh it reads the world matrices, and meshes that came, went, or have another scale or geometry (or `needsUpdate` of their
 * positions) since. Fitting takes time with each vertex: meshes that change scale all the time are better given by hand, as
 * `new Obstacle({ shape, at })`. A skinned or morphed mesh is taken in the pose of the moment when it is first seen. Meshes have no
 * velocity, so the obstacles have none: for what moves fast, follow its controller or its body.
 * @throws TypeError when `root` is no Object3D or an option is of the wrong type, RangeError for an unknown fit.
 */
export function obstaclesFromObject3D(root: Object3D, options: Object3DObstaclesOptions = {}): Obstacles {
  if (!(root as Partial<Object3D> | null)?.isObject3D)
    throw new TypeError(`obstaclesFromObject3D: got ${String(root)}, must be a THREE.Object3D`)
  return new MeshObstacles(root, {
    fit: requireFit(options.fit ?? 'auto'),
    filter: requireType('filter', options.filter ?? all, 'function'),
    follow: requireType('follow', options.follow ?? true, 'boolean'),
    invisible: requireType('invisible', options.invisible ?? false, 'boolean'),
    onUnsupported: requireType('onUnsupported', options.onUnsupported ?? warner(), 'function'),
  })
}

class MeshObstacles extends Obstacles {
  private readonly root: Object3D
  private readonly options: Options
  private readonly taken = new Map<Mesh, Member>()
  private pass = 0
  private seen = 0
  /** Vertices of the mesh at hand, and what was last fitted to them. */
  private points: Float64Array | null = null
  private last: { stretch: Stretch; fitted: Fitted | null } | null = null

  constructor(root: Object3D, options: Options) {
    super()
    this.root = root
    this.options = options
    this.refresh()
  }

  protected override sync(): void {
    if (this.pass > 0 && !this.options.follow) return
    this.pass++
    this.seen = 0
    this.root.parent?.updateWorldMatrix(true, false)
    this.root.updateMatrixWorld(true)
    this.visit(this.root)
    if (this.seen < this.taken.size) this.forget()
  }

  private visit(object: Object3D): void {
    if (!object.visible && !this.options.invisible) return
    if ((object as Mesh).isMesh && this.options.filter(object as Mesh)) this.update(object as Mesh)
    const { children } = object
    for (let i = 0; i < children.length; i++) this.visit(children[i]!)
  }

  /** Forgets the meshes that this refresh has not seen. */
  private forget(): void {
    for (const member of this.taken.values()) {
      if (member.pass === this.pass) continue
      this.taken.delete(member.mesh)
      this.cut(member, 0)
    }
  }

  private update(mesh: Mesh): void {
    let member = this.taken.get(mesh)
    if (member === undefined)
      this.taken.set(mesh, (member = { mesh, parts: [], geometry: null, version: 0, why: '', pass: 0 }))
    member.pass = this.pass
    this.seen++
    const version = versionOf(mesh)
    const isNew = member.geometry !== mesh.geometry || member.version !== version
    member.geometry = mesh.geometry
    member.version = version
    this.points = null
    this.last = null
    const instanced = (mesh as InstancedMesh).isInstancedMesh ? (mesh as InstancedMesh) : null
    const count = instanced?.count ?? 1
    for (let i = 0; i < count; i++) {
      const part = (member.parts[i] ??= { pose: new MeshPose(), obstacle: null })
      if (instanced !== null) {
        instanced.getMatrixAt(i, instance)
        instance.premultiply(mesh.matrixWorld)
      }
      if (part.pose.read(instanced === null ? mesh.matrixWorld : instance) || isNew) this.take(member, part)
    }
    this.cut(member, count)
  }

  /** Makes an obstacle anew. */
  private take(member: Member, part: Part): void {
    const { mesh } = member
    const { pose } = part
    if (!pose.isFinite) {
      // it stays where it was, and is made anew when it is somewhere again
      pose.forget()
      this.report(member, 'its world matrix is not finite')
      return
    }
    this.drop(part)
    const stretch = pose.stretch()
    if ((mesh as BatchedMesh).isBatchedMesh) {
      this.report(member, 'a BatchedMesh is not taken: give its parts by hand')
      return
    }
    this.points ??= pointsOf(mesh)
    if (!this.points.every(Number.isFinite)) {
      this.report(member, 'its geometry has positions that are not finite')
      return
    }
    const fitted = this.fit(mesh, this.points, stretch)
    if (fitted === null) return
    const { shape, offset, turn } = fitted
    const { position, quaternion } = pose
    part.obstacle = this.add(
      this.options.follow
        ? { shape, at: pose, offset, turn, owner: mesh }
        : {
            shape,
            at: add(vec3(), position, rotate(vec3(), quaternion, offset)),
            turn: multiply(quat(), quaternion, turn),
            owner: mesh,
          },
    )
  }

  private report(member: Member, why: string): void {
    if (why === member.why) return
    member.why = why
    this.options.onUnsupported(member.mesh, why)
  }

  private fit(mesh: Mesh, points: Float64Array, stretch: Stretch): Fitted | null {
    if (this.last !== null && alike(this.last.stretch, stretch)) return this.last.fitted
    const { fit } = this.options
    const kind = typeof fit === 'function' ? requireFit(fit(mesh)) : fit
    this.last = { stretch, fitted: fitMesh(mesh, points, stretch, kind) }
    return this.last.fitted
  }

  private cut({ parts }: Member, length: number): void {
    for (let i = length; i < parts.length; i++) this.drop(parts[i]!)
    if (parts.length > length) parts.length = length
  }

  private drop(part: Part): void {
    if (part.obstacle !== null && this.has(part.obstacle)) this.remove(part.obstacle)
    part.obstacle = null
  }
}

function alike(a: Stretch, b: Stretch): boolean {
  const size = Math.max(...a.map(Math.abs))
  return a.every((value, i) => Math.abs(value - b[i]!) <= ALIKE * size)
}

function all(): boolean {
  return true
}

function warner(): Options['onUnsupported'] {
  const warned = new WeakSet<Mesh>()
  return (mesh, why) => {
    if (warned.has(mesh)) return
    warned.add(mesh)
    const name = mesh.name === '' ? '' : ` "${mesh.name}"`
    console.warn(`three-steering: obstaclesFromObject3D: mesh ${mesh.id}${name}: ${why}`)
  }
}

function requireFit<T extends Options['fit']>(fit: T): T {
  if (typeof fit === 'function') return fit
  if (typeof fit !== 'string')
    throw new TypeError(`obstaclesFromObject3D.fit: got ${String(fit)}, must be a text`)
  if (!FITS.includes(fit))
    throw new RangeError(`obstaclesFromObject3D.fit: got '${fit}', must be one of ${FITS.join(', ')}`)
  return fit
}

function requireType<T>(option: string, value: T, type: 'function' | 'boolean'): T {
  if (typeof value !== type)
    throw new TypeError(`obstaclesFromObject3D.${option}: got ${String(value)}, must be a ${type}`)
  return value
}
