import { expect, it } from 'vitest'
import { Arrive, AvoidObstacles, BoxShape, Obstacles, SphereShape, within } from 'three-steering'
import { norm, minus, v } from '../support/geometry.js'
import { pilot, quietWorld } from '../support/pilot.js'

// What an agent needs to pass ahead of a faster obstacle was a velocity beyond its full speed. It got that
// direction at full speed, which does not lead past, in place of another direction, which does.

/** Half of the length of a lane, and the distance between two of its obstacles, m. */
const END = 40
const GAP = 10

/** Least gap (m) on the way across three lanes of what moves at 8 m/s, and when (s) it gets there. */
function cross(isBall: boolean, isPlanar: boolean, phase: number, dt: number): [gap: number, time: number] {
  const shape = isBall ? new SphereShape(1) : new BoxShape(v(0.25, 1, 0.25))
  const rocks = [-6, 0, 6].flatMap((z, lane) =>
    Array.from({ length: (2 * END) / GAP }, (_, i) => ({
      position: v(((phase * (lane + 1) + i * GAP) % (2 * END)) - END, 0, z),
      velocity: v(lane === 1 ? -8 : 8, 0, 0),
    })),
  )
  const obstacles = new Obstacles(rocks.map((at) => ({ shape, at })))
  const { world } = quietWorld()
  const goal = v(0, 0, 20)
  const agent = pilot(within([new AvoidObstacles({ obstacles })], new Arrive({ target: goal })), {
    position: v(0, 0, -20),
    maxSpeed: 5,
    maxForce: 15,
    ...(isPlanar ? { plane: v(0, 1, 0) } : {}),
  })
  world.add(agent)
  let gap = Infinity
  for (let time = 0; time < 30; time += dt) {
    world.step(dt)
    for (const { position, velocity } of rocks) {
      position.x += velocity.x * dt
      if (Math.abs(position.x) > END) position.x = -END * Math.sign(position.x)
    }
    obstacles.refresh()
    gap = Math.min(gap, obstacles.distance(agent.position, v(0, 0, 0)) - agent.radius)
    if (norm(minus(agent.position, goal)) < 1) return [gap, time]
  }
  return [gap, Infinity]
}

it.each([30, 60, 144])('lanes of faster obstacles are crossed without a touch, at %d Hz', (rate) => {
  for (const isPlanar of [false, true])
    for (const [isBall, phase] of [
      [true, 3.9],
      [true, 7.8],
      [false, 5.2],
      [false, 6.5],
    ] as const) {
      const [gap, time] = cross(isBall, isPlanar, phase, 1 / rate)
      expect(gap, `${isBall} ${isPlanar} ${phase}`).toBeGreaterThan(0)
      expect(time, `${isBall} ${isPlanar} ${phase}`).toBeLessThan(10)
    }
})
