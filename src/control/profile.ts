/** Share of the braking force that plans count on; the rest corrects errors on the way. */
export const BRAKE_SHARE = 0.9

/**
 * Speed from which a thing can still stop within `distance`: it loses `decel` (m/s²) by its brakes and `damping` · v by
 * the engine, and reacts with a lag of `time` seconds. For zero damping and lag this is √(2·a·d); the lag makes it
 * d / time near the goal, so that the approach ends smoothly instead of with an infinite gain.
 * Works alike for angles (rad, rad/s²). Total: zero distance gives 0, infinite `decel` gives distance / time, and what
 * cannot stop at all (no brakes, no damping) must not move.
 */
export function brakingSpeed(distance: number, decel: number, damping: number, time: number): number {
  if (!(distance > 0)) return 0
  if (distance === Infinity) return decel > 0 || damping > 0 ? Infinity : 0
  if (decel === 0) return damping > 0 ? distance / (time + 1 / damping) : 0
  // 2·d / (t + √(t² + 2·d/a)), halved above and below so that it cannot overflow
  let speed = distance / (time / 2 + Math.sqrt((time * time) / 4 + distance / decel / 2))
  if (!(damping > 0) || decel === Infinity) return speed
  // Newton on the stopping distance s(v) = v·t + v/k − a/k²·ln(1 + k·v/a), which is convex: converges from the right
  for (let i = 0; i < 6; i++) {
    const miss = distance - stoppingDistance(speed, decel, damping, time)
    const next = speed + miss * slope(speed, decel, damping, time)
    if (Math.abs(next - speed) <= 1e-9 * speed) break
    speed = next
  }
  return speed
}

/** Distance needed to stop from `speed`, the inverse of {@link brakingSpeed}. Infinite where nothing brakes. */
export function stoppingDistance(speed: number, decel: number, damping: number, time: number): number {
  if (!(speed > 0)) return 0
  const ratio = (damping * speed) / decel
  if (ratio === Infinity) return speed * (time + 1 / damping)
  // below 1e-3 the closed form loses digits; the series is exact to 1e-9 there
  const braking =
    ratio > 1e-3
      ? speed / damping - (decel / (damping * damping)) * Math.log1p(ratio)
      : ((speed * speed) / decel) * (0.5 - ratio / 3 + (ratio * ratio) / 4)
  return Number.isNaN(braking) ? Infinity : speed * time + braking
}

/** Change of the braking speed per metre of distance, 1/s. */
export function slope(speed: number, decel: number, damping: number, time: number): number {
  const braking = decel + damping * speed
  if (braking > 0) return 1 / (time + speed / braking)
  return damping > 0 ? 1 / (time + 1 / damping) : 0
}
