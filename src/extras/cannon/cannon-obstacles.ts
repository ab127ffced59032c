import { hint } from '#hints'
import type {
  Body,
  Box,
  ConvexPolyhedron,
  Cylinder,
  Heightfield,
  Shape as CannonShape,
  Sphere,
  Trimesh,
  World,
} from 'cannon-es'
import type { Vec3Like } from '../../core/types.js'
import { BoxShape } from '../../core/obstacles/box.js'
import { choiceOf, isChosen, type ObstacleChoice } from '../../core/obstacles/choice.js'
import { hullOf } from '../../blocks/shapes/convex-hull.js'
import { CylinderShape } from '../../core/obstacles/cylinder.js'
import { HalfSpaceShape } from '../../core/obstacles/half-space.js'
import { HullShape } from '../../blocks/shapes/hull.js'
import { meshFrom, type MeshMaker, type Triangles } from '../../core/obstacles/mesh-maker.js'
import type { Obstacle } from '../../core/obstacles/obstacle.js'
import { Obstacles } from '../../core/obstacles/obstacles.js'
import type { Shape } from '../../core/obstacles/shape.js'
import { SphereShape } from '../../core/obstacles/sphere.js'
import { isFiniteVec } from '../../core/math/vec3.js'
import { isSteered } from '../../core/engine/steered.js'
import { type AnyTable, readOptions } from '../../core/math/options.js'
import { refuse, outOfRange, requireFunction } from '../../core/math/require.js'

/** Values of `CANNON.Shape.types`, written out: Node may load another copy than the user's bundler. */
const SPHERE = 1
const PLANE = 2
const BOX = 4
const CONVEX = 16
const HEIGHTFIELD = 32
const PARTICLE = 64
const CYLINDER = 128
const TRIMESH = 256

/** Radius of the sphere that represents a particle, which has no size (m). */
const PARTICLE_RADIUS = 1e-3
/** A prism with a corner off by more than this share was moved or turned in its shape. Chosen by hand. */
const ROUND_TOLERANCE = 1e-6
const AHEAD: Vec3Like = { x: 0, y: 0, z: 1 }

/**
 * Usual are all bodies except triggers, bodies with `collisionResponse` false and bodies that an agent steers
 * now. (When an agent leaves its `SteeringWorld`, its body becomes a wreck, and so an obstacle.)
 */
export interface CannonObstaclesOptions extends ObstacleChoice<Body> {
  /**
   * Makes the shape of a triangle mesh or height field: `(triangles) => new MeshShape(triangles)`, with
   * `MeshShape` of `three-steering/bvh`. Default none: these are not supported then.
   */
  mesh?: MeshMaker
  /**
   * Called once for each shape that is not supported, with the reason; again when the shape has changed and
   * is still not supported. Default a warning on the console, once per body.
   */
  onUnsupported?: (body: Body, shape: CannonShape, why: string) => void
}

type Report = NonNullable<CannonObstaclesOptions['onUnsupported']>

/** One shape of a body, as it was when its obstacle was made. */
interface Part {
  readonly shape: CannonShape
  obstacle: Obstacle | null
  /** Reason why there is no obstacle; empty when there is one, or when the shape does not collide. */
  why: string
  /** Offset, turn and dimensions, see `measureShape`; empty when the obstacle has to be tried again. */
  measures: readonly number[]
}

interface Member {
  readonly body: Body
  readonly parts: Part[]
  /** Number of the refresh that saw the body last. */
  pass: number
}

/** Scratch of `update` and `rebuild`: the measures of a shape now. */
const measured: number[] = []

const CANNON_OBSTACLES = {
  filter: { kind: 'function', check: requireFunction<((each: Body) => boolean) | undefined> },
  include: { kind: 'function', check: requireFunction<((each: Body) => boolean) | undefined> },
  mesh: { kind: 'function', check: requireFunction<MeshMaker> },
  onUnsupported: { kind: 'function', check: requireFunction<Report> },
} as const satisfies AnyTable

/**
 * Obstacles for the bodies of a cannon-es world, one per shape. At each refresh they follow the world: pose
 * and velocity of every body are read, and bodies and shapes that were added, removed or resized are noticed.
 * (A changed body gets new obstacles for the shapes that differ.) `owner` and `followed` of an obstacle are
 * its body. You may add obstacles of your own. An obstacle that you remove stays away until its shape changes
 * or its body comes back.
 *
 * Spheres, boxes and planes keep their shape. A convex polyhedron becomes the hull of its vertices, whatever
 * its faces. A cylinder with equal radii becomes the round cylinder around cannon's prism. A particle becomes
 * a sphere of 1 mm radius. Triangle meshes and height fields become sheets, by the option `mesh`. They are
 * made again when their size, scale, least or greatest height changes; other changes are not seen. Shapes
 * without a size are not supported and are reported to `onUnsupported`. Single shapes with
 * `collisionResponse` false are left out.
 * @throws TypeError when `world` is not a cannon world or an option is not a function.
 */
export function obstaclesFromCannon(world: World, options: CannonObstaclesOptions = {}): Obstacles {
  if (!Array.isArray(world?.bodies) || typeof world.addBody !== 'function')
    refuse('obstaclesFromCannon', world, 'must be a CANNON.World')
  const read = readOptions('obstaclesFromCannon', CANNON_OBSTACLES, options)
  return new CannonObstacles(
    world,
    choiceOf('obstaclesFromCannon', read),
    read.mesh,
    read.onUnsupported ?? hintAtUnsupported,
  )
}

class CannonObstacles extends Obstacles {
  private readonly world: World
  private readonly choice: ObstacleChoice<Body>
  private readonly mesh: MeshMaker | undefined
  private readonly report: Report
  private readonly members = new Map<Body, Member>()
  private pass = 0

  constructor(world: World, choice: ObstacleChoice<Body>, mesh: MeshMaker | undefined, report: Report) {
    super()
    this.world = world
    this.choice = choice
    this.mesh = mesh
    this.report = report
    this.refresh()
  }

  protected override sync(): void {
    const { bodies } = this.world
    const pass = ++this.pass
    let seen = 0
    for (let i = 0; i < bodies.length; i++) {
      const body = bodies[i]!
      if (!isChosen(this.choice, body, isUsual(body))) continue
      let member = this.members.get(body)
      if (member === undefined) this.members.set(body, (member = { body, parts: [], pass }))
      member.pass = pass
      seen++
      this.update(member)
    }
    if (seen < this.members.size) this.removeUnseen(pass)
  }

  /** Removes the bodies that this refresh has not seen. */
  private removeUnseen(pass: number): void {
    for (const member of this.members.values()) {
      if (member.pass === pass) continue
      this.members.delete(member.body)
      this.truncate(member, 0)
    }
  }

  private update(member: Member): void {
    const { body, parts } = member
    const { shapes } = body
    for (let i = 0; i < shapes.length; i++) {
      const count = measureShape(body, i, measured)
      const part = parts[i]
      if (part === undefined || part.shape !== shapes[i] || differs(part.measures, measured, count))
        this.rebuild(member, i, count)
    }
    if (parts.length > shapes.length) this.truncate(member, shapes.length)
  }

  /** Makes the obstacle of shape `i` again. */
  private rebuild({ body, parts }: Member, i: number, count: number): void {
    const shape = body.shapes[i]!
    const old = parts[i]
    if (old !== undefined) this.drop(old)
    const part: Part = { shape, obstacle: null, why: '', measures: measured.slice(0, count) }
    parts[i] = part
    if (!shape.collisionResponse) return
    try {
      part.obstacle = this.add({
        shape: shapeFromCannon(shape, this.mesh),
        at: body,
        offset: body.shapeOffsets[i]!,
        turn: body.shapeOrientations[i]!,
      })
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error
      part.why = error.message
      // a body without a finite position yet is tried again at the next refresh
      if (!isFiniteVec(body.position)) part.measures = []
      if (old?.shape !== shape || old.why !== part.why) this.report(body, shape, part.why)
    }
  }

  private truncate({ parts }: Member, length: number): void {
    for (let i = length; i < parts.length; i++) this.drop(parts[i]!)
    parts.length = length
  }

  private drop({ obstacle }: Part): void {
    if (obstacle !== null && this.has(obstacle)) this.remove(obstacle)
  }
}

function differs(measures: readonly number[], now: readonly number[], count: number): boolean {
  if (measures.length !== count) return true
  for (let i = 0; i < count; i++) if (!Object.is(measures[i], now[i])) return true
  return false
}

function isUsual(body: Body): boolean {
  return body.collisionResponse && !body.isTrigger && !isSteered(body)
}

const hintAtUnsupported: Report = (body, _shape, why) =>
  hint(body, () => `obstaclesFromCannon: body ${body.id}: ${why}`)

/** The obstacle shape of a cannon shape. @throws RangeError / TypeError with the reason, or a cure. */
function shapeFromCannon(shape: CannonShape, mesh: MeshMaker | undefined): Shape {
  switch (shape.type) {
    case SPHERE:
      return new SphereShape((shape as Sphere).radius)
    case PLANE:
      return new HalfSpaceShape(AHEAD)
    case BOX:
      return new BoxShape((shape as Box).halfExtents)
    case CYLINDER:
      return roundCylinder(shape as Cylinder) ?? hullShape(shape as Cylinder)
    case CONVEX:
      return hullShape(shape as ConvexPolyhedron)
    case PARTICLE:
      return new SphereShape(PARTICLE_RADIUS)
    case HEIGHTFIELD:
      return meshFrom(mesh, 'a Heightfield', () => terrain(shape as Heightfield))
    case TRIMESH:
      return meshFrom(mesh, 'a Trimesh', () => scaled(shape as Trimesh))
    default:
      throw new TypeError(`a shape of type ${shape.type} is not supported`)
  }
}

/** The round cylinder around cannon's prism; null when it is tapered or its corners have been moved. */
function roundCylinder({ radiusTop, radiusBottom, height, vertices }: Cylinder): Shape | null {
  if (radiusTop !== radiusBottom) return null
  const solid = new CylinderShape(radiusTop, height)
  const tolerance = ROUND_TOLERANCE * (radiusTop + height)
  for (const { x, y, z } of vertices) {
    const deviation = Math.abs(Math.hypot(x, z) - radiusTop) + Math.abs(Math.abs(y) - height / 2)
    if (!(deviation <= tolerance)) return null
  }
  return solid
}

/** The polyhedron with its faces; if they are invalid (inverted, doubled corners, holes), its hull. */
function hullShape({ vertices, faces }: ConvexPolyhedron): Shape {
  for (const [i, vertex] of vertices.entries())
    if (!isFiniteVec(vertex)) outOfRange(`ConvexPolyhedron.vertices[${i}]`, vertex, 'must be finite')
  try {
    return new HullShape({ vertices, faces })
  } catch (error) {
    const made = hullOf(vertices)
    if (made === null) throw error
    return made
  }
}

function scaled({ indices, scale, vertices }: Trimesh): Triangles {
  const factors = [scale.x, scale.y, scale.z]
  return {
    vertices: Float32Array.from(vertices, (each, i) => each * factors[i % 3]!),
    indices: Uint32Array.from(indices),
  }
}

/** Heights along z, over x and y; each cell is divided along its diagonal from +x to +y. */
function terrain({ data, elementSize }: Heightfield): Triangles {
  const [rows, columns] = [data.length, data[0]!.length]
  const vertices: number[] = []
  const indices: number[] = []
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < columns; k++) {
      vertices.push(i * elementSize, k * elementSize, data[i]![k]!)
      if (i + 1 === rows || k + 1 === columns) continue
      const a = i * columns + k
      const b = a + columns
      indices.push(a, b, a + 1, b + 1, a + 1, b)
    }
  return { vertices: new Float32Array(vertices), indices: new Uint32Array(indices) }
}

/**
 * Writes numbers into `out` that change when shape `i` of a body changes: whether it collides, its offset and
 * turn on the body, its dimensions. @returns their count.
 */
function measureShape({ shapes, shapeOffsets, shapeOrientations }: Body, i: number, out: number[]): number {
  const shape = shapes[i]!
  const turn = shapeOrientations[i]!
  let n = 0
  out[n++] = shape.collisionResponse ? 1 : 0
  n = write(out, n, shapeOffsets[i]!)
  n = write(out, n, turn)
  out[n++] = turn.w
  if (shape.type === SPHERE) out[n++] = (shape as Sphere).radius
  else if (shape.type === BOX) n = write(out, n, (shape as Box).halfExtents)
  else if (shape.type === CONVEX || shape.type === CYLINDER) {
    const { vertices } = shape as ConvexPolyhedron
    for (let k = 0; k < vertices.length; k++) n = write(out, n, vertices[k]!)
  } else if (shape.type === TRIMESH) {
    const { indices, scale, vertices } = shape as Trimesh
    out[n++] = vertices.length
    out[n++] = indices.length
    n = write(out, n, scale)
  } else if (shape.type === HEIGHTFIELD) {
    const { data, elementSize, maxValue, minValue } = shape as Heightfield
    out[n++] = data.length
    out[n++] = elementSize
    out[n++] = maxValue!
    out[n++] = minValue!
  }
  return n
}

function write(out: number[], n: number, { x, y, z }: Vec3Like): number {
  out[n] = x
  out[n + 1] = y
  out[n + 2] = z
  return n + 3
}
