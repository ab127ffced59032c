import type { Behavior, BodyState, SteeringBody, Vec3Like, View } from '../types.js'
import { SteeringController } from '../engine/controller.js'
import type { SteeringWorld } from '../engine/world.js'
import { Hover } from '../locomotion/hover.js'
import { requireVector, requireWhole } from '../math/require.js'
import { copy, set, vec3 } from '../math/vec3.js'
import { setQuat } from '../math/quat.js'
import { idleInternals } from '../snapshot/snapshot.js'

/** What the agents of a world see of an agent of another one. SI units, world axes. */
export interface GhostOptions {
  /** Its key in its own world, see `Agent.seed` and `Parcel.seed`. */
  seed: number
  /** m and m/s. Default at rest at the origin. */
  position?: Vec3Like
  velocity?: Vec3Like
  /** As in its own world; defaults as there: 0.5 m, 1 kg, 1 m/s, group 1, priority 1. */
  radius?: number
  mass?: number
  maxSpeed?: number
  group?: number
  priority?: number
  /** Shows it. Default none. */
  view?: View
}

/** An agent of another world, as this world sees it. It wants nothing and is moved by `set` alone. */
export interface Ghost {
  /** Its controller in this world, which others may have as a target. */
  readonly controller: SteeringController
  /** Moves it: m, m/s. @throws TypeError / RangeError for vectors that are not finite. */
  set(position: Vec3Like, velocity: Vec3Like): void
  /** Leaves the world. A second call does nothing. */
  remove(): void
}

/** The ghosts of a world, and what they share. */
interface GhostsOfWorld {
  readonly all: Set<SteeringController>
  readonly behavior: Behavior
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
  const { seed, mass = 1, maxSpeed = 1, position = ORIGIN, velocity = ORIGIN, view = null, ...rest } = options
  requireWhole('addGhost: seed', seed, -(2 ** 31), 2 ** 32 - 1)
  requireVector('addGhost: position', position)
  requireVector('addGhost: velocity', velocity)
  const body = new GhostBody(mass, position, velocity)
  let shared = ghosts.get(world)
  if (shared === undefined)
    ghosts.set(
      world,
      (shared = { all: new Set(), behavior: { steer() {} }, locomotion: new Hover({ attitude: null }) }),
    )
  const { all, behavior, locomotion } = shared
  const controller = new SteeringController(view, {
    ...rest,
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
    set(to, speed) {
      copy(body.position, requireVector('set: position', to))
      copy(body.velocity, requireVector('set: velocity', speed))
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

const ORIGIN = vec3()

class GhostBody implements SteeringBody {
  readonly position = vec3()
  readonly velocity = vec3()
  private readonly mass: number

  constructor(mass: number, position: Vec3Like, velocity: Vec3Like) {
    this.mass = mass
    copy(this.position, position)
    copy(this.velocity, velocity)
  }

  read(out: BodyState): void {
    copy(out.position, this.position)
    copy(out.velocity, this.velocity)
    set(out.angularVelocity, 0, 0, 0)
    setQuat(out.quaternion, 0, 0, 0, 1)
    out.mass = this.mass
  }

  apply(): void {}
}
