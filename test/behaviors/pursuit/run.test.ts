import { describe, expect, it } from 'vitest'
import { type Vec3 } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { bestSide } from '../../../src/blocks/pursuit/run.js'
import { MotionModel } from '../../../src/blocks/pursuit/motion-model.js'
import { copyFrame, frame } from '../../../src/core/math/frame.js'
import {
  about,
  angleBetween,
  dotOf,
  minus,
  norm,
  plus,
  times,
  turned,
  unit,
  v,
} from '../../support/geometry.js'
import { standIn, stepOf, type StandIn } from '../../support/stand-in.js'
import { pick } from '../../support/tier.js'

/**
 * Smallest distance (m) of the two when the agent flies straight on for `wait` s and then turns by a right
 * angle to `side`. In small steps.
 */
function flownPast(
  { course, position, speed }: StandIn,
  target: { readonly position: Vec3; readonly velocity: Vec3 },
  side: Vec3,
  power: number,
  wait: number,
): number {
  const dt = 1e-3
  const rate = power / speed
  let place = position
  let smallest = Infinity
  for (let time = 0; time < wait + Math.PI / rate; time += dt) {
    smallest = Math.min(smallest, norm(minus(place, plus(target.position, target.velocity, time))))
    const angle = Math.min(Math.max(0, (time - wait) * rate), Math.PI / 2)
    const direction = plus(times(course.x, Math.cos(angle)), side, Math.sin(angle))
    place = plus(place, direction, speed * dt)
  }
  return smallest
}

describe('the side on which a run is broken off', () => {
  it.each([
    ['an agent that pushes in any direction', 0],
    ['wings, which roll first', 1.2],
  ])('passes the target at the returned distance: %s', (_, swing) => {
    const random = seeded(1987)
    const any = (size: number): Vec3 =>
      v(size * (2 * random() - 1), size * (2 * random() - 1), size * (2 * random() - 1))
    let rolled = 0
    for (let i = 0; i < pick(90, 150); i++) {
      const orientation = about(unit(plus(any(1), v(2, 0, 0))), 3 * random())
      const ahead = turned(orientation, v(0, 0, 1))
      const speed = 15 + 10 * random()
      const one = standIn({ orientation, velocity: times(ahead, speed), forceTurnTime: swing })
      const agent = { ...one, course: copyFrame(frame(), one.attitude) }
      const target = { position: plus(times(ahead, 30 + 20 * random()), any(8)), velocity: any(8) }
      const motion = new MotionModel()
      motion.update(agent, target, stepOf())
      const power = 10 + 20 * random()
      const delay = 0.3 * random()
      const side = v(0, 0, 0)
      const events = bestSide(side, agent, target, motion, v(0, 1, 0), power, delay)
      expect(Math.abs(norm(side) - 1)).toBeLessThan(1e-9)
      expect(Math.abs(dotOf(side, ahead))).toBeLessThan(1e-9)
      // Wings lift in either direction.
      const tilt = angleBetween(agent.attitude.y, side)
      const roll = (swing * Math.min(tilt, Math.PI - tilt)) / (Math.PI / 2)
      if (roll > 0.3) rolled++
      const found = flownPast(agent, target, side, power, delay + roll)
      // The prediction uses chords of its turn.
      expect(Math.abs(events - found)).toBeLessThan(0.1 + (0.04 * speed * speed) / power)
    }
    expect(rolled).toBeGreaterThan(swing > 0 ? 20 : -1)
  })
})
