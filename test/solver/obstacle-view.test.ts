import { describe, expect, it } from 'vitest'
import { BoxShape, CapsuleShape, HalfSpaceShape, Obstacle, SphereShape } from 'three-steering'
import { seeded } from 'three-steering/authoring'
import { multiply, quat } from '../../src/core/math/quat.js'
import { meetTurning } from '../../src/core/solver/meet-turning.js'
import { ObstacleView } from '../../src/core/solver/obstacle-view.js'
import { about, angleApart, crossOf, norm, plus, times, turned, unit, v } from '../support/geometry.js'

describe('a ball outside of a cone of directions', () => {
  it.each([
    ['stands still', 0],
    ['drifts', 0.6],
    ['is almost as fast as the agent', 0.98],
  ])('blocks none of them: one that %s', (_, share) => {
    const random = seeded(1987)
    const within = (size: number): number => size * (2 * random() - 1)
    const any = () => unit(v(within(1) + 1e-9, within(1), within(1)))
    const speed = 10
    let aside = 0
    for (let i = 0; i < 4000; i++) {
      const position = times(any(), 3 + 40 * random())
      const velocity = times(any(), share * speed)
      const ball = new Obstacle({ shape: new SphereShape(0.5 + 2 * random()), at: { position, velocity } })
      const bar = new ObstacleView(ball)
      bar.set(ball, 1e3, 0.5, 0.3)
      bar.update(v(0, 0, 0), v(0, 0, 0), { speed: 1, lag: 0 })
      const axis = any()
      const angle = 1.2 * random()
      if (!bar.isAside(axis, angle, speed)) continue
      aside++
      // the edge of the cone, and some directions inside
      const side = unit(crossOf(axis, any()))
      let least = Infinity
      for (let k = 0; k < 24; k++) {
        const tip = turned(about(side, angle * (k % 3 === 0 ? random() : 1)), axis)
        const direction = turned(about(axis, (k * Math.PI) / 12), tip)
        least = Math.min(least, bar.distanceToOutline(direction, { speed, lag: 0 }))
      }
      expect(least).toBe(Infinity)
    }
    // the test is not empty
    expect(aside).toBeGreaterThan(share < 0.9 ? 1000 : 100)
  })

  it('it is passed at the point of the path nearest to it', () => {
    const ball = new Obstacle({ shape: new SphereShape(1), at: v(6, 3, 0) })
    const bar = new ObstacleView(ball)
    bar.set(ball, 100, 0.5, 0.3)
    bar.update(v(0, 0, 0), v(0, 0, 0), { speed: 1, lag: 0 })
    bar.measureAbreast(unit(plus(v(1, 0, 0), v(0, 1, 0))))
    expect(bar.abreast).toBeCloseTo(9 / Math.SQRT2, 9)
  })
})

describe('an obstacle that turns', () => {
  const shapes = [
    new BoxShape({ x: 6, y: 1, z: 0.5 }),
    new CapsuleShape(0.7, 8),
    new SphereShape(1.5),
    new HalfSpaceShape(),
  ]

  it('is met when its surface, carried on by velocity and angular velocity, is as near as the radius', () => {
    const random = seeded(1834)
    const within = (size: number): number => size * (2 * random() - 1)
    const any = (size: number) => v(within(size), within(size), within(size))
    let met = 0
    for (let i = 0; i < 400; i++) {
      const shape = shapes[i % shapes.length]!
      const position = any(4)
      const velocity = any(1)
      const axis = unit(any(1))
      const rate = 0.1 + 1.2 * random()
      const attitude = about(unit(any(1)), 3 * random())
      const angularVelocity = times(axis, rate)
      const offset = i % 2 === 0 ? any(5) : v(0, 0, 0)
      const at = { position, quaternion: attitude, velocity, angularVelocity }
      const obstacle = new Obstacle({ shape, at, offset, turn: about(unit(any(1)), 1) })
      const from = plus(any(8), times(unit(any(1)), 12))
      const course = times(unit(any(1)), 4)
      const ball = { radius: 0.5, horizon: 6, time: 0 }
      if (obstacle.distance(from, v(0, 0, 0)) < 1) continue
      meetTurning(obstacle, from, course, ball)
      // the same obstacle, moved step by step
      let first = Infinity
      let least = Infinity
      for (let t = 0; t < 6 && first === Infinity; t += 0.005) {
        at.position = plus(position, times(velocity, t))
        at.quaternion = multiply(quat(), about(axis, rate * t), attitude)
        obstacle.refresh()
        const gap = obstacle.distance(plus(from, times(course, t)), v(0, 0, 0)) - ball.radius
        least = Math.min(least, gap)
        if (gap < 0) first = t
      }
      // a path along the surface may be met or not
      if (Math.abs(least) < 0.1 && (first === Infinity) !== (ball.time === Infinity)) continue
      if (first === Infinity) expect(ball.time, `${i}`).toBe(Infinity)
      else expect(Math.abs(ball.time - first), `${i}: ${ball.time}, ${first}`).toBeLessThan(0.06)
      if (first < Infinity) met++
    }
    // the test is not empty
    expect(met).toBeGreaterThan(40)
  })

  it('hits as the obstacle that flies straight in its place', () => {
    const bar = new Obstacle({
      shape: new BoxShape({ x: 8, y: 0.5, z: 0.5 }),
      at: { position: v(0, 0, 0), quaternion: about(v(0, 0, 1), -1), angularVelocity: v(0, 0, 0.4) },
    })
    const view = new ObstacleView(bar)
    view.set(bar, 100, 0.5, 0)
    view.measure(v(5, 0, 0))
    const hit = { horizon: 10, time: 0 }
    view.findHit(v(0, 0, 0), hit)
    // the bar turns by 1 rad, less what half of its width and the radius take
    expect(hit.time).toBeCloseTo((1 - Math.asin(1 / 5)) / 0.4, 1)
    // the speed of the material at the contact
    expect(norm(view.shown.velocity)).toBeCloseTo(0.4 * 5, 1)
    expect(view.shown.velocity.y).toBeGreaterThan(1.9)
    const there = plus(view.shown.position, times(view.shown.velocity, hit.time))
    expect(norm(there)).toBeLessThan(1e-9)
    expect(angleApart(view.shown.quaternion, about(v(0, 0, 1), 0.4 * hit.time - 1))).toBeLessThan(1e-9)
  })
})
