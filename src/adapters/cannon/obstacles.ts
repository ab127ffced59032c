import type { Body, Shape as CannonShape, World } from 'cannon-es'
import type { Obstacle } from '../../obstacles/obstacle.js'
import { Obstacles } from '../../obstacles/obstacles.js'
import { isFiniteVec } from '../../math/vec3.js'
import { measureShape, shapeFromCannon } from './shapes.js'
import { steered } from '../../engine/steered.js'

export interface CannonObstaclesOptions {
  /**
   * Which bodies are obstacles; asked for every body at every refresh, so its answer may change. `usual` is what would be done
   * without a filter: true for all but bodies that an agent steers at the time (one in a `SteeringWorld`: whoever has left it is a wreck, and in the
   * way), triggers and bodies with `collisionResponse` false.
   * Default `usual`.
   */
  filter?: (body: Body, usual: boolean) => boolean
  /**
   * Told once of each shape that cannot be taken, and why; again when it has changed and still cannot. Default a warning on the
   * console, once per body.
   */
  onUnsupported?: (body: Body, shape: CannonShape, why: string) => void
}

type Filter = NonNullable<CannonObstaclesOptions['filter']>
type Report = NonNullable<CannonObstaclesOptions['onUnsupported']>

/** One shape of a body, as it was when it was taken. */
interface Part {
  readonly shape: CannonShape
  obstacle: Obstacle | null
  /** Why there is no obstacle; empty when there is, or none is wanted. */
  why: string
  /** Place, turn and dimensions, see `measureShape`; empty where it has to be tried again. */
  measures: readonly number[]
}

interface Member {
  readonly body: Body
  readonly parts: Part[]
  /** Number of the refresh that saw the body last. */
  pass: number
}

/** What a shape measures now. */
const measured: number[] = []

/**
 * The bodies of a cannon-es world as obstacles, one per shape. SnapshotState in step with the world: at each refresh it reads pose and velocity
 * of every body, and takes note of bodies and shapes that have been added, removed or resized since. (A body that has changed
 * gets new obstacles for the shapes that differ.) `owner` and `followed` of an obstacle are its body. Obstacles of your own may be
 * added; one that you remove stays away until its shape changes or its body comes back.
 *
 * Spheres, boxes, planes and convex polyhedra (the hull of their vertices, whatever their faces) are taken as they are, a cylinder with
 * equal radii as the round one around cannon's prism, a particle as a sphere of 1 mm. Height fields and triangle meshes
 * are left to `MeshShape` of `three-steering/bvh`: they, and shapes without a size, are told to `onUnsupported`. Single shapes with
 * `collisionResponse` false are left out.
 * @throws TypeError when `world` is no cannon world or an option is no function.
 */
export function obstaclesFromCannon(world: World, options: CannonObstaclesOptions = {}): Obstacles {
  if (!Array.isArray(world?.bodies) || typeof world.addBody !== 'function')
    throw new TypeError(`obstaclesFromCannon: got ${String(world)}, must be a CANNON.World`)
  const { filter, onUnsupported } = options
  requireFunction('filter', filter)
  requireFunction('onUnsupported', onUnsupported)
  return new CannonObstacles(world, filter ?? asUsual, onUnsupported ?? warner())
}

class CannonObstacles extends Obstacles {
  private readonly world: World
  private readonly filter: Filter
  private readonly report: Report
  private readonly taken = new Map<Body, Member>()
  private pass = 0

  constructor(world: World, filter: Filter, report: Report) {
    super()
    this.world = world
    this.filter = filter
    this.report = report
    this.refresh()
  }

  protected override sync(): void {
    const { bodies } = this.world
    const pass = ++this.pass
    let seen = 0
    for (let i = 0; i < bodies.length; i++) {
      const body = bodies[i]!
      if (!this.filter(body, isUsual(body))) continue
      let member = this.taken.get(body)
      if (member === undefined) this.taken.set(body, (member = { body, parts: [], pass }))
      member.pass = pass
      seen++
      this.update(member)
    }
    if (seen < this.taken.size) this.forget(pass)
  }

  /** Forgets the bodies that this refresh has not seen. */
  private forget(pass: number): void {
    for (const member of this.taken.values()) {
      if (member.pass === pass) continue
      this.taken.delete(member.body)
      this.cut(member, 0)
    }
  }

  private update(member: Member): void {
    const { body, parts } = member
    const { shapes } = body
    for (let i = 0; i < shapes.length; i++) {
      const count = measureShape(body, i, measured)
      const part = parts[i]
      if (part === undefined || part.shape !== shapes[i] || differs(part.measures, count))
        this.take(member, i, count)
    }
    if (parts.length > shapes.length) this.cut(member, shapes.length)
  }

  /** Makes the obstacle of shape `i` anew. */
  private take({ body, parts }: Member, i: number, count: number): void {
    const shape = body.shapes[i]!
    const old = parts[i]
    if (old !== undefined) this.drop(old)
    const part: Part = { shape, obstacle: null, why: '', measures: measured.slice(0, count) }
    parts[i] = part
    if (!shape.collisionResponse) return
    try {
      part.obstacle = this.add({
        shape: shapeFromCannon(shape),
        at: body,
        offset: body.shapeOffsets[i]!,
        turn: body.shapeOrientations[i]!,
      })
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error
      part.why = error.message
      // a body that stands nowhere yet is looked at again
      if (!isFiniteVec(body.position)) part.measures = []
      if (old?.shape !== shape || old.why !== part.why) this.report(body, shape, part.why)
    }
  }

  private cut({ parts }: Member, length: number): void {
    for (let i = length; i < parts.length; i++) this.drop(parts[i]!)
    parts.length = length
  }

  private drop({ obstacle }: Part): void {
    if (obstacle !== null && this.has(obstacle)) this.remove(obstacle)
  }
}

function differs(measures: readonly number[], count: number): boolean {
  if (measures.length !== count) return true
  for (let i = 0; i < count; i++) if (!Object.is(measures[i], measured[i])) return true
  return false
}

function isUsual(body: Body): boolean {
  return body.collisionResponse && !body.isTrigger && !steered.has(body)
}

function asUsual(_body: Body, usual: boolean): boolean {
  return usual
}

function warner(): Report {
  const warned = new WeakSet<Body>()
  return (body, _shape, why) => {
    if (warned.has(body)) return
    warned.add(body)
    console.warn(`three-steering: obstaclesFromCannon: body ${body.id}: ${why}`)
  }
}

function requireFunction(option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function')
    throw new TypeError(`obstaclesFromCannon.${option}: got ${String(value)}, must be a function`)
}
