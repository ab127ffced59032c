import { describe, expect, it } from 'vitest'
import { Evade, Pursue, SteeringWorld, type Moving, type Vec3 } from 'three-steering'
import { farthestAlong, timeToTouch } from '../../../src/blocks/pursuit/intercept.js'
import { MotionModel } from '../../../src/blocks/pursuit/motion-model.js'
import {
  crossOf,
  direction,
  dotOf,
  expectFinite,
  expectVec,
  minus,
  norm,
  number,
  plus,
  times,
  unit,
  v,
  vector,
} from '../../support/geometry.js'
import { law } from '../../support/law.js'
import { ask, pilot } from '../../support/pilot.js'
import { standIn, stepOf } from '../../support/stand-in.js'

/** A flight in a plane, or along its axis, given by two unit vectors at right angles. */
type Path = (time: number) => Moving

function circle(a: Vec3, b: Vec3, radius: number, rate: number, drift = v(0, 0, 0)): Path {
  return (t) => ({
    position: plus(plus(times(drift, t), a, radius * Math.cos(rate * t)), b, radius * Math.sin(rate * t)),
    velocity: plus(
      plus(drift, a, -radius * rate * Math.sin(rate * t)),
      b,
      radius * rate * Math.cos(rate * t),
    ),
  })
}

function weave(a: Vec3, b: Vec3, speed: number, width: number, rate: number): Path {
  return (t) => ({
    position: plus(times(a, speed * t), b, width * Math.sin(rate * t)),
    velocity: plus(times(a, speed), b, width * rate * Math.cos(rate * t)),
  })
}

/** Observes a flight for some seconds, with steps of `dt`. */
function watch(path: Path, seconds: number, dt: number, motion = new MotionModel(), from = 0): MotionModel {
  const agent = standIn()
  const steps = Math.round(seconds / dt)
  for (let i = 0; i <= steps; i++)
    motion.update(agent, path(from + i * dt), { ...stepOf(dt), time: from + i * dt })
  return motion
}

function miss(motion: MotionModel, path: Path, now: number, ahead: number): number {
  return norm(minus(motion.positionAt(v(0, 0, 0), ahead), path(now + ahead).position))
}

/** Two unit vectors at right angles. */
function pairOf(n: Vec3): [Vec3, Vec3] {
  const other = Math.abs(n.x) < 0.7 ? v(1, 0, 0) : v(0, 1, 0)
  return [n, unit(crossOf(n, other))]
}

describe('MotionModel', () => {
  it('has only the velocity at first sight', () => {
    const path = circle(v(1, 0, 0), v(0, 1, 0), 5, 1)
    const motion = watch(path, 0, 1 / 60)
    expectVec(motion.positionAt(v(0, 0, 0), 2), v(5, 10, 0), 1e-9)
  })

  for (const rate of [30, 60, 240])
    law(
      `at ${rate} steps a second: after a second it foresees a circle, a helix and a weave for two seconds, whichever way they lie`,
      [direction(), number(0.6, 3)],
      (n, turns) => {
        const [a, b] = pairOf(n)
        const c = crossOf(a, b)
        const speed = 10
        const paths = [
          circle(a, b, speed / turns, turns),
          circle(a, b, speed / turns, turns, times(c, 4)),
          weave(a, b, speed, 3 / turns, turns),
        ]
        // Of 20 m and more that it flies meanwhile.
        for (const path of paths) expect(miss(watch(path, 2, 1 / rate), path, 2, 2)).toBeLessThan(0.35)
      },
      30,
    )

  it('predicts a straight line exactly, at any time', () => {
    const path: Path = (t) => ({ position: v(3 * t, t, -t), velocity: v(3, 1, -1) })
    for (const seconds of [0, 1 / 60, 0.2, 1])
      expect(miss(watch(path, seconds, 1 / 60), path, seconds, 5)).toBeLessThan(1e-9)
  })

  it('recovers from a jump of the position, of the velocity, or both', () => {
    const path = circle(v(1, 0, 0), v(0, 1, 0), 5, 2)
    const elsewhere: Path = (t) => {
      const { position, velocity } = path(t)
      return { position: plus(position, v(80, -3, 9)), velocity }
    }
    const other = circle(v(0, 0, 1), v(0, 1, 0), 5, 2)
    const weird: Path = (t) => ({ position: path(t).position, velocity: other(t).velocity })
    for (const next of [elsewhere, other, weird]) {
      const motion = watch(path, 2, 1 / 60)
      motion.update(standIn(), next(2), { ...stepOf(), time: 2 + 1 / 60 })
      // At once it has only the velocity, which is not far off …
      const { position, velocity } = next(2)
      expectVec(motion.positionAt(v(0, 0, 0), 0.5), plus(position, velocity, 0.5), 1e-6)
    }
    // … and soon it has the whole motion.
    const motion = watch(elsewhere, 1.5, 1 / 60, watch(path, 2, 1 / 60), 2 + 1 / 60)
    expect(miss(motion, elsewhere, 3.5 + 1 / 60, 1)).toBeLessThan(0.2)
  })

  it('may be updated twice in a step, and starts anew after a pause', () => {
    const path = circle(v(1, 0, 0), v(0, 1, 0), 5, 2)
    const motion = watch(path, 2, 1 / 60)
    const before = motion.positionAt(v(0, 0, 0), 1)
    motion.update(standIn(), path(2), { ...stepOf(), time: 2 })
    expectVec(motion.positionAt(v(0, 0, 0), 1), before, 1e-12)
    motion.update(standIn(), path(9), { ...stepOf(), time: 9 })
    expectVec(motion.positionAt(v(0, 0, 0), 1), plus(path(9).position, path(9).velocity), 1e-9)
  })

  law(
    'is finite for any motion',
    [vector(1e6), vector(1e6), vector(1e6)],
    (a, b, c) => {
      const motion = new MotionModel()
      const agent = standIn()
      const seen = [a, b, c, v(0, 0, 0), v(0, 0, 0), c, times(c, 1.001), times(c, 1.002)]
      for (let i = 0; i < 60; i++) {
        const velocity = seen[i % seen.length]!
        motion.update(agent, { position: v(0, 0, 0), velocity }, { ...stepOf(), time: i / 60 })
        expectFinite(motion.positionAt(v(0, 0, 0), 10))
      }
    },
    50,
  )
})

describe('the intercept under bounded force', () => {
  const reachOf = (position: Vec3, velocity: Vec3, state = {}, maxTime = 100): number => {
    const motion = new MotionModel()
    const agent = standIn({ radius: 1e-9, ...state })
    motion.update(agent, { position, velocity }, stepOf())
    return timeToTouch(agent, motion, 10, maxTime)
  }

  it('by hand: acceleration and flight at top speed', () => {
    // 2 m/s²: 10 m/s after 5 s and 25 m, then 75 m at 10 m/s.
    expect(reachOf(v(0, 100, 0), v(0, 0, 0), { maxForce: 2 })).toBeCloseTo(12.5, 2)
    // The target flies away at 5 m/s: 25 m of acceleration against 25 m of flight, so 100 m at 5 m/s.
    expect(reachOf(v(0, 100, 0), v(0, 5, 0), { maxForce: 2 })).toBeCloseTo(25, 2)
    // Flying away from it at full speed: 5 s and 25 m to stop, 5 s to come back, 100 m at 10 m/s.
    expect(reachOf(v(0, 100, 0), v(0, 0, 0), { maxForce: 2, velocity: v(0, -10, 0) })).toBeCloseTo(20, 2)
  })

  law(
    'finds a contact that is shorter than the steps of its search',
    [number(2, 10), number(30, 100), number(0.05, 0.3)],
    (time, speed, margin) => {
      // it flies past: nearest after `time`, and within reach for about 0.1 s
      const far = (10 * time - margin) / Math.sqrt(1 - 100 / speed ** 2)
      const start = v(-speed * time, far, 0)
      const found = reachOf(start, v(speed, 0, 0), { maxForce: 1e9 })
      expect(norm(plus(start, v(speed, 0, 0), found))).toBeLessThan(10 * found + 1e-3)
    },
  )

  law(
    'is the time in which a world of small steps gets there',
    [direction(), direction(), number(0, 10), number(15, 80), number(5, 40)],
    (distance, heading, speed, far, force) => {
      const velocity = times(heading, speed)
      const target = times(distance, far)
      const time = reachOf(target, v(0, 0, 0), { velocity, speed, maxForce: force })
      const world = new SteeringWorld()
      const one = pilot(new Pursue({ target: { position: target, velocity: v(0, 0, 0) } }), {
        velocity,
        maxForce: force,
        radius: 0.01,
        responseTime: 0.05,
      })
      world.add(one)
      let nearest = Infinity
      for (let t = 0; t < 1.03 * time + 0.2; t += 1 / 240) {
        world.step(1 / 240)
        nearest = Math.min(nearest, norm(minus(one.position, target)))
      }
      expect(nearest).toBeLessThan(0.3)
    },
    30,
  )

  law(
    'the farthest velocity is within reach, no faster than allowed, and none is farther',
    [direction(), direction(), number(0, 10), number(0.01, 30)],
    (n, heading, speed, reach) => {
      const velocity = times(heading, speed)
      const best = farthestAlong(v(0, 0, 0), velocity, n, 10, reach)
      expect(norm(best)).toBeLessThanOrEqual(10 + 1e-9)
      if (Math.abs(dotOf(heading, n)) > 1 - 1e-9) return
      expect(norm(minus(best, velocity))).toBeLessThanOrEqual(reach + 1e-6)
      const [, a] = pairOf(n)
      const b = crossOf(n, a)
      for (let k = 0; k < 40; k++) {
        const other = plus(
          velocity,
          unit(plus(plus(times(n, Math.cos(k)), a, Math.sin(k)), b, Math.sin(7 * k))),
          reach,
        )
        if (norm(other) <= 10) expect(dotOf(other, n)).toBeLessThanOrEqual(dotOf(best, n) + 1e-6)
      }
    },
  )

  it('looks no farther ahead than maxTime, and ends without a solution', () => {
    for (const maxTime of [3, Infinity]) {
      const time = reachOf(v(0, 50, 0), v(0, 30, 0), {}, maxTime)
      expect(time).toBeGreaterThanOrEqual(0)
      expect(time).toBeLessThanOrEqual(maxTime)
      expect(time).toBeLessThanOrEqual(100)
    }
  })
})

describe('Pursue', () => {
  it('chases a target that it cannot catch', () => {
    for (const velocity of [v(0, 0, 30), v(30, 0, 0)])
      expect(ask(new Pursue({ target: { position: v(0, 20, 20), velocity } })).force.z).toBeGreaterThan(0)
  })

  it('turns at full speed by a force square to its course', () => {
    const { force } = ask(new Pursue({ target: { position: v(0, 2000, 0), velocity: v(0, 0, 0) } }), {
      velocity: v(10, 0, 0),
      maxForce: 5,
    })
    expect(norm(force)).toBeCloseTo(5, 6)
    expect(Math.abs(force.x)).toBeLessThan(0.2)
  })
})

describe('Evade, turning inside', () => {
  /** The force on an agent that flies straight up at 10 m/s, with a target `gap` m behind it. */
  const chased = (gap: number, targetSpeed: number, options = {}): Vec3 =>
    ask(new Evade({ target: { position: v(0, -gap, 0), velocity: v(0, targetSpeed, 0) }, ...options }), {
      velocity: v(0, 10, 0),
      maxForce: 20,
      maxSpeed: 10,
    }).force

  it('flies straight on while the faster target is far', () => {
    expect(norm(v(chased(40, 13).x, 0, chased(40, 13).z))).toBeLessThan(1e-9)
  })

  it("turns hard across the target's course when it is near", () => {
    const { x, z } = chased(4, 13)
    expect(Math.hypot(x, z)).toBeGreaterThan(10)
  })

  it('flees from a target that is no faster, near or far', () => {
    for (const gap of [4, 40]) {
      const { x, z } = chased(gap, 10)
      expect(Math.hypot(x, z)).toBeLessThan(1e-9)
    }
  })

  it('with the method flee it only flees', () => {
    const { x, z } = chased(4, 13, { method: 'flee' })
    expect(Math.hypot(x, z)).toBeLessThan(1e-9)
  })

  it('ignores a target beyond panicDistance', () => {
    expectVec(chased(4, 13, { panicDistance: 3 }), v(0, 0, 0), 0)
  })
})
