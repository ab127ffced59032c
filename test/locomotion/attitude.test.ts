import { describe, expect, it } from 'vitest'
import {
  Attitude,
  Hover,
  Seek,
  SteeringController,
  SteeringWorld,
  Thrusters,
  type AttitudeOptions,
  type Behavior,
  type Locomotion,
  type Vec3,
  type Vec3Like,
} from 'three-steering'
import {
  about,
  angleBetween,
  crossOf,
  dotOf,
  expectRotation,
  expectVec,
  norm,
  plus,
  times,
  turned,
  unit,
  v,
} from '../support/geometry.js'
import { idle, pilot, type PilotOptions } from '../support/pilot.js'
import { pushing } from '../support/stand-in.js'

const DT = 1 / 60
const AHEAD = v(0, 0, 1)
const UP = v(0, 1, 0)
const DEGREE = Math.PI / 180

/** Holds the speed, and accelerates across the course in the plane at right angles to `up`. */
function circling(acceleration: number, speed: number, up: Vec3Like = UP): Behavior {
  return {
    steer(agent, _step, out) {
      const { mass, velocity } = agent
      const side = unit(crossOf(velocity, up))
      const pull = (speed - agent.speed) * 5
      const force = plus(times(side, acceleration), times(unit(velocity), pull))
      Object.assign(out.force, times(plus(force, up, -2 * dotOf(velocity, up)), mass))
    },
  }
}

function fly(options: PilotOptions, gravity = v(0, 0, 0)): { world: SteeringWorld; one: SteeringController } {
  const world = new SteeringWorld({ gravity })
  const one = pilot(options.behavior, { maxSpeed: 50, maxTorque: 60, ...options })
  world.add(one)
  return { world, one }
}

/** Bank angle of the up axis towards the inside of a right-hand turn, about the nose. */
function lean(one: SteeringController): number {
  const { x, y } = one.attitude
  const side = unit(crossOf(x, UP))
  return Math.atan2(dotOf(y, side), dotOf(y, crossOf(side, x)))
}

function after(seconds: number, world: SteeringWorld, each?: () => void): void {
  for (let i = 0; i < seconds / DT; i++) {
    world.step(DT)
    each?.()
  }
}

describe('facing the course', () => {
  it('the nose turns to the velocity from any attitude', () => {
    for (const q of [about(UP, 3), about(AHEAD, 2), about(v(1, 0, 0), Math.PI), about(unit(v(1, 1, 1)), 2)]) {
      const { world, one } = fly({ behavior: idle(), velocity: v(2, 1, 2), quaternion: q })
      after(4, world)
      expectVec(one.attitude.x, unit(v(2, 1, 2)), 1e-3)
    }
  })

  it('at rest the attitude is held', () => {
    const q = about(unit(v(1, 2, 3)), 1)
    const { world, one } = fly({
      behavior: idle(),
      quaternion: q,
      locomotion: new Hover({ attitude: { roll: 'free' } }),
    })
    after(2, world)
    expectRotation(one.quaternion, q, 1e-6)
  })

  it('works for a model with other axes', () => {
    const [forward, up] = [v(0, -1, 0), v(1, 0, 0)]
    const { world, one } = fly({ behavior: idle(), velocity: v(3, 0, 0), forward, up })
    after(4, world)
    expectVec(turned(one.quaternion, forward), v(1, 0, 0), 1e-3)
    // roll `bank` without a turn is level
    expectVec(turned(one.quaternion, up), UP, 1e-3)
  })
})

describe('roll', () => {
  const turning = (
    attitude: AttitudeOptions,
    acceleration: number,
    extra: PilotOptions = {},
    gravity?: Vec3,
  ) =>
    fly(
      {
        behavior: circling(acceleration, 10),
        velocity: v(0, 0, 10),
        locomotion: new Hover({ attitude }),
        ...extra,
      },
      gravity,
    )

  for (const [g, acceleration] of [
    [9.81, 2],
    [9.81, 9.81],
    [3, 6],
  ] as const)
    it(`bank: in a steady turn of ${acceleration} m/s² against ${g} the angle is atan(a/g)`, () => {
      const { world, one } = turning({ bankWeight: g }, acceleration)
      after(4, world)
      expect(Math.abs(lean(one) - Math.atan(acceleration / g))).toBeLessThan(2 * DEGREE)
    })

  it('bank: the force that carries the weight does not count as a turn', () => {
    const { world, one } = turning({}, 5, { compensateGravity: true }, v(0, -9.81, 0))
    after(4, world)
    expect(Math.abs(lean(one) - Math.atan(5 / 9.81))).toBeLessThan(2 * DEGREE)
  })

  it('bank: to the inside of the turn, on either side', () => {
    for (const acceleration of [4, -4]) {
      const { world, one } = turning({}, acceleration)
      after(3, world)
      expect(Math.sign(lean(one))).toBe(Math.sign(acceleration))
    }
  })

  it('level: in the same turn the up axis stays up', () => {
    const { world, one } = turning({ roll: 'level' }, 9.81)
    after(4, world)
    expect(Math.abs(lean(one))).toBeLessThan(1 * DEGREE)
  })

  it('free: the agent does not roll, neither level nor into the turn', () => {
    const { world, one } = turning({ roll: 'free' }, 9.81, { quaternion: about(AHEAD, 1) })
    const start = lean(one)
    after(4, world)
    // a level turn carries the roll along unchanged
    expect(Math.abs(lean(one) - start)).toBeLessThan(2 * DEGREE)
  })

  it('match: the up axis follows that of another object', () => {
    const other = { quaternion: about(AHEAD, 0.7) }
    const { world, one } = fly({
      behavior: idle(),
      velocity: v(0, 0, 10),
      locomotion: new Hover({ attitude: { roll: 'match', match: other } }),
    })
    after(3, world)
    expectVec(one.attitude.y, turned(other.quaternion, UP), 1e-3)
    // the object is read in each step, also when it is replaced by another
    Object.assign(other, { quaternion: about(AHEAD, -1) })
    after(3, world)
    expectVec(one.attitude.y, turned(about(AHEAD, -1), UP), 1e-3)
  })

  it('the policy may be changed at any time', () => {
    const hover = new Hover()
    const { world, one } = fly({
      behavior: circling(9.81, 10),
      velocity: v(0, 0, 10),
      locomotion: hover,
    })
    after(4, world)
    expect(lean(one)).toBeGreaterThan(40 * DEGREE)
    hover.attitude!.roll = 'level'
    after(4, world)
    expect(Math.abs(lean(one))).toBeLessThan(1 * DEGREE)
  })

  it('world up may be any direction', () => {
    const world = new SteeringWorld({ up: v(1, 0, 0) })
    const one = pilot(idle(), { velocity: v(0, 0, 5), maxTorque: 60 })
    world.add(one)
    after(3, world)
    expectVec(one.attitude.y, v(1, 0, 0), 1e-3)
  })
})

describe('facing the thrust', () => {
  const ship = (behavior: Behavior, extra: PilotOptions = {}, locomotion?: Locomotion) =>
    fly({
      behavior,
      locomotion:
        locomotion ?? new Thrusters({ ahead: 30, astern: 5, up: 5, down: 5, port: 5, starboard: 5 }),
      maxSpeed: 20,
      ...extra,
    })

  it('a ship at rest turns to its goal, and then its main engine fires', () => {
    const { world, one } = ship(new Seek({ target: v(1e6, 0, 0) }))
    // the side engine alone gives 5 m/s²; the main engine does not fire before the nose has turned
    after(0.03, world)
    expect(norm(one.velocity)).toBeLessThan(0.2)
    after(3, world)
    expect(angleBetween(one.attitude.x, v(1, 0, 0))).toBeLessThan(15 * DEGREE)
    expect(one.velocity.x).toBeGreaterThan(18)
    after(9, world)
    expectVec(one.attitude.x, v(1, 0, 0), 0.02)
  })

  it('the ship does not turn around to brake', () => {
    const { world, one } = ship(pushing(v(0, 0, -30)), { velocity: v(0, 0, 15) })
    let worst = 0
    after(2, world, () => {
      worst = Math.max(worst, angleBetween(one.attitude.x, AHEAD))
    })
    // the retro engine gives 5 N for 2 s
    expect(one.velocity.z).toBeCloseTo(5, 1)
    expect(worst).toBeLessThan(1 * DEGREE)
  })

  it('without velocity and thrust the nose is held', () => {
    const q = about(UP, 1)
    const { world, one } = ship(idle(), { quaternion: q })
    after(2, world)
    expectRotation(one.quaternion, q, 1e-6)
  })

  it('in a turn the nose lies between course and thrust', () => {
    const { world, one } = ship(pushing(v(20, 0, 0)), { velocity: v(0, 0, 15) })
    after(0.8, world)
    const angle = Math.atan2(one.attitude.x.x, one.attitude.x.z)
    expect(angle).toBeGreaterThan(10 * DEGREE)
    expect(angle).toBeLessThan(90 * DEGREE)
  })
})

describe('the attitude has no jumps', () => {
  /** Greatest angular velocity and greatest angular acceleration on a course through the vertical. */
  function aerobatics(attitude: AttitudeOptions): { rate: number; alpha: number; flips: number } {
    // a vertical loop of radius 5 at 10 m/s
    const looping: Behavior = {
      steer(agent, _step, out) {
        const { x, y } = agent.course
        Object.assign(out.force, plus(times(y, 20), times(x, (10 - agent.speed) * 5)))
      },
    }
    const { world, one } = fly({
      behavior: looping,
      velocity: v(0, 0, 10),
      locomotion: new Hover({ attitude }),
      maxTorque: 20,
      inertia: v(1, 1, 1),
      maxTurnRate: 6,
    })
    let [rate, alpha, flips] = [0, 0, 0]
    let before = v(0, 0, 0)
    let top = { ...one.attitude.y }
    after(10, world, () => {
      rate = Math.max(rate, norm(one.angularVelocity))
      alpha = Math.max(alpha, norm(plus(one.angularVelocity, before, -1)) / DT)
      before = { ...one.angularVelocity }
      if (angleBetween(top, one.attitude.y) > 8 * DEGREE) flips++
      top = { ...one.attitude.y }
    })
    return { rate, alpha, flips }
  }

  for (const roll of ['bank', 'level', 'free'] as const)
    it(`${roll}: through vertical loops the body turns within its limits, never at once`, () => {
      const { rate, alpha, flips } = aerobatics({ roll })
      expect(rate).toBeLessThanOrEqual(6 + 1e-6)
      expect(alpha).toBeLessThanOrEqual(20 + 1e-6)
      expect(flips).toBe(0)
    })

  it('free, and bank without weight, fly the loop without any roll', () => {
    for (const attitude of [{ roll: 'free' }, { roll: 'bank', bankWeight: 1e-9 }] as const) {
      const { rate } = aerobatics(attitude)
      // the nose itself turns by 2 rad/s
      expect(rate).toBeLessThan(3)
    }
  })

  for (const roll of ['bank', 'level', 'free'] as const)
    it(`${roll}: straight up and straight down the body stops turning`, () => {
      for (const y of [5, -5]) {
        const { world, one } = fly({
          behavior: idle(),
          velocity: v(0, y, 0),
          locomotion: new Hover({ attitude: { roll } }),
        })
        after(4, world)
        expect(norm(one.angularVelocity)).toBeLessThan(1e-2)
        expectVec(one.attitude.x, v(0, Math.sign(y), 0), 1e-2)
      }
    })
})

it('Attitude can be used by other locomotions', () => {
  const attitude = new Attitude({ roll: 'level' })
  const locomotion: Locomotion = {
    actuate: (agent, demand, step, out) => attitude.actuate(agent, demand, step, demand.force, out),
    forceAlong: () => 0,
  }
  const { world, one } = fly({ behavior: idle(), velocity: v(3, 0, 0), locomotion })
  after(3, world)
  expectVec(one.attitude.x, v(1, 0, 0), 1e-3)
})
