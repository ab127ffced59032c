import type { Vec3, Vec3Like } from '../../types.js'
import { addScaled, scale } from '../../math/vec3.js'

/**
 * A way from one pattern to another on which no two meet: of one member, `share` (0..1) of the way from its slot `from` to its slot `to`,
 * all members at the same share, all places m, in one frame. The centres go straight and are the same for all: the mean places before
 * and after, or twice the place of a leader, who then stays. About them each flies the arc cos θ · a + sin θ · b, not the chord: the formation
 * swells by up to √2 while it changes. Writes the place and, where `rate` is given, its change per share (m), to be multiplied by the rate of
 * the share (1/s).
 *
 * Why no two meet: with the assignment of least squared ways (see {@link Assignment}) the arms of any two differ before and after by
 * vectors u, w with u · w ≥ 0, so their distance, |cos θ · u + sin θ · w|, never falls below the smaller of |u| and |w|; on straight ways
 * it may fall to that over √2. Our own, on the condition of Turpin, Michael and Kumar, CAPT (2014). It does not hold for pairs that roles or
 * a hysteresis keep from having each other's slots: solve with a hysteresis of 0.
 */
export function changeOver(
  out: Vec3,
  from: Vec3Like,
  to: Vec3Like,
  fromCentre: Vec3Like,
  toCentre: Vec3Like,
  share: number,
  rate?: Vec3,
): Vec3 {
  const t = share > 0 ? Math.min(share, 1) : 0
  const angle = (t * Math.PI) / 2
  const before = t < 1 ? Math.cos(angle) : 0
  const after = Math.sin(angle)
  // to centres, each as much as is left of a straight way of theirs
  const a = 1 - t - before
  const b = t - after
  if (rate !== undefined) {
    const turn = Math.PI / 2
    scale(rate, from, -turn * after)
    addScaled(rate, rate, to, turn * before)
    addScaled(rate, rate, fromCentre, turn * after - 1)
    addScaled(rate, rate, toCentre, 1 - turn * before)
  }
  const x = before * from.x + after * to.x + a * fromCentre.x + b * toCentre.x
  const y = before * from.y + after * to.y + a * fromCentre.y + b * toCentre.y
  const z = before * from.z + after * to.z + a * fromCentre.z + b * toCentre.z
  out.x = x
  out.y = y
  out.z = z
  return out
}
