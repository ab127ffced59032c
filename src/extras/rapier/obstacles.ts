import { hint } from '#hints'
import { choiceOf, isChosen, type ObstacleChoice } from '../../core/obstacles/choice.js'
import type { MeshMaker } from '../../core/obstacles/mesh-maker.js'
import type { FollowedBody, Obstacle } from '../../core/obstacles/obstacle.js'
import { Obstacles } from '../../core/obstacles/obstacles.js'
import { isSteered } from '../../core/engine/steered.js'
import { copyQuat, quat } from '../../core/math/quat.js'
import { addScaled, copy, cross, sub, vec3 } from '../../core/math/vec3.js'
import { shapeNow, type RapierShape } from './collider-shape.js'
import { shapesOf } from './shapes.js'
import type { ColliderOf, RapierBody, RapierCollider, RapierWorld } from './types.js'
import { refuse } from '../../core/math/require.js'

/**
 * Usual are all colliders except sensors, disabled colliders and those of bodies that an agent steers now.
 * (When an agent leaves its `SteeringWorld`, its body becomes a wreck, and so an obstacle.)
 */
export interface RapierObstaclesOptions<C extends RapierCollider = RapierCollider> extends ObstacleChoice<C> {
  /**
   * Makes the shape of a triangle mesh, height field, triangle or voxels:
   * `(triangles) => new MeshShape(triangles)`, with `MeshShape` of `three-steering/bvh`. Default none: these
   * are not supported then.
   */
  mesh?: MeshMaker
  /**
   * Called once for each collider that is not supported, with the reason; again when its shape has changed
   * and is still not supported. Default a warning on the console, once per collider.
   */
  onUnsupported?: (collider: C, why: string) => void
}

/** A collider, and its obstacles. */
interface Member {
  readonly collider: RapierCollider
  readonly frame: ColliderFrame
  readonly obstacles: Obstacle[]
  /** The shape of which the obstacles were made. */
  shape: RapierShape | null
  /** Reason why there is no obstacle; empty when there is one. */
  why: string
  /** Number of the refresh that saw the collider last. */
  pass: number
}

const arm = vec3()

/** Pose and motion of a collider, as of the last `read`. */
class ColliderFrame implements FollowedBody {
  readonly position = vec3()
  readonly quaternion = quat()
  readonly velocity = vec3()
  readonly angularVelocity = vec3()
  // not named as the option of FollowedBody: these poses are those of the collider itself
  private readonly massCenter = vec3()

  read(collider: RapierCollider, body: RapierBody | null): void {
    const { angularVelocity, massCenter, position, quaternion, velocity } = this
    copy(position, collider.translation(position))
    copyQuat(quaternion, collider.rotation(quaternion))
    if (body === null) return
    copy(velocity, body.linvel(velocity))
    copy(angularVelocity, body.angvel(angularVelocity))
    // of the origin of the collider
    const { x, y, z } = angularVelocity
    if (x === 0 && y === 0 && z === 0) return
    sub(arm, position, copy(massCenter, body.worldCom(massCenter)))
    addScaled(velocity, velocity, cross(arm, angularVelocity, arm), 1)
  }
}

/**
 * Obstacles for the colliders of a world of Rapier, with and without bodies. At each refresh they follow the
 * world: pose and velocity of every collider are read, and colliders that were added, removed, enabled or
 * resized are noticed. `owner` of an obstacle is its body, or its collider where that has no body. You may
 * add obstacles of your own. An obstacle that you remove stays away until its shape changes.
 *
 * Balls, cuboids, capsules, cylinders, cones, half-spaces, convex hulls and their round forms keep their
 * shape. The parts of a compound and the lines of a polyline become obstacles of their own. Triangle meshes,
 * height fields, triangles and voxels become sheets, by the option `mesh`. Soft bodies are not supported and
 * reported to `onUnsupported`. Sensors are left out.
 * @throws TypeError when `world` is not a Rapier world or an option is not a function.
 */
export function obstaclesFromRapier<W extends RapierWorld>(
  world: W,
  options: RapierObstaclesOptions<ColliderOf<W>> = {},
): Obstacles {
  if (typeof world?.forEachCollider !== 'function')
    refuse('obstaclesFromRapier', world, 'must be a RAPIER.World')
  return new RapierObstacles(world, options)
}

/** See `obstaclesFromRapier`. */
class RapierObstacles extends Obstacles {
  private readonly world: RapierWorld
  private readonly choice: ObstacleChoice<RapierCollider>
  private readonly mesh: MeshMaker | undefined
  private readonly report: (collider: RapierCollider, why: string) => void
  private readonly members = new Map<RapierCollider, Member>()
  private pass = 0
  private seen = 0

  constructor(world: RapierWorld, { filter, include, mesh, onUnsupported }: RapierObstaclesOptions) {
    super()
    for (const [option, value] of Object.entries({ filter, include, mesh, onUnsupported }))
      if (value !== undefined && typeof value !== 'function')
        refuse(`obstaclesFromRapier.${option}`, value, 'must be a function')
    this.world = world
    this.choice = choiceOf('obstaclesFromRapier', { filter, include })
    this.mesh = mesh
    this.report = onUnsupported ?? hintAtUnsupported
    this.refresh()
  }

  protected override sync(): void {
    this.pass++
    this.seen = 0
    // else the colliders of a body that was moved by hand follow it only in the next step of Rapier
    this.world.propagateModifiedBodyPositionsToColliders()
    this.world.forEachCollider(this.visit)
    if (this.seen === this.members.size) return
    for (const member of this.members.values()) {
      if (member.pass === this.pass) continue
      this.members.delete(member.collider)
      this.drop(member)
    }
  }

  private readonly visit = (collider: RapierCollider): void => {
    const body = collider.parent()
    if (!isChosen(this.choice, collider, isUsual(collider, body))) return
    this.seen++
    let member = this.members.get(collider)
    if (member === undefined) {
      const frame = new ColliderFrame()
      member = { collider, frame, obstacles: [], shape: null, why: '', pass: 0 }
      this.members.set(collider, member)
    }
    member.pass = this.pass
    member.frame.read(collider, body)
    const shape = shapeNow(collider)
    if (member.shape !== shape) this.rebuild(member, shape, body)
  }

  /** Makes the obstacles of a collider again. */
  private rebuild(member: Member, shape: RapierShape, body: RapierBody | null): void {
    const { collider, frame, obstacles, why } = member
    this.drop(member)
    member.shape = shape
    member.why = ''
    try {
      if (typeof collider.softBody?.() === 'number')
        throw new TypeError('a soft body is not supported: its form changes in every step')
      const owner = body ?? collider
      for (const placed of shapesOf(shape, this.mesh))
        obstacles.push(this.add({ ...placed, at: frame, owner }))
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error
      this.drop(member)
      member.why = error.message
      if (why !== member.why) this.report(collider, member.why)
    }
  }

  private drop({ obstacles }: Member): void {
    for (const obstacle of obstacles) if (this.has(obstacle)) this.remove(obstacle)
    obstacles.length = 0
  }
}

function isUsual(collider: RapierCollider, body: RapierBody | null): boolean {
  return !collider.isSensor() && collider.isEnabled() && !isSteered(body ?? collider)
}

function hintAtUnsupported(collider: RapierCollider, why: string): void {
  hint(collider, () => `obstaclesFromRapier: collider ${collider.handle}: ${why}`)
}
