export const TAU: number = 2 * Math.PI

/** Golden angle (rad): the directions after any number of turns by it are spread evenly. */
export const GOLDEN_ANGLE: number = Math.PI * (3 - Math.sqrt(5))

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}

/** `value`, clamped to 0 … `max`; 0 for NaN. */
export function upTo(value: number, max: number): number {
  return value > 0 ? Math.min(value, max) : 0
}

/** 1 / `sum`, or `fallback` up to 1e-300: the reciprocal of even smaller numbers is not finite. */
export function reciprocal(sum: number, fallback: number): number {
  return sum > 1e-300 ? 1 / sum : fallback
}

/** Angle (rad) with this cosine, which may be slightly outside of −1 … 1 because of rounding. */
export function arccos(cosine: number): number {
  return Math.acos(clamp(cosine, -1, 1))
}

/** 0 up to `low`, 1 from `high` on, and smooth between (cubic). */
export function smoothstep(value: number, low: number, high: number): number {
  const t = clamp((value - low) / (high - low), 0, 1)
  return t * t * (3 - 2 * t)
}

/**
 * Share of the remaining difference by which a first-order lag with the time constant `time` (s) closes in
 * `dt` (s). 1 if `time` is 0.
 */
export function lagShare(dt: number, time: number): number {
  return time > 0 ? -Math.expm1(-dt / time) : 1
}
