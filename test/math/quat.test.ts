import { describe, expect, it } from 'vitest'
import {
  conjugate,
  copyQuat,
  multiply,
  nlerp,
  normalizeQuat,
  quat,
  quatBetween,
  quatFromAxes,
  rotate,
  rotationBetween,
  spin,
  unrotate,
} from '../../src/core/math/quat.js'
import { vec3 } from '../../src/core/math/vec3.js'
import type { Quat } from 'three-steering'
import {
  about,
  angleApart,
  direction,
  expectRotation,
  expectVec,
  norm,
  number,
  rotation,
  times,
  turned,
  unit,
  v,
  vector,
} from '../support/geometry.js'
import { law } from '../support/law.js'

const X = v(1, 0, 0)
const Y = v(0, 1, 0)
const Z = v(0, 0, 1)

const negated = ({ x, y, z, w }: Quat): Quat => ({ x: -x, y: -y, z: -z, w: -w })

describe('rotate', () => {
  law('equals the rotation matrix', [rotation(), vector()], (q, a) => {
    expectVec(rotate(vec3(), q, a), turned(q, a), 1e-12 * (1 + norm(a)))
  })

  it('by 90° about y turns z to x: right-handed', () => {
    expectVec(rotate(vec3(), about(Y, Math.PI / 2), Z), X, 1e-15)
  })

  law('is reversed by unrotate', [rotation(), vector()], (q, a) => {
    expectVec(unrotate(vec3(), q, rotate(vec3(), q, a)), a, 1e-11)
    expectVec(unrotate(vec3(), q, a), rotate(vec3(), conjugate(quat(), q), a), 1e-12)
  })

  law('by a product is one rotation after the other', [rotation(), rotation(), vector()], (p, q, a) => {
    expectVec(rotate(vec3(), multiply(quat(), p, q), a), rotate(vec3(), p, rotate(vec3(), q, a)), 1e-11)
  })

  law('and all other functions may write to their input', [rotation(), rotation(), vector()], (p, q, a) => {
    const vector = { ...a }
    expectVec(rotate(vector, p, vector), rotate(vec3(), p, a), 0)
    const back = { ...a }
    expectVec(unrotate(back, p, back), unrotate(vec3(), p, a), 0)
    for (const each of [
      (out: Quat, one: Quat, two: Quat) => multiply(out, one, two),
      (out: Quat, one: Quat, two: Quat) => nlerp(out, one, two, 0.3),
      (out: Quat, one: Quat) => conjugate(out, one),
      (out: Quat, one: Quat) => spin(out, one, a, 0.01),
    ]) {
      const fresh = each(quat(), p, q)
      const first = copyQuat(quat(), p)
      const second = copyQuat(quat(), q)
      expect(each(first, first, q)).toEqual(fresh)
      expect(each(second, p, second)).toEqual(fresh)
    }
  })
})

describe('quatFromAxes', () => {
  law('restores a rotation from two of its axes', [rotation()], (q) => {
    expectRotation(quatFromAxes(quat(), turned(q, X), turned(q, Y)), q, 1e-7)
  })

  // each of these has another largest component, so each uses another of Shepperd's four cases
  for (const [name, axis] of [
    ['x', X],
    ['y', Y],
    ['z', Z],
    ['the diagonal of xy', unit(v(1, 1, 0))],
    ['the diagonal of yz', unit(v(0, 1, 1))],
    ['the diagonal of xz', unit(v(-1, 0, 1))],
    ['the diagonal of all', unit(v(1, 1, 1))],
  ] as const)
    for (const degrees of [0, 1e-6, 90, 170, 180, -179.9999, 240])
      it(`is exact for ${degrees}° about ${name}`, () => {
        const q = about(axis, (degrees * Math.PI) / 180)
        const found = quatFromAxes(quat(), turned(q, X), turned(q, Y))
        for (const a of [X, Y, Z]) expectVec(rotate(vec3(), found, a), turned(q, a), 1e-14)
      })
})

describe('quatBetween', () => {
  law('turns one direction to the other by the smallest angle', [direction(), direction()], (a, b) => {
    const q = quatBetween(quat(), a, b)
    // directions within 1.5e-4 rad of opposite are turned by exactly 180°
    const exact = norm(vec3(a.x + b.x, a.y + b.y, a.z + b.z)) > 2e-4
    expectVec(rotate(vec3(), q, a), b, exact ? 1e-9 : 2e-4)
    const angle = 2 * Math.acos(Math.min(1, norm(vec3(a.x + b.x, a.y + b.y, a.z + b.z)) / 2))
    expect(angleApart(quat(), q)).toBeCloseTo(angle, exact ? 6 : 3)
  })

  law('is the identity between parallel directions', [direction()], (a) => {
    expectRotation(quatBetween(quat(), a, a), quat(), 1e-12)
  })

  law('is a turn by 180° about a perpendicular axis between opposite directions', [direction()], (a) => {
    const q = quatBetween(quat(), a, times(a, -1))
    expectVec(rotate(vec3(), q, a), times(a, -1), 1e-12)
    expect(Math.abs(q.w)).toBeLessThan(1e-12)
    expect(Math.abs(q.x * a.x + q.y * a.y + q.z * a.z)).toBeLessThan(1e-12)
  })
})

describe('rotationBetween', () => {
  law(
    'is the angular velocity that turns one attitude into the other in one second',
    [rotation(), rotation()],
    (a, b) => {
      const turn = rotationBetween(vec3(), a, b)
      expectRotation(spin(quat(), a, turn, 1), b, 1e-7)
      expect(norm(turn)).toBeLessThanOrEqual(Math.PI + 1e-9)
    },
  )

  law('is zero between equal attitudes, also with opposite signs of the quaternions', [rotation()], (q) => {
    expectVec(rotationBetween(vec3(), q, q), v(0, 0, 0), 1e-15)
    expectVec(rotationBetween(vec3(), q, negated(q)), v(0, 0, 0), 1e-15)
  })

  law('does not depend on the sign of a quaternion', [rotation(), rotation()], (a, b) => {
    const turn = rotationBetween(vec3(), a, b)
    // at exactly 180° both senses of rotation are equally short
    if (norm(turn) < Math.PI - 1e-6) {
      expectVec(rotationBetween(vec3(), negated(a), b), turn, 1e-9)
      expectVec(rotationBetween(vec3(), a, negated(b)), turn, 1e-9)
    }
  })

  law('has the length π for a turn by 180°', [rotation(), direction()], (q, axis) => {
    const turn = rotationBetween(vec3(), q, multiply(quat(), about(axis, Math.PI), q))
    const sign = Math.sign(turn.x * axis.x + turn.y * axis.y + turn.z * axis.z)
    expectVec(turn, times(axis, sign * Math.PI), 1e-7)
  })

  law('is exact for tiny angles', [rotation(), direction(), number(-12, -3)], (q, axis, exponent) => {
    const turn = times(axis, 10 ** exponent)
    const to = multiply(quat(), { x: turn.x / 2, y: turn.y / 2, z: turn.z / 2, w: 1 }, q)
    expectVec(rotationBetween(vec3(), q, normalizeQuat(to, to)), turn, 1e-15 + 10 ** (2 * exponent))
  })
})

describe('spin', () => {
  law(
    'is exact for a constant angular velocity: many steps equal one',
    [rotation(), vector(5)],
    (q, omega) => {
      const many = copyQuat(quat(), q)
      for (let i = 0; i < 60; i++) spin(many, many, omega, 1 / 60)
      expectRotation(many, spin(quat(), q, omega, 1), 1e-7)
      const rate = norm(omega)
      if (rate > 1e-6) expectRotation(many, multiply(quat(), about(unit(omega), rate), q), 1e-7)
    },
  )

  it('keeps unit length over 100 000 steps', () => {
    const q = quat()
    for (let i = 0; i < 100_000; i++) spin(q, q, v(7, -3, 11), 1 / 60)
    expect(Math.hypot(q.x, q.y, q.z, q.w)).toBeCloseTo(1, 14)
  })

  law(
    'by a zero angular velocity changes nothing, by a tiny one little',
    [rotation(), direction()],
    (q, axis) => {
      expectRotation(spin(quat(), q, v(0, 0, 0), 1), q, 1e-7)
      const turn = rotationBetween(vec3(), q, spin(quat(), q, times(axis, 1e-13), 1))
      expectVec(turn, times(axis, 1e-13), 1e-15)
    },
  )
})

describe('nlerp', () => {
  law('starts at a, ends at b, and keeps unit length', [rotation(), rotation(), number(0, 1)], (a, b, t) => {
    expectRotation(nlerp(quat(), a, b, 0), a, 1e-7)
    expectRotation(nlerp(quat(), a, b, 1), b, 1e-7)
    const { x, y, z, w } = nlerp(quat(), a, b, t)
    expect(Math.hypot(x, y, z, w)).toBeCloseTo(1, 12)
  })

  law('is half the smaller angle at t = 0.5', [rotation(), rotation()], (a, b) => {
    const whole = angleApart(a, b)
    if (whole > Math.PI - 1e-3) return
    for (const end of [b, negated(b)]) {
      const middle = nlerp(quat(), a, end, 0.5)
      expect(angleApart(a, middle)).toBeCloseTo(whole / 2, 6)
      expect(angleApart(middle, b)).toBeCloseTo(whole / 2, 6)
    }
  })

  law('is monotonic: the angles of its parts add up', [rotation(), rotation(), number(0, 1)], (a, b, t) => {
    const whole = angleApart(a, b)
    if (whole > Math.PI - 1e-3) return
    const at = nlerp(quat(), a, b, t)
    expect(angleApart(a, at) + angleApart(at, b)).toBeCloseTo(whole, 6)
  })
})

describe('normalizeQuat', () => {
  law('keeps the rotation for any length', [rotation(), number(-200, 200)], (q, exponent) => {
    const k = 10 ** exponent
    expectRotation(normalizeQuat(quat(), { x: q.x * k, y: q.y * k, z: q.z * k, w: q.w * k }), q, 1e-7)
  })

  it('makes the identity of zero and non-finite quaternions', () => {
    for (const bad of [quat(0, 0, 0, 0), quat(NaN, 0, 0, 1), quat(0, Infinity, 0, 0)])
      expect(normalizeQuat(quat(), bad)).toEqual(quat())
  })
})
