import { describe, expect, it } from 'vitest'
import { type Vec3 } from 'three-steering'
import {
  type Frame,
  type FrameLike,
  attitudeFrame,
  axesQuat,
  carryFrame,
  frame,
  frameFromQuat,
  frameOf,
  pointToLocal,
  pointToWorld,
  seeded,
  vectorToLocal,
  vectorToWorld,
} from 'three-steering/authoring'
import { copyFrame } from '../../src/core/math/frame.js'
import { multiply, quat, quatFromAxes } from '../../src/core/math/quat.js'
import { vec3 } from '../../src/core/math/vec3.js'
import {
  about,
  angleApart,
  angleBetween,
  crossOf,
  direction,
  dotOf,
  expectFrame,
  expectVec,
  norm,
  number,
  plus,
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

/** Angle of the rotation between two frames, rad. */
function turnOf(from: FrameLike, to: FrameLike): number {
  return angleApart(quatFromAxes(quat(), from.x, from.y), quatFromAxes(quat(), to.x, to.y))
}

const framed = rotation().map((q) => frameFromQuat(frame(), q))

describe('frames', () => {
  it('x is ahead, y up and z = x × y to starboard', () => {
    expectFrame(frame(), 0)
    expectVec(frame().z, crossOf(X, Y), 0)
  })

  law('the frame of a rotation consists of its three turned axes', [rotation()], (q) => {
    const { x, y, z } = frameFromQuat(frame(), q)
    expectVec(x, turned(q, X), 1e-12)
    expectVec(y, turned(q, Y), 1e-12)
    expectVec(z, turned(q, Z), 1e-12)
  })

  law('vectorToWorld reverses vectorToLocal', [framed, vector()], (f, a) => {
    expectVec(vectorToWorld(vec3(), f, vectorToLocal(vec3(), f, a)), a, 1e-11)
    expectVec(vectorToLocal(vec3(), f, vectorToWorld(vec3(), f, a)), a, 1e-11)
  })

  law('pointToWorld reverses pointToLocal, also in place', [framed, vector(), vector()], (f, origin, a) => {
    expectVec(pointToWorld(vec3(), f, origin, pointToLocal(vec3(), f, origin, a)), a, 1e-11)
    const own = { ...a }
    pointToLocal(own, f, origin, own)
    expectVec(own, pointToLocal(vec3(), f, origin, a), 0)
    pointToWorld(own, f, origin, own)
    expectVec(own, a, 1e-11)
  })

  law(
    'in local coordinates the origin is zero and the axes are the unit vectors',
    [framed, vector()],
    (f, origin) => {
      expectVec(pointToLocal(vec3(), f, origin, origin), v(0, 0, 0), 0)
      expectVec(pointToLocal(vec3(), f, origin, plus(origin, f.x, 2)), v(2, 0, 0), 1e-11)
      expectVec(vectorToLocal(vec3(), f, f.z), Z, 1e-12)
    },
  )
})

describe('model axes', () => {
  it('by default forward is +Z and up is +Y, so starboard is −X', () => {
    const f = frameOf(frame(), { quaternion: quat() })
    expectVec(f.x, Z, 0)
    expectVec(f.y, Y, 0)
    expectVec(f.z, v(-1, 0, 0), 0)
  })

  it('a model with forward −Z looks along −Z', () => {
    expectVec(frameOf(frame(), { quaternion: quat(), forward: v(0, 0, -1) }).x, v(0, 0, -1), 0)
  })

  law('frameOf and attitudeFrame agree for any model axes', [rotation(), rotation()], (q, model) => {
    const forward = turned(model, Z)
    const up = turned(model, Y)
    const axes = axesQuat(quat(), forward, up)
    const seen = frameOf(frame(), { quaternion: q, forward, up })
    expectFrame(seen)
    const attitude = attitudeFrame(frame(), q, axes)
    expectVec(attitude.x, seen.x, 1e-7)
    expectVec(attitude.y, seen.y, 1e-7)
    expectVec(attitude.x, turned(q, forward), 1e-7)
  })

  law(
    'axesQuat makes `up` perpendicular to `forward`, and accepts any length',
    [rotation(), number(-1, 1)],
    (q, lean) => {
      const forward = turned(q, X)
      const up = turned(q, Y)
      const axes = axesQuat(quat(), times(forward, 7), times(plus(up, forward, lean), 0.1))
      expectVec(turned(axes, X), forward, 1e-7)
      expectVec(turned(axes, Y), up, 1e-7)
    },
  )
})

describe('carryFrame', () => {
  law('brings x onto the new direction and remains orthonormal', [framed, direction()], (f, ahead) => {
    carryFrame(f, ahead)
    expectVec(f.x, ahead, 0)
    expectFrame(f, 1e-12)
  })

  // therefore agents do not roll without a reason
  law('turns by the smallest rotation: by the same angle as the nose', [framed, direction()], (f, ahead) => {
    const before = copyFrame(frame(), f)
    const angle = angleBetween(f.x, ahead)
    if (angle > Math.PI - 0.05) return // a reversal, see below
    expect(turnOf(before, carryFrame(f, ahead))).toBeCloseTo(angle, 6)
  })

  law('a turn and its reverse restore the frame', [framed, direction()], (f, ahead) => {
    if (angleBetween(f.x, ahead) > Math.PI - 0.05) return
    const before = copyFrame(frame(), f)
    carryFrame(carryFrame(f, ahead), before.x)
    expectVec(f.y, before.y, 1e-9)
  })

  law('a reversal keeps the up axis', [framed], (f) => {
    const { y } = copyFrame(frame(), f)
    carryFrame(f, times(f.x, -1))
    expectVec(f.y, y, 1e-12)
    expectFrame(f, 1e-12)
  })

  law(
    'a near reversal nearly keeps the up axis or the side axis',
    [framed, number(0, 2 * Math.PI)],
    (f, angle) => {
      // a rotation about the axis n by almost 180° keeps n and turns vectors at right angles to it
      const n = plus(times(f.y, Math.cos(angle)), f.z, Math.sin(angle))
      const q = about(n, Math.PI - 0.01)
      const before = copyFrame(frame(), f)
      carryFrame(f, unit(turned(q, f.x)))
      expectFrame(f, 1e-12)
      expect(angleBetween(f.y, before.y)).toBeLessThan(0.02)
    },
  )

  it('remains orthonormal over 100 000 random steps, small and large', () => {
    const random = seeded(11)
    const f = frame()
    const ahead = { ...f.x }
    for (let i = 0; i < 100_000; i++) {
      const size = i % 100 === 0 ? 5 : 0.2
      ahead.x += size * (random() - 0.5)
      ahead.y += size * (random() - 0.5)
      ahead.z += size * (random() - 0.5)
      const d = norm(ahead)
      if (d < 1e-3) continue
      ahead.x /= d
      ahead.y /= d
      ahead.z /= d
      carryFrame(f, ahead)
    }
    expectFrame(f, 1e-14)
  })

  /**
   * Carries a frame along a closed path. Returns the greatest roll of a single step, and the roll at the end.
   */
  function fly(f: Frame, path: (t: number) => Vec3, steps: number): { largest: number; total: number } {
    carryFrame(f, path(0))
    const start = copyFrame(frame(), f)
    let largest = 0
    for (let i = 1; i <= steps; i++) {
      const before = copyFrame(frame(), f)
      carryFrame(f, path(i / steps))
      largest = Math.max(largest, turnOf(before, f) - angleBetween(before.x, f.x))
    }
    return { largest, total: turnOf(start, f) }
  }

  for (const steps of [7, 60, 1000])
    it(`does not roll on a vertical loop in ${steps} steps, and is upside down at its top`, () => {
      const path = (t: number): Vec3 => v(Math.cos(2 * Math.PI * t), Math.sin(2 * Math.PI * t), 0)
      const f = frame()
      const { largest, total } = fly(f, path, steps)
      expect(largest).toBeLessThan(1e-7)
      expect(total).toBeLessThan(1e-7)
      fly(f, (t) => path(t / 2), 60)
      expectVec(f.y, v(0, -1, 0), 1e-12)
      expectVec(f.z, Z, 1e-12)
    })

  law(
    'does not roll on a loop in any plane through straight up',
    [number(0, 2 * Math.PI), number(-1, 1)],
    (yaw, tilt) => {
      const side = v(Math.cos(yaw), 0, Math.sin(yaw))
      const path = (t: number): Vec3 => {
        const a = 2 * Math.PI * t
        return unit(
          v(side.x * Math.cos(a) + 1e-4 * tilt, Math.sin(a), side.z * Math.cos(a) - 1e-4 * tilt * side.x),
        )
      }
      expect(fly(frame(), path, 360).largest).toBeLessThan(1e-6)
    },
    30,
  )

  it('rolls on a cone by its solid angle, and not as a world up direction would demand', () => {
    // the nose moves on a cone of half angle 1° about straight up: parallel transport turns by 2π(1 − cos 1°)
    const half = Math.PI / 180
    const path = (t: number): Vec3 =>
      v(
        Math.sin(half) * Math.cos(2 * Math.PI * t),
        Math.cos(half),
        Math.sin(half) * Math.sin(2 * Math.PI * t),
      )
    const { total } = fly(frame(), path, 2000)
    expect(total).toBeCloseTo(2 * Math.PI * (1 - Math.cos(half)), 6)
  })

  it('restores an up axis that is parallel to the nose', () => {
    const f = { x: v(1, 0, 0), y: v(1, 0, 0), z: v(0, 0, 0) }
    expectFrame(carryFrame(f, v(1, 0, 0)), 1e-12)
    expect(dotOf(f.x, f.y)).toBeCloseTo(0, 12)
  })

  law('is invariant under rotations of the world', [rotation(), framed, direction()], (q, f, ahead) => {
    const turnedFrame = frameFromQuat(frame(), multiply(quat(), q, quatFromAxes(quat(), f.x, f.y)))
    carryFrame(f, ahead)
    carryFrame(turnedFrame, unit(turned(q, ahead)))
    expectVec(turnedFrame.y, turned(q, f.y), 1e-5)
  })
})
