import type { SteeringWorld } from 'three-steering'

/** A scene whose flight is recorded. */
export interface FlownScene {
  readonly worlds: readonly SteeringWorld[]
  /** Makes a step of 1/60 s, or some of them. */
  readonly step: () => void
}

/** The steps of a flight that are recorded. A flight ends with the last. */
export const MOMENTS = [30, 90, 240]

/** Makes as many steps at once as it takes that the flight lasts for this time (s). */
export function stretched(step: () => void, time = 0): () => void {
  const count = Math.max(1, Math.round((60 * time) / MOMENTS.at(-1)!))
  return () => {
    for (let i = 0; i < count; i++) step()
  }
}
