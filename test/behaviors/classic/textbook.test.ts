import { describe, expect, it } from 'vitest'
import { BoxShape, HalfSpaceShape, Obstacle, SphereShape, type Vec3 } from 'three-steering'
import { textbookAvoidance } from '../../../src/blocks/classic/textbook.js'
import { copyFrame, frame } from '../../../src/core/math/frame.js'
import { expectVec, norm, times, v } from '../../support/geometry.js'
import { standIn, type StandIn } from '../../support/stand-in.js'

/** Flies along +X with up +Y: y and z are those of the papers. */
const course = copyFrame(frame(), { x: v(1, 0, 0), y: v(0, 1, 0), z: v(0, 0, 1) })

/**
 * 100 N, 1 kg, 10 m/s: reacts in 0.2 s and stops within 10 · 0.2 + 100 / 180 = 2.556 m; with the hull of 0.5
 * m the cylinder is 3.056 m long.
 */
const LENGTH = 2 + 100 / 180 + 0.5

function ball(radius: number, x: number, y = 0, z = 0): Obstacle {
  return new Obstacle({ shape: new SphereShape(radius), at: v(x, y, z) })
}

function avoid(
  obstacles: readonly Obstacle[],
  state: Partial<StandIn> = {},
  weight?: number,
): { force: Vec3; threat: boolean } {
  const force = v(0, 0, 0)
  const agent = standIn({ velocity: v(10, 0, 0), course, ...state })
  const threat = textbookAvoidance(agent, obstacles, obstacles.length, force, weight)
  return { force, threat }
}

/** The lateral force alone, without brakes. */
const lateral = (obstacles: readonly Obstacle[], state?: Partial<StandIn>): Vec3 =>
  avoid(obstacles, state, 0).force

describe('the textbook method', () => {
  it('the lateral force points from the centre of the threat to the axis, in the YZ plane, and is larger for nearer hits', () => {
    // expanded radius 1.5; the axis passes at 0.5 under the centre and hits at 3 − √(1.5² − 0.5²)
    const hit = 3 - Math.sqrt(2)
    expectVec(lateral([ball(1, 3, 0.5, 0)]), v(0, (-100 * (1 + (LENGTH - hit) / LENGTH)) / 3, 0), 1e-9)
    // a vector (0, y, z)
    const { x, y, z } = lateral([ball(1, 3, 0.3, -0.4)])
    expect(x).toBe(0)
    expect(y / z).toBeCloseTo(-3 / 4, 9)
    expect(y).toBeLessThan(0)
  })

  it('brakes by the weight of the deck, more for threats farther away', () => {
    const at = (x: number): number => avoid([ball(1, x)], { maxForce: 100 }, 0.5).force.x
    expect(at(3)).toBeCloseTo((-100 * 0.5 * 1.5) / LENGTH, 9)
    expect(at(2)).toBeGreaterThan(at(3))
    expect(avoid([ball(1, 3.5)]).force.x).toBe(-100)
  })

  it('rejects obstacles behind, too far ahead, and beside the cylinder', () => {
    expect(avoid([ball(1, -1.6)]).threat).toBe(false)
    expect(avoid([ball(1, 5)]).threat).toBe(false)
    expect(avoid([ball(1, 2, 1.6, 0)]).threat).toBe(false)
    expect(avoid([ball(1, 2, 1.1, 1.1)]).threat).toBe(false)
    expectVec(avoid([ball(1, 2, 1.6, 0)]).force, v(0, 0, 0), 0)
    expect(avoid([ball(1, 2, 1.4, 0)]).threat).toBe(true)
    expect(avoid([]).threat).toBe(false)
  })

  it('only the closest hit counts, not the nearest centre', () => {
    // the large one is hit first, though its centre is farther away
    const big = ball(3, 4.5, 1, 0)
    const small = ball(0.5, 2.5, 0, 0.5)
    expectVec(lateral([small, big]), lateral([big]), 0)
    expectVec(lateral([big, small]), lateral([big]), 0)
  })

  it('the cylinder is as long as the distance to react and stop', () => {
    const far = ball(1, 5, 0.5, 0)
    expect(avoid([far]).threat).toBe(false)
    expect(avoid([far], { maxForce: 20 }).threat).toBe(true)
    expect(avoid([far], { responseTime: 0.3 }).threat).toBe(true)
    expect(avoid([ball(1, 2.3)], { velocity: v(1, 0, 0) }).threat).toBe(false)
    // without brakes there is no limit
    expect(avoid([ball(1, 5e3)], { maxForce: 0 }).threat).toBe(true)
  })

  it('has its known weakness: an obstacle exactly ahead gives no lateral force', () => {
    expectVec(lateral([ball(1, 3)]), v(0, 0, 0), 0)
    expectVec(avoid([ball(1, 3)]).force, v((-200 * 1.5) / LENGTH, 0, 0), 1e-9)
  })

  it('inside of an obstacle the force points from its centre to the point ahead', () => {
    const inside = (x: number, y: number, state: Partial<StandIn> = {}): Vec3 =>
      avoid([ball(2, x, y)], state).force
    // at rest the point ahead is the agent's own position
    expectVec(inside(-1, 0, { velocity: v(0, 0, 0) }), v(100, 0, 0), 1e-9)
    expectVec(inside(0, -1, { velocity: v(0, 0, 0) }), v(0, 100, 0), 1e-9)
    // in flight it is 2.556 m ahead
    const s = LENGTH - 0.5
    expectVec(inside(0, -1), times(v(s, 1, 0), 100 / Math.hypot(s, 1)), 1e-9)
  })

  it('at rest at the exact centre there is no force', () => {
    const { force, threat } = avoid([ball(2, 0)], { velocity: v(0, 0, 0) })
    expectVec(force, v(0, 0, 0), 0)
    expect(threat).toBe(true)
  })

  it('treats other shapes as the ball that has their surface there', () => {
    // the corner of a box, hit with the hull: the normal there counts, as a share of the force
    const box = new Obstacle({ shape: new BoxShape(v(1, 1, 1)), at: v(3, -1.3, 0) })
    const depth = Math.sqrt(0.5 * 0.5 - 0.3 * 0.3)
    const hit = 2 - depth
    expectVec(lateral([box]), v(0, 0.6 * 100 * (1 + (LENGTH - hit) / LENGTH), 0), 1e-6)
    // on a face there is no lateral force, as exactly ahead
    const wall = new Obstacle({ shape: new HalfSpaceShape(v(-1, 0, 0)), at: v(3, 0, 0) })
    expectVec(lateral([wall]), v(0, 0, 0), 1e-9)
    expect(avoid([wall]).force.x).toBeLessThan(-50)
    expectVec(avoid([wall], { position: v(4, 0, 0), velocity: v(0, 0, 0) }).force, v(-100, 0, 0), 1e-9)
  })

  it('the force is at most the maximum force, in newtons', () => {
    expect(norm(avoid([ball(1, 3, 0.5, 0.4)]).force)).toBeLessThanOrEqual(100 + 1e-9)
    const strong = avoid([ball(1, 3, 0.5, 0.4)], { maxForce: 200, mass: 2 }).force
    expectVec(strong, times(avoid([ball(1, 3, 0.5, 0.4)]).force, 2), 0)
  })
})
