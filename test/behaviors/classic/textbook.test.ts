import { describe, expect, it } from 'vitest'
import { BoxShape, HalfSpaceShape, Obstacle, SphereShape, type Vec3 } from 'three-steering'
import { textbookAvoidance } from '../../../src/blocks/classic/textbook.js'
import { copyFrame, frame } from '../../../src/core/math/frame.js'
import { expectVec, v } from '../../support/geometry.js'
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
  it('has its known weakness: an obstacle exactly ahead gives no lateral force', () => {
    expectVec(lateral([ball(1, 3)]), v(0, 0, 0), 0)
    expectVec(avoid([ball(1, 3)]).force, v((-200 * 1.5) / LENGTH, 0, 0), 1e-9)
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
    // of several, that which is hit first
    const beyond = new Obstacle({ shape: new BoxShape(v(1, 1, 1)), at: v(3.4, 1.3, 0) })
    for (const both of [
      [box, beyond],
      [beyond, box],
    ])
      expectVec(lateral(both), lateral([box]), 0)
    // on a face there is no lateral force, as exactly ahead
    const wall = new Obstacle({ shape: new HalfSpaceShape(v(-1, 0, 0)), at: v(3, 0, 0) })
    expectVec(lateral([wall]), v(0, 0, 0), 1e-9)
    expect(avoid([wall]).force.x).toBeLessThan(-50)
    expectVec(avoid([wall], { position: v(4, 0, 0), velocity: v(0, 0, 0) }).force, v(-100, 0, 0), 1e-9)
  })
})
