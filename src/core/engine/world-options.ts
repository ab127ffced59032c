import { unknownOptions } from '#hints'
import type { Vec3, Vec3Like } from '../types.js'
import { DEFAULT_UP } from '../math/frame.js'
import { copy, normalize, vec3, ZERO } from '../math/vec3.js'
import type { Guard } from './guard.js'
import type { Box } from './agents.js'
import { requireBox } from './options.js'
import { readOptions, type AnyTable, type Options, type OptionsOf } from '../math/options.js'
import { requireVector, refuse, outOfRange } from '../math/require.js'

export interface WorldOptions extends Options, OptionsOf<typeof WORLD> {}

/** The rate of most screens, and the default step of cannon-es, s. */
const DEFAULT_FIXED_STEP: number = 1 / 60

/** The table of `WorldOptions`. */
export const WORLD = {
  /** Seed of all random streams, a 32-bit whole number. Default 1. */
  seed: { kind: 'number', whole: true, atLeast: 0, atMost: 4294967295, default: 1 },
  /** Direction away from the ground, any length but zero. Default +Y. */
  up: { kind: 'vector', default: DEFAULT_UP, check: requireVector },
  /**
   * Acceleration by gravity of agents without a body, m/s². Bodies have that of their physics world. Default
   * none.
   */
  gravity: { kind: 'vector', unit: 'm/s²', default: ZERO, check: requireVector },
  /**
   * Box (m) whose opposite sides are joined for agents without a body: an agent that leaves it re-enters at
   * the opposite side. Neighbours are not searched across its sides. Default none.
   */
  wrap: { kind: 'data', unit: 'm', check: requireBox },
  /**
   * `new Guard(obstacles)`: solids that the centre of an agent without a body never enters; its step ends at
   * their surface. This is a last resort and not a behaviour (Green, "enforced at the integrator level");
   * bodies have the contacts of their engine. The set may change at any time. Default none.
   */
  guard: { kind: 'instance', check: requireGuard },
  /** Step of `advance`, s, > 0. Default 1/60. */
  fixedStep: { kind: 'number', unit: 's', above: 0, atMost: 1, default: DEFAULT_FIXED_STEP },
  /**
   * Largest number of steps that `advance` makes in one call; the rest of a longer frame is dropped. Whole, ≥
   * 1. Default 5.
   */
  // A frame may take 5/60 s, about a twelfth of a second, before simulated time falls behind. Chosen by hand.
  maxSteps: { kind: 'number', whole: true, atLeast: 1, atMost: 1e6, default: 5 },
} as const satisfies AnyTable

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
  const { up, gravity, wrap, guard, ...read } = readOptions('', WORLD, options)
  unknownOptions('SteeringWorld', WORLD, options)
  const upward = normalize(vec3(), up)
  if (upward.x === 0 && upward.y === 0 && upward.z === 0) outOfRange('up', up, 'must have a direction')
  return {
    ...read,
    up: upward,
    gravity: copy(vec3(), gravity),
    wrap: wrap ?? null,
    guard: guard ?? null,
  }
}

/** @throws TypeError for a value that is not a Guard. Does not use `instanceof`: two copies may be loaded. */
function requireGuard(what: string, value: Guard): Guard {
  if (typeof value?.hold !== 'function') refuse(what, value, 'must be a Guard, as new Guard(obstacles)')
  return value
}
