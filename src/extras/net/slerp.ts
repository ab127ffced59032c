import type { Quat, QuatLike } from '../../core/types.js'
import { nlerp, setQuat } from '../../core/math/quat.js'

/**
 * Interpolates from unit attitude `a` to `b` at `t` in [0, 1], by the smaller angle, at a constant rate
 * (Shoemake, "Animating Rotation with Quaternion Curves", 1985).
 */
export function slerp(out: Quat, a: QuatLike, b: QuatLike, t: number): Quat {
  const dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
  const cosine = Math.min(1, Math.abs(dot))
  // for an angle that small both are the same to 1e-7
  if (cosine > 0.9999) return nlerp(out, a, b, t)
  const angle = Math.acos(cosine)
  const k = 1 / Math.sin(angle)
  const s = Math.sin((1 - t) * angle) * k
  const r = (dot < 0 ? -k : k) * Math.sin(t * angle)
  return setQuat(out, a.x * s + b.x * r, a.y * s + b.y * r, a.z * s + b.z * r, a.w * s + b.w * r)
}
