/** Share of the braking force that plans count on. Larger: later, with less for errors. Chosen by hand. */
export const BRAKE_SHARE = 0.9

/**
 * Largest speed (m/s) from which a body can still stop within `distance` (m). It loses `decel` (m/s²) by its
 * brakes and `damping` · v (`damping` in 1/s) by the physics engine, and reacts with a lag of `time` (s). For
 * zero damping and lag this is √(2·a·d); the lag makes it distance / time near the goal, so that the approach
 * ends smoothly instead of with an infinite gain. It works alike for angles (rad, rad/s²). Total: zero
 * distance gives 0, infinite `decel` gives distance / time, and a body that cannot stop at all (no brakes, no
 * damping) must not move.
 */
export function brakingSpeed(distance: number, decel: number, damping: number, time: number): number {
  if (!(distance > 0)) return 0
  if (distance === Infinity) return decel > 0 || damping > 0 ? Infinity : 0
  if (decel === 0) return damping > 0 ? distance / (time + 1 / damping) : 0
  // 2·d / (t + √(t² + 2·d/a)), numerator and denominator halved so that it cannot overflow
  let speed = distance / (time / 2 + Math.sqrt((time * time) / 4 + distance / decel / 2))
  if (!(damping > 0) || decel === Infinity) return speed
  // Newton on the stopping distance s(v) = v·t + v/k − a/k²·ln(1 + k·v/a), which is convex: converges from
  // the right
  for (let i = 0; i < 6; i++) {
    const error = distance - stoppingDistance(speed, decel, damping, time)
    const next = speed + error * slope(speed, decel, damping, time)
    if (Math.abs(next - speed) <= 1e-9 * speed) break
    speed = next
  }
  return speed
}

/** Distance (m) to stop from `speed` (m/s), the inverse of {@link brakingSpeed}. Infinite without brakes. */
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

/** As {@link stoppingDistance} without damping. Short: V8 inlines it, and boxes what is passed. */
export function undampedStop(speed: number, decel: number, time: number): number {
  const stop = speed * time + ((speed * speed) / decel) * 0.5
  // `1 / 0`: beside a global that V8 has not read yet, the other value is boxed
  return speed > 0 ? (stop >= 0 ? stop : 1 / 0) : 0
}

/** Derivative of the braking speed with respect to distance (1/s). */
export function slope(speed: number, decel: number, damping: number, time: number): number {
  const braking = decel + damping * speed
  if (braking > 0) return 1 / (time + speed / braking)
  return damping > 0 ? 1 / (time + 1 / damping) : 0
}

/** The assumptions of a plan to come to rest. Lengths and times in m and s; alike for angles, rad. */
export interface BrakingPlan {
  /** Deceleration by the brakes, m/s², ≥ 0. */
  decel: number
  /** Rate at which the physics engine reduces the speed, 1/s, ≥ 0. */
  damping: number
  /** Reaction time, s, > 0: near the end the speed is distance / lag. */
  lag: number
  /** The plan is never faster than this, m/s. */
  top: number
  /** Speed to have at the end, m/s, ≥ 0. */
  end: number
}

export function brakingPlan(): BrakingPlan {
  // 0.5: V8 boxes a field that starts with a whole number once it holds a fraction
  return { decel: 0.5, damping: 0.5, lag: 0.5, top: 0.5, end: 0 }
}

/** Planned speed (m/s) at a distance (m) from the end; beyond it the speed back, negative. */
export function plannedSpeed(plan: BrakingPlan, distance: number): number {
  const { decel, damping, end, lag, top } = plan
  if (end > 0) return Math.min(top, distance > 0 ? Math.sqrt(end * end + 2 * decel * distance) : end)
  const speed = brakingSpeed(Math.abs(distance), decel, damping, lag)
  return Math.sign(distance) * Math.min(top, speed)
}

/**
 * Lag (s) for a plan that is followed in steps of `dt` (s), so that plan and steps together react within
 * `lag` (s). Not less than half a step: a plan that ends in one step amplifies every error.
 */
export function lagBeside(lag: number, dt: number): number {
  return Math.max(lag - dt, dt / 2)
}

/**
 * Acceleration (m/s²) towards the end that brings `speed` to the plan with the time constant `time` (s) and
 * keeps it there. After a step of `dt` (s) the difference from the plan, at the position then reached, is 1 −
 * dt / time of what it was: the motion does not lag behind the plan, and no step is too long for a stiff
 * servo; with `time` = `dt` the next step is on the plan. (A slope fed forward as it was at the start of the
 * step is unstable for steps longer than `time` / 1.2.)
 * @param wanted `plannedSpeed(plan, distance)`, m/s, for a caller that has it.
 */
export function followPlan(
  plan: BrakingPlan,
  distance: number,
  speed: number,
  time: number,
  dt: number,
  wanted: number = plannedSpeed(plan, distance),
): number {
  const change = followSlope(wanted, steepness(plan, wanted, distance), speed, time, dt)
  const path = (speed + change * dt) * dt
  if (!(path > 0 && distance > 0 && path < Infinity)) return change
  // the chord to the position reached, not the tangent: the plan is curved, and errors must not add up
  return followSlope(wanted, (wanted - plannedSpeed(plan, distance - path)) / path, speed, time, dt)
}

/** Change of the planned speed per metre (1/s); 0 where the speed is constant. */
function steepness({ damping, decel, end, lag, top }: BrakingPlan, speed: number, distance: number): number {
  if (Math.abs(speed) === top) return 0
  if (end > 0) return distance > 0 ? decel / speed : 0
  return slope(Math.abs(speed), decel, damping, lag)
}

/** As {@link followPlan}, for a plan that is `wanted` (m/s) here and changes by `steep` (1/s). */
export function followSlope(wanted: number, steep: number, speed: number, time: number, dt: number): number {
  return ((wanted - speed) / time - steep * speed) / (1 + steep * dt)
}
