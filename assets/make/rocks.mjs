import { ball, linear, unit } from './shape.mjs'
import { Model } from './write.mjs'

/** A number in [0, 1) from three integers and a seed. */
function hash(x, y, z, seed) {
  let h =
    Math.imul(x, 374761393) ^
    Math.imul(y, 668265263) ^
    Math.imul(z, 2147483647 - 58) ^
    Math.imul(seed, 1274126177)
  h = Math.imul(h ^ (h >>> 13), 1103515245)
  h = Math.imul(h ^ (h >>> 15), 2654435761)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

/** Smooth value noise in [−1, 1]. */
export function noise([x, y, z], seed) {
  const cell = [x, y, z].map(Math.floor)
  const at = [x, y, z].map((value, k) => {
    const t = value - cell[k]
    return t * t * (3 - 2 * t)
  })
  let sum = 0
  for (let corner = 0; corner < 8; corner++) {
    const step = [corner & 1, (corner >> 1) & 1, corner >> 2]
    const weight = step.reduce((w, s, k) => w * (s ? at[k] : 1 - at[k]), 1)
    sum += weight * hash(cell[0] + step[0], cell[1] + step[1], cell[2] + step[2], seed)
  }
  return 2 * sum - 1
}

const DUST = linear('#9a8a78')
const CLAY = linear('#5f5249')
const PIT = linear('#38312f')

const mix = (a, b, t) => a.map((value, k) => value + (b[k] - value) * Math.min(1, Math.max(0, t)))

/** Three lumps of about 1 m radius, each with a few craters. */
export function rocks() {
  const model = new Model('rocks').material('rock', { rough: 0.95 })
  for (let variant = 0; variant < 3; variant++) {
    const seed = 11 + 7 * variant
    const craters = Array.from({ length: 5 }, (_, k) => ({
      at: unit([0, 1, 2].map((axis) => 2 * hash(k, axis, 3, seed) - 1)),
      size: 0.25 + 0.3 * hash(k, 9, 1, seed),
    }))
    const height = (p) => {
      const squash = p[0] * 0.12 * (variant - 1) + Math.abs(p[1]) * -0.12
      const lumps =
        0.26 *
          noise(
            p.map((v) => v * 1.3 + 20),
            seed,
          ) +
        0.1 *
          noise(
            p.map((v) => v * 3.1 + 40),
            seed,
          )
      const bowl = craters.reduce((sum, { at, size }) => {
        const d = Math.hypot(p[0] - at[0], p[1] - at[1], p[2] - at[2]) / size
        return d < 1.25 ? sum + (d < 1 ? -0.1 * (1 - d * d) : 0.03) : sum
      }, 0)
      return 1 + squash + lumps + bowl
    }
    const paint = (p) => {
      const grain =
        0.5 +
        0.5 *
          noise(
            p.map((v) => v * 2.3 + 9),
            seed,
          )
      return mix(mix(CLAY, DUST, grain), PIT, (1 - height(p)) * 3)
    }
    model.mesh(`rock_${variant}`, { rock: ball(2 + (variant === 1), height, paint) })
  }
  return model
}
