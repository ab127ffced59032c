import { describe, expect, it } from 'vitest'
import { type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { pushByMain } from '../../../src/blocks/docking/main-engine.js'
import { cutAcross } from '../../../src/blocks/docking/thrust.js'
import { crossOf, dotOf, expectVec, minus, norm, plus, times, unit, v } from '../../support/geometry.js'
import { standIn, stepOf, wrench } from '../../support/stand-in.js'

/** A ship with engines of 30 N ahead (+z) and 10 N in each other direction. */
const forceAlong = (x: number, y: number, z: number): number =>
  Math.min(
    10 / Math.max(Math.abs(x), 1e-9),
    10 / Math.max(Math.abs(y), 1e-9),
    (z > 0 ? 30 : 10) / Math.max(Math.abs(z), 1e-9),
  )
const agent = standIn({ maxForce: 40, forceAlong, compensateGravity: true })
const isPossible = (force: Vec3): boolean => {
  const { x, y, z } = unit(force)
  return norm(force) <= Math.min(40, forceAlong(x, y, z)) * (1 + 1e-9)
}

describe('a force that is cut to the limits of the engines', () => {
  const random = seeded(1987)
  const any = (size: number): Vec3 => times(unit(v(random() - 0.5, random() - 0.5, random() - 0.5)), size)

  it('is unchanged within the limits', () => {
    for (let i = 0; i < 200; i++) {
      const wanted = any(10 * random())
      const force = { ...wanted }
      cutAcross(agent, force, any(1))
      expectVec(force, wanted, 1e-9)
    }
  })

  it('keeps its part along the axis up to the limit, and the direction and the largest possible share of the rest', () => {
    for (let i = 0; i < 200; i++) {
      const axis = any(1)
      const wanted = any(60 * random())
      const force = { ...wanted }
      cutAcross(agent, force, axis)
      const along = dotOf(wanted, axis)
      const way = times(axis, Math.sign(along))
      const most = Math.min(40, forceAlong(way.x, way.y, way.z))
      expect(dotOf(force, way)).toBeCloseTo(Math.min(most, Math.abs(along)), 6)
      const beside = minus(wanted, times(axis, along))
      const left = minus(force, times(axis, dotOf(force, axis)))
      expect(norm(crossOf(left, beside))).toBeLessThan(1e-6 * norm(beside) * (1 + norm(left)))
      expect(norm(left)).toBeLessThan(norm(beside) * (1 + 1e-9))
      // to a hundredth of the wanted force
      const less = plus(force, beside, -0.01)
      const more = plus(force, beside, 0.01)
      if (dotOf(left, beside) > 0.01 * norm(beside) ** 2) expect(isPossible(less)).toBe(true)
      if (norm(left) < 0.99 * norm(beside)) expect(isPossible(more)).toBe(false)
    }
  })
})

it('a main engine opens once it points along the force; at once, the engines across push meanwhile', () => {
  const engines = { main: 30, sign: 1, hasRetro: false }
  const pushes = (force: Vec3, atOnce: boolean): Vec3 => {
    const out = wrench()
    pushByMain(agent, stepOf(), force, engines as never, atOnce, out)
    return out.force
  }
  const { x, y, z } = agent.attitude.x
  const ahead = v(x, y, z)
  for (const atOnce of [false, true]) expectVec(pushes(times(ahead, 5), atOnce), times(ahead, 5), 1e-9)
  expectVec(pushes(times(ahead, -5), false), v(0, 0, 0), 1e-9)
  expectVec(pushes(times(ahead, -5), true), times(ahead, -5), 1e-9)
})
