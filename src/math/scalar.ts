export const TAU: number = 2 * Math.PI

/** The angle (rad) that divides a turn so that no number of them comes near to where one was before. */
export const GOLDEN_ANGLE: number = Math.PI * (3 - Math.sqrt(5))

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}

/** A value between 0 and `most`; 0 for what is no number. */
export function upTo(value: number, most: number): number {
  return value > 0 ? Math.min(value, most) : 0
}

/** 1 / `sum`; `none` where that is not above 1e-300: as good as nothing, and less has no reciprocal. */
export function reciprocal(sum: number, none: number): number {
  return sum > 1e-300 ? 1 / sum : none
}

/** Angle (rad) with this cosine, which rounding may have put a hair outside of −1 … 1. */
export function arccos(cosine: number): number {
  return Math.acos(clamp(cosine, -1, 1))
}

/** 0 at `low`, 1 at `high`, smooth between. */
export function smoothstep(value: number, low: number, high: number): number {
  const t = clamp((value - low) / (high - low), 0, 1)
  return t * t * (3 - 2 * t)
}

/** Share of a first-order lag with time constant `time` that is made up in `dt`. 1 when `time` is 0. */
export function lagShare(dt: number, time: number): number {
  return time > 0 ? -Math.expm1(-dt / time) : 1
}
