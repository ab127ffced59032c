import type { ReciprocalAvoidanceOptions } from 'three-steering'

/** What the guide on walkers recommends for crowds at 60 steps a second. */
export const CROWD: ReciprocalAvoidanceOptions = { caution: 1.25, clearance: 0.06 }
