import type { Archive, Behavior } from '../types.js'
import type { Constraint } from '../solver/constraint.js'
import { requireBehavior, requireFinite } from '../math/require.js'

/**
 * A behaviour as part of a combination. Lists of parts may be edited at any time, also from callbacks inside a step: parts added, removed,
 * reordered, switched, given another weight or probability. In a world that takes effect at the start of the next step, for all agents at
 * once; outside of one at once. What a constructor was given is copied: edit the parts of the combination.
 */
export interface Part<B extends Behavior = Behavior> {
  readonly behavior: B
  /** Whether it takes part; if not, it is as if it were not in the list. Default true. */
  enabled?: boolean
}

/** A behaviour with its share. */
export interface Weighted extends Part {
  /** Factor on force and torque, dimensionless, finite. Default 1. */
  weight?: number
  /**
   * Time (s, ≥ 0) in which a new weight, or switching it on or off, takes effect: evenly, from what holds then. One that is added to the list
   * later comes in from nothing, one that is removed goes at once: switch it off first. Changed on the way, it goes on
   * from where it is, at the new pace. Default 0: with the next step.
   */
  fade?: number
}

/** As it stands in the list. */
export type WeightedPart = Weighted & { weight: number }

/** How a combination sees its parts. */
export interface PartRules<P extends Part, G extends Part = P> {
  /** Of the combination, for messages. */
  readonly name: string
  /** Makes a part of a behaviour alone, or of what a user gave; checks it. */
  readonly part: (given: P['behavior'] | G) => P
  /** The number that belongs to a part, if any: its weight, its probability. */
  readonly share?: (part: P) => number
  /** The time (s) in which that goes over to a new one, where it does. */
  readonly fade?: (part: P) => number
  /** For snapshots: the number that belongs to a part. */
  readonly serialize?: (part: P, archive: Archive) => void
  /** @throws TypeError for what cannot be a part. */
  readonly check: (behavior: P['behavior']) => void
}

/** For parts that have nothing but their place in the list. */
export function plainRules(name: string, what: string): PartRules<Part> {
  return {
    name,
    check: (behavior) => void requireBehavior(what, behavior),
    part(given) {
      const { behavior, enabled = true }: Part = isPart(given) ? given : { behavior: given }
      return { behavior: requireBehavior(what, behavior), enabled }
    },
  }
}

/** For parts with a weight: a RangeError for one that is not finite. */
export function weightedRules(name: string, what = 'part'): PartRules<WeightedPart, Weighted> {
  const check = (behavior: Behavior): Behavior => requireBehavior(`${name}: ${what}`, behavior)
  return {
    name,
    check,
    share: ({ weight = 1 }: Weighted) => weight,
    fade: ({ fade = 0 }: Weighted) => fade,
    serialize(part, archive) {
      const given: Weighted = part
      part.weight = archive.number(given.weight ?? 1)
    },
    part(given) {
      const {
        behavior,
        weight = 1,
        enabled = true,
        fade,
      }: Weighted = isPart(given) ? given : { behavior: given }
      return {
        behavior: check(behavior),
        weight: requireFinite(`${name}: weight`, weight, -Infinity, true),
        enabled,
        ...(fade === undefined ? {} : { fade: requireFinite(`${name}: fade`, fade, 0, false) }),
      }
    },
  }
}

/** For constraints, which have nothing but their place in the list either. */
export function constraintRules(name: string): PartRules<Part<Constraint>> {
  const check = (value: Constraint): void => {
    if (typeof value?.constrain !== 'function')
      throw new TypeError(
        `${name}: constraint: got ${String(value)}, must be a constraint: a behaviour with constrain(agent, step, limits)`,
      )
  }
  return {
    name,
    check,
    part(given) {
      const { behavior, enabled = true }: Part<Constraint> = isPart(given) ? given : { behavior: given }
      check(behavior)
      return { behavior, enabled }
    },
  }
}

/** True for a part, false for a behaviour alone, which may have a field of that name itself. */
export function isPart<P extends Part>(given: P['behavior'] | P): given is P {
  return typeof given === 'object' && given !== null && 'behavior' in given && !('steer' in given)
}
