import { describe, expect, it } from 'vitest'
import { brakingSpeed, stoppingDistance } from 'three-steering/authoring'
import {
  brakingPlan,
  followPlan,
  followSlope,
  lagBeside,
  plannedSpeed,
  slope,
  undampedStop,
} from '../../src/core/control/profile.js'
import { number } from '../support/geometry.js'
import { law } from '../support/law.js'

/** Distance (m) of a body that coasts for `lag` seconds and then brakes, by the midpoint rule. */
function simulate(speed: number, decel: number, damping: number, lag: number): number {
  const dt = speed / (decel + damping * speed) / 20_000
  let v = speed
  let path = speed * lag
  while (v > 0) {
    const middle = v - (decel + damping * v) * (dt / 2)
    path += Math.max(0, middle) * dt
    v -= (decel + damping * middle) * dt
  }
  return path
}

/** Numbers over several powers of ten. */
const magnitude = (low: number, high: number) => number(low, high).map((e) => 10 ** e)

describe('brakingSpeed', () => {
  it('is √(2·a·d) without damping and lag', () => {
    expect(brakingSpeed(8, 4, 0, 0)).toBe(8)
    expect(brakingSpeed(0.5, 9.81, 0, 0)).toBeCloseTo(Math.sqrt(9.81), 12)
  })

  it('is distance / lag near the goal', () => {
    expect(brakingSpeed(1e-9, 5, 0, 0.1) / 1e-8).toBeCloseTo(1, 6)
  })

  for (const [distance, decel, damping, lag] of [
    [10, 5, 0, 0],
    [10, 5, 0, 0.3],
    [10, 5, 0.4, 0],
    [100, 1, 2, 0.1],
    [0.01, 30, 0.01, 0.05],
    [500, 20, 5, 1],
  ] as const)
    it(`from it a body stops within ${distance} m, simulated, with brakes of ${decel} m/s², damping ${damping}, lag ${lag} s`, () => {
      const speed = brakingSpeed(distance, decel, damping, lag)
      expect(simulate(speed, decel, damping, lag) / distance).toBeCloseTo(1, 3)
    })

  law(
    'is the inverse of stoppingDistance',
    [magnitude(-6, 5), magnitude(-2, 3), number(0, 5), number(0, 1)],
    (distance, decel, damping, lag) => {
      const speed = brakingSpeed(distance, decel, damping, lag)
      expect(stoppingDistance(speed, decel, damping, lag) / distance).toBeCloseTo(1, 5)
    },
    1000,
  )

  law(
    'stoppingDistance is the inverse of brakingSpeed',
    [magnitude(-6, 4), magnitude(-2, 3), number(0, 5), number(0, 1)],
    (speed, decel, damping, lag) => {
      const distance = stoppingDistance(speed, decel, damping, lag)
      expect(brakingSpeed(distance, decel, damping, lag) / speed).toBeCloseTo(1, 5)
    },
    1000,
  )

  law(
    'grows with distance, brakes and damping, falls with lag',
    [magnitude(-3, 4), magnitude(-1, 2), number(0, 3), number(0.01, 1), number(1.01, 3)],
    (distance, decel, damping, lag, more) => {
      const speed = brakingSpeed(distance, decel, damping, lag)
      expect(brakingSpeed(more * distance, decel, damping, lag)).toBeGreaterThan(speed)
      expect(brakingSpeed(distance, more * decel, damping, lag)).toBeGreaterThan(speed)
      expect(brakingSpeed(distance, decel, damping + more, lag)).toBeGreaterThan(speed)
      expect(brakingSpeed(distance, decel, damping, more * lag)).toBeLessThan(speed)
    },
  )

  law(
    'slope is its derivative',
    [magnitude(-2, 3), magnitude(-1, 2), number(0, 3), number(0.01, 1)],
    (distance, decel, damping, lag) => {
      const h = 1e-4 * distance
      const rise =
        (brakingSpeed(distance + h, decel, damping, lag) - brakingSpeed(distance - h, decel, damping, lag)) /
        (2 * h)
      const speed = brakingSpeed(distance, decel, damping, lag)
      expect(rise / slope(speed, decel, damping, lag)).toBeCloseTo(1, 3)
    },
  )

  it('is continuous as the damping goes to zero', () => {
    for (const damping of [1e-3, 1e-6, 1e-9, 1e-15, 5e-324])
      expect(brakingSpeed(10, 5, damping, 0.1) / brakingSpeed(10, 5, 0, 0.1)).toBeCloseTo(1, 2)
    // on both sides of the change of stoppingDistance from its series to its closed form: ratio 1e-3
    const below = stoppingDistance(1, 1, 1e-3 - 1e-9, 0)
    const above = stoppingDistance(1, 1, 1e-3 + 1e-9, 0)
    expect(Math.abs(above - below)).toBeLessThan(1e-8)
  })
})

describe('braking is total', () => {
  it('no distance, or a negative one, gives speed 0', () => {
    for (const distance of [0, -1, NaN, -Infinity])
      for (const decel of [0, 1, Infinity]) expect(brakingSpeed(distance, decel, 0.5, 0.1)).toBe(0)
  })

  it('brakes without limit leave only the lag', () => {
    expect(brakingSpeed(3, Infinity, 0, 0.5)).toBe(6)
    expect(brakingSpeed(3, Infinity, 2, 0.5)).toBe(6)
  })

  it('no brakes and no damping never stop', () => {
    expect(brakingSpeed(5, 0, 0, 0.1)).toBe(0)
  })

  law(
    'tiny and huge numbers stay finite and ordered',
    [magnitude(-300, 290), magnitude(-10, 10), number(0, 5), number(0, 1)],
    (distance, decel, damping, lag) => {
      const speed = brakingSpeed(distance, decel, damping, lag)
      expect(Number.isFinite(speed)).toBe(true)
      expect(speed).toBeGreaterThanOrEqual(0)
    },
  )

  it('an infinite distance does not limit the speed', () => {
    for (const damping of [0, 0.5])
      for (const lag of [0, 0.1]) expect(brakingSpeed(Infinity, 4, damping, lag)).toBe(Infinity)
    expect(brakingSpeed(1.7e308, 4, 0, 0.1)).toBeGreaterThan(1e150)
  })

  it('without brakes only the damping stops: from v after v·(lag + 1/damping)', () => {
    expect(brakingSpeed(6, 0, 0.5, 1)).toBeCloseTo(2, 9)
    expect(stoppingDistance(2, 0, 0.5, 1)).toBeCloseTo(6, 9)
  })

  it('at rest the stopping distance is 0, whatever the brakes', () => {
    for (const decel of [0, 1, Infinity])
      for (const damping of [0, 0.5]) expect(stoppingDistance(0, decel, damping, 0.1)).toBe(0)
    // brakingSpeed is then 0 for every distance, so its derivative is as well
    expect(slope(0, 0, 0, 0.1)).toBe(0)
  })
})

it('a plan that is followed in steps waits for the lag less one step, and for half a step at least', () => {
  expect(lagBeside(0.3, 0.1)).toBeCloseTo(0.2, 12)
  expect(lagBeside(0.3, 0)).toBe(0.3)
  expect(lagBeside(0.11, 0.1)).toBe(0.05)
  expect(lagBeside(0, 0.1)).toBe(0.05)
})

it('without damping the stopping distance has a short form, without brakes the slope does', () => {
  expect(undampedStop(6, 2, 0.5)).toBeCloseTo(stoppingDistance(6, 2, 0, 0.5), 12)
  for (const speed of [0, 3]) expect(slope(speed, 0, 0.5, 0.2)).toBeCloseTo(brakingSpeed(1, 0, 0.5, 0.2), 12)
})

describe('a plan that is followed', () => {
  it('has its speed at the end, and before it what the brakes can take off', () => {
    const plan = Object.assign(brakingPlan(), { decel: 2, end: 3, top: 8 })
    expect([-1, 0, 4, 99].map((distance) => plannedSpeed(plan, distance))).toEqual([3, 3, 5, 8])
  })

  law(
    'after a step the difference from it, at the place then reached, is 1 − dt / time of what it was',
    [number(0, 20), number(0, 5), number(-20, 20), number(0.05, 2), number(0.001, 0.05)],
    (wanted, steep, speed, time, dt) => {
      const next = speed + followSlope(wanted, steep, speed, time, dt) * dt
      expect(wanted - steep * next * dt - next).toBeCloseTo((wanted - speed) * (1 - dt / time), 9)
    },
  )

  it.each([30, 60, 240])('is not passed at its end, and hardly left, at %i steps a second', (rate) => {
    const plan = Object.assign(brakingPlan(), { decel: 2, damping: 0.1, lag: 0.1, top: 8 })
    let [distance, speed] = [20, 8]
    for (let i = 0; i < 15 * rate; i++) {
      speed += followPlan(plan, distance, speed, 0.3, 1 / rate) / rate
      distance -= speed / rate
      expect(distance).toBeGreaterThanOrEqual(-1e-9)
      expect(Math.abs(speed - plannedSpeed(plan, distance))).toBeLessThan(0.05)
    }
    expect(distance).toBeLessThan(1e-6)
  })
})
