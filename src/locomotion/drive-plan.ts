/**
 * Ways of a vehicle with a least turn radius to a place, whatever its heading is there. In its own plane,
 * with the vehicle at the origin: x ahead, y to the side of the place (≥ 0).
 */

/** Whether a place lies inside the circle with this `radius` that touches the vehicle on that side. */
export function isInsideCircle(x: number, y: number, radius: number): boolean {
  return x * x + y * y < 2 * radius * y
}

/**
 * Length (m) of the curve and the straight line that lead to a place ahead or behind, outside of the circle
 * (the shortest way, Dubins 1957, with a free heading at its end).
 */
export function curveLength(x: number, y: number, radius: number): number {
  if (x * x + y * y === Infinity) return Infinity
  const offset = y - radius
  const distance = Math.hypot(x, offset)
  const straight = Math.sqrt(Math.max(0, distance * distance - radius * radius))
  // angle of the curve, from the vehicle to where the straight line leaves the circle
  const angle = Math.atan2(x, -offset) - Math.acos(Math.min(1, radius / Math.max(distance, radius)))
  const turned = angle < -1e-9 ? angle + 2 * Math.PI : Math.max(0, angle)
  return radius * turned + straight
}

/**
 * Angle (rad) of the curve astern, on the opposite circle, after which the curve ahead leads to a place
 * inside the circle.
 */
export function backAngle(x: number, y: number, radius: number): number {
  const offset = y + radius
  const distance = Math.hypot(x, offset)
  const cosine = (distance * distance + 3 * radius * radius) / (4 * radius * distance)
  return Math.max(0, Math.acos(Math.min(1, cosine)) - Math.atan2(x, offset))
}
