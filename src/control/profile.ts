/**
 * Speed from which a thing can still stop within `distance`: it loses `decel` (m/s²) by its brakes and `damping` · v by
 * the engine, and reacts with a lag of `time` seconds. For zero damping and lag this is √(2·a·d); the lag makes it
 * d / time near the goal, so that the approach ends smoothly instead of with an infinite gain.
 * Works alike for angles (rad, rad/s²). Total: zero distance gives 0, infinite `decel` gives distance / time.
 */
export function brakingSpeed(distance: number, decel: number, damping: number, time: number): number {
  if (!(distance > 0)) return 0
  let speed = (2 * distance) / (time + Math.sqrt(time * time + (2 * distance) / decel))
  if (!(damping > 0) || decel === Infinity) return speed
  // Newton on the stopping distance s(v) = v·t + v/k − a/k²·ln(1 + k·v/a), which is convex: converges from the right
  for (let i = 0; i < 6; i++) {
    const next =
      speed + (distance - stoppingDistance(speed, decel, damping, time)) * slope(speed, decel, damping, time)
    if (Math.abs(next - speed) <= 1e-9 * speed) break
    speed = next
  }
  return speed
}

/** Distance needed to stop from `speed`, the inverse of {@link brakingSpeed}. */
export function stoppingDistance(speed: number, decel: number, damping: number, time: number): number {
  const ratio = (damping * speed) / decel
  // below 1e-3 the closed form loses digits; the series is exact to 1e-9 there
  const braking =
    ratio > 1e-3
      ? speed / damping - (decel / (damping * damping)) * Math.log1p(ratio)
      : ((speed * speed) / decel) * (0.5 - ratio / 3 + (ratio * ratio) / 4)
  return speed * time + braking
}

/** Change of the braking speed per metre of distance, 1/s. */
export function slope(speed: number, decel: number, damping: number, time: number): number {
  return 1 / (time + speed / (decel + damping * speed))
}
