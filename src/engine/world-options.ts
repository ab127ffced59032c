import type { Vec3, Vec3Like } from '../types.js'
import { DEFAULT_UP } from '../math/frame.js'
import { copy, normalize, vec3 } from '../math/vec3.js'
import type { Guard } from './guard.js'
import { requireBox, type Box } from './options.js'
import { requireNumber, requireVector, requireWhole } from '../math/require.js'

const DEFAULT_WORLD_SEED = 1
/** The rate of most screens, and the default step of cannon-es, s. */
const DEFAULT_FIXED_STEP: number = 1 / 60
/**
 * A frame may take 5/60 s, about a twelfth of a second, before simulated time falls behind. Chosen by hand.
 */
const DEFAULT_MAX_STEPS = 5

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
   * `new Guard(obstacles)`: solids that the centre of an agent without a body never enters; its step ends at
   * their surface. This is a last resort and not a behaviour (Green, "enforced at the integrator level");
   * bodies have the contacts of their engine. The set may change at any time. Default none.
   */
  guard?: Guard
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
  readonly guard: Guard | null
  readonly fixedStep: number
  readonly maxSteps: number
}

/** Checks the options and fills in the defaults. */
export function worldSettings(options: WorldOptions): WorldSettings {
  const {
    seed = DEFAULT_WORLD_SEED,
    up = DEFAULT_UP,
    gravity = vec3(),
    wrap,
    guard,
    fixedStep = DEFAULT_FIXED_STEP,
    maxSteps = DEFAULT_MAX_STEPS,
  } = options
  const upward = normalize(vec3(), requireVector('up', up))
  if (upward.x === 0 && upward.y === 0 && upward.z === 0)
    throw new RangeError('up: got (0, 0, 0), must have a direction')
  return {
    seed: requireWhole('seed', seed, 0, 2 ** 32 - 1),
    up: upward,
    gravity: copy(vec3(), requireVector('gravity', gravity)),
    wrap: wrap === undefined ? null : requireBox('wrap', wrap),
    guard: guard === undefined ? null : requireGuard(guard),
    fixedStep: requireNumber('fixedStep', fixedStep, 0, true, 1),
    maxSteps: requireWhole('maxSteps', maxSteps, 1, 1e6),
  }
}

/** @throws TypeError for a value that is not a Guard. Does not use `instanceof`: two copies may be loaded. */
function requireGuard(value: Guard): Guard {
  if (typeof value?.hold !== 'function')
    throw new TypeError(`guard: got ${String(value)}, must be a Guard, as new Guard(obstacles)`)
  return value
}
