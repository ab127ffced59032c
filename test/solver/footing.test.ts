import { expect, it } from 'vitest'
import { BoxShape, Obstacles, PrismShape, type Obstacle } from 'three-steering'
import { Footing } from '../../src/core/solver/footing.js'
import { sweptBall } from '../../src/core/obstacles/sweep.js'
import { about, v } from '../support/geometry.js'
import { standIn, stepOf } from '../support/stand-in.js'

const [TREAD, COUNT] = [0.4, 8]

/** A flight of stairs of one piece, which is not convex, from x = 5 on. */
function stairs(rise: number) {
  const corners = Array.from({ length: COUNT }, (_, i) => [
    { x: i * TREAD, z: i * rise },
    { x: i * TREAD, z: (i + 1) * rise },
  ]).flat()
  const end = [40, 40].map((x, i) => ({ x, z: i === 0 ? COUNT * rise : 0 }))
  const shape = new PrismShape([...corners, ...end], 20)
  return { shape, at: v(5, 0, 10), turn: about(v(1, 0, 0), -Math.PI / 2) }
}

// a large ball touches a higher step first
it.each([0.5, 2])('a ball of %s m climbs stairs of one piece with steps of up to 0.3 m', (radius) => {
  const traits = { gravity: v(0, -9.81, 0), stepHeight: 0.3, maxSlope: 0.8, maxForce: 1 }
  const agent = standIn({ ...traits, radius, position: v(0, radius, 0) })
  for (const rise of [0.1, 0.2, 0.29, 0.31, 0.45, 0.7]) {
    const floor = { shape: new BoxShape(v(60, 1, 60)), at: v(0, -1, 0) }
    const obstacles = new Obstacles([floor, stairs(rise)])
    const footing = new Footing()
    footing.begin(agent, stepOf(), obstacles, radius)
    const ball = sweptBall<Obstacle>(radius)
    ball.limit = 30
    footing.sweepSet(obstacles, agent.position, v(1, 0, 0), ball)
    expect(ball.distance === Infinity, `${rise} m`).toBe(rise < 0.3)
  }
})
