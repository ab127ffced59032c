import { describe, expect, it } from 'vitest'
import type { Quat, Vec3, Vec3Like } from 'three-steering'
import type { RollPolicy } from 'three-steering/authoring'
import { attitudeFrame, frame } from 'three-steering/authoring'
import { noseAttitude } from '../../src/core/control/nose.js'
import { axesQuat } from '../../src/core/math/frame.js'
import { multiply, quat } from '../../src/core/math/quat.js'
import {
  about,
  angleApart,
  angleBetween,
  direction,
  dotOf,
  expectRotation,
  expectVec,
  number,
  plus,
  rotation,
  times,
  turned,
  unit,
  v,
} from '../support/geometry.js'
import { law } from '../support/law.js'
import { standIn, stepOf } from '../support/stand-in.js'

const UP = v(0, 1, 0)
const NONE = v(0, 0, 0)
const X = v(1, 0, 0)

interface Lean {
  orientation?: Quat
  axes?: Quat
  lateral?: Vec3Like
  weight?: number
  match?: { quaternion: Quat }
}

function attitudeOf(
  nose: Vec3Like,
  roll: RollPolicy,
  { orientation = quat(), axes = quat(), lateral = NONE, weight = 9.81, match }: Lean = {},
): Quat {
  const agent = standIn({ orientation, axes })
  return noseAttitude(quat(), agent, nose, roll, stepOf(), lateral, weight, match)
}

/** Model axes are the steering axes here (nose +X, top +Y) unless given. */
const topOf = (attitude: Quat): Vec3 => turned(attitude, UP)

const POLICIES: readonly RollPolicy[] = ['bank', 'level', 'free', 'match']
const match = { quaternion: about(unit(v(1, 2, 3)), 2) }

describe('noseAttitude', () => {
  for (const roll of POLICIES)
    law(`${roll}: the nose is where it should be, always`, [rotation(), direction()], (orientation, nose) => {
      const attitude = attitudeOf(nose, roll, { orientation, match, lateral: times(orthogonal(nose), 7) })
      expectVec(turned(attitude, X), nose, 1e-6)
    })

  law('uses the axes of the model', [rotation(), rotation(), direction()], (model, orientation, nose) => {
    const forward = turned(model, X)
    const axes = axesQuat(quat(), forward, turned(model, UP))
    const attitude = attitudeOf(nose, 'level', { orientation, axes })
    expectVec(turned(attitude, forward), nose, 1e-6)
    expectVec(attitudeFrame(frame(), attitude, axes).x, nose, 1e-6)
  })

  law(
    'level: the top is as near to up as the nose allows',
    [rotation(), direction()],
    (orientation, nose) => {
      // where the nose is steep the policy fades out, see below
      if (Math.abs(nose.y) > 0.95) return
      const top = topOf(attitudeOf(nose, 'level', { orientation }))
      expectVec(top, unit(plus(UP, nose, -nose.y)), 1e-6)
    },
  )

  law('level: also from an inverted attitude', [direction()], (nose) => {
    if (Math.abs(nose.y) > 0.9) return
    const top = topOf(attitudeOf(nose, 'level', { orientation: about(X, Math.PI) }))
    expect(top.y).toBeGreaterThan(0)
  })

  law('free: the nose moves by the smallest rotation', [rotation(), direction()], (orientation, nose) => {
    const angle = angleBetween(turned(orientation, X), nose)
    if (angle > Math.PI - 0.05) return
    expect(angleApart(orientation, attitudeOf(nose, 'free', { orientation }))).toBeCloseTo(angle, 5)
  })

  law('free: without a change of the nose the attitude is unchanged', [rotation()], (orientation) => {
    expectRotation(attitudeOf(turned(orientation, X), 'free', { orientation }), orientation, 1e-6)
  })

  it('bank: leans into the turn by atan(a / g)', () => {
    for (const g of [0.3, 1, 2]) {
      const lateral = v(0, 0, 9.81 * g) // to starboard
      const top = topOf(attitudeOf(X, 'bank', { lateral }))
      expect(Math.atan2(top.z, top.y)).toBeCloseTo(Math.atan(g), 9)
    }
  })

  it('bank: without a turn the model is level, without weight it follows the turn alone', () => {
    expectVec(topOf(attitudeOf(X, 'bank', { orientation: about(X, 0.7) })), UP, 1e-9)
    const lateral = v(0, -0.3, 0.4)
    expectVec(topOf(attitudeOf(X, 'bank', { lateral, weight: 0 })), v(0, -0.6, 0.8), 1e-9)
  })

  it('bank: without turn and weight the top is unchanged', () => {
    const orientation = about(X, 1.1)
    expectRotation(attitudeOf(X, 'bank', { orientation, weight: 0 }), orientation, 1e-9)
  })

  it('match: the top is as near to that of the other object as the nose allows', () => {
    const nose = unit(v(3, 1, -2))
    const other = turned(match.quaternion, UP)
    const top = topOf(attitudeOf(nose, 'match', { match }))
    expectVec(top, unit(plus(other, nose, -dotOf(other, nose))), 1e-9)
  })

  it('match without another object is free', () => {
    const orientation = about(v(0, 0, 1), 0.3)
    expectRotation(attitudeOf(UP, 'match', { orientation }), attitudeOf(UP, 'free', { orientation }), 1e-9)
  })

  for (const roll of POLICIES)
    law(
      `${roll}: a model can point straight up and down without losing its frame`,
      [rotation(), number(-1e-9, 1e-9)],
      (orientation, off) => {
        for (const y of [1, -1]) {
          const nose = unit(v(off, y, -off))
          const attitude = attitudeOf(nose, roll, { orientation, match: { quaternion: about(X, 0) } })
          expectVec(turned(attitude, X), nose, 1e-6)
        }
      },
    )
})

/**
 * Sweeps the nose along a path; the model follows each attitude. Returns the largest change of attitude in
 * one step (rad).
 */
function sweep(path: (t: number) => Vec3, steps: number, roll: RollPolicy, lean: Lean = {}): number {
  let orientation = attitudeOf(path(0), roll, lean)
  let largest = 0
  for (let i = 1; i <= steps; i++) {
    const next = attitudeOf(path(i / steps), roll, { ...lean, orientation })
    largest = Math.max(largest, angleApart(orientation, next))
    orientation = next
  }
  return largest
}

describe('through the vertical', () => {
  const loop = (t: number): Vec3 => v(Math.cos(2 * Math.PI * t), Math.sin(2 * Math.PI * t), 0)

  for (const roll of ['free', 'match'] as const)
    it(`${roll}: a loop turns the model just as far as its nose`, () => {
      // matched to an object that loops along: its top stays perpendicular to the nose
      const steps = 720
      let orientation = quat()
      for (let i = 1; i <= steps; i++) {
        const other = { quaternion: about(v(0, 0, 1), (2 * Math.PI * i) / steps) }
        const next = attitudeOf(loop(i / steps), roll, { orientation, match: other })
        expect(angleApart(orientation, next)).toBeLessThan((2 * Math.PI) / steps + 1e-6)
        orientation = next
      }
      expectRotation(orientation, quat(), 1e-6)
    })

  // Level must roll by half a turn beyond the vertical. It does so over a part of the path, never at once.
  for (const roll of ['level', 'bank'] as const)
    for (const [name, path] of [
      ['straight through up', (t: number) => loop(t / 2)],
      ['straight through down', (t: number) => loop(-t / 2)],
      ['a hair beside up', (t: number) => unit(plus(loop(t / 2), v(0, 0, 1), 1e-6))],
      ['three degrees beside up', (t: number) => unit(plus(loop(t / 2), v(0, 0, 1), 0.05))],
      ['ten degrees beside down', (t: number) => unit(plus(loop(-t / 2), v(0, 0, 1), 0.18))],
    ] as const)
      it(`${roll}: ${name}: a small change of the nose is a small change of the attitude`, () => {
        // 180° of nose in 0.05° steps
        const step = Math.PI / 3600
        const largest = sweep(path, 3600, roll)
        expect(largest).toBeGreaterThan(step * 0.99)
        expect((largest * 180) / Math.PI).toBeLessThan(15)
      })

  for (const roll of ['level', 'bank'] as const)
    it(`${roll}: no single step asks for a flip, even at 60° a second`, () => {
      // the result is a target: the torque follows it as fast as possible, see the loops of the locomotions
      for (const side of [0, 1e-6, 0.05])
        for (const sign of [0.5, -0.5])
          expect(sweep((t) => unit(plus(loop(sign * t), v(0, 0, 1), side)), 180, roll)).toBeLessThan(
            Math.PI / 2,
          )
    })

  for (const roll of ['level', 'bank'] as const)
    it(`${roll}: while the nose stays near the vertical the model does not roll`, () => {
      // a cone of 2° about straight up, many times round
      const cone = (t: number): Vec3 =>
        unit(v(0.035 * Math.cos(20 * Math.PI * t), 1, 0.035 * Math.sin(20 * Math.PI * t)))
      const steps = 2000
      // the nose moves by 0.035 · 20π / steps in a step
      expect(sweep(cone, steps, roll)).toBeLessThan((1.1 * 0.035 * 20 * Math.PI) / steps)
    })

  law(
    'level and bank: on any path away from the vertical the attitude moves with the nose',
    [number(0, 2 * Math.PI), number(-0.8, 0.8)],
    (yaw, height) => {
      const path = (t: number): Vec3 =>
        unit(v(Math.cos(yaw + 3 * t), height * Math.cos(2 * t), Math.sin(yaw + 3 * t)))
      for (const roll of ['level', 'bank'] as const) expect(sweep(path, 600, roll)).toBeLessThan(0.02)
    },
    30,
  )

  it('level: an inverted model rights itself, whatever its attitude', () => {
    for (const angle of [Math.PI, Math.PI - 1e-9, -Math.PI + 1e-3, 3]) {
      const upsideDown = multiply(quat(), about(UP, 0.4), about(X, angle))
      const top = topOf(attitudeOf(turned(upsideDown, X), 'level', { orientation: upsideDown }))
      expectVec(top, UP, 1e-6)
    }
  })
})

function orthogonal(n: Vec3Like): Vec3 {
  const other = Math.abs(n.x) < 0.7 ? X : UP
  return unit(plus(other, n, -dotOf(other, n)))
}
