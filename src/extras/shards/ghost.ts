import { unknownOptions } from '#hints'
import type { BodyState, Quat, QuatLike, SteeringBody, Vec3, Vec3Like, View } from '../../core/types.js'
import { SteeringController } from '../../core/engine/controller.js'
import type { SteeringWorld } from '../../core/engine/world.js'
import { Hover } from '../../core/locomotion/hover.js'
import { checkOption, GROUPS } from '../../core/math/options.js'
import {
  outOfRange,
  refuse,
  requireQuaternion,
  requireVector,
  requireWhole,
} from '../../core/math/require.js'
import { copy, vec3, ZERO } from '../../core/math/vec3.js'
import { copyQuat, quat } from '../../core/math/quat.js'
import { idleInternals } from '../snapshot/snapshot.js'

/** What the agents of a world see of an agent of another one. SI units, world axes. */
export interface GhostOptions {
  /** Its key in its own world, see `Agent.seed` and `Parcel.seed`. */
  seed: number
  /** m and m/s. Default at rest at the origin. */
  position?: Vec3Like
  velocity?: Vec3Like
  /** Attitude of the model, and rad/s. Needed where it carries a port. Default none. */
  quaternion?: QuatLike
  angularVelocity?: Vec3Like
  /** Model axes, as in its own world. Default +Z and +Y. */
  forward?: Vec3Like
  up?: Vec3Like
  /** As in its own world; defaults as there: 0.5 m, 1 kg, 1 m/s, group 1, priority 1. */
  radius?: number
  spaceLength?: number
  spaceHeight?: number
  mass?: number
  maxSpeed?: number
  group?: number
  priority?: number
  /** Group bits of the agents that it avoids, as `SteeringController.avoids` says there. Default all. */
  avoids?: number
  /** Whether a player steers it, as `SteeringController.isManual` says there. Default false. */
  isManual?: boolean
  /** Shows it. Default none. */
  view?: View
  /**
   * Moves with it, so that bodies of this world collide with it: a kinematic body, in the physics world.
   * Default none.
   */
  solid?: GhostSolid
}

/**
 * The part of a kinematic `CANNON.Body` that a ghost uses. For other physics engines: an object whose `set`
 * functions move the kinematic body.
 */
export interface GhostSolid {
  readonly position: { set(x: number, y: number, z: number): unknown }
  readonly velocity: { set(x: number, y: number, z: number): unknown }
  readonly quaternion: { set(x: number, y: number, z: number, w: number): unknown }
  readonly angularVelocity: { set(x: number, y: number, z: number): unknown }
}

/** An agent of another world, as this world sees it. It wants nothing and is moved by `set` alone. */
export interface Ghost {
  /** Its controller in this world, which others may have as a target. */
  readonly controller: SteeringController
  /** See the options; they may change, as where a player takes over. */
  avoids: number
  isManual: boolean
  /**
   * Moves it: m, m/s, attitude, rad/s. Without the last two, they stay as they were.
   * @throws TypeError / RangeError for vectors that are not finite; then nothing has changed.
   */
  set(position: Vec3Like, velocity: Vec3Like, quaternion?: QuatLike, angularVelocity?: Vec3Like): void
  /** Leaves the world. A second call does nothing. */
  remove(): void
}

/** The ghosts of a world, and what they share. */
interface GhostsOfWorld {
  readonly all: Set<SteeringController>
  readonly locomotion: Hover
}

const ghosts = new WeakMap<SteeringWorld, GhostsOfWorld>()

/**
 * Shows the agents of a world an agent of another one. They avoid it and flock with it as with the agent
 * itself, and bit-identically if it was moved to where that was at the start of the step. It is no part of
 * snapshots that are taken by `withoutGhosts`.
 * @throws Error inside a step, or after dispose. TypeError / RangeError naming the option.
 */
export function addGhost(world: SteeringWorld, options: GhostOptions): Ghost {
  idleInternals('addGhost', world)
  unknownOptions('addGhost', [], options)
  const { seed, mass = 1, maxSpeed = 1, avoids = GROUPS.default, isManual = false } = options
  const { position = ZERO, velocity = ZERO, view = null } = options
  const {
    angularVelocity,
    forward,
    group,
    priority,
    quaternion,
    radius,
    solid,
    spaceHeight,
    spaceLength,
    up,
  } = options
  requireWhole('addGhost: seed', seed, -(2 ** 31), 2 ** 32 - 1)
  checkOption('addGhost: avoids', avoids, GROUPS)
  const body = new GhostBody(mass, requireSolid(solid))
  body.move('addGhost: ', position, velocity, quaternion, angularVelocity)
  let shared = ghosts.get(world)
  if (shared === undefined)
    ghosts.set(world, (shared = { all: new Set(), locomotion: new Hover({ attitude: null }) }))
  const { all, locomotion } = shared
  const behavior = { avoids, isManual, steer() {} }
  const controller = new SteeringController(view, {
    ...(forward && { forward }),
    ...(up && { up }),
    ...(group !== undefined && { group }),
    ...(priority !== undefined && { priority }),
    ...(radius !== undefined && { radius }),
    ...(spaceLength !== undefined && { spaceLength }),
    ...(spaceHeight !== undefined && { spaceHeight }),
    seed,
    behavior,
    locomotion,
    body,
    maxSpeed,
    maxForce: 0,
  })
  world.add(controller)
  all.add(controller)
  return {
    controller,
    get avoids() {
      return behavior.avoids
    },
    set avoids(groups) {
      checkOption('avoids', groups, GROUPS)
      behavior.avoids = groups
    },
    get isManual() {
      return behavior.isManual
    },
    set isManual(value) {
      behavior.isManual = value
    },
    set(...motion) {
      body.move('set: ', ...motion)
    },
    remove() {
      if (!all.delete(controller)) return
      if (!world.isDisposed) controller.dispose()
    },
  }
}

/**
 * Calls `action` while the ghosts have left the world, and adds them again. For `takeSnapshot` and
 * `restoreSnapshot` of a world with ghosts: a snapshot that holds ghosts could only be restored where the
 * same ones are.
 * @returns what `action` returns. @throws Error inside a step, or after dispose, and what `action` throws.
 */
export function withoutGhosts<T>(world: SteeringWorld, action: () => T): T {
  idleInternals('withoutGhosts', world)
  const all = [...(ghosts.get(world)?.all ?? [])].filter((each) => each.active)
  for (const each of all) world.remove(each)
  try {
    return action()
  } finally {
    for (const each of all) world.add(each)
  }
}

/** A dynamic body of cannon-es, which forces and contacts move. */
const CANNON_DYNAMIC = 1

function requireSolid(solid: GhostSolid | undefined): GhostSolid | null {
  if (solid === undefined) return null
  const { angularVelocity, position, quaternion, velocity } = Object(solid) as Partial<GhostSolid>
  for (const each of [angularVelocity, position, quaternion, velocity])
    if (typeof each?.set !== 'function')
      refuse('addGhost: solid', solid, 'must be a CANNON.Body or a GhostSolid')
  const { type } = solid as { type?: unknown }
  if (type === CANNON_DYNAMIC)
    outOfRange('addGhost: solid', solid, 'must be kinematic (type: CANNON.Body.KINEMATIC), not dynamic')
  return solid
}

/** Where the agent is that a ghost shows. */
class GhostBody implements SteeringBody {
  /** So that a solid is no obstacle besides. */
  readonly engineBody?: object
  private readonly position: Vec3 = vec3()
  private readonly velocity: Vec3 = vec3()
  private readonly quaternion: Quat = quat()
  private readonly angularVelocity: Vec3 = vec3()
  private readonly mass: number
  private readonly solid: GhostSolid | null

  constructor(mass: number, solid: GhostSolid | null) {
    this.mass = mass
    this.solid = solid
    if (solid !== null) this.engineBody = solid
  }

  move(
    caller: string,
    position: Vec3Like,
    velocity: Vec3Like,
    quaternion: QuatLike = this.quaternion,
    angularVelocity: Vec3Like = this.angularVelocity,
  ): void {
    requireVector(`${caller}position`, position)
    requireVector(`${caller}velocity`, velocity)
    requireQuaternion(`${caller}quaternion`, quaternion)
    requireVector(`${caller}angularVelocity`, angularVelocity)
    const { solid } = this
    copy(this.position, position)
    copy(this.velocity, velocity)
    copyQuat(this.quaternion, quaternion)
    copy(this.angularVelocity, angularVelocity)
    if (solid === null) return
    solid.position.set(position.x, position.y, position.z)
    solid.velocity.set(velocity.x, velocity.y, velocity.z)
    solid.quaternion.set(quaternion.x, quaternion.y, quaternion.z, quaternion.w)
    solid.angularVelocity.set(angularVelocity.x, angularVelocity.y, angularVelocity.z)
    // cannon-es computes the bounds of a body that was moved by hand only when it is told to
    if ('aabbNeedsUpdate' in solid) solid.aabbNeedsUpdate = true
  }

  read(out: BodyState): void {
    copy(out.position, this.position)
    copy(out.velocity, this.velocity)
    copyQuat(out.quaternion, this.quaternion)
    copy(out.angularVelocity, this.angularVelocity)
    out.mass = this.mass
  }

  apply(): void {}
}
