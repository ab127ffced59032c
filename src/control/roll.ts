import type { RollPolicy } from './nose.js'

/** Roll policies of behaviours that turn the nose; leaning into a turn is the locomotion's business. */
export type FacingRoll = Exclude<RollPolicy, 'bank' | 'match'>
