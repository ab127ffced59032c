import { expect, it } from 'vitest'
import {
  BoxShape,
  Contain,
  Cruise,
  HollowShape,
  SteeringController,
  SteeringWorld,
  Wander,
  within,
} from 'three-steering'
import { Flips } from '../../demo/scenarios/metrics.js'
import { norm, v } from '../support/geometry.js'
import { ask } from '../support/pilot.js'

// The search for a direction knew no edge of a wall. It waited until a wall was near, and then turned the
// agent by the first of its rings of directions, 0.2 rad, whatever was needed. A wish that keeps the course
// was then free again, and led back to the wall: agents wove along walls, with 2 to 7 changes of turn a
// second.

const room = (): Contain =>
  new Contain({ bounds: [{ shape: new HollowShape(new BoxShape({ x: 40, y: 40, z: 40 })) }] })

it.each([30, 60, 144])('a wanderer in a room changes its turn rarely at %i Hz', (rate) => {
  const world = new SteeringWorld({ seed: 3 })
  const pilots = Array.from({ length: 6 }, () => {
    const behavior = within([room()], new Wander())
    const one = new SteeringController(null, { radius: 0.5, maxSpeed: 10, maxForce: 20, behavior })
    world.add(one)
    return { one, flips: new Flips(0.5) }
  })
  const seconds = 30
  for (let i = 0; i < seconds * rate; i++) {
    world.step(1 / rate)
    for (const { one, flips } of pilots) flips.see(one.velocity, 1 / rate)
  }
  for (const { flips } of pilots) expect(flips.count / seconds).toBeLessThan(0.6)
})

it('a course along a wall is turned by no more than the angle at which it nears the wall', () => {
  const speed = 10
  const responseTime = 0.1
  for (const gap of [0.5, 1, 2, 4])
    for (const angle of [0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4]) {
      const { force } = ask(within([room()], new Cruise()), {
        position: v(0, 0, 39.5 - gap),
        velocity: v(speed * Math.cos(angle), 0, speed * Math.sin(angle)),
        maxForce: 200,
        radius: 0.5,
        responseTime,
      })
      expect((norm(force) * responseTime) / speed, `${gap} m, ${angle} rad`).toBeLessThan(1.05 * angle)
    }
})
