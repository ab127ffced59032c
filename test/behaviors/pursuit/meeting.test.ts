import { describe, expect, it } from 'vitest'
import { intercept, type Moving, type Vec3, type Vec3Like } from 'three-steering'
import type { Intercept } from 'three-steering/authoring'
import { law } from '../../support/law.js'
import { expectVec, minus, norm, number, plus, times, unit, v, vector } from '../../support/geometry.js'

const at = (position: Vec3, velocity: Vec3 = v(0, 0, 0)): Moving => ({ position, velocity })

/** Distance (m) of a projectile from the target at a time, when the shooter aims at `aim`. */
function miss(shooter: Moving, target: Moving, speed: number, aim: Vec3Like, time: number): number {
  const shot = plus(shooter.velocity, unit(minus(aim, shooter.position)), speed)
  const projectile = plus(shooter.position, shot, time)
  return norm(minus(plus(target.position, target.velocity, time), projectile))
}

/** How much farther the target is than a projectile can be at a time (m). */
function lead(shooter: Moving, target: Moving, speed: number, time: number): number {
  const gap = minus(target.position, shooter.position)
  return norm(plus(gap, minus(target.velocity, shooter.velocity), time)) - speed * time
}

describe('intercept', () => {
  law(
    'the projectile meets the target, and no earlier meeting is possible; without a result there is none',
    [vector(100), vector(20), vector(100), vector(20), number(0.5, 40)],
    (p, v1, q, v2, speed) => {
      if (norm(minus(p, q)) < 1e-3) return
      const [shooter, target] = [at(p, v1), at(q, v2)]
      const found = intercept(shooter, target, speed)
      const latest = found === null ? 1e4 : found.time
      const scale = 1 + norm(p) + norm(q) + 60 * (found?.time ?? 0)
      if (found !== null) {
        expect(found.time).toBeGreaterThan(0)
        expect(miss(shooter, target, speed, found.aim, found.time)).toBeLessThan(1e-9 * scale)
      }
      for (let k = 0; k < 40; k++) {
        const time = latest * (0.999 - k / 40) ** 2
        expect(lead(shooter, target, speed, time)).toBeGreaterThan(0)
      }
    },
    400,
  )

  it('by hand: a target abeam at 3 of 5 m/s is met after a 3-4-5 triangle', () => {
    const { aim, time } = intercept(at(v(0, 0, 0)), at(v(0, 8, 0), v(0, 0, 6)), 10)!
    expect(time).toBeCloseTo(1, 12)
    expectVec(aim, v(0, 8, 6))
  })

  it('a shooter that moves with the target aims at it, and one that moves alone aims behind it', () => {
    const target = at(v(0, 8, 0), v(0, 0, 6))
    expectVec(intercept(at(v(0, 0, 0), v(0, 0, 6)), target, 10)!.aim, target.position)
    const { aim, time } = intercept(at(v(0, 0, 0), v(0, 0, 6)), at(v(0, 8, 0)), 10)!
    expectVec(aim, v(0, 8, -6))
    expect(time).toBeCloseTo(1, 12)
  })

  it('at rest, coincident, with a beam', () => {
    expect(intercept(at(v(0, 0, 0)), at(v(3, 4, 0)), 2)).toEqual({ aim: v(3, 4, 0), time: 2.5 })
    expect(intercept(at(v(3, 4, 0)), at(v(3, 4, 0), v(0, 9, 0)), 2)).toEqual({ aim: v(3, 4, 0), time: 0 })
    expect(intercept(at(v(0, 0, 0)), at(v(3, 4, 0), v(0, 9, 0)), Infinity)).toEqual({
      aim: v(3, 4, 0),
      time: 0,
    })
  })

  it('a target as fast as the projectile is met if it approaches, and a faster one only on its way past', () => {
    const target = at(v(0, 0, 20), times(unit(v(Math.sqrt(3), 0, -1)), 10))
    expect(intercept(at(v(0, 0, 0)), target, 10)!.time).toBeCloseTo(2, 9)
    expect(intercept(at(v(0, 0, 0)), at(v(0, 0, 20), v(0, 0, 10)), 10)).toBeNull()
    expect(intercept(at(v(0, 0, 0)), at(v(0, 0, 20), v(0, 0, -30)), 10)!.time).toBeCloseTo(0.5, 12)
    expect(intercept(at(v(0, 0, 0)), at(v(6, 0, 20), v(0, 0, -30)), 10)!.time).toBeGreaterThan(0)
    expect(intercept(at(v(0, 0, 0)), at(v(8, 0, 20), v(0, 0, -30)), 10)).toBeNull()
  })

  law(
    'huge and tiny scenes have the same answer in their own units',
    [vector(9), vector(9), number(-140, 140), number(-140, 140)],
    (q, w, lengths, speeds) => {
      if (norm(q) < 1e-3) return
      const [far, fast] = [10 ** lengths, 10 ** speeds]
      const near = intercept(at(v(0, 0, 0)), at(q, w), 10)
      const found = intercept(at(v(0, 0, 0)), at(times(q, far), times(w, fast)), 10 * fast)
      expect(found === null).toBe(near === null)
      if (found === null || near === null) return
      expect((found.time / far) * fast).toBeCloseTo(near.time, 6)
      expectVec(times(found.aim, 1 / far), near.aim, 1e-6 * (1 + norm(near.aim)))
    },
  )

  it('what cannot be used has no answer, and leaves `out` as it is', () => {
    const out: Intercept = { aim: v(1, 2, 3), time: 4 }
    const [here, there] = [at(v(0, 0, 0)), at(v(9, 0, 0))]
    for (const speed of [NaN, 0, -1]) expect(intercept(here, there, speed, out)).toBeNull()
    expect(intercept(at(v(NaN, 0, 0)), there, 9, out)).toBeNull()
    expect(intercept(here, at(v(9, 0, 0), v(0, Infinity, 0)), 9, out)).toBeNull()
    expect(out).toEqual({ aim: v(1, 2, 3), time: 4 })
    expect(intercept(here, there, 9, out)).toBe(out)
    expect(out).toEqual({ aim: v(9, 0, 0), time: 1 })
  })
})
