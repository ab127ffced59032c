import type { RollPolicy } from './nose.js'

/** Roll policies of behaviours that turn the nose; leaning into a turn is the locomotion's business. */
export type FacingRoll = Exclude<RollPolicy, 'bank' | 'match'>

/** @throws RangeError for any other value. */
export function requireRoll(what: string, roll: FacingRoll): FacingRoll {
  if (roll !== 'level' && roll !== 'free')
    throw new RangeError(`${what}: got '${String(roll)}', allowed are 'level', 'free'`)
  return roll
}
