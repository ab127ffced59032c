import { addScaled, isZero, normalize, scale, vec3 } from '../../core/math/vec3.js'
import { ArcPath } from './arc-path.js'

const leg = new ArcPath()

/**
 * Adds to `out` the path back along `path`, in `gear`. With −1 it is flown astern; an agent that cannot do so
 * sees from the gear that the path turns back.
 */
export function addReversed(out: ArcPath, path: ArcPath, gear: 1 | -1): ArcPath {
  const point = vec3()
  const tangent = vec3()
  const curvature = vec3()
  for (let i = path.count - 1; i >= 0; i--) {
    const from = path.startOf(i)
    const size = path.startOf(i + 1) - from
    const middle = from + size / 2
    // the middle belongs to this piece, the end belongs to the next one
    path.pointAt(point, middle)
    path.tangentAt(tangent, middle)
    path.curvatureAt(curvature, middle)
    const bend = path.bendOf(i)
    const half = (size / 2) * bend
    if (isZero(curvature)) addScaled(point, point, tangent, size / 2)
    else {
      normalize(curvature, curvature)
      addScaled(point, point, tangent, Math.sin(half) / bend)
      addScaled(point, point, curvature, (2 * Math.sin(half / 2) ** 2) / bend)
      const aside = { ...curvature }
      addScaled(curvature, scale(curvature, aside, Math.cos(half)), tangent, -Math.sin(half))
      addScaled(tangent, scale(tangent, tangent, Math.cos(half)), aside, Math.sin(half))
    }
    leg.begin(point, scale(tangent, tangent, -gear))
    if (isZero(curvature)) leg.straight(size, gear)
    else leg.arc(curvature, 1 / bend, 2 * half, gear)
    out.append(leg)
  }
  return out
}
