import { describe, expect, it } from 'vitest'
import { Evade, Pursue, SteeringWorld, type Moving, type PursueOptions } from 'three-steering'
import { timeToMeet } from '../../../src/blocks/pursuit/pursue.js'
import {
  angleBetween,
  direction,
  dotOf,
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
import { ask, pilot, type PilotOptions } from '../../support/pilot.js'
import { standIn } from '../../support/stand-in.js'
import { pick } from '../../support/tier.js'

/** The point at which a pursuer at the origin aims, as far as its direction shows. */
function aim(target: Moving, options: Partial<PursueOptions> = {}, state: PilotOptions = {}) {
  const { force } = ask(new Pursue({ target, ...options }), { maxForce: 1e6, ...state })
  const velocity = state.velocity ?? v(0, 0, 0)
  return unit(plus(times(force, 0.1), velocity))
}

const moving = (position = v(0, 0, 0), velocity = v(0, 0, 0)): Moving => ({ position, velocity })

describe('intercept', () => {
  law(
    'solves |p + v·t| = speed · t exactly when the target is slower',
    [vector(), direction(), number(0, 9.9)],
    (position, heading, speed) => {
      if (norm(position) < 1e-3) return
      const target = moving(position, times(heading, speed))
      const t = timeToMeet(standIn(), target, 10, 'intercept')
      expect(t).toBeGreaterThan(0)
      expect(norm(plus(position, target.velocity, t)) / (10 * t)).toBeCloseTo(1, 6)
    },
  )

  law(
    'is the time at which an agent that already flies at its speed meets the target',
    [vector(40), direction(), number(0, 9)],
    (position, heading, speed) => {
      if (norm(position) < 5) return
      const target = { position: { ...position }, velocity: times(heading, speed) }
      const t = timeToMeet(standIn(), target, 10, 'intercept')
      const towards = unit(plus(position, target.velocity, t))
      const world = new SteeringWorld()
      const one = pilot(new Pursue({ target, prediction: 'intercept', maxPredictionTime: Infinity }), {
        velocity: times(towards, 10),
        maxForce: 1e4,
      })
      world.add(one)
      const steps = Math.ceil(60 * t)
      for (let i = 0; i < steps; i++) {
        world.step(t / steps)
        Object.assign(target.position, plus(target.position, target.velocity, t / steps))
        // A straight line: nothing is left to correct.
        if (i < steps - 2) expect(norm(one.force)).toBeLessThan(1)
      }
      expectVec(one.position, target.position, 0.01 * norm(position) + 0.1)
    },
    30,
  )

  it('head-on and tail-chase', () => {
    expect(timeToMeet(standIn(), moving(v(0, 0, 30), v(0, 0, -5)), 10, 'intercept')).toBeCloseTo(2, 12)
    expect(timeToMeet(standIn(), moving(v(0, 0, 30), v(0, 0, 5)), 10, 'intercept')).toBeCloseTo(6, 12)
  })

  it('a target as fast as the agent is met if it approaches', () => {
    // Isosceles: it flies at 10 m/s at 60° to the line between them.
    const target = moving(v(0, 0, 20), times(unit(v(Math.sqrt(3), 0, -1)), 10))
    const t = timeToMeet(standIn(), target, 10, 'intercept')
    expect(norm(plus(target.position, target.velocity, t))).toBeCloseTo(10 * t, 6)
    expect(t).toBeCloseTo(2, 9)
  })

  law(
    'a faster target that comes near enough is met at the first possible time',
    [vector(50), vector(1)],
    (position, aside) => {
      if (norm(position) < 1) return
      const heading = unit(plus(times(unit(position), -1), aside, 0.3))
      const target = moving(position, times(heading, 25))
      const t = timeToMeet(standIn(), target, 10, 'intercept')
      const distance = (at: number): number => norm(plus(position, target.velocity, at)) - 10 * at
      if (Math.abs(distance(t)) > 1e-6 * norm(position)) {
        // It cannot be met at any time.
        for (let k = 1; k <= 400; k++) expect(distance((k * norm(position)) / 4000)).toBeGreaterThan(0)
      } else for (let k = 0; k < 50; k++) expect(distance((k / 51) * t)).toBeGreaterThan(-1e-9)
    },
  )

  it('a target that can no longer be caught is chased, not waited for', () => {
    // Faster and flying away, and faster and passing too far off.
    for (const target of [moving(v(0, 0, 20), v(0, 0, 30)), moving(v(0, 20, 20), v(30, 0, 0))]) {
      const t = timeToMeet(standIn(), target, 10, 'intercept')
      expect(Number.isFinite(t) && t >= 0).toBe(true)
      expect(dotOf(aim(target), unit(target.position))).toBeGreaterThan(0)
    }
  })

  it('coincident, without speed, at rest: the time is 0', () => {
    expect(timeToMeet(standIn(), moving(v(0, 0, 0), v(1, 2, 3)), 10, 'intercept')).toBe(0)
    expect(timeToMeet(standIn(), moving(v(0, 0, 9)), 0, 'intercept')).toBe(0)
    expect(timeToMeet(standIn(), moving(v(0, 0, 9)), 10, 'intercept')).toBeCloseTo(0.9, 12)
  })

  law('is total', [vector(1e9), vector(1e9), number(0, 1e9)], (p, w, s) => {
    // 0, or between a micrometre and a million kilometres: squares of less underflow.
    const round = (x: number): number => (Math.abs(x) < 1e-6 ? 0 : x)
    const position = v(round(p.x), round(p.y), round(p.z))
    const velocity = v(round(w.x), round(w.y), round(w.z))
    const speed = round(s)
    for (const prediction of ['intercept', 'linear', 'turn-aware'] as const) {
      const t = timeToMeet(standIn(), moving(position, velocity), speed, prediction)
      expect(t).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('turn-aware', () => {
  const time = (target: Moving, state = {}) => timeToMeet(standIn(state), target, 10, 'turn-aware')

  it('one ahead that flies away takes distance / speed', () => {
    expect(time(moving(v(0, 0, 40), v(0, 0, 3)))).toBeCloseTo(4, 9)
  })
})

describe('Pursue', () => {
  it('aims where the target will be, no farther ahead than maxPredictionTime', () => {
    const target = moving(v(0, 0, 1000), v(1, 0, 0))
    expectVec(aim(target, { prediction: 'linear' }), unit(v(10, 0, 1000)), 1e-9)
    expectVec(aim(target, { prediction: 'linear', maxPredictionTime: 3 }), unit(v(3, 0, 1000)), 1e-9)
    expectVec(aim(target, { prediction: 'linear', maxPredictionTime: 1000 }), unit(v(100, 0, 1000)), 1e-9)
  })

  it('catches a slower target that dodges', () => {
    const world = new SteeringWorld()
    const target = pilot(
      {
        steer: (_agent, step, out) => {
          out.force.x = 20 * Math.sin(step.time)
          out.force.y = 20 * Math.cos(1.3 * step.time)
        },
      },
      { position: v(0, 0, 40), velocity: v(0, 0, 4), maxSpeed: 5 },
    )
    const pursuer = pilot(new Pursue({ target }), { maxForce: 60 })
    world.add(target)
    world.add(pursuer)
    let nearest = Infinity
    for (let i = 0; i < 900; i++) {
      world.step(1 / 60)
      nearest = Math.min(nearest, norm(minus(pursuer.position, target.position)))
    }
    expect(nearest).toBeLessThan(0.3)
  })

  /** The error of an erring pursuer across the line of sight in each step (m). */
  function errors(rate: number, seconds: number, options: Partial<PursueOptions>, seed = 1): number[][] {
    const world = new SteeringWorld({ seed })
    // So far off that the direction shows the aim, and so heavy that it stays in place.
    const target = moving(v(0, 0, 1e4))
    const one = pilot(new Pursue({ target, ...options }), { maxForce: 1, mass: 1e9 })
    world.add(one)
    const seen: number[][] = []
    for (let i = 0; i < seconds * rate; i++) {
      world.step(1 / rate)
      const { x, y, z } = one.demand.force
      seen.push([(1e4 * x) / z, (1e4 * y) / z])
    }
    return seen
  }

  const mean = (list: readonly number[]): number => list.reduce((s, x) => s + x, 0) / list.length

  for (const rate of pick([60], [15, 60, 240]))
    it(`scatters with its standard deviation in each axis, over its time, at ${rate} steps a second`, () => {
      const seconds = 480_000 / 240
      const seen = errors(rate, seconds / (rate === 240 ? 4 : pick(6, 1)), {
        aimError: 5,
        aimErrorTime: 0.5,
      })
      const lag = Math.round(0.5 * rate)
      const n = seen.length / (2 * 0.5 * rate) // independent samples: two correlation times each
      for (const axis of [0, 1]) {
        const list = seen.map((each) => each[axis]!)
        const variance = mean(list.map((x) => x * x))
        expect(Math.abs(mean(list))).toBeLessThan((4 * 5) / Math.sqrt(n))
        expect(Math.abs(variance / 25 - 1)).toBeLessThan(4 * Math.sqrt(2 / n))
        // e^−1 after one aimErrorTime.
        const correlation = mean(list.slice(lag).map((x, i) => x * list[i]!)) / variance
        expect(Math.abs(correlation - Math.exp(-1))).toBeLessThan(4 / Math.sqrt(n))
      }
      const both = mean(seen.map(([x, y]) => x! * y!)) / 25
      expect(Math.abs(both)).toBeLessThan(4 / Math.sqrt(n))
    })

  it('starts with the full aim error, and each seed has its own', () => {
    const first = Array.from({ length: 300 }, (_, seed) => errors(60, 1 / 60, { aimError: 5 }, seed)[0]![0]!)
    expect(mean(first.map((x) => x * x)) / 25).toBeGreaterThan(0.7)
    expect(mean(first.map((x) => x * x)) / 25).toBeLessThan(1.35)
    expect(errors(60, 1, { aimError: 5 }, 4)).toEqual(errors(60, 1, { aimError: 5 }, 4))
  })
})

describe('Evade', () => {
  const evade = (position = v(0, 0, 0), velocity = v(0, 0, 0), options = {}) =>
    ask(new Evade({ target: { position, velocity }, method: 'flee', ...options })).force

  law(
    'flees from a point on the path of the target, no later than it could arrive, nor than maxPredictionTime',
    [vector(30), vector(8), number(0.2, 4)],
    (position, velocity, maxTime) => {
      const [gap, speed] = [norm(position), norm(velocity)]
      if (gap < 1 || speed < 0.1) return
      const from = times(unit(evade(position, velocity, { maxPredictionTime: maxTime })), -1)
      const latest = Math.min(gap / speed, maxTime)
      // The ray backwards along the flight meets the path somewhere between now and the meeting.
      const distance = Array.from({ length: 401 }, (_, k) =>
        angleBetween(from, plus(position, velocity, (k / 400) * latest)),
      )
      expect(Math.min(...distance)).toBeLessThan(0.05)
    },
  )

  it('takes the course of the target into account', () => {
    // It passes from left to right ahead. To its left is better than straight away.
    expect(evade(v(0, 3, 4), v(2.5, 0, 0)).x).toBeLessThan(-10)
  })

  it('predicts no farther ahead than maxPredictionTime', () => {
    expectVec(
      evade(v(0, 30, 40), v(5, 0, 0), { maxPredictionTime: 0.5 }),
      times(unit(v(2.5, 30, 40)), -100),
      1e-6,
    )
  })

  law(
    'flees from a target that flies straight at it, or aims a little ahead, and does not meet it half-way',
    [direction(), number(1, 40), number(0.5, 20), vector(0.2)],
    (n, gap, speed, aside) => {
      const heading = unit(plus(times(n, -1), aside))
      const { x, y, z } = evade(times(n, gap), times(heading, speed))
      expect(dotOf(v(x, y, z), n)).toBeLessThan(0)
    },
  )

  it('reacts inside panicDistance only', () => {
    expectVec(evade(v(0, 4.99, 0), v(0, 0, 0), { panicDistance: 5 }), v(0, -100, 0), 1e-9)
    expectVec(evade(v(0, 5, 0), v(0, 0, 0), { panicDistance: 5 }), v(0, 0, 0), 0)
    expectVec(evade(v(0, 1e9, 0)), v(0, -100, 0), 1e-6)
  })

  it('escapes from a slower pursuer for good', () => {
    const world = new SteeringWorld()
    const prey = pilot(undefined, { position: v(3, 1, 0), maxSpeed: 6 })
    const pursuer = pilot(new Pursue({ target: prey }), { maxSpeed: 5 })
    prey.behavior = new Evade({ target: pursuer })
    world.add(prey)
    world.add(pursuer)
    for (let i = 0; i < 1200; i++) world.step(1 / 60)
    expect(norm(minus(prey.position, pursuer.position))).toBeGreaterThan(20)
  })
})
