import { describe, expect, it } from 'vitest'
import { type Vec3 } from 'three-steering'
import { Port } from 'three-steering/docking'
import { PortPose } from '../../../src/blocks/docking/port-pose.js'
import { isLatchable } from '../../../src/blocks/docking/mooring.js'
import { product } from '../../laws/kit.js'
import { about, plus, v } from '../../support/geometry.js'
import { standIn } from '../../support/stand-in.js'

// each has a different value, so that an exchange of two is detected
const LIMITS = {
  latchDistance: 0.02,
  tolerance: 0.03,
  angleTolerance: 0.01,
  speedTolerance: 0.05,
  spinTolerance: 0.015,
  closingSpeed: 0.25,
}
const COUPLING = { probe: v(2, 0, 0), axis: v(1, 0, 0), top: v(0, 1, 0) }
const CARRIER = {
  position: v(100, -20, 7),
  velocity: v(3, 2, -1),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
  angularVelocity: v(0, 0, 0),
  forward: v(1, 0, 0),
  up: v(0, 1, 0),
}

/** Deviation of a ship from its docked pose at a port that faces +x: m, m/s, rad/s, and rad about `axis`. */
interface Off {
  readonly place?: Vec3
  readonly drift?: Vec3
  readonly spin?: Vec3
  readonly turn?: number
  readonly axis?: Vec3
}

function isLatched({
  place = v(0, 0, 0),
  drift = v(0, 0, 0),
  spin = v(0, 0, 0),
  turn = 0,
  axis = v(1, 0, 0),
}: Off) {
  const port = new Port({ carrier: CARRIER, position: v(5, 0, 0), outward: v(1, 0, 0) })
  // the probe is 2 m ahead of the centre, and the nose points at the port
  const docked = about(v(0, 1, 0), -Math.PI / 2)
  const agent = standIn({
    position: plus(plus(CARRIER.position, v(7, 0, 0)), place),
    velocity: plus(CARRIER.velocity, drift),
    angularVelocity: spin,
    orientation: product(about(axis, turn), docked),
  })
  return isLatchable(new PortPose().update(agent, port, COUPLING), LIMITS)
}

describe('the conditions of a latch', () => {
  it('are met in place and at rest', () => expect(isLatched({})).toBe(true))

  it.each<[string, number, (size: number) => Off]>([
    ['before the port', 0.02, (size) => ({ place: v(size, 0, 0) })],
    ['beyond the port', 0.02, (size) => ({ place: v(-size, 0, 0) })],
    ['aside', 0.03, (size) => ({ place: v(0, 0.6 * size, -0.8 * size) })],
    ['rolled', 0.01, (turn) => ({ turn })],
    ['sliding', 0.05, (size) => ({ drift: v(0, -0.8 * size, 0.6 * size) })],
    ['closing', 0.3, (size) => ({ drift: v(-size, 0, 0) })],
    ['leaving', 0.3, (size) => ({ drift: v(size, 0, 0) })],
    ['rolling', 0.015, (size) => ({ spin: v(size, 0, 0) })],
    [
      'swinging about its docking point',
      0.015,
      (size) => ({ spin: v(0, size, 0), drift: v(0, 0, -2 * size) }),
    ],
  ])('count each by itself: %s, up to %f', (_, most, off) => {
    expect(isLatched(off(0.95 * most))).toBe(true)
    expect(isLatched(off(1.05 * most))).toBe(false)
  })

  it('count the speed of the docking point: an agent that turns about its own centre slides', () => {
    // 2 m from the docking point: 0.03 m/s, and 0.06 with a drift that adds to it
    const spin = v(0, 0.0145, 0)
    expect(isLatched({ spin })).toBe(true)
    const both = [1, -1].map((sign) => isLatched({ spin, drift: v(0, 0, sign * 0.03) }))
    expect(both.filter((latched) => latched)).toHaveLength(1)
  })
})
