import type { Behavior } from '../types.js'
import type { Constraint } from '../solver/constraint.js'
import type { AnyTable, OptionTable } from '../math/options.js'
import { requireBehavior, refuse } from '../math/require.js'

/**
 * A behaviour as part of a combination. Lists of parts may be edited at any time, also from callbacks inside
 * a step: parts may be added, removed, reordered, switched, given another weight or probability. In a world
 * changes take effect at the start of the next step, for all agents at once; outside of a world immediately.
 * The array given to a constructor is copied: edit the parts of the combination.
 */
export interface Part<B extends Behavior = Behavior> {
  readonly behavior: B
  /** Whether it takes part. A part switched off is treated as if it were not in the list. Default true. */
  enabled?: boolean
}

/** A behaviour with its weight. */
export interface Weighted extends Part {
  /** Factor on force and torque, dimensionless, finite. Default 1. */
  weight?: number
  /**
   * Time (s, ≥ 0) in which a new weight, or switching the part on or off, takes effect: linearly, from the
   * present value. A part that is added later starts from 0. A part that is removed stops at once: switch it
   * off first. A change during a transition continues from the present value with the new rate. Default 0:
   * with the next step.
   */
  fade?: number
}

/** A part as it is stored in the list. */
export type WeightedPart = Weighted & { weight: number }

/** The first argument of combinations of weighted parts. */
export const WEIGHTED = { parts: { kind: ['weighted'], required: true } } as const

/** How a combination reads and checks its parts. */
export interface PartRules<P extends Part> {
  /** Name of the list, as its user knows it: `blend.parts`. */
  readonly name: string
  /** The options of a part. */
  readonly options: { readonly behavior: { readonly check: Check<P['behavior']> } } & AnyTable
  /** The field with the number of a part, if it has one; 1 where it is left out. A weight may fade. */
  readonly number?: 'weight' | 'probability'
}

/** @throws TypeError if the value cannot be a part. */
type Check<B extends Behavior> = (what: string, behavior: B) => B

const ENABLED = { kind: 'boolean', default: true } as const

/** The options of a part without a number. */
export const PART = {
  behavior: { kind: 'instance', required: true, check: requireBehavior },
  enabled: ENABLED,
} as const satisfies OptionTable<Part>

const WEIGHTED_PART = {
  behavior: PART.behavior,
  weight: { kind: 'number', default: 1 },
  enabled: ENABLED,
  fade: { kind: 'number', unit: 's', atLeast: 0 },
} as const satisfies OptionTable<Weighted>

const CONSTRAINT = {
  behavior: { kind: 'instance', required: true, check: requireConstraint },
  enabled: ENABLED,
} as const satisfies OptionTable<Part<Constraint>>

/** Rules for parts with a weight. */
export function weightedRules(name: string): PartRules<WeightedPart> {
  return { name, options: WEIGHTED_PART, number: 'weight' }
}

/** Rules for constraints, which have no number. */
export function constraintRules(name: string): PartRules<Part<Constraint>> {
  return { name, options: CONSTRAINT }
}

function requireConstraint(what: string, value: Constraint): Constraint {
  if (typeof value?.constrain !== 'function')
    refuse(what, value, 'must be a constraint: a behaviour with constrain(agent, step, constraints)')
  return value
}

/** True for a part, false for a behaviour alone. A behaviour may have a field named `behavior` itself. */
export function isPart<P extends Part>(given: P['behavior'] | P): given is P {
  return typeof given === 'object' && given !== null && 'behavior' in given && !('steer' in given)
}
