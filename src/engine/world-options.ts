import type { Vec3, Vec3Like } from '../types.js'
import type { Obstacles } from '../obstacles/obstacles.js'
import { copy, normalize, vec3 } from '../math/vec3.js'
import { requireGuard } from './guard.js'
import { requireBox, type Box } from './options.js'
import { requireNumber, requireVector, requireWhole } from '../math/require.js'

export interface WorldOptions {
  /** Seed of all random streams, a 32-bit whole number. Default 1. */
  seed?: number
  /** Direction away from the ground, any length but zero. Default +Y. */
  up?: Vec3Like
  /**
   * Acceleration by gravity of agents without a body, m/s². Bodies have that of their physics world. Default
   * none.
   */
  gravity?: Vec3Like
  /**
   * Box (m) whose opposite sides are joined for agents without a body: an agent that leaves it re-enters at
   * the opposite side. Neighbours are not searched across its sides. Default none.
   */
  wrap?: { readonly min: Vec3Like; readonly max: Vec3Like }
  /**
   * Solids that the centre of an agent without a body never enters: its step ends at their surface. This is a
   * last resort and not a behaviour (Green, "enforced at the integrator level"); bodies have the contacts of
   * their engine. The set may change at any time. Default none.
   */
  guard?: Obstacles
  /** Step of `advance`, s, > 0. Default 1/60. */
  fixedStep?: number
  /**
   * Largest number of steps that `advance` makes in one call; the rest of a longer frame is dropped. Whole, ≥
   * 1. Default 5.
   */
  maxSteps?: number
}

/** The checked options of a world. */
export interface WorldSettings {
  readonly seed: number
  readonly up: Vec3Like
  readonly gravity: Vec3
  readonly wrap: Box | null
  readonly guard: Obstacles | null
  readonly fixedStep: number
  readonly maxSteps: number
}

/** Checks the options and fills in the defaults. */
export function worldSettings(options: WorldOptions): WorldSettings {
  const {
    seed = 1,
    up = { x: 0, y: 1, z: 0 },
    gravity = vec3(),
    wrap,
    guard,
    fixedStep = 1 / 60,
    maxSteps = 5,
  } = options
  const above = normalize(vec3(), requireVector('up', up))
  if (above.x === 0 && above.y === 0 && above.z === 0)
    throw new RangeError('up: got (0, 0, 0), must have a direction')
  return {
    seed: requireWhole('seed', seed, 0, 2 ** 32 - 1),
    up: above,
    gravity: copy(vec3(), requireVector('gravity', gravity)),
    wrap: wrap === undefined ? null : requireBox('wrap', wrap),
    guard: guard === undefined ? null : requireGuard('guard', guard),
    fixedStep: requireNumber('fixedStep', fixedStep, 0, true, 1),
    maxSteps: requireWhole('maxSteps', maxSteps, 1, 1e6),
  }
}
